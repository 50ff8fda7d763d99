//! The interface that each peer implements.

use cairn2d_geometry::Aabb;
use cairn2d_geometry::Ray;

/// A broad phase under comparison. Boxes are named by their place in the scene.
pub trait Peer {
    /// Inserts all boxes one by one.
    fn fill(&mut self, boxes: &[Aabb]);

    /// Puts the tree into the order that a world would after loading, finds the first pairs.
    fn settle(&mut self) -> usize;

    /// Replaces boxes as after a step, keeps the tree good, finds the new pairs: number of them.
    fn step(&mut self, moved: &[(u32, Aabb)]) -> usize;

    /// The pairs that the last call found.
    fn pairs(&self) -> Vec<(u32, u32)>;

    /// Forgets a pair that has separated.
    fn forget(&mut self, pair: (u32, u32));

    /// Number of boxes that touch `aabb`.
    fn overlaps(&self, aabb: &Aabb) -> usize;

    /// Fraction at which the ray first enters a box.
    fn ray(&self, ray: &Ray) -> f32;

    /// Memory held [bytes].
    fn bytes(&self) -> usize;
}
