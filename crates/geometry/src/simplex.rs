//! Up to three points of a Minkowski difference, and the part of their hull nearest to zero.

use crate::precise::{DPose, DVec, dcross, dleft, narrow, wide};
use crate::support::Support;

/// Where the last distance query between two shapes ended; a warm start for the next one.
///
/// Who writes and reads it: one query per contact and step. Default: no knowledge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimplexCache {
    count: u16,
    a: [u16; 3],
    b: [u16; 3],
}

const _: () = assert!(size_of::<SimplexCache>() == 14);

/// Point `b - a` of the Minkowski difference, all in the frame of A.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vertex {
    pub(crate) a: DVec,
    pub(crate) b: DVec,
    pub(crate) w: DVec,
    pub(crate) index_a: u16,
    pub(crate) index_b: u16,
}

/// Two shapes at a relative pose.
pub(crate) struct Difference<'a, A: ?Sized, B: ?Sized> {
    pub(crate) a: &'a A,
    pub(crate) b: &'a B,
    pub(crate) b_in_a: DPose,
}

impl<A: Support + ?Sized, B: Support + ?Sized> Difference<'_, A, B> {
    /// Returns the vertex of the difference that is farthest along `direction`.
    #[inline]
    pub(crate) fn support(&self, direction: &DVec) -> Vertex {
        // Any length will do for the direction, but not one whose squares leave the range of f32.
        let scale = 1.0 / direction.amax().max(f64::MIN_POSITIVE);
        let direction = direction * scale;
        let a = self.a.core_support(&narrow(&-direction));
        let b = self
            .b
            .core_support(&narrow(&self.b_in_a.unrotate(&direction)));
        let (point_a, point_b) = (wide(&a.point), self.b_in_a.apply(&wide(&b.point)));
        Vertex {
            a: point_a,
            b: point_b,
            w: point_b - point_a,
            index_a: a.index,
            index_b: b.index,
        }
    }

    fn vertex(&self, index_a: u16, index_b: u16) -> Vertex {
        let a = wide(&self.a.core_vertex(index_a));
        let b = self.b_in_a.apply(&wide(&self.b.core_vertex(index_b)));
        Vertex {
            a,
            b,
            w: b - a,
            index_a,
            index_b,
        }
    }

    /// Returns the simplex that `cache` remembers, or a first one.
    pub(crate) fn start(&self, cache: &SimplexCache) -> Simplex {
        let mut simplex = Simplex::default();
        for i in 0..usize::from(cache.count.min(3)) {
            simplex.push(self.vertex(cache.a[i], cache.b[i]));
        }
        if simplex.count == 0 {
            let toward = self.b_in_a.offset;
            let toward = if toward == DVec::zeros() {
                DVec::x()
            } else {
                toward
            };
            simplex.push(self.support(&-toward));
        }
        simplex
    }
}

/// Point, segment or triangle of the difference, with the weights of its point nearest to zero.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Simplex {
    pub(crate) vertices: [Vertex; 3],
    pub(crate) weights: [f64; 3],
    pub(crate) count: usize,
}

impl Simplex {
    pub(crate) fn push(&mut self, vertex: Vertex) {
        self.vertices[self.count] = vertex;
        self.count += 1;
    }

    pub(crate) fn cache(&self) -> SimplexCache {
        let [p, q, r] = self.vertices;
        SimplexCache {
            count: self.count as u16,
            a: [p.index_a, q.index_a, r.index_a],
            b: [p.index_b, q.index_b, r.index_b],
        }
    }

    pub(crate) fn has(&self, vertex: &Vertex) -> bool {
        // By place and not by index: a smooth core may name two of its points alike.
        self.vertices[..self.count].iter().any(|v| v.w == vertex.w)
    }

    /// Keeps the vertices that span the point nearest to zero and returns that point; `None` when
    /// zero is inside.
    pub(crate) fn reduce(&mut self) -> Option<DVec> {
        match self.count {
            1 => {
                self.weights[0] = 1.0;
                Some(self.vertices[0].w)
            }
            2 => {
                let (nearest, weight) = nearest_on_edge(&self.vertices[0].w, &self.vertices[1].w);
                self.keep_edge(0, 1, weight);
                Some(nearest)
            }
            _ => self.reduce_triangle(),
        }
    }

    fn reduce_triangle(&mut self) -> Option<DVec> {
        let [p, q, r] = [self.vertices[0].w, self.vertices[1].w, self.vertices[2].w];
        let area = dcross(&(q - p), &(r - p));
        let parts = [dcross(&q, &r), dcross(&r, &p), dcross(&p, &q)];
        let is_inside = area != 0.0 && parts.iter().all(|part| part * area.signum() > 0.0);
        if is_inside {
            self.weights = parts.map(|part| part / area);
            return None;
        }
        let mut best = (f64::INFINITY, DVec::zeros(), 0.0, 0, 1);
        for (i, j) in [(0, 2), (1, 2), (0, 1)] {
            let (nearest, weight) = nearest_on_edge(&self.vertices[i].w, &self.vertices[j].w);
            let distance_sq = nearest.norm_squared();
            if distance_sq < best.0 {
                best = (distance_sq, nearest, weight, i, j);
            }
        }
        let (_, nearest, weight, i, j) = best;
        self.keep_edge(i, j, weight);
        Some(nearest)
    }

    /// Keeps vertices `i` and `j`, or only one of them where `weight` of `j` is 0 or 1.
    fn keep_edge(&mut self, i: usize, j: usize, weight: f64) {
        let (first, second) = (self.vertices[i], self.vertices[j]);
        if weight <= 0.0 {
            self.vertices[0] = first;
            self.count = 1;
            self.weights[0] = 1.0;
        } else if weight >= 1.0 {
            self.vertices[0] = second;
            self.count = 1;
            self.weights[0] = 1.0;
        } else {
            self.vertices[0] = first;
            self.vertices[1] = second;
            self.count = 2;
            self.weights = [1.0 - weight, weight, 0.0];
        }
    }

    /// Returns the points of A and B that the weights stand for.
    pub(crate) fn witnesses(&self) -> (DVec, DVec) {
        let (mut a, mut b) = (DVec::zeros(), DVec::zeros());
        for (v, weight) in self.vertices[..self.count].iter().zip(self.weights) {
            a += v.a * weight;
            b += v.b * weight;
        }
        (a, b)
    }

    /// Returns the largest coordinate of its points: rounding errors are in proportion to it.
    pub(crate) fn scale(&self) -> f64 {
        self.vertices[..self.count]
            .iter()
            .map(|v| v.a.amax().max(v.b.amax()))
            .fold(0.0, f64::max)
    }
}

/// Returns the point of the edge `p q` nearest to zero, and the weight of `q`.
fn nearest_on_edge(p: &DVec, q: &DVec) -> (DVec, f64) {
    let edge = q - p;
    let length_sq = edge.norm_squared();
    let along = -p.dot(&edge);
    if along <= 0.0 || length_sq == 0.0 {
        (*p, 0.0)
    } else if along >= length_sq {
        (*q, 1.0)
    } else {
        // The part of `p` across the edge; better than `p + weight * edge`, which cancels.
        (
            dleft(&edge) * (dcross(&edge, p) / length_sq),
            along / length_sq,
        )
    }
}
