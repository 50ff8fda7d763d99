//! `math_functions.h`: checks, angles, and the unit of length.

use crate::abi::Fault;
use crate::types::*;
use cairn2d::math;
use core::sync::atomic::{AtomicU32, Ordering};

/// Bits of the length units per meter.
static LENGTH_UNITS: AtomicU32 = AtomicU32::new(1.0_f32.to_bits());

/// Length units of the program per meter.
pub(crate) fn length_units() -> f32 {
    f32::from_bits(LENGTH_UNITS.load(Ordering::Relaxed))
}

/// How far the square of a unit vector's length may be from 1.
const UNIT_TOLERANCE: f32 = 6.0e-4;

/// Largest coordinate of a valid box, in meters.
const HUGE: f32 = 1.0e5;

fn is_rotation(q: b2Rot) -> bool {
    let length_sq = q.c * q.c + q.s * q.s;
    q.c.is_finite() && q.s.is_finite() && (length_sq - 1.0).abs() < UNIT_TOLERANCE
}

pub(crate) fn is_valid_box(b: b2AABB) -> bool {
    b.lowerBound.is_finite()
        && b.upperBound.is_finite()
        && b.lowerBound.x <= b.upperBound.x
        && b.lowerBound.y <= b.upperBound.y
}

fn is_place(p: b2Vec2) -> bool {
    let limit = HUGE * length_units();
    p.is_finite() && p.x.abs() < limit && p.y.abs() < limit
}

c_functions! {
    fn b2IsValidFloat(a: f32) -> bool { a.is_finite() }

    fn b2IsValidVec2(v: b2Vec2) -> bool { v.is_finite() }

    fn b2IsValidRotation(q: b2Rot) -> bool { is_rotation(q) }

    fn b2IsValidTransform(t: b2Transform) -> bool { t.p.is_finite() && is_rotation(t.q) }

    fn b2IsValidAABB(b: b2AABB) -> bool { is_valid_box(b) }

    fn b2IsValidPlane(plane: b2Plane) -> bool {
        let n = plane.normal;
        let length_sq = n.x * n.x + n.y * n.y;
        n.is_finite() && (length_sq - 1.0).abs() < UNIT_TOLERANCE && plane.offset.is_finite()
    }

    fn b2IsValidPosition(p: b2Pos) -> bool { is_place(p) }

    fn b2IsValidWorldTransform(t: b2WorldTransform) -> bool { is_place(t.p) && is_rotation(t.q) }

    fn b2Atan2(y: f32, x: f32) -> f32 { math::atan2(y, x) }

    fn b2ComputeCosSin(radians: f32) -> b2CosSin {
        let (sine, cosine) = math::sin_cos(radians);
        b2CosSin { cosine, sine }
    }

    /// Rotation that turns the first unit vector into the second.
    fn b2ComputeRotationBetweenUnitVectors(a: b2Vec2, b: b2Vec2) -> b2Rot {
        let (a, b) = (a.vec(), b.vec());
        b2Rot { c: a.dot(&b), s: math::cross(&a, &b) }.rotation().into()
    }

    fn b2SetLengthUnitsPerMeter(units: f32) {
        if !(units.is_finite() && units > 0.0) {
            return Err(Fault::Value("length units per meter"));
        }
        LENGTH_UNITS.store(units.to_bits(), Ordering::Relaxed);
    }

    fn b2GetLengthUnitsPerMeter() -> f32 { length_units() }
}
