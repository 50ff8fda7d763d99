//! Ids as data: their bits, or the names of bodies and joints in a scene file.
//!
//! Serde gives a field no way to see the rest of the file. The names of the scene that this thread reads or writes are
//! therefore kept beside it, for the time of that call alone.

use crate::id::{Id, IdKind, kind};
use core::cell::RefCell;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

thread_local! {
    static NAMES: RefCell<Option<SceneNames>> = const { RefCell::new(None) };
}

/// The names of the bodies and joints of a scene.
#[derive(Debug, Default)]
pub(crate) struct SceneNames {
    pub(crate) bodies: NameList,
    pub(crate) joints: NameList,
}

/// Names in the order of a list; those of objects without a name are empty.
#[derive(Debug, Default)]
pub(crate) struct NameList {
    names: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl NameList {
    /// Adds the name of the next object.
    pub(crate) fn push<K: IdKind>(&mut self, name: &str) -> Result<(), String> {
        self.check::<K>(name)?;
        if !name.is_empty() {
            self.places.insert(name.to_owned(), self.names.len());
        }
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Refuses a name that another object has.
    fn check<K: IdKind>(&self, name: &str) -> Result<(), String> {
        match self.places.get(name) {
            None => Ok(()),
            Some(first) => Err(format!("{} {first} is also called {name:?}", K::NAME)),
        }
    }
}

impl SceneNames {
    fn list<K: IdKind>(&mut self) -> &mut NameList {
        if K::NAME == kind::Joint::NAME {
            &mut self.joints
        } else {
            &mut self.bodies
        }
    }
}

/// While it lives, ids are read and written with the names of a scene.
pub(crate) struct NameScope(Option<SceneNames>);

impl NameScope {
    pub(crate) fn open(names: SceneNames) -> Self {
        Self(NAMES.replace(Some(names)))
    }
}

impl Drop for NameScope {
    fn drop(&mut self) {
        NAMES.set(self.0.take());
    }
}

/// Notes the name of the next object of a scene that is read, if one is.
pub(crate) fn note_name<K: IdKind>(name: &str) -> Result<(), String> {
    NAMES.with_borrow_mut(|names| match names {
        Some(names) => names.list::<K>().push::<K>(name),
        None => Ok(()),
    })
}

/// Refuses a name that another object of the scene has.
pub(crate) fn check_name<K: IdKind>(name: &str) -> Result<(), String> {
    NAMES.with_borrow_mut(|names| match names {
        Some(names) => names.list::<K>().check::<K>(name),
        None => Ok(()),
    })
}

/// The number of [`Id::to_bits`], or a name in a scene file.
impl<K: IdKind> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = NAMES.with_borrow_mut(|names| {
            let list = names.as_mut()?.list::<K>();
            list.names.get(self.index() as usize).cloned()
        });
        match name {
            Some(name) if serializer.is_human_readable() && !name.is_empty() => {
                serializer.serialize_str(&name)
            }
            _ => serializer.serialize_u64(self.to_bits()),
        }
    }
}

/// Every number is an id; in a scene file, a number or a name must be that of an object above it.
impl<'de, K: IdKind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let has_names = NAMES.with_borrow(Option::is_some);
        if deserializer.is_human_readable() && has_names {
            deserializer.deserialize_any(PlaceOrName(PhantomData))
        } else {
            u64::deserialize(deserializer).map(Self::from_bits)
        }
    }
}

struct PlaceOrName<K>(PhantomData<K>);

impl<K: IdKind> Visitor<'_> for PlaceOrName<K> {
    type Value = Id<K>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the name of a {0}, or its place in the list", K::NAME)
    }

    fn visit_u64<E: Error>(self, bits: u64) -> Result<Id<K>, E> {
        let id = Id::from_bits(bits);
        let count = NAMES.with_borrow_mut(|names| {
            let names = names.as_mut()?;
            Some(names.list::<K>().names.len())
        });
        match count {
            // Nothing was read yet: the list comes later.
            Some(count) if count > 0 && id.index() as usize >= count => {
                let kind = K::NAME;
                Err(E::custom(format!(
                    "there is no {kind} {bits}: the list above has {count}, counted from 0"
                )))
            }
            _ => Ok(id),
        }
    }

    fn visit_i64<E: Error>(self, bits: i64) -> Result<Id<K>, E> {
        let bits = u64::try_from(bits);
        self.visit_u64(bits.map_err(|_| E::custom("an id is not negative"))?)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Id<K>, E> {
        let place = NAMES.with_borrow_mut(|names| {
            let list = names.as_mut()?.list::<K>();
            list.places.get(name).copied()
        });
        let place =
            place.ok_or_else(|| E::custom(format!("no {} above is called {name:?}", K::NAME)))?;
        Ok(Id::from_bits(place as u64))
    }
}
