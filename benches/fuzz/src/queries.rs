//! Queries of all kinds: they must answer anything, and agree with each other.

use crate::episode::Episode;
use cairn2d::prelude::*;
use std::hint::black_box;

/// Queries of a batch.
const BATCH: usize = 6;

impl Episode {
    pub(crate) fn call_query(&mut self) {
        let body = self.body();
        let filter = self.values.query_filter(body);
        match self.values.below(8) {
            0 | 1 => self.cast_rays(filter),
            2 => self.cast_shapes(filter),
            3 => self.find_overlaps(filter),
            4 => self.find_nearest(filter),
            5 => self.ask_in_batches(filter),
            6 => self.ask_for_mover(filter),
            _ => self.read_world(),
        }
    }

    fn cast_rays(&mut self, filter: QueryFilter<'_>) {
        let (origin, way) = (self.values.any_place(), self.values.any_vector());
        self.note(|| format!("ray_cast({origin:?}, {way:?}, {filter:?})"));
        let world = &self.world;
        let hit = world.ray_cast(origin, way, filter);
        let all = world.ray_cast_all(origin, way, filter);
        assert_eq!(hit.is_some(), !all.is_empty(), "one hit and all hits");
        if let Some(hit) = hit {
            assert!((0.0..=1.0).contains(&hit.fraction), "{hit:?}");
            assert!(world.get_shape(hit.shape).is_some(), "{hit:?}");
            let other = |shape| shape != hit.shape;
            let second = world.ray_cast(origin, way, filter.accept(&other));
            assert!(second.is_none_or(|second| second.shape != hit.shape));
        }
        let any = world.ray_cast_any(origin, way, filter);
        assert_eq!(any.is_some(), hit.is_some(), "any hit and the nearest");
        black_box(world.ray_cast_all(origin, way, filter.accept(&|_| false)));
    }

    fn cast_shapes(&mut self, filter: QueryFilter) {
        let (shape, place) = (self.values.shape(), self.values.any_place());
        let (angle, way) = (self.values.any(), self.values.any_vector());
        self.note(|| format!("shape_cast({shape:?}, {place:?}, {angle}, {way:?}, {filter:?})"));
        let world = &self.world;
        let hit = world.shape_cast(&shape, place, angle, way, filter);
        if let Some(hit) = hit {
            assert!((0.0..=1.0).contains(&hit.fraction), "{hit:?}");
        }
        black_box(world.shape_cast_all(&shape, place, angle, way, filter));
        black_box(world.shape_cast(&shape, place, angle, way, filter.accept(&|_| false)));
        black_box(world.shape_cast_all(&shape, place, angle, way, filter));
    }

    fn find_overlaps(&mut self, filter: QueryFilter) {
        let (shape, place) = (self.values.shape(), self.values.any_place());
        let (angle, area) = (self.values.any(), self.values.area());
        self.note(|| format!("overlaps of {shape:?} at {place:?}, {angle}, {area:?}, {filter:?}"));
        let world = &self.world;
        black_box(world.overlap_shape(&shape, place, angle, filter));
        black_box(world.overlap_shape(&shape, place, angle, filter.accept(&|_| false)));
        black_box(world.shapes_at(place, filter));
        black_box(world.shapes_at(place, filter.accept(&|_| false)));
        black_box(world.shapes_in(&area, filter));
        black_box(world.shapes_in(&area, filter.accept(&|_| false)));
        black_box(world.shapes_near(&area, filter));
        black_box(world.shapes_near(&area, filter.accept(&|_| false)));
    }

    fn find_nearest(&mut self, filter: QueryFilter) {
        let (place, reach) = (self.values.any_place(), self.values.any());
        self.note(|| format!("closest_shape({place:?}, {reach}, {filter:?})"));
        let nearest = self.world.closest_shape(place, reach, filter);
        if let Some(nearest) = nearest {
            assert!(self.world.get_shape(nearest.shape).is_some());
        }
        let other = |shape| nearest.is_none_or(|nearest| nearest.shape != shape);
        black_box(
            self.world
                .closest_shape(place, reach, filter.accept(&other)),
        );
    }

    fn ask_in_batches(&mut self, filter: QueryFilter) {
        let places = self.values.places(BATCH);
        let (shape, way) = (self.values.shape(), self.values.any_vector());
        let reach = self.values.any();
        self.note(|| format!("batches of {shape:?} at {places:?}, {way:?}, {reach}, {filter:?}"));
        let world = &self.world;
        let rays: Vec<RayQuery> = places.iter().map(|&at| RayQuery::new(at, way)).collect();
        let shapes: Vec<ShapeQuery<'_>> = places
            .iter()
            .map(|&at| ShapeQuery::new(&shape, at, way))
            .collect();
        let hits = world.ray_casts(&rays, filter);
        let casts = world.shape_casts(&shapes, filter);
        let overlaps = world.overlap_shapes(&shapes, filter);
        let nearest = world.closest_shapes(&places, reach, filter);
        for (i, &at) in places.iter().enumerate() {
            assert_eq!(hits[i], world.ray_cast(at, way, filter));
            assert_eq!(casts[i], world.shape_cast(&shape, at, 0.0, way, filter));
            assert_eq!(overlaps[i], world.overlap_shape(&shape, at, 0.0, filter));
            assert_eq!(nearest[i], world.closest_shape(at, reach, filter));
        }
    }

    fn ask_for_mover(&mut self, filter: QueryFilter) {
        let (shape, place) = (self.values.shape(), self.values.any_place());
        let (wish, reach) = (self.values.any_vector(), self.values.any());
        self.note(|| format!("mover {shape:?} at {place:?}: {wish:?}, {reach}, {filter:?}"));
        let mover = Mover::new(&shape, place).moved(wish);
        let world = &self.world;
        let planes = world.mover_planes(&mover, reach, filter);
        let soft = |plane: &MoverPlane| plane.soft(reach, 0.1);
        let mut planes: Vec<CollisionPlane> = planes.iter().map(soft).collect();
        black_box(solve_planes(wish, &mut planes));
        black_box(clip_velocity(wish, &planes));
        black_box(world.mover_planes(&mover, reach, filter.accept(&|_| false)));
        black_box(world.mover_cast(&mover, wish, reach, filter));
        black_box(world.mover_cast(&mover, wish, reach, filter.accept(&|_| false)));
    }

    /// Reads everything that a world lists.
    fn read_world(&mut self) {
        self.note(|| "all lists of the world".to_owned());
        let world = &self.world;
        assert_eq!(world.bodies().count(), world.body_count());
        assert_eq!(world.shapes().count(), world.shape_count());
        assert_eq!(world.joints().count(), world.joint_count());
        for contact in world.contacts() {
            assert!(
                contact
                    .bodies()
                    .iter()
                    .all(|&b| world.get_body(b).is_some())
            );
        }
        black_box((world.contact_begins(), world.contact_ends()));
        black_box((world.contact_hits(), world.contact_forces()));
        black_box((world.sensor_begins(), world.sensor_ends()));
        black_box((world.sleep_changes(), world.body_freezes()));
        black_box((world.body_exits(), world.joint_breaks()));
        black_box((world.moved_bodies().count(), world.counters()));
        black_box((world.profile(), world.step_count()));
        world.visit_tree_boxes(|_, tree_box| {
            black_box(tree_box);
        });
    }
}
