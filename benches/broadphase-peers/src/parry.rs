//! parry2d's tree, used as rapier2d's broad phase uses it: update leaves, refit, traverse what has
//! changed, optimize a little.

use crate::peer::Peer;
use crate::scene::MARGIN;
use cairn2d_geometry::{Aabb, Ray};
use hashbrown::HashSet;
use parry2d::bounding_volume::Aabb as ParryAabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhWorkspace};
use parry2d::query::Ray as ParryRay;

/// Part of the leaves up to which the paths of the changed ones are refitted, as a divisor.
const PARTIAL_REFIT_DIVISOR: usize = 10;

#[derive(Default)]
pub struct Parry {
    tree: Bvh,
    workspace: BvhWorkspace,
    boxes: Vec<Aabb>,
    changed: Vec<u32>,
    known: HashSet<u64>,
    pairs: Vec<(u32, u32)>,
}

fn convert(aabb: &Aabb) -> ParryAabb {
    ParryAabb::new(
        Vector::new(aabb.min.x, aabb.min.y),
        Vector::new(aabb.max.x, aabb.max.y),
    )
}

impl Parry {
    fn find<const ONLY_CHANGED: bool>(&mut self) {
        self.pairs.clear();
        let (known, pairs) = (&mut self.known, &mut self.pairs);
        self.tree
            .traverse_bvtt_single_tree::<ONLY_CHANGED>(&mut self.workspace, &mut |a, b| {
                let (a, b) = (a.min(b), a.max(b));
                if known.insert((u64::from(a) << 32) | u64::from(b)) {
                    pairs.push((a, b));
                }
            });
        self.pairs.sort_unstable();
    }
}

impl Peer for Parry {
    fn fill(&mut self, boxes: &[Aabb]) {
        self.boxes = boxes.to_vec();
        for (i, aabb) in boxes.iter().enumerate() {
            self.tree.insert(convert(aabb), i as u32);
        }
    }

    fn settle(&mut self) -> usize {
        self.tree.refit(&mut self.workspace);
        self.find::<false>();
        self.tree.optimize_incremental(&mut self.workspace);
        self.tree.refit(&mut self.workspace);
        self.pairs.len()
    }

    fn step(&mut self, moved: &[(u32, Aabb)]) -> usize {
        for (i, aabb) in moved {
            self.boxes[*i as usize] = *aabb;
            self.tree
                .insert_or_update_partially(convert(&aabb.expanded(-MARGIN)), *i, MARGIN);
        }
        let changed: Vec<u32> = moved.iter().map(|m| m.0).collect();
        if PARTIAL_REFIT_DIVISOR * changed.len() < self.boxes.len() {
            self.tree.refit_partial(&self.changed, &changed);
        } else {
            self.tree.refit(&mut self.workspace);
        }
        self.find::<true>();
        if !moved.is_empty() {
            self.tree.optimize_incremental(&mut self.workspace);
            self.tree.refit_without_resolve(&mut self.workspace);
        }
        self.changed = changed;
        self.pairs.len()
    }

    fn pairs(&self) -> Vec<(u32, u32)> {
        self.pairs.clone()
    }

    fn forget(&mut self, (a, b): (u32, u32)) {
        self.known.remove(&((u64::from(a) << 32) | u64::from(b)));
    }

    fn overlaps(&self, aabb: &Aabb) -> usize {
        self.tree.intersect_aabb(&convert(aabb)).count()
    }

    fn ray(&self, ray: &Ray) -> f32 {
        let probe = ParryRay::new(
            Vector::new(ray.origin.x, ray.origin.y),
            Vector::new(ray.translation.x, ray.translation.y),
        );
        let hit = self.tree.cast_ray(&probe, ray.max_fraction, |i, _| {
            self.boxes[i as usize].ray_cast(ray).map(|hit| hit.fraction)
        });
        hit.map_or(ray.max_fraction, |(_, fraction)| fraction)
    }

    fn bytes(&self) -> usize {
        self.tree.total_memory_size()
    }
}
