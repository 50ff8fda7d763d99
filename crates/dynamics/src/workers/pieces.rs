//! Slices cut into pieces for the workers.

use crate::shared::SharedSlice;

/// Data cut into pieces.
///
/// # Safety
/// Pieces of different index are disjoint.
pub(crate) unsafe trait Pieces: Sync {
    /// The type of a piece.
    type Piece;

    /// Number of pieces.
    fn count(&self) -> usize;

    /// Returns the piece at `index`.
    ///
    /// # Safety
    /// No one else uses this piece while the result lives.
    ///
    /// # Panics
    /// If the index is out of bounds.
    unsafe fn piece(&self, index: usize) -> Self::Piece;
}

/// A slice cut into pieces of `len` elements; the last may be shorter.
pub(crate) struct Chunks<'a, T> {
    elements: SharedSlice<'a, T>,
    len: usize,
}

impl<'a, T> Chunks<'a, T> {
    pub(crate) fn new(elements: &'a mut [T], len: usize) -> Self {
        let elements = SharedSlice::new(elements);
        Self { elements, len }
    }
}

// SAFETY: the chunks of a slice.
unsafe impl<'a, T: Send + Sync> Pieces for Chunks<'a, T> {
    type Piece = &'a mut [T];

    fn count(&self) -> usize {
        self.elements.len().div_ceil(self.len)
    }

    unsafe fn piece(&self, index: usize) -> &'a mut [T] {
        let start = index * self.len;
        let end = (start + self.len).min(self.elements.len());
        // SAFETY: as the caller promises.
        unsafe { self.elements.part(start..end) }
    }
}

/// Some of the pieces of `all`.
pub(crate) struct Selected<'a, P> {
    all: P,
    /// Ascending.
    indices: &'a [u32],
}

impl<'a, P: Pieces> Selected<'a, P> {
    /// Selects the pieces at `indices`.
    ///
    /// # Panics
    /// If the indices are not ascending.
    pub(crate) fn new(all: P, indices: &'a [u32]) -> Self {
        assert!(indices.is_sorted_by(|a, b| a < b), "pieces are ascending");
        Self { all, indices }
    }
}

// SAFETY: ascending indices differ, and so the pieces of `all` are disjoint.
unsafe impl<P: Pieces> Pieces for Selected<'_, P> {
    type Piece = P::Piece;

    fn count(&self) -> usize {
        self.indices.len()
    }

    unsafe fn piece(&self, index: usize) -> P::Piece {
        // SAFETY: as the caller promises.
        unsafe { self.all.piece(self.indices[index] as usize) }
    }
}

/// Implements `Pieces` for a tuple, with the least number of pieces of its members.
macro_rules! zipped {
    ($($name:ident),+) => {
        // SAFETY: the pieces of each member are disjoint.
        #[expect(non_snake_case, reason = "a member has the name of its type parameter")]
        unsafe impl<$($name: Pieces),+> Pieces for ($($name,)+) {
            type Piece = ($($name::Piece,)+);

            fn count(&self) -> usize {
                let ($($name,)+) = self;
                usize::MAX$(.min($name.count()))+
            }

            unsafe fn piece(&self, index: usize) -> Self::Piece {
                let ($($name,)+) = self;
                // SAFETY: as the caller promises.
                unsafe { ($($name.piece(index),)+) }
            }
        }
    };
}

zipped!(A);
zipped!(A, B);
zipped!(A, B, C);
zipped!(A, B, C, D);
zipped!(A, B, C, D, E);
