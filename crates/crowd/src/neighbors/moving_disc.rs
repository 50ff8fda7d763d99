//! Position, size and velocity of agents: one record each, half of a cache line, loaded eight at a time.

use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_simd::{LANES, Lanes8, each_lane};

/// Agent data of a neighbor query; 32 bytes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(crate) struct MovingDisc {
    /// Center [m].
    pub(crate) center: [f64; 2],
    /// Velocity [m/s], radius [m], and padding.
    pub(crate) body: [f32; 4],
}

const _: () = assert!(size_of::<MovingDisc>() == 32);

impl MovingDisc {
    pub(crate) fn new(center: WorldPoint, velocity: Vec2, radius: f32) -> Self {
        Self {
            center: [center.x, center.y],
            body: [velocity.x, velocity.y, radius, 0.0],
        }
    }

    /// Returns the center [m].
    #[inline]
    pub(crate) fn center(&self) -> WorldPoint {
        WorldPoint::new(self.center[0], self.center[1])
    }

    /// Returns the radius [m].
    #[inline]
    pub(crate) fn radius(&self) -> f32 {
        self.body[2]
    }
}

/// Eight agents relative to a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneDiscs<L> {
    /// Offsets of their centers from the point [m], rounded last.
    pub(crate) offset: [L; 2],
    /// Velocities [m/s].
    pub(crate) velocity: [L; 2],
    /// Radii [m].
    pub(crate) radius: L,
}

impl<L: Lanes8> LaneDiscs<L> {
    /// Loads eight records, relative to the point `from`.
    #[inline(always)]
    pub(crate) fn of(simd: L::Simd, places: [&MovingDisc; LANES], from: [f64; 2]) -> Self {
        let [x, y, radius, _] = L::load_records(simd, each_lane(|lane| &places[lane].body));
        Self {
            offset: L::differences(simd, each_lane(|lane| &places[lane].center), from),
            velocity: [x, y],
            radius,
        }
    }
}
