//! The calling thread as the only worker of a step: the twin of `threads` in builds without that feature.

use super::pieces::Pieces;
use super::{OneStage, Stages};
use cairn2d_broadphase::Workers;
use core::marker::PhantomData;

/// The pool of a world: there is none.
#[derive(Clone, Debug)]
pub(crate) enum NoPool {}

/// The calling thread.
pub(crate) struct LoneWorker<'a>(PhantomData<&'a ()>);

impl LoneWorker<'_> {
    /// Calls `lead` with the calling thread, however many threads a world may use.
    pub(crate) fn with<R>(
        _size: usize,
        _pool: Option<&NoPool>,
        lead: impl FnOnce(&Self) -> R,
    ) -> R {
        lead(&Self(PhantomData))
    }

    /// Runs stages in order.
    pub(crate) fn run(&self, stages: &impl Stages, _most: usize) {
        for stage in 0..stages.count() {
            stages.run(stage, 0..stages.pieces(stage));
        }
    }

    /// Calls `task` with each piece and its number.
    pub(crate) fn share<P: Pieces>(&self, pieces: P, task: impl Fn(usize, P::Piece) + Sync) {
        let task = |index: usize| {
            // SAFETY: each piece is used once.
            task(index, unsafe { pieces.piece(index) });
        };
        self.run(&OneStage(pieces.count(), task), 1);
    }
}

/// Returns the answer to each item, in order.
pub(crate) fn map_on_pool<T, A>(
    _pool: Option<&NoPool>,
    _per_task: usize,
    items: &[T],
    answer: impl Fn(&T) -> A,
) -> Vec<A> {
    items.iter().map(answer).collect()
}

impl Workers for LoneWorker<'_> {
    fn count(&self) -> usize {
        1
    }
    fn for_each(&self, pieces: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..pieces).for_each(task);
    }
}
