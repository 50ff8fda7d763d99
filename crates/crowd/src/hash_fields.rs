//! State hashes of records.

/// Implements `HashState` of a record by all of its fields, in order: `hash_fields!(Record: a, b)`.
macro_rules! hash_fields {
    ($type:ty: $($field:ident)*) => {
        impl cairn2d_geometry::HashState for $type {
            fn hash_state(&self, hash: &mut cairn2d_geometry::StateHasher) {
                let Self { $($field),* } = self;
                $(hash.add($field);)*
            }
        }
    };
}
pub(crate) use hash_fields;
