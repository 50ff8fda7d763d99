//! Picking backend (feature `picking`): pointers find the colliders under them.

use crate::query::{SpatialFilter, SpatialQuery};
use bevy_app::prelude::*;
use bevy_camera::Camera;
use bevy_ecs::prelude::*;
use bevy_math::{Ray3d, Vec3};
use bevy_picking::backend::ray::RayMap;
use bevy_picking::backend::{HitData, PointerHits};
use bevy_picking::{Pickable, PickingSystems};
use bevy_transform::components::GlobalTransform;

/// Reports the colliders under each pointer, in the plane z = 0 of the world.
///
/// Add [`PickingPlugin`](bevy_picking::PickingPlugin) as well; with full Bevy it is a default plugin. A collider is nearer
/// to the camera the higher the z of its transform is. Sensors are found, too.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhysicsPickingPlugin;

impl Plugin for PhysicsPickingPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PreUpdate, find_hits.in_set(PickingSystems::Backend));
    }
}

fn find_hits(
    rays: Res<'_, RayMap>,
    cameras: Query<'_, '_, &Camera>,
    colliders: Query<'_, '_, (&GlobalTransform, Option<&Pickable>)>,
    space: SpatialQuery<'_>,
    mut hits: MessageWriter<'_, PointerHits>,
) {
    // The order of the map does not matter: hits are sorted by pointer and depth later.
    for (id, ray) in rays.iter() {
        let (Ok(camera), Some(point)) = (cameras.get(id.camera), in_plane(ray)) else {
            continue;
        };
        let filter = SpatialFilter::default().with_sensors();
        let found = space.colliders_at(point.truncate(), &filter).into_iter();
        let picks = found.filter_map(|entity| {
            let (transform, pickable) = colliders.get(entity).ok()?;
            if pickable.is_some_and(|pickable| !pickable.is_hoverable) {
                return None;
            }
            let depth = (ray.origin.z - transform.translation().z) / -ray.direction.z;
            Some((entity, HitData::new(id.camera, depth, Some(point), None)))
        });
        let picks: Vec<_> = picks.collect();
        if !picks.is_empty() {
            hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
        }
    }
}

/// Returns the point of a ray in the plane z = 0.
fn in_plane(ray: &Ray3d) -> Option<Vec3> {
    let distance = -ray.origin.z / ray.direction.z;
    (distance.is_finite() && distance >= 0.0).then(|| ray.get_point(distance))
}
