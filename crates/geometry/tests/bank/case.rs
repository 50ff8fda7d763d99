//! Cases of the bank: numbers, shapes and poses out of JSON.

use cairn2d_geometry::math::{Point, Pose, Rotation, Vec2, point, rotation_from_parts};
use cairn2d_geometry::{Capsule, Circle, Ellipse, MIN_SIZE, Polygon, Segment, Shape, ShapeError};
use serde_json::Value;

/// Place or direction in double precision.
pub(crate) type V = [f64; 2];

pub(crate) struct Case(pub(crate) Value);

/// Pose in double precision.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) at: V,
    pub(crate) cos: f64,
    pub(crate) sin: f64,
}

impl Frame {
    pub(crate) fn out(&self, v: V) -> V {
        let r = self.turn(v);
        [r[0] + self.at[0], r[1] + self.at[1]]
    }

    pub(crate) fn turn(&self, v: V) -> V {
        [
            self.cos * v[0] - self.sin * v[1],
            self.sin * v[0] + self.cos * v[1],
        ]
    }

    pub(crate) fn unturn(&self, v: V) -> V {
        [
            self.cos * v[0] + self.sin * v[1],
            self.cos * v[1] - self.sin * v[0],
        ]
    }

    pub(crate) fn inward(&self, v: V) -> V {
        self.unturn([v[0] - self.at[0], v[1] - self.at[1]])
    }

    /// Returns the pose of `other` in this frame, rounded once.
    pub(crate) fn relative(&self, other: &Self) -> Pose {
        let at = self.inward(other.at);
        let cos = self.cos * other.cos + self.sin * other.sin;
        let sin = self.cos * other.sin - self.sin * other.cos;
        pose(at, cos, sin)
    }

    pub(crate) fn to_pose(self) -> Pose {
        pose(self.at, self.cos, self.sin)
    }
}

fn pose(at: V, cos: f64, sin: f64) -> Pose {
    Pose::from_parts(Vec2::new(at[0] as f32, at[1] as f32).into(), turn(cos, sin))
}

fn turn(cos: f64, sin: f64) -> Rotation {
    rotation_from_parts(cos as f32, sin as f32)
}

pub(crate) fn rotation_of(angle: f64) -> Rotation {
    turn(libm::cos(angle), libm::sin(angle))
}

pub(crate) fn to_point(v: V) -> Point {
    point(v[0] as f32, v[1] as f32)
}

pub(crate) fn to_vec(v: V) -> Vec2 {
    Vec2::new(v[0] as f32, v[1] as f32)
}

pub(crate) fn to_f64(p: Point) -> V {
    [p.x.into(), p.y.into()]
}

pub(crate) fn vec_to_f64(v: Vec2) -> V {
    [v.x.into(), v.y.into()]
}

pub(crate) fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(crate) fn apart(a: V, b: V) -> f64 {
    let d = [a[0] - b[0], a[1] - b[1]];
    dot(d, d).sqrt()
}

pub(crate) fn v(value: &Value) -> V {
    [value[0].as_f64().unwrap(), value[1].as_f64().unwrap()]
}

/// Splits a flat list of coordinates.
pub(crate) fn points(values: &[Value]) -> Vec<V> {
    values
        .chunks(2)
        .map(|p| [p[0].as_f64().unwrap(), p[1].as_f64().unwrap()])
        .collect()
}

impl Case {
    pub(crate) fn id(&self) -> &str {
        self.0["id"].as_str().unwrap()
    }

    pub(crate) fn input(&self, key: &str) -> &Value {
        &self.0["input"][key]
    }

    pub(crate) fn number(&self, key: &str) -> f64 {
        self.input(key).as_f64().unwrap()
    }

    pub(crate) fn expect(&self, key: &str) -> &Value {
        &self.0["expect"][key]
    }

    pub(crate) fn expect_number(&self, key: &str) -> f64 {
        self.expect(key)
            .as_f64()
            .unwrap_or_else(|| panic!("{} expects no {key}", self.id()))
    }

    pub(crate) fn expect_bool(&self, key: &str) -> bool {
        self.expect(key)
            .as_bool()
            .unwrap_or_else(|| panic!("{} expects no {key}", self.id()))
    }

    pub(crate) fn policy(&self) -> Option<&str> {
        self.expect("policy").as_str()
    }

    pub(crate) fn has_tag(&self, tag: &str) -> bool {
        self.0["tags"]
            .as_array()
            .is_some_and(|tags| tags.iter().any(|t| t == tag))
    }

    pub(crate) fn frame(&self, key: &str) -> Frame {
        let Some(f) = self.0[key].as_array() else {
            return Frame {
                at: [0.0; 2],
                cos: 1.0,
                sin: 0.0,
            };
        };
        let angle = f[2].as_f64().unwrap();
        Frame {
            at: [f[0].as_f64().unwrap(), f[1].as_f64().unwrap()],
            cos: libm::cos(angle),
            sin: libm::sin(angle),
        }
    }

    /// Tolerance of the case, in proportion to its coordinates: that of the case is for single
    /// precision at 1 m.
    pub(crate) fn tol(&self) -> f64 {
        let mut scale = 1.0_f64;
        for key in ["a", "b", "xf_a", "xf_b"] {
            for x in self.0[key].as_array().into_iter().flatten() {
                scale = scale.max(x.as_f64().unwrap_or(0.0).abs());
            }
        }
        let given = self.0["tol"].as_f64().unwrap();
        // Exact comparisons still see inputs that were rounded to single precision.
        let least = f64::from(f32::EPSILON) * 8.0;
        given.max(least) * scale
    }

    pub(crate) fn polygon(&self, key: &str) -> Vec<V> {
        points(&self.0[key].as_array().unwrap()[2..])
    }

    /// Says whether a shape is a disk of no radius or a line of no length: no shape of ours.
    fn has_point_shape(&self) -> bool {
        ["a", "b"]
            .iter()
            .filter_map(|key| self.0[key].as_array())
            .any(|list| {
                let x = |i: usize| list[i].as_f64().unwrap();
                match list[0].as_str() {
                    Some("circle") => x(3) == 0.0,
                    Some("segment") => apart([x(1), x(2)], [x(3), x(4)]) < f64::from(MIN_SIZE),
                    _ => false,
                }
            })
    }

    fn refuses_point_shape(&self) -> bool {
        ["a", "b"]
            .iter()
            .any(|key| self.0[key].is_array() && self.try_shape(key).is_err())
    }

    pub(crate) fn shape(&self, key: &str) -> Shape {
        self.try_shape(key)
            .unwrap_or_else(|e| panic!("{}: {e}", self.id()))
    }

    fn try_shape(&self, key: &str) -> Result<Shape, ShapeError> {
        let list = self.0[key]
            .as_array()
            .unwrap_or_else(|| panic!("{} has no {key}", self.id()));
        let x = |i: usize| list[i].as_f64().unwrap() as f32;
        let p = |i: usize| point(x(i), x(i + 1));
        Ok(match list[0].as_str().unwrap() {
            "circle" => Circle::try_new(p(1), x(3))?.into(),
            "capsule" => Capsule::try_new(p(1), p(3), x(5))?.into(),
            "segment" => Segment::try_new(p(1), p(3))?.into(),
            "ellipse" => Ellipse::try_new(p(1), x(3), x(4), x(5))?.into(),
            "polygon" => {
                let corners: Vec<Point> = points(&list[2..]).into_iter().map(to_point).collect();
                Polygon::try_rounded_hull(&corners, x(1))?.into()
            }
            kind => panic!("{kind}"),
        })
    }
}

/// Collects the differences, so that one run shows all of them.
#[derive(Default)]
pub(crate) struct Verdict {
    wrong: Vec<String>,
    checked: usize,
}

impl Verdict {
    pub(crate) fn check(&mut self, case: &Case, is_right: bool, what: impl FnOnce() -> String) {
        self.checked += 1;
        if !is_right {
            self.wrong.push(format!("{}: {}", case.id(), what()));
        }
    }

    pub(crate) fn near(&mut self, case: &Case, what: &str, ours: f64, expected: f64, tol: f64) {
        self.check(case, (ours - expected).abs() <= tol, || {
            format!(
                "{what} is {ours}, expected {expected}, off by {:e}",
                ours - expected
            )
        });
    }

    pub(crate) fn near_point(&mut self, case: &Case, what: &str, ours: V, expected: V, tol: f64) {
        self.check(case, apart(ours, expected) <= tol, || {
            format!("{what} is {ours:?}, expected {expected:?}")
        });
    }

    pub(crate) fn finish(self, least: usize) {
        let shown = self
            .wrong
            .iter()
            .take(40)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n");
        assert!(
            self.wrong.is_empty(),
            "{} of {} wrong:\n{shown}",
            self.wrong.len(),
            self.checked
        );
        assert!(self.checked >= least, "only {} checks ran", self.checked);
    }
}

/// Runs `check` on each case of a file.
pub(crate) fn replay(data: &str, least: usize, check: impl Fn(&Case, &mut Verdict)) {
    let cases: Vec<Value> = serde_json::from_str(data).unwrap();
    let mut verdict = Verdict::default();
    for case in cases.into_iter().map(Case) {
        if case.has_point_shape() {
            verdict.check(&case, case.refuses_point_shape(), || {
                "a point was accepted".into()
            });
        } else {
            check(&case, &mut verdict);
        }
    }
    verdict.finish(least);
}
