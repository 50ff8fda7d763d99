//! Other points of two shapes that touch or pass closely: one point stays where it is or moves away, and another one
//! comes down within the same step.
//!
//! After an impact at one corner a body turns, and its other end comes down. A search for the time of impact would end
//! at the first corner, where the shapes touch. The first shape is therefore swept a little above its path, lifted along
//! the normal of the contact: then only a point that enters by more than the lift is found, whichever it is. The motion
//! is followed back from there to the time at which that point touches.

use super::cores::MAX_CORE_SHARE;
use super::sweep::SweepView;
use super::tables::CcdScene;
use super::toi::{ToiEvent, ToiOutcome, revisions_of, surface_normal_of};
use crate::solver::MIN_APPROACH;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{ManifoldCache, Sweep, ToiState, collide, time_of_impact};

impl CcdScene<'_> {
    /// Tests the motion of two shapes from the fraction `from` of the step on, where they touch or nearly do. Adds the
    /// number of computed times of impact to `tested`.
    pub(super) fn test_other_points(
        &self,
        view: SweepView<'_>,
        shapes: [u32; 2],
        bodies: [u32; 2],
        from: f32,
        tested: &mut usize,
    ) -> ToiOutcome {
        // Not `map` over both, as in `toi.rs`: it does not inline.
        let first = self.segment_of(view, bodies[0]);
        let second = self.segment_of(view, bodies[1]);
        // A rotating kinematic body goes on pushing the body ahead: impact after impact would use up those of the step, and
        // then it would pass the body.
        if !self.bodies.is_dynamic(bodies[1]) && second.rotates_from(from) {
            let shifts = self.mutual_corrections(view, shapes, bodies);
            return ToiOutcome::Shallow(bodies, shifts);
        }
        let base = first.start.center;
        let (own, its) = (first.sweep_from(from, base), second.sweep_from(from, base));
        let Some(lifted) = self.lifted(shapes, [&own, &its]) else {
            return ToiOutcome::Nothing;
        };
        *tested += 1;
        let [geometry, its_geometry] = shapes.map(|shape| &self.shapes.slots[shape].geometry);
        let mut impact = time_of_impact(its_geometry, &its, geometry, &lifted, 1.0);
        impact.normal = surface_normal_of(&impact, [geometry, its_geometry], [&lifted, &its]);
        match impact.state {
            ToiState::Touching if self.stops(view, shapes, bodies, &impact) => {}
            ToiState::Touching | ToiState::Separated => return ToiOutcome::Nothing,
            _ => {
                let shifts = self.mutual_corrections(view, shapes, bodies);
                return ToiOutcome::Shallow(bodies, shifts);
            }
        }
        let found = from + (1.0 - from) * impact.fraction;
        let Some((gap, approach)) = self.gap_and_approach(view, shapes, bodies, found) else {
            return ToiOutcome::Nothing;
        };
        // A point may enter though its velocity leads out: a body rotates by less than its velocity tells where that
        // is limited. There is no impact to solve, and the bodies stop.
        let is_impact = approach > MIN_APPROACH;
        let back = if is_impact {
            gap.min(0.0) / (approach * self.ctx.dt)
        } else {
            0.0
        };
        ToiOutcome::Event(ToiEvent {
            fraction: (found + back).max(from),
            shapes,
            bodies,
            normal: Some(impact.normal),
            revisions: revisions_of(view, bodies),
            is_uncertain: false,
            is_exact: is_impact,
        })
    }

    /// Returns the motion of the first of two shapes shifted off the second one; `None` if they are far apart at its
    /// start.
    fn lifted(&self, shapes: [u32; 2], [own, its]: [&Sweep; 2]) -> Option<Sweep> {
        let (pose, its_pose) = (own.pose_at(0.0), its.pose_at(0.0));
        let [a, b] = shapes.map(|shape| &self.shapes.slots[shape]);
        let b_in_a = pose.inv_mul(&its_pose);
        let mut cache = ManifoldCache::default();
        let manifold = collide(&a.geometry, &b.geometry, &b_in_a, &mut cache);
        let separations = manifold.points().iter().map(|point| point.separation);
        let nearest = separations.reduce(f32::min)?;
        // Where the shapes overlap already, only a deeper point is an impact.
        let lift = LINEAR_SLOP.min(MAX_CORE_SHARE * a.min_extent) - nearest.min(0.0);
        let offset = pose.rotation * manifold.normal * -lift;
        Some(Sweep {
            start: own.start + offset,
            end: own.end + offset,
            ..*own
        })
    }
}
