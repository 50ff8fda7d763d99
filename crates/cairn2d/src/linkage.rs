//! Equations of motion of a linkage in the coordinates of its joints: mass matrix, bias forces, inverse dynamics.

use cairn2d_dynamics::{BodyId, BodyKind, JointDef, JointId, JointRef, ValueError, World};
use cairn2d_geometry::math::{Vec2, WorldPoint, rotation, vec2};
use nalgebra::Vector2;
use thiserror::Error;

/// A tree of bodies that joints connect to a base, for control by its equations of motion.
///
/// With the coordinates q of the joints, their speeds v and accelerations a, the mass matrix M, the bias forces h (gravity and
/// the forces that keep a moving linkage at constant speeds) and the efforts f:
///
/// `M(q) a + h(q, v) = f`
///
/// Coordinates are the angle of a revolute joint \[rad\], the translation of a prismatic joint \[m\], and translation and angle
/// of a wheel; a weld has none. They stand in the order of the joints. A dynamic base adds three before them: the place of its
/// center of mass, x and y, and its angle.
///
/// All methods read the present state of the world. Damping, the [drag](crate::Tuning::linkage_drag) of linkages of more than
/// four bodies, springs, motors, contacts, applied forces and other joints are not part of the equations, and joints that are a
/// little open count as closed. Numbers are `f64` from a state in `f32`, whose rounding is about 1e-6 of them.
///
/// ```
/// use cairn2d::Linkage;
/// use cairn2d::prelude::*;
///
/// let mut world = World::default();
/// let base = world.create_body(BodyDef::static_());
/// let arm = world.create_body(BodyDef::dynamic().position(1.0, 0.0));
/// world.create_shape(arm, Circle::of_radius(0.1), ShapeDef::default());
/// let hinge = world.create_joint(RevoluteJointDef::new(base, arm).at(&world, (0.0, 0.0)));
///
/// let linkage = Linkage::new(&world, base, &[hinge]).unwrap();
/// let torque = linkage.inverse_dynamics(&world, &[2.0])[0]; // for 2 rad/s^2, against gravity
/// linkage.apply_efforts(&mut world, &[torque]);
/// world.step(1.0e-3);
/// assert!((world.joint(hinge).angular_speed() - 2.0e-3).abs() < 1.0e-5);
/// ```
#[derive(Clone, Debug)]
pub struct Linkage {
    base: BodyId,
    is_floating: bool,
    /// A link comes after that which carries it.
    links: Vec<Link>,
    count: usize,
}

/// A body of the tree and the joint that carries it.
#[derive(Clone, Copy, Debug)]
struct Link {
    body: BodyId,
    joint: JointId,
    kind: LinkKind,
    /// Place of the link that carries it; `None` for the base.
    parent: Option<usize>,
    /// Its first coordinate.
    first: usize,
    /// 1 if it is the second body of the joint, else -1.
    sign: f64,
}

/// What a joint lets its bodies do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkKind {
    Turns,
    Slides,
    SlidesAndTurns,
    Holds,
}

impl LinkKind {
    fn of(def: &JointDef) -> Option<Self> {
        match def {
            JointDef::Revolute(_) => Some(Self::Turns),
            JointDef::Prismatic(_) => Some(Self::Slides),
            JointDef::Wheel(_) => Some(Self::SlidesAndTurns),
            JointDef::Weld(_) => Some(Self::Holds),
            _ => None,
        }
    }

    const fn slides(self) -> bool {
        matches!(self, Self::Slides | Self::SlidesAndTurns)
    }

    const fn turns(self) -> bool {
        matches!(self, Self::Turns | Self::SlidesAndTurns)
    }

    /// Number of coordinates.
    fn count(self) -> usize {
        usize::from(self.slides()) + usize::from(self.turns())
    }
}

/// The reason that bodies and joints do not form a linkage.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkageError {
    /// The body is stale or foreign.
    #[error("there is no body {0:?}")]
    NoSuchBody(BodyId),
    /// The joint is stale or foreign.
    #[error("there is no joint {0:?}")]
    NoSuchJoint(JointId),
    /// The joint is not of a kind that a linkage can have.
    #[error("{0:?} is no revolute, prismatic, wheel or weld joint")]
    Kind(JointId),
    /// Neither body of the joint is connected to the base.
    #[error("no joint connects {0:?} to the base")]
    Unconnected(JointId),
    /// The joint connects two bodies that other joints have connected already.
    #[error("{0:?} closes a loop")]
    Loop(JointId),
    /// The body is static, kinematic or without mass, which only the base may be.
    #[error("{0:?} is not moved by forces")]
    Fixed(BodyId),
    /// The body has a locked axis, and the equations do not hold for it.
    #[error("{0:?} has locks")]
    Locked(BodyId),
}

/// Motion of a body at a coordinate of speed 1, all others at rest.
#[derive(Clone, Copy)]
struct Column {
    linear: Vector2<f64>,
    angular: f64,
}

/// A link in the world.
#[derive(Clone, Copy)]
struct Placed {
    center: Vector2<f64>,
    spin: f64,
    mass: f64,
    inertia: f64,
    /// Anchor of the joint's second body, about which the bodies turn.
    pivot: Vector2<f64>,
    /// Direction of the joint's slider, which turns with its first body.
    axis: Vector2<f64>,
    /// Acceleration of the center while all coordinates have constant speeds.
    drift: Vector2<f64>,
}

impl Linkage {
    /// Makes the linkage of `joints` on `base`: a tree. They may be listed in any order, which is that of the coordinates.
    ///
    /// It holds for as long as the joints exist and their bodies keep kind and locks.
    ///
    /// # Errors
    /// If the joints are no tree on the base, one is of another kind, or one of the bodies that they carry is not dynamic, has
    /// no mass or has locks.
    pub fn new(world: &World, base: BodyId, joints: &[JointId]) -> Result<Self, LinkageError> {
        let body = world.get_body(base).ok_or(LinkageError::NoSuchBody(base))?;
        let is_floating = body.kind() == BodyKind::Dynamic;
        if is_floating {
            check_body(world, base)?;
        }
        let mut count = if is_floating { 3 } else { 0 };
        let mut waiting = Vec::with_capacity(joints.len());
        for &joint in joints {
            let view = world
                .get_joint(joint)
                .ok_or(LinkageError::NoSuchJoint(joint))?;
            let kind = LinkKind::of(view.def()).ok_or(LinkageError::Kind(joint))?;
            waiting.push((joint, kind, view.bodies(), count));
            count += kind.count();
        }
        let mut linkage = Self {
            base,
            is_floating,
            links: Vec::with_capacity(joints.len()),
            count,
        };
        while let Some(&(first, ..)) = waiting.first() {
            let left = waiting.len();
            let mut result = Ok(());
            waiting.retain(|&(joint, kind, bodies, first)| {
                match linkage.attach(world, joint, kind, bodies, first) {
                    Ok(attached) => !attached,
                    Err(error) => {
                        result = result.and(Err(error));
                        true
                    }
                }
            });
            result?;
            if waiting.len() == left {
                return Err(LinkageError::Unconnected(first));
            }
        }
        Ok(linkage)
    }

    /// Adds the link that a joint carries; `false` if neither of its bodies is there yet.
    fn attach(
        &mut self,
        world: &World,
        joint: JointId,
        kind: LinkKind,
        [a, b]: [BodyId; 2],
        first: usize,
    ) -> Result<bool, LinkageError> {
        let (body, carrier, sign) = match (self.has(a), self.has(b)) {
            (true, true) => return Err(LinkageError::Loop(joint)),
            (true, false) => (b, a, 1.0),
            (false, true) => (a, b, -1.0),
            (false, false) => return Ok(false),
        };
        check_body(world, body)?;
        let parent = self.links.iter().position(|link| link.body == carrier);
        self.links.push(Link {
            body,
            joint,
            kind,
            parent,
            first,
            sign,
        });
        Ok(true)
    }

    fn has(&self, body: BodyId) -> bool {
        body == self.base || self.links.iter().any(|link| link.body == body)
    }

    /// Returns the number n of coordinates.
    #[must_use]
    pub const fn coordinate_count(&self) -> usize {
        self.count
    }

    /// Returns the coordinates [m or rad], n numbers.
    ///
    /// # Panics
    /// If a joint or body is stale, as all methods that read the world.
    #[must_use]
    #[track_caller]
    pub fn positions(&self, world: &World) -> Vec<f64> {
        let base = world.body(self.base);
        let center = base.center_exact();
        let base = [center.x, center.y, f64::from(base.angle())];
        self.read(world, base, |joint| [joint.translation(), joint.angle()])
    }

    /// Returns the speeds of the coordinates [m/s or rad/s], n numbers.
    #[must_use]
    #[track_caller]
    pub fn velocities(&self, world: &World) -> Vec<f64> {
        let body = world.body(self.base);
        let (v, spin) = (body.velocity(), body.angular_velocity());
        let base = [v.x, v.y, spin].map(f64::from);
        self.read(world, base, |joint| {
            [joint.translation_speed(), joint.angular_speed()]
        })
    }

    fn read(
        &self,
        world: &World,
        base: [f64; 3],
        value: impl Fn(JointRef<'_>) -> [f32; 2],
    ) -> Vec<f64> {
        let mut out = vec![0.0; self.count];
        if self.is_floating {
            out[..3].copy_from_slice(&base);
        }
        for link in &self.links {
            let [slide, turn] = value(world.joint(link.joint)).map(f64::from);
            let mut place = link.first;
            if link.kind.slides() {
                out[place] = slide;
                place += 1;
            }
            if link.kind.turns() {
                out[place] = turn;
            }
        }
        out
    }

    /// Returns the mass matrix M, n rows of n numbers [kg, kg m or kg m^2]: symmetric, row by row.
    #[must_use]
    #[track_caller]
    pub fn mass_matrix(&self, world: &World) -> Vec<f64> {
        let placed = self.place(world);
        let mut matrix = vec![0.0; self.count * self.count];
        for (index, body) in placed.iter().enumerate() {
            let columns = self.columns(&placed, index);
            for (i, a) in &columns {
                for (j, b) in &columns {
                    let energy =
                        body.mass * a.linear.dot(&b.linear) + body.inertia * a.angular * b.angular;
                    matrix[i * self.count + j] += energy;
                }
            }
        }
        matrix
    }

    /// Returns the bias forces h [N or N m], n numbers: the efforts that let the coordinates keep their speeds, against gravity too.
    #[must_use]
    #[track_caller]
    pub fn bias_forces(&self, world: &World) -> Vec<f64> {
        let placed = self.place(world);
        let mut bias = vec![0.0; self.count];
        let gravity = wide(world.def().gravity);
        for (index, body) in placed.iter().enumerate() {
            let scale = f64::from(world.body(self.body_of(index)).gravity_scale());
            let force = body.mass * (body.drift - scale * gravity);
            for (i, column) in self.columns(&placed, index) {
                bias[i] += force.dot(&column.linear);
            }
        }
        bias
    }

    /// Returns the efforts M a + h that give the coordinates these accelerations [m/s^2 or rad/s^2]: n numbers [N or N m].
    ///
    /// # Panics
    /// If a joint or body is stale, or there are not n accelerations.
    #[must_use]
    #[track_caller]
    pub fn inverse_dynamics(&self, world: &World, accelerations: &[f64]) -> Vec<f64> {
        self.check_count("accelerations", accelerations);
        let mut efforts = self.bias_forces(world);
        let matrix = self.mass_matrix(world);
        for (i, effort) in efforts.iter_mut().enumerate() {
            let row = &matrix[i * self.count..][..self.count];
            *effort += row
                .iter()
                .zip(accelerations)
                .map(|(m, a)| m * a)
                .sum::<f64>();
        }
        efforts
    }

    /// Applies efforts during the next step, n numbers: torques [N m] on revolute joints and spins, forces \[N\] along sliders,
    /// each on the second body of the joint and in the opposite direction on the first; on a floating base a force at its center
    /// and a torque.
    ///
    /// # Panics
    /// If there are not n efforts, or one is not finite in `f32`; [`try_apply_efforts`](Self::try_apply_efforts) returns this
    /// error instead.
    #[track_caller]
    pub fn apply_efforts(&self, world: &mut World, efforts: &[f64]) {
        if let Err(error) = self.try_apply_efforts(world, efforts) {
            panic!("cannot apply the efforts: {error}");
        }
    }

    /// Like [`apply_efforts`](Self::apply_efforts), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If an effort is not finite in `f32`, or the torque of a slider's force is not. Joints before it have theirs already.
    ///
    /// # Panics
    /// If there are not n efforts.
    #[track_caller]
    pub fn try_apply_efforts(&self, world: &mut World, efforts: &[f64]) -> Result<(), ValueError> {
        self.check_count("efforts", efforts);
        if self.is_floating {
            let mut base = world.body_mut(self.base);
            base.try_apply_force(narrow(Vector2::new(efforts[0], efforts[1])))?;
            base.try_apply_torque(efforts[2] as f32)?;
        }
        for link in &self.links {
            let joint = world.joint(link.joint);
            let (bodies, pivot, axis) = (joint.bodies(), joint.anchors()[1], axis_of(world, joint));
            for (body, sign) in bodies.into_iter().zip([-1.0, 1.0]) {
                let mut body = world.body_mut(body);
                let mut place = link.first;
                if link.kind.slides() {
                    let force = sign * efforts[place] * axis;
                    body.try_apply_force_at(narrow(force), pivot)?;
                    place += 1;
                }
                if link.kind.turns() {
                    body.try_apply_torque((sign * efforts[place]) as f32)?;
                }
            }
        }
        Ok(())
    }

    /// Checks that the base and all joints exist, so that the methods above do not panic.
    ///
    /// # Errors
    /// The first that does not exist.
    pub fn check(&self, world: &World) -> Result<(), LinkageError> {
        if world.get_body(self.base).is_none() {
            return Err(LinkageError::NoSuchBody(self.base));
        }
        let gone = |link: &&Link| world.get_joint(link.joint).is_none();
        match self.links.iter().find(gone) {
            Some(link) => Err(LinkageError::NoSuchJoint(link.joint)),
            None => Ok(()),
        }
    }

    #[track_caller]
    fn check_count(&self, name: &str, numbers: &[f64]) {
        assert!(
            numbers.len() == self.count,
            "{name} are {}, and the linkage has {} coordinates",
            numbers.len(),
            self.count
        );
    }

    /// The bodies that are moved: the links, and then a floating base.
    fn body_of(&self, index: usize) -> BodyId {
        self.links.get(index).map_or(self.base, |link| link.body)
    }

    /// Places the links, and a floating base after them.
    ///
    /// Drifts follow from the carrier's: rigid bodies turn about their common pivot, along which a slider moves in the frame of
    /// its first body.
    fn place(&self, world: &World) -> Vec<Placed> {
        let base = place_body(world, self.base);
        let mut placed: Vec<Placed> = Vec::with_capacity(self.links.len() + 1);
        for link in &self.links {
            let carrier = link.parent.map_or(base, |parent| placed[parent]);
            let joint = world.joint(link.joint);
            let body = place_body(world, link.body);
            let (pivot, axis) = (exact(joint.anchors()[1]), axis_of(world, joint));
            // The slider turns with the first body of the joint.
            let first = if link.sign > 0.0 { &carrier } else { &body };
            let mut drift = carrier.drift - carrier.spin * carrier.spin * (pivot - carrier.center);
            if link.kind.slides() {
                let speed = f64::from(joint.translation_speed());
                let across = Vector2::new(-axis.y, axis.x);
                drift += 2.0 * link.sign * speed * first.spin * across;
            }
            drift -= body.spin * body.spin * (body.center - pivot);
            placed.push(Placed {
                pivot,
                axis,
                drift,
                ..body
            });
        }
        if self.is_floating {
            placed.push(base);
        }
        placed
    }

    /// Returns how a body moves at speed 1 of each coordinate that moves it.
    fn columns(&self, placed: &[Placed], index: usize) -> Vec<(usize, Column)> {
        let center = placed[index].center;
        let about = |pivot: Vector2<f64>, sign: f64| {
            let arm = center - pivot;
            Column {
                linear: sign * Vector2::new(-arm.y, arm.x),
                angular: sign,
            }
        };
        let along = |axis: Vector2<f64>| Column {
            linear: axis,
            angular: 0.0,
        };
        let mut out = Vec::new();
        let mut next = (index < self.links.len()).then_some(index);
        while let Some(place) = next {
            let (link, at) = (&self.links[place], &placed[place]);
            let mut coordinate = link.first;
            if link.kind.slides() {
                out.push((coordinate, along(link.sign * at.axis)));
                coordinate += 1;
            }
            if link.kind.turns() {
                out.push((coordinate, about(at.pivot, link.sign)));
            }
            next = link.parent;
        }
        if self.is_floating {
            let base = placed[self.links.len()].center;
            out.push((0, along(Vector2::x())));
            out.push((1, along(Vector2::y())));
            out.push((2, about(base, 1.0)));
        }
        out
    }
}

/// Checks that forces move a body, in all directions.
fn check_body(world: &World, id: BodyId) -> Result<(), LinkageError> {
    let body = world.get_body(id).ok_or(LinkageError::NoSuchBody(id))?;
    if body.kind() != BodyKind::Dynamic || body.is_massless() {
        return Err(LinkageError::Fixed(id));
    }
    let locks = body.locks();
    if locks.x || locks.y || locks.rotation {
        return Err(LinkageError::Locked(id));
    }
    Ok(())
}

/// Places a body that nothing carries.
fn place_body(world: &World, id: BodyId) -> Placed {
    let body = world.body(id);
    Placed {
        center: exact(body.center_exact()),
        spin: f64::from(body.angular_velocity()),
        mass: f64::from(body.mass()),
        inertia: f64::from(body.inertia()),
        pivot: Vector2::zeros(),
        axis: Vector2::zeros(),
        drift: Vector2::zeros(),
    }
}

/// Returns the direction of a slider in the world: the x axis of its frame on the first body.
fn axis_of(world: &World, joint: JointRef<'_>) -> Vector2<f64> {
    let [a, _] = joint.bodies();
    let frame = joint.def().base().frame_a.angle;
    wide(world.body(a).rotation() * (rotation(frame) * vec2(1.0, 0.0)))
}

fn exact(point: WorldPoint) -> Vector2<f64> {
    Vector2::new(point.x, point.y)
}

fn wide(vector: Vec2) -> Vector2<f64> {
    vector.map(f64::from)
}

fn narrow(vector: Vector2<f64>) -> Vec2 {
    vector.map(|x| x as f32)
}
