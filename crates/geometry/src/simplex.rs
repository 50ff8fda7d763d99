//! Up to three points of a Minkowski difference, and the part of their hull nearest to zero.

use crate::double::{DPose, DVec, cross64, max_norm, max64, perp64, to_f32, to_f64};
use crate::math::Vec2;
use crate::state_record;
use crate::support::{Support, SupportPoint};

/// Final simplex of the last distance query of two shapes; the warm start of the next one.
///
/// One query per contact and step reads and writes it. Default: empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimplexCache {
    count: u16,
    a: [u16; 3],
    b: [u16; 3],
}

state_record!(SimplexCache { count, a, b });

const _: () = assert!(size_of::<SimplexCache>() == 14);

/// Point `b - a` of the Minkowski difference, all in the frame of A. 40 bytes: it is copied at each step of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vertex {
    pub(crate) a: DVec,
    pub(crate) w: DVec,
    /// Numbers of the points of A (high half) and B, in one piece: written as two and copied as one, they
    /// would hold up the copy until both have left the store buffer.
    indices: u32,
}

impl Vertex {
    #[inline]
    fn new(a: DVec, b: DVec, index_a: u16, index_b: u16) -> Self {
        Self {
            a,
            w: b - a,
            indices: u32::from(index_a) << 16 | u32::from(index_b),
        }
    }

    /// Returns the point of B.
    #[inline]
    pub(crate) fn b(&self) -> DVec {
        self.a + self.w
    }

    #[inline]
    pub(crate) fn index_a(&self) -> u16 {
        (self.indices >> 16) as u16
    }

    #[inline]
    pub(crate) fn index_b(&self) -> u16 {
        self.indices as u16
    }

    /// Returns the largest coordinate of its points.
    #[inline]
    pub(crate) fn scale(&self) -> f64 {
        max64(max_norm(&self.a), max_norm(&self.b()))
    }
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
        let (in_a, in_b) = self.local_directions(direction, direction.norm_squared());
        self.vertex_at(self.a.core_support(&in_a), self.b.core_support(&in_b))
    }

    /// Returns the vertex of the difference that is farthest along `direction`, whose square is `norm_sq`, searched from
    /// `hint`.
    #[inline]
    pub(crate) fn support_near(&self, direction: &DVec, norm_sq: f64, hint: &Vertex) -> Vertex {
        let (in_a, in_b) = self.local_directions(direction, norm_sq);
        self.vertex_at(
            self.a.core_support_near(&in_a, hint.index_a()),
            self.b.core_support_near(&in_b, hint.index_b()),
        )
    }

    /// Returns where A and B must reach for their difference to reach along `direction`, each in its own frame.
    #[inline]
    fn local_directions(&self, direction: &DVec, norm_sq: f64) -> (Vec2, Vec2) {
        let direction = moderate(direction, norm_sq);
        (
            to_f32(&-direction),
            to_f32(&self.b_in_a.unrotate(&direction)),
        )
    }

    #[inline]
    fn vertex_at(&self, a: SupportPoint, b: SupportPoint) -> Vertex {
        let (point_a, point_b) = (to_f64(&a.point), self.b_in_a.apply(&to_f64(&b.point)));
        Vertex::new(point_a, point_b, a.index, b.index)
    }

    #[inline]
    fn vertex(&self, index_a: u16, index_b: u16) -> Vertex {
        let a = to_f64(&self.a.core_vertex(index_a));
        let b = self.b_in_a.apply(&to_f64(&self.b.core_vertex(index_b)));
        Vertex::new(a, b, index_a, index_b)
    }

    /// Writes the simplex that `cache` remembers, or a first one.
    #[inline]
    pub(crate) fn start(&self, cache: &SimplexCache, simplex: &mut Simplex) {
        simplex.count = usize::from(cache.count.min(3));
        for i in 0..simplex.count {
            simplex.vertices[i] = self.vertex(cache.a[i], cache.b[i]);
        }
        if simplex.count == 0 {
            let toward = self.b_in_a.offset;
            let toward = if toward == DVec::zeros() {
                DVec::x()
            } else {
                toward
            };
            simplex.vertices[0] = self.support(&-toward);
            simplex.count = 1;
        }
    }
}

/// Returns a direction whose products with coordinates stay within the range of `f32`; `norm_sq` is its square.
#[inline]
fn moderate(direction: &DVec, norm_sq: f64) -> DVec {
    const LARGEST_SQ: f64 = 1.0e24;
    if (1.0 / LARGEST_SQ..LARGEST_SQ).contains(&norm_sq) {
        *direction
    } else {
        direction / max_norm(direction).max(f64::MIN_POSITIVE)
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
    #[inline]
    pub(crate) fn cache(&self) -> SimplexCache {
        let [p, q, r] = self.vertices;
        SimplexCache {
            count: self.count as u16,
            a: [p.index_a(), q.index_a(), r.index_a()],
            b: [p.index_b(), q.index_b(), r.index_b()],
        }
    }

    #[inline]
    pub(crate) fn has(&self, vertex: &Vertex) -> bool {
        // By place and not by index: a smooth core may name two of its points alike.
        self.vertices[..self.count].iter().any(|v| v.w == vertex.w)
    }

    /// Returns a vertex near the point that is nearest to zero, for the next search to start at.
    #[inline]
    pub(crate) fn hint(&self) -> &Vertex {
        &self.vertices[0]
    }

    /// Adds a vertex behind the one or two there are.
    #[inline]
    pub(crate) fn push(&mut self, vertex: &Vertex) {
        self.vertices[self.count.min(2)] = *vertex;
        self.count = (self.count + 1).min(3);
    }

    /// Moves B, with all vertices.
    #[inline]
    pub(crate) fn move_by(&mut self, way: &DVec) {
        for v in &mut self.vertices[..self.count] {
            v.w += way;
        }
    }

    /// Keeps the vertices that span the point nearest to zero and returns that point; `None` when
    /// zero is inside.
    #[inline(always)]
    pub(crate) fn reduce(&mut self) -> Option<DVec> {
        let [p, q, r] = &self.vertices;
        match self.count {
            1 => {
                self.weights = [1.0, 0.0, 0.0];
                Some(p.w)
            }
            2 => {
                let part = Part::of_edge(&p.w, &q.w, [0, 1]);
                self.keep(&part);
                Some(part.nearest)
            }
            _ => match Part::of_triangle(&p.w, &q.w, &r.w) {
                Ok(part) => {
                    let part = part.nearer(Part::of_edge(&p.w, &q.w, [0, 1]));
                    self.keep(&part);
                    Some(part.nearest)
                }
                Err(weights) => {
                    self.weights = weights;
                    None
                }
            },
        }
    }

    /// Adds a vertex, if that brings the nearest point nearer than the square root of `norm_sq`.
    // Always inline, as the rest of the search: answers handed over through memory were an eighth of a cold distance.
    #[inline(always)]
    pub(crate) fn advance(&mut self, vertex: &Vertex, norm_sq: f64) -> Advance {
        let [p, q, _] = &self.vertices;
        let part = if self.count == 1 {
            Part::of_edge(&p.w, &vertex.w, [0, 2])
        } else {
            match Part::of_triangle(&p.w, &q.w, &vertex.w) {
                Ok(part) => part,
                Err(weights) => {
                    self.vertices[2] = *vertex;
                    (self.weights, self.count) = (weights, 3);
                    return Advance::Inside;
                }
            }
        };
        if part.nearest.norm_squared() >= norm_sq {
            return Advance::Stuck;
        }
        self.vertices[2] = *vertex;
        self.keep(&part);
        Advance::To(part.nearest)
    }

    /// Keeps the vertices of `part`. Copies only vertices that move: copies are most of the work.
    #[inline(always)]
    fn keep(&mut self, part: &Part) {
        let [first, second] = part.vertices;
        if part.weight > 0.0 && part.weight < 1.0 {
            if first != 0 {
                self.vertices[0] = self.vertices[first];
            }
            if second != 1 {
                self.vertices[1] = self.vertices[second];
            }
            self.count = 2;
            self.weights = [1.0 - part.weight, part.weight, 0.0];
        } else {
            let kept = if part.weight <= 0.0 { first } else { second };
            if kept != 0 {
                self.vertices[0] = self.vertices[kept];
            }
            self.count = 1;
            self.weights = [1.0, 0.0, 0.0];
        }
    }

    /// Returns the shape whose edge the simplex has, if it is an edge. Of two nearly parallel edges it is the longer
    /// one: the direction of the other, which may be hardly more than a point, is less accurate.
    #[inline]
    pub(crate) fn face_owner(&self) -> Option<Owner> {
        let [p, q, _] = &self.vertices;
        if self.count != 2 {
            return None;
        }
        let along_a = q.a - p.a;
        let along_b = along_a + (q.w - p.w);
        let is_a = along_a.norm_squared() >= along_b.norm_squared();
        Some(if is_a { Owner::A } else { Owner::B })
    }

    /// Returns the points of A and B that the weights stand for.
    #[inline]
    pub(crate) fn witnesses(&self) -> (DVec, DVec) {
        let (mut a, mut b) = (DVec::zeros(), DVec::zeros());
        for (v, weight) in self.vertices[..self.count].iter().zip(self.weights) {
            a += v.a * weight;
            b += v.b() * weight;
        }
        (a, b)
    }

    /// Returns the largest coordinate of its points: rounding errors are in proportion to it.
    #[inline]
    pub(crate) fn scale(&self) -> f64 {
        self.vertices[..self.count]
            .iter()
            .map(Vertex::scale)
            .fold(0.0, max64)
    }
}

/// One of the two shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    A,
    B,
}

/// Result of adding a vertex to the simplex.
pub(crate) enum Advance {
    /// Zero is inside the triangle.
    Inside,
    /// Nothing but rounding.
    Stuck,
    /// Moved it here.
    To(DVec),
}

/// Edge or vertex of a simplex, with its point nearest to zero.
struct Part {
    nearest: DVec,
    vertices: [usize; 2],
    /// Weight of the second vertex; 0 or 1 for a single one.
    weight: f64,
}

impl Part {
    #[inline]
    fn of_edge(p: &DVec, q: &DVec, vertices: [usize; 2]) -> Self {
        let edge = q - p;
        let length_sq = edge.norm_squared();
        let along = -p.dot(&edge);
        if along <= 0.0 || length_sq == 0.0 {
            Self {
                nearest: *p,
                vertices,
                weight: 0.0,
            }
        } else if along >= length_sq {
            Self {
                nearest: *q,
                vertices,
                weight: 1.0,
            }
        } else {
            let inv = 1.0 / length_sq;
            // The part of `p` across the edge; better than `p + weight * edge`, which cancels.
            let nearest = perp64(&edge) * (cross64(&edge, p) * inv);
            // A weight that rounds to 1 would drop a vertex.
            Self {
                nearest,
                vertices,
                weight: (along * inv).min(1.0 - f64::EPSILON),
            }
        }
    }

    /// Returns the part of the triangle `p q r` that is nearest to zero, the edge `p q` left out, or the
    /// weights of zero if it is inside.
    #[inline(always)]
    fn of_triangle(p: &DVec, q: &DVec, r: &DVec) -> Result<Self, [f64; 3]> {
        let area = cross64(&(q - p), &(r - p));
        let parts = [cross64(q, r), cross64(r, p), cross64(p, q)];
        let sides = parts.map(|part| part * area.signum());
        if area != 0.0 && sides.iter().all(|&side| side > 0.0) {
            return Err(parts.map(|part| part / area));
        }
        // Zero is nearest to an edge only from outside of it: mostly one of the two is left, and one
        // division saved.
        Ok(
            match (sides[1] > 0.0 && area != 0.0, sides[0] > 0.0 && area != 0.0) {
                (true, _) => Self::of_edge(q, r, [1, 2]),
                (_, true) => Self::of_edge(p, r, [0, 2]),
                _ => Self::of_edge(p, r, [0, 2]).nearer(Self::of_edge(q, r, [1, 2])),
            },
        )
    }

    #[inline]
    fn nearer(self, other: Self) -> Self {
        if other.nearest.norm_squared() < self.nearest.norm_squared() {
            other
        } else {
            self
        }
    }
}
