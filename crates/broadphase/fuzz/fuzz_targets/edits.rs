//! Any sequence of edits: every structure reports the pairs that all-pairs finds, new and ended, and answers alike.
#![no_main]

use arbitrary::Arbitrary;
use cairn2d_broadphase::{BroadPhase, BroadPhaseKind, Pair, Pairing, ProxyId, ProxyKind};
use cairn2d_geometry::math::{Point, Vec2};
use cairn2d_geometry::{Aabb, Ray};
use core::ops::ControlFlow;
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeSet;

/// Proxies that may live at a time: the model looks at all pairs.
const MAX_PROXIES: usize = 64;

#[derive(Arbitrary, Debug, Clone, Copy)]
struct Corners {
    min: [f32; 2],
    size: [f32; 2],
}

#[derive(Arbitrary, Debug)]
enum Edit {
    Insert {
        kind: u8,
        corners: Corners,
        category: u8,
    },
    /// Small boxes close together, which random numbers hardly give.
    InsertNear {
        kind: u8,
        x: i8,
        y: i8,
    },
    Remove(u8),
    Move(u8, Corners),
    Grow(u8, Corners),
    Nudge(u8, i8, i8),
    Mark(u8),
    Update,
    Query(Corners),
    Cast {
        origin: [f32; 2],
        translation: [f32; 2],
        max_fraction: f32,
    },
    Closest {
        point: [f32; 2],
        max_distance: f32,
    },
    Optimize,
    Forget(u8),
}

struct Twin {
    ids: [ProxyId; 3],
    kind: ProxyKind,
    aabb: Aabb,
    paired: Option<Aabb>,
    category: u64,
    data: u32,
}

struct Model {
    structures: [BroadPhase; BroadPhaseKind::ALL.len()],
    twins: Vec<Twin>,
    known: BTreeSet<Pair>,
    next: u32,
}

fn aabb(corners: &Corners) -> Aabb {
    let [x, y] = corners.min;
    let [w, h] = corners.size.map(f32::abs);
    Aabb::new(Point::new(x, y), Point::new(x + w, y + h))
}

fn kind(number: u8) -> ProxyKind {
    ProxyKind::ALL[usize::from(number) % 3]
}

impl Model {
    fn insert(&mut self, kind: ProxyKind, aabb: Aabb, category: u64) {
        if self.twins.len() == MAX_PROXIES {
            return;
        }
        let data = self.next;
        let ids = self
            .structures
            .each_mut()
            .map(|s| s.try_insert(kind, aabb, category, data));
        if let [Ok(a), Ok(b), Ok(c)] = ids {
            self.twins.push(Twin {
                ids: [a, b, c],
                kind,
                aabb,
                paired: None,
                category,
                data,
            });
            self.next += 1;
        } else {
            assert!(ids.iter().all(Result::is_err) && !aabb.is_valid());
        }
    }

    fn remove(&mut self, at: usize) {
        let gone = self.twins.swap_remove(at);
        for (structure, id) in self.structures.iter_mut().zip(gone.ids) {
            structure.remove(id);
        }
    }

    /// Forgets a known pair, apart or not.
    fn forget(&mut self, at: usize) {
        let Some(&pair) = self.known.iter().nth(at % self.known.len().max(1)) else {
            return;
        };
        self.known.remove(&pair);
        for structure in &mut self.structures {
            assert!(structure.forget_pair(pair.b, pair.a));
            assert!(!structure.is_known(pair.a, pair.b));
        }
    }

    /// Takes out the known pairs that no longer overlap, in order.
    fn end_pairs(&mut self) -> Vec<Pair> {
        let aabb = |data| self.twins.iter().find(|t| t.data == data).map(|t| t.aabb);
        let overlap = |p: &Pair| {
            aabb(p.a)
                .zip(aabb(p.b))
                .is_some_and(|(a, b)| a.overlaps(&b))
        };
        let ended = self.known.iter().filter(|p| !overlap(p)).copied().collect();
        self.known.retain(overlap);
        ended
    }

    fn replace(&mut self, at: usize, aabb: Aabb, grow: bool) {
        if !aabb.is_valid() {
            return;
        }
        let twin = &mut self.twins[at];
        twin.aabb = aabb;
        for (structure, id) in self.structures.iter_mut().zip(twin.ids) {
            if grow {
                structure.enlarge(id, aabb)
            } else {
                structure.move_to(id, aabb)
            }
        }
    }

    fn update(&mut self) {
        let ended = self.end_pairs();
        let mut expected = BTreeSet::new();
        for (i, a) in self.twins.iter().enumerate() {
            for b in &self.twins[i + 1..] {
                let before = a.paired.zip(b.paired).is_some_and(|(a, b)| a.overlaps(&b));
                let pair = Pair {
                    a: a.data.min(b.data),
                    b: a.data.max(b.data),
                };
                let begins = a.aabb.overlaps(&b.aabb) && !before && !self.known.contains(&pair);
                if begins && Pairing::Dynamic.allows(a.kind, b.kind) {
                    expected.insert(pair);
                }
            }
        }
        for structure in &mut self.structures {
            assert!(
                structure.update_pairs(|_, _| true).iter().eq(&expected),
                "{:?}",
                structure.kind()
            );
            assert_eq!(structure.ended_pairs(), ended, "{:?}", structure.kind());
        }
        self.known.extend(expected);
        self.twins
            .iter_mut()
            .for_each(|twin| twin.paired = Some(twin.aabb));
    }

    fn query(&self, region: &Aabb) {
        let touching = self.twins.iter().filter(|twin| twin.aabb.overlaps(region));
        let expected: BTreeSet<u32> = touching.map(|twin| twin.data).collect();
        for structure in &self.structures {
            let mut seen = BTreeSet::new();
            structure.query(region, u64::MAX, |data| {
                assert!(seen.insert(data));
                ControlFlow::Continue(())
            });
            assert!(seen == expected, "{:?} {region:?}", structure.kind());
        }
    }

    /// Casts must end, and visit each box at most once.
    fn cast(&self, ray: &Ray) {
        for structure in &self.structures {
            let mut seen = BTreeSet::new();
            structure.ray_cast(ray, u64::MAX, |data, limit| {
                assert!(
                    seen.insert(data),
                    "{:?} sees {data} twice",
                    structure.kind()
                );
                limit
            });
        }
    }

    fn closest(&self, point: Point, max_distance: f32) {
        for structure in &self.structures {
            let mut seen = BTreeSet::new();
            structure.closest(point, max_distance, u64::MAX, |data, limit| {
                assert!(
                    seen.insert(data),
                    "{:?} sees {data} twice",
                    structure.kind()
                );
                limit
            });
        }
    }

    fn apply(&mut self, edit: &Edit) {
        let n = self.twins.len();
        let at = |number: u8| usize::from(number) % n.max(1);
        match *edit {
            Edit::Insert {
                kind: k,
                ref corners,
                category,
            } => {
                self.insert(kind(k), aabb(corners), category.into());
            }
            Edit::InsertNear { kind: k, x, y } => {
                let corner = Point::new(f32::from(x) * 0.25, f32::from(y) * 0.25);
                self.insert(kind(k), Aabb::new(corner, corner + Vec2::new(1.0, 1.0)), 1);
            }
            Edit::Remove(number) if n > 0 => self.remove(at(number)),
            Edit::Move(number, ref corners) if n > 0 => {
                self.replace(at(number), aabb(corners), false)
            }
            Edit::Grow(number, ref corners) if n > 0 => {
                self.replace(at(number), aabb(corners), true)
            }
            Edit::Nudge(number, x, y) if n > 0 => {
                let by = Vec2::new(f32::from(x), f32::from(y)) * 0.01;
                self.replace(
                    at(number),
                    self.twins[at(number)].aabb.translated(&by),
                    true,
                );
            }
            Edit::Mark(number) if n > 0 => {
                let twin = &mut self.twins[at(number)];
                twin.paired = None;
                self.structures
                    .iter_mut()
                    .zip(twin.ids)
                    .for_each(|(s, id)| s.touch_proxy(id));
            }
            Edit::Update => self.update(),
            Edit::Query(ref corners) => self.query(&aabb(corners)),
            Edit::Cast {
                origin,
                translation,
                max_fraction,
            } => {
                let (origin, translation) = (Point::from(origin), Vec2::from(translation));
                self.cast(&Ray {
                    origin,
                    translation,
                    max_fraction,
                });
            }
            Edit::Closest {
                point,
                max_distance,
            } => self.closest(point.into(), max_distance),
            Edit::Forget(number) => self.forget(number.into()),
            Edit::Optimize => self.structures.iter_mut().for_each(BroadPhase::optimize),
            _ => {}
        }
    }
}

fuzz_target!(|edits: Vec<Edit>| {
    let structures =
        core::array::from_fn(|i| BroadPhase::with_ended_pairs(BroadPhaseKind::ALL[i]));
    let mut model = Model {
        structures,
        twins: Vec::new(),
        known: BTreeSet::new(),
        next: 0,
    };
    for edit in &edits {
        model.apply(edit);
        model
            .structures
            .iter()
            .for_each(BroadPhase::assert_consistent);
        for twin in &model.twins {
            for (structure, id) in model.structures.iter().zip(twin.ids) {
                assert_eq!(
                    (structure.aabb(id), structure.category(id)),
                    (twin.aabb, twin.category)
                );
            }
        }
    }
    model.update();
});
