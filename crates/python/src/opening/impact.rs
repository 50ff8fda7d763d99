//! Bodies of an open linkage that would go through a static shape in a step: `b2World::SolveTOI` of Box2D 2.3.
//!
//! The first touch of all bodies comes first. That body alone is pushed out there, loses its speed against what it touches, and
//! goes on for the rest of the step; joints are not asked, and open again.

use super::SLOP;
use super::fixpoint::Fixpoint;
use super::part::Part;
use super::touch::{Correction, Touch};
use cairn2d::geometry::{Sweep, ToiState, time_of_impact};
use cairn2d::math::{Point, rotation};
use cairn2d::{Polygon, Segment, Shape, World};

/// Greatest number of touches of a pair of shapes in a step: `b2_maxSubSteps`.
const MAX_TOUCHES: u32 = 8;

/// Iterations of positions at a touch.
const POSITION_ITERATIONS: u32 = 20;

/// Share of a step that is left when nothing more is looked for.
const END: f32 = 10.0 * f32::EPSILON;

/// Takes bodies that went through static shapes in the step of `dt` [s] back to where they touch them, and on from there. Returns
/// whether there were any.
pub(super) fn solve_impacts(
    world: &World,
    parts: &mut [Part],
    touches: &mut [Touch],
    dt: f32,
    iterations: u32,
) -> bool {
    let mut found = false;
    let mut counts = vec![0; touches.len()];
    while let Some((at, share)) = first_impact(world, parts, touches, &counts) {
        let part = touches[at].part;
        let before = parts[part];
        go_to(&mut parts[part], share);
        counts[at] += 1;
        if !touches[at].find(world, parts) {
            // Rounding: the shapes do not touch there. They are left alone in this step.
            parts[part] = before;
            counts[at] = MAX_TOUCHES;
            continue;
        }
        let mut group = vec![at];
        for (i, touch) in touches.iter_mut().enumerate() {
            if i != at && touch.part == part && touch.find(world, parts) {
                group.push(i);
            }
        }
        push_out(parts, touches, &group);
        parts[part].from = (parts[part].center, parts[part].angle);
        for &i in &group {
            touches[i].prepare(parts);
        }
        let mut fixpoint = Fixpoint::default();
        for _ in 0..iterations {
            for &i in &group {
                touches[i].solve_velocity(parts);
            }
            let contacts = group.iter().flat_map(|&i| touches[i].impulses());
            if fixpoint.is_reached(parts[part].motion().into_iter().chain(contacts)) {
                break;
            }
        }
        parts[part].advance((1.0 - share) * dt);
        found = true;
    }
    found
}

/// The contact that is first to touch, and the share of the step at which it does.
fn first_impact(
    world: &World,
    parts: &[Part],
    touches: &[Touch],
    counts: &[u32],
) -> Option<(usize, f32)> {
    let mut first = (0, 1.0);
    for (at, touch) in touches.iter().enumerate() {
        if counts[at] >= MAX_TOUCHES {
            continue;
        }
        let part = &parts[touch.part];
        let [ground, shape] = touch.geometry(world);
        let found = time_of_impact(
            &without_radius(ground),
            &Sweep::resting(&touch.ground_pose),
            shape,
            &sweep_of(part),
            1.0,
        );
        if found.state == ToiState::Touching {
            let share = (part.start + (1.0 - part.start) * found.fraction).min(1.0);
            if share < first.1 {
                first = (at, share);
            }
        }
    }
    (first.1 < 1.0 - END).then_some(first)
}

/// Shapes of Box2D come nearer than their radii: to a slop of their middle lines.
fn without_radius(shape: &Shape) -> Shape {
    match shape {
        Shape::Capsule(edge) => Segment::new(edge.a(), edge.b()).into(),
        Shape::Polygon(polygon) => {
            Polygon::try_hull(polygon.vertices()).map_or_else(|_| shape.clone(), Shape::Polygon)
        }
        _ => shape.clone(),
    }
}

/// Motion of a body from where its sweep starts.
fn sweep_of(part: &Part) -> Sweep {
    let (center, angle) = part.from;
    Sweep {
        local_center: Point::from(part.local_center),
        start: Point::from(center),
        end: Point::from(part.center),
        start_rotation: rotation(angle),
        end_rotation: rotation(part.angle),
    }
}

/// Moves a body back to a share of the step.
fn go_to(part: &mut Part, share: f32) {
    let along = (share - part.start) / (1.0 - part.start);
    let (center, angle) = part.from;
    part.from = (
        center + along * (part.center - center),
        angle + along * (part.angle - angle),
    );
    part.start = share;
    (part.center, part.angle) = part.from;
}

/// Pushes a body out of all that it touches.
fn push_out(parts: &mut [Part], touches: &[Touch], group: &[usize]) {
    for _ in 0..POSITION_ITERATIONS {
        let least = group
            .iter()
            .map(|&i| touches[i].solve_position(parts, Correction::Sweep))
            .fold(0.0, f32::min);
        if least >= -1.5 * SLOP {
            return;
        }
    }
}
