//! Worlds as data: the bytes of a save, or its hexadecimal digits in text formats.

use crate::world::World;
use core::fmt;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// The bytes of [`World::save`]; in text formats, two hexadecimal digits for each. For scenes that are written by hand,
/// see [`SceneDef`](crate::SceneDef).
impl Serialize for World {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let save = self.save();
        if serializer.is_human_readable() {
            serializer.serialize_str(&digits_of(&save))
        } else {
            serializer.serialize_bytes(&save)
        }
    }
}

/// See [`World::load`]: any data give an error or a world.
impl<'de> Deserialize<'de> for World {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(SaveVisitor)
        } else {
            deserializer.deserialize_byte_buf(SaveVisitor)
        }
    }
}

struct SaveVisitor;

impl Visitor<'_> for SaveVisitor {
    type Value = World;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a save of a world, as bytes or hexadecimal digits")
    }

    fn visit_bytes<E: Error>(self, save: &[u8]) -> Result<World, E> {
        World::load(save).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, digits: &str) -> Result<World, E> {
        let save = bytes_of(digits).ok_or_else(|| E::custom("these are not hexadecimal digits"))?;
        self.visit_bytes(&save)
    }
}

/// Returns two digits for each byte.
fn digits_of(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).expect("four bits");
    let pairs = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    pairs.map(digit).collect()
}

/// Returns the byte of each two digits, or `None` for other texts.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else {
        return None;
    };
    let byte = |&[high, low]: &[u8; 2]| Some((value(high)? << 4 | value(low)?) as u8);
    pairs.iter().map(byte).collect()
}
