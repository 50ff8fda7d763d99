//! Pairs as random numbers never make them: touching, coincident, parallel, collinear, contained, tiny, huge, far away.

use crate::case::{Case, Form, numbers_of};
use crate::generate::{KINDS, Random, placed, shape};
use cairn2d_geometry::math::{Point, Vec2, point, rotation};
use std::f32::consts::FRAC_PI_2;

/// Sizes of a grid [m], from hairs to hills.
const UNITS: [f32; 6] = [1e-4, 1e-2, 0.125, 1.0, 16.0, 1e4];
/// Cells of the grid to each side.
const CELLS: i64 = 4;

/// Distances at which shapes lie from the origin of their frame [m].
const FAR: [f32; 4] = [10.0, 1e3, 1e5, 9e5];

/// Returns a pair of shapes.
pub fn pair(random: &mut Random) -> Case {
    let case = pair_at_origin(random);
    if random.below(5) == 0 {
        far_away(random, case)
    } else {
        case
    }
}

fn pair_at_origin(random: &mut Random) -> Case {
    match random.below(8) {
        0 => {
            let unit = unit(random);
            boxes_on_grid(random, 8.0 * unit)
        }
        1 | 2 => on_grid(random),
        3 => coincident(random),
        4 => contained(random),
        5 => nearly_equal_corners(random),
        6 => needles(random),
        _ => touching(random),
    }
}

/// Moves both shapes far from the origins of their frames, and keeps the place of B relative to A, except for the part that is
/// lost in rounding.
fn far_away(random: &mut Random, mut case: Case) -> Case {
    let mut shift = || {
        let far = FAR[random.below(FAR.len() as u64) as usize];
        random.direction() * (far * random.below(3) as f32 / 2.0)
    };
    let (a, b) = (shift(), shift());
    case.a.shift(a);
    case.b.shift(b);
    let back = rotation(case.pose[2]) * b;
    case.pose[0] += a.x - back.x;
    case.pose[1] += a.y - back.y;
    case
}

fn unit(random: &mut Random) -> f32 {
    UNITS[random.below(UNITS.len() as u64) as usize]
}

/// Upright boxes on a grid: parallel and collinear edges, shared corners, one in the other, exact touch.
pub fn boxes_on_grid(random: &mut Random, size: f32) -> Case {
    let unit = size / 8.0;
    let mut form = || Form {
        half: Some(Vec2::new(
            unit * (1 + random.below(8)) as f32,
            unit * (1 + random.below(8)) as f32,
        )),
        ..Form::default()
    };
    let (a, b) = (form(), form());
    let mut steps = || unit * (random.below(33) as f32 - 16.0);
    let (x, y) = (steps(), steps());
    Case {
        a,
        b,
        pose: [x, y, quarter(random)],
        numbers: vec![],
    }
}

fn quarter(random: &mut Random) -> f32 {
    random.below(4) as f32 * FRAC_PI_2
}

fn grid_number(random: &mut Random, unit: f32) -> f32 {
    let cells = random.below(2 * CELLS as u64 + 1) as i64 - CELLS;
    unit * cells as f32
}

/// Shape of any kind with its corners and radius on a grid, the corners of a polygon often on one line.
fn grid_form(random: &mut Random, unit: f32) -> Form {
    let count = [1, 2, 2, 3, 4, 6][random.below(6) as usize];
    let corners = (0..count)
        .map(|_| point(grid_number(random, unit), grid_number(random, unit)))
        .collect();
    let radius = unit * [0.0, 0.0, 1.0, 2.0][random.below(4) as usize];
    Form {
        corners,
        radius: if count == 1 { radius.max(unit) } else { radius },
        half: None,
    }
}

fn on_grid(random: &mut Random) -> Case {
    let first = unit(random);
    let second = if random.below(4) == 0 {
        unit(random)
    } else {
        first
    };
    let step = first.max(second);
    Case {
        a: grid_form(random, first),
        b: grid_form(random, second),
        pose: [
            grid_number(random, 2.0 * step),
            grid_number(random, 2.0 * step),
            quarter(random),
        ],
        numbers: vec![],
    }
}

fn any_form(random: &mut Random) -> Form {
    let size = unit(random);
    let kind = KINDS[random.below(5) as usize];
    // The generator leaves out features under 3 cm: make it large, then small.
    let mut form = Form::of(&shape(random, kind, 1.0));
    scale(&mut form, size);
    form
}

fn scale(form: &mut Form, by: f32) {
    for p in &mut form.corners {
        *p = Point::from(p.coords * by);
    }
    form.half = form.half.map(|half| half * by);
    form.radius *= by;
}

/// The same shape twice, in place or slid along one of its edges or away from it.
fn coincident(random: &mut Random) -> Case {
    let form = any_form(random);
    let corners = &form.corners;
    let count = corners.len() as u64;
    let slide = if count < 2 {
        Vec2::new(form.radius * 2.0, 0.0)
    } else {
        let i = random.below(count) as usize;
        corners[(i + 1) % corners.len()] - corners[i]
    };
    let by = [0.0, 1.0, 0.5, -1.0, 2.0][random.below(5) as usize];
    let across = random.below(2) == 0;
    let slide = if across {
        Vec2::new(-slide.y, slide.x) * by
    } else {
        slide * by
    };
    let turn = [0.0, 0.0, 2.0 * FRAC_PI_2, 1e-7][random.below(4) as usize];
    Case {
        a: form.clone(),
        b: form,
        pose: [slide.x, slide.y, turn],
        numbers: vec![],
    }
}

/// A small shape in or near the middle of a large one.
fn contained(random: &mut Random) -> Case {
    let a = any_form(random);
    let mut b = if random.below(3) == 0 {
        a.clone()
    } else {
        any_form(random)
    };
    scale(&mut b, random.log_between(1e-3, 0.5));
    let at = random.below(3) as f32 * random.log_between(1e-4, 1.0);
    let place = random.direction() * at;
    Case {
        a,
        b,
        pose: [place.x, place.y, random.angle()],
        numbers: vec![],
    }
}

/// Polygons with corners an ulp or a hair from others, and from the lines between them.
fn nearly_equal_corners(random: &mut Random) -> Case {
    let mut form = || {
        let mut form = any_form(random);
        form.write_corners();
        let count = form.corners.len();
        for _ in 0..random.below(4) {
            let (p, q) = (
                form.corners[random.below(count as u64) as usize],
                form.corners[random.below(count as u64) as usize],
            );
            let between = p + (q - p) * [0.0, 0.5, 0.25][random.below(3) as usize];
            let hair = random.direction() * ((q - p).norm() * random.log_between(1e-8, 1e-3));
            if count > 2 {
                form.corners.push(between + hair);
            }
        }
        form
    };
    let (a, b) = (form(), form());
    near(random, a, b)
}

/// Long thin shapes, side by side or across.
fn needles(random: &mut Random) -> Case {
    let mut form = || {
        let (length, width) = (
            random.log_between(1.0, 100.0),
            random.log_between(1e-4, 1e-2),
        );
        let lean = [0.0, width, -width][random.below(3) as usize];
        let corners = match random.below(3) {
            0 => vec![point(-length, 0.0), point(length, lean)],
            1 => vec![point(-length, 0.0), point(length, 0.0), point(lean, width)],
            _ => vec![
                point(-length, -width),
                point(length, -width),
                point(length, lean + 2.0 * width),
                point(-length, width),
            ],
        };
        let radius = [0.0, 0.0, width][random.below(3) as usize];
        Form {
            corners,
            radius,
            half: None,
        }
    };
    let (a, b) = (form(), form());
    let mut case = near(random, a, b);
    case.pose[2] = [0.0, FRAC_PI_2, 1e-6, 1e-4, case.pose[2]][random.below(5) as usize];
    case
}

/// Shapes that just touch, or miss that by a hair on either side.
fn touching(random: &mut Random) -> Case {
    let (a, b) = (any_form(random), any_form(random));
    near(random, a, b)
}

/// Places B so that it all but touches A.
fn near(random: &mut Random, a: Form, b: Form) -> Case {
    let gap = match random.below(4) {
        0 => 0.0,
        1 => random.log_between(1e-8, 1e-4),
        2 => -random.log_between(1e-8, 1e-4),
        _ => random.log_between(1e-4, 1.0),
    };
    let pose = match (a.shape(), b.shape()) {
        (Some(a), Some(b)) => numbers_of(&placed(random, &a, &b, gap)),
        _ => [0.0; 3],
    };
    Case {
        a,
        b,
        pose,
        numbers: vec![],
    }
}
