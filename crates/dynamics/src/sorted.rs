//! Counting sort of numbers into rows.

use core::ops::Range;

/// Numbers sorted into rows; within a row they keep their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorted {
    items: Vec<u32>,
    /// End of each row.
    ends: Vec<u32>,
}

impl Sorted {
    /// Sorts pairs of row and number by counting; `pairs` is called twice and must return the same pairs.
    pub(crate) fn sort<I: Iterator<Item = (usize, u32)>>(
        &mut self,
        rows: usize,
        pairs: impl Fn() -> I,
    ) {
        self.ends.clear();
        self.ends.resize(rows, 0);
        // `for_each` has an inner loop for each list; a `for` loop would test before each number which list
        // it is in.
        pairs().for_each(|(row, _)| self.ends[row] += 1);
        let mut start = 0;
        for end in &mut self.ends {
            // First the start of the row; the second pass moves it to the end.
            start += core::mem::replace(end, start);
        }
        self.items.resize(start as usize, 0);
        pairs().for_each(|(row, item)| {
            let end = &mut self.ends[row];
            self.items[*end as usize] = item;
            *end += 1;
        });
    }

    /// Returns the numbers, row after row.
    pub(crate) fn all(&self) -> &[u32] {
        &self.items
    }

    /// Returns the numbers of a row.
    pub(crate) fn row(&self, row: usize) -> &[u32] {
        let start = match row {
            0 => 0,
            _ => self.ends[row - 1],
        };
        let range: Range<usize> = start as usize..self.ends[row] as usize;
        &self.items[range]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_order() {
        let pairs = [(2, 7), (0, 5), (2, 1), (3, 9), (0, 4)];
        let mut sorted = Sorted::default();
        // Twice, since memory is kept.
        for _ in 0..2 {
            sorted.sort(5, || pairs.into_iter());
        }
        let rows: Vec<&[u32]> = (0..5).map(|row| sorted.row(row)).collect();
        assert_eq!(rows, [&[5, 4][..], &[], &[7, 1], &[9], &[]]);
    }
}
