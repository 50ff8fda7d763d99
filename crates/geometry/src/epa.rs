//! Penetration of two convex shapes, by an expanding polytope.

use crate::distance::core_distance;
use crate::math::{Point, Pose, Vec2};
use crate::precise::{DPose, DVec, dleft, dunit, narrow, narrow_point};
use crate::simplex::{Difference, SimplexCache, Vertex};
use crate::support::Support;
use smallvec::SmallVec;

/// Steps after which the best answer so far is returned. A polygon pair needs one per vertex of
/// their difference that lies near zero; each step halves the error of a smooth pair or better.
const MAX_ITERATIONS: u32 = 128;
/// Gap between upper and lower bound at which a depth counts as found, relative to the largest
/// coordinate: the spacing of `f32`.
const RELATIVE_GAP: f64 = 0.5 * f32::EPSILON as f64;

/// Shortest way to push two overlapping shapes apart, in the frame of A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// Length of the shortest push; 0 where the shapes only touch [m].
    pub depth: f32,
    /// Unit vector from A to B: moving B by `depth * normal` leaves the shapes touching.
    pub normal: Vec2,
    /// Deepest point of A inside B [m].
    pub point_a: Point,
    /// Deepest point of B inside A [m].
    pub point_b: Point,
    /// Support points that were looked at.
    pub iterations: u32,
    /// Whether the depth is exact to rounding; otherwise it is a lower bound.
    pub converged: bool,
}

impl Penetration {
    /// Returns the displacement of B that leaves the shapes touching [m].
    #[must_use]
    pub fn push_apart(&self) -> Vec2 {
        self.normal * self.depth
    }
}

/// Nearest or deepest points of two surfaces.
pub(crate) struct Gap {
    /// Distance of the surfaces, negative where they overlap.
    pub(crate) separation: f64,
    /// Unit, from A to B.
    pub(crate) normal: DVec,
    pub(crate) point_a: DVec,
    pub(crate) point_b: DVec,
    pub(crate) iterations: u32,
    pub(crate) converged: bool,
}

/// Returns the shortest push that separates the shapes, or `None` where they do not touch.
///
/// Everything is in the frame of `a`; `b_in_a` places `b`. Where several pushes are equally short, one of
/// them is returned, the same on every machine. Source: [Bergen01].
#[must_use]
pub fn penetration<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Pose,
) -> Option<Penetration> {
    let gap = separation(a, b, b_in_a, &mut SimplexCache::default());
    // The answer is single precision, and so is the question whether there is one.
    let depth = -gap.separation as f32;
    (depth >= 0.0).then(|| Penetration {
        depth,
        normal: narrow(&gap.normal),
        point_a: narrow_point(&gap.point_a),
        point_b: narrow_point(&gap.point_b),
        iterations: gap.iterations,
        converged: gap.converged,
    })
}

/// Returns the signed distance of the surfaces, by distance or penetration of the cores.
pub(crate) fn separation<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Pose,
    cache: &mut SimplexCache,
) -> Gap {
    let difference = Difference {
        a,
        b,
        b_in_a: DPose::new(b_in_a),
    };
    let core = core_distance(&difference, cache);
    let mut gap = match core.offset {
        Some(offset) => {
            let (point_a, point_b) = core.simplex.witnesses();
            let norm = offset.norm();
            Gap {
                separation: norm,
                normal: offset / norm,
                point_a,
                point_b,
                iterations: core.iterations,
                converged: core.converged,
            }
        }
        None => core_penetration(&difference),
    };
    let (radius_a, radius_b) = (f64::from(a.rounding()), f64::from(b.rounding()));
    gap.separation -= radius_a + radius_b;
    gap.point_a += gap.normal * radius_a;
    gap.point_b -= gap.normal * radius_b;
    gap
}

/// Grows a polygon inside the difference of the cores, at the edge nearest to zero, until that edge
/// is one of the difference.
fn core_penetration<A: Support + ?Sized, B: Support + ?Sized>(
    difference: &Difference<'_, A, B>,
) -> Gap {
    let mut polytope = Polytope::start(difference);
    let mut iterations = 0;
    loop {
        let Some(edge) = polytope.nearest_edge() else {
            return point_gap(&polytope.vertices[0]);
        };
        let vertex = difference.support(&edge.outward);
        let scale = vertex.a.amax().max(vertex.b.amax());
        let gap = edge.outward.dot(&vertex.w) - edge.height;
        let converged = gap <= RELATIVE_GAP * scale || polytope.has(&vertex);
        if converged || iterations == MAX_ITERATIONS {
            return polytope.gap_at(&edge, iterations, converged);
        }
        iterations += 1;
        polytope.vertices.insert(edge.index + 1, vertex);
    }
}

/// Cores that are both single points: any direction is as good as another.
fn point_gap(vertex: &Vertex) -> Gap {
    let normal = dunit(&vertex.w).unwrap_or_else(DVec::y);
    Gap {
        separation: vertex.w.norm(),
        normal,
        point_a: vertex.a,
        point_b: vertex.b,
        iterations: 0,
        converged: true,
    }
}

/// Convex polygon inside the difference, counter-clockwise.
struct Polytope {
    vertices: SmallVec<[Vertex; 16]>,
}

struct Edge {
    index: usize,
    outward: DVec,
    /// Height of the edge over zero along `outward`.
    height: f64,
}

impl Polytope {
    fn start<A: Support + ?Sized, B: Support + ?Sized>(difference: &Difference<'_, A, B>) -> Self {
        let mut vertices = SmallVec::<[Vertex; 16]>::new();
        for direction in [DVec::x(), DVec::y(), -DVec::x(), -DVec::y()] {
            let vertex = difference.support(&direction);
            if !vertices.iter().any(|v| v.w == vertex.w) {
                vertices.push(vertex);
            }
        }
        Self { vertices }
    }

    fn has(&self, vertex: &Vertex) -> bool {
        self.vertices.iter().any(|v| v.w == vertex.w)
    }

    /// Returns the edge with the least height, or `None` for a single point.
    fn nearest_edge(&self) -> Option<Edge> {
        let count = self.vertices.len();
        let mut nearest: Option<Edge> = None;
        for (index, vertex) in self.vertices.iter().enumerate() {
            let next = &self.vertices[(index + 1) % count];
            let Some(along) = dunit(&(next.w - vertex.w)) else {
                continue;
            };
            let outward = -dleft(&along);
            let height = outward.dot(&vertex.w);
            if nearest.as_ref().is_none_or(|edge| height < edge.height) {
                nearest = Some(Edge {
                    index,
                    outward,
                    height,
                });
            }
        }
        nearest
    }

    fn gap_at(&self, edge: &Edge, iterations: u32, converged: bool) -> Gap {
        let p = &self.vertices[edge.index];
        let q = &self.vertices[(edge.index + 1) % self.vertices.len()];
        let along = q.w - p.w;
        let weight = (-p.w.dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        Gap {
            separation: -edge.height,
            normal: -edge.outward,
            point_a: p.a * (1.0 - weight) + q.a * weight,
            point_b: p.b * (1.0 - weight) + q.b * weight,
            iterations,
            converged,
        }
    }
}
