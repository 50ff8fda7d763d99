//! Normal numbers of NumPy: `Generator.normal`, by the ziggurat of 256 layers of Marsaglia and Tsang (2000).

use crate::envs::random::Random;
use std::sync::LazyLock;

/// Where the tail begins, in standard deviations.
const TAIL: f64 = 3.654_152_885_361_009;

/// Area of each layer: the tail with the rectangle below it has it, too.
const AREA: f64 = 0.004_928_673_233_974_655;

/// 2^52: the numbers that choose a place in a layer are below it.
const PLACES: f64 = 4_503_599_627_370_496.0;

/// The layers, from the lowest and widest one up.
struct Layers {
    /// Number below which a place is within the next layer, so that it needs no test.
    inside: [u64; 256],
    /// Width of a place.
    width: [f64; 256],
    /// Density at the right end.
    density: [f64; 256],
}

static LAYERS: LazyLock<Layers> = LazyLock::new(Layers::new);

fn density(x: f64) -> f64 {
    libm::exp(-0.5 * x * x)
}

impl Layers {
    fn new() -> Self {
        let mut layers = Self {
            inside: [0; 256],
            width: [0.0; 256],
            density: [0.0; 256],
        };
        let base = AREA / density(TAIL);
        layers.inside[0] = (TAIL / base * PLACES) as u64;
        (layers.width[0], layers.density[0]) = (base / PLACES, 1.0);
        let mut end = TAIL;
        (layers.width[255], layers.density[255]) = (end / PLACES, density(end));
        for at in (1..255).rev() {
            let next = (-2.0 * libm::log(AREA / end + density(end))).sqrt();
            layers.inside[at + 1] = (next / end * PLACES) as u64;
            end = next;
            (layers.width[at], layers.density[at]) = (end / PLACES, density(end));
        }
        layers
    }
}

impl Random {
    /// `Generator.normal(mean, deviation)`.
    pub(crate) fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        mean + deviation * self.standard_normal()
    }

    fn standard_normal(&mut self) -> f64 {
        loop {
            let bits = self.next_u64();
            let at = (bits & 0xFF) as usize;
            let is_negative = bits >> 8 & 1 == 1;
            let place = bits >> 9 & 0x000F_FFFF_FFFF_FFFF;
            let size = place as f64 * LAYERS.width[at];
            let x = if is_negative { -size } else { size };
            if place < LAYERS.inside[at] {
                return x;
            }
            if at == 0 {
                return self.beyond_tail(place >> 8 & 1 == 1);
            }
            let step = LAYERS.density[at - 1] - LAYERS.density[at];
            if step * self.random() + LAYERS.density[at] < density(x) {
                return x;
            }
        }
    }

    /// A number of the tail (Marsaglia 1964).
    fn beyond_tail(&mut self, is_negative: bool) -> f64 {
        loop {
            let x = -libm::log1p(-self.random()) / TAIL;
            let y = -libm::log1p(-self.random());
            if y + y > x * x {
                return if is_negative { -(TAIL + x) } else { TAIL + x };
            }
        }
    }
}
