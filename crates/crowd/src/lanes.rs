//! Four numbers side by side.
//!
//! Neighbours, half-planes and linear programs are computed on them. Every operation is the IEEE one,
//! lane by lane: no fused multiply-add, no approximate reciprocal, and selection by comparison. So a
//! formula in lanes gives the bits that it gives for single numbers, on every processor. Four are one
//! register of what every x86-64 and ARM processor has; ten neighbours fill three of them.

use wide::{f32x4, i32x4};

/// Four numbers.
pub(crate) type Lanes = f32x4;

/// Number of lanes.
pub(crate) const LANES: usize = 4;

/// Returns `yes` where `mask` is true, else `no`.
#[inline]
pub(crate) fn select(mask: Lanes, yes: Lanes, no: Lanes) -> Lanes {
    mask.bitselect(yes, no)
}

/// Returns `mask` without the lanes where all bits of `without` are set.
#[inline]
pub(crate) fn and_not(mask: Lanes, without: i32x4) -> Lanes {
    mask & Lanes::from_ne_bytes((!without).to_ne_bytes())
}

/// Returns the lesser of two, lane by lane; `b` where one is not a number.
#[inline]
pub(crate) fn lesser(a: Lanes, b: Lanes) -> Lanes {
    select(a.simd_lt(b), a, b)
}

/// Returns the sum of four, of the first two and the last two first.
#[inline]
pub(crate) fn sum(lanes: Lanes) -> f32 {
    let [a, b, c, d] = lanes.to_array();
    (a + b) + (c + d)
}

/// Returns the greatest of four; none of them may be not a number.
///
/// By comparison, here and below: that is one instruction, and `f32::max`, which minds what is not a number, is five.
#[inline]
pub(crate) fn greatest(lanes: Lanes) -> f32 {
    let [a, b, c, d] = lanes.to_array();
    let greater = |a: f32, b: f32| if a > b { a } else { b };
    greater(greater(a, b), greater(c, d))
}

/// Returns the least of four; none of them may be not a number.
#[inline]
pub(crate) fn least(lanes: Lanes) -> f32 {
    let [a, b, c, d] = lanes.to_array();
    let lesser = |a: f32, b: f32| if a < b { a } else { b };
    lesser(lesser(a, b), lesser(c, d))
}

/// Returns the mask of the lanes below `count`.
#[inline]
pub(crate) fn first(count: usize) -> Lanes {
    Lanes::new([0.0, 1.0, 2.0, 3.0]).simd_lt(Lanes::splat(count as f32))
}

/// Returns integers in the order of the numbers; -0 stands before 0.
#[inline]
pub(crate) fn ordered(v: Lanes) -> i32x4 {
    let bits = i32x4::from_ne_bytes(v.to_ne_bytes());
    // Negative numbers count downward: flip all but their sign.
    let negative = bits.simd_lt(i32x4::splat(0));
    bits ^ (negative & i32x4::splat(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_and_the_least_are_found_in_any_lane() {
        for lane in 0..LANES {
            let mut four = [0.0; LANES];
            four[lane] = 1.0;
            assert_eq!(
                (greatest(Lanes::new(four)), least(Lanes::new(four))),
                (1.0, 0.0)
            );
            assert_eq!(
                (greatest(-Lanes::new(four)), least(-Lanes::new(four))),
                (0.0, -1.0)
            );
        }
    }

    #[test]
    fn integers_are_in_the_order_of_the_numbers() {
        let numbers = [-3.0f32, -0.5, -0.0, 0.0, 1e-20, 0.5, 7.0, f32::INFINITY];
        let fours = numbers.as_chunks::<LANES>().0;
        let integers: Vec<i32> = fours
            .iter()
            .flat_map(|four| ordered(Lanes::new(*four)).to_array())
            .collect();
        assert!(integers.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn the_first_lanes_are_masked() {
        for count in 0..=LANES {
            assert_eq!(first(count).to_bitmask(), (1u32 << count) - 1);
        }
    }
}
