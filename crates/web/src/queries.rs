//! Queries: rays, casts, overlaps and the nearest shape.

use crate::definitions::{JsQueryFilter, JsShape, query_filter, shape};
use crate::events::{object, place};
use crate::fields::{Fields, put};
use crate::world::{WebWorld, number, or_throw, shape_id};
use cairn2d::{Aabb, ExplosionDef, QueryFilter, ShapeHit, ShapeId, WorldPoint, point, vec2};
use js_sys::Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "RayHit")]
    pub type JsRayHit;
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "Nearest")]
    pub type JsNearest;
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "Explosion")]
    pub type JsExplosion;
}

fn filter_of(filter: &Option<JsQueryFilter>) -> QueryFilter<'static> {
    query_filter(
        filter
            .as_ref()
            .map(|filter| filter.unchecked_ref::<Fields>()),
    )
}

fn ids(shapes: &[ShapeId]) -> Vec<f64> {
    shapes.iter().map(|id| number(id.to_bits())).collect()
}

fn hit(hit: &ShapeHit) -> JsRayHit {
    let ids = [
        ("shape", number(hit.shape.to_bits())),
        ("body", number(hit.body.to_bits())),
        ("fraction", hit.fraction.into()),
    ];
    object(&[&ids[..], &place(hit.point, hit.normal)].concat()).unchecked_into()
}

fn explosion(from: &Fields) -> ExplosionDef {
    let position = from.position().map(|position| position.to_place());
    let number = |value: Option<f64>| value.map_or(f32::NAN, |value| value as f32);
    let mut def = ExplosionDef::new(
        position.unwrap_or(WorldPoint::ORIGIN),
        number(from.radius()),
        number(from.impulse_per_length()),
    );
    put(&mut def.falloff, from.falloff());
    def.filter = query_filter(Some(from));
    def
}

#[wasm_bindgen(js_class = World)]
impl WebWorld {
    /// Nearest hit of a ray from a place along a vector [m], or undefined.
    #[wasm_bindgen(js_name = rayCast)]
    pub fn ray_cast(
        &self,
        x: f64,
        y: f64,
        dx: f32,
        dy: f32,
        filter: Option<JsQueryFilter>,
    ) -> Option<JsRayHit> {
        let found = self
            .world
            .ray_cast(WorldPoint::new(x, y), vec2(dx, dy), filter_of(&filter));
        found.as_ref().map(hit)
    }

    /// All hits of a ray from a place along a vector [m], nearest first.
    #[wasm_bindgen(js_name = rayCastAll, unchecked_return_type = "RayHit[]")]
    pub fn ray_cast_all(
        &self,
        x: f64,
        y: f64,
        dx: f32,
        dy: f32,
        filter: Option<JsQueryFilter>,
    ) -> Array {
        let hits = self
            .world
            .ray_cast_all(WorldPoint::new(x, y), vec2(dx, dy), filter_of(&filter));
        hits.iter().map(hit).collect()
    }

    /// Nearest hit of a shape that moves from a place along a vector [m], or undefined. Throws for an invalid shape.
    #[wasm_bindgen(js_name = shapeCast)]
    pub fn shape_cast(
        &self,
        geometry: JsShape,
        x: f64,
        y: f64,
        dx: f32,
        dy: f32,
        filter: Option<JsQueryFilter>,
    ) -> Result<Option<JsRayHit>, JsValue> {
        let geometry = shape(geometry.unchecked_ref())?;
        let (from, way) = (WorldPoint::new(x, y), vec2(dx, dy));
        let found = self
            .world
            .shape_cast(&geometry, from, 0.0, way, filter_of(&filter));
        Ok(found.as_ref().map(hit))
    }

    /// Ids of the shapes that contain a point [m].
    #[wasm_bindgen(js_name = shapesAt)]
    pub fn shapes_at(&self, x: f64, y: f64, filter: Option<JsQueryFilter>) -> Vec<f64> {
        ids(&self
            .world
            .shapes_at(WorldPoint::new(x, y), filter_of(&filter)))
    }

    /// Ids of the shapes that overlap an upright box [m].
    #[wasm_bindgen(js_name = shapesIn)]
    pub fn shapes_in(
        &self,
        left: f32,
        bottom: f32,
        right: f32,
        top: f32,
        filter: Option<JsQueryFilter>,
    ) -> Vec<f64> {
        let area = Aabb::new(point(left, bottom), point(right, top));
        ids(&self.world.shapes_in(&area, filter_of(&filter)))
    }

    /// Ids of the shapes that overlap a shape at a place [m] and angle [rad]. Throws for an invalid shape.
    #[wasm_bindgen(js_name = overlapShape)]
    pub fn overlap_shape(
        &self,
        geometry: JsShape,
        x: f64,
        y: f64,
        angle: f32,
        filter: Option<JsQueryFilter>,
    ) -> Result<Vec<f64>, JsValue> {
        let geometry = shape(geometry.unchecked_ref())?;
        let at = WorldPoint::new(x, y);
        Ok(ids(&self.world.overlap_shape(
            &geometry,
            at,
            angle,
            filter_of(&filter),
        )))
    }

    /// The shape nearest to a point within a distance [m], or undefined.
    #[wasm_bindgen(js_name = closestShape)]
    pub fn closest_shape(
        &self,
        x: f64,
        y: f64,
        distance: f32,
        filter: Option<JsQueryFilter>,
    ) -> Option<JsNearest> {
        let at = WorldPoint::new(x, y);
        let found = self.world.closest_shape(at, distance, filter_of(&filter))?;
        let fields = [
            ("shape", number(found.shape.to_bits())),
            ("body", number(found.body.to_bits())),
            ("x", found.point.x),
            ("y", found.point.y),
            ("distance", found.distance.into()),
        ];
        Some(object(&fields).unchecked_into())
    }

    /// Applies an impulse away from a point to all dynamic bodies near it. Throws for invalid numbers.
    pub fn explode(&mut self, def: JsExplosion) -> Result<(), JsValue> {
        let def = explosion(def.unchecked_ref());
        or_throw(self.world.try_explode(&def))
    }

    /// The body of a shape, or undefined if the id is stale.
    #[wasm_bindgen(js_name = bodyOf)]
    pub fn body_of(&self, shape: f64) -> Option<f64> {
        let shape = self.world.get_shape(shape_id(shape))?;
        Some(number(shape.body().to_bits()))
    }
}
