//! Sweeps: where a body is within the step, as a sequence of straight segments.

use super::budget::MAX_BODY_EVENTS;
use super::tables::CcdScene;
use crate::body::grid;
use crate::body::state::{BodyPose, BodyState};
use crate::body::table::sweep_between;
use cairn2d_geometry::Sweep;
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// A straight motion of a body that ends with the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepSegment {
    /// Fraction of the step at which it begins.
    pub(super) from: f32,
    pub(super) start: BodyPose,
    pub(super) end: BodyPose,
    /// Whether the body rotates. Rotations are not compared: rounding makes equal ones differ.
    pub(super) rotates: bool,
}

impl SweepSegment {
    /// Returns the motion of a body that stays at `pose`.
    pub(super) const fn at_rest(from: f32, pose: BodyPose) -> Self {
        Self {
            from,
            start: pose,
            end: pose,
            rotates: false,
        }
    }

    /// Returns the motion in the substeps of an awake body that is at `end` now.
    #[inline]
    pub(super) fn of_step(state: &BodyState, end: BodyPose) -> Self {
        Self {
            from: 0.0,
            start: state.start_of(&end),
            end,
            rotates: state.has_rotated(),
        }
    }

    /// Returns the pose at the fraction `at` of the step, not before the segment begins.
    pub(super) fn pose_at(&self, at: f32) -> BodyPose {
        if self.rests_from(at) {
            return self.end;
        }
        if at <= self.from {
            return self.start;
        }
        interpolate(&self.start, &self.end, (at - self.from) / (1.0 - self.from))
    }

    /// Returns the motion from the fraction `at` to the end of the step, relative to `base`.
    pub(super) fn sweep_from(&self, at: f32, base: WorldPoint) -> Sweep {
        sweep_between(&self.pose_at(at), &self.end, base)
    }

    /// Ends the motion at the fraction `at` of the step: the body stays where it is then.
    pub(super) fn end_at(&mut self, at: f32) {
        self.rotates &= self.rests_from(at) || at > self.from;
        self.end = self.pose_at(at);
    }

    /// Returns `true` if the body does not move. Centers are compared exactly: they lie on a grid, where a
    /// motion that rounds to nothing is none.
    pub(super) fn is_at_rest(&self) -> bool {
        !self.rotates && self.start.center == self.end.center
    }

    /// Returns `true` if the body rotates after the fraction `at` of the step.
    pub(super) fn rotates_from(&self, at: f32) -> bool {
        self.rotates && !self.rests_from(at)
    }

    /// Returns `true` if the body does not move from the fraction `at` of the step on.
    pub(super) fn rests_from(&self, at: f32) -> bool {
        at >= 1.0 || self.from >= 1.0 || self.is_at_rest()
    }
}

/// A straight motion of a body before an impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct PastSegment {
    pub(super) slot: u32,
    /// Fractions of the step at which it begins and ends.
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) start: BodyPose,
    pub(super) end: BodyPose,
}

/// Returns the pose at `alpha` of the motion from `start` to `end`, as a [`Sweep`] interpolates it.
fn interpolate(start: &BodyPose, end: &BodyPose, alpha: f32) -> BodyPose {
    let rotation = start.rotation * (1.0 - alpha) + end.rotation * alpha;
    let length = rotation.norm();
    BodyPose {
        center: grid::moved(start.center, (end.center - start.center) * alpha),
        rotation: if length > 0.0 {
            rotation / length
        } else {
            start.rotation
        },
        local_center: end.local_center,
    }
}

/// Returns the rotation from `a` to `b`, all as (cosine, sine).
pub(super) fn rotation_between(a: Vec2, b: Vec2) -> Vec2 {
    Vec2::new(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x)
}

/// The motion of a body in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodySweep {
    pub(super) slot: u32,
    /// The remaining motion.
    pub(super) segment: SweepSegment,
    /// Pose at the start of the step.
    pub(super) origin: BodyPose,
    /// Number of impacts of the body in this step that were solved.
    pub(super) impacts: u32,
    /// Number of changes of the motion; events found before the last change are stale.
    pub(super) revision: u32,
    /// Slots, ascending, of the shapes whose impact began the segment.
    pub(super) last_impact: Option<[u32; 2]>,
    /// Index of the first of its boxes, and their number.
    pub(super) boxes: (u32, u32),
    /// Distance that the body may still move within its fat boxes [m].
    pub(super) slack: f32,
    /// Whether the body is listed as swept against dynamic bodies.
    pub(super) against_dynamic: bool,
    /// Whether it slides along the shape of a clamped event; the next obstacle then stops it.
    pub(super) slides: bool,
    /// Whether the segment ends at another pose than that of the substeps.
    pub(super) moved: bool,
}

impl BodySweep {
    /// The sweep of no body.
    pub(super) const NONE: Self = Self {
        slot: u32::MAX,
        segment: SweepSegment::at_rest(0.0, BodyPose::IDENTITY),
        origin: BodyPose::IDENTITY,
        impacts: 0,
        revision: 0,
        last_impact: None,
        boxes: (0, 0),
        slack: 0.0,
        against_dynamic: false,
        slides: false,
        moved: false,
    };

    /// Returns the sweep of a body that moves by `segment` in the step.
    #[inline]
    pub(super) fn of_step(slot: u32, segment: SweepSegment) -> Self {
        Self {
            slot,
            segment,
            origin: segment.start,
            ..Self::NONE
        }
    }

    /// Returns the indices of its boxes.
    pub(super) fn box_range(&self) -> core::ops::Range<usize> {
        let first = self.boxes.0 as usize;
        first..first + self.boxes.1 as usize
    }

    /// Returns the translation of the whole step [m].
    pub(super) fn translation(&self) -> Vec2 {
        self.segment.end.center - self.origin.center
    }

    /// Returns the rotation of the whole step, as (cosine, sine).
    pub(super) fn rotation(&self) -> Vec2 {
        rotation_between(self.origin.rotation, self.segment.end.rotation)
    }

    /// Stops the body at the start of the segment.
    pub(super) fn stop(&mut self) {
        self.segment = SweepSegment::at_rest(self.segment.from, self.segment.start);
        self.moved = true;
    }

    /// Moves the end of the segment.
    pub(super) fn shift(&mut self, change: Vec2) {
        let end = &mut self.segment.end;
        end.center = grid::moved(end.center, change);
        self.moved = true;
    }

    /// Returns `true` if its events are still searched.
    pub(super) fn is_active(&self) -> bool {
        self.revision < MAX_BODY_EVENTS
    }
}

/// Index of the sweep of a body without one.
pub(super) const NO_SWEEP: u32 = u32::MAX;

/// All sweeps of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct BodySweeps {
    pub(super) list: Vec<BodySweep>,
    /// Index of the sweep of each body slot, or [`NO_SWEEP`].
    pub(super) of_body: Vec<u32>,
}

impl BodySweeps {
    /// Returns `true` if a body has a sweep.
    pub(super) fn has(&self, body: u32) -> bool {
        self.of_body[body as usize] != NO_SWEEP
    }

    /// Returns the sweep of a body, once the list is filled.
    pub(super) fn of(&self, body: u32) -> Option<&BodySweep> {
        self.list.get(self.of_body[body as usize] as usize)
    }

    pub(super) fn of_mut(&mut self, body: u32) -> Option<&mut BodySweep> {
        self.list.get_mut(self.of_body[body as usize] as usize)
    }

    /// Returns the number of changes of a body's motion.
    pub(super) fn revision_of(&self, body: u32) -> u32 {
        self.of(body).map_or(0, |sweep| sweep.revision)
    }
}

/// The sweeps, with one that is not in the list yet.
#[derive(Clone, Copy)]
pub(super) struct SweepView<'a> {
    pub(super) sweeps: &'a BodySweeps,
    pub(super) own: Option<&'a BodySweep>,
}

impl<'a> SweepView<'a> {
    /// The sweeps as they are in the list.
    pub(super) fn of(sweeps: &'a BodySweeps) -> Self {
        Self { sweeps, own: None }
    }

    /// Returns the sweep of a body that has one.
    pub(super) fn sweep(&self, body: u32) -> Option<&'a BodySweep> {
        match self.own {
            Some(own) if own.slot == body => Some(own),
            _ => self.sweeps.of(body),
        }
    }
}

impl CcdScene<'_> {
    /// Returns the remaining motion of the body in `slot`.
    pub(super) fn segment_of(&self, view: SweepView<'_>, slot: u32) -> SweepSegment {
        match view.sweep(slot) {
            Some(sweep) => sweep.segment,
            None => self.step_segment(slot),
        }
    }

    /// Returns the motion of the body in `slot` in the substeps.
    pub(super) fn step_segment(&self, slot: u32) -> SweepSegment {
        let end = self.bodies.poses[slot as usize];
        if self.bodies.awake.contains(slot) {
            SweepSegment::of_step(&self.bodies.states[slot as usize], end)
        } else {
            SweepSegment::at_rest(0.0, end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::vec2;

    /// Returns the motion of a body, turned by about an eighth of a turn, by 1 m along x.
    fn translation() -> SweepSegment {
        let start = BodyPose {
            rotation: vec2(0.707_106_77, 0.707_106_77),
            ..BodyPose::IDENTITY
        };
        let mut segment = SweepSegment {
            from: 0.25,
            ..SweepSegment::at_rest(0.0, start)
        };
        segment.end.center.x += 1.0;
        segment
    }

    #[test]
    fn motion_that_ends_where_it_begins_is_rest() {
        for (at, rests) in [(0.0, true), (0.25, true), (0.5, false), (1.0, false)] {
            for rotates in [false, true] {
                let mut segment = SweepSegment {
                    rotates,
                    ..translation()
                };
                segment.end_at(at);
                assert_eq!(segment.is_at_rest(), rests, "ends at {at}");
                assert_eq!(segment.rotates, rotates && !rests, "ends at {at}");
            }
        }
    }

    #[test]
    fn motion_rests_from_its_end_on() {
        let segment = translation();
        assert!(!segment.rests_from(0.0) && !segment.rests_from(0.9) && segment.rests_from(1.0));
        assert!(SweepSegment::at_rest(0.0, segment.start).rests_from(0.0));
    }

    /// The rotation that is interpolated differs from that of the end by rounding at some fractions.
    #[test]
    fn translation_rotates_at_no_fraction() {
        let segment = translation();
        let fractions = || (0..100).map(|i| 0.01 * i as f32);
        let differs = |at: f32| segment.pose_at(at).rotation != segment.end.rotation;
        assert!(fractions().any(differs));
        assert!(!fractions().any(|at| segment.rotates_from(at)));
    }
}
