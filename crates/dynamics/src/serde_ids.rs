//! Ids as data: their bits.

use crate::id::{Id, IdKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of [`Id::to_bits`].
impl<K: IdKind> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.to_bits())
    }
}

/// Every number is an id.
impl<'de, K: IdKind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(Self::from_bits)
    }
}
