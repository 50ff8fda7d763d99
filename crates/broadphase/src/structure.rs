//! The three structures behind one set of queries.

use crate::broad_phase_kind::BroadPhaseKind;
use crate::cast::{MovingBox, Near, Probe};
use crate::flat::{Flat, Index};
use crate::grid::Grid;
use crate::lanes::finite;
use crate::parallel::Sharing;
use crate::proxy::{Pairing, ProxyId, ProxyKind};
use crate::sweep_and_prune::Sweep;
use crate::tree::{LeafId, QueryStats, Tree};
use cairn2d_geometry::math::{Point, Vec2};
use cairn2d_geometry::{Aabb, Ray, state_variants};
use cairn2d_simd::{Kernel, Lanes8, Level, Simd};
use core::ops::ControlFlow;

/// The container of the proxies.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one to a world")]
pub(crate) enum Structure {
    /// One tree for each `ProxyKind`: a tree in which nothing moves costs nothing.
    Forest([Tree; 3]),
    /// One index for all kinds.
    Flat(Flat),
}

use Structure::{Flat as Single, Forest};

/// Reuses the memory of trees.
impl Clone for Structure {
    fn clone(&self) -> Self {
        match self {
            Forest(trees) => Forest(trees.clone()),
            Single(flat) => Single(flat.clone()),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Forest(trees), Forest(others)) => trees.clone_from(others),
            (all, _) => *all = source.clone(),
        }
    }
}

state_variants!(Structure {
    Forest(trees) = 0,
    Flat(flat) = 1,
});

impl Structure {
    /// Returns the kind that makes such a structure.
    pub(crate) fn kind(&self) -> BroadPhaseKind {
        match self {
            Forest(_) => BroadPhaseKind::Tree,
            Single(flat) => flat.kind(),
        }
    }

    /// From now on the present boxes are those of the base of deltas.
    pub(crate) fn begin_base(&mut self) {
        match self {
            Forest(trees) => trees.iter_mut().for_each(Tree::begin_base),
            // Always compared as a whole.
            Single(_) => {}
        }
    }

    /// Calls `visit` with the name and the number of each proxy.
    pub(crate) fn visit_proxies(&self, mut visit: impl FnMut(ProxyId, u32)) {
        match self {
            Forest(trees) => {
                for (&kind, tree) in ProxyKind::ALL.iter().zip(trees) {
                    tree.visit_leaves(|leaf, data| visit(ProxyId::new(kind, leaf), data));
                }
            }
            Single(flat) => flat.visit_proxies(visit),
        }
    }
}

#[inline]
fn leaf(id: ProxyId) -> LeafId {
    LeafId(id.index())
}

impl Structure {
    pub(crate) fn new(kind: BroadPhaseKind) -> Self {
        match kind {
            BroadPhaseKind::Tree => Forest(Default::default()),
            BroadPhaseKind::SweepAndPrune => Single(Flat::new(Index::Sweep(Sweep::default()))),
            BroadPhaseKind::Grid => Single(Flat::new(Index::Grid(Grid::default()))),
        }
    }

    pub(crate) fn insert(
        &mut self,
        kind: ProxyKind,
        aabb: Aabb,
        category: u64,
        data: u32,
    ) -> ProxyId {
        let index = match self {
            Forest(trees) => trees[kind as usize].insert(aabb, category, data).0,
            Single(flat) => flat.insert(kind, aabb, category, data),
        };
        ProxyId::new(kind, index)
    }

    pub(crate) fn begin_batch(&mut self) {
        match self {
            Forest(trees) => trees.iter_mut().for_each(Tree::begin_batch),
            Single(_) => {}
        }
    }

    pub(crate) fn end_batch(&mut self) {
        match self {
            Forest(trees) => trees.iter_mut().for_each(Tree::end_batch),
            Single(_) => {}
        }
    }

    pub(crate) fn contains(&self, id: ProxyId) -> bool {
        match self {
            Forest(trees) => trees[id.kind() as usize].contains(leaf(id)),
            Single(flat) => flat.contains(id),
        }
    }

    pub(crate) fn remove(&mut self, id: ProxyId) {
        match self {
            Forest(trees) => trees[id.kind() as usize].remove(leaf(id)),
            Single(flat) => flat.remove(id),
        }
    }

    pub(crate) fn move_to(&mut self, id: ProxyId, aabb: Aabb) {
        match self {
            Forest(trees) => trees[id.kind() as usize].set(leaf(id), aabb),
            Single(flat) => flat.replace(id, aabb),
        }
    }

    #[inline]
    pub(crate) fn enlarge(&mut self, id: ProxyId, aabb: Aabb) {
        match self {
            Forest(trees) => trees[id.kind() as usize].enlarge(leaf(id), aabb),
            Single(flat) => flat.replace(id, aabb),
        }
    }

    pub(crate) fn touch_proxy(&mut self, id: ProxyId) {
        match self {
            Forest(trees) => trees[id.kind() as usize].touch_proxy(leaf(id)),
            Single(flat) => flat.touch_proxy(id),
        }
    }

    pub(crate) fn set_category(&mut self, id: ProxyId, category: u64) {
        match self {
            Forest(trees) => trees[id.kind() as usize].set_category(leaf(id), category),
            Single(flat) => flat.set_category(id, category),
        }
    }

    #[inline]
    pub(crate) fn aabb(&self, id: ProxyId) -> Aabb {
        match self {
            Forest(trees) => trees[id.kind() as usize].aabb(leaf(id)),
            Single(flat) => flat.aabb(id),
        }
    }

    pub(crate) fn category(&self, id: ProxyId) -> u64 {
        match self {
            Forest(trees) => trees[id.kind() as usize].category(leaf(id)),
            Single(flat) => flat.category(id),
        }
    }

    #[inline]
    pub(crate) fn data(&self, id: ProxyId) -> u32 {
        match self {
            Forest(trees) => trees[id.kind() as usize].data(leaf(id)),
            Single(flat) => flat.data(id),
        }
    }

    /// Appends the keys of the pairs that have begun to overlap since the last call, some perhaps
    /// twice, in no particular order.
    pub(crate) fn collect_pairs(
        &mut self,
        pairing: Pairing,
        sharing: Sharing<'_>,
        out: &mut Vec<u64>,
    ) {
        let trees = match self {
            Forest(trees) => trees,
            Single(flat) => return flat.collect_pairs(pairing, sharing, out),
        };
        trees.iter_mut().for_each(Tree::prepare_pairs);
        for (i, &a) in ProxyKind::ALL.iter().enumerate() {
            for &b in ProxyKind::ALL[i..]
                .iter()
                .filter(|&&b| pairing.allows(a, b))
            {
                if a == b {
                    trees[i].pairs_within(sharing, out);
                } else {
                    trees[i].pairs_with(&trees[b as usize], sharing, out);
                }
            }
        }
        trees.iter_mut().for_each(Tree::finish_pairs);
    }

    pub(crate) fn query(
        &self,
        kinds: &[ProxyKind],
        aabb: &Aabb,
        mask: u64,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> QueryStats {
        let mut all = QueryStats::default();
        match self {
            Forest(trees) => {
                let _ = kinds.iter().try_for_each(|&kind| {
                    let (stats, flow) = trees[kind as usize].query(aabb, mask, &mut visit);
                    all += stats;
                    flow
                });
            }
            Single(flat) => {
                let _ = flat.query(&finite(aabb), mask, |data| {
                    all.leaves += 1;
                    visit(data)
                });
            }
        }
        all
    }

    pub(crate) fn box_cast(
        &self,
        half: Vec2,
        ray: &Ray,
        mask: u64,
        mut visit: impl FnMut(u32, f32) -> f32,
    ) -> QueryStats {
        match self {
            Forest(trees) => Level::detect().enter(NearestSearch {
                trees,
                probe: &MovingBox::new(ray, half),
                mask,
                limit: ray.max_fraction,
                visit,
            }),
            Single(flat) => {
                let mut stats = QueryStats::default();
                flat.box_cast(half, ray, mask, |data, limit| {
                    stats.leaves += 1;
                    visit(data, limit)
                });
                stats
            }
        }
    }

    pub(crate) fn closest(
        &self,
        point: Point,
        max_distance: f32,
        mask: u64,
        mut visit: impl FnMut(u32, f32) -> f32,
    ) -> QueryStats {
        match self {
            Forest(trees) => Level::detect().enter(NearestSearch {
                trees,
                probe: &Near(point),
                mask,
                limit: max_distance,
                visit,
            }),
            Single(flat) => {
                let mut stats = QueryStats::default();
                flat.closest(&Near(point), mask, max_distance, |data, limit| {
                    stats.leaves += 1;
                    visit(data, limit)
                });
                stats
            }
        }
    }

    pub(crate) fn rebuild(&mut self) {
        match self {
            Forest(trees) => trees.iter_mut().for_each(Tree::rebuild),
            Single(flat) => flat.rebuild(),
        }
    }

    /// Returns the number of levels of the highest tree, 0 without trees.
    pub(crate) fn height(&self) -> usize {
        match self {
            Forest(trees) => trees.iter().map(Tree::height).max().unwrap_or(0),
            Single(_) => 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Forest(trees) => trees.iter().map(Tree::len).sum(),
            Single(flat) => flat.len(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Forest(trees) => trees.iter().map(Tree::bytes).sum(),
            Single(flat) => flat.bytes(),
        }
    }

    pub(crate) fn visit_nodes(&self, mut visit: impl FnMut(usize, &Aabb)) {
        match self {
            Forest(trees) => trees.iter().for_each(|tree| tree.visit_nodes(&mut visit)),
            Single(_) => {}
        }
    }

    pub(crate) fn assert_consistent(&self) {
        match self {
            Forest(trees) => trees.iter().for_each(Tree::assert_consistent),
            Single(flat) => flat.assert_consistent(),
        }
    }
}

/// Visits one tree after the other, with a limit that only shrinks.
struct NearestSearch<'a, P, V> {
    trees: &'a [Tree],
    probe: &'a P,
    mask: u64,
    limit: f32,
    /// Gets the number and the measure of a box, and returns the new limit; a negative one ends the search.
    visit: V,
}

impl<S: Simd<F32: Lanes8>, P: Probe, V: FnMut(u32, f32) -> f32> Kernel<S>
    for NearestSearch<'_, P, V>
{
    type Output = QueryStats;

    #[inline(always)]
    fn run(mut self, simd: S) -> QueryStats {
        let mut all = QueryStats::default();
        for tree in self.trees.iter().filter(|tree| !tree.is_empty()) {
            let mut found = tree.nearest_first(simd, self.probe, self.mask, self.limit);
            found.start();
            while let Some((data, _)) = found.next() {
                found.limit = (self.visit)(data, found.limit);
                if found.limit < 0.0 {
                    break;
                }
            }
            self.limit = found.limit;
            all += found.stats;
            if self.limit < 0.0 {
                break;
            }
        }
        all
    }
}
