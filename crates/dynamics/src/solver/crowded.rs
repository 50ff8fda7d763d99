//! Joints of crowded bodies, which Gauss-Seidel sweeps must visit in another order.
//!
//! With warm starting, an eigenvalue g of the error operator of a substep's sweeps gives the factors
//! `l^2 - 2 g l + g = 0` from one substep to the next. They are at most 1 for a real g from 0 to 1, and may exceed 1
//! for a complex one. Many joints of one light body have complex ones: four sliders on a hub gained energy by a factor
//! of 11 000 in two seconds. A sweep followed by the same sweep backward (symmetric Gauss-Seidel, [Saad03, section 4.1]) is
//! self-adjoint in the energy norm, so its eigenvalues are real and from 0 to 1 for any graph of joints.
//!
//! Therefore crowded joints are relaxed backward. They close errors by moving the bodies, without velocity, since a sweep
//! backward does not take back all of the velocity that a sweep forward has added. Their springs count as
//! shared by all joints of the body, and start from zero in each substep, since only one sweep solves them.

use crate::body::table::BodyTable;
use crate::joint::sim::JointClass;
use crate::joint::table::JointTable;

/// Sum of the couplings of a body's joints above which it is crowded. Up to 3 no star and none of 300 random
/// graphs was unstable; the least unstable one was at 3.6.
const MAX_COUPLING: f32 = 3.0;

/// Sum above which the energy of the body's linkage is watched: see `solver::passive`. A node of a cloth has 2. With
/// 2.5, 9 of 5000 random graphs of rigid joints gained energy, and 61 of 5000 graphs with springs. Lower: cloths are
/// watched, too.
const WATCHED_COUPLING: f32 = 2.0;

/// Fewest joints of a crowded body. One of two joints is watched if a spring of theirs counts more than a rigid row.
const MIN_JOINTS: usize = 3;

/// The joints of crowded bodies in a step. They are not part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct CrowdedJoints {
    joints: Vec<u32>,
    /// The crowded bodies that are dynamic.
    pub(crate) bodies: Vec<u32>,
    /// Other bodies, whose linkages are watched while nothing touches them.
    pub(crate) watched: Vec<u32>,
}

impl CrowdedJoints {
    /// Marks the iterated joints of crowded bodies among the `awake` ones, for substeps of `h` \[s\].
    pub(crate) fn mark(
        &mut self,
        awake: &[u32],
        bodies: &BodyTable,
        joints: &mut JointTable,
        h: f32,
    ) {
        self.joints.clear();
        self.bodies.clear();
        self.watched.clear();
        let are_sprung = (0..joints.slots.bound() as u32).any(|joint| joints.is_sprung(joint));
        let fewest = MIN_JOINTS - usize::from(are_sprung);
        for &body in awake {
            if (bodies.tracks[body as usize].constraints as usize) < fewest {
                continue;
            }
            let listed = &bodies.slots[body].joints;
            let is_few = listed.len() < MIN_JOINTS;
            let is_heavy = |&joint: &u32| joints.sims[joint as usize].row_weight(h) > 1.0;
            if is_few && !listed.iter().any(is_heavy) {
                continue;
            }
            let iterated = || listed.iter().copied().filter(|&j| joints.is_iterated(j));
            let coupling = |joint: u32| joints.sims[joint as usize].coupling_to(body, bodies, h);
            let sum = iterated().map(coupling).sum::<f32>();
            // Shared springs are too weak for a chain: one of three rods on welds of 40 Hz sagged by 1.8 m instead of 4 cm.
            let is_crowded = sum > MAX_COUPLING && !is_few;
            if bodies.is_dynamic(body) {
                if is_crowded {
                    self.bodies.push(body);
                } else if sum > WATCHED_COUPLING {
                    self.watched.push(body);
                }
            }
            if is_crowded {
                let count = listed.len() as u32;
                let first = self.joints.len();
                self.joints.extend(iterated());
                for &joint in &self.joints[first..] {
                    joints.sims[joint as usize].base.note_crowd(count);
                }
            }
        }
        for &joint in &self.joints {
            joints.traits[joint as usize].class = JointClass::Crowded;
        }
    }

    /// Removes the marks.
    pub(crate) fn unmark(&mut self, bodies: &BodyTable, joints: &mut JointTable) {
        for joint in self.joints.drain(..) {
            joints.sims[joint as usize].base.leave_crowd();
            joints.update_traits(joint, bodies);
        }
    }
}
