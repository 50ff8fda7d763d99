//! Calls on bodies: create, destroy, every setter, forces, and every getter.

use crate::arguments::Arguments;
use crate::episode::Episode;
use cairn2d::prelude::*;
use std::hint::black_box;

/// A setter and its name.
type Setter = (&'static str, fn(&mut BodyMut<'_>, &Arguments));

const SETTERS: &[Setter] = &[
    ("wake", |body, _| body.wake()),
    ("sleep", |body, _| body.sleep()),
    ("set_velocity", |body, a| body.set_velocity(a.vector)),
    ("set_angular_velocity", |body, a| {
        body.set_angular_velocity(a.number);
    }),
    ("set_pose", |body, a| body.set_pose(a.place, a.number)),
    ("move_to", |body, a| body.move_to(a.place, a.number, a.dt)),
    ("enable", |body, _| body.enable()),
    ("disable", |body, _| body.disable()),
    ("set_bullet", |body, a| body.set_bullet(a.flag)),
    ("set_fast_rotation", |body, a| {
        body.set_fast_rotation(a.flag)
    }),
    ("set_gravity_scale", |body, a| {
        body.set_gravity_scale(a.number)
    }),
    ("set_damping", |body, a| body.set_damping(a.measure, a.rate)),
    ("set_max_linear_speed", |body, a| {
        body.set_max_linear_speed(a.flag.then_some(a.measure));
    }),
    ("set_max_angular_speed", |body, a| {
        body.set_max_angular_speed(a.measure);
    }),
    ("set_can_sleep", |body, a| body.set_can_sleep(a.flag)),
    ("set_sleep_speed", |body, a| body.set_sleep_speed(a.measure)),
    ("set_user_data", |body, a| body.set_user_data(a.bits)),
    ("apply_force", |body, a| body.apply_force(a.vector)),
    ("apply_force_at", |body, a| {
        body.apply_force_at(a.vector, a.place)
    }),
    ("apply_local_force", |body, a| {
        body.apply_local_force(a.vector)
    }),
    ("apply_local_force_at", |body, a| {
        body.apply_local_force_at(a.vector, a.local);
    }),
    ("apply_torque", |body, a| body.apply_torque(a.number)),
    ("apply_impulse", |body, a| body.apply_impulse(a.vector)),
    ("apply_local_impulse", |body, a| {
        body.apply_local_impulse(a.vector)
    }),
    ("apply_acceleration", |body, a| {
        body.apply_acceleration(a.vector)
    }),
    ("apply_impulse_at", |body, a| {
        body.apply_impulse_at(a.vector, a.place);
    }),
    ("apply_angular_impulse", |body, a| {
        body.apply_angular_impulse(a.number);
    }),
];

/// Setters that compute a velocity or a torque from their arguments. They refuse a result that overflows, which finite
/// arguments can cause.
const MAY_OVERFLOW: &[&str] = &[
    "move_to",
    "apply_force_at",
    "apply_local_force_at",
    "apply_impulse",
    "apply_local_impulse",
    "apply_impulse_at",
    "apply_angular_impulse",
];

impl Episode {
    pub(crate) fn call_body(&mut self) {
        match self.values.below(40) {
            0..=6 => self.create_body(),
            7 | 8 => self.destroy_body(),
            9 => self.change_body(),
            10 => self.set_mass(),
            11 => self.read_body(),
            12 => self.create_bodies(),
            _ => self.set_body(),
        }
    }

    fn create_body(&mut self) {
        if self.world.body_count() >= 30 {
            return self.destroy_body();
        }
        let def = self.values.body_def();
        self.note(|| format!("try_create_body({def:?})"));
        let made = self.world.try_create_body(&def);
        let Some(id) = self.settle(made) else {
            return;
        };
        self.ids.bodies.keep(id, &mut self.values);
        // Most bodies get a shape at once, else most of them would have none.
        if self.values.below(8) != 0 {
            self.begin_anew();
            self.add_shape(id);
        }
    }

    /// A refused definition removes the bodies before it, whose ids are used up.
    fn create_bodies(&mut self) {
        if self.world.body_count() >= 30 {
            return;
        }
        let bodies: Vec<_> = (0..self.values.below(4))
            .map(|_| {
                let shape = (self.values.shape(), self.values.shape_def());
                (self.values.body_def(), [shape])
            })
            .collect();
        self.note(|| format!("try_create_bodies({bodies:?})"));
        if let Ok(ids) = self.world.try_create_bodies(bodies) {
            for id in ids {
                self.ids.bodies.keep(id, &mut self.values);
            }
        }
    }

    fn destroy_body(&mut self) {
        let id = self.body();
        self.note(|| format!("destroy_body({id:?})"));
        if !self.world.destroy_body(id) {
            self.expect_unchanged("no such body");
        }
        assert!(self.world.get_body(id).is_none(), "{id:?} is destroyed");
        assert!(!self.world.destroy_body(id), "{id:?} is destroyed once");
    }

    fn set_body(&mut self) {
        let id = self.body();
        let arguments = self.values.arguments(self.panics);
        let (name, set) = SETTERS[self.values.below(SETTERS.len())];
        self.note(|| format!("body_mut({id:?}).{name}: {arguments:?}"));
        let change = |world: &mut World| {
            if let Some(mut body) = world.get_body_mut(id) {
                set(&mut body, &arguments);
            }
        };
        if MAY_OVERFLOW.contains(&name) {
            self.may_panic(change);
        } else {
            self.set(change);
        }
    }

    /// Setters whose argument is none of the usual ones.
    fn change_body(&mut self) {
        let id = self.body();
        let (kind, locks) = (self.values.kind(), self.values.locks());
        let (continuous, which) = (self.values.continuous(), self.values.below(3));
        self.note(|| format!("body_mut({id:?}): {which} of {kind:?}, {locks:?}, {continuous:?}"));
        let Some(mut body) = self.world.get_body_mut(id) else {
            return;
        };
        match which {
            0 => body.set_kind(kind),
            1 => body.set_locks(locks),
            _ => body.set_continuous(continuous),
        }
    }

    fn set_mass(&mut self) {
        let id = self.body();
        let center = self.values.any_point();
        let mass = MassData {
            mass: self.values.any(),
            center,
            inertia: self.values.any(),
        };
        let mass = self.values.maybe(mass);
        self.note(|| format!("body_mut({id:?}).set_mass({mass:?})"));
        self.may_panic(|world| {
            if let Some(mut body) = world.get_body_mut(id) {
                body.set_mass(mass);
            }
        });
    }

    fn read_body(&mut self) {
        let id = self.body();
        let (place, local) = (self.values.any_place(), self.values.any_point());
        let share = self.values.any();
        self.note(|| format!("body({id:?}): all getters at {place:?}, {local:?}, {share}"));
        let Some(body) = self.world.get_body(id) else {
            return;
        };
        black_box((body.id(), body.kind(), body.position(), body.center()));
        black_box((body.local_center(), body.rotation(), body.angle()));
        black_box((body.pose_within_step(share), body.velocity_at(place)));
        black_box((body.to_world(local), body.to_world_exact(local)));
        black_box((body.to_local(place), body.mass(), body.inertia()));
        black_box((body.is_awake(), body.is_enabled(), body.continuous()));
        black_box((body.is_bullet(), body.locks(), body.user_data()));
        black_box((body.gravity_scale(), body.damping(), body.can_sleep()));
        black_box((body.max_linear_speed(), body.max_angular_speed()));
        black_box((body.has_fast_rotation(), body.sleep_speed()));
        black_box((body.mass_override(), body.applied_force(), body.island()));
        black_box((body.joints().count(), body.shapes().count()));
        for contact in body.contacts() {
            let other = contact.other(id).expect("a contact is between two bodies");
            assert!(self.world.get_body(other).is_some(), "{other:?} touches");
            black_box((contact.normal(), contact.normal_from(id), contact.impulse()));
            black_box((contact.force(share), contact.friction(), contact.color()));
            black_box((contact.restitution(), contact.points().count()));
            assert_eq!(self.world.contact(contact.id()).shapes(), contact.shapes());
        }
    }
}
