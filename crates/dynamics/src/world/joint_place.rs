//! Joint definitions from world points instead of points in the bodies' frames.

use crate::joint::{
    DistanceJointDef, JointBaseDef, MotorJointDef, MouseJointDef, PrismaticJointDef,
    RevoluteJointDef, WeldJointDef, WheelJointDef,
};
use crate::world::World;
use cairn2d_geometry::IntoVec2;
use cairn2d_geometry::math::{WorldPoint, atan2};

impl World {
    /// Sets the frames of `base` to hold its bodies in their present poses at `point`, with x axes along
    /// `angle`.
    #[track_caller]
    fn place(&self, base: &mut JointBaseDef, point: impl Into<WorldPoint>, angle: f32) {
        let frames = self.joint_frames(base.body_a, base.body_b, point, angle);
        [base.frame_a, base.frame_b] = frames;
    }
}

impl RevoluteJointDef {
    /// Sets the pin to `point` of the world \[m\]; the angle is 0 in the present poses.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, RevoluteJointDef, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.create_body(BodyDef::static_());
    /// let door = world.create_body(BodyDef::dynamic().position(1.0, 0.0).angle(0.5));
    /// let hinge = world.create_joint(RevoluteJointDef::new(wall, door).at(&world, (0.5, 0.0)));
    /// assert!(world.joint(hinge).angle().abs() < 1.0e-6 && world.joint(hinge).length() < 1.0e-6);
    /// ```
    ///
    /// # Panics
    /// If a body is stale.
    #[must_use]
    #[track_caller]
    pub fn at(mut self, world: &World, point: impl Into<WorldPoint>) -> Self {
        world.place(&mut self.base, point, 0.0);
        self
    }
}

impl WeldJointDef {
    /// Holds the bodies in their present poses, at `point` of the world \[m\].
    ///
    /// # Panics
    /// If a body is stale.
    #[must_use]
    #[track_caller]
    pub fn at(mut self, world: &World, point: impl Into<WorldPoint>) -> Self {
        world.place(&mut self.base, point, 0.0);
        self
    }
}

impl PrismaticJointDef {
    /// Sets the slider through `point` of the world \[m\] along `axis`, whose length does not matter; the
    /// translation is 0 in the present poses.
    ///
    /// # Panics
    /// If a body is stale.
    #[must_use]
    #[track_caller]
    pub fn at(mut self, world: &World, point: impl Into<WorldPoint>, axis: impl IntoVec2) -> Self {
        let axis = axis.into_vec2();
        world.place(&mut self.base, point, atan2(axis.y, axis.x));
        self
    }
}

impl WheelJointDef {
    /// Sets the axle to `point` of the world \[m\], sprung along `axis`, whose length does not matter.
    ///
    /// # Panics
    /// If a body is stale.
    #[must_use]
    #[track_caller]
    pub fn at(mut self, world: &World, point: impl Into<WorldPoint>, axis: impl IntoVec2) -> Self {
        let axis = axis.into_vec2();
        world.place(&mut self.base, point, atan2(axis.y, axis.x));
        self
    }
}

impl DistanceJointDef {
    /// Ties A at `point_a` and B at `point_b` of the world \[m\]; the length becomes their distance.
    ///
    /// # Panics
    /// If a body is stale.
    #[must_use]
    #[track_caller]
    pub fn between(
        mut self,
        world: &World,
        point_a: impl Into<WorldPoint>,
        point_b: impl Into<WorldPoint>,
    ) -> Self {
        let (point_a, point_b) = (point_a.into(), point_b.into());
        self.base.frame_a.anchor = world.body(self.base.body_a).to_local(point_a);
        self.base.frame_b.anchor = world.body(self.base.body_b).to_local(point_b);
        self.length = (point_b - point_a).norm();
        self
    }
}

impl MouseJointDef {
    /// Attaches to B at `point` of the world \[m\], which is the first target.
    ///
    /// # Panics
    /// If a body is stale.
    #[must_use]
    #[track_caller]
    pub fn at(mut self, world: &World, point: impl Into<WorldPoint>) -> Self {
        world.place(&mut self.base, point, 0.0);
        self
    }
}

impl MotorJointDef {
    /// Sets the target to the present pose of B relative to A, with anchors at `point` of the world \[m\].
    ///
    /// # Panics
    /// If a body is stale.
    #[must_use]
    #[track_caller]
    pub fn at(mut self, world: &World, point: impl Into<WorldPoint>) -> Self {
        world.place(&mut self.base, point, 0.0);
        self
    }
}
