//! The broad phase: proxies in, pairs and queries out.

use crate::broad_phase_kind::BroadPhaseKind;
use crate::ended_pairs::EndedPairs;
use crate::pair_set::{Pair, PairSet, pair_key};
use crate::parallel::Sharing;
use crate::proxy::{BoxError, Pairing, ProxyId, ProxyKind, check_box, demand_box};
use crate::structure::Structure;
use crate::tree::QueryStats;
use cairn2d_geometry::clone_fields;
use cairn2d_geometry::math::{Point, Vec2};
use cairn2d_geometry::{Aabb, HashState, LoadError, Persist, Ray, Reader, Sink, StateHasher};
use core::ops::ControlFlow;

/// Sizes of the broad phase, and the work of the last `update_pairs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BroadPhaseStats {
    /// Proxies.
    pub proxies: usize,
    /// Pairs reported and not forgotten.
    pub known_pairs: usize,
    /// Pairs found by the last update, before known and refused ones were removed.
    pub found_pairs: usize,
    /// Pairs reported by the last update.
    pub new_pairs: usize,
    /// Levels of nodes of the highest tree; 0 for structures without trees.
    pub height: usize,
}

/// Finds pairs of overlapping boxes, and boxes near a region.
///
/// Give it a box a shape, larger than the shape by a margin, and a new one when the shape has left
/// its box. `update_pairs` then reports each pair whose boxes have begun to overlap since the last
/// update. A number of the user's names a proxy in pairs and queries.
///
/// ```
/// use cairn2d_broadphase::{BroadPhase, BroadPhaseKind, Pair, ProxyKind};
/// use cairn2d_geometry::Aabb;
/// use cairn2d_geometry::math::point;
///
/// let mut broad_phase = BroadPhase::new(BroadPhaseKind::Tree);
/// let unit = Aabb { min: point(0.0, 0.0), max: point(1.0, 1.0) };
/// let above = Aabb { min: point(0.0, 2.0), max: point(1.0, 3.0) };
/// broad_phase.insert(ProxyKind::Static, unit, 1, 10);
/// let falling = broad_phase.insert(ProxyKind::Dynamic, above, 1, 20);
/// assert!(broad_phase.update_pairs(|_, _| true).is_empty());
///
/// broad_phase.enlarge(falling, Aabb { min: point(0.0, 0.5), max: point(1.0, 1.5) });
/// assert_eq!(broad_phase.update_pairs(|_, _| true), [Pair { a: 10, b: 20 }]);
/// assert!(broad_phase.update_pairs(|_, _| true).is_empty());
/// ```
#[derive(Debug)]
pub struct BroadPhase {
    kind: BroadPhaseKind,
    pairing: Pairing,
    structure: Structure,
    known: PairSet,
    /// Keys of candidates, kept for their memory.
    keys: Vec<u64>,
    pairs: Vec<Pair>,
    /// Only where the pairs that end are to be listed.
    ended: Option<Box<EndedPairs>>,
    found: usize,
}

clone_fields!(BroadPhase {
    kind,
    pairing,
    structure,
    known,
    keys,
    pairs,
    ended,
    found
});

/// Everything that later updates and queries read, the order of answers included. In time proportional to the number of proxies and
/// known pairs.
///
/// The names of proxies are left out: only their owner reads them, and two broad phases with different names
/// report the same. So are the reports and counts of the last update.
impl HashState for BroadPhase {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            kind,
            pairing,
            structure,
            known,
            // Scratch: filled by each update.
            keys: _,
            // The report of the last update.
            pairs: _,
            ended,
            found: _,
        } = self;
        hash.add(kind).add(pairing);
        hash.add(structure).add(known).add(ended);
    }
}

/// The proxies, and the order of answers; without the known pairs, which are those of the owner's contacts, and without
/// the reports of the last update.
///
/// A broad phase that is loaded gives new names to its proxies: see
/// [`visit_proxies`](BroadPhase::visit_proxies) and [`restore_pair`](BroadPhase::restore_pair).
impl Persist for BroadPhase {
    /// # Panics
    /// If the broad phase lists the pairs that end.
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self {
            // Follows from the structure.
            kind: _,
            pairing,
            structure,
            known: _,
            keys: _,
            pairs: _,
            ended,
            found: _,
        } = self;
        assert!(ended.is_none(), "lists of ended pairs cannot be saved");
        sink.field("pairing", pairing);
        sink.field("structure", structure);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let pairing = reader.read()?;
        let structure: Structure = reader.read()?;
        Ok(Self {
            pairing,
            kind: structure.kind(),
            structure,
            ..Self::default()
        })
    }
}

impl BroadPhase {
    /// Returns an empty broad phase that uses the structure `kind`.
    #[must_use]
    pub fn new(kind: BroadPhaseKind) -> Self {
        let (known, keys, pairs) = (PairSet::default(), Vec::new(), Vec::new());
        let structure = Structure::new(kind);
        Self {
            kind,
            pairing: Pairing::default(),
            structure,
            known,
            keys,
            pairs,
            ended: None,
            found: 0,
        }
    }

    /// Returns an empty broad phase that uses the structure `kind`, and lists with each update the
    /// pairs that have [ended](Self::ended_pairs).
    ///
    /// For callers that do not track contacts themselves. Each update then also tests the known pairs of
    /// every moved proxy.
    ///
    /// ```
    /// use cairn2d_broadphase::{BroadPhase, BroadPhaseKind, Pair, ProxyKind};
    /// use cairn2d_geometry::Aabb;
    /// use cairn2d_geometry::math::{point, vec2};
    ///
    /// let mut broad_phase = BroadPhase::with_ended_pairs(BroadPhaseKind::SweepAndPrune);
    /// let unit = Aabb { min: point(0.0, 0.0), max: point(1.0, 1.0) };
    /// broad_phase.insert(ProxyKind::Static, unit, 1, 10);
    /// let ball = broad_phase.insert(ProxyKind::Dynamic, unit, 1, 20);
    /// broad_phase.update_pairs(|_, _| true);
    /// assert!(broad_phase.ended_pairs().is_empty());
    ///
    /// broad_phase.move_to(ball, unit.translated(&vec2(0.0, 5.0)));
    /// broad_phase.update_pairs(|_, _| true);
    /// assert_eq!(broad_phase.ended_pairs(), [Pair { a: 10, b: 20 }]);
    /// ```
    #[must_use]
    pub fn with_ended_pairs(kind: BroadPhaseKind) -> Self {
        Self {
            ended: Some(Box::default()),
            ..Self::new(kind)
        }
    }

    /// Returns the structure chosen at creation.
    #[must_use]
    pub fn kind(&self) -> BroadPhaseKind {
        self.kind
    }

    /// Chooses which kinds of proxies pair. Newly allowed pairs are found after `touch_proxy` for one side,
    /// or when an overlap begins.
    pub fn set_pairing(&mut self, pairing: Pairing) {
        self.pairing = pairing;
    }

    /// Adds a proxy; queries find it at once, the next update reports its pairs.
    ///
    /// `aabb` is the box to keep, margin included \[m\]; `data` names the proxy in pairs and queries (two
    /// proxies of the same number do not pair); a query finds it if its mask shares a bit with `category` or
    /// has all bits set.
    ///
    /// # Panics
    /// When the box is not finite or its minimum lies beyond its maximum.
    pub fn insert(&mut self, kind: ProxyKind, aabb: Aabb, category: u64, data: u32) -> ProxyId {
        demand_box(&aabb);
        let id = self.structure.insert(kind, aabb, category, data);
        if let Some(ended) = &mut self.ended {
            ended.insert(id, data);
        }
        id
    }

    /// Begins a batch of many insertions: until [`end_batch`](Self::end_batch) trees leave new proxies unsorted, and
    /// queries are slower.
    pub fn begin_batch(&mut self) {
        self.structure.begin_batch();
    }

    /// Ends a batch: trees sort the new proxies, at once.
    pub fn end_batch(&mut self) {
        self.structure.end_batch();
    }

    /// Adds a proxy as `insert` does, for boxes from a source that is not trusted.
    ///
    /// # Errors
    /// When the box is not finite or its minimum lies beyond its maximum; nothing is added.
    pub fn try_insert(
        &mut self,
        kind: ProxyKind,
        aabb: Aabb,
        category: u64,
        data: u32,
    ) -> Result<ProxyId, BoxError> {
        check_box(&aabb)?;
        Ok(self.insert(kind, aabb, category, data))
    }

    /// Removes a proxy. Its known pairs stay until `forget_pair` is called for each; if ended pairs are listed, they
    /// end with the next update.
    ///
    /// # Panics
    /// When there is no such proxy.
    pub fn remove(&mut self, id: ProxyId) {
        self.structure.remove(id);
        if let Some(ended) = &mut self.ended {
            ended.remove(id);
        }
    }

    /// Returns `true` if there is a proxy of this name.
    #[must_use]
    pub fn contains(&self, id: ProxyId) -> bool {
        !id.is_null() && self.structure.contains(id)
    }

    /// Replaces the box of a proxy, at any distance from the old one.
    ///
    /// # Panics
    /// When there is no such proxy, or the box is not finite or inverted.
    pub fn move_to(&mut self, id: ProxyId, aabb: Aabb) {
        demand_box(&aabb);
        self.structure.move_to(id, aabb);
        self.note_changed(id);
    }

    /// Replaces the box of a proxy by one nearby, as after a step: the cheapest edit.
    ///
    /// # Panics
    /// When there is no such proxy, or the box is not finite or inverted.
    #[inline]
    pub fn enlarge(&mut self, id: ProxyId, aabb: Aabb) {
        demand_box(&aabb);
        self.structure.enlarge(id, aabb);
        self.note_changed(id);
    }

    #[inline]
    fn note_changed(&mut self, id: ProxyId) {
        if let Some(ended) = &mut self.ended {
            ended.change(id);
        }
    }

    /// Replaces the boxes of many proxies by ones nearby: all that left their box in a step.
    ///
    /// # Panics
    /// As `grow`.
    pub fn enlarge_many(&mut self, grown: &[(ProxyId, Aabb)]) {
        for &(id, aabb) in grown {
            self.enlarge(id, aabb);
        }
    }

    /// Has the next update ask for all pairs of a proxy again, for instance after its filter has
    /// changed. Pairs that are known are not reported again.
    ///
    /// # Panics
    /// When there is no such proxy.
    pub fn touch_proxy(&mut self, id: ProxyId) {
        self.structure.touch_proxy(id);
    }

    /// Changes the category bits of a proxy.
    ///
    /// # Panics
    /// When there is no such proxy.
    pub fn set_category(&mut self, id: ProxyId, category: u64) {
        self.structure.set_category(id, category);
    }

    /// Returns the box of a proxy, as last given.
    ///
    /// # Panics
    /// When there is no such proxy.
    #[must_use]
    #[inline]
    pub fn aabb(&self, id: ProxyId) -> Aabb {
        self.structure.aabb(id)
    }

    /// Returns the category bits of a proxy.
    ///
    /// # Panics
    /// When there is no such proxy.
    #[must_use]
    pub fn category(&self, id: ProxyId) -> u64 {
        self.structure.category(id)
    }

    /// Returns the number of a proxy, as given at insertion.
    ///
    /// # Panics
    /// When there is no such proxy.
    #[must_use]
    #[inline]
    pub fn data(&self, id: ProxyId) -> u32 {
        self.structure.data(id)
    }

    /// Finds the pairs whose boxes have begun to overlap since the last update, and the pairs of touched proxies.
    /// Returns the new pairs that `accept` takes, sorted and each once; they are known from then on.
    ///
    /// `accept` gets the numbers of both proxies, the smaller first, in sorted order. It is called
    /// again for a refused pair only after the boxes have separated and overlap again, or after one side
    /// is marked: a pair that stays together costs nothing.
    ///
    /// If `accept` panics, no pair of this update is known. Mark the proxies whose pairs are to be found again.
    ///
    /// Work is shared out over rayon's current pool where many have moved; the result is the same
    /// for any number of threads.
    pub fn update_pairs(&mut self, accept: impl FnMut(u32, u32) -> bool) -> &[Pair] {
        self.update_pairs_with(Sharing::Pool, accept)
    }

    /// Finds pairs as [`update_pairs`](Self::update_pairs) does; `sharing` selects the threads.
    pub fn update_pairs_with(
        &mut self,
        sharing: Sharing<'_>,
        accept: impl FnMut(u32, u32) -> bool,
    ) -> &[Pair] {
        self.keys.clear();
        self.structure
            .collect_pairs(self.pairing, sharing, &mut self.keys);
        self.keys.sort_unstable();
        self.keys.dedup();
        self.found = self.keys.len();
        self.end_pairs();
        self.take_new_pairs(accept);
        &self.pairs
    }

    /// Forgets the pairs that have come apart, where they are listed.
    fn end_pairs(&mut self) {
        if let Some(ended) = &mut self.ended {
            let (structure, known) = (&self.structure, &mut self.known);
            let aabb = |id| structure.aabb(id);
            ended.collect(self.pairing, aabb, |key| {
                known.remove(key);
            });
        }
    }

    /// Filters the sorted keys into `pairs` and makes those known.
    fn take_new_pairs(&mut self, mut accept: impl FnMut(u32, u32) -> bool) {
        self.pairs.clear();
        for &key in &self.keys {
            let pair = Pair::from_key(key);
            if pair.a != pair.b && !self.known.contains(key) && accept(pair.a, pair.b) {
                self.pairs.push(pair);
            }
        }
        // Only now: a pair that is known although a panic kept it from the caller would never be reported.
        for &pair in &self.pairs {
            self.known.insert(pair_key(pair.a, pair.b));
            if let Some(ended) = &mut self.ended {
                ended.begin(pair);
            }
        }
    }

    /// Returns the pairs that the last update reported.
    #[must_use]
    pub fn new_pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns the known pairs that the last update found to be apart or without one side, sorted; they are forgotten
    /// already. If several proxies have the same number, a pair ends with the last of its overlaps. Empty unless
    /// created by [`with_ended_pairs`](Self::with_ended_pairs).
    #[must_use]
    pub fn ended_pairs(&self) -> &[Pair] {
        self.ended.as_ref().map_or(&[], |ended| ended.list())
    }

    /// Forgets a pair, given by its numbers in either order; says whether it was known.
    ///
    /// Forget a pair when its contact is destroyed: when one side is removed, or when the boxes
    /// were found apart between an update and the next change of a box. A pair that is forgotten
    /// while its boxes overlap comes back only after they have separated or a side was marked.
    pub fn forget_pair(&mut self, a: u32, b: u32) -> bool {
        let was_known = a != b && self.known.remove(pair_key(a, b));
        if let Some(ended) = self.ended.as_mut().filter(|_| was_known) {
            ended.forget(a, b);
        }
        was_known
    }

    /// Makes the present proxies the base of deltas: later deltas write changes from now on. See
    /// [`DeltaSink`](cairn2d_geometry::DeltaSink).
    pub fn begin_base(&mut self) {
        self.structure.begin_base();
    }

    /// Adds a known pair, given by its numbers in either order, to a broad phase that was read from a save. Returns
    /// `false` if it was known or the numbers are equal.
    pub fn restore_pair(&mut self, a: u32, b: u32) -> bool {
        a != b && self.known.insert(pair_key(a, b))
    }

    /// Calls `visit` with the name and the number of each proxy, in the order of the structure.
    pub fn visit_proxies(&self, visit: impl FnMut(ProxyId, u32)) {
        self.structure.visit_proxies(visit);
    }

    /// Returns `true` if a pair, given by its numbers in either order, is known.
    #[must_use]
    pub fn is_known(&self, a: u32, b: u32) -> bool {
        a != b && self.known.contains(pair_key(a, b))
    }

    /// Calls `visit` with the number of each proxy whose box touches `aabb` and whose category
    /// shares a bit with `mask`, until it breaks. The order depends only on the edits so far.
    pub fn query(
        &self,
        aabb: &Aabb,
        mask: u64,
        visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> QueryStats {
        self.structure.query(&ProxyKind::ALL, aabb, mask, visit)
    }

    /// Calls `visit` as [`query`](Self::query) does, where only proxies of `kinds` are of interest: the tree passes
    /// over the others, structures that do not keep kinds apart may visit them as well.
    pub fn query_kinds(
        &self,
        kinds: &[ProxyKind],
        aabb: &Aabb,
        mask: u64,
        visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> QueryStats {
        self.structure.query(kinds, aabb, mask, visit)
    }

    /// Casts a ray through the boxes: calls `visit` with the number of a proxy whose box the ray
    /// enters and the largest fraction still of interest; it returns the new largest fraction:
    /// the same to go on, that of a hit to look only for nearer ones, a negative one to stop.
    ///
    /// Boxes that are entered early tend to come early. A ray with an infinite or missing number hits
    /// nothing.
    pub fn ray_cast(&self, ray: &Ray, mask: u64, visit: impl FnMut(u32, f32) -> f32) -> QueryStats {
        self.box_cast(Vec2::zeros(), ray, mask, visit)
    }

    /// Casts a box along a ray as `ray_cast` does a point: `half` is half its width and height
    /// \[m\], and its center starts at the origin of the ray.
    pub fn box_cast(
        &self,
        half: Vec2,
        ray: &Ray,
        mask: u64,
        visit: impl FnMut(u32, f32) -> f32,
    ) -> QueryStats {
        if !(ray.is_valid() && half.x.is_finite() && half.y.is_finite()) {
            return QueryStats::default();
        }
        self.structure.box_cast(half, ray, mask, visit)
    }

    /// Searches for the boxes closest to a point: calls `visit` with the number of a proxy whose box is
    /// no farther than the largest distance still of interest, and that distance \[m\]; it returns
    /// the new one, as in `ray_cast`. Near boxes tend to come early. A point that is not finite
    /// is near nothing.
    pub fn closest(
        &self,
        point: Point,
        max_distance: f32,
        mask: u64,
        visit: impl FnMut(u32, f32) -> f32,
    ) -> QueryStats {
        if !(point.x.is_finite() && point.y.is_finite()) || max_distance.is_nan() {
            return QueryStats::default();
        }
        self.structure.closest(point, max_distance, mask, visit)
    }

    /// Puts everything into the best order for queries, as after a level has been loaded. Updates
    /// do so by themselves where it pays.
    pub fn optimize(&mut self) {
        self.structure.rebuild();
    }

    /// Returns the sizes of the broad phase and the work of the last update.
    #[must_use]
    pub fn stats(&self) -> BroadPhaseStats {
        BroadPhaseStats {
            proxies: self.structure.len(),
            known_pairs: self.known.len(),
            found_pairs: self.found,
            new_pairs: self.pairs.len(),
            height: self.structure.height(),
        }
    }

    /// Calls `visit` with level and box \[m\] of each node of the trees, for drawing; the other structures have none.
    pub fn visit_nodes(&self, visit: impl FnMut(usize, &Aabb)) {
        self.structure.visit_nodes(visit);
    }

    /// Memory held \[bytes\].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.structure.bytes()
            + self.known.bytes()
            + self.keys.capacity() * size_of::<u64>()
            + self.pairs.capacity() * size_of::<Pair>()
            + self.ended.as_ref().map_or(0, |ended| ended.bytes())
    }

    /// Checks the invariants of the broad phase: for tests and bug reports.
    ///
    /// # Panics
    /// If an invariant of the engine is broken.
    pub fn assert_consistent(&self) {
        self.structure.assert_consistent();
        if let Some(ended) = &self.ended {
            ended.assert_consistent(|key| self.known.contains(key));
        }
    }
}

impl Default for BroadPhase {
    fn default() -> Self {
        Self::new(BroadPhaseKind::default())
    }
}
