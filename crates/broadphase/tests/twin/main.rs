//! Every structure against all-pairs, under long random edit sequences.

mod model;
mod random;

use cairn2d_broadphase::{BroadPhase, BroadPhaseKind, Pairing, ProxyKind};
use cairn2d_geometry::Ray;
use cairn2d_geometry::math::{point, vec2};
use core::ops::ControlFlow;
use model::{Model, Twin};
use random::Random;

const KINDS: &[BroadPhaseKind] = BroadPhaseKind::ALL;

/// A broad phase and its model, edited alike.
struct Bench {
    fast: BroadPhase,
    slow: Model,
    random: Random,
    side: f32,
    center: f32,
    next_data: u32,
    /// Whether `fast` lists the pairs that end.
    lists_ended: bool,
}

impl Bench {
    fn new(kind: BroadPhaseKind, seed: u64, side: f32, center: f32) -> Self {
        Self {
            lists_ended: false,
            fast: BroadPhase::new(kind),
            slow: Model::default(),
            random: Random::new(seed),
            side,
            center,
            next_data: 0,
        }
    }

    /// A bench whose broad phase detects ended pairs by itself.
    fn with_ended_pairs(kind: BroadPhaseKind, seed: u64, side: f32) -> Self {
        Self {
            fast: BroadPhase::with_ended_pairs(kind),
            lists_ended: true,
            ..Self::new(kind, seed, side, 0.0)
        }
    }

    fn insert(&mut self) {
        let kind = ProxyKind::ALL[self.random.below(3)];
        let aabb = self.random.aabb(self.side, self.center);
        let category = 1 << self.random.below(4);
        // Out of order, so that the order of pairs is not that of insertion.
        let data = self.next_data.wrapping_mul(0x9E37_79B1) >> 4;
        self.next_data += 1;
        let id = self.fast.insert(kind, aabb, category, data);
        self.slow.twins.push(Twin {
            id,
            kind,
            aabb,
            paired: None,
            category,
            data,
        });
    }

    fn remove(&mut self) {
        let at = self.random.below(self.slow.twins.len());
        let gone = self.slow.twins.swap_remove(at);
        self.fast.remove(gone.id);
        if self.lists_ended {
            return;
        }
        let pairs: Vec<_> = self.slow.known.iter().copied().collect();
        for pair in pairs
            .into_iter()
            .filter(|p| p.a == gone.data || p.b == gone.data)
        {
            assert!(self.fast.forget_pair(pair.b, pair.a));
            self.slow.known.remove(&pair);
        }
    }

    fn change(&mut self) {
        let teleport = self.random.aabb(self.side, self.center);
        let (dx, dy) = (
            self.random.between(-0.3, 0.3),
            self.random.between(-0.3, 0.3),
        );
        let how = self.random.below(8);
        let at = self.random.below(self.slow.twins.len());
        let twin = &mut self.slow.twins[at];
        match how {
            0 => {
                twin.aabb = teleport;
                self.fast.move_to(twin.id, teleport);
            }
            1 => {
                twin.aabb = teleport;
                self.fast.enlarge(twin.id, teleport);
            }
            2 => {
                twin.paired = None;
                self.fast.touch_proxy(twin.id);
            }
            3 => {
                twin.category = 1 << (twin.data % 5);
                self.fast.set_category(twin.id, twin.category);
            }
            _ => {
                twin.aabb = twin.aabb.translated(&vec2(dx, dy));
                self.fast.enlarge_many(&[(twin.id, twin.aabb)]);
            }
        }
    }

    fn edit(&mut self, wanted: usize) {
        let n = self.slow.twins.len();
        match self.random.below(10) {
            _ if n == 0 => self.insert(),
            0 | 1 if n < wanted => self.insert(),
            0 if n > wanted / 2 => self.remove(),
            _ => self.change(),
        }
        self.fast.assert_consistent();
    }

    fn update(&mut self) {
        let accept = |a: u32, b: u32| !(a ^ b).is_multiple_of(7);
        let separated = self.slow.separated();
        if self.lists_ended {
            separated.iter().for_each(|pair| {
                self.slow.known.remove(pair);
            });
        }
        let expected = self.slow.update(accept);
        let found = self.fast.update_pairs(|a, b| {
            assert!(a < b);
            accept(a, b)
        });
        let difference = found.iter().zip(&expected).find(|(a, b)| a != b);
        assert!(
            found == expected,
            "{} and {} pairs, {difference:?}",
            found.len(),
            expected.len()
        );
        self.fast.assert_consistent();
        if self.lists_ended {
            assert_eq!(self.fast.ended_pairs(), separated);
            self.forget_some();
        }
        for pair in self.slow.separated() {
            assert!(self.fast.forget_pair(pair.a, pair.b));
            self.slow.known.remove(&pair);
        }
        assert_eq!(self.fast.stats().known_pairs, self.slow.known.len());
    }

    /// Forgets pairs that overlap, as one does whose filter has changed.
    fn forget_some(&mut self) {
        let stop = self.random.below(7) as u32;
        let pairs: Vec<_> = self.slow.known.iter().copied().collect();
        for pair in pairs.into_iter().filter(|p| (p.a + p.b) % 64 < stop) {
            assert!(self.fast.forget_pair(pair.b, pair.a));
            self.slow.known.remove(&pair);
        }
        self.fast.assert_consistent();
    }

    fn ask(&mut self) {
        let probe = self.random.aabb(self.side, self.center);
        let mask = self.random.next() & 31;
        let mut found = Vec::new();
        self.fast.query(&probe, mask, |data| {
            found.push(data);
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        assert_eq!(found, self.slow.select(mask, |aabb| aabb.overlaps(&probe)));
        self.cast(mask);
        self.query_iter(mask);
        for twin in &self.slow.twins {
            assert_eq!(self.fast.aabb(twin.id), twin.aabb);
            assert_eq!(
                (self.fast.data(twin.id), self.fast.category(twin.id)),
                (twin.data, twin.category)
            );
        }
    }

    /// Everything that a ray hits is visited, and little else.
    fn cast(&mut self, mask: u64) {
        let (a, b) = (
            self.random.aabb(self.side, self.center),
            self.random.aabb(self.side, self.center),
        );
        let ray = match self.random.below(4) {
            0 => Ray::new(a.min, vec2(0.0, b.min.y - a.min.y)),
            1 => Ray::new(a.min, vec2(0.0, 0.0)),
            _ => Ray::between(a.min, b.min),
        };
        let half = if self.random.below(2) == 0 {
            vec2(0.0, 0.0)
        } else {
            vec2(0.5, 0.25)
        };
        let mut seen = Vec::new();
        self.fast.box_cast(half, &ray, mask, |data, limit| {
            seen.push(data);
            limit
        });
        seen.sort_unstable();
        // Some boxes lie a million sides away, and so do the ends of some rays.
        let margin = 1.0e-5 * (self.side + ray.origin.coords.norm() + ray.translation.norm());
        let hit = |by: f32| {
            self.slow.select(mask, |aabb| {
                let mut grown = *aabb;
                grown.min -= half + vec2(by, by);
                grown.max += half + vec2(by, by);
                grown.ray_cast(&ray).is_some()
            })
        };
        assert!(
            hit(-margin).iter().all(|data| seen.contains(data)),
            "{ray:?} misses"
        );
        let outer = hit(margin);
        assert!(
            seen.iter().all(|data| outer.contains(data)),
            "{ray:?} sees too much"
        );
    }

    /// The nearest box is found for every limit.
    fn query_iter(&mut self, mask: u64) {
        let place = self.random.aabb(self.side, self.center).min;
        let distance = |aabb: &cairn2d_geometry::Aabb| {
            let nearest = point(
                place.x.clamp(aabb.min.x, aabb.max.x),
                place.y.clamp(aabb.min.y, aabb.max.y),
            );
            (nearest - place).norm()
        };
        let twins = self.slow.twins.iter().filter(|t| t.category & mask != 0);
        let expected = twins
            .map(|t| distance(&t.aabb))
            .fold(f32::INFINITY, f32::min);
        let mut found = f32::INFINITY;
        self.fast.closest(place, f32::MAX, mask, |data, limit| {
            let twin = self.slow.twins.iter().find(|t| t.data == data).unwrap();
            found = found.min(distance(&twin.aabb));
            limit.min(found)
        });
        assert!(
            found <= expected * (1.0 + 4.0 * f32::EPSILON),
            "{found} {expected}"
        );
    }

    /// Edits of all sorts with updates and questions between them.
    fn run(&mut self, edits: usize, wanted: usize) {
        for step in 0..edits {
            self.edit(wanted);
            if self.random.below(6) == 0 {
                self.update();
            }
            if step % 5 == 0 {
                self.ask();
            }
        }
    }
}

#[test]
fn small_worlds_match_all_pairs() {
    for &kind in KINDS {
        for seed in 0..60 {
            Bench::new(kind, seed, 4.0, 0.0).run(400, 30);
        }
    }
}

#[test]
fn large_worlds_match_all_pairs() {
    for &kind in KINDS {
        for seed in 0..2 {
            let mut bench = Bench::new(kind, seed, 30.0, 0.0);
            (0..700).for_each(|_| bench.insert());
            bench.update();
            bench.run(1000, 700);
        }
    }
}

#[test]
fn boxes_of_a_batch_are_found_like_those_that_come_one_by_one() {
    for &kind in KINDS {
        for (seed, count) in (0..).zip([1, 7, 65, 512, 600]) {
            let mut bench = Bench::new(kind, seed, 30.0, 0.0);
            // Before, and beside, boxes that are sorted already.
            for _ in 0..3 {
                bench.fast.begin_batch();
                (0..count).for_each(|_| bench.insert());
                bench.fast.end_batch();
                bench.fast.assert_consistent();
                (0..5).for_each(|_| bench.ask());
                bench.update();
            }
            bench.run(50, 3 * count);
        }
    }
}

#[test]
fn worlds_far_from_the_origin_match_all_pairs() {
    for &kind in KINDS {
        for seed in 100..110 {
            Bench::new(kind, seed, 4.0, 1.0e6).run(300, 40);
        }
    }
}

#[test]
fn pairs_that_end_are_listed_as_all_pairs_finds_them() {
    for &kind in KINDS {
        for seed in 0..40 {
            Bench::with_ended_pairs(kind, seed, 4.0).run(400, 30);
        }
        let mut bench = Bench::with_ended_pairs(kind, 1, 30.0);
        (0..700).for_each(|_| bench.insert());
        bench.run(500, 700);
    }
}

#[test]
fn kinematic_pairs_are_found_when_asked_for() {
    for &kind in KINDS {
        let mut bench = Bench::new(kind, 7, 4.0, 0.0);
        bench.fast.set_pairing(Pairing::Kinematic);
        bench.slow.pairing = Pairing::Kinematic;
        bench.run(1000, 40);
    }
}
