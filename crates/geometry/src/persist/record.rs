//! One list of fields for the state hash and the save of a record.

/// Implements [`HashState`](crate::HashState) and [`Persist`](crate::Persist) of a record from the list of its fields.
///
/// Fields are hashed and saved in the order of the list, which names all of them: a new field does not compile until
/// it is listed. A function cannot do this, since it has no names of fields. After a field may stand:
///
/// * `report`: saved, not hashed, since no later step reads it;
/// * `derived(value)`: neither, and read as `value`. It follows from other state, which the owner of the record
///   restores after reading, or it is written before it is read;
/// * `since(format)`: the default value in saves of older formats.
/// * `by(function)`: hashed and saved, and read by a function instead of its type.
///
/// `clone` before the type implements `Clone`, too, as [`clone_fields!`](crate::clone_fields) does.
///
/// After the list may stand the name of a method that returns `true` for records which can exist; others are not read.
///
/// ```
/// use cairn2d_geometry::{ByteSink, HashState, Persist, Reader, StateHasher, state_record};
///
/// #[derive(Clone, Debug, PartialEq)]
/// struct Timer {
///     left: f32,
///     rings: u32,
///     scratch: Vec<u8>,
/// }
///
/// state_record!(Timer { left, rings: report, scratch: derived(Vec::new()) });
///
/// let timer = Timer { left: 1.5, rings: 7, scratch: vec![1] };
/// let mut bytes = Vec::new();
/// timer.write(&mut ByteSink::new(&mut bytes));
/// assert_eq!(bytes.len(), 8);
/// let read: Timer = Reader::new(&bytes, 0).read().unwrap();
/// assert_eq!(read, Timer { scratch: Vec::new(), ..timer });
/// ```
#[macro_export]
macro_rules! state_record {
    (clone $type:ty { $($field:ident $(: $rule:ident $(($value:expr))?)?),* $(,)? }) => {
        $crate::clone_fields!($type { $($field),* });
        $crate::state_record!($type { $($field $(: $rule $(($value))?)?),* });
    };
    ($type:ty { $($field:ident $(: $rule:ident $(($value:expr))?)?),* $(,)? } $(, $check:ident)?) => {
        impl $crate::HashState for $type {
            #[inline]
            fn hash_state(&self, hash: &mut $crate::StateHasher) {
                let Self { $($field),* } = self;
                $($crate::state_record!(@hash hash $field $($rule)?);)*
            }
        }

        $crate::save_record!($type { $($field $(: $rule $(($value))?)?),* } $(, $check)?);
    };
    (@hash $hash:ident $field:ident) => { $hash.add($field) };
    (@hash $hash:ident $field:ident by) => { $hash.add($field) };
    (@hash $hash:ident $field:ident since) => { $hash.add($field) };
    (@hash $hash:ident $field:ident $rule:ident) => { _ = $field };
}

/// Implements [`Persist`](crate::Persist) of a record from the list of its fields, as
/// [`state_record!`](crate::state_record) does, for a record with a hash of its own.
#[macro_export]
macro_rules! save_record {
    ($type:ty { $($field:ident $(: $rule:ident $(($value:expr))?)?),* $(,)? } $(, $check:ident)?) => {
        impl $crate::Persist for $type {
            #[inline]
            fn write<S: $crate::Sink>(&self, sink: &mut S) {
                let Self { $($field),* } = self;
                $($crate::save_record!(@write sink $field $($rule)?);)*
            }

            #[inline]
            fn read(reader: &mut $crate::Reader<'_>) -> Result<Self, $crate::LoadError> {
                let record = Self {
                    $($field: $crate::save_record!(@read reader $($rule $(($value))?)?)),*
                };
                $(reader.in_range(stringify!($type), record.$check())?;)?
                Ok(record)
            }
        }
    };
    (@write $sink:ident $field:ident) => { $sink.field(stringify!($field), $field) };
    (@write $sink:ident $field:ident since) => { $sink.field(stringify!($field), $field) };
    (@write $sink:ident $field:ident report) => { $sink.report(stringify!($field), $field) };
    (@write $sink:ident $field:ident derived) => { _ = $field };
    (@write $sink:ident $field:ident by) => { $sink.field(stringify!($field), $field) };
    (@read $reader:ident) => { $reader.read()? };
    (@read $reader:ident report) => { $reader.read()? };
    (@read $reader:ident derived($value:expr)) => { $value };
    (@read $reader:ident by($read:expr)) => { $read(&mut *$reader)? };
    (@read $reader:ident since($format:expr)) => {
        if $reader.format() < $format { Default::default() } else { $reader.read()? }
    };
}

/// Implements [`HashState`](crate::HashState) and [`Persist`](crate::Persist) of an enum without fields: its number.
///
/// The list names all variants in the order of their numbers, from 0 on.
#[macro_export]
macro_rules! state_choice {
    ($type:ty { $($variant:ident),* $(,)? }) => {
        impl $crate::HashState for $type {
            #[inline]
            fn hash_state(&self, hash: &mut $crate::StateHasher) {
                hash.word(*self as u64);
            }
        }

        impl $crate::Persist for $type {
            #[inline]
            fn write<S: $crate::Sink>(&self, sink: &mut S) {
                // A variant that is not listed does not compile.
                let tag = match self {
                    $(Self::$variant => *self as u8),*
                };
                sink.number($crate::Number::U8(tag));
            }

            #[inline]
            fn read(reader: &mut $crate::Reader<'_>) -> Result<Self, $crate::LoadError> {
                reader.choice(&[$(Self::$variant),*])
            }
        }
    };
}

/// Implements [`HashState`](crate::HashState) and [`Persist`](crate::Persist) of an enum: a tag, then the record of the
/// variant, if it has one.
#[macro_export]
macro_rules! state_variants {
    ($type:ty { $($variant:ident $(($record:ident))? = $tag:literal),* $(,)? }) => {
        impl $crate::HashState for $type {
            fn hash_state(&self, hash: &mut $crate::StateHasher) {
                match self {
                    $(Self::$variant $(($record))? => hash.word($tag)$(.add($record))?),*
                };
            }
        }

        impl $crate::Persist for $type {
            fn write<S: $crate::Sink>(&self, sink: &mut S) {
                match self {
                    $(Self::$variant $(($record))? => {
                        sink.number($crate::Number::U8($tag));
                        $(sink.field(stringify!($variant), $record);)?
                    })*
                }
            }

            fn read(reader: &mut $crate::Reader<'_>) -> Result<Self, $crate::LoadError> {
                let start = *reader;
                Ok(match reader.read::<u8>()? {
                    $($tag => Self::$variant $(({
                        let $record = reader.read()?;
                        $record
                    }))?,)*
                    tag => return Err(start.error($crate::LoadReason::Tag(tag.into()))),
                })
            }
        }
    };
}

/// Implements `Clone` of a record by its fields, so that `clone_from` reuses the memory of their lists: the
/// derived one computes them again. `where` lists the parameters of the type with their bounds. `except` names a field that each record keeps for itself, its value in a new record,
/// and a method that `clone_from` calls last.
#[macro_export]
macro_rules! clone_fields {
    (
        $type:ty $(where [$($parameters:tt)*])? { $($field:ident),* $(,)? }
        $(, except $own:ident: $value:expr, then $note:ident)?
    ) => {
        impl $(<$($parameters)*>)? Clone for $type {
            fn clone(&self) -> Self {
                let Self { $($field,)* $($own: _)? } = self;
                Self { $($field: $field.clone(),)* $($own: $value)? }
            }

            fn clone_from(&mut self, source: &Self) {
                let Self { $($field,)* $($own: _)? } = source;
                $(self.$field.clone_from($field);)*
                $(self.$note();)?
            }
        }
    };
}
