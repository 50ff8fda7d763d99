//! Ids as data: their bits, or the names of bodies and joints in a scene file.

use crate::id::{Id, IdKind};
use cairn2d_geometry::name_list::{are_names_open, check_place, name_at, place_of};
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of [`Id::to_bits`], or a name in a scene file.
impl<K: IdKind> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match name_at(K::NAME, self.index() as usize) {
            Some(name) if serializer.is_human_readable() => serializer.serialize_str(&name),
            _ => serializer.serialize_u64(self.to_bits()),
        }
    }
}

/// Every number is an id; in a scene file, a number or a name must be that of an object above it.
impl<'de, K: IdKind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() && are_names_open() {
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
        check_place(K::NAME, id.index() as usize).map_err(E::custom)?;
        Ok(id)
    }

    fn visit_i64<E: Error>(self, bits: i64) -> Result<Id<K>, E> {
        let bits = u64::try_from(bits);
        self.visit_u64(bits.map_err(|_| E::custom("an id is not negative"))?)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Id<K>, E> {
        let place = place_of(K::NAME, name).map_err(E::custom)?;
        Ok(Id::from_bits(place as u64))
    }
}
