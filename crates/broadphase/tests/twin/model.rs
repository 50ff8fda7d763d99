//! The broad phase, slow and obvious: every pair is looked at.

use cairn2d_broadphase::{Pair, Pairing, ProxyId, ProxyKind};
use cairn2d_geometry::Aabb;
use std::collections::BTreeSet;

/// A proxy of the model.
#[derive(Clone)]
pub(crate) struct Twin {
    pub(crate) id: ProxyId,
    pub(crate) kind: ProxyKind,
    pub(crate) aabb: Aabb,
    pub(crate) paired: Option<Aabb>,
    pub(crate) category: u64,
    pub(crate) data: u32,
}

/// All proxies and the known pairs.
#[derive(Clone, Default)]
pub(crate) struct Model {
    pub(crate) twins: Vec<Twin>,
    pub(crate) known: BTreeSet<Pair>,
    pub(crate) pairing: Pairing,
}

pub(crate) fn ordered(a: u32, b: u32) -> Pair {
    Pair {
        a: a.min(b),
        b: a.max(b),
    }
}

impl Model {
    /// The pairs that an update has to report.
    pub(crate) fn update(&mut self, accept: impl Fn(u32, u32) -> bool) -> Vec<Pair> {
        let mut new = BTreeSet::new();
        for (i, a) in self.twins.iter().enumerate() {
            for b in &self.twins[i + 1..] {
                let before = a.paired.zip(b.paired).is_some_and(|(a, b)| a.overlaps(&b));
                let begins = a.aabb.overlaps(&b.aabb) && !before;
                let pair = ordered(a.data, b.data);
                if begins
                    && a.data != b.data
                    && self.pairing.allows(a.kind, b.kind)
                    && !self.known.contains(&pair)
                    && accept(pair.a, pair.b)
                {
                    new.insert(pair);
                }
            }
        }
        self.twins.iter_mut().for_each(|t| t.paired = Some(t.aabb));
        self.known.extend(&new);
        new.into_iter().collect()
    }

    /// The numbers of the boxes that pass `test`, sorted.
    pub(crate) fn select(&self, mask: u64, test: impl Fn(&Aabb) -> bool) -> Vec<u32> {
        let seen = self
            .twins
            .iter()
            .filter(|t| t.category & mask != 0 && test(&t.aabb));
        let mut data: Vec<_> = seen.map(|t| t.data).collect();
        data.sort_unstable();
        data
    }

    /// Known pairs that no longer overlap.
    pub(crate) fn separated(&self) -> Vec<Pair> {
        let aabb = |data| self.twins.iter().find(|t| t.data == data).map(|t| t.aabb);
        let apart = |p: &&Pair| {
            !aabb(p.a)
                .zip(aabb(p.b))
                .is_some_and(|(a, b)| a.overlaps(&b))
        };
        self.known.iter().filter(apart).copied().collect()
    }
}
