//! Structs with C's layout, of which zero bytes are a value.

/// A type whose zero bytes are a value: what a function returns that failed.
///
/// # Safety
/// All-zero bytes must be a valid value of the type.
pub(crate) unsafe trait Zeroed: Copy {
    /// Returns the value of zero bytes.
    fn zeroed() -> Self {
        // SAFETY: zero bytes are a value of the type, by the contract of the trait.
        unsafe { core::mem::zeroed() }
    }
}

macro_rules! zeroed {
    ($($name:ty),* $(,)?) => {
        // SAFETY: zero bytes are 0, false or null.
        $(unsafe impl Zeroed for $name {})*
    };
}

zeroed!((), bool, u8, u16, i16, u32, i32, u64, i64, usize, f32, f64);

// SAFETY: zero bytes are the null pointer.
unsafe impl<T> Zeroed for *const T {}
// SAFETY: zero bytes are the null pointer.
unsafe impl<T> Zeroed for *mut T {}
// SAFETY: as each of its items.
unsafe impl<T: Zeroed, const N: usize> Zeroed for [T; N] {}

/// Declares the types of C callbacks, each null or a function: for these zero bytes are `None`.
macro_rules! c_callbacks {
    ($($name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $ret:ty)?;)*) => {
        $(pub(crate) type $name = Option<extern "C" fn($($arg: $type),*) $(-> $ret)?>;)*
    };
}

macro_rules! zeroed_functions {
    ($(($($arg:ident),*))*) => {
        // SAFETY: zero bytes are `None`, for a function pointer is never null.
        $(unsafe impl<R, $($arg),*> Zeroed for Option<extern "C" fn($($arg),*) -> R> {})*
    };
}

zeroed_functions!(()(A)(A, B)(A, B, C)(A, B, C, D)(A, B, C, D, E)(
    A, B, C, D, E, F
));

/// Declares structs with C's layout, and lists sizes and offsets for the comparison with the headers.
macro_rules! c_structs {
    ($list:ident: $($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy)]
            #[repr(C)]
            pub(crate) struct $name { $(pub(crate) $field: $type),* }

            // SAFETY: zero bytes are a value of each field, as the constant beside checks.
            unsafe impl $crate::abi::Zeroed for $name {}

            const _: fn() = || {
                fn is_zeroed<T: $crate::abi::Zeroed>() {}
                $(is_zeroed::<$type>();)*
            };
        )*

        /// Writes size and offsets of each struct here, a line each.
        pub(crate) fn $list(lines: &mut Vec<String>) {
            $(
                lines.push(format!("{} {}", stringify!($name), size_of::<$name>()));
                $(lines.push(format!(
                    "{}.{} {}",
                    stringify!($name),
                    stringify!($field).trim_start_matches("r#"),
                    core::mem::offset_of!($name, $field),
                ));)*
            )*
        }
    };
}
