//! Guarantees for users: order, memory, threads, refused arguments, the iterators.

use cairn2d_broadphase::tree::Tree;
use cairn2d_broadphase::{BoxError, BroadPhase, BroadPhaseKind, Pair, ProxyId, ProxyKind};
use cairn2d_geometry::math::{Point, point, vec2};
use cairn2d_geometry::{Aabb, Ray, StateHasher};
use core::ops::ControlFlow;

/// Boxes of side 1.2 on a loose grid, 1.25 apart and shaken, in no useful order.
fn crowd(n: u32) -> Vec<Aabb> {
    let columns = f64::from(n).sqrt() as u32 + 1;
    let shaken = |i: u32| {
        let i = i.wrapping_mul(7919) % n;
        let shake = |salt: u32| (i.wrapping_mul(salt) >> 8) as f32 / (1 << 24) as f32 * 0.5;
        let x = (i % columns) as f32 + shake(0x9E37_79B1);
        let y = (i / columns) as f32 + shake(0x85EB_CA6B);
        Aabb::from_center_half(point(1.25 * x, 1.25 * y), vec2(0.6, 0.6))
    };
    (0..n).map(shaken).collect()
}

fn filled(kind: BroadPhaseKind, boxes: &[Aabb]) -> (BroadPhase, Vec<ProxyId>) {
    let mut broad_phase = BroadPhase::new(kind);
    let numbered = boxes.iter().zip(0..);
    let ids = numbered
        .map(|(aabb, i)| broad_phase.insert(ProxyKind::Dynamic, *aabb, 1, i))
        .collect();
    (broad_phase, ids)
}

/// Moves everything by a little, twenty times, and returns the pairs of each step.
fn history(kind: BroadPhaseKind, boxes: &[Aabb]) -> Vec<Vec<Pair>> {
    let (mut broad_phase, ids) = filled(kind, boxes);
    (0..20)
        .map(|step| {
            let drift =
                |i: usize| vec2((i % 7) as f32 - 3.0, (i % 5) as f32 - 2.0) * (0.05 * step as f32);
            let numbered = ids.iter().zip(boxes).enumerate();
            let grown = numbered
                .map(|(i, (id, aabb))| (*id, aabb.translated(&drift(i))))
                .into_vec();
            broad_phase.enlarge_many(&grown);
            broad_phase.update_pairs(|_, _| true).to_vec()
        })
        .collect()
}

trait Collected: Iterator + Sized {
    fn into_vec(self) -> Vec<Self::Item> {
        self.collect()
    }
}

impl<I: Iterator> Collected for I {}

#[test]
fn pairs_are_the_same_for_any_structure_and_number_of_threads() {
    let boxes = crowd(6000);
    let expected = history(BroadPhaseKind::Tree, &boxes);
    assert!(expected.iter().all(|pairs| pairs.is_sorted()));
    let lengths = expected.iter().map(Vec::len).into_vec();
    assert!(lengths.iter().sum::<usize>() > 10_000, "{lengths:?}");
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        for &kind in BroadPhaseKind::ALL {
            assert!(
                pool.install(|| history(kind, &boxes)) == expected,
                "{kind:?}, {threads} threads"
            );
        }
    }
}

#[test]
fn pairs_are_the_same_for_any_insertion_order() {
    let boxes = crowd(2000);
    for &kind in BroadPhaseKind::ALL {
        let (mut forward, _) = filled(kind, &boxes);
        let mut backward = BroadPhase::new(kind);
        for (aabb, i) in boxes.iter().zip(0..).into_vec().into_iter().rev() {
            backward.insert(ProxyKind::Dynamic, *aabb, 1, i);
        }
        let pairs = forward.update_pairs(|_, _| true);
        assert_eq!(pairs, backward.update_pairs(|_, _| true), "{kind:?}");
    }
}

#[test]
fn memory_stays_bounded_under_churn() {
    let boxes = crowd(2000);
    for &kind in BroadPhaseKind::ALL {
        let (mut broad_phase, mut ids) = filled(kind, &boxes[..1000]);
        broad_phase.update_pairs(|_, _| true);
        let mut least_after_warming_up = 0;
        for round in 0..60 {
            for (i, id) in ids.iter_mut().enumerate() {
                broad_phase.remove(*id);
                let at = (i * 31 + round * 17) % boxes.len();
                *id = broad_phase.insert(ProxyKind::Dynamic, boxes[at], 1, at as u32);
            }
            let pairs = broad_phase.update_pairs(|_, _| true).to_vec();
            pairs
                .iter()
                .for_each(|pair| assert!(broad_phase.forget_pair(pair.a, pair.b)));
            if round == 10 {
                least_after_warming_up = broad_phase.bytes();
            }
        }
        assert!(
            broad_phase.bytes() <= 2 * least_after_warming_up,
            "{kind:?}: {}",
            broad_phase.bytes()
        );
        broad_phase.assert_consistent();
    }
}

#[test]
fn bad_boxes_are_refused_and_leave_nothing_behind() {
    for &kind in BroadPhaseKind::ALL {
        let mut broad_phase = BroadPhase::new(kind);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let aabb = Aabb::new(point(0.0, 0.0), point(1.0, bad));
            let refused = broad_phase.try_insert(ProxyKind::Dynamic, aabb, 1, 0);
            assert!(
                matches!(refused, Err(BoxError::NotFinite(_))),
                "{refused:?}"
            );
        }
        let inverted = Aabb::new(point(1.0, 0.0), point(0.0, 1.0));
        let refused = broad_phase.try_insert(ProxyKind::Dynamic, inverted, 1, 0);
        assert_eq!(refused, Err(BoxError::Inverted(inverted)));
        assert_eq!(broad_phase.stats().proxies, 0);
        broad_phase.assert_consistent();
    }
}

#[test]
#[should_panic(expected = "has a coordinate that is not finite")]
fn moving_to_nowhere_panics_with_the_reason() {
    let (mut broad_phase, ids) = filled(BroadPhaseKind::Tree, &crowd(4));
    broad_phase.move_to(ids[0], Aabb::new(point(f32::NAN, 0.0), point(1.0, 1.0)));
}

#[test]
fn removed_proxies_are_unknown() {
    for &kind in BroadPhaseKind::ALL {
        let (mut broad_phase, ids) = filled(kind, &crowd(20));
        broad_phase.remove(ids[3]);
        assert!(!broad_phase.contains(ids[3]) && !broad_phase.contains(ProxyId::NULL));
        assert!(broad_phase.contains(ids[4]));
    }
}

#[test]
fn questions_without_bounds_or_numbers_are_answered() {
    let everything = Aabb::new(
        point(f32::NEG_INFINITY, f32::NEG_INFINITY),
        point(f32::INFINITY, f32::INFINITY),
    );
    for &kind in BroadPhaseKind::ALL {
        let (broad_phase, ids) = filled(kind, &crowd(100));
        let mut seen = 0;
        broad_phase.query(&everything, u64::MAX, |_| {
            seen += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(seen, ids.len(), "{kind:?}");
        let nowhere = point(f32::NAN, 0.0);
        broad_phase.ray_cast(&Ray::new(nowhere, vec2(1.0, 0.0)), u64::MAX, |_, _| {
            panic!("seen")
        });
        broad_phase.closest(nowhere, 1.0, u64::MAX, |_, _| panic!("seen"));
        let mut nearest = 0;
        broad_phase.closest(point(1.0e30, 0.0), f32::INFINITY, u64::MAX, |_, limit| {
            nearest += 1;
            limit
        });
        assert_eq!(nearest, ids.len(), "{kind:?}");
    }
}

#[test]
fn a_mask_of_all_bits_sees_even_what_has_no_category() {
    for &kind in BroadPhaseKind::ALL {
        let mut broad_phase = BroadPhase::new(kind);
        let aabb = Aabb::new(point(0.0, 0.0), point(1.0, 1.0));
        broad_phase.insert(ProxyKind::Static, aabb, 0, 7);
        let seen = |mask| {
            broad_phase
                .query(&aabb, mask, |_| ControlFlow::Continue(()))
                .leaves
        };
        assert_eq!((seen(u64::MAX), seen(u64::MAX - 1)), (1, 0), "{kind:?}");
    }
}

#[test]
fn a_query_that_breaks_sees_no_more() {
    for &kind in BroadPhaseKind::ALL {
        let (broad_phase, _) = filled(kind, &crowd(500));
        let middle = Aabb::from_center_half(point(14.0, 14.0), vec2(9.0, 9.0));
        let mut seen = 0;
        let stats = broad_phase.query(&middle, u64::MAX, |_| {
            seen += 1;
            if seen == 5 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!((seen, stats.leaves), (5, 5), "{kind:?}");
    }
}

#[test]
fn what_rests_is_not_asked_again() {
    for &kind in BroadPhaseKind::ALL {
        let (mut broad_phase, ids) = filled(kind, &crowd(500));
        let found = broad_phase.update_pairs(|_, _| true).len();
        assert!(found > 0);
        assert!(
            broad_phase
                .update_pairs(|a, b| panic!("asked for {a} and {b}"))
                .is_empty()
        );
        assert_eq!(broad_phase.stats().found_pairs, 0);
        // The same box again causes no query either.
        let grown = ids.iter().map(|&id| (id, broad_phase.aabb(id))).into_vec();
        broad_phase.enlarge_many(&grown);
        assert!(
            broad_phase
                .update_pairs(|a, b| panic!("asked for {a} and {b}"))
                .is_empty()
        );
        assert_eq!(broad_phase.stats().known_pairs, found);
    }
}

#[test]
fn a_marked_proxy_is_asked_for_what_was_refused() {
    for &kind in BroadPhaseKind::ALL {
        let (mut broad_phase, ids) = filled(kind, &crowd(100));
        assert!(broad_phase.update_pairs(|_, _| false).is_empty());
        broad_phase.touch_proxy(ids[40]);
        let pairs = broad_phase.update_pairs(|_, _| true).to_vec();
        assert!(!pairs.is_empty() && pairs.iter().all(|pair| pair.a == 40 || pair.b == 40));
        broad_phase.touch_proxy(ids[40]);
        assert!(
            broad_phase
                .update_pairs(|a, b| panic!("asked for {a} and {b}"))
                .is_empty()
        );
    }
}

#[test]
fn iterators_agree_with_all_pairs() {
    let boxes = crowd(700);
    let (mut tree, mut other) = (Tree::new(), Tree::new());
    for (aabb, i) in boxes.iter().zip(0..) {
        tree.insert(*aabb, 1 << (i % 3), i);
        other.insert(aabb.translated(&vec2(0.5, 40.0)), 1, i);
    }
    let mut pairs = tree
        .overlapping_pairs()
        .map(|(a, b)| (a.min(b), a.max(b)))
        .into_vec();
    pairs.sort_unstable();
    let all = |a: u32| (a + 1..700).map(move |b| (a, b));
    let touching = |&(a, b): &(u32, u32)| boxes[a as usize].overlaps(&boxes[b as usize]);
    assert_eq!(pairs, (0..700).flat_map(all).filter(touching).into_vec());

    let mut across = tree.overlapping_pairs_with(&other).into_vec();
    across.sort_unstable();
    let moved = |b: u32| boxes[b as usize].translated(&vec2(0.5, 40.0));
    let all = (0..700).flat_map(|a| (0..700).map(move |b| (a, b)));
    assert_eq!(
        across,
        all.filter(|&(a, b)| boxes[a as usize].overlaps(&moved(b)))
            .into_vec()
    );

    let probe = Aabb::from_center_half(point(10.0, 10.0), vec2(4.0, 3.0));
    let mut seen = tree.overlaps(&probe, 0b10).into_vec();
    seen.sort_unstable();
    let wanted = |i: &u32| i % 3 == 1 && boxes[*i as usize].overlaps(&probe);
    assert_eq!(seen, (0..700).filter(wanted).into_vec());
    assert_eq!(tree.iter().count(), 700);
}

#[test]
fn near_things_tend_to_come_early_and_none_is_left_out() {
    let boxes = crowd(700);
    let mut tree = Tree::new();
    for (aabb, i) in boxes.iter().zip(0..) {
        tree.insert(*aabb, 1, i);
    }
    let place = point(12.0, 15.0);
    let distance = |aabb: &Aabb| {
        let nearest = Point::new(
            place.x.clamp(aabb.min.x, aabb.max.x),
            place.y.clamp(aabb.min.y, aabb.max.y),
        );
        (nearest - place).norm()
    };
    let near = tree.query_iter(place, 5.0, u64::MAX).into_vec();
    assert_eq!(
        near.len(),
        boxes.iter().filter(|aabb| distance(aabb) <= 5.0).count()
    );
    assert!(
        near.iter()
            .all(|(i, d)| (d - distance(&boxes[*i as usize])).abs() < 1.0e-5)
    );
    let mean = |part: &[(u32, f32)]| part.iter().map(|(_, d)| d).sum::<f32>() / part.len() as f32;
    let (first, last) = near.split_at(near.len() / 2);
    assert!(mean(first) < mean(last));

    let ray = Ray::new(place, vec2(8.0, 3.0));
    let along = tree.ray_iter(&ray, u64::MAX).into_vec();
    assert_eq!(
        along.len(),
        boxes
            .iter()
            .filter(|aabb| aabb.ray_cast(&ray).is_some())
            .count()
    );
    let fat = tree.box_along(vec2(1.0, 1.0), &ray, u64::MAX).count();
    assert!(fat > along.len());
}

/// Least number of levels for `n` boxes, eight to a node.
fn least_height(n: usize) -> usize {
    let (mut nodes, mut levels) = (n, 0);
    while nodes > 1 || levels == 0 {
        nodes = nodes.div_ceil(8);
        levels += 1;
    }
    levels
}

#[test]
fn tree_is_as_low_as_it_can_be_after_insertion_moves_and_a_rebuild() {
    // A binary tree of n boxes is no lower than log2 n: each level here stands for three of it.
    for (count, columns) in [(200_u32, 200), (400, 20)] {
        let unit = |i: u32, shift: f32| {
            let (x, y) = ((i % columns) as f32, (i / columns) as f32);
            Aabb::from_center_half(point(x + shift * y, y - shift * x), vec2(0.4, 0.4))
        };
        let boxes: Vec<Aabb> = (0..count).map(|i| unit(i, 0.0)).collect();
        let (mut broad_phase, ids) = filled(BroadPhaseKind::Tree, &boxes);
        let least = least_height(count as usize);
        assert_eq!(broad_phase.stats().height, least, "{count} inserted");
        for step in 1..=20 {
            for (&id, i) in ids.iter().zip(0..) {
                broad_phase.enlarge(id, unit(i, 0.1 * step as f32));
            }
            broad_phase.update_pairs(|_, _| true);
            // Boxes that stray leave holes behind until they are sorted: one level more at the most.
            assert!(broad_phase.stats().height <= least + 1, "{count} moved");
        }
        broad_phase.optimize();
        assert_eq!(broad_phase.stats().height, least, "{count} rebuilt");
        for id in ids {
            broad_phase.remove(id);
        }
        broad_phase.optimize();
        assert_eq!(broad_phase.stats().height, 0, "nothing left");
    }
    assert_eq!(
        filled(BroadPhaseKind::Grid, &crowd(100)).0.stats().height,
        0
    );
}

fn state_of(broad_phase: &BroadPhase) -> u64 {
    StateHasher::new().add(broad_phase).finish()
}

#[test]
fn equal_states_have_equal_hashes_and_go_on_alike() {
    for &kind in BroadPhaseKind::ALL {
        let boxes = crowd(500);
        let (mut broad_phase, ids) = filled(kind, &boxes);
        broad_phase.update_pairs(|_, _| true);
        let mut copy = broad_phase.clone();
        for step in 0..20 {
            for world in [&mut broad_phase, &mut copy] {
                for (id, aabb) in ids.iter().zip(&boxes).skip(step).step_by(3) {
                    world.enlarge(*id, aabb.translated(&vec2(0.3 * step as f32, -0.2)));
                }
                world.update_pairs(|a, b| (a + b) % 7 != 0);
            }
            assert_eq!(state_of(&broad_phase), state_of(&copy), "{kind:?} {step}");
        }
    }
}

#[test]
fn hash_sees_what_the_next_update_reads() {
    type Edit = fn(&mut BroadPhase, &[ProxyId]);
    let edits: [(&str, Edit); 5] = [
        ("box", |b, ids| {
            b.enlarge(
                ids[3],
                Aabb::from_center_half(point(0.0, 9.0), vec2(1.0, 1.0)),
            );
        }),
        ("mark", |b, ids| b.touch_proxy(ids[3])),
        ("category", |b, ids| b.set_category(ids[3], 2)),
        ("known pair", |b, _| {
            let pair = b.new_pairs()[0];
            assert!(b.forget_pair(pair.a, pair.b));
        }),
        ("proxy", |b, ids| b.remove(ids[3])),
    ];
    for &kind in BroadPhaseKind::ALL {
        for (name, edit) in edits {
            let (mut broad_phase, ids) = filled(kind, &crowd(100));
            broad_phase.update_pairs(|_, _| true);
            let before = state_of(&broad_phase);
            broad_phase.query(&Aabb::EMPTY, 1, |_| ControlFlow::Continue(()));
            assert_eq!(
                state_of(&broad_phase),
                before,
                "{kind:?}: a query changed it"
            );
            edit(&mut broad_phase, &ids);
            assert_ne!(state_of(&broad_phase), before, "{kind:?}: {name}");
        }
    }
}
