//! Shots that jam: what stopped them is no load, and is not carried into the next step.
//!
//! What is shot into a wedge that is narrower than twice the angle of friction stays there, pressed from both sides: the impulses that stopped
//! it hold each other. Carried on as a load they press it in, as far as contacts yield to thousands of times its weight.

use crate::tuning::SHOT_SPEED;
use crate::world::World;

impl World {
    /// Forgets the impulses of bodies that were shot at something and may be jammed.
    pub(crate) fn forget_shots(&mut self) {
        let mut bodies = core::mem::take(&mut self.scratch.shot);
        bodies.clear();
        for &contact in self.solver.fast_contacts() {
            let constraint = &self.contacts.constraints[contact as usize];
            if constraint.approach_speed() >= SHOT_SPEED {
                bodies.extend([constraint.body_a, constraint.body_b]);
            }
        }
        for &body in &bodies {
            if self.bodies.is_dynamic(body) && self.may_jam(body) {
                for &contact in &self.bodies.slots[body].contacts {
                    self.contacts.constraints[contact as usize].forget_impulses();
                }
            }
        }
        self.scratch.shot = bodies;
    }

    /// Says whether a body may be jammed: it touches two things or more, and nothing dynamic.
    fn may_jam(&self, body: u32) -> bool {
        let record = &self.bodies.slots[body];
        let touching = record.contacts.iter().copied();
        let touching = touching.filter(|&contact| self.contacts.slots[contact].pushes());
        let firm = |contact: u32| {
            !self
                .bodies
                .is_dynamic(self.contacts.other_body(contact, body))
        };
        record.joints.is_empty() && touching.clone().count() > 1 && touching.clone().all(firm)
    }
}
