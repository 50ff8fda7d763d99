//! The timed work: the same thousand queries to each engine, as one closure per engine.

use crate::generate::{Kind, Random, placed, shape};
use crate::{box2d, parry};
use boxdd_sys::ffi::*;
use cairn2d_geometry::math::{Pose, Vec2};
use cairn2d_geometry::*;
use std::hint::black_box;

/// Questions per closure.
pub const COUNT: usize = 1000;

/// Asks an engine all questions of a row.
pub type Ask = Box<dyn FnMut()>;

/// Same questions to several engines.
pub struct Row {
    pub name: String,
    /// Name of each engine, and the call.
    pub engines: Vec<(&'static str, Ask)>,
}

impl Row {
    fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            engines: Vec::new(),
        }
    }

    fn add(&mut self, engine: &'static str, ask: impl FnMut() + 'static) {
        self.engines.push((engine, Box::new(ask)));
    }
}

/// Keeps inputs for the rest of the run, so that closures may share them.
fn leak<T>(inputs: Vec<T>) -> &'static mut [T] {
    Box::leak(inputs.into_boxed_slice())
}

/// Returns all rows.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    manifolds(&mut rows);
    distances(&mut rows);
    rays(&mut rows);
    casts(&mut rows);
    impacts(&mut rows);
    masses_and_hulls(&mut rows);
    rows
}

struct Pair {
    a: Shape,
    b: Shape,
    pose: Pose,
}

fn pairs(kinds: (Kind, Kind), gap: impl Fn(&mut Random) -> f32) -> Vec<Pair> {
    let mut random = Random(7);
    (0..COUNT)
        .map(|_| {
            let (a, b) = (
                shape(&mut random, kinds.0, 0.5),
                shape(&mut random, kinds.1, 0.5),
            );
            let wanted = gap(&mut random);
            let pose = placed(&mut random, &a, &b, wanted);
            Pair { a, b, pose }
        })
        .collect()
}

/// Boxes that lie on each other nearly flush, as in a pile.
fn stacked_boxes() -> Vec<Pair> {
    let mut random = Random(3);
    let cube = |random: &mut Random| {
        let half = random.between(0.3, 0.6);
        (half, Shape::from(Polygon::rectangle(half, half)))
    };
    (0..COUNT)
        .map(|_| {
            let ((half_a, a), (half_b, b)) = (cube(&mut random), cube(&mut random));
            let x = random.between(-0.4, 0.4);
            let y = half_a + half_b + random.between(-0.01, 0.005);
            let turn = random.between(-0.005, 0.005);
            let quarter = random.below(4) as f32 * std::f32::consts::FRAC_PI_2;
            let way = cairn2d_geometry::math::rotation(quarter) * Vec2::new(x, y);
            Pair {
                a,
                b,
                pose: cairn2d_geometry::math::pose(way.x, way.y, turn + quarter),
            }
        })
        .collect()
}

fn manifolds(rows: &mut Vec<Row>) {
    let touching = |r: &mut Random| r.between(-0.02, 0.01);
    let sets = [
        ("manifold stacked boxes", stacked_boxes()),
        (
            "manifold polygons",
            pairs((Kind::Polygon, Kind::Polygon), touching),
        ),
        (
            "manifold rounded polygons",
            pairs((Kind::Rounded, Kind::Rounded), touching),
        ),
        (
            "manifold polygon circle",
            pairs((Kind::Polygon, Kind::Circle), touching),
        ),
        (
            "manifold capsules",
            pairs((Kind::Capsule, Kind::Capsule), touching),
        ),
        (
            "manifold polygons apart",
            pairs((Kind::Polygon, Kind::Polygon), |r| r.between(0.03, 0.2)),
        ),
    ];
    for (name, pairs) in sets {
        let pairs: &'static [Pair] = leak(pairs);
        let mut group = Row::new(name);
        let mut caches = vec![ManifoldCache::default(); COUNT];
        group.add("cairn2d", move || {
            for (p, cache) in pairs.iter().zip(caches.iter_mut()) {
                black_box(collide(&p.a, &p.b, &p.pose, cache));
            }
        });
        let made: Vec<_> = pairs
            .iter()
            .map(|p| {
                (
                    box2d::make(&p.a),
                    box2d::make(&p.b),
                    box2d::transform(&p.pose),
                )
            })
            .collect();
        group.add("box2d", move || {
            for (a, b, pose) in &made {
                black_box(box2d::collide(a, b, *pose));
            }
        });
        parry_manifolds(&mut group, pairs);
        rows.push(group);
    }
}

fn parry_manifolds(group: &mut Row, pairs: &'static [Pair]) {
    use parry2d::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
    use parry2d::shape::{Cuboid, SharedShape};
    type Data = ContactManifold<(), ()>;
    // Its fast path for boxes needs its own box shape.
    let make = |shape: &Shape| match shape {
        Shape::Polygon(p)
            if p.vertices().len() == 4
                && p.vertices()[0] == -p.vertices()[2]
                && p.radius() == 0.0 =>
        {
            let half = p.vertices()[2];
            (
                SharedShape::new(Cuboid::new(parry::at(&half))),
                parry2d::math::Vector::new(0.0, 0.0),
            )
        }
        _ => parry::make(shape),
    };
    let made: Vec<_> = pairs
        .iter()
        .map(|p| {
            let ((a, _), (b, at)) = (make(&p.a), make(&p.b));
            (a, b, parry::shifted(&p.pose, at))
        })
        .collect();
    let mut manifolds: Vec<Data> = (0..pairs.len()).map(|_| Data::default()).collect();
    group.add("parry2d", move || {
        for ((a, b, pose), manifold) in made.iter().zip(manifolds.iter_mut()) {
            // A moved pose invalidates the cached manifold: compute it anew, as for the other engines.
            manifold.clear();
            let _ = DefaultQueryDispatcher
                .contact_manifold_convex_convex(pose, &*a.0, &*b.0, None, None, 0.02, manifold);
            black_box(&manifold);
        }
    });
}

fn distances(rows: &mut Vec<Row>) {
    let gap = |r: &mut Random| r.between(0.05, 1.0);
    let sets = [
        (
            "distance polygons",
            pairs((Kind::Polygon, Kind::Polygon), gap),
        ),
        (
            "distance capsules",
            pairs((Kind::Capsule, Kind::Capsule), gap),
        ),
    ];
    for (name, pairs) in sets {
        let pairs: &'static [Pair] = leak(pairs);
        let mut group = Row::new(name);
        group.add("cairn2d cold", move || {
            for p in pairs {
                black_box(distance(&p.a, &p.b, &p.pose, &mut SimplexCache::default()));
            }
        });
        let mut caches = vec![SimplexCache::default(); COUNT];
        group.add("cairn2d cached", move || {
            for (p, cache) in pairs.iter().zip(caches.iter_mut()) {
                black_box(distance(&p.a, &p.b, &p.pose, cache));
            }
        });
        let inputs: &'static [b2DistanceInput] = leak(
            pairs
                .iter()
                .map(|p| b2DistanceInput {
                    proxyA: box2d::proxy(&p.a),
                    proxyB: box2d::proxy(&p.b),
                    transform: box2d::transform(&p.pose),
                    useRadii: true,
                })
                .collect::<Vec<_>>(),
        );
        let ask = |input: &b2DistanceInput, cache: &mut b2SimplexCache| unsafe {
            b2ShapeDistance(input, cache, std::ptr::null_mut(), 0)
        };
        let zero: b2SimplexCache = unsafe { std::mem::zeroed() };
        group.add("box2d cold", move || {
            for input in inputs {
                black_box(ask(input, &mut zero.clone()));
            }
        });
        let mut caches = vec![zero; COUNT];
        group.add("box2d cached", move || {
            for (input, cache) in inputs.iter().zip(caches.iter_mut()) {
                black_box(ask(input, cache));
            }
        });
        let made: Vec<_> = pairs
            .iter()
            .map(|p| {
                (
                    parry::make(&p.a).0,
                    parry::make(&p.b).0,
                    parry::pose(&p.pose),
                )
            })
            .collect();
        group.add("parry2d", move || {
            for (a, b, pose) in &made {
                let _ = black_box(parry2d::query::closest_points(
                    &parry2d::math::Pose::IDENTITY,
                    &*a.0,
                    pose,
                    &*b.0,
                    f32::MAX,
                ));
            }
        });
        rows.push(group);
    }
}

fn rays(rows: &mut Vec<Row>) {
    for kind in [
        Kind::Polygon,
        Kind::Circle,
        Kind::Capsule,
        Kind::Segment,
        Kind::Rounded,
    ] {
        let mut random = Random(5);
        let cases: &'static [(Shape, Ray)] = leak(
            (0..COUNT)
                .map(|_| {
                    let s = shape(&mut random, kind, 0.5);
                    let origin = cairn2d_geometry::math::Point::from(random.direction() * 3.0);
                    let aim = cairn2d_geometry::math::Point::from(
                        random.direction() * random.between(0.0, 0.7),
                    );
                    (s, Ray::new(origin, (aim - origin) * 2.0))
                })
                .collect(),
        );
        let mut group = Row::new(&format!("ray {kind:?}").to_lowercase());
        group.add("cairn2d", move || {
            for (s, ray) in cases {
                black_box(s.ray_cast(ray));
            }
        });
        let made: Vec<_> = cases
            .iter()
            .map(|(s, ray)| {
                let input = b2RayCastInput {
                    origin: box2d::at(&ray.origin),
                    translation: box2d::vec(&ray.translation),
                    maxFraction: 1.0,
                };
                (box2d::make(s), input)
            })
            .collect();
        group.add("box2d", move || {
            for (s, input) in &made {
                black_box(box2d::ray_cast(s, input));
            }
        });
        let made: Vec<_> = cases
            .iter()
            .map(|(s, ray)| {
                let (s, at) = parry::make(s);
                let origin = parry::at(&ray.origin) - at;
                (
                    s,
                    parry2d::query::Ray::new(origin, parry::vec(&ray.translation)),
                )
            })
            .collect();
        group.add("parry2d", move || {
            for (s, ray) in &made {
                black_box(s.cast_local_ray_and_get_normal(ray, 1.0, true));
            }
        });
        rows.push(group);
    }
}

fn casts(rows: &mut Vec<Row>) {
    let pairs: &'static [Pair] = leak(pairs((Kind::Polygon, Kind::Polygon), |r| {
        r.between(0.3, 1.0)
    }));
    let steps: &'static [Vec2] = leak(
        pairs
            .iter()
            .map(|p| p.pose.translation.vector * -1.5)
            .collect(),
    );
    let mut group = Row::new("shape cast polygons");
    group.add("cairn2d", move || {
        for (p, step) in pairs.iter().zip(steps) {
            black_box(shape_cast(&p.a, &p.b, &p.pose, *step, 1.0));
        }
    });
    let inputs: Vec<_> = pairs
        .iter()
        .zip(steps)
        .map(|(p, step)| b2ShapeCastPairInput {
            proxyA: box2d::proxy(&p.a),
            proxyB: box2d::proxy(&p.b),
            transform: box2d::transform(&p.pose),
            translationB: box2d::vec(step),
            maxFraction: 1.0,
            canEncroach: false,
        })
        .collect();
    group.add("box2d", move || {
        for input in &inputs {
            black_box(unsafe { b2ShapeCast(input) });
        }
    });
    let made: Vec<_> = pairs
        .iter()
        .zip(steps)
        .map(|(p, s)| {
            (
                parry::make(&p.a).0,
                parry::make(&p.b).0,
                parry::pose(&p.pose),
                parry::vec(s),
            )
        })
        .collect();
    let zero = parry2d::math::Vector::new(0.0, 0.0);
    group.add("parry2d", move || {
        for (a, b, pose, step) in &made {
            let options = parry2d::query::ShapeCastOptions {
                max_time_of_impact: 1.0,
                ..Default::default()
            };
            let _ = black_box(parry2d::query::cast_shapes(
                &parry2d::math::Pose::IDENTITY,
                zero,
                &*a.0,
                pose,
                *step,
                &*b.0,
                options,
            ));
        }
    });
    rows.push(group);
}

fn impacts(rows: &mut Vec<Row>) {
    let pairs: &'static [Pair] = leak(pairs((Kind::Polygon, Kind::Polygon), |r| {
        r.between(0.3, 1.0)
    }));
    let mut random = Random(9);
    let sweeps: &'static [(Sweep, Sweep)] = leak(
        pairs
            .iter()
            .map(|p| {
                let mut end = Pose::identity();
                end.rotation = cairn2d_geometry::math::rotation(random.between(-0.5, 0.5));
                let still = Sweep::between(&Pose::identity(), &end);
                let mut end = p.pose;
                end.translation.vector *= -0.5;
                end.rotation *= cairn2d_geometry::math::rotation(random.between(-0.5, 0.5));
                (still, Sweep::between(&p.pose, &end))
            })
            .collect(),
    );
    let mut group = Row::new("time of impact polygons");
    group.add("cairn2d", move || {
        for (p, (sa, sb)) in pairs.iter().zip(sweeps) {
            black_box(time_of_impact(&p.a, sa, &p.b, sb, 1.0));
        }
    });
    let inputs: Vec<_> = pairs
        .iter()
        .zip(sweeps)
        .map(|(p, (sa, sb))| b2TOIInput {
            proxyA: box2d::proxy(&p.a),
            proxyB: box2d::proxy(&p.b),
            sweepA: box2d::sweep(sa),
            sweepB: box2d::sweep(sb),
            maxFraction: 1.0,
        })
        .collect();
    group.add("box2d", move || {
        for input in &inputs {
            black_box(unsafe { b2TimeOfImpact(input) });
        }
    });
    use parry2d::query::NonlinearRigidMotion;
    let motion = |s: &Sweep| NonlinearRigidMotion {
        start: parry::pose(&s.pose_at(0.0)),
        local_center: parry2d::math::Vector::new(0.0, 0.0),
        linvel: parry::vec(&(s.end - s.start)),
        angvel: cairn2d_geometry::math::angle(&(s.start_rotation.inverse() * s.end_rotation)),
    };
    let made: Vec<_> = pairs
        .iter()
        .zip(sweeps)
        .map(|(p, (sa, sb))| {
            (
                parry::make(&p.a).0,
                motion(sa),
                parry::make(&p.b).0,
                motion(sb),
            )
        })
        .collect();
    group.add("parry2d", move || {
        for (a, ma, b, mb) in &made {
            let _ = black_box(parry2d::query::cast_shapes_nonlinear(
                ma, &*a.0, mb, &*b.0, 0.0, 1.0, true,
            ));
        }
    });
    rows.push(group);
}

fn masses_and_hulls(rows: &mut Vec<Row>) {
    let mut random = Random(11);
    let shapes: &'static [Shape] = leak(
        (0..COUNT)
            .map(|_| shape(&mut random, Kind::Polygon, 0.5))
            .collect(),
    );
    let mut g = Row::new("mass polygon");
    g.add("cairn2d", move || {
        for s in shapes {
            black_box(s.mass(1.0));
        }
    });
    let made: Vec<_> = shapes
        .iter()
        .map(|s| match s {
            Shape::Polygon(p) => box2d::polygon(p),
            _ => unreachable!(),
        })
        .collect();
    g.add("box2d", move || {
        for s in &made {
            black_box(unsafe { b2ComputePolygonMass(s, 1.0) });
        }
    });
    let made: Vec<_> = shapes.iter().map(|s| parry::make(s).0).collect();
    g.add("parry2d", move || {
        for s in &made {
            black_box(s.mass_properties(1.0));
        }
    });
    rows.push(g);
    let mut g = Row::new("hull of 8 points");
    let clouds: &'static [Vec<cairn2d_geometry::math::Point>] = leak(
        (0..COUNT)
            .map(|_| {
                (0..8)
                    .map(|_| (random.direction() * random.between(0.2, 1.0)).into())
                    .collect()
            })
            .collect(),
    );
    g.add("cairn2d", move || {
        for points in clouds {
            black_box(convex_hull(points));
        }
    });
    let made: Vec<Vec<b2Vec2>> = clouds
        .iter()
        .map(|p| p.iter().map(box2d::at).collect())
        .collect();
    g.add("box2d", move || {
        for points in &made {
            black_box(unsafe { b2ComputeHull(points.as_ptr(), 8) });
        }
    });
    let made: Vec<Vec<_>> = clouds
        .iter()
        .map(|p| p.iter().map(parry::at).collect())
        .collect();
    g.add("parry2d", move || {
        for points in &made {
            black_box(parry2d::transformation::convex_hull(points));
        }
    });
    rows.push(g);
}
