//! Creates and changes the shapes of colliders.

use super::bodies::refuse_second;
use super::columns::has_changes;
use super::removals::remove_shapes;
use crate::body::RigidBody;
use crate::changes::Changes;
use crate::collider::{
    Collider, CollisionFilter, ContactReports, Density, Sensor, SurfaceMaterial,
};
use crate::hierarchy::Hierarchy;
use crate::key::PhysicsKey;
use crate::physics::Physics;
use crate::problem::{PhysicsError, PhysicsProblem, report};
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use bevy_transform::components::Transform;
use cairn2d::math::Pose;
use cairn2d::{BodyId, Shape, ShapeDef, ShapeMut};

#[derive(QueryData)]
pub(crate) struct ColliderView {
    entity: Entity,
    key: &'static PhysicsKey,
    collider: &'static Collider,
    density: &'static Density,
    material: &'static SurfaceMaterial,
    filter: &'static CollisionFilter,
    reports: Option<&'static ContactReports>,
    sensor: Has<Sensor>,
}

impl ColliderViewItem<'_, '_> {
    fn def(&self) -> ShapeDef {
        let reports = self.reports.copied().unwrap_or_default();
        ShapeDef {
            density: self.density.0,
            material: self.material.0,
            filter: self.filter.0,
            sensor: self.sensor,
            pre_solve: reports.pre_solve,
            force_event_threshold: reports.force_threshold,
            user_data: self.key.get(),
        }
    }
}

type ChangedSettings = Or<(
    Changed<Collider>,
    Changed<Density>,
    Changed<SurfaceMaterial>,
    Changed<CollisionFilter>,
    Changed<ContactReports>,
)>;

/// The settings of colliders, as columns of tables.
type Settings = (
    Ref<'static, Collider>,
    Ref<'static, Density>,
    Ref<'static, SurfaceMaterial>,
    Ref<'static, CollisionFilter>,
    Option<Ref<'static, ContactReports>>,
);

/// A moved entity that is no body; its colliders moved within their bodies.
type MovedGroup = (
    Changed<Transform>,
    Without<RigidBody>,
    Or<(With<Collider>, With<Children>)>,
);

/// Queries that find colliders.
#[derive(SystemParam)]
pub(crate) struct FoundColliders<'w, 's> {
    settings: Query<'w, 's, Settings>,
    changed: Query<'w, 's, Entity, ChangedSettings>,
    moved: Query<'w, 's, Entity, MovedGroup>,
    all: Query<'w, 's, Entity, With<Collider>>,
    children: Query<'w, 's, &'static Children>,
}

impl FoundColliders<'_, '_> {
    /// Returns `true` if a setting of any collider changed. In most steps none did, and to look at columns takes a fraction of a look
    /// at each entity.
    fn has_changed_settings(&self) -> bool {
        let Ok(mut tables) = self.settings.contiguous_iter() else {
            return true;
        };
        tables.any(|(collider, density, material, filter, reports)| {
            has_changes(&collider)
                || has_changes(&density)
                || has_changes(&material)
                || has_changes(&filter)
                || reports.is_some_and(|reports| has_changes(&reports))
        })
    }
}

/// Lists the colliders that may have changed, and those without a body.
pub(crate) fn gather_colliders(
    physics: Res<'_, Physics>,
    mut changes: ResMut<'_, Changes>,
    found: FoundColliders<'_, '_>,
    hierarchy: Hierarchy<'_, '_>,
) {
    let any_changed = found.has_changed_settings();
    let FoundColliders {
        changed,
        moved,
        all,
        children,
        ..
    } = found;
    let changed = any_changed.then_some(changed);
    let mut found: Vec<Entity> = changed.iter().flatten().collect();
    if physics.restored {
        found.extend(&all);
    }
    let noted = core::mem::take(&mut changes.colliders);
    for root in noted.into_iter().chain(&moved) {
        let below = children.iter_descendants(root);
        let colliders = core::iter::once(root).chain(below);
        found.extend(colliders.filter(|&entity| all.contains(entity)));
    }
    found.sort_unstable();
    found.dedup();
    let is_alone = |&entity: &Entity| hierarchy.owner(entity).is_none();
    changes.bodiless = found.iter().copied().filter(is_alone).collect();
    changes.colliders = found;
}

/// Gives a static body to the colliders without one. Commands would do, at the cost of a synchronization of all threads in each
/// step.
pub(crate) fn give_bodies(world: &mut World) {
    let mut bodiless = core::mem::take(&mut world.resource_mut::<Changes>().bodiless);
    for entity in bodiless.drain(..) {
        let Ok(mut collider) = world.get_entity_mut(entity) else {
            continue;
        };
        collider.insert(RigidBody::Static);
        let key = collider.get::<PhysicsKey>().map(|key| key.get());
        let mut changes = world.resource_mut::<Changes>();
        changes.bodies.extend(key.map(|key| (key, entity)));
    }
}

/// Creates, moves and changes the shapes of the listed colliders, by key. Those of a body that was refused wait for it.
pub(crate) fn sync_colliders(
    mut physics: ResMut<'_, Physics>,
    mut changes: ResMut<'_, Changes>,
    colliders: Query<'_, '_, ColliderView>,
    hierarchy: Hierarchy<'_, '_>,
    mut problems: MessageWriter<'_, PhysicsProblem>,
) {
    let listed = core::mem::take(&mut changes.colliders);
    let mut views: Vec<_> = colliders.iter_many(listed).collect();
    views.sort_unstable_by_key(|view| (view.key.get(), view.entity));
    for view in views {
        let Some((owner, frame)) = hierarchy.owner(view.entity) else {
            continue;
        };
        let Some(body) = physics.registry.body(owner) else {
            remove_shapes(&mut physics, view.entity);
            changes.colliders.push(view.entity);
            continue;
        };
        let result = sync_collider(&mut physics, &view, body, (owner, frame));
        report(&mut problems, view.entity, result);
    }
}

fn sync_collider(
    physics: &mut Physics,
    view: &ColliderViewItem<'_, '_>,
    body: BodyId,
    (owner, frame): (Entity, Pose),
) -> Result<(), PhysicsError> {
    let def = view.def();
    def.validate()?;
    let shapes = placed(view.collider.shapes(), &frame)?;
    let record = physics.registry.get(view.entity);
    let same_shapes = record.is_some_and(|record| {
        let same_owner = record.owner.is_some_and(|(now, _)| now == owner);
        same_owner && record.shapes.len() == shapes.len()
    });
    if same_shapes {
        change_shapes(physics, view.entity, shapes, &def)?;
    } else {
        refuse_second(physics, view.entity, *view.key)?;
        remove_shapes(physics, view.entity);
        create_shapes(physics, view, body, shapes, &def)?;
    }
    physics.registry.record(view.entity, *view.key).owner = Some((owner, frame));
    Ok(())
}

/// Returns the shapes in the frame of the body.
fn placed(shapes: &[Shape], frame: &Pose) -> Result<Vec<Shape>, PhysicsError> {
    if *frame == Pose::identity() {
        return Ok(shapes.to_vec());
    }
    let moved = shapes.iter().map(|shape| shape.try_moved(frame));
    Ok(moved.collect::<Result<_, _>>()?)
}

fn create_shapes(
    physics: &mut Physics,
    view: &ColliderViewItem<'_, '_>,
    body: BodyId,
    shapes: Vec<Shape>,
    def: &ShapeDef,
) -> Result<(), PhysicsError> {
    for shape in shapes {
        let id = physics.world.try_create_shape(body, shape, def)?;
        physics.registry.add_shape(view.entity, *view.key, id);
    }
    Ok(())
}

fn change_shapes(
    physics: &mut Physics,
    entity: Entity,
    shapes: Vec<Shape>,
    def: &ShapeDef,
) -> Result<(), PhysicsError> {
    let Some(record) = physics.registry.get(entity) else {
        return Ok(());
    };
    for (&id, geometry) in record.shapes.iter().zip(shapes) {
        if let Some(mut shape) = physics.world.get_shape_mut(id) {
            change_shape(&mut shape, geometry, def)?;
        }
    }
    Ok(())
}

/// Sets the fields that differ: a call that changes nothing may still wake bodies.
fn change_shape(
    shape: &mut ShapeMut<'_>,
    geometry: Shape,
    def: &ShapeDef,
) -> Result<(), PhysicsError> {
    if *shape.as_ref().geometry() != geometry {
        shape.try_set_geometry(geometry)?;
    }
    if shape.as_ref().material() != def.material {
        shape.try_set_material(def.material)?;
    }
    if shape.as_ref().filter() != def.filter {
        shape.set_filter(def.filter);
    }
    if shape.as_ref().density() != def.density {
        shape.try_set_density(def.density)?;
    }
    if shape.as_ref().is_sensor() != def.sensor {
        shape.set_sensor(def.sensor);
    }
    if shape.as_ref().asks_pre_solve() != def.pre_solve {
        shape.set_pre_solve(def.pre_solve);
    }
    if shape.as_ref().force_event_threshold() != def.force_event_threshold {
        shape.try_set_force_event_threshold(def.force_event_threshold)?;
    }
    Ok(())
}
