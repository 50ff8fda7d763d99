//! Columns of one length.

/// Defines a struct of columns: those of `always` have one item per row, those of `rarely` too unless they are empty.
/// Other fields follow.
macro_rules! columns {
    (
        $(#[$meta:meta])* struct $name:ident;
        always { $($(#[$always_meta:meta])* $always:ident: $always_type:ty = $default:expr;)* }
        rarely { $($(#[$rarely_meta:meta])* $rarely:ident: $rarely_type:ty = $none:expr;)* }
        other { $($(#[$other_meta:meta])* $other:ident: $other_type:ty;)* }
    ) => {
        $(#[$meta])*
        pub(crate) struct $name {
            $($(#[$always_meta])* pub(crate) $always: Vec<$always_type>,)*
            $($(#[$rarely_meta])* pub(crate) $rarely: Vec<$rarely_type>,)*
            $($(#[$other_meta])* pub(crate) $other: $other_type,)*
        }

        impl $name {
            /// Appends a row, to be written.
            fn push_row(&mut self) {
                $(self.$always.push($default);)*
                $(if !self.$rarely.is_empty() { self.$rarely.push($none); })*
            }

            /// Reserves memory for exactly `rows` more rows.
            fn reserve_rows(&mut self, rows: usize) {
                $(self.$always.reserve_exact(rows);)*
            }

            /// Moves the last row to `row`.
            fn swap_remove_row(&mut self, row: usize) {
                $(self.$always.swap_remove(row);)*
                $(if !self.$rarely.is_empty() { self.$rarely.swap_remove(row); })*
            }

            /// Exchanges two rows.
            fn swap_rows(&mut self, a: usize, b: usize) {
                $(self.$always.swap(a, b);)*
                $(if !self.$rarely.is_empty() { self.$rarely.swap(a, b); })*
            }

            /// Returns whether all columns have `len` rows.
            fn has_rows(&self, len: usize) -> bool {
                $(self.$always.len() == len &&)*
                $((self.$rarely.is_empty() || self.$rarely.len() == len) &&)* true
            }
        }
    };
}
pub(super) use columns;
