//! This crate.

use crate::peer::Peer;
use cairn2d_broadphase::{BroadPhase, BroadPhaseKind, ProxyId, ProxyKind};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::Ray;
use core::ops::ControlFlow;

pub struct Ours {
    kind: ProxyKind,
    broad_phase: BroadPhase,
    ids: Vec<ProxyId>,
    grown: Vec<(ProxyId, Aabb)>,
    boxes: Vec<Aabb>,
}

impl Ours {
    pub fn new(structure: BroadPhaseKind, kind: ProxyKind) -> Self {
        let broad_phase = BroadPhase::new(structure);
        Self {
            kind,
            broad_phase,
            ids: Vec::new(),
            grown: Vec::new(),
            boxes: Vec::new(),
        }
    }
}

impl Peer for Ours {
    fn fill(&mut self, boxes: &[Aabb]) {
        let (broad_phase, kind) = (&mut self.broad_phase, self.kind);
        self.ids = boxes
            .iter()
            .enumerate()
            .map(|(i, b)| broad_phase.insert(kind, *b, 1, i as u32))
            .collect();
        self.boxes = boxes.to_vec();
    }

    fn settle(&mut self) -> usize {
        self.broad_phase.update_pairs(|_, _| true).len()
    }

    fn step(&mut self, moved: &[(u32, Aabb)]) -> usize {
        self.grown.clear();
        for &(i, aabb) in moved {
            self.grown.push((self.ids[i as usize], aabb));
            self.boxes[i as usize] = aabb;
        }
        self.broad_phase.enlarge_many(&self.grown);
        self.broad_phase.update_pairs(|_, _| true).len()
    }

    fn pairs(&self) -> Vec<(u32, u32)> {
        self.broad_phase
            .new_pairs()
            .iter()
            .map(|p| (p.a, p.b))
            .collect()
    }

    fn forget(&mut self, (a, b): (u32, u32)) {
        self.broad_phase.forget_pair(a, b);
    }

    fn overlaps(&self, aabb: &Aabb) -> usize {
        let mut n = 0;
        self.broad_phase.query(aabb, u64::MAX, |_| {
            n += 1;
            ControlFlow::Continue(())
        });
        n
    }

    fn ray(&self, ray: &Ray) -> f32 {
        let mut first = 1.0;
        self.broad_phase.ray_cast(ray, u64::MAX, |data, limit| {
            first = self.boxes[data as usize]
                .ray_cast(ray)
                .map_or(limit, |hit| hit.fraction.min(limit));
            // Nothing comes before the start. Box2D ends there by itself; here the caller may want all of it.
            if first > 0.0 { first } else { -1.0 }
        });
        first
    }

    fn bytes(&self) -> usize {
        self.broad_phase.bytes()
    }
}
