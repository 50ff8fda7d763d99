//! Penetration of two convex shapes, by an expanding polytope.

use crate::distance::core_distance;
use crate::double::{DPose, DVec, narrow_point, normalize64, perp64, to_f32};
use crate::math::{Point, Pose, Vec2};
use crate::shape::{Outline, part_near};
use crate::simplex::{Difference, Simplex, SimplexCache, Vertex};
use crate::support::Support;
use smallvec::SmallVec;

/// Steps after which the best answer so far is returned. A polygon pair needs one per vertex of
/// their difference that lies near zero; each step halves the error of a smooth pair or better.
const MAX_ITERATIONS: u32 = 128;
/// Gap between upper and lower bound at which a depth counts as found, relative to the largest
/// coordinate: the spacing of `f32`.
const RELATIVE_GAP: f64 = 0.5 * f32::EPSILON as f64;
/// Length below which a new edge has no trustworthy direction, relative to the largest coordinate:
/// some roundings of the support points of a smooth core.
const SHORTEST_EDGE: f64 = 16.0 * f32::EPSILON as f64;
/// Supports that the polygon starts with. Edges between these count at any length.
const FIRST_VERTICES: usize = 4;

/// Shortest way to push two overlapping shapes apart, in the frame of A.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Penetration {
    /// Length of the shortest push; 0 where the shapes only touch \[m\].
    pub depth: f32,
    /// Unit vector from A to B: moving B by `depth * normal` leaves the shapes touching.
    pub normal: Vec2,
    /// Deepest point of A inside B \[m\].
    pub point_a: Point,
    /// Deepest point of B inside A \[m\].
    pub point_b: Point,
    /// Number of support points examined.
    pub iterations: u32,
    /// Whether the depth is exact to rounding; otherwise it is a lower bound.
    pub converged: bool,
}

impl Penetration {
    /// Returns the displacement of B that leaves the shapes touching \[m\].
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
/// them is returned, the same on every machine. Source: [Bergen01, sec. 4].
#[must_use]
pub fn penetration<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Pose,
) -> Option<Penetration> {
    if let Some(part) = part_near(a, b, b_in_a) {
        return penetration(&Outline(part.as_hull()), b, b_in_a);
    }
    if let Some(part) = part_near(b, a, &b_in_a.inverse()) {
        return penetration(a, &Outline(part.as_hull()), b_in_a);
    }
    let gap = separation(a, b, b_in_a, &mut SimplexCache::default());
    // The answer is single precision, and so is the question whether there is one.
    let depth = -gap.separation as f32;
    (depth >= 0.0).then(|| Penetration {
        depth,
        normal: to_f32(&gap.normal),
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
    let mut simplex = Simplex::default();
    let core = core_distance(&difference, cache, &mut simplex);
    let mut gap = match core.offset {
        Some(offset) => {
            let (point_a, point_b) = simplex.witnesses();
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
///
/// The answer is the direction with the least reach that was looked at: a true way out even where the
/// support points of a smooth core, good to an ulp only, give short edges a random direction.
fn core_penetration<A: Support + ?Sized, B: Support + ?Sized>(
    difference: &Difference<'_, A, B>,
) -> Gap {
    let mut polytope = Polytope::start(difference);
    let mut best = point_gap(&polytope.vertices[0]);
    best.separation = f64::NEG_INFINITY;
    let mut iterations = 0;
    while let Some(edge) = polytope.nearest_edge() {
        let vertex = difference.support(&edge.outward);
        let reach = edge.outward.dot(&vertex.w);
        if -reach > best.separation {
            best = polytope.gap_at(&edge, reach);
        }
        let is_known = polytope.has(&vertex);
        if is_known && polytope.skip_if_backward(&edge, reach) {
            continue;
        }
        let is_done = is_known || reach - edge.height <= RELATIVE_GAP * polytope.scale;
        if is_done || iterations == MAX_ITERATIONS {
            return Gap {
                iterations,
                converged: is_done,
                ..best
            };
        }
        iterations += 1;
        polytope.vertices.insert(edge.index + 1, vertex);
    }
    // Only short edges, or none at all: the difference is one point, as far as can be told.
    if best.separation == f64::NEG_INFINITY {
        point_gap(&polytope.vertices[0])
    } else {
        best
    }
}

/// Cores that are both single points: any direction is as good as another.
fn point_gap(vertex: &Vertex) -> Gap {
    let normal = normalize64(&vertex.w).unwrap_or_else(DVec::y);
    Gap {
        separation: vertex.w.norm(),
        normal,
        point_a: vertex.a,
        point_b: vertex.b(),
        iterations: 0,
        converged: true,
    }
}

/// Convex polygon inside the difference, counter-clockwise.
struct Polytope {
    vertices: SmallVec<[Vertex; 16]>,
    /// Largest coordinate of the polygon.
    scale: f64,
    /// Ends of edges that point inward, as hardly any do.
    backward: SmallVec<[[DVec; 2]; 1]>,
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
        let scale = vertices
            .iter()
            .map(|v| v.a.amax().max(v.b().amax()))
            .fold(0.0, f64::max);
        Self {
            vertices,
            scale,
            backward: SmallVec::new(),
        }
    }

    fn has(&self, vertex: &Vertex) -> bool {
        self.vertices.iter().any(|v| v.w == vertex.w)
    }

    /// Removes an edge if a known vertex is far higher along its outward direction: its ends are closer than
    /// rounding and in the wrong order, so that outward is inward. Returns `true` if it was one.
    ///
    /// Dropping one of its ends instead lets it come back as the support of the remaining edge, without end.
    fn skip_if_backward(&mut self, edge: &Edge, reach: f64) -> bool {
        let is_backward = reach - edge.height > SHORTEST_EDGE * self.scale;
        if is_backward {
            self.backward.push(self.ends(edge.index));
        }
        is_backward
    }

    /// Returns the ends of an edge.
    fn ends(&self, index: usize) -> [DVec; 2] {
        let next = (index + 1) % self.vertices.len();
        [self.vertices[index].w, self.vertices[next].w]
    }

    /// Returns the edge with the least height among the edges that are long enough to have a direction;
    /// `None` for a single point.
    fn nearest_edge(&self) -> Option<Edge> {
        let count = self.vertices.len();
        let shortest = SHORTEST_EDGE * self.scale;
        let mut nearest: Option<Edge> = None;
        for (index, vertex) in self.vertices.iter().enumerate() {
            let next = &self.vertices[(index + 1) % count];
            let along = next.w - vertex.w;
            let length = along.norm();
            let is_backward = self.backward.contains(&[vertex.w, next.w]);
            if is_backward || length <= shortest && count > FIRST_VERTICES {
                continue;
            }
            let Some(along) = normalize64(&along) else {
                continue;
            };
            let outward = -perp64(&along);
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

    /// Returns the overlap along the outward direction of an edge, which the difference reaches to `reach`.
    fn gap_at(&self, edge: &Edge, reach: f64) -> Gap {
        let p = &self.vertices[edge.index];
        let q = &self.vertices[(edge.index + 1) % self.vertices.len()];
        let along = q.w - p.w;
        let weight = (-p.w.dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        Gap {
            separation: -reach,
            normal: -edge.outward,
            point_a: p.a * (1.0 - weight) + q.a * weight,
            point_b: p.b() * (1.0 - weight) + q.b() * weight,
            iterations: 0,
            converged: true,
        }
    }
}
