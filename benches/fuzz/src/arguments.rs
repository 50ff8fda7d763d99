//! The arguments of setters, all drawn before a setter is chosen, so that tables of setters can be data.

use crate::episode::Panics;
use crate::values::Values;
use cairn2d::math::{Point, Vec2, WorldPoint, point, vec2};
use cairn2d::{MAX_DRIVE_SPEED, MAX_RESTITUTION};

/// One of each kind of argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments {
    /// Any finite number.
    pub(crate) number: f32,
    /// Another.
    pub(crate) other: f32,
    /// Not negative.
    pub(crate) measure: f32,
    /// Not negative, another.
    pub(crate) rate: f32,
    /// A step \[s\], positive.
    pub(crate) dt: f32,
    /// Finite.
    pub(crate) vector: Vec2,
    /// Finite.
    pub(crate) local: Point,
    /// In the world.
    pub(crate) place: WorldPoint,
    pub(crate) flag: bool,
    pub(crate) bits: u64,
}

/// Greatest magnitude where no panic is wanted: forces of that size at any arm still are numbers.
const MODEST: f32 = 1.0e20;

impl Values {
    /// Draws arguments: such as setters accept, or any where panics are provoked.
    pub(crate) fn arguments(&mut self, panics: Panics) -> Arguments {
        let drawn = Arguments {
            number: self.any(),
            other: self.any(),
            measure: self.any(),
            rate: self.any(),
            dt: self.dt(),
            vector: self.any_vector(),
            local: self.any_point(),
            place: self.any_place(),
            flag: self.flag(),
            bits: self.bits(),
        };
        match panics {
            Panics::Provoked => drawn,
            Panics::Avoided => drawn.accepted(),
        }
    }
}

impl Arguments {
    /// Returns these arguments, moved to where every setter must accept them.
    fn accepted(self) -> Self {
        let number = |value: f32| {
            let most = MODEST.min(MAX_DRIVE_SPEED);
            let value = value.clamp(-most, most);
            if value.is_finite() { value } else { 0.0 }
        };
        // The least of the bounds of masses, friction and restitution.
        let measure = |value: f32| number(value).abs().min(MAX_RESTITUTION);
        let coordinate = |value: f64| {
            let value = value.clamp(-cairn2d::MAX_COORDINATE, cairn2d::MAX_COORDINATE);
            if value.is_finite() { value } else { 0.0 }
        };
        Self {
            number: number(self.number),
            other: number(self.other),
            measure: measure(self.measure),
            rate: measure(self.rate),
            dt: if self.dt > 0.0 { self.dt } else { 1.0 / 60.0 },
            vector: vec2(number(self.vector.x), number(self.vector.y)),
            local: point(number(self.local.x), number(self.local.y)),
            place: WorldPoint::new(coordinate(self.place.x), coordinate(self.place.y)),
            ..self
        }
    }
}
