//! The scene of a world: the definitions that make it again.

use crate::body::def::{BodyDef, BodyKind, InitialState};
use crate::body::grid;
use crate::body::shape_sum::ShapeSum;
use crate::body::state::BodyPose;
use crate::id::{Id, IdKind, Slots};
use crate::joint::JointDef;
use crate::shape::def::ShapeDef;
use crate::tuning::{MAX_COORDINATE, SLEEP_SPEED};
use crate::world::access::{BodyRef, ShapeRef};
use crate::world::{SceneBody, SceneDef, SceneJoint, SceneShape, World};
use cairn2d_geometry::inverse::{angle_of, nearest_with};
use cairn2d_geometry::math::{Vec2, WorldPoint, cross_scalar, sin_cos};
use smallvec::SmallVec;

/// Shapes of most bodies.
const USUAL_SHAPES: usize = 4;

impl World {
    /// Returns the definitions of all objects as they are now: [`from_scene`](Self::from_scene) makes a world of them.
    ///
    /// Bodies have their present poses, velocities and settings; the origin of a body whose center of mass is within its
    /// extent of the edge of the world, and which is beyond it, is moved back to it. A new world whose joints were created after its bodies is
    /// made again with equal ids and an equal [hash](Self::state_hash). Objects are numbered without gaps, so ids differ
    /// where others were removed.
    ///
    /// A scene is a new start: contacts, impulses, sleep timers, forces for the next step, warnings and hooks are not part
    /// of it, and sleeping bodies with joints start awake. [`save`](Self::save) keeps all but the hooks.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::Circle;
    ///
    /// let mut world = World::default();
    /// world.spawn(BodyDef::dynamic().position(0.0, 3.0), [(Circle::of_radius(0.5), ShapeDef::default())]);
    /// let again = World::from_scene(&world.to_scene()).unwrap();
    /// assert_eq!(again.state_hash(), world.state_hash());
    /// ```
    #[must_use]
    pub fn to_scene(&self) -> SceneDef {
        let places = Places {
            bodies: places_of(&self.bodies.slots),
            joints: self.joint_places(),
        };
        let joints = places.joints_in_order();
        let ignored = self.ignores.list.iter();
        SceneDef {
            world: self.def.clone(),
            bodies: self.bodies().map(|body| scene_body(&body)).collect(),
            shape_order: self.shape_order(&places.bodies),
            joints: joints
                .iter()
                .map(|&slot| SceneJoint {
                    name: String::new(),
                    def: places.renamed(self.joints.slots[slot].def),
                    disabled: !self.joints.sims[slot as usize].base.is_enabled(),
                })
                .collect(),
            ignored_pairs: ignored
                .map(|ignored| {
                    let body = |slot: u32| place_id(places.bodies[slot as usize]);
                    let (a, b) = ignored.pair;
                    (body(a), body(b), ignored.how_long)
                })
                .collect(),
        }
    }

    /// Returns the places of the bodies in order of their shapes, or nothing if the shapes are created body after body.
    fn shape_order(&self, places: &[u32]) -> Vec<u32> {
        let shapes = self.shapes.slots.iter();
        let order: Vec<u32> = shapes
            .map(|(_, shape)| places[shape.body as usize])
            .collect();
        if order.is_sorted() { Vec::new() } else { order }
    }

    /// Returns the place of each joint in the scene, by slot. A gear that was created in the slot of an older joint
    /// comes after the joints that it connects.
    fn joint_places(&self) -> Vec<u32> {
        let is_late = |&slot: &u32| match &self.joints.slots[slot].def {
            JointDef::Gear(gear) => gear.joint_a.index().max(gear.joint_b.index()) > slot,
            _ => false,
        };
        let slots = self.joints.slots.iter().map(|(slot, _)| slot);
        let (late, early): (Vec<u32>, Vec<u32>) = slots.partition(is_late);
        let mut places = vec![u32::MAX; self.joints.slots.bound()];
        for (place, slot) in (0..).zip(early.into_iter().chain(late)) {
            places[slot as usize] = place;
        }
        places
    }
}

/// Places of bodies and joints in a scene, by slot.
struct Places {
    bodies: Vec<u32>,
    joints: Vec<u32>,
}

impl Places {
    /// Returns the slots of the joints in order of their places.
    fn joints_in_order(&self) -> Vec<u32> {
        let used = (0..)
            .zip(&self.joints)
            .filter(|&(_, &place)| place != u32::MAX);
        let mut slots: Vec<u32> = used.map(|(slot, _)| slot).collect();
        slots.sort_unstable_by_key(|&slot| self.joints[slot as usize]);
        slots
    }

    /// Returns a joint definition that names bodies and joints by their places.
    fn renamed(&self, mut def: JointDef) -> JointDef {
        let base = def.base_mut();
        base.body_a = place_id(self.bodies[base.body_a.index() as usize]);
        base.body_b = place_id(self.bodies[base.body_b.index() as usize]);
        if let JointDef::Gear(gear) = &mut def {
            gear.joint_a = place_id(self.joints[gear.joint_a.index() as usize]);
            gear.joint_b = place_id(self.joints[gear.joint_b.index() as usize]);
        }
        def
    }
}

/// Returns the place of each slot among those in use.
fn places_of<K: IdKind, T>(slots: &Slots<K, T>) -> Vec<u32> {
    let mut places = vec![u32::MAX; slots.bound()];
    for (place, (slot, _)) in (0..).zip(slots.iter()) {
        places[slot as usize] = place;
    }
    places
}

/// Returns the name of the object at a place of a scene.
fn place_id<K: IdKind>(place: u32) -> Id<K> {
    Id::from_bits(place.into())
}

fn scene_body(body: &BodyRef<'_>) -> SceneBody {
    SceneBody {
        name: String::new(),
        def: body_def(body),
        shapes: body.shapes().map(|shape| scene_shape(&shape)).collect(),
        mass: body.mass_override(),
    }
}

fn scene_shape(shape: &ShapeRef<'_>) -> SceneShape {
    SceneShape {
        shape: shape.geometry().clone(),
        def: ShapeDef {
            density: shape.density(),
            material: shape.material(),
            filter: shape.filter(),
            sensor: shape.is_sensor(),
            pre_solve: shape.asks_pre_solve(),
            force_event_threshold: shape.force_event_threshold(),
            user_data: shape.user_data(),
        },
        disabled: !shape.is_enabled(),
    }
}

/// Returns the definition of a body before it gets its shapes.
fn body_def(body: &BodyRef<'_>) -> BodyDef {
    let [linear_damping, angular_damping] = body.damping();
    let record = &body.world.bodies.slots[body.slot];
    let angle = angle_of(&body.rotation());
    let shifts = center_shifts(body, angle);
    let angular_velocity = body.angular_velocity();
    BodyDef {
        kind: body.kind(),
        position: in_world(position_before(body.center_exact(), &shifts)),
        angle,
        velocity: velocity_before(body.velocity(), angular_velocity, &shifts),
        angular_velocity,
        linear_damping,
        angular_damping,
        gravity_scale: body.gravity_scale(),
        max_linear_speed: record.has_own_speed_cap.then(|| body.max_linear_speed()),
        max_angular_speed: body.max_angular_speed(),
        sleep_speed: body.sleep_speed().unwrap_or(SLEEP_SPEED),
        can_sleep: body.can_sleep(),
        initial_state: if !body.is_enabled() {
            InitialState::Disabled
        } else if body.is_awake() || body.kind() == BodyKind::Static {
            InitialState::Awake
        } else {
            InitialState::Asleep
        },
        locks: body.locks(),
        continuous: body.continuous(),
        bullet: body.is_bullet(),
        fast_rotation: body.has_fast_rotation(),
        user_data: body.user_data(),
    }
}

/// Returns the moves of the center of mass \[m\], in the world, as the body gets its shapes one by one at `angle` \[rad\].
fn center_shifts(body: &BodyRef<'_>, angle: f32) -> SmallVec<[Vec2; USUAL_SHAPES]> {
    let (sin, cos) = sin_cos(angle);
    let pose = BodyPose {
        rotation: Vec2::new(cos, sin),
        ..BodyPose::IDENTITY
    };
    let (mut sum, mut center) = (ShapeSum::default(), Vec2::zeros());
    let mut shift_to = |next: Vec2| pose.rotate(next - core::mem::replace(&mut center, next));
    let shapes = body.shapes().filter(|shape| shape.density() > 0.0);
    let mut shifts: SmallVec<[Vec2; USUAL_SHAPES]> = shapes
        .map(|shape| {
            sum.add(&shape.geometry().mass(shape.density()));
            shift_to(sum.total().center.coords)
        })
        .collect();
    shifts.extend(
        body.mass_override()
            .map(|mass| shift_to(mass.center.coords)),
    );
    shifts
}

/// Returns the point of the world nearest to `position`. Only the center of mass of a body keeps inside of the world: the
/// origin of a body that was frozen at the edge may be beyond it.
fn in_world(position: WorldPoint) -> WorldPoint {
    WorldPoint {
        x: position.x.clamp(-MAX_COORDINATE, MAX_COORDINATE),
        y: position.y.clamp(-MAX_COORDINATE, MAX_COORDINATE),
    }
}

/// Returns where the center of mass was before its moves. Exact on the grid of centers.
fn position_before(center: WorldPoint, shifts: &[Vec2]) -> WorldPoint {
    let moves = shifts.iter().rev();
    moves.fold(center, |center, shift| grid::moved(center, -shift))
}

/// Returns the velocity [m/s] that became `velocity` when the center of mass moved.
fn velocity_before(velocity: Vec2, angular_velocity: f32, shifts: &[Vec2]) -> Vec2 {
    let changes = shifts
        .iter()
        .map(|shift| cross_scalar(angular_velocity, shift));
    let changes: SmallVec<[Vec2; USUAL_SHAPES]> = changes.collect();
    let component = |axis: usize| {
        let after = |before: f32| changes.iter().fold(before, |v, change| v + change[axis]);
        let before = changes
            .iter()
            .rev()
            .fold(velocity[axis], |v, change| v - change[axis]);
        nearest_with(before, |before| {
            after(before).to_bits() == velocity[axis].to_bits()
        })
    };
    Vec2::new(component(0), component(1))
}
