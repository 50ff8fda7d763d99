//! Random numbers: ordinary ones, extreme ones, and such as must be refused.

use cairn2d::math::{PI, Point, Vec2, WorldPoint, point, vec2};

/// Frequency of unusual numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Temper {
    /// Share of the numbers that are extreme: any finite bit pattern.
    pub(crate) extreme: f32,
    /// Share of the numbers that are NaN or infinite, where a refusal is expected.
    pub(crate) invalid: f32,
}

impl Temper {
    /// Worlds that behave: bodies meet, stack, swing and sleep.
    const PLAIN: Self = Self {
        extreme: 0.0,
        invalid: 0.0,
    };
    /// Mostly ordinary worlds with single unusual calls.
    const MIXED: Self = Self {
        extreme: 0.02,
        invalid: 0.01,
    };
    /// Worlds in which nothing is ordinary.
    const WILD: Self = Self {
        extreme: 0.25,
        invalid: 0.05,
    };
    /// All of them, in the order in which episodes take turns.
    pub(crate) const ALL: [Self; 4] = [Self::PLAIN, Self::MIXED, Self::MIXED, Self::WILD];
}

/// Half the side of the square in which ordinary things are \[m\].
const USUAL_REACH: f32 = 8.0;

/// Numbers at which formulas have corner cases.
const SPECIAL: [f32; 10] = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 60.0, 1000.0, PI, 0.5 * PI];

/// A source of random values, seeded anew for each call.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    random: fastrand::Rng,
    pub(crate) temper: Temper,
}

impl Values {
    pub(crate) fn new(temper: Temper) -> Self {
        Self {
            random: fastrand::Rng::with_seed(0),
            temper,
        }
    }

    /// Starts the sequence of one call.
    pub(crate) fn seed(&mut self, seed: u64, episode: u64, call: u64) {
        let mut start = fastrand::Rng::with_seed(seed);
        let words = [start.u64(..), episode, call];
        // Fowler, Noll and Vo's hash over words: neighboring calls share nothing.
        let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        let hash = words.into_iter().fold(0xcbf2_9ce4_8422_2325, mix);
        self.random = fastrand::Rng::with_seed(hash);
        // The first word after seeding depends on few bits of the seed.
        self.random.u64(..);
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.random.usize(0..count.max(1))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.random.u64(..)
    }

    pub(crate) fn chance(&mut self, share: f32) -> bool {
        self.random.f32() < share
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.random.bool()
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(crate) fn maybe<T>(&mut self, value: T) -> Option<T> {
        self.flag().then_some(value)
    }

    /// A number in `low` to `high`.
    pub(crate) fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.random.f32()
    }

    /// An ordinary number.
    pub(crate) fn usual(&mut self) -> f32 {
        match self.below(8) {
            0 => self.pick(&SPECIAL),
            1..=3 => self.range(-1.0, 1.0),
            _ => self.range(-USUAL_REACH, USUAL_REACH),
        }
    }

    /// Any finite number: sign, exponent and fraction are uniform.
    fn extreme(&mut self) -> f32 {
        loop {
            let value = f32::from_bits(self.random.u32(..));
            if value.is_finite() {
                return value;
            }
        }
    }

    /// A finite number.
    pub(crate) fn finite(&mut self) -> f32 {
        if self.chance(self.temper.extreme) {
            self.extreme()
        } else {
            self.usual()
        }
    }

    /// A number of any kind, also NaN and infinities.
    pub(crate) fn any(&mut self) -> f32 {
        if self.chance(self.temper.invalid) {
            return self.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
        }
        self.finite()
    }

    /// A size of things \[m\].
    pub(crate) fn size(&mut self) -> f32 {
        if self.chance(self.temper.extreme) || self.chance(self.temper.invalid) {
            return self.any();
        }
        match self.below(8) {
            0 => self.range(0.001, 0.1),
            1 => self.range(2.0, 20.0),
            _ => self.range(0.1, 1.0),
        }
    }

    pub(crate) fn any_vector(&mut self) -> Vec2 {
        vec2(self.any(), self.any())
    }

    pub(crate) fn any_point(&mut self) -> Point {
        point(self.any(), self.any())
    }

    pub(crate) fn usual_vector(&mut self) -> Vec2 {
        vec2(self.usual(), self.usual())
    }

    fn coordinate(&mut self) -> f64 {
        if !self.chance(self.temper.extreme) {
            return self.usual().into();
        }
        match self.below(4) {
            // Far out, where `f32` no longer holds a place.
            0 => 1.0e6 + f64::from(self.usual()),
            // At the edge of the world.
            1 => 1.0e9 - f64::from(self.usual().abs()),
            _ => self.extreme().into(),
        }
    }

    /// A place with finite coordinates, which may be out of the world \[m\].
    pub(crate) fn place(&mut self) -> WorldPoint {
        WorldPoint::new(self.coordinate(), self.coordinate())
    }

    /// A place of any kind, also NaN.
    pub(crate) fn any_place(&mut self) -> WorldPoint {
        if self.chance(self.temper.invalid) {
            return WorldPoint::new(self.any().into(), f64::NAN);
        }
        self.place()
    }

    /// A length of a step, mostly the usual one \[s\].
    pub(crate) fn dt(&mut self) -> f32 {
        const USUAL: f32 = 1.0 / 60.0;
        if !self.chance(self.temper.extreme) {
            return USUAL;
        }
        const UNUSUAL: [f32; 10] = [
            0.0,
            1.0e-38,
            1.0e-9,
            1.0 / 1000.0,
            1.0 / 20.0,
            0.25,
            16.6,
            f32::MAX,
            -1.0,
            f32::NAN,
        ];
        self.pick(&UNUSUAL)
    }
}
