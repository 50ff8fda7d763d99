//! Shapes on bodies: geometry with a material and a filter.

pub(crate) mod def;

use crate::material::{Filter, Material};
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::{Aabb, Shape};

/// What is needed of a shape when its contacts or mass are made anew, or a query meets it.
#[derive(Clone, Debug)]
pub(crate) struct BodyShape {
    pub(crate) body: u32,
    pub(crate) geometry: Shape,
    pub(crate) material: Material,
    pub(crate) filter: Filter,
    pub(crate) density: f32,
    pub(crate) sensor: bool,
    pub(crate) user_data: u64,
    /// Null while the body is disabled.
    pub(crate) proxy: ProxyId,
    /// Box in the tree, larger than the shape by the margin [m].
    pub(crate) fat_box: Aabb,
    /// Margin of the fat box [m].
    pub(crate) margin: f32,
}
