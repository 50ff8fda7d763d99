//! Columns of one length, and their permutation.

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

            /// Puts the rows in the given order, whose cycles are known.
            fn permute_rows(&mut self, cycles: &Cycles, order: &[u32]) {
                $(cycles.permute(&mut self.$always, order);)*
                $(cycles.permute(&mut self.$rarely, order);)*
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

/// The cycles of a permutation, by one row each: rows are permuted in place along them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cycles {
    starts: Vec<u32>,
    seen: Vec<bool>,
}

impl Cycles {
    /// Finds the cycles of an order of rows.
    pub(crate) fn find(&mut self, order: &[u32]) {
        self.starts.clear();
        self.seen.clear();
        self.seen.resize(order.len(), false);
        for start in 0..order.len() {
            let mut row = start;
            if self.seen[row] || order[row] as usize == row {
                continue;
            }
            self.starts.push(start as u32);
            while !core::mem::replace(&mut self.seen[row], true) {
                row = order[row] as usize;
            }
        }
    }

    /// Moves item `order[i]` to place `i`, for the order whose cycles these are; an empty column stays empty.
    pub(crate) fn permute<T: Copy>(&self, items: &mut [T], order: &[u32]) {
        let starts = if items.is_empty() {
            &[]
        } else {
            &self.starts[..]
        };
        for &start in starts {
            let first = items[start as usize];
            let mut row = start;
            loop {
                let next = order[row as usize];
                if next == start {
                    items[row as usize] = first;
                    break;
                }
                items[row as usize] = items[next as usize];
                row = next;
            }
        }
    }
}
