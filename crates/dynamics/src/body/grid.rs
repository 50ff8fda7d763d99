//! The grid of centers of mass: motions far from the origin have the bits of motions at the origin.
//!
//! Its spacing is 2^-29 m, 2 nm, which is that of an `f64` up to 16 000 km from the origin; beyond, `f64`
//! itself is coarser. Coarser: a body that creeps by less than half the spacing in a step stands still.
//! Finer: points far out are rounded differently from points near the origin.

use cairn2d_geometry::math::{Vec2, WorldPoint};

/// Number that rounds a small number to the grid when it is added and subtracted again.
const ROUNDER: f64 = 1.5 * (1 << 23) as f64;

/// Largest coordinate that [`ROUNDER`] rounds to the grid [m].
const MAX_ROUNDED: f64 = (1 << 22) as f64;

/// Grid lines per length [1/m].
const LINES: f64 = (1 << 29) as f64;

fn rounded(coordinate: f64) -> f64 {
    if coordinate.abs() < MAX_ROUNDED {
        (coordinate + ROUNDER) - ROUNDER
    } else {
        (coordinate * LINES).round_ties_even() / LINES
    }
}

/// Rounds a displacement \[m\]. One of more than 4000 km is rounded to every second line, or coarser.
fn rounded_displacement(displacement: f32) -> f64 {
    (f64::from(displacement) + ROUNDER) - ROUNDER
}

/// Returns the nearest point of the grid.
pub(crate) fn nearest(point: WorldPoint) -> WorldPoint {
    WorldPoint {
        x: rounded(point.x),
        y: rounded(point.y),
    }
}

/// Moves a point of the grid by a displacement \[m\], rounded to the grid: the sum is exact as far out as the
/// grid reaches.
pub(crate) fn moved(point: WorldPoint, displacement: Vec2) -> WorldPoint {
    WorldPoint {
        x: point.x + rounded_displacement(displacement.x),
        y: point.y + rounded_displacement(displacement.y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::vec2;

    #[test]
    fn coordinates_are_rounded_to_the_nearest_line() {
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
            let coordinates = [line, line + 0.49 * half, line - 0.49 * half];
            assert!(
                coordinates.into_iter().all(|x| rounded(x) == line),
                "{whole}"
            );
        }
    }

    #[test]
    fn motions_far_out_are_those_at_the_origin() {
        let displacement = vec2(0.012_345_678, -3.0e-7);
        let mut near = nearest((0.3, 0.7).into());
        let mut far = nearest((1.0e7 + near.x, near.y).into());
        for _ in 0..1000 {
            (near, far) = (moved(near, displacement), moved(far, displacement));
            assert!(far.x - 1.0e7 == near.x && far.y == near.y);
        }
    }
}
