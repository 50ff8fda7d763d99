//! Exact inverses: numbers that give a known result again to the bit, so that values survive being written and read
//! back.

use crate::math::{PI, Rotation, angle, sin_cos};

/// Neighbors of a number that are tried until one gives the wanted result: an inverse is off by the roundings of its few
/// operations. More: time for numbers that have no inverse.
const MAX_NEIGHBORS: u32 = 16;

/// Returns an angle \[rad\] whose sine and cosine are those of `rotation` to the bit, or the nearest angle if there is
/// none.
#[must_use]
pub fn angle_of(rotation: &Rotation) -> f32 {
    let bits = |(sin, cos): (f32, f32)| [sin.to_bits(), cos.to_bits()];
    let wanted = bits((rotation.im, rotation.re));
    let is_right = |angle: &f32| bits(sin_cos(*angle)) == wanted;
    let angle = angle(rotation);
    // An angle of more than half a turn has other bits than the same rotation within.
    let turns = [0.0, 2.0 * PI, -2.0 * PI].into_iter();
    let found = turns.map(|turn| nearest_with(angle + turn, |angle| is_right(&angle)));
    found.into_iter().find(is_right).unwrap_or(angle)
}

/// Returns the number nearest to `start` that is right, or `start` if none of its neighbors is.
pub fn nearest_with(start: f32, is_right: impl Fn(f32) -> bool) -> f32 {
    let (mut up, mut down) = (start, start);
    for _ in 0..MAX_NEIGHBORS {
        if let Some(right) = [up, down].into_iter().find(|&x| is_right(x)) {
            return right;
        }
        (up, down) = (up.next_up(), down.next_down());
    }
    start
}
