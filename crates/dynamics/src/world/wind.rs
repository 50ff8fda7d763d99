//! Wind: drag and lift of a body's outline in moving air.

use crate::error::{ValueError, finite, not_negative};
use crate::world::access::ShapeMut;
use crate::world::{BodyMut, World};
use cairn2d_geometry::math::{PI, Point, Pose, Vec2, cross, cross_scalar, right_perp, sin_cos};

/// Points of an outline in wind. A ball's silhouette is exact with any even number; what is lost are facets of polygons that
/// turn by less than the angle between two.
const POINTS: usize = 32;

/// Moving air, and how much of it a body feels: plain data, reusable.
///
/// A facet of length L with the unit normal n that comes against the air with the relative velocity u, u . n < 0, gets the force
/// `density / 2 |u . n| L (drag u + lift |u| m)`, where m is the part of -n across u: the drag equation for the width
/// across the flow, and lift that is greatest at 45 degrees and none head-on [Hoerner65, ch. 3 and 21].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wind {
    /// Velocity of the air \[m/s\]; zero: still air that brakes.
    pub velocity: Vec2,
    /// Drag coefficient: the force along the flow. About 1.2 for a ball, 2 for a plate across the flow.
    pub drag: f32,
    /// Lift coefficient: the force across the flow on what stands at a slant to it.
    pub lift: f32,
    /// Mass of the air per area, as that of shapes [kg/m^2].
    pub density: f32,
    /// Greatest relative speed that counts [m/s]; infinite: no bound.
    pub max_speed: f32,
    /// Whether it wakes what sleeps; else that feels nothing.
    pub wakes: bool,
}

impl Wind {
    /// Starts a definition of air that moves with `velocity` [m/s]: drag coefficient 1, no lift, 1.2 kg/m^2, up to 30 m/s; it wakes.
    #[must_use]
    pub fn new(velocity: Vec2) -> Self {
        Self {
            velocity,
            drag: 1.0,
            lift: 0.0,
            density: 1.2,
            max_speed: 30.0,
            wakes: true,
        }
    }

    /// Sets the coefficients of drag and lift.
    #[must_use]
    pub fn coefficients(mut self, drag: f32, lift: f32) -> Self {
        self.drag = drag;
        self.lift = lift;
        self
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// Names the first that is not finite, or negative where that makes no sense. A negative lift points the other way; the
    /// greatest speed may be infinite.
    pub fn validate(&self) -> Result<(), ValueError> {
        finite("velocity.x", self.velocity.x)?;
        finite("velocity.y", self.velocity.y)?;
        not_negative("drag", self.drag)?;
        finite("lift", self.lift)?;
        not_negative("density", self.density)?;
        crate::error::limit("max_speed", self.max_speed)
    }

    /// Returns the force on a facet \[N\] of length and outward direction `out` \[m\] (its normal times its length) in air that comes
    /// with the relative velocity `flow` [m/s].
    fn force_on(&self, out: Vec2, flow: Vec2) -> Vec2 {
        let speed = flow.norm();
        let width = -out.dot(&flow);
        if width <= 0.0 || speed <= 0.0 {
            return Vec2::zeros();
        }
        // Of what is faster only the bound counts.
        let share = (self.max_speed / speed).min(1.0);
        let (flow, speed) = (flow * share, speed * share);
        let along = flow / speed;
        let inward = -out.normalize();
        let across = inward - along * inward.dot(&along);
        (0.5 * self.density * width * share) * (self.drag * flow + self.lift * speed * across)
    }
}

impl World {
    /// Applies wind to a shape of a dynamic body.
    fn blow_at(&mut self, slot: u32, wind: &Wind) {
        let shape = &self.shapes.slots[slot];
        let body = shape.body;
        if shape.sensor || !self.bodies.is_dynamic(body) || self.bodies.slots[body].disabled {
            return;
        }
        if !self.bodies.awake.contains(body) && !wind.wakes {
            return;
        }
        let (pose, state) = (
            &self.bodies.poses[body as usize],
            &self.bodies.states[body as usize],
        );
        let bounds = shape.geometry.aabb(&Pose::identity());
        let middle = pose.rotate(bounds.center().coords - pose.local_center);
        let flow_at =
            |arm: Vec2| wind.velocity - state.velocity - cross_scalar(state.angular_velocity, &arm);
        let flow = flow_at(middle);
        let ahead = flow.try_normalize(0.0).unwrap_or(Vec2::x());
        let across = right_perp(&ahead);
        let arm = |k: usize| {
            let (s, c) = sin_cos(2.0 * PI * (k % POINTS) as f32 / POINTS as f32);
            let direction = across * c + ahead * s;
            let local: Point = shape.geometry.support(&pose.unrotate(direction));
            pose.rotate(local.coords - pose.local_center)
        };
        let (mut force, mut torque) = (Vec2::zeros(), 0.0);
        let mut from = arm(0);
        for k in 1..=POINTS {
            let to = arm(k);
            // The outline runs counter-clockwise: what is right of it is out.
            let (out, place) = (right_perp(&(to - from)), 0.5 * (from + to));
            let push = wind.force_on(out, flow_at(place));
            force += push;
            torque += cross(&place, &push);
            from = to;
        }
        if force == Vec2::zeros() && torque == 0.0 {
            return;
        }
        let share = self.share_within_a_step(body, force, flow);
        self.wake_body(body);
        let motion = &mut self.bodies.motions[body as usize];
        motion.force += share * force;
        motion.torque += share * torque;
    }

    /// Returns the share of a force by which a step as long as the last one takes no more than all of the relative velocity
    /// `flow` [m/s]: what is very light is carried along, and not thrown back and forth.
    fn share_within_a_step(&self, body: u32, force: Vec2, flow: Vec2) -> f32 {
        let dt = self.history.last_dt();
        let change = dt * self.bodies.masses[body as usize].inv_mass * force.norm();
        if change > flow.norm() {
            flow.norm() / change
        } else {
            1.0
        }
    }
}

impl ShapeMut<'_> {
    /// Pushes the body of the shape during the next step as wind does that blows on this shape alone, and wakes it if the wind
    /// does: see [`BodyMut::apply_wind`].
    ///
    /// # Panics
    /// If `wind` holds nonsense: see [`Wind::validate`].
    #[track_caller]
    pub fn apply_wind(&mut self, wind: &Wind) {
        demand(wind);
        self.world.blow_at(self.slot, wind);
    }
}

impl BodyMut<'_> {
    /// Pushes a dynamic body during the next step as wind does that blows on each of its shapes, sensors left out, and wakes it if
    /// the wind does. What stands between is no shelter, not even another shape of the body. Like a force it is forgotten after the step:
    /// apply it before each.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, Wind, World, WorldDef};
    /// use cairn2d_geometry::Polygon;
    /// use cairn2d_geometry::math::vec2;
    ///
    /// let mut world = World::new(WorldDef::weightless());
    /// let leaf = world.create_body(BodyDef::dynamic());
    /// world.create_shape(leaf, Polygon::rectangle(0.05, 0.5).unwrap(), ShapeDef::default());
    /// for _ in 0..600 {
    ///     world.body_mut(leaf).apply_wind(&Wind::new(vec2(3.0, 0.0)));
    ///     world.step(1.0 / 60.0);
    /// }
    /// // It drifts with the air.
    /// assert!((world.body(leaf).velocity().x - 3.0).abs() < 0.1);
    /// ```
    ///
    /// # Panics
    /// If `wind` holds nonsense: see [`Wind::validate`].
    #[track_caller]
    pub fn apply_wind(&mut self, wind: &Wind) {
        demand(wind);
        for i in 0..self.world.bodies.slots[self.slot].shapes.len() {
            let shape = self.world.bodies.slots[self.slot].shapes[i];
            self.world.blow_at(shape, wind);
        }
    }
}

/// Panics if the wind holds nonsense.
#[track_caller]
fn demand(wind: &Wind) {
    if let Err(error) = wind.validate() {
        panic!("cannot apply wind: {error}");
    }
}
