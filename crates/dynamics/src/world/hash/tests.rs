//! Fields that the hash omits are never read before they are written; each hashed field changes the hash.

use crate::body::def::{BodyDef, BodyKind};
use crate::contact::constraint::{ConstraintPoint, ContactConstraint, constraint_flags};
use crate::event::EventLists;
use crate::graph::{COLORS, GraphPlace};
use crate::id::{BodyId, JointId};
use crate::joint::base::JointBase;
use crate::joint::sim::JointKind;
use crate::joint::{
    GearJointDef, JointDef, Motor, MouseJointDef, PrismaticJointDef, RevoluteJointDef, Spring,
    WeldJointDef, WheelJointDef,
};
use crate::profile::{Counters, Profile};
use crate::shape::def::ShapeDef;
use crate::world::{World, step};
use cairn2d_geometry::math::{WorldPoint, vec2};
use cairn2d_geometry::{Circle, Polygon};

const DT: f32 = 1.0 / 60.0;

/// Numbers that repeat (Knuth's MMIX generator).
struct Numbers(u64);

impl Numbers {
    /// Returns a number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// Returns a number between -1 and 1.
    fn unit(&mut self) -> f32 {
        self.below(2001) as f32 / 1000.0 - 1.0
    }
}

fn crate_at(world: &mut World, x: f32, y: f32) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().position(x, y).angle(0.1 * x));
    world.create_shape(body, Polygon::rectangle(0.4, 0.3), ShapeDef::default());
    body
}

/// A pile, bouncing balls, and joints of every solver.
fn yard() -> (World, Vec<BodyId>) {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    world.create_shape(ground, Polygon::rectangle(40.0, 1.0), ShapeDef::default());
    let mut bodies = Vec::new();
    for i in 0..24 {
        bodies.push(crate_at(
            &mut world,
            (i % 6) as f32 * 0.9,
            0.4 + (i / 6) as f32,
        ));
    }
    for i in 0..6 {
        let ball = world.create_body(
            BodyDef::dynamic()
                .position(i as f32, 8.0)
                .velocity(0.0, -20.0),
        );
        let bouncy = ShapeDef::default()
            .restitution(0.6)
            .rolling_resistance(0.1)
            .force_event_threshold(10.0);
        world.create_shape(
            ball,
            Circle::new(cairn2d_geometry::math::Point::origin(), 0.25),
            bouncy,
        );
        bodies.push(ball);
    }
    let hung: Vec<BodyId> = (0..12)
        .map(|i| crate_at(&mut world, -14.0 + i as f32, 6.0))
        .collect();
    let at = |i: usize| WorldPoint::from((-14.0 + i as f32, 6.4));
    let (motor, spring) = (Some(Motor::new(1.0, 20.0)), Some(Spring::new(3.0, 0.5)));
    let up = vec2(0.0, 1.0);
    let defs: [JointDef; 10] = [
        RevoluteJointDef {
            motor,
            ..RevoluteJointDef::new(ground, hung[0])
        }
        .at(&world, at(0))
        .into(),
        PrismaticJointDef {
            spring,
            ..PrismaticJointDef::new(ground, hung[1])
        }
        .at(&world, at(1), up)
        .into(),
        WeldJointDef::new(ground, hung[2]).at(&world, at(2)).into(),
        WheelJointDef {
            motor,
            spring,
            ..WheelJointDef::new(ground, hung[3])
        }
        .at(&world, at(3), up)
        .into(),
        MouseJointDef::new(ground, hung[4]).into(),
        RevoluteJointDef::new(ground, hung[5])
            .at(&world, at(5))
            .into(),
        RevoluteJointDef::new(hung[5], hung[6])
            .at(&world, at(6))
            .into(),
        RevoluteJointDef::new(hung[6], hung[7])
            .at(&world, at(7))
            .into(),
        RevoluteJointDef::new(hung[7], hung[8])
            .at(&world, at(8))
            .into(),
        RevoluteJointDef::new(hung[8], bodies[0])
            .at(&world, at(9))
            .into(),
    ];
    let joints: Vec<JointId> = defs
        .into_iter()
        .map(|def| world.create_joint(def))
        .collect();
    world.create_joint(GearJointDef::new(hung[0], hung[1], joints[0], joints[1]));
    bodies.extend(hung);
    (world, bodies)
}

fn edit(world: &mut World, bodies: &mut Vec<BodyId>, numbers: &mut Numbers) {
    let place = numbers.below(bodies.len());
    let push = vec2(5.0 * numbers.unit(), 5.0 * numbers.unit());
    match numbers.below(8) {
        0 => bodies.push(crate_at(world, push.x, 6.0)),
        1 if bodies.len() > 20 => {
            world.destroy_body(bodies.swap_remove(place));
        }
        2 => world.body_mut(bodies[place]).apply_impulse(push),
        3 => world.body_mut(bodies[place]).sleep(),
        4 => world
            .body_mut(bodies[place])
            .set_pose((push.x, 5.0), push.y),
        5 => world.body_mut(bodies[place]).set_kind(BodyKind::Dynamic),
        6 => {
            world.body_mut(bodies[place]).disable();
            world.body_mut(bodies[place]).enable();
        }
        _ => {}
    }
}

/// Overwrites the fields that the hash omits with values that would change results.
fn wipe(world: &mut World) {
    // The ghost contacts in it repeat flags.
    let internal_edges = core::mem::take(&mut world.scratch.internal_edges);
    for &contact in internal_edges.ghosts() {
        assert_ne!(
            world.contacts.constraints[contact as usize].flags & constraint_flags::GHOST,
            0
        );
    }
    *world.scratch = step::Scratch {
        internal_edges,
        ..step::Scratch::default()
    };
    world.counters = Counters::default();
    world.profile = Profile::default();
    world.events.reported = EventLists::default();
    let nan = ConstraintPoint {
        normal_impulse: f32::NAN,
        tangent_impulse: f32::NAN,
        total_normal_impulse: f32::NAN,
        relative_velocity: f32::NAN,
        base_separation: f32::NAN,
        rest_load: f32::NAN,
        ..ConstraintPoint::ZERO
    };
    // Free slots of contacts.
    for slot in 0..world.contacts.constraints.len() {
        let constraint = &mut world.contacts.constraints[slot];
        if world.contacts.slots.get(slot as u32).is_none() {
            *constraint = ContactConstraint {
                points: [nan; 2],
                count: 2,
                friction: f32::NAN,
                ..*constraint
            };
            world.contacts.budgets[slot].remaining = f32::NAN;
        }
    }
    for slot in 0..world.bodies.slots.bound() {
        if world.bodies.slots.get(slot as u32).is_none() {
            world.bodies.motions[slot].force.x = f32::NAN;
            world.bodies.poses[slot].rotation.x = f32::NAN;
        }
    }
    for sim in world.joints.sims.write_all() {
        if let JointKind::Gear(gear) = &mut sim.kind {
            gear.sides[0].base = JointBase::UNUSED;
        }
    }
    reverse_colors(world);
}

/// Reverses the lists of each color, except the overflow.
fn reverse_colors(world: &mut World) {
    for color in 0..COLORS {
        let lists = &mut world.graph.colors[color];
        lists.contacts.reverse();
        lists.joints.reverse();
        let place = |index: usize| GraphPlace {
            color: color as u8,
            index: index as u32,
        };
        for (index, &contact) in lists.contacts.slots.iter().enumerate() {
            world.contacts.slots[contact].graph = place(index);
        }
        for (index, &joint) in lists.joints.slots.iter().enumerate() {
            world.joints.slots[joint].graph = place(index);
        }
    }
}

#[test]
fn omitted_fields_are_never_read() {
    let (mut world, mut bodies) = yard();
    let mut twin = world.clone();
    let mut numbers = Numbers(11);
    for step in 0..240 {
        if step % 5 == 4 {
            let (mut of_twin, mut numbers_of_twin) = (bodies.clone(), Numbers(numbers.0));
            edit(&mut twin, &mut of_twin, &mut numbers_of_twin);
            edit(&mut world, &mut bodies, &mut numbers);
        }
        wipe(&mut twin);
        twin.assert_consistent();
        assert_eq!(
            twin.state_hash(),
            world.state_hash(),
            "wiped before step {step}"
        );
        world.step(DT);
        twin.step(DT);
        assert_eq!(
            twin.state_hash(),
            world.state_hash(),
            "step {step}: {:?}",
            world.first_difference(&twin)
        );
    }
}

#[test]
fn every_hashed_field_changes_the_hash() {
    type Change = fn(&mut World);
    let changes: [(&str, Change); 26] = [
        ("impulse of a pin", |w| match &mut w.joints.sims[0].kind {
            JointKind::Revolute(joint) => joint.point_impulse.x += 1.0,
            _ => unreachable!(),
        }),
        ("impulse of a motor", |w| match &mut w.joints.sims[0].kind {
            JointKind::Revolute(joint) => joint.twist_impulses[1] += 1.0,
            _ => unreachable!(),
        }),
        ("gap that does not pull", |w| {
            w.joints.sims[0].base.offset.x += 1.0
        }),
        ("substep of a joint", |w| {
            w.joints.sims[0].base.substep += 1.0
        }),
        ("anchor", |w| {
            w.contacts.constraints[0].points[0].anchor_a.x += 1.0
        }),
        ("separation", |w| {
            w.contacts.constraints[0].points[0].base_separation += 1.0
        }),
        ("load at rest", |w| {
            w.contacts.constraints[0].points[0].rest_load += 1.0
        }),
        ("rolling impulse", |w| {
            w.contacts.constraints[0].rolling_impulse += 1.0
        }),
        ("flags of a contact", |w| {
            w.contacts.constraints[0].flags ^= constraint_flags::INITIAL_ERROR
        }),
        ("recycling budget", |w| {
            w.contacts.budgets[0].remaining += 1.0
        }),
        ("pose of the manifold", |w| w.contacts.keys[0].invalidate()),
        ("sleep timer", |w| w.bodies.tracks[1].slow_time += 1.0),
        ("slack", |w| w.bodies.tracks[1].slack += 1.0),
        ("last travel", |w| w.bodies.moved[1] += 1.0),
        ("evaluation of a strain", |w| {
            w.islands.slots[0].strain.record(7.0)
        }),
        ("slow convergence", |w| {
            w.islands.slots[0].is_slow_to_sweep ^= true
        }),
        ("work of an island", |w| w.islands.slots[0].newton.work += 1),
        ("pause of an island", |w| {
            w.islands.slots[0].newton.pause += 1.0
        }),
        ("direct islands' pause", |w| {
            w.islands.slots[0].direct_cooldown += 1
        }),
        ("removed links", |w| w.islands.slots[0].removed_links += 1),
        ("order in an island", |w| {
            let island = w
                .islands
                .slots
                .write_all()
                .iter_mut()
                .find(|island| island.bodies.len() > 1);
            island.unwrap().bodies.swap(0, 1);
        }),
        ("placed", |w| w.depenetration.note_placed(1)),
        ("outside", |w| w.outside.insert(1)),
        ("steps", |w| w.history.steps += 1),
        ("last substep", |w| w.history.last_h += 1.0),
        ("pending events", |w| {
            w.report_sleep(1, crate::event::SleepChange::Woke);
        }),
    ];
    let (mut world, _) = yard();
    for _ in 0..60 {
        world.step(DT);
    }
    let mut hashes = vec![world.state_hash()];
    for (name, change) in changes {
        let mut other = world.clone();
        change(&mut other);
        let hash = other.state_hash();
        assert!(!hashes.contains(&hash), "{name} does not show");
        hashes.push(hash);
    }
}
