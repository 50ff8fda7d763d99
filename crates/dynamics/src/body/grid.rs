//! The grid that centres of mass are on: ways far out are then those at the origin, to the bit.
//!
//! Its spacing is 2^-29 m, 2 nm: that of an `f64` up to 16 000 km from the origin; beyond, places are coarser by themselves. Coarser: what creeps by less than half of it in a step
//! stands still. Finer: places far out are rounded otherwise than near.

use cairn2d_geometry::math::{Vec2, WorldPoint};

/// What, added to a small number and taken away again, rounds it to the grid.
const ROUNDER: f64 = 1.5 * (1 << 23) as f64;

/// Coordinate up to which it does [m].
const MAX_ROUNDED: f64 = (1 << 22) as f64;

/// Grid lines in a metre.
const LINES: f64 = (1 << 29) as f64;

fn rounded(place: f64) -> f64 {
    if place.abs() < MAX_ROUNDED {
        (place + ROUNDER) - ROUNDER
    } else {
        (place * LINES).round_ties_even() / LINES
    }
}

/// The same for a way. One of more than 4000 km is rounded to every second line, or coarser.
fn rounded_way(way: f32) -> f64 {
    (f64::from(way) + ROUNDER) - ROUNDER
}

/// Returns the place on the grid that is nearest.
pub(crate) fn nearest(place: WorldPoint) -> WorldPoint {
    WorldPoint {
        x: rounded(place.x),
        y: rounded(place.y),
    }
}

/// Returns a place on the grid after a way that is rounded to it: the sum is exact as far out as the grid goes.
pub(crate) fn moved(place: WorldPoint, way: Vec2) -> WorldPoint {
    WorldPoint {
        x: place.x + rounded_way(way.x),
        y: place.y + rounded_way(way.y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::vec2;

    #[test]
    fn places_are_rounded_to_the_nearest_line() {
        let half = 0.5 / LINES;
        for whole in [
            0.0,
            -3.0,
            1.0e5,
            4_194_303.0,
            4_194_304.0,
            -6.0e6,
            8_388_607.0,
            1.6e7,
        ] {
            let line = whole + 3.0 / LINES;
            let places = [line, line + 0.49 * half, line - 0.49 * half];
            assert!(
                places.into_iter().all(|place| rounded(place) == line),
                "{whole}"
            );
        }
    }

    #[test]
    fn ways_far_out_are_those_at_the_origin() {
        let way = vec2(0.012_345_678, -3.0e-7);
        let mut near = nearest((0.3, 0.7).into());
        let mut far = nearest((1.0e7 + near.x, near.y).into());
        for _ in 0..1000 {
            (near, far) = (moved(near, way), moved(far, way));
            assert!(far.x - 1.0e7 == near.x && far.y == near.y);
        }
    }
}
