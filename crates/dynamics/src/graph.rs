//! The constraint graph: touching contacts and joints, colored so that no two of one color share a
//! dynamic body.
//!
//! Constraints of one color can be solved in any order, in lanes and by threads, with the same
//! result. What finds no free color goes to an overflow list that is solved in order. Static and
//! kinematic bodies do not count: nothing writes them.
//!
//! Colors are solved in ascending order, and what is solved last wins. Constraints between two
//! dynamic bodies take the low colors only; those with the ground may take all and start from the
//! highest, so that nothing is pushed into the ground by what lies on it.

use crate::bitset::BitSet;

/// Colors besides the overflow.
///
/// A pile of boxes needs about 8, circles about 6, a hub of a wheel as many as it has neighbours.
/// More colors cost a scan at insertion and a stage in the solver when used.
pub(crate) const COLORS: usize = 24;

/// Colors that constraints between two dynamic bodies may take.
const DYNAMIC_COLORS: usize = COLORS - 4;

/// Color number of the overflow list.
pub(crate) const OVERFLOW: u8 = COLORS as u8;

/// Color number of a constraint that is not in the graph.
pub(crate) const NO_COLOR: u8 = u8::MAX;

/// Constraints that share no dynamic body (or, in the overflow, may share any).
#[derive(Clone, Debug, Default)]
pub(crate) struct Color {
    bodies: BitSet,
    /// Contact slots.
    pub(crate) contacts: Vec<u32>,
    /// Joint slots.
    pub(crate) joints: Vec<u32>,
}

/// Whether a constraint is a contact or a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstraintKind {
    Contact,
    Joint,
}

/// Place of a constraint in the graph; kept by the constraint.
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
#[derive(Clone, Debug)]
pub(crate) struct ConstraintGraph {
    pub(crate) colors: Vec<Color>,
}

impl ConstraintGraph {
    /// Without colors: what stands in the place of a graph that is being read.
    pub(crate) const EMPTY: Self = Self { colors: Vec::new() };
}

impl Default for ConstraintGraph {
    fn default() -> Self {
        Self {
            colors: vec![Color::default(); COLORS + 1],
        }
    }
}

/// The two bodies of a constraint, each with its slot if it is dynamic.
pub(crate) type DynamicEnds = [Option<u32>; 2];

impl ConstraintGraph {
    /// Adds the constraint in `slot` between `ends` and returns its place.
    pub(crate) fn add(&mut self, kind: ConstraintKind, slot: u32, ends: DynamicEnds) -> GraphPlace {
        let color = self.pick_color(ends);
        let lists = &mut self.colors[usize::from(color)];
        if color != OVERFLOW {
            for body in ends.into_iter().flatten() {
                lists.bodies.insert(body);
            }
        }
        let list = lists.list(kind);
        list.push(slot);
        GraphPlace {
            color,
            index: (list.len() - 1) as u32,
        }
    }

    /// Adds a constraint that acts on more than two bodies: to the overflow.
    pub(crate) fn add_to_overflow(&mut self, kind: ConstraintKind, slot: u32) -> GraphPlace {
        let list = self.colors[COLORS].list(kind);
        list.push(slot);
        GraphPlace {
            color: OVERFLOW,
            index: (list.len() - 1) as u32,
        }
    }

    /// Removes the constraint at `place` between `ends`; returns the slot of the constraint that took
    /// over its place, if any.
    pub(crate) fn remove(
        &mut self,
        kind: ConstraintKind,
        place: GraphPlace,
        ends: DynamicEnds,
    ) -> Option<u32> {
        let lists = &mut self.colors[usize::from(place.color)];
        if place.color != OVERFLOW {
            for body in ends.into_iter().flatten() {
                lists.bodies.remove(body);
            }
        }
        let list = lists.list(kind);
        list.swap_remove(place.index as usize);
        list.get(place.index as usize).copied()
    }

    /// The overflow lists.
    pub(crate) fn overflow(&self) -> &Color {
        &self.colors[COLORS]
    }

    fn pick_color(&self, ends: DynamicEnds) -> u8 {
        let free = |color: &usize| {
            let bodies = &self.colors[*color].bodies;
            ends.into_iter()
                .flatten()
                .all(|body| !bodies.contains(body))
        };
        let found = match ends {
            [Some(_), Some(_)] => (0..DYNAMIC_COLORS).find(free),
            _ => (1..COLORS).rev().find(free),
        };
        found.map_or(OVERFLOW, |color| color as u8)
    }
}

impl Color {
    fn list(&mut self, kind: ConstraintKind) -> &mut Vec<u32> {
        match kind {
            ConstraintKind::Contact => &mut self.contacts,
            ConstraintKind::Joint => &mut self.joints,
        }
    }

    /// Says whether the color has no constraints.
    pub(crate) fn is_empty(&self) -> bool {
        self.contacts.is_empty() && self.joints.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_get_different_colors() {
        let mut graph = ConstraintGraph::default();
        let ab = graph.add(ConstraintKind::Contact, 0, [Some(0), Some(1)]);
        let bc = graph.add(ConstraintKind::Contact, 1, [Some(1), Some(2)]);
        let cd = graph.add(ConstraintKind::Joint, 0, [Some(2), Some(3)]);
        assert_ne!(ab.color, bc.color);
        assert_eq!(ab.color, cd.color);
        graph.remove(ConstraintKind::Contact, ab, [Some(0), Some(1)]);
        let again = graph.add(ConstraintKind::Contact, 7, [Some(1), None]);
        assert_ne!(again.color, bc.color);
    }

    #[test]
    fn hub_overflows_and_recovers() {
        let mut graph = ConstraintGraph::default();
        let places: Vec<_> = (0..40)
            .map(|i| graph.add(ConstraintKind::Contact, i, [Some(0), Some(i + 1)]))
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
