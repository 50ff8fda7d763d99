//! Houses of cards: tents of two cards that lean on each other, and cards end to end on their tips.

use crate::kit::{floor, place, rectangle, thing, tinted, usual_world};
use crate::random::Random;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{ShapeDef, World};

/// Storeys of a house.
const STOREYS: u32 = 5;

/// Length of a leaning card [m].
pub(crate) const CARD: f32 = 0.4;

/// Slope of a leaning card, from the vertical [rad].
const SLOPE: f32 = 25.0 * PI / 180.0;

/// Length by which the outermost lying cards extend beyond the last tips [m]: both cards of a tent carry a load only if
/// both are covered.
const EAVES: f32 = 0.028;

/// Gap between the feet of two tents, and between the ends of two lying cards [m].
const TENT_GAP: f32 = 0.001;
const CARD_GAP: f32 = 0.000_2;

/// Construction of a house.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CardHouse {
    /// Thickness of a card [m].
    pub(crate) thickness: f32,
    /// Largest random offset of a card: sideways, upward [m] and turned [rad].
    pub(crate) off_by: f32,
    pub(crate) seed: u64,
}

impl CardHouse {
    /// Puts the house up on a floor.
    ///
    /// The cards touch each other and do not overlap. Leaning cards touch by their edges: corners count, as a card has a thickness.
    pub(crate) fn build(self) -> World {
        let mut world = usual_world();
        floor(&mut world, 1.6);
        let mut hand = Hand {
            world,
            random: Random::new(self.seed),
            house: self,
        };
        let (sin, cos) = sin_cos(SLOPE);
        let (half, thin) = (0.5 * CARD, 0.5 * self.thickness);
        let foot = half * sin + thin * cos;
        let rise = half * cos + thin * sin;
        let pitch = 4.0 * foot + TENT_GAP;
        for level in 0..STOREYS {
            let base = 2.0 * (rise + thin) * level as f32;
            let last = STOREYS - 1 - level;
            let at = |tent: u32| (tent as f32 - 0.5 * last as f32) * pitch;
            for tent in 0..=last {
                hand.lean(at(tent) - foot, base + rise, -SLOPE);
                hand.lean(at(tent) + foot, base + rise, SLOPE);
            }
            for tent in 0..last {
                let overlap = |is_outer: bool| if is_outer { EAVES } else { -CARD_GAP };
                let left = at(tent) - overlap(tent == 0);
                let right = at(tent + 1) + overlap(tent + 1 == last);
                hand.lay(left, right, base + 2.0 * rise + thin);
            }
        }
        hand.world
    }
}

/// Puts up cards as well as it can.
struct Hand {
    world: World,
    random: Random,
    house: CardHouse,
}

impl Hand {
    fn lean(&mut self, x: f32, y: f32, angle: f32) {
        self.put([x, y, angle], [0.5 * self.house.thickness, 0.5 * CARD], 0);
    }

    fn lay(&mut self, left: f32, right: f32, y: f32) {
        let half = [0.5 * (right - left), 0.5 * self.house.thickness];
        self.put([0.5 * (left + right), y, 0.0], half, 1);
    }

    fn put(&mut self, [x, y, angle]: [f32; 3], [half_width, half_height]: [f32; 2], tint: u64) {
        let off_by = self.house.off_by;
        let x = x + self.random.range(-off_by, off_by);
        let y = y + self.random.range(0.0, off_by);
        let angle = angle + self.random.range(-off_by, off_by);
        let card = tinted(thing(x, y).angle(angle), tint);
        let shape = rectangle(half_width, half_height);
        place(
            &mut self.world,
            card,
            shape,
            ShapeDef::default().friction(0.7),
        );
    }
}
