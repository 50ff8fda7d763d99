//! Moments of inertia of bodies under loads that turn them faster than substeps resolve.
//!
//! A force F that a pin or weld exerts at an arm r changes its torque by up to `F r` per angle: the geometric stiffness of the
//! joint ([Tournier15], [Andrews17]). Substeps act with the arms of their start, so they integrate this stiffness
//! explicitly. A link with the load F at both ends is then stable only for `2 F r h^2 < 4 I`. Beyond, links whip about,
//! no load settles, and the joints open without end: a rope of 50 circles of 5 cm at 240 substeps a second, or of 20 at
//! 120.
//!
//! An implicit integration adds `h^2 F r` to the moment of inertia I. Here a body gets the greater one of the two, so
//! that bodies with loads below the limit keep theirs. It holds for all constraints of the body in the step: with a
//! moment for each joint, contacts and joints gave each other energy.

use crate::body::table::BodyTable;
use crate::joint::table::JointTable;
use crate::solver::batches::UsedLists;

/// The bodies with a greater moment of inertia, and their own inverse moments. They are not part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct GeometricStiffness {
    own: Vec<(u32, f32)>,
}

impl GeometricStiffness {
    /// Raises the moments of inertia for substeps of `h` \[s\], by the loads of the last substep.
    pub(crate) fn raise(
        &mut self,
        lists: &UsedLists<'_>,
        bodies: &mut BodyTable,
        joints: &JointTable,
        h: f32,
    ) {
        for &joint in lists.iter().flat_map(|[_, joints]| &joints.slots) {
            let sim = &joints.sims[joint as usize];
            // With springs, the moment would change within an oscillation: one soft weld gained energy by a factor of 3.
            if !sim.is_pinned() || !joints.is_iterated(joint) {
                continue;
            }
            let load_sq = sim.reaction().force.norm_squared();
            let base = &sim.base;
            for (body, frame) in [(base.body_a, &base.frame_a), (base.body_b, &base.frame_b)] {
                let arm = frame.anchor - bodies.poses[body as usize].local_center;
                let stiffness_sq = load_sq * arm.norm_squared();
                let inv_inertia = bodies.masses[body as usize].inv_inertia;
                let share = h * h * inv_inertia;
                if share * share * stiffness_sq > 1.0 {
                    self.own.push((body, inv_inertia));
                    bodies.masses.write_awake()[body as usize].inv_inertia =
                        1.0 / (h * h * stiffness_sq.sqrt());
                }
            }
        }
    }

    /// Gives all bodies their own moments of inertia back.
    pub(crate) fn restore(&mut self, bodies: &mut BodyTable) {
        // The last first: of a body that is listed several times, the first entry is its own.
        for (body, inv_inertia) in self.own.drain(..).rev() {
            bodies.masses.write_awake()[body as usize].inv_inertia = inv_inertia;
        }
    }
}
