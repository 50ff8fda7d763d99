//! Wind: drag and lift on the outlines of shapes in moving air [Hoerner65, ch. 3 and 21].

use crate::error::{ValueError, demand, finite, not_negative};
use crate::world::access::ShapeMut;
use crate::world::record::call::{BodyCall, ShapeCall};
use crate::world::{BodyMut, World};
use cairn2d_geometry::math::{PI, Point, Pose, Vec2, cross, cross_scalar, right_perp, sin_cos};
use cairn2d_geometry::{IntoVec2, save_record};

/// Number of points on the outline of a shape in wind. The silhouette of a disc is exact with any even
/// number; facets of polygons that turn by less than the angle between two points are merged.
const OUTLINE_POINTS: usize = 32;

/// Moving air and its effect on a body: plain data, reusable.
///
/// A facet of length L with the outward unit normal n in air of the relative velocity u, u . n < 0, gets the
/// force `density / 2 |u . n| L (drag u + lift |u| m)`, where m is the part of -n across u: the drag equation
/// for the projected width, and a lift that is greatest at 45 degrees and zero head-on [Hoerner65, ch. 3 and
/// 21].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wind {
    /// Velocity of the air [m/s]; zero is still air, which slows bodies down.
    pub velocity: Vec2,
    /// Drag coefficient: force along the flow. About 1.2 for a disc, 2 for a plate across the flow.
    pub drag: f32,
    /// Lift coefficient: force across the flow on facets at a slant to it.
    pub lift: f32,
    /// Mass per area of the air, like the density of shapes [kg/m^2].
    pub density: f32,
    /// Maximum relative speed [m/s], to which faster flow is reduced; infinite: no limit.
    pub max_speed: f32,
    /// `true` wakes sleeping bodies; `false` has no effect on them.
    pub wakes: bool,
}

save_record!(Wind {
    velocity,
    drag,
    lift,
    density,
    max_speed,
    wakes,
});

impl Wind {
    /// Starts a definition of air with `velocity` [m/s]: drag coefficient 1, no lift, density 1.2 kg/m^2,
    /// speed up to 30 m/s, waking.
    #[must_use]
    pub fn new(velocity: impl IntoVec2) -> Self {
        Self {
            velocity: velocity.into_vec2(),
            drag: 1.0,
            lift: 0.0,
            density: 1.2,
            max_speed: 30.0,
            wakes: true,
        }
    }

    /// Sets the drag and the lift coefficient.
    #[must_use]
    pub fn coefficients(mut self, drag: f32, lift: f32) -> Self {
        self.drag = drag;
        self.lift = lift;
        self
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// Names the first field that is not finite, or negative where it must not be. A negative lift acts in
    /// the opposite direction; the maximum speed may be infinite.
    pub fn validate(&self) -> Result<(), ValueError> {
        finite("velocity.x", self.velocity.x)?;
        finite("velocity.y", self.velocity.y)?;
        not_negative("drag", self.drag)?;
        finite("lift", self.lift)?;
        not_negative("density", self.density)?;
        crate::error::limit("max_speed", self.max_speed)
    }

    /// Returns the force \[N\] on a facet with the outward normal times its length `out` \[m\], in air of the
    /// relative velocity `flow` [m/s].
    fn force_on_facet(&self, out: Vec2, flow: Vec2) -> Vec2 {
        let speed = flow.norm();
        let width = -out.dot(&flow);
        if width <= 0.0 || speed <= 0.0 {
            return Vec2::zeros();
        }
        // Flow above the maximum speed counts as flow at that speed.
        let share = (self.max_speed / speed).min(1.0);
        let (flow, speed) = (flow * share, speed * share);
        let along = flow / speed;
        let inward = -out.normalize();
        let across = inward - along * inward.dot(&along);
        (0.5 * self.density * width * share) * (self.drag * flow + self.lift * speed * across)
    }
}

impl World {
    /// Applies wind to the shape in `slot`, if it is a solid shape of an enabled dynamic body.
    fn apply_wind_to_shape(&mut self, slot: u32, wind: &Wind) {
        let shape = &self.shapes.slots[slot];
        let body = shape.body;
        let is_exposed = shape.is_enabled() && !shape.sensor;
        if !is_exposed || !self.bodies.is_dynamic(body) || self.bodies.slots[body].disabled {
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
        let center = pose.rotate(bounds.center().coords - pose.local_center);
        let flow_at =
            |arm: Vec2| wind.velocity - state.velocity - cross_scalar(state.angular_velocity, &arm);
        let flow = flow_at(center);
        let ahead = flow.try_normalize(0.0).unwrap_or(Vec2::x());
        let across = right_perp(&ahead);
        let arm = |k: usize| {
            let (s, c) = sin_cos(2.0 * PI * (k % OUTLINE_POINTS) as f32 / OUTLINE_POINTS as f32);
            let direction = across * c + ahead * s;
            let local: Point = shape.geometry.support(&pose.unrotate(direction));
            pose.rotate(local.coords - pose.local_center)
        };
        let (mut force, mut torque) = (Vec2::zeros(), 0.0);
        let mut from = arm(0);
        for k in 1..=OUTLINE_POINTS {
            let to = arm(k);
            // The outline runs counter-clockwise: its right side is the outside.
            let (out, place) = (right_perp(&(to - from)), 0.5 * (from + to));
            let push = wind.force_on_facet(out, flow_at(place));
            force += push;
            torque += cross(&place, &push);
            from = to;
        }
        if force == Vec2::zeros() && torque == 0.0 {
            return;
        }
        let share = self.stable_force_share(body, force, flow);
        self.wake_body(body);
        let motion = &mut self.bodies.motions[body as usize];
        motion.force += share * force;
        motion.torque += share * torque;
    }

    /// Returns the share of a force with which a step as long as the last one changes the velocity by at most
    /// `flow` [m/s]. Without it, very light bodies oscillate against the wind.
    fn stable_force_share(&self, body: u32, force: Vec2, flow: Vec2) -> f32 {
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
    /// Applies wind to this shape alone during the next step, and wakes the body if the wind wakes: see
    /// [`BodyMut::apply_wind`].
    ///
    /// # Panics
    /// If a number of `wind` is invalid: see [`Wind::validate`];
    /// [`try_apply_wind`](Self::try_apply_wind) returns the error instead.
    #[track_caller]
    pub fn apply_wind(&mut self, wind: &Wind) {
        demand(self.try_apply_wind(wind), "apply wind");
    }

    /// Like [`apply_wind`](Self::apply_wind), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number of `wind` is invalid: see [`Wind::validate`].
    pub fn try_apply_wind(&mut self, wind: &Wind) -> Result<(), ValueError> {
        wind.validate()?;
        self.record(|| ShapeCall::ApplyWind { wind: *wind });
        self.world.apply_wind_to_shape(self.slot, wind);
        Ok(())
    }
}

impl BodyMut<'_> {
    /// Applies wind to the solid shapes of a dynamic body during the next step, and wakes the body if the
    /// wind wakes. Nothing shields a shape from the wind, not even another shape of the body. Like a force,
    /// the wind lasts for one step: apply it before each.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, Wind, World, WorldDef};
    /// use cairn2d_geometry::Polygon;
    /// use cairn2d_geometry::math::vec2;
    ///
    /// let mut world = World::new(WorldDef::weightless());
    /// let leaf = world.create_body(BodyDef::dynamic());
    /// world.create_shape(leaf, Polygon::rectangle(0.05, 0.5), ShapeDef::default());
    /// for _ in 0..600 {
    ///     world.body_mut(leaf).apply_wind(&Wind::new(vec2(3.0, 0.0)));
    ///     world.step(1.0 / 60.0);
    /// }
    /// // The leaf drifts with the air.
    /// assert!((world.body(leaf).velocity().x - 3.0).abs() < 0.1);
    /// ```
    ///
    /// # Panics
    /// If a number of `wind` is invalid: see [`Wind::validate`];
    /// [`try_apply_wind`](Self::try_apply_wind) returns the error instead.
    #[track_caller]
    pub fn apply_wind(&mut self, wind: &Wind) {
        demand(self.try_apply_wind(wind), "apply wind");
    }

    /// Like [`apply_wind`](Self::apply_wind), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number of `wind` is invalid: see [`Wind::validate`].
    pub fn try_apply_wind(&mut self, wind: &Wind) -> Result<(), ValueError> {
        wind.validate()?;
        self.record(|| BodyCall::ApplyWind { wind: *wind });
        for i in 0..self.world.bodies.slots[self.slot].shapes.len() {
            let shape = self.world.bodies.slots[self.slot].shapes[i];
            self.world.apply_wind_to_shape(shape, wind);
        }
        Ok(())
    }
}
