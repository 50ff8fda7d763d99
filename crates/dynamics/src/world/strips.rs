//! Who lies near whom: strips of the world, so that threads that solve a pile together have a part of it each.
//!
//! What falls, rolls and is stirred touches this body now and that one then, and its contacts come in no order. Threads
//! that take a part of each color would take any bodies, and these travel from cache to cache with every color. So the
//! constraints of each color are sorted by place from time to time, and the states of bodies are laid out so while they are
//! solved. It changes no bits: within a color no two constraints share a dynamic body.

use crate::graph::{ConstraintGraph, ConstraintKind};
use crate::solver::BodyOrder;
use crate::sorted::Sorted;
use crate::workers::StepWorkers;
use crate::world::World;
use cairn2d_broadphase::Workers;
use cairn2d_geometry::math::WorldPoint;

/// Strips of the world: enough that it does not matter within which of them the part of a thread ends.
const STRIPS: usize = 32;

/// Constraints from which they are sorted; fewer are one thread's.
const CONSTRAINTS_TO_SORT: usize = 2000;

/// Share of the constraints, as its inverse, that must have gone since the last time for them to be sorted again. What
/// nothing stirs is as it was built: side by side.
const SHARE_TO_SORT: usize = 16;

/// The strips, as of the last time. Memory only: no state of the simulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strips {
    /// By body slot; empty if nothing was stirred yet.
    of_body: Vec<u8>,
    /// The awake bodies, strip after strip.
    bodies: Sorted,
}

impl Strips {
    /// Returns the bodies of [`World::sort_by_place`].
    pub(crate) fn bodies(&self) -> &[u32] {
        self.bodies.all()
    }
}

/// Returns the strip of a body; new ones are in the first until the next time.
fn strip_of(of_body: &[u8], slot: u32) -> usize {
    of_body.get(slot as usize).map_or(0, |&strip| strip.into())
}

/// Cuts the world into strips across the longer side of what is in it.
struct Ruler {
    axis: usize,
    /// Where the first strip begins [m].
    start: f64,
    /// Strips per length [1/m].
    density: f64,
}

impl Ruler {
    /// The strips cover four standard deviations: all, if the bodies are spread evenly. What is further out is in the first
    /// or the last.
    fn across(centers: impl Iterator<Item = WorldPoint>) -> Self {
        let (mut count, mut sums, mut squares) = (0.0, [0.0; 2], [0.0; 2]);
        let mut base = None;
        for center in centers {
            let from = center - *base.get_or_insert(center);
            for axis in 0..2 {
                let way = f64::from(from[axis]);
                sums[axis] += way;
                squares[axis] += way * way;
            }
            count += 1.0;
        }
        let base = base.unwrap_or(WorldPoint::ORIGIN);
        let mean = sums.map(|sum| sum / f64::max(count, 1.0));
        let spread = [0, 1].map(|axis: usize| squares[axis] - mean[axis] * sums[axis]);
        let axis = usize::from(spread[1] > spread[0]);
        let deviation = (spread[axis] / f64::max(count, 1.0)).max(0.0).sqrt();
        Self {
            axis,
            start: [base.x, base.y][axis] + mean[axis] - 2.0 * deviation,
            density: STRIPS as f64 / (4.0 * deviation).max(f64::MIN_POSITIVE),
        }
    }

    fn strip(&self, center: WorldPoint) -> u8 {
        let place = [center.x, center.y][self.axis] - self.start;
        // Saturates: what is left of the first strip is in it.
        ((place * self.density) as u8).min(STRIPS as u8 - 1)
    }
}

impl World {
    /// Sorts the constraints by place if several threads solve them and enough of them are new, and the `awake` bodies by
    /// the strips of then. Returns the order of the bodies to solve: those of `strips`, if it is that of places.
    pub(crate) fn sort_by_place(
        &mut self,
        awake: &[u32],
        strips: &mut Strips,
        workers: &StepWorkers,
    ) -> BodyOrder {
        let [count, removed] = self.graph.count_and_removed();
        if workers.count() < 2 || count < CONSTRAINTS_TO_SORT {
            return BodyOrder::Slots;
        }
        if removed * SHARE_TO_SORT >= count {
            self.lay_strips(awake, strips);
            self.sort_graph(strips);
        }
        if strips.of_body.is_empty() {
            return BodyOrder::Slots;
        }
        let Strips { of_body, bodies } = strips;
        let of = |slot: u32| strip_of(of_body, slot);
        bodies.sort(STRIPS, || awake.iter().map(|&slot| (of(slot), slot)));
        BodyOrder::Places
    }

    fn lay_strips(&self, awake: &[u32], strips: &mut Strips) {
        let center = |slot: u32| self.bodies.poses[slot as usize].center;
        let ruler = Ruler::across(awake.iter().map(|&slot| center(slot)));
        strips.of_body.resize(self.bodies.poses.len(), 0);
        for &slot in awake {
            strips.of_body[slot as usize] = ruler.strip(center(slot));
        }
    }

    fn sort_graph(&mut self, strips: &Strips) {
        let mut graph = core::mem::replace(&mut self.graph, ConstraintGraph::EMPTY);
        graph.sort(
            STRIPS,
            |owner| strip_of(&strips.of_body, owner),
            |kind, slot, place| match kind {
                ConstraintKind::Contact => self.contacts.slots[slot].graph = place,
                ConstraintKind::Joint => self.joints.slots[slot].graph = place,
            },
        );
        self.graph = graph;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_lie_across_the_longer_side() {
        let row = |i: u32| WorldPoint::new(1.0e6 + f64::from(i), f64::from(i % 2));
        let ruler = Ruler::across((0..320).map(row));
        let strips: Vec<u8> = (0..320).map(|i| ruler.strip(row(i))).collect();
        assert!(strips.is_sorted());
        // Four deviations are 1.15 times an even row.
        for strip in 0..STRIPS as u8 {
            let count = strips.iter().filter(|&&s| s == strip).count();
            let is_inner = (3..STRIPS as u8 - 3).contains(&strip);
            assert!(
                count <= 12 && (!is_inner || count >= 11),
                "{count} in strip {strip}"
            );
        }
    }

    #[test]
    fn strips_of_one_place_or_none_are_one() {
        let place = WorldPoint::new(3.0, -7.0);
        let ruler = Ruler::across([place; 3].into_iter());
        assert_eq!(ruler.strip(place), 0);
        assert_eq!(Ruler::across([].into_iter()).strip(WorldPoint::ORIGIN), 0);
    }
}
