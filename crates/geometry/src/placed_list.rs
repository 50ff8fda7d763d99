//! Lists as data whose errors name the element: a mistake in a long file is found at once.

use core::fmt::{self, Display};
use core::marker::PhantomData;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Reads a list and gives each element to `take`, which may refuse it.
///
/// # Errors
/// Those of the reader, and those of `take`.
pub fn visit_list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    name: &'static str,
    take: impl FnMut(T) -> Result<(), String>,
) -> Result<(), D::Error> {
    deserializer.deserialize_seq(ListVisitor {
        name,
        take,
        element: PhantomData,
    })
}

struct ListVisitor<T, F> {
    name: &'static str,
    take: F,
    element: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Result<(), String>> Visitor<'de>
    for ListVisitor<T, F>
{
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a list of {}", self.name)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        for index in 0_usize.. {
            let name = self.name;
            let refuse =
                |error: &dyn Display| A::Error::custom(format!("{name}[{index}]: {error}"));
            match elements.next_element() {
                Ok(Some(element)) => (self.take)(element).map_err(|error| refuse(&error))?,
                Ok(None) => break,
                // Formats keep the line of the first error in its text.
                Err(error) => return Err(refuse(&error)),
            }
        }
        Ok(())
    }
}
