//! Views of joints: they read the state of a joint and change its settings.

use crate::error::demand;
use crate::id::{BodyId, JointId};
use crate::joint::sim::JointSim;
use crate::joint::{JointDef, JointFrame, JointReaction};
use crate::world::record::call::{Call, JointCall};
use crate::world::{World, WorldError};
use cairn2d_geometry::math::{Point, WorldPoint};

/// # Views of joints
impl World {
    /// Returns a view of a joint.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_joint`](Self::get_joint) returns `None` instead.
    #[must_use]
    #[track_caller]
    pub fn joint(&self, id: JointId) -> JointRef<'_> {
        let slot = self.joints.slots.expect(id);
        JointRef { world: self, slot }
    }

    /// Returns a view of a joint, or `None` if `id` is stale or foreign.
    #[must_use]
    pub fn get_joint(&self, id: JointId) -> Option<JointRef<'_>> {
        let slot = self.joints.slots.find(id)?;
        Some(JointRef { world: self, slot })
    }

    /// Iterates over the joints in order of slot.
    pub fn joints(&self) -> impl Iterator<Item = JointRef<'_>> {
        let slots = self.joints.slots.iter();
        slots.map(|(slot, _)| JointRef { world: self, slot })
    }

    /// Returns frames for a joint's `frame_a` and `frame_b` that hold two bodies in their present poses at
    /// `point` of the world, with x axes along `angle` \[rad\] of the world.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, RevoluteJointDef, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.create_body(BodyDef::static_());
    /// let door = world.create_body(BodyDef::dynamic().position(1.0, 0.0));
    /// let mut hinge = RevoluteJointDef::new(wall, door);
    /// [hinge.base.frame_a, hinge.base.frame_b] = world.joint_frames(wall, door, [0.5, 0.0], 0.0);
    /// assert_eq!(hinge.base.frame_b.anchor.x, -0.5);
    /// world.create_joint(hinge);
    /// ```
    ///
    /// # Panics
    /// If a body is stale.
    #[must_use]
    #[track_caller]
    pub fn joint_frames(
        &self,
        a: BodyId,
        b: BodyId,
        point: impl Into<WorldPoint>,
        angle: f32,
    ) -> [JointFrame; 2] {
        let point = point.into();
        [self.body(a), self.body(b)].map(|body| JointFrame {
            anchor: body.to_local(point),
            angle: angle - body.angle(),
        })
    }

    /// Changes the settings of a joint and wakes its bodies: pass a changed copy of [`JointRef::def`].
    /// Impulses and unwrapped angles stay, so a motor or limit can be changed at every step; an equal
    /// definition wakes nothing. For one field see [`joint_mut`](Self::joint_mut).
    ///
    /// # Panics
    /// If `id` is stale, or `def` is invalid, of another kind or names other bodies;
    /// [`try_set_joint`](Self::try_set_joint) returns the error instead.
    #[track_caller]
    pub fn set_joint(&mut self, id: JointId, def: impl Into<JointDef>) {
        demand(self.try_set_joint(id, def), "change the joint");
    }

    /// Changes the settings of a joint: see [`set_joint`](Self::set_joint).
    ///
    /// # Errors
    /// If `id` is stale, or `def` is invalid, of another kind or names other bodies. The joint is then
    /// unchanged.
    pub fn try_set_joint(
        &mut self,
        id: JointId,
        def: impl Into<JointDef>,
    ) -> Result<(), WorldError> {
        let slot = self.joints.slots.find(id);
        let slot = slot.ok_or(WorldError::NoSuchJoint(id))?;
        let def = def.into();
        if def == self.joints.slots[slot].def {
            return Ok(());
        }
        let (old, new) = (self.joints.slots[slot].def.base(), def.base());
        let same_kind =
            core::mem::discriminant(&self.joints.slots[slot].def) == core::mem::discriminant(&def);
        let same_bodies = (old.body_a, old.body_b) == (new.body_a, new.body_b);
        if !same_kind || !same_bodies {
            return Err(WorldError::OtherJoint(id));
        }
        def.validate()?;
        self.check_gear(&def)?;
        self.record(|_| Call::Joint {
            joint: id,
            call: JointCall::SetDef { def: Box::new(def) },
        });
        let old = self.joints.slots[slot].def.base();
        let collide = (old.collide_connected, def.base().collide_connected);
        self.joints.slots[slot].def = def;
        self.joints.sims[slot as usize].configure(&def);
        self.joints.update_traits(slot, &self.bodies);
        let [body_a, body_b] = self.joints.slots[slot].bodies();
        match collide {
            (true, false) => self.remove_contacts_between(body_a, body_b),
            (false, true) => self.pair_again(body_a),
            _ => {}
        }
        // Only gears act on bodies that the definition may change.
        if let JointDef::Gear(_) = def {
            self.update_joint_activity(slot);
        }
        self.wake_joint(slot);
        Ok(())
    }
}

/// Reads one joint.
#[derive(Clone, Copy, Debug)]
pub struct JointRef<'a> {
    pub(crate) world: &'a World,
    pub(crate) slot: u32,
}

impl<'a> JointRef<'a> {
    /// Returns the id of the joint.
    #[must_use]
    pub fn id(&self) -> JointId {
        self.world.joints.slots.id_at(self.slot)
    }

    /// Returns the definition.
    #[must_use]
    pub fn def(&self) -> &'a JointDef {
        &self.world.joints.slots[self.slot].def
    }

    /// Returns both bodies.
    #[must_use]
    pub fn bodies(&self) -> [BodyId; 2] {
        let bodies = self.world.joints.slots[self.slot].bodies();
        bodies.map(|slot| self.world.bodies.slots.id_at(slot))
    }

    /// Returns both anchors in the world \[m\]; a rigid joint holds them together.
    #[must_use]
    pub fn anchors(&self) -> [WorldPoint; 2] {
        let record = &self.world.joints.slots[self.slot];
        let base = record.def.base();
        let place =
            |body: u32, anchor: Point| self.world.bodies.poses[body as usize].to_world(anchor);
        [
            place(record.body_a, base.frame_a.anchor),
            place(record.body_b, base.frame_b.anchor),
        ]
    }

    fn sim(&self) -> &'a JointSim {
        &self.world.joints.sims[self.slot as usize]
    }

    /// Returns the load that the last step compared with the break limits: the mean force and torque over its
    /// substeps, on the second body. In an island that is solved directly it is that of the last substep.
    ///
    /// `None` for a joint that cannot break: its mean is not computed, see [`reaction`](Self::reaction).
    #[must_use]
    pub fn load(&self) -> Option<JointReaction> {
        let can_break = self.world.joints.traits[self.slot as usize].can_break;
        can_break.then(|| self.world.joints.load(self.slot))
    }

    /// Returns force and torque on the second body in the last step: the [`load`](Self::load) of a joint that can
    /// break, and for others that of the last substep.
    #[must_use]
    pub fn reaction(&self) -> JointReaction {
        self.world.joints.load(self.slot)
    }

    /// Returns the efforts of spring, motor and limit on the second body in the last substep, in this order: torques [N m] on an
    /// angle, forces \[N\] along an axis or a distance. `None` for a kind of joint that has none of them.
    ///
    /// Because they are separate, they tell what a motor does while it presses against a limit. The motor of a wheel
    /// acts on its spin, spring and limit on its suspension. An effort is positive toward a greater coordinate.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, Limit, Motor, RevoluteJointDef, ShapeDef, World};
    /// use cairn2d_geometry::Polygon;
    ///
    /// let mut world = World::default();
    /// let wall = world.create_body(BodyDef::static_());
    /// let flap = world.create_body(BodyDef::dynamic().position(1.0, 0.0));
    /// world.create_shape(flap, Polygon::rectangle(1.0, 0.1), ShapeDef::default().density(2.0)); // 0.8 kg
    /// let mut hinge = RevoluteJointDef::new(wall, flap).at(&world, (0.0, 0.0));
    /// (hinge.limit, hinge.motor) = (Some(Limit::new(0.0, 1.0)), Some(Motor::new(1.0, 3.0)));
    /// let hinge = world.create_joint(hinge);
    /// for _ in 0..30 {
    ///     world.step(1.0 / 60.0);
    /// }
    /// let [_, motor, limit] = world.joint(hinge).efforts().unwrap();
    /// assert!((motor - 3.0).abs() < 0.03 && (limit - 5.0).abs() < 0.05); // of 8 N m
    /// ```
    #[must_use]
    pub fn efforts(&self) -> Option<[f32; 3]> {
        self.sim().efforts()
    }

    /// Returns the mass that the joint's spring moves at the present poses, the effective mass of its translation \[kg\] or
    /// angle [kg m^2]; `None` for a joint without a spring on its coordinate. 0: neither body can move along it.
    ///
    /// [`Spring::of_stiffness`](crate::Spring::of_stiffness) makes a frequency of a stiffness with it.
    #[must_use]
    pub fn spring_mass(&self) -> Option<f32> {
        self.sim().spring_mass(&self.world.bodies)
    }

    /// Returns the angle of the second body's frame relative to the first's \[rad\]: unwrapped for a revolute
    /// joint, else in (-pi, pi].
    #[must_use]
    pub fn angle(&self) -> f32 {
        self.sim().angle(&self.world.bodies.poses)
    }

    /// Returns the angular velocity of the second body relative to the first [rad/s].
    #[must_use]
    pub fn angular_speed(&self) -> f32 {
        self.sim().angular_speed(&self.world.bodies.states)
    }

    /// Returns the offset of the second anchor from the first along the x axis of the first body's joint
    /// frame \[m\].
    #[must_use]
    pub fn translation(&self) -> f32 {
        self.sim().translation(&self.world.bodies.poses)
    }

    /// Returns the rate of the [`translation`](Self::translation) [m/s].
    #[must_use]
    pub fn translation_speed(&self) -> f32 {
        let bodies = &self.world.bodies;
        self.sim().translation_speed(&bodies.poses, &bodies.states)
    }

    /// Returns the distance between the anchors \[m\].
    #[must_use]
    pub fn length(&self) -> f32 {
        self.sim().length(&self.world.bodies.poses)
    }

    /// Returns by how much the rigid part of the joint is open at its anchors \[m\], not negative: how far
    /// the anchors are apart where the joint holds them together, off the axis of a slider or wheel, beside
    /// the length of a rod, or beyond the limit of a rope or pulley. 0 for springs, motors, gears and filters.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, RevoluteJointDef, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.create_body(BodyDef::static_());
    /// let door = world.create_body(BodyDef::dynamic().position(3.0, 4.0));
    /// let hinge = world.create_joint(RevoluteJointDef::new(wall, door));
    /// assert_eq!(world.joint(hinge).gap(), 5.0);
    /// ```
    #[must_use]
    pub fn gap(&self) -> f32 {
        let poses = &self.world.bodies.poses;
        self.sim().gap(self.def(), self.anchors(), poses)
    }

    /// Returns `true` unless the joint is disabled: see [`JointMut::disable`](crate::JointMut::disable). A
    /// body may be disabled nevertheless.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.sim().base.is_enabled()
    }

    /// Returns the user's number.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.def().base().user_data
    }
}
