//! Fluids: buoyancy and drag on the submerged parts of bodies [Archimedes].

use crate::body::def::check_position;
use crate::body::state::{BodyMass, BodyPose, BodyState};
use crate::error::{ValueError, demand, finite, not_negative};
use crate::material::QueryFilter;
use crate::world::access::BodyRef;
use crate::world::record::call::BodyCall;
use crate::world::{BodyMut, World};
use cairn2d_geometry::math::{Vec2, WorldPoint, cross, sin_cos};
use cairn2d_geometry::{Aabb, IntoVec2};

/// Difference of the length of the surface's normal from 1 that counts as rounding.
const UNIT_TOLERANCE: f64 = 1.0e-3;

/// Assumed length of the first step, which is not known before it \[s\].
const FIRST_STEP: f32 = 1.0 / 60.0;

/// A fluid below a straight surface: plain data, reusable.
///
/// The part of a body below the surface, with the area A and the centroid c, displaces the mass `m = density * A`.
/// The body gets the buoyancy `-m * gravity` and the drag `m * linear_drag * (velocity - v(c))`, both at c, and a
/// torque against its spin. Areas and centroids are exact for all shapes, so a resting body floats at the depth of
/// Archimedes' principle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fluid {
    /// Point of the surface in the world \[m\].
    pub surface: WorldPoint,
    /// Unit vector out of the fluid.
    pub up: Vec2,
    /// Mass per area, like the density of shapes [kg/m^2].
    pub density: f32,
    /// Rate at which a submerged body as dense as the fluid takes on its velocity [1/s].
    pub linear_drag: f32,
    /// Rate at which the spin of a submerged body as dense as the fluid decays [1/s].
    pub angular_drag: f32,
    /// Velocity of the flow [m/s].
    pub velocity: Vec2,
    /// Box in the world to which the fluid is confined \[m\]: it acts on a body if the centroid of the submerged
    /// part is inside.
    pub bounds: Option<Aabb>,
    /// Filter of the shapes on which it acts; only solid shapes on dynamic bodies count.
    pub filter: QueryFilter<'static>,
    /// `true` wakes sleeping bodies in the fluid, for steps in which surface or flow change; `false` has no effect
    /// on them.
    pub wakes: bool,
}

impl Fluid {
    /// Starts a definition of a fluid below the height of `surface` \[m\], with a density [kg/m^2]: drag rates of
    /// 1/s, at rest, unbounded, acting on awake bodies.
    #[must_use]
    pub fn new(surface: impl Into<WorldPoint>, density: f32) -> Self {
        Self {
            surface: surface.into(),
            up: Vec2::new(0.0, 1.0),
            density,
            linear_drag: 1.0,
            angular_drag: 1.0,
            velocity: Vec2::new(0.0, 0.0),
            bounds: None,
            filter: QueryFilter::default(),
            wakes: false,
        }
    }

    /// Sets the rates of linear and angular drag [1/s].
    #[must_use]
    pub fn drag(mut self, linear: f32, angular: f32) -> Self {
        self.linear_drag = linear;
        self.angular_drag = angular;
        self
    }

    /// Sets the velocity of the flow [m/s].
    #[must_use]
    pub fn flow(mut self, velocity: impl IntoVec2) -> Self {
        self.velocity = velocity.into_vec2();
        self
    }

    /// Confines the fluid to a box in the world \[m\].
    #[must_use]
    pub fn within(mut self, bounds: Aabb) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// Names the first field that is not finite, negative where it must not be, or outside of the world, and a
    /// normal that is no unit vector.
    pub fn validate(&self) -> Result<(), ValueError> {
        check_position("surface", self.surface)?;
        let length = f64::from(self.up.norm());
        let (min, max) = (1.0 - UNIT_TOLERANCE, 1.0 + UNIT_TOLERANCE);
        if !(min..=max).contains(&length) {
            return Err(ValueError::OutOfRange {
                name: "length of up",
                value: length,
                min,
                max,
            });
        }
        not_negative("density", self.density)?;
        not_negative("linear_drag", self.linear_drag)?;
        not_negative("angular_drag", self.angular_drag)?;
        finite("velocity.x", self.velocity.x)?;
        finite("velocity.y", self.velocity.y)
    }
}

/// The submerged part of a body, all of its shapes together.
#[derive(Clone, Copy, Debug)]
struct SubmergedPart {
    /// \[m^2\].
    area: f32,
    /// From the center of mass to the centroid, in the world \[m\].
    arm: Vec2,
}

/// Force at the center of mass \[N\] and torque [N m].
struct FluidPush {
    force: Vec2,
    torque: f32,
}

/// The forces of a submerged part on its body.
struct FluidResponse<'a> {
    fluid: &'a Fluid,
    part: SubmergedPart,
    /// Mass of the displaced fluid \[kg\].
    displaced: f32,
    /// \[N\].
    buoyancy: Vec2,
    /// Weight of the fluid per area [N/m^2].
    pressure: f32,
}

impl<'a> FluidResponse<'a> {
    fn new(fluid: &'a Fluid, part: SubmergedPart, gravity: Vec2) -> Self {
        let displaced = fluid.density * part.area;
        Self {
            fluid,
            part,
            displaced,
            buoyancy: gravity * -displaced,
            pressure: fluid.density * gravity.norm(),
        }
    }

    /// Returns the force and torque in a step of `dt` \[s\], on a body that falls with `gravity` [m/s^2].
    ///
    /// Damping and restoring forces that are so strong that a step would go past the balance are reduced, and the
    /// weight with them: where they balance, nothing changes.
    fn push(
        &self,
        state: &BodyState,
        mass: &BodyMass,
        gravity: Vec2,
        extent: f32,
        dt: f32,
    ) -> FluidPush {
        let (arm, breadth) = (self.part.arm, 2.0 * extent);
        let drag_rate = self.displaced * self.fluid.linear_drag;
        let drag = (self.fluid.velocity - state.velocity_at(arm)) * drag_rate;
        let yielding = mass.inv_mass + arm.norm_squared() * mass.inv_inertia;
        // The restoring force of a body that dips is pressure times the length of the surface in it.
        let stiffness = self.pressure * breadth * mass.inv_mass;
        let share = stable_share(drag_rate * yielding, stiffness, dt);
        let weight = gravity / mass.inv_mass;
        let lift = self.buoyancy + drag;
        let force = (lift + weight) * share - weight;
        if mass.inv_inertia == 0.0 {
            return FluidPush { force, torque: 0.0 };
        }
        let spin_rate = self.displaced * mass.inv_mass * self.fluid.angular_drag;
        let spin_drag = spin_rate * state.angular_velocity / mass.inv_inertia;
        // Stiffness of a body that tips: pressure times the second moment of this length.
        let stiffness = self.pressure * breadth * breadth * breadth / 12.0 * mass.inv_inertia;
        let rate = spin_rate + drag_rate * yielding;
        FluidPush {
            force,
            torque: (cross(&arm, &lift) - spin_drag) * stable_share(rate, stiffness, dt),
        }
    }
}

/// Returns the share of a force with which a step of `dt` \[s\] neither turns a velocity around that decays at the
/// `rate` [1/s], nor lets an oscillation of the square `stiffness` [1/s^2] of its angular frequency grow: the bounds
/// are `rate dt = 1` and, for a force half a step ahead, `stiffness dt^2 = 4`.
fn stable_share(rate: f32, stiffness: f32, dt: f32) -> f32 {
    1.0 / (rate * dt + 0.25 * stiffness * dt * dt).max(1.0)
}

impl World {
    /// Applies buoyancy and drag to all dynamic bodies in the fluid during the next step. Like a force, the fluid
    /// lasts for one step: apply it before each. Where shapes of one body overlap, both displace the fluid.
    ///
    /// A floating body falls asleep when it is almost at rest. It then stays where it is, until something wakes it.
    ///
    /// A force beyond the range of `f32` is not applied.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, Fluid, Locks, ShapeDef, World};
    /// use cairn2d_geometry::Polygon;
    ///
    /// let mut world = World::default();
    /// let raft = world.create_body(BodyDef { locks: Locks::ROTATION, ..BodyDef::dynamic() });
    /// world.create_shape(raft, Polygon::rectangle(2.0, 0.5), ShapeDef::default().density(0.6));
    ///
    /// let water = Fluid::new((0.0, 0.0), 1.0).drag(4.0, 4.0);
    /// for _ in 0..600 {
    ///     world.apply_fluid(&water);
    ///     world.step(1.0 / 60.0);
    /// }
    /// // 0.6 of its height of 1 m is below the surface.
    /// assert!((world.body(raft).position().y + 0.1).abs() < 0.0006);
    /// ```
    ///
    /// # Panics
    /// If a number of `fluid` is invalid; [`try_apply_fluid`](Self::try_apply_fluid) returns the error instead.
    #[track_caller]
    pub fn apply_fluid(&mut self, fluid: &Fluid) {
        demand(self.try_apply_fluid(fluid), "apply the fluid");
    }

    /// Like [`apply_fluid`](Self::apply_fluid), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number of `fluid` is invalid: see [`Fluid::validate`].
    pub fn try_apply_fluid(&mut self, fluid: &Fluid) -> Result<(), ValueError> {
        fluid.validate()?;
        let bodies: Vec<u32> = if fluid.wakes {
            self.bodies.slots.iter().map(|(slot, _)| slot).collect()
        } else {
            self.bodies.awake.iter().collect()
        };
        for slot in bodies {
            self.apply_fluid_to(slot, fluid);
        }
        Ok(())
    }

    /// Applies the fluid to the body in `slot`, if it is dynamic, enabled, has mass and is submerged.
    fn apply_fluid_to(&mut self, slot: u32, fluid: &Fluid) {
        let mass = self.bodies.masses[slot as usize];
        let is_awake = self.bodies.awake.contains(slot);
        if self.bodies.slots[slot].disabled || mass.inv_mass == 0.0 || !(is_awake || fluid.wakes) {
            return;
        }
        // Half a step ahead: with a force from the start of the step, a bobbing body would gain energy.
        let last_dt = self.history.last_dt();
        let dt = if last_dt > 0.0 { last_dt } else { FIRST_STEP };
        let ahead = 0.5 * dt;
        let pose = self.pose_after(slot, ahead);
        let Some(part) = self.submerged_part(slot, &pose, fluid) else {
            return;
        };
        let response = FluidResponse::new(fluid, part, self.def.gravity);
        let push = response.push(
            &self.bodies.states[slot as usize],
            &mass,
            self.def.gravity * self.bodies.motions[slot as usize].gravity_scale,
            self.bodies.tracks[slot as usize].max_extent,
            dt,
        );
        let (force, torque) = (push.force, push.torque);
        // A product of absurd numbers: no body can follow such a force.
        if [force.x, force.y, torque]
            .iter()
            .all(|part| part.is_finite())
        {
            BodyMut { world: self, slot }.apply_fluid_force(force, torque);
        }
    }

    /// Returns the pose of a body that keeps its velocities for `time` \[s\].
    fn pose_after(&self, slot: u32, time: f32) -> BodyPose {
        let (pose, state) = (
            self.bodies.poses[slot as usize],
            self.bodies.states[slot as usize],
        );
        let (s, c) = sin_cos(state.angular_velocity * time);
        let (x, y) = (pose.rotation.x, pose.rotation.y);
        BodyPose {
            center: pose.center + state.velocity * time,
            rotation: Vec2::new(c * x - s * y, s * x + c * y),
            local_center: pose.local_center,
        }
    }

    /// Returns the submerged part of a body at `pose`, `None` if it is empty or outside of the bounds of the fluid.
    fn submerged_part(&self, slot: u32, pose: &BodyPose, fluid: &Fluid) -> Option<SubmergedPart> {
        let scene = self.query_scene();
        let up = fluid.up.normalize();
        let depth = (fluid.surface - pose.center).dot(&up);
        let normal = pose.unrotate(up);
        let offset = depth + normal.dot(&pose.local_center);
        let (mut area, mut moment) = (0.0, Vec2::zeros());
        for &shape in &self.bodies.slots[slot].shapes {
            let Some(shape) = scene.visible_shape(shape, fluid.filter) else {
                continue;
            };
            if shape.sensor || !shape.is_enabled() {
                continue;
            }
            let part = shape.geometry.area_behind(&normal, offset);
            area += part.area;
            moment += (part.centroid.coords - pose.local_center) * part.area;
        }
        if area <= 0.0 {
            return None;
        }
        let arm = pose.rotate(moment / area);
        let place = (pose.center + arm).to_point();
        let is_inside = fluid
            .bounds
            .is_none_or(|bounds| bounds.contains_point(&place));
        is_inside.then_some(SubmergedPart { area, arm })
    }
}

impl BodyMut<'_> {
    /// Applies the force [N] and torque [N m] of a fluid. Wakes a body that sleeps; an awake body may fall asleep.
    pub(crate) fn apply_fluid_force(&mut self, force: Vec2, torque: f32) {
        self.record(|| BodyCall::ApplyFluidForce { force, torque });
        if !self.world.bodies.awake.contains(self.slot) {
            self.world.wake_body(self.slot);
        }
        let motion = &mut self.world.bodies.motions[self.slot as usize];
        motion.force += force;
        motion.torque += torque;
    }

    /// Applies buoyancy and drag to this body alone during the next step: see [`World::apply_fluid`].
    ///
    /// # Panics
    /// If a number of `fluid` is invalid; [`try_apply_fluid`](Self::try_apply_fluid) returns the error instead.
    #[track_caller]
    pub fn apply_fluid(&mut self, fluid: &Fluid) {
        demand(self.try_apply_fluid(fluid), "apply the fluid");
    }

    /// Like [`apply_fluid`](Self::apply_fluid), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number of `fluid` is invalid: see [`Fluid::validate`].
    pub fn try_apply_fluid(&mut self, fluid: &Fluid) -> Result<(), ValueError> {
        fluid.validate()?;
        self.world.apply_fluid_to(self.slot, fluid);
        Ok(())
    }
}

impl BodyRef<'_> {
    /// Returns the share of the area of the body's solid shapes that is in `fluid`, from 0 to 1; 0 without area.
    ///
    /// # Panics
    /// If a number of `fluid` is invalid; [`try_submerged_share`](Self::try_submerged_share) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn submerged_share(&self, fluid: &Fluid) -> f32 {
        demand(self.try_submerged_share(fluid), "measure the share")
    }

    /// Like [`submerged_share`](Self::submerged_share), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number of `fluid` is invalid: see [`Fluid::validate`].
    pub fn try_submerged_share(&self, fluid: &Fluid) -> Result<f32, ValueError> {
        fluid.validate()?;
        let pose = self.world.bodies.poses[self.slot as usize];
        let Some(part) = self.world.submerged_part(self.slot, &pose, fluid) else {
            return Ok(0.0);
        };
        let solid = self
            .shapes()
            .filter(|shape| !shape.is_sensor() && shape.is_enabled());
        let whole: f32 = solid.map(|shape| shape.geometry().mass(1.0).mass).sum();
        Ok((part.area / whole).min(1.0))
    }
}
