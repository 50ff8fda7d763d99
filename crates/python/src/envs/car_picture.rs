//! Picture of the car on its track, with indicators and the reward below: the observation of `CarRacing-v3`.
//!
//! Gymnasium draws a window of 1000 x 800 pixels with pygame and scales it down. Here the same shapes are drawn at once in the
//! size of the observation, each pixel with the mean color of its area.

use crate::envs::car::{WHEEL_RADIUS, wheel_outline};
use crate::envs::car_track::{Border, Quad, SCALE, sign};
use crate::envs::raster::{Paint, Picture, SIZE};

/// Size of the window of Gymnasium, whose pixels lengths are given in [px].
const WINDOW: [f64; 2] = [1000.0, 800.0];
/// Place of the car in the window [px].
const CAR_PLACE: [f64; 2] = [WINDOW[0] / 2.0, WINDOW[1] * 3.0 / 4.0];
/// Zoom at the start, and after the first second.
const ZOOMS: [f64; 2] = [0.1, 2.7];
/// Distance from the middle at which the field ends [m].
pub(super) const FIELD: f64 = 2000.0 / SCALE;
/// Width and height of a patch of grass [m].
const GRASS: f64 = FIELD / 20.0;
/// Greatest distance of a corner of a tile or border from the first [m].
const TILE_REACH: f64 = 25.0;
/// Distance by which shapes grow on all sides [px]: pygame fills all pixels that their outline passes.
/// Of 0, 0.3, 0.4, 0.5, 0.6 and 0.75 this agrees best.
const GROWTH: f64 = 0.5;
/// Length of a side below which it counts as a point [px].
const MIN_SIDE: f64 = 1.0e-9;
/// Levels by which colors are darker: pygame rounds down twice where it scales.
pub(super) const DARKENING: f32 = 1.2;
/// Height of the bar with indicators, at the bottom of the window [px].
const BAR_HEIGHT: f64 = WINDOW[1] / 8.0;
/// Unit of the indicators [px].
const UNIT: [f64; 2] = [WINDOW[0] / 40.0, WINDOW[1] / 40.0];
/// Angle of a wheel that its mark covers [rad].
const MARK_ANGLE: f64 = 1.2;
/// Value below which an indicator is not drawn.
const MIN_INDICATED: f64 = 1.0e-4;

/// Greatest number of corners of a shape.
const MAX_CORNERS: usize = 8;

const BLACK: [f64; 3] = [0.0; 3];
const WHITE: [f64; 3] = [255.0; 3];
const RED: [f64; 3] = [255.0, 0.0, 0.0];
const GREEN: [f64; 3] = [0.0, 255.0, 0.0];
const BLUE: [f64; 3] = [0.0, 0.0, 255.0];
const VIOLET: [f64; 3] = [51.0, 0.0, 255.0];
const HULL_COLOR: [f64; 3] = [204.0, 0.0, 0.0];
const WHEEL_MARK: [f64; 3] = [77.0; 3];

/// Colors of road, ground and patches of grass, red, green and blue (0 to 255).
#[derive(Clone, Copy, Debug)]
pub(super) struct Colors {
    pub(super) road: [f64; 3],
    pub(super) ground: [f64; 3],
    pub(super) grass: [f64; 3],
}

impl Colors {
    pub(super) const DEFAULT: Self = Self {
        road: [102.0; 3],
        ground: [102.0, 204.0, 102.0],
        grass: [102.0, 230.0, 102.0],
    };
}

/// Values of the indicators.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indicators {
    /// Speed of the car [m/s].
    pub(super) speed: f64,
    /// Angular speeds of the wheels [rad/s].
    pub(super) omegas: [f64; 4],
    /// Angle of the front wheels [rad].
    pub(super) steering: f64,
    /// Angular velocity of the car [rad/s].
    pub(super) turning: f64,
    /// Sum of the rewards.
    pub(super) reward: f64,
}

/// Place and rotation of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    place: [f64; 2],
    sin: f64,
    cos: f64,
}

impl Frame {
    /// Frame of a body at `place` with this angle [rad].
    pub(super) fn new(place: [f64; 2], angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle);
        Self { place, sin, cos }
    }

    fn to_world(self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            self.cos * x - self.sin * y + self.place[0],
            self.sin * x + self.cos * y + self.place[1],
        ]
    }

    fn to_local(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [x, y] = [x - self.place[0], y - self.place[1]];
        [self.cos * x + self.sin * y, self.cos * y - self.sin * x]
    }
}

/// Maps the world to the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct CarCamera {
    /// Frame of the car.
    car: Frame,
    /// Pixels in a meter.
    zoom: f64,
}

/// Draws the observation, bottom layer first.
pub(super) struct Painter<'a> {
    picture: &'a mut Picture,
    camera: CarCamera,
}

impl CarCamera {
    /// Follows the car; the zoom grows in the first second.
    pub(super) fn new(car: Frame, time: f64) -> Self {
        let zoom = ZOOMS[0] * SCALE * (1.0 - time).max(0.0) + ZOOMS[1] * SCALE * time.min(1.0);
        Self { car, zoom }
    }

    /// Place in the window of a point in the world, downward from the top left corner [px].
    fn map(&self, point: [f64; 2]) -> [f64; 2] {
        let [x, y] = self.car.to_local(point);
        [CAR_PLACE[0] + x * self.zoom, CAR_PLACE[1] - y * self.zoom]
    }

    /// Middle of the view and the distance of its corners [m].
    fn view(&self) -> ([f64; 2], f64) {
        let ahead = (CAR_PLACE[1] - WINDOW[1] * 0.5) / self.zoom;
        let [x, y] = WINDOW.map(|size| size * 0.5);
        let middle = self.car.to_world([0.0, ahead]);
        (middle, (x * x + y * y).sqrt() / self.zoom)
    }
}

impl<'a> Painter<'a> {
    pub(super) fn new(picture: &'a mut Picture, camera: CarCamera) -> Self {
        picture.clear();
        Self { picture, camera }
    }

    /// Adds a convex polygon of the world, of at most eight corners, to the present layer.
    fn polygon(&mut self, corners: impl IntoIterator<Item = [f64; 2]>, paint: Paint) {
        let mut window = [[0.0; 2]; MAX_CORNERS];
        let mut count = 0;
        for (to, corner) in window.iter_mut().zip(corners) {
            *to = self.camera.map(corner);
            count += 1;
        }
        self.add(&grown(&window[..count])[..count], paint);
    }

    /// Adds a polygon of the window.
    fn add(&mut self, window: &[[f64; 2]], paint: Paint) {
        let mut corners = [[0.0; 2]; MAX_CORNERS];
        for (to, from) in corners.iter_mut().zip(window) {
            *to = [0, 1].map(|xy| (from[xy] * (SIZE as f64 / WINDOW[xy])) as f32);
        }
        self.picture.add_polygon(&corners[..window.len()], paint);
    }

    /// Draws the field with its patches of grass.
    pub(super) fn ground(&mut self, colors: &Colors) {
        self.picture.begin_layer();
        let square =
            |[x, y]: [f64; 2], [to_x, to_y]: [f64; 2]| [[x, y], [to_x, y], [to_x, to_y], [x, to_y]];
        let ground = opaque(colors.ground);
        self.polygon(square([-FIELD; 2], [FIELD; 2]), ground);
        let grass = opaque(colors.grass);
        let change = [0, 1, 2, 3].map(|channel| grass[channel] - ground[channel]);
        let (middle, reach) = self.camera.view();
        // Every other column and row has patches.
        let range = |xy: usize| {
            let index = |at: f64| ((at / (2.0 * GRASS)).floor() as i32).clamp(-10, 9);
            index(middle[xy] - reach)..=index(middle[xy] + reach)
        };
        for column in range(0) {
            for row in range(1) {
                let from = [column, row].map(|index| f64::from(index) * 2.0 * GRASS);
                self.polygon(square(from, from.map(|at| at + GRASS)), change);
            }
        }
    }

    /// Draws the road: tiles with their colors, and borders.
    pub(super) fn road<'b>(
        &mut self,
        tiles: impl Iterator<Item = (&'b Quad, [f64; 3])>,
        borders: &[Border],
    ) {
        self.picture.begin_layer();
        let (middle, reach) = self.camera.view();
        let is_near = |outline: &Quad| {
            let away = [0, 1].map(|xy| outline[0][xy] - middle[xy]);
            let reach = reach + TILE_REACH;
            away[0] * away[0] + away[1] * away[1] < reach * reach
        };
        for (outline, color) in tiles.filter(|(outline, _)| is_near(outline)) {
            self.polygon(*outline, opaque(color));
        }
        for border in borders.iter().filter(|border| is_near(&border.outline)) {
            let color = if border.is_white { WHITE } else { RED };
            self.polygon(border.outline, opaque(color));
        }
    }

    /// Draws a wheel that has rolled by an angle [rad], and the mark on it.
    pub(super) fn wheel(&mut self, wheel: Frame, phase: f64) {
        let to_world = |outline: Quad| outline.map(|corner| wheel.to_world(corner));
        self.picture.begin_layer();
        let outline = to_world(wheel_outline([WHEEL_RADIUS, -WHEEL_RADIUS]));
        self.polygon(outline, opaque(BLACK));
        if let Some(mark) = mark(phase) {
            self.picture.begin_layer();
            self.polygon(to_world(mark), opaque(WHEEL_MARK));
        }
    }

    /// Draws the parts of the hull, whose outlines are in its frame.
    pub(super) fn hull(&mut self, hull: Frame, parts: &[Vec<[f64; 2]>]) {
        self.picture.begin_layer();
        for part in parts {
            let corners = part.iter().map(|&corner| hull.to_world(corner));
            self.polygon(corners, opaque(HULL_COLOR));
        }
    }

    /// Draws the bar with the indicators and the reward.
    pub(super) fn indicators(&mut self, values: &Indicators) {
        self.picture.begin_layer();
        self.rectangle([0.0, WINDOW[1] - BAR_HEIGHT], WINDOW, BLACK);
        self.picture.begin_layer();
        self.column(5.0, values.speed, 0.02, WHITE);
        for (at, (&omega, color)) in values
            .omegas
            .iter()
            .zip([BLUE, BLUE, VIOLET, VIOLET])
            .enumerate()
        {
            self.column(7.0 + at as f64, omega, 0.01, color);
        }
        self.line(20.0, values.steering, -10.0, GREEN);
        self.line(30.0, values.turning, -0.8, RED);
        self.number(values.reward);
    }

    /// Adds a vertical indicator.
    fn column(&mut self, place: f64, value: f64, scale: f64, color: [f64; 3]) {
        let [width, height] = UNIT;
        let base = WINDOW[1] - height;
        let ends = [
            [place * width, base - height * (scale * value)],
            [(place + 1.0) * width, base],
        ];
        self.indicator(value, ends, color);
    }

    /// Adds a horizontal indicator.
    fn line(&mut self, place: f64, value: f64, scale: f64, color: [f64; 3]) {
        let [width, height] = UNIT;
        let [top, bottom] = [4.0, 2.0].map(|from_bottom| WINDOW[1] - from_bottom * height);
        let ends = [
            [place * width, top],
            [(place + scale * value) * width, bottom],
        ];
        self.indicator(value, ends, color);
    }

    fn indicator(&mut self, value: f64, [a, b]: [[f64; 2]; 2], color: [f64; 3]) {
        if value.abs() > MIN_INDICATED {
            // As pygame does, between whole pixels, with those at both ends.
            let from = [0, 1].map(|xy| a[xy].min(b[xy]).trunc());
            let to = [0, 1].map(|xy| a[xy].max(b[xy]).trunc() + 1.0);
            self.rectangle(from, to, color);
        }
    }

    fn rectangle(&mut self, [x, y]: [f64; 2], [to_x, to_y]: [f64; 2], color: [f64; 3]) {
        self.add(&[[x, y], [x, to_y], [to_x, to_y], [to_x, y]], opaque(color));
    }
}

/// Moves the sides of a convex polygon outward by [`GROWTH`]; at sharp corners by less.
fn grown(corners: &[[f64; 2]]) -> [[f64; 2]; MAX_CORNERS] {
    let count = corners.len();
    let side = |i: usize| (corners[i % count], corners[(i + 1) % count]);
    let area: f64 = (0..count)
        .map(side)
        .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
        .sum();
    let outward = |i: usize| {
        let (a, b) = side(i);
        let [x, y] = [b[0] - a[0], b[1] - a[1]];
        let length = (x * x + y * y).sqrt().max(MIN_SIDE);
        let scale = if area < 0.0 { -1.0 } else { 1.0 } / length;
        [y * scale, -x * scale]
    };
    let mut grown = [[0.0; 2]; MAX_CORNERS];
    for (i, (to, from)) in grown.iter_mut().zip(corners).enumerate() {
        let (before, after) = (outward(i + count - 1), outward(i));
        let cos = before[0] * after[0] + before[1] * after[1];
        let scale = GROWTH / (1.0 + cos).max(1.0);
        *to = [0, 1].map(|xy| from[xy] + (before[xy] + after[xy]) * scale);
    }
    grown
}

/// Returns the outline of the mark on a wheel, if its upper half shows it.
fn mark(phase: f64) -> Option<Quad> {
    let ends = [phase, phase + MARK_ANGLE].map(libm::sincos);
    if ends.iter().all(|&(sin, _)| sin > 0.0) {
        return None;
    }
    // An end that is below ends at the outline.
    let heights = ends.map(|(sin, cos)| if sin > 0.0 { sign(cos) } else { cos });
    Some(wheel_outline(heights.map(|height| WHEEL_RADIUS * height)))
}

/// Returns the paint of an opaque color, whose fractions are cut off.
fn opaque(color: [f64; 3]) -> Paint {
    let [red, green, blue] = color.map(|value| value.trunc() as f32);
    [red, green, blue, 1.0]
}

/// Rectangles of digits, as [left, top, right, bottom] in a cell of 22 x 31 [px]: seven segments.
const SEGMENTS: [[f64; 4]; 7] = [
    [3.0, 0.0, 19.0, 5.0],
    [16.0, 5.0, 22.0, 15.5],
    [16.0, 15.5, 22.0, 26.0],
    [3.0, 26.0, 19.0, 31.0],
    [0.0, 15.5, 6.0, 26.0],
    [0.0, 5.0, 6.0, 15.5],
    [6.0, 13.0, 16.0, 18.0],
];
/// Segments of each digit, the first in the lowest bit.
const DIGITS: [u8; 10] = [
    0b011_1111, 0b000_0110, 0b101_1011, 0b100_1111, 0b110_0110, 0b110_1101, 0b111_1101, 0b000_0111,
    0b111_1111, 0b110_1111,
];
const MINUS: [f64; 4] = [1.0, 16.0, 12.0, 21.0];
/// Widths of a digit and a minus with the space after it [px].
const ADVANCES: [f64; 2] = [24.0, 13.0];
/// Middle of the number, and the top of its digits [px].
const NUMBER_PLACE: [f64; 2] = [60.0, 730.0];

impl Painter<'_> {
    /// Draws a number without decimals, padded with zeros to four characters.
    fn number(&mut self, value: f64) {
        self.picture.begin_layer();
        let text = format!("{value:04.0}");
        let advance = |character: char| ADVANCES[usize::from(character == '-')];
        let width: f64 = text.chars().map(advance).sum();
        let mut left = NUMBER_PLACE[0] - width * 0.5;
        for character in text.chars() {
            let lit = character
                .to_digit(10)
                .map_or(0, |digit| DIGITS[digit as usize]);
            let segments = SEGMENTS.iter().enumerate();
            let segments = segments
                .filter(|(at, _)| lit >> at & 1 == 1)
                .map(|(_, segment)| segment);
            let minus = (character == '-').then_some(&MINUS);
            for [x, y, to_x, to_y] in segments.chain(minus).copied() {
                let top = NUMBER_PLACE[1];
                self.rectangle([left + x, top + y], [left + to_x, top + to_y], WHITE);
            }
            left += advance(character);
        }
    }
}
