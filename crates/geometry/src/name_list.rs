//! Names of the objects in the lists of a file.
//!
//! Serde gives a field no way to see the rest of the file. The names of the file that this thread reads or writes are
//! therefore kept beside it, for the time of that call alone.

use core::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static NAMES: RefCell<Option<Lists>> = const { RefCell::new(None) };
}

/// The names of a file: a list for each kind of objects.
type Lists = BTreeMap<&'static str, NameList>;

/// Names in the order of a list; those of objects without a name are empty.
#[derive(Debug, Default)]
struct NameList {
    names: Vec<String>,
    places: BTreeMap<String, usize>,
}

/// While it lives, a file with names is read or written.
#[derive(Debug)]
pub struct NameScope(Option<Lists>);

impl NameScope {
    /// Begins with no names.
    #[must_use]
    pub fn open() -> Self {
        Self(NAMES.replace(Some(Lists::default())))
    }
}

impl Drop for NameScope {
    fn drop(&mut self) {
        NAMES.set(self.0.take());
    }
}

/// Returns `true` while a file with names is read or written.
#[must_use]
pub fn are_names_open() -> bool {
    NAMES.with_borrow(Option::is_some)
}

/// Notes the name of the next object of a `kind`; nothing outside of a file with names.
///
/// # Errors
/// If another object of the kind has the name.
pub fn note_name(kind: &'static str, name: &str) -> Result<(), String> {
    with_list(kind, |list| {
        if let Some(first) = list.places.get(name) {
            return Err(format!("{kind} {first} is also called {name:?}"));
        }
        if !name.is_empty() {
            list.places.insert(name.to_owned(), list.names.len());
        }
        list.names.push(name.to_owned());
        Ok(())
    })
    .unwrap_or(Ok(()))
}

/// Returns the name of the object at a place, if it has one.
#[must_use]
pub fn name_at(kind: &'static str, place: usize) -> Option<String> {
    let name = with_list(kind, |list| list.names.get(place).cloned());
    name.flatten().filter(|name| !name.is_empty())
}

/// Finds the place of the object of that name.
///
/// # Errors
/// If there is none.
pub fn place_of(kind: &'static str, name: &str) -> Result<usize, String> {
    let place = with_list(kind, |list| list.places.get(name).copied());
    let missing = || format!("no {kind} above is called {name:?}");
    place.flatten().ok_or_else(missing)
}

/// Checks a place in a list. While the list is empty every place may be right, since the list may come later.
///
/// # Errors
/// If the list ends before it.
pub fn check_place(kind: &'static str, place: usize) -> Result<(), String> {
    match with_list(kind, |list| list.names.len()) {
        Some(count) if count > 0 && place >= count => Err(format!(
            "there is no {kind} {place}: the list above has {count}, counted from 0"
        )),
        _ => Ok(()),
    }
}

fn with_list<R>(kind: &'static str, use_list: impl FnOnce(&mut NameList) -> R) -> Option<R> {
    NAMES.with_borrow_mut(|names| {
        let lists = names.as_mut()?;
        Some(use_list(lists.entry(kind).or_default()))
    })
}
