//! Names of functions of the world, of query filters and of characters.

use crate::{CharacterController, CharacterMove};
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKinds, ContactBegin, ContactRef, IgnoreFor, JointDef, JointId, Nearest,
    QueryFilter, SensorBegin, Sensors, ShapeDef, ShapeHit, ShapeId, World,
};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{Aabb, Circle, IntoVec2, Polygon, Shape};
use core::borrow::Borrow;

names! { WorldNames for World {
    "use `gravity`"
    fn get_gravity(&self) -> Vec2 { self.gravity() }
    "use `create_body`"
    fn insert_body(&mut self, def: impl Borrow<BodyDef>) -> BodyId { self.create_body(def) }
    "use `create_body`"
    fn add_body(&mut self, def: impl Borrow<BodyDef>) -> BodyId { self.create_body(def) }
    "use `destroy_body`"
    fn remove_body(&mut self, id: BodyId) -> bool { self.destroy_body(id) }
    "use `create_shape`"
    fn add_shape(&mut self, body: BodyId, shape: impl Into<Shape>, def: impl Borrow<ShapeDef>) -> ShapeId {
        self.create_shape(body, shape, def)
    }
    "use `create_shape`"
    fn create_fixture(&mut self, body: BodyId, shape: impl Into<Shape>, def: impl Borrow<ShapeDef>) -> ShapeId {
        self.create_shape(body, shape, def)
    }
    "use `create_shape(body, polygon, def)`"
    fn create_polygon_shape(&mut self, body: BodyId, def: impl Borrow<ShapeDef>, polygon: impl Borrow<Polygon>) -> ShapeId {
        self.create_shape(body, polygon.borrow().clone(), def)
    }
    "use `create_shape(body, circle, def)`"
    fn create_circle_shape(&mut self, body: BodyId, def: impl Borrow<ShapeDef>, circle: impl Borrow<Circle>) -> ShapeId {
        self.create_shape(body, *circle.borrow(), def)
    }
    "use `destroy_shape`"
    fn remove_shape(&mut self, id: ShapeId) -> bool { self.destroy_shape(id) }
    "use `create_joint`"
    fn add_joint(&mut self, def: impl Into<JointDef>) -> JointId { self.create_joint(def) }
    "use `create_joint`"
    fn insert_joint(&mut self, def: impl Into<JointDef>) -> JointId { self.create_joint(def) }
    "use `create_joint`"
    fn insert_impulse_joint(&mut self, def: impl Into<JointDef>) -> JointId { self.create_joint(def) }
    "use `destroy_joint`"
    fn remove_joint(&mut self, id: JointId) -> bool { self.destroy_joint(id) }
    "use `get_body(id).is_some()`"
    fn is_valid(&self, id: BodyId) -> bool { self.get_body(id).is_some() }
    "use `step`"
    fn simulate(&mut self, dt: f32) { self.step(dt); }
    "use `ignore_pair(a, b, IgnoreFor::Forever)`"
    fn ignore_collision(&mut self, a: BodyId, b: BodyId) { self.ignore_pair(a, b, IgnoreFor::Forever); }
    "use `ray_cast`; the translation has the length of the ray"
    fn cast_ray(&self, origin: impl Into<WorldPoint>, translation: impl IntoVec2, filter: QueryFilter<'_>) -> Option<ShapeHit> {
        self.ray_cast(origin, translation, filter)
    }
    "use `ray_cast`; the translation has the length of the ray"
    fn intersect_ray(&self, origin: impl Into<WorldPoint>, translation: impl IntoVec2, filter: QueryFilter<'_>) -> Option<ShapeHit> {
        self.ray_cast(origin, translation, filter)
    }
    "use `overlap_shape`"
    fn overlap_circle(&self, center: impl Into<WorldPoint>, radius: f32) -> Vec<ShapeId> {
        let circle = Shape::from(Circle::of_radius(radius));
        self.overlap_shape(&circle, center, 0.0, QueryFilter::default())
    }
    "use `shapes_in`, which returns a list"
    fn query_aabb(&self, area: Aabb, found: impl FnMut(ShapeId) -> bool) {
        let mut found = found;
        let _ = self
        .shapes_in(&area, QueryFilter::default())
        .into_iter()
        .all(&mut found);
    }
    "use `create_body`"
    fn add_rigid_body(&mut self, def: impl Borrow<BodyDef>) -> BodyId { self.create_body(def) }
    "use `create_body`"
    fn create_rigid_body(&mut self, def: impl Borrow<BodyDef>) -> BodyId { self.create_body(def) }
    "use `create_shape(body, Polygon::rectangle(..), def)`"
    fn create_box(&mut self, body: BodyId, half_width: f32, half_height: f32) -> ShapeId {
        self.create_shape(body, Polygon::rectangle(half_width, half_height), ShapeDef::default())
    }
    "use `create_shape(body, Circle::of_radius(..), def)`"
    fn create_circle(&mut self, body: BodyId, radius: f32) -> ShapeId {
        self.create_shape(body, Circle::of_radius(radius), ShapeDef::default())
    }
    "use `step`"
    fn update(&mut self, dt: f32) { self.step(dt); }
    "use `ray_cast`"
    fn ray_cast_closest(&self, origin: impl Into<WorldPoint>, translation: impl IntoVec2, filter: QueryFilter<'_>) -> Option<ShapeHit> {
        self.ray_cast(origin, translation, filter)
    }
    "use `ray_cast`"
    fn cast_ray_closest(&self, origin: impl Into<WorldPoint>, translation: impl IntoVec2, filter: QueryFilter<'_>) -> Option<ShapeHit> {
        self.ray_cast(origin, translation, filter)
    }
    "use `shapes_at`"
    fn point_query(&self, point: impl Into<WorldPoint>) -> Vec<ShapeId> {
        self.shapes_at(point, QueryFilter::default())
    }
    "use `shapes_at`"
    fn overlap_point(&self, point: impl Into<WorldPoint>) -> Vec<ShapeId> {
        self.shapes_at(point, QueryFilter::default())
    }
    "use `shapes_at`"
    fn intersections_with_point(&self, point: impl Into<WorldPoint>) -> Vec<ShapeId> {
        self.shapes_at(point, QueryFilter::default())
    }
    "use `contact_begins` and `contact_ends`"
    fn contact_events(&self) -> &[ContactBegin] { self.contact_begins() }
    "use `contact_begins`"
    fn begin_contact_events(&self) -> &[ContactBegin] { self.contact_begins() }
    "use `contact_begins` and `contact_ends`"
    fn collision_events(&self) -> &[ContactBegin] { self.contact_begins() }
    "use `shape(a).contacts()`"
    fn contact_pair(&self, a: ShapeId, b: ShapeId) -> Option<ContactRef<'_>> {
        self.get_shape(a)?.contacts().find(|contact| [[a, b], [b, a]].contains(&contact.shapes()))
    }
    "use `sensor_begins` and `sensor_ends`"
    fn sensor_events(&self) -> &[SensorBegin] { self.sensor_begins() }
    "use `sensor_begins` and `sensor_ends`"
    fn trigger_events(&self) -> &[SensorBegin] { self.sensor_begins() }
    "use `destroy_body`"
    fn delete_body(&mut self, id: BodyId) -> bool { self.destroy_body(id) }
    "use `clone`, or `save` for bytes"
    fn snapshot(&self) -> Self { self.clone() }
    "use `save`"
    fn serialize(&self) -> Vec<u8> { self.save() }
    "use `set_def`, with the field `substeps`"
    fn set_substeps(&mut self, substeps: u32) {
        let mut def = self.def().clone();
        def.substeps = substeps;
        self.set_def(def);
    }
    "use `set_def`, with the field `sleeping`"
    fn enable_sleeping(&mut self, sleeping: bool) {
        let mut def = self.def().clone();
        def.sleeping = sleeping;
        self.set_def(def);
    }
    "use `closest_shape`"
    fn project_point(&self, point: impl Into<WorldPoint>, max_distance: f32, filter: QueryFilter<'_>) -> Option<Nearest> {
        self.closest_shape(point, max_distance, filter)
    }
    "use `shapes_in`"
    fn overlap_aabb(&self, area: &Aabb, filter: QueryFilter<'_>) -> Vec<ShapeId> { self.shapes_in(area, filter) }
    "use `overlap_shape`"
    fn overlap_box(&self, center: impl Into<WorldPoint>, half: impl IntoVec2) -> Vec<ShapeId> {
        let half = half.into_vec2();
        let shape = Shape::from(Polygon::rectangle(half.x, half.y));
        self.overlap_shape(&shape, center, 0.0, QueryFilter::default())
    }
} }

names! { QueryFilterNames for QueryFilter<'_> {
    "use `QueryFilter::default()`"
    fn new() -> Self { Self::default() }
    "use `QueryFilter::default().kinds(BodyKinds::DYNAMIC)`"
    fn only_dynamic() -> Self { Self::default().kinds(BodyKinds::DYNAMIC) }
    "not needed: queries find no sensors unless `sensors` is `Sensors::Included`"
    fn exclude_sensors(self) -> Self { let mut this = self; this.sensors = Sensors::Ignored; this }
    "use `kinds(BodyKinds::MOVING)`"
    fn exclude_fixed() -> Self { Self::default().kinds(BodyKinds::MOVING) }
    "use `kinds(BodyKinds::FIXED)` for static bodies, or a `BodyKinds` of your choice"
    fn exclude_dynamic() -> Self { Self::default().kinds(BodyKinds { dynamic: false, ..BodyKinds::ALL }) }
    "use `exclude`"
    fn exclude_rigid_body(self, body: BodyId) -> Self { self.exclude(body) }
} }

names! { CharacterNames for CharacterController<'_> {
    "use `move_body`"
    fn move_and_slide(&self, world: &mut World, body: BodyId, desired: impl IntoVec2, dt: f32) -> CharacterMove {
        self.move_body(world, body, desired, dt)
    }
    "use `move_body`"
    fn move_character(&self, world: &mut World, body: BodyId, desired: impl IntoVec2, dt: f32) -> CharacterMove {
        self.move_body(world, body, desired, dt)
    }
} }
