//! The constraint graph: touching contacts and joints, colored so that no two of one color share a dynamic
//! body.
//!
//! Constraints of one color can be solved in any order, in lanes and by threads, with the same result. A
//! constraint without a free color goes to an overflow list that is solved in order. Static and kinematic
//! bodies do not count, since the solver does not write them.
//!
//! Colors are solved in ascending order, and the last solved constraints have the smallest errors.
//! Constraints between two dynamic bodies take only the low colors. Constraints with the ground may take all,
//! from the highest down, so that loads do not push bodies into the ground.

use crate::bitset::{BitSet, ones};
use crate::id::NO_SLOT;
use crate::sorted::Sorted;
use cairn2d_geometry::clone_fields;
use cairn2d_geometry::{HashState, LoadError, Persist, Reader, Sink, StateHasher};

/// Colors besides the overflow.
///
/// A pile of boxes needs about 8, circles about 6, the hub of a wheel one for each neighbor. More: each costs
/// a scan at insertion, and a stage of the solver where used. Fewer: more constraints are solved in order by
/// one thread.
pub(crate) const COLORS: usize = 24;

/// Colors that constraints between two dynamic bodies may take. More: fewer colors are left that only
/// constraints with the ground take, which are solved last.
const DYNAMIC_COLORS: usize = COLORS - 4;

/// Color number of the overflow list.
pub(crate) const OVERFLOW: u8 = COLORS as u8;

/// Color number of a constraint that is not in the graph.
pub(crate) const NO_COLOR: u8 = u8::MAX;

/// Constraints that share no dynamic body (or, in the overflow, may share any).
#[derive(Debug, Default)]
pub(crate) struct Color {
    bodies: BitSet,
    pub(crate) contacts: ConstraintList,
    pub(crate) joints: ConstraintList,
}

clone_fields!(Color {
    bodies,
    contacts,
    joints
});

/// Constraints of one kind and color.
#[derive(Debug, Default)]
pub(crate) struct ConstraintList {
    /// Contact or joint slots.
    pub(crate) slots: Vec<u32>,
    /// A dynamic body of each, by which its island is known without reading the constraint.
    owners: Vec<u32>,
}

clone_fields!(ConstraintList { slots, owners });

impl ConstraintList {
    /// Adds a constraint on the dynamic body `owner`.
    pub(crate) fn push(&mut self, slot: u32, owner: u32) {
        self.slots.push(slot);
        self.owners.push(owner);
    }

    /// Removes the constraint at `index`. The last one moves there: returns its slot, if any.
    fn swap_remove(&mut self, index: usize) -> Option<u32> {
        self.slots.swap_remove(index);
        self.owners.swap_remove(index);
        self.slots.get(index).copied()
    }

    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.owners.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Reverses the list, to show that its order does not matter.
    #[cfg(test)]
    pub(crate) fn reverse(&mut self) {
        self.slots.reverse();
        self.owners.reverse();
    }

    /// Sorts the constraints by the cell of their owners; within a cell they keep their order.
    fn sort(&mut self, cells: usize, cell_of: impl Fn(u32) -> usize, sorted: &mut Sorted) {
        let order = || self.owners.iter().map(|&owner| cell_of(owner));
        sorted.sort(cells, || order().zip(self.slots.iter().copied()));
        self.slots.copy_from_slice(sorted.all());
        sorted.sort(cells, || order().zip(self.owners.iter().copied()));
        self.owners.copy_from_slice(sorted.all());
    }

    /// Iterates over the constraints, each with its owner.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.slots.iter().copied().zip(self.owners.iter().copied())
    }
}

/// Whether a constraint is a contact or a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstraintKind {
    Contact,
    Joint,
}

/// Place of a constraint in the graph, stored in the record of the constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GraphPlace {
    pub(crate) color: u8,
    pub(crate) index: u32,
}

impl GraphPlace {
    /// Not in the graph.
    pub(crate) const NONE: Self = Self {
        color: NO_COLOR,
        index: 0,
    };
}

/// All colors and the overflow.
#[derive(Debug)]
pub(crate) struct ConstraintGraph {
    pub(crate) colors: Vec<Color>,
    /// Constraints of all colors and the overflow: contacts, and joints.
    counts: [usize; 2],
    /// Joints on a body that is not dynamic.
    pub(crate) held_joints: usize,
    /// Bit `c`: there are constraints in `colors[c]`.
    used: u32,
    /// Constraints that were removed since the last call of [`sort`](Self::sort).
    removed: usize,
}

clone_fields!(ConstraintGraph {
    colors,
    counts,
    held_joints,
    used,
    removed
});

/// The index is hashed in the overflow only. Within a color the order depends on the history and the number
/// of threads, and has no effect.
impl HashState for GraphPlace {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { color, index } = self;
        hash.add(color);
        if *color == OVERFLOW {
            hash.add(index);
        }
    }
}

/// Writes what is hashed.
impl Persist for GraphPlace {
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self { color, index } = self;
        sink.field("color", color);
        if *color == OVERFLOW {
            sink.field("index", index);
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let color = reader.read()?;
        let is_color = color <= OVERFLOW || color == NO_COLOR;
        reader.in_range("color", is_color)?;
        let index = if color == OVERFLOW { reader.read()? } else { 0 };
        Ok(Self { color, index })
    }
}

/// The lists follow from the places in the records of the constraints: see [`GraphPlace`]. Their numbers follow from the lists, and
/// `removed` decides when the lists are sorted, which has no effect. The bodies of each color remain.
impl HashState for ConstraintGraph {
    fn hash_state(&self, hash: &mut StateHasher) {
        for color in &self.colors {
            hash.add(&color.bodies);
        }
    }
}

impl ConstraintGraph {
    /// A graph without colors, in the place of one that is being read.
    pub(crate) const EMPTY: Self = Self {
        colors: Vec::new(),
        counts: [0; 2],
        held_joints: 0,
        used: 0,
        removed: 0,
    };
}

impl Default for ConstraintGraph {
    fn default() -> Self {
        Self {
            colors: vec![Color::default(); COLORS + 1],
            ..Self::EMPTY
        }
    }
}

/// The slots of the two bodies of a constraint, `None` for bodies that are not dynamic.
pub(crate) type DynamicEnds = [Option<u32>; 2];

/// Returns `true` if a joint connects a body to one that is not dynamic.
fn is_held_joint(kind: ConstraintKind, ends: DynamicEnds) -> bool {
    kind == ConstraintKind::Joint && ends.contains(&None)
}

impl ConstraintGraph {
    /// Number of contacts, in colors and the overflow.
    pub(crate) fn contacts(&self) -> usize {
        self.counts[ConstraintKind::Contact as usize]
    }

    /// Number of joints, in colors and the overflow.
    pub(crate) fn joints(&self) -> usize {
        self.counts[ConstraintKind::Joint as usize]
    }

    /// Returns `true` if there are no constraints.
    pub(crate) fn is_empty(&self) -> bool {
        self.counts == [0; 2]
    }

    /// Returns the colors with constraints, ascending, without the overflow.
    pub(crate) fn used_colors(&self) -> impl Iterator<Item = usize> {
        ones((self.used & !(1 << COLORS)).into()).map(|color| color as usize)
    }

    /// Adds the constraint in `slot` between `ends` to a color that none of them has, or to the overflow. Returns its place.
    pub(crate) fn add(
        &mut self,
        color: u8,
        kind: ConstraintKind,
        slot: u32,
        ends: DynamicEnds,
    ) -> GraphPlace {
        self.counts[kind as usize] += 1;
        self.held_joints += usize::from(is_held_joint(kind, ends));
        self.used |= 1 << color;
        let lists = &mut self.colors[usize::from(color)];
        if color != OVERFLOW {
            for body in ends.into_iter().flatten() {
                lists.bodies.insert(body);
            }
        }
        let owner = ends.into_iter().flatten().next().unwrap_or(NO_SLOT);
        let list = lists.list(kind);
        list.push(slot, owner);
        GraphPlace {
            color,
            index: (list.slots.len() - 1) as u32,
        }
    }

    /// Removes the constraint at `place` between `ends`. The last one of its list moves there: returns its
    /// slot, if any.
    pub(crate) fn remove(
        &mut self,
        kind: ConstraintKind,
        place: GraphPlace,
        ends: DynamicEnds,
    ) -> Option<u32> {
        self.removed += 1;
        self.counts[kind as usize] -= 1;
        self.held_joints -= usize::from(is_held_joint(kind, ends));
        let lists = &mut self.colors[usize::from(place.color)];
        if place.color != OVERFLOW {
            for body in ends.into_iter().flatten() {
                lists.bodies.remove(body);
            }
        }
        let moved = lists.list(kind).swap_remove(place.index as usize);
        if lists.is_empty() {
            self.used &= !(1 << place.color);
        }
        moved
    }

    /// Returns the number of constraints in colors, and the number of removals since the last call of
    /// [`sort`](Self::sort).
    pub(crate) fn count_and_removed(&self) -> [usize; 2] {
        let overflow = &self.colors[COLORS];
        let outside = overflow.contacts.slots.len() + overflow.joints.slots.len();
        [self.contacts() + self.joints() - outside, self.removed]
    }

    /// Sorts the constraints of each color by the cell of a dynamic body of each, and calls `moved` with the
    /// new place of each. The overflow keeps its order, which has an effect.
    pub(crate) fn sort(
        &mut self,
        cells: usize,
        cell_of: impl Fn(u32) -> usize,
        mut moved: impl FnMut(ConstraintKind, u32, GraphPlace),
    ) {
        self.removed = 0;
        let mut sorted = Sorted::default();
        for (color, lists) in (0..).zip(&mut self.colors[..COLORS]) {
            for kind in [ConstraintKind::Contact, ConstraintKind::Joint] {
                let list = lists.list(kind);
                list.sort(cells, &cell_of, &mut sorted);
                for (index, &slot) in (0..).zip(&list.slots) {
                    moved(kind, slot, GraphPlace { color, index });
                }
            }
        }
    }

    /// Restores the lists from constraints that were read from a save: `(kind, slot, place, ends)`, each kind in order of
    /// slot. Calls `moved` with the new place of each: the order within a color is not saved, and has no effect.
    ///
    /// Returns the first slot that cannot be in the graph: two constraints of a color share a dynamic body, or the
    /// overflow has a gap.
    pub(crate) fn restore(
        constraints: impl Iterator<Item = (ConstraintKind, u32, GraphPlace, DynamicEnds)>,
        mut moved: impl FnMut(ConstraintKind, u32, GraphPlace),
    ) -> Result<Self, u32> {
        let mut graph = Self::default();
        let mut overflow = Vec::new();
        for (kind, slot, place, ends) in constraints {
            match place.color {
                NO_COLOR => {}
                OVERFLOW => overflow.push((place.index, kind, slot, ends)),
                color => moved(
                    kind,
                    slot,
                    graph
                        .restore_in_color(color, kind, slot, ends)
                        .ok_or(slot)?,
                ),
            }
        }
        overflow.sort_by_key(|&(index, ..)| index);
        for (index, kind, slot, ends) in overflow {
            let place = graph.add(OVERFLOW, kind, slot, ends);
            if place.index != index {
                return Err(slot);
            }
        }
        Ok(graph)
    }

    fn restore_in_color(
        &mut self,
        color: u8,
        kind: ConstraintKind,
        slot: u32,
        ends: DynamicEnds,
    ) -> Option<GraphPlace> {
        let bodies = &self.colors[usize::from(color)].bodies;
        let mut taken = ends
            .into_iter()
            .flatten()
            .filter(|&body| bodies.contains(body));
        let is_free = taken.next().is_none() && (ends[0] != ends[1] || ends[0].is_none());
        is_free.then(|| self.add(color, kind, slot, ends))
    }

    /// Returns the color that suits a constraint between `ends` best.
    pub(crate) fn pick_color(&self, ends: DynamicEnds) -> u8 {
        let is_free = |color: &usize| {
            let bodies = &self.colors[*color].bodies;
            ends.into_iter()
                .flatten()
                .all(|body| !bodies.contains(body))
        };
        let found = match ends {
            [Some(_), Some(_)] => (0..DYNAMIC_COLORS).find(is_free),
            _ => (1..COLORS).rev().find(is_free),
        };
        found.map_or(OVERFLOW, |color| color as u8)
    }
}

impl Color {
    fn list(&mut self, kind: ConstraintKind) -> &mut ConstraintList {
        match kind {
            ConstraintKind::Contact => &mut self.contacts,
            ConstraintKind::Joint => &mut self.joints,
        }
    }

    /// Returns `true` if the color has no constraints.
    pub(crate) fn is_empty(&self) -> bool {
        self.contacts.is_empty() && self.joints.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(
        graph: &mut ConstraintGraph,
        kind: ConstraintKind,
        slot: u32,
        ends: DynamicEnds,
    ) -> GraphPlace {
        graph.add(graph.pick_color(ends), kind, slot, ends)
    }

    #[test]
    fn neighbors_get_different_colors() {
        let mut graph = ConstraintGraph::default();
        let ab = add(&mut graph, ConstraintKind::Contact, 0, [Some(0), Some(1)]);
        let bc = add(&mut graph, ConstraintKind::Contact, 1, [Some(1), Some(2)]);
        let cd = add(&mut graph, ConstraintKind::Joint, 0, [Some(2), Some(3)]);
        assert_ne!(ab.color, bc.color);
        assert_eq!(ab.color, cd.color);
        graph.remove(ConstraintKind::Contact, ab, [Some(0), Some(1)]);
        let again = add(&mut graph, ConstraintKind::Contact, 7, [Some(1), None]);
        assert_ne!(again.color, bc.color);
    }

    #[test]
    fn hub_overflows_and_recovers() {
        let mut graph = ConstraintGraph::default();
        let places: Vec<_> = (0..40)
            .map(|i| {
                add(
                    &mut graph,
                    ConstraintKind::Contact,
                    i,
                    [Some(0), Some(i + 1)],
                )
            })
            .collect();
        let spilled = places
            .iter()
            .filter(|place| place.color == OVERFLOW)
            .count();
        assert_eq!(spilled, 40 - DYNAMIC_COLORS);
        let moved = graph.remove(ConstraintKind::Contact, places[20], [Some(0), Some(21)]);
        assert_eq!(moved, Some(39));
    }
}
