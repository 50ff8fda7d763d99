//! Laws that hold for random worlds under random edits.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, ContactId, Continuous, ExplosionDef, Filter, IgnoreFor,
    InitialState, JointBaseDef, JointId, Limit, Locks, Motor, RevoluteJointDef, ShapeDef, ShapeId,
    Spring, World,
};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::{point, vec2};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::{BTreeMap, BTreeSet};

/// One random edit: the action, the object, and numbers for it.
#[derive(Clone, Copy, Debug)]
struct Edit {
    what: u8,
    whom: usize,
    partner: usize,
    x: f32,
    y: f32,
}

fn edit() -> impl Strategy<Value = Edit> {
    (
        0_u8..36,
        0_usize..64,
        0_usize..64,
        -3.0_f32..3.0,
        -1.0_f32..4.0,
    )
        .prop_map(|(what, whom, partner, x, y)| Edit {
            what,
            whom,
            partner,
            x,
            y,
        })
}

/// A world with the objects that it was given.
#[derive(Clone)]
struct Playground {
    world: World,
    bodies: Vec<BodyId>,
    joints: Vec<JointId>,
}

impl Playground {
    fn new() -> Self {
        let mut world = world();
        ground(&mut world);
        world.set_pair_filter(|a, b| a.user_data() != 3 || b.user_data() != 3);
        world.set_pre_solve(|contact| {
            contact.friction *= 0.5;
            if contact.points()[0].point.x > 1.0 && contact.normal().x > 0.5 {
                contact.ignore();
            }
        });
        Self {
            world,
            bodies: Vec::new(),
            joints: Vec::new(),
        }
    }

    fn create(&mut self, edit: &Edit) {
        let kind = match edit.partner % 6 {
            0 => BodyKind::Static,
            1 => BodyKind::Kinematic,
            _ => BodyKind::Dynamic,
        };
        let initial_state = match edit.partner % 7 {
            0 => InitialState::Asleep,
            1 => InitialState::Disabled,
            _ => InitialState::Awake,
        };
        let def = BodyDef {
            kind,
            initial_state,
            can_sleep: !edit.partner.is_multiple_of(5),
            ..BodyDef::dynamic()
                .position(edit.x, edit.y)
                .velocity(edit.y, edit.x)
                .angle(edit.x)
        };
        let body = self.world.create_body(def);
        self.bodies.push(body);
        self.add_shape(body, edit);
    }

    fn add_shape(&mut self, body: BodyId, edit: &Edit) {
        let def = ShapeDef {
            sensor: edit.whom % 8 == 7,
            pre_solve: edit.partner.is_multiple_of(4),
            user_data: (edit.partner % 5) as u64,
            ..ShapeDef::default().restitution(0.2 * (edit.whom % 6) as f32)
        };
        let world = &mut self.world;
        match edit.whom % 5 {
            0 => world.create_shape(body, disc(0.4), def),
            1 => world.create_shape(body, rect(0.5, 0.3), def),
            2 => world.create_shape(body, capsule(0.3, 0.2), def),
            3 => world.create_shape(body, segment((-0.5, 0.0), (0.5, 0.1)), def),
            _ => world.create_shape(body, hull(&[(-0.4, -0.3), (0.5, -0.2), (0.0, 0.5)]), def),
        };
    }

    fn join(&mut self, body: BodyId, edit: &Edit) {
        let other = self.bodies[edit.partner % self.bodies.len()];
        let middle = self.world.body(other).position();
        let anchor = self.world.body(body).to_local(middle);
        let base = JointBaseDef {
            frame_a: cairn2d_dynamics::JointFrame { anchor, angle: 0.0 },
            collide_connected: edit.whom.is_multiple_of(2),
            ..JointBaseDef::new(body, other)
        };
        let def = RevoluteJointDef {
            base,
            limit: (edit.whom.is_multiple_of(3)).then_some(Limit::new(-0.5, 0.5)),
            motor: (edit.whom.is_multiple_of(4)).then_some(Motor::new(edit.x, 5.0)),
            spring: (edit.whom.is_multiple_of(5)).then_some(Spring::new(3.0, 0.5)),
        };
        if let Ok(joint) = self.world.try_create_joint(def) {
            self.joints.push(joint);
        }
    }

    fn apply(&mut self, edit: &Edit) {
        if self.bodies.is_empty() || edit.what < 4 {
            self.create(edit);
            return;
        }
        let place = edit.whom % self.bodies.len();
        let body = self.bodies[place];
        let push = vec2(edit.x, edit.y);
        match edit.what {
            4 => {
                assert!(self.world.destroy_body(body));
                self.bodies.swap_remove(place);
            }
            5 => self.world.body_mut(body).set_pose((edit.x, edit.y), edit.y),
            6 => self.world.body_mut(body).enable(),
            7 => self.world.body_mut(body).disable(),
            8 => self.world.body_mut(body).set_kind(BodyKind::Static),
            9 => self.world.body_mut(body).set_kind(BodyKind::Kinematic),
            10 => self.world.body_mut(body).set_kind(BodyKind::Dynamic),
            11 => self.filter(body, edit),
            12 | 13 => self.join(body, edit),
            14 => {
                if !self.joints.is_empty() {
                    let joint = self.joints.swap_remove(edit.partner % self.joints.len());
                    self.world.destroy_joint(joint);
                }
            }
            15 => self.world.body_mut(body).sleep(),
            16 => self.world.body_mut(body).wake(),
            17 => self.world.body_mut(body).apply_impulse(push),
            18 => self.world.body_mut(body).set_velocity(push),
            19 => self.add_shape(body, edit),
            20 => {
                let shape = self
                    .world
                    .body(body)
                    .shapes()
                    .last()
                    .map(|shape| shape.id());
                shape.map(|shape| self.world.destroy_shape(shape));
            }
            22 => {
                let other = self.bodies[edit.partner % self.bodies.len()];
                let how_long = match edit.partner % 3 {
                    0 => IgnoreFor::Time(0.1 * edit.y.abs()),
                    1 => IgnoreFor::Overlap,
                    _ => IgnoreFor::Forever,
                };
                self.world.ignore_pair(body, other, how_long);
            }
            23 => {
                let other = self.bodies[edit.partner % self.bodies.len()];
                self.world.unignore_pair(body, other);
            }
            24..28 => self.change_shape(body, edit),
            28 => self.change_joint(edit),
            30 => {
                let blast = ExplosionDef::new((edit.x, edit.y), 1.0, 3.0 * edit.y);
                self.world.explode(&blast.falloff(edit.x.abs()));
            }
            31 | 32 => self.watch_force(body, edit),
            33 => {
                let half = vec2(2.0 * edit.x.abs(), 2.0);
                let bounds = Aabb::from_center_half(point(0.0, 2.0), half);
                let mut def = self.world.def().clone();
                def.bounds = (!edit.partner.is_multiple_of(3)).then_some(bounds);
                self.world.set_def(def);
            }
            34 => {
                let continuous = [Continuous::Clamp, Continuous::Substep][edit.partner % 2];
                self.world.body_mut(body).set_continuous(continuous);
                self.world
                    .body_mut(body)
                    .set_bullet(edit.partner.is_multiple_of(3));
            }
            35 => self.world.body_mut(body).set_velocity(40.0 * push),
            _ => self.world.body_mut(body).set_locks(Locks {
                x: edit.partner.is_multiple_of(2),
                y: edit.partner.is_multiple_of(3),
                rotation: edit.partner.is_multiple_of(5),
            }),
        }
    }

    fn watch_force(&mut self, body: BodyId, edit: &Edit) {
        let last = self.world.body(body).shapes().last();
        if let Some(id) = last.map(|shape| shape.id()) {
            let threshold = [0.0, 10.0, f32::INFINITY][edit.partner % 3];
            self.world
                .shape_mut(id)
                .set_force_event_threshold(threshold);
        }
    }

    fn change_shape(&mut self, body: BodyId, edit: &Edit) {
        let first = self.world.body(body).shapes().next();
        let Some(id) = first.map(|shape| shape.id()) else {
            return;
        };
        let mut shape = self.world.shape_mut(id);
        let yes = edit.partner.is_multiple_of(2);
        match edit.what {
            24 if yes => shape.set_geometry(disc(0.2 + 0.1 * edit.x.abs())),
            24 => shape.set_geometry(rect(0.1 + 0.1 * edit.x.abs(), 0.3)),
            25 => shape.set_sensor(yes),
            26 => shape.set_one_way(yes.then_some(vec2(edit.x, 5.0))),
            _ => shape.set_pre_solve(yes),
        }
    }

    fn change_joint(&mut self, edit: &Edit) {
        // A joint of a body that was destroyed is gone.
        self.joints.retain(|&id| self.world.get_joint(id).is_some());
        if self.joints.is_empty() {
            return;
        }
        let id = self.joints[edit.partner % self.joints.len()];
        let mut joint = self.world.joint_mut(id);
        match edit.whom % 4 {
            0 => joint.set_motor(Some(Motor::new(edit.x, 3.0))),
            1 => joint.set_limit(Some(Limit::new(-edit.x.abs(), 1.0))),
            2 => joint.set_spring(None),
            _ => joint.set_collide_connected(edit.partner.is_multiple_of(3)),
        }
    }

    fn filter(&mut self, body: BodyId, edit: &Edit) {
        let shape = self
            .world
            .body(body)
            .shapes()
            .next()
            .map(|shape| shape.id());
        if let Some(shape) = shape {
            let filter = Filter {
                mask: (edit.partner % 2) as u64,
                ..Filter::default()
            };
            self.world.shape_mut(shape).set_filter(filter);
        }
    }
}

/// Contacts that began and have not ended, by the events.
#[derive(Default)]
struct Books {
    contacts: BTreeSet<ContactId>,
    overlaps: BTreeMap<(ShapeId, ShapeId), i32>,
}

impl Books {
    /// Adds the events of the last step, and compares with the contacts of the world.
    fn keep(&mut self, world: &World) {
        for begin in world.contact_begins() {
            assert!(
                self.contacts.insert(begin.contact),
                "begun twice: {begin:?}"
            );
        }
        for end in world.contact_ends() {
            assert!(self.contacts.remove(&end.contact), "never begun: {end:?}");
        }
        let touching: BTreeSet<_> = world.contacts().map(|contact| contact.id()).collect();
        assert_eq!(self.contacts, touching);
        for begin in world.sensor_begins() {
            *self
                .overlaps
                .entry((begin.sensor, begin.visitor))
                .or_insert(0) += 1;
        }
        for end in world.sensor_ends() {
            *self.overlaps.entry((end.sensor, end.visitor)).or_insert(0) -= 1;
        }
        self.overlaps.retain(|_, count| *count != 0);
        let overlapping: BTreeMap<_, _> = world
            .shapes()
            .flat_map(|sensor| {
                sensor
                    .overlaps()
                    .map(move |visitor| ((sensor.id(), visitor), 1))
            })
            .collect();
        assert_eq!(self.overlaps, overlapping);
        for event in world.contact_forces() {
            // After a bounce within the step the shapes may have parted.
            let is_known = touching.contains(&event.contact) || event.started;
            assert!(is_known, "stale: {event:?}");
        }
    }
}

proptest! {
    // A fixed seed: the same worlds on each run and machine. Of this one, a step without end was among the worlds.
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(77), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_never_break_an_invariant(edits in prop::collection::vec(edit(), 1..120)) {
        let mut playground = Playground::new();
        let mut books = Books::default();
        for (i, edit) in edits.iter().enumerate() {
            playground.apply(edit);
            playground.world.assert_consistent();
            if i % 2 == 0 {
                step(&mut playground.world);
                books.keep(&playground.world);
            }
        }
        for _ in 0..30 {
            step(&mut playground.world);
            books.keep(&playground.world);
        }
    }

    #[test]
    fn edited_copy_goes_on_with_the_same_bits(
        before in prop::collection::vec(edit(), 1..40),
        after in prop::collection::vec(edit(), 1..40),
    ) {
        let mut playground = Playground::new();
        for edit in &before {
            playground.apply(edit);
            playground.world.step(DT);
        }
        let mut copy = playground.clone();
        for edit in &after {
            playground.apply(edit);
            copy.apply(edit);
            playground.world.step(DT);
            copy.world.step(DT);
            prop_assert_eq!(playground.world.state_hash(), copy.world.state_hash());
        }
    }

    #[test]
    fn same_edits_give_the_same_bits(edits in prop::collection::vec(edit(), 1..60)) {
        let play = || {
            let mut playground = Playground::new();
            for edit in &edits {
                playground.apply(edit);
                playground.world.step(DT);
            }
            playground.world.state_hash()
        };
        prop_assert_eq!(play(), play());
    }

    #[test]
    fn free_worlds_keep_their_momentum(
        things in prop::collection::vec(
            (0_usize..4, -4.0_f32..4.0, -4.0_f32..4.0, -5.0_f32..5.0, -5.0_f32..5.0), 2..20),
        restitution in 0.0_f32..1.0,
    ) {
        let mut world = weightless();
        let def = ShapeDef::default().restitution(restitution);
        for &(shape, x, y, vx, vy) in &things {
            let body = BodyDef::dynamic().position(x, y).velocity(vx, vy).angle(vx);
            match shape {
                0 => add(&mut world, body, disc(0.4), def),
                1 => add(&mut world, body, rect(0.5, 0.3), def.density(50.0)),
                2 => add(&mut world, body, capsule(0.3, 0.2), def),
                _ => add(&mut world, body, rect(0.2, 0.2), def),
            };
        }
        for body in world.bodies().map(|body| body.id()).collect::<Vec<_>>() {
            world.body_mut(body).set_can_sleep(false);
        }
        let start = momentum(&world);
        let size: f64 = world
            .bodies()
            .map(|body| f64::from(body.mass() * body.velocity().norm()))
            .sum();
        for _ in 0..60 {
            step(&mut world);
        }
        let end = momentum(&world);
        // Rounding of each impulse on each body: some 2^-24 of the exchanged momentum, a few thousand times.
        let lost = ((end[0] - start[0]).powi(2) + (end[1] - start[1]).powi(2)).sqrt();
        prop_assert!(lost < 1.0e-5 * (size + 1.0), "{} of {}", lost, size);
    }

    #[test]
    fn piles_gain_no_energy(
        things in prop::collection::vec((0_usize..3, -2.0_f32..2.0, 1.0_f32..6.0), 2..16),
        restitution in 0.0_f32..0.9,
    ) {
        let mut world = world();
        let def = ShapeDef::default().restitution(restitution);
        ground_of(&mut world, def);
        // Apart, since an overlap is energy that is not counted.
        for (i, &(shape, x, _)) in things.iter().enumerate() {
            let body = BodyDef::dynamic().position(x, 1.0 + 1.3 * i as f32).angle(x);
            match shape {
                0 => add(&mut world, body, disc(0.5), def),
                1 => add(&mut world, body, rect(0.5, 0.3), def),
                _ => add(&mut world, body, capsule(0.3, 0.2), def),
            };
        }
        let start = energy(&world);
        for _ in 0..240 {
            world.step(DT);
            let now = energy(&world);
            prop_assert!(now < 1.01 * start, "{} of {}", now, start);
        }
        world.assert_consistent();
    }

    #[test]
    fn mirrored_worlds_move_mirrored(
        things in prop::collection::vec(
            (0_usize..4, -3.0_f32..3.0, -2.0_f32..2.0, -1.0_f32..1.0), 1..6),
    ) {
        // Things that turn and come down on the ground far from each other, and their mirror images: they agree to rounding as long as
        // the motion is not chaotic.
        let half = |sign: f32| {
            let mut world = world();
            ground(&mut world);
            let mut bodies = Vec::new();
            for (i, &(shape, x, v, turn)) in things.iter().enumerate() {
                let def = BodyDef::dynamic()
                    .position(sign * (x + 8.0 * i as f32), 1.0)
                    .angle(sign * turn)
                    .velocity(sign * v, 0.0)
                    .angular_velocity(sign * v);
                bodies.push(match shape {
                    0 => solid(&mut world, def, disc(0.5)),
                    1 => solid(&mut world, def, rect(0.5, 0.3)),
                    2 => solid(&mut world, def, capsule(0.4, 0.2)),
                    _ => solid(&mut world, def, hull(&[
                        (-0.5 * sign, -0.3), (0.5 * sign, -0.3), (0.1 * sign, 0.6)])),
                });
            }
            for _ in 0..60 {
                world.step(DT);
            }
            let place = |&body: &BodyId| (world.body(body).center(), world.body(body).angle());
            bodies.iter().map(place).collect::<Vec<_>>()
        };
        for ((left, turned), (right, its)) in half(-1.0).iter().zip(&half(1.0)) {
            prop_assert!(
                (left.x + right.x).abs() < 1.0e-3 && (left.y - right.y).abs() < 1.0e-3,
                "{left} {right}"
            );
            prop_assert!((turned + its).abs() < 1.0e-3, "{turned} {its}");
        }
    }

    #[test]
    fn mirrored_collisions_part_mirrored(
        shapes in (0_usize..4, 0_usize..4),
        (height, turn, v, spin) in (-0.8_f32..0.8, -3.0_f32..3.0, 0.5_f32..8.0, -3.0_f32..3.0),
        restitution in 0.0_f32..1.0,
    ) {
        let collide = |sign: f32| {
            let mut world = weightless();
            let def = ShapeDef::default().restitution(restitution);
            let mut bodies = Vec::new();
            for (shape, body) in [
                (shapes.0, BodyDef::dynamic().position(-1.5 * sign, 0.0).velocity(v * sign, 0.0)),
                (shapes.1, BodyDef::dynamic().position(0.5 * sign, height).angular_velocity(sign * spin)),
            ] {
                let body = body.angle(sign * turn);
                bodies.push(match shape {
                    0 => add(&mut world, body, disc(0.5), def),
                    1 => add(&mut world, body, rect(0.5, 0.3), def),
                    2 => add(&mut world, body, capsule(0.4, 0.2), def),
                    _ => add(&mut world, body, hull(&[
                        (-0.5 * sign, -0.3), (0.5 * sign, -0.3), (0.1 * sign, 0.6)]), def),
                });
            }
            for _ in 0..60 {
                world.step(DT);
            }
            let motion = |&body: &BodyId| {
                let body = world.body(body);
                [sign * body.velocity().x, body.velocity().y, sign * body.angular_velocity()]
            };
            bodies.iter().map(motion).collect::<Vec<_>>()
        };
        for (left, right) in collide(-1.0).iter().zip(&collide(1.0)) {
            for (a, b) in left.iter().zip(right) {
                prop_assert!((a - b).abs() < 0.01 * (1.0 + v), "{left:?} {right:?}");
            }
        }
    }
}
