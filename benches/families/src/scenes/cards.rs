//! Houses of cards: tents of two cards that lean on each other, and cards that lie on their tips.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Scene, Weight};
use cairn2d::math::sin_cos;
use cairn2d::{BodyDef, ShapeDef};

pub(super) const FAMILIES: [Family; 1] = [Family {
    name: "cards",
    title: "one to ten houses of cards of two to five storeys, placed inexactly",
    criterion: "no card shifts by more than 0.1 m",
    limits: Limits::STANDS,
    rarity: 3,
    build: houses,
}];

/// Length and half thickness of a card, slope of a leaning one from the vertical \[rad\].
const CARD: f32 = 0.8;
const HALF_THICKNESS: f32 = 0.01;
const SLOPE: f32 = 0.43;

/// Gaps between the feet of two tents and the ends of two lying cards, and overhang of the outermost [m].
const TENT_GAP: f32 = 0.002;
const CARD_GAP: f32 = 0.000_4;
const OVERHANG: f32 = 0.05;

fn houses(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 4.0);
    scene.ground();
    let houses = draw.pick(&[1, 1, 1, 3, 10]);
    let storeys = draw.count(2, 5);
    let error = draw.pick(&[0.0, 0.000_2]);
    for house in 0..houses {
        let center = 8.0 * (house as f32 - 0.5 * houses as f32);
        build_house(&mut scene, draw, center, storeys, error);
    }
    scene.fallen_shift = 0.1;
    scene
}

fn build_house(scene: &mut Scene, draw: &mut Draw, center: f32, storeys: usize, error: f32) {
    let (sin, cos) = sin_cos(SLOPE);
    let (half, thin) = (0.5 * CARD, HALF_THICKNESS);
    let foot = half * sin + thin * cos;
    let rise = half * cos + thin * sin;
    let pitch = 4.0 * foot + TENT_GAP;
    for level in 0..storeys {
        let base = 2.0 * (rise + thin) * level as f32;
        let last = storeys - 1 - level;
        let at = |tent: usize| center + (tent as f32 - 0.5 * last as f32) * pitch;
        for tent in 0..=last {
            for side in [-1.0, 1.0] {
                let place = [at(tent) + side * foot, base + rise, side * SLOPE];
                card(scene, draw, place, [thin, half], error);
            }
        }
        for tent in 0..last {
            let overlap = |is_outer: bool| if is_outer { OVERHANG } else { -0.5 * CARD_GAP };
            let left = at(tent) - overlap(tent == 0);
            let right = at(tent + 1) + overlap(tent + 1 == last);
            let place = [0.5 * (left + right), base + 2.0 * rise + thin, 0.0];
            card(scene, draw, place, [0.5 * (right - left), thin], error);
        }
    }
}

/// Adds a card at x, y and an angle, each off by at most `error`.
fn card(scene: &mut Scene, draw: &mut Draw, place: [f32; 3], half: [f32; 2], error: f32) {
    let [x, y, angle] = place.map(|value| value + draw.range(0.0, error));
    let def = BodyDef::dynamic().angle(angle);
    let form = Form::Rectangle(half[0], half[1]);
    let body = scene.dynamic_of(def, [x, y], form, &ShapeDef::default());
    scene.member(body);
}
