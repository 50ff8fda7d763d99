//! A Hilbert curve: points that are near each other in the plane are mostly near each other on the curve.

/// Bits of each coordinate that one table look-up takes.
const STEP: u32 = 4;
/// Points of the curve that one lookup distinguishes.
const CELLS: usize = 1 << (2 * STEP);

/// Bits per coordinate of `hilbert_index`: those of an `f32` mantissa, in whole steps.
pub(crate) const BITS: u32 = 24;

/// For each of the curve's four positions (state) and each cell: its rank and the state inside it.
///
/// A state is two bits: coordinates swapped, coordinates mirrored. The four form a group in which
/// composition is exclusive or, which is why a state is carried by one xor a level.
static TABLE: [[u16; CELLS]; 4] = table();

const fn table() -> [[u16; CELLS]; 4] {
    let mut table = [[0; CELLS]; 4];
    let mut state = 0;
    while state < 4 {
        let mut cell = 0;
        while cell < CELLS {
            table[state][cell] = walk(state, cell);
            cell += 1;
        }
        state += 1;
    }
    table
}

/// Follows the curve bit by bit through one cell (x bits above y bits): rank, then state in the
/// two highest bits.
const fn walk(mut state: usize, cell: usize) -> u16 {
    let (xs, ys) = (cell >> STEP, cell & ((1 << STEP) - 1));
    let mut rank = 0;
    let mut bit = STEP;
    while bit > 0 {
        bit -= 1;
        let mirrored = state >> 1;
        let (mut x, mut y) = (((xs >> bit) & 1) ^ mirrored, ((ys >> bit) & 1) ^ mirrored);
        if state & 1 == 1 {
            (x, y) = (y, x);
        }
        // The open square (0,0) (0,1) (1,1) (1,0): its first and last quarter are swapped, the
        // last one mirrored as well.
        rank = (rank << 2) | (x << 1) | (x ^ y);
        state ^= (1 - y) | ((x & (1 - y)) << 1);
    }
    (rank | (state << (2 * STEP))) as u16
}

/// Returns how far along the curve the cell (`x`, `y`) lies; both below 2^`BITS`.
#[inline]
pub(crate) fn hilbert_index(x: u32, y: u32) -> u64 {
    let mut state = 0;
    let mut index = 0;
    let mut shift = BITS;
    while shift > 0 {
        shift -= STEP;
        let low = (1 << STEP) - 1;
        let cell = (((x >> shift) & low) << STEP) | ((y >> shift) & low);
        let entry = TABLE[state][cell as usize];
        state = usize::from(entry >> (2 * STEP));
        index = (index << (2 * STEP)) | u64::from(entry & (CELLS - 1) as u16);
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_cells_are_neighbors() {
        let side = 32;
        let mut cells: Vec<_> = (0..side * side).map(|i| (i % side, i / side)).collect();
        cells.sort_by_key(|&(x, y)| hilbert_index(x, y));
        for pair in cells.windows(2) {
            let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
            assert_eq!(ax.abs_diff(bx) + ay.abs_diff(by), 1, "{pair:?}");
        }
    }

    #[test]
    fn index_is_one_to_one_at_full_width() {
        let last = (1 << BITS) - 1;
        let mut seen: Vec<_> = [0, 1, last - 1, last]
            .iter()
            .flat_map(|&x| [0, 1, last - 1, last].map(|y| hilbert_index(x, y)))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 16);
        assert!(seen.iter().all(|&i| i < 1 << (2 * BITS)));
    }
}
