//! Static impacts: fast bodies that hit static ground at more than the points of one contact.
//!
//! A manifold has the points nearer than the speculative distance. A box that lands on a vertex at 10 m/s
//! turns its other vertex, which is out of that reach, by eight centimeters into the ground within the step,
//! at 30 m/s by thirty. A box that rolls over as fast does likewise. A body in a wedge is passed back and forth
//! by its sides: at 50 m/s it sank three centimeters into one of them. So all contacts of a fast body on
//! nothing but static ground are solved together before the substeps, with their speculative vertices.
//! Vertices may approach as far as the ground.

use super::rows::{ImpactRow, ImpactRows};
use super::{ImpactScene, ImpactStage};
use crate::body::state::BodyState;
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::mechanisms::Mechanism;
use crate::shape::table::ShapeTable;
use crate::solver::MIN_RESTITUTION;
use crate::step_context::StepContext;

/// Speed of the fastest point of a body above which static impacts are searched [m/s]. Below, a vertex beyond
/// the speculative distance sinks into the ground by no more than that.
const MIN_STATIC_IMPACT_SPEED: f32 = 2.0;

/// The bodies for which static impacts are searched in a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct StaticImpacts {
    candidates: Vec<u32>,
}

/// Whether points and speculative vertices of a contact approach too fast for the substeps.
#[derive(Clone, Copy, Debug)]
struct FastRows {
    points: bool,
    vertices: bool,
}

impl StaticImpacts {
    /// Drops the candidates of the last step.
    pub(crate) fn clear(&mut self) {
        self.candidates.clear();
    }

    /// Adds the body in `slot`, which is held by nothing but static ground, if it is fast. No point of it is
    /// farther than
    /// `extent` \[m\] from its center of mass.
    pub(crate) fn note_grounded(&mut self, slot: u32, state: &BodyState, extent: f32) {
        let spin = state.angular_velocity * extent;
        let speed_sq = state.velocity.norm_squared() + spin * spin;
        if speed_sq > MIN_STATIC_IMPACT_SPEED * MIN_STATIC_IMPACT_SPEED {
            self.candidates.push(slot);
        }
    }
}

impl ImpactStage {
    /// Stops the candidates that turn a vertex into static ground within the step, or hit several bodies at
    /// once.
    pub(crate) fn solve_static_impacts(
        &mut self,
        ctx: &StepContext<'_>,
        bodies: &mut BodyTable,
        shapes: &ShapeTable,
        contacts: &ContactTable,
    ) {
        if !ctx.uses(Mechanism::StaticImpacts) {
            return;
        }
        for &body in &self.on_static.candidates {
            let scene = ImpactScene {
                bodies,
                shapes,
                contacts,
                dt: ctx.dt,
            };
            if list_static_impact(&scene, body, &mut self.problem.normals) {
                self.problem.solve(bodies, contacts);
            }
        }
    }
}

/// Lists the rows of a body's contacts. Returns `true` if they must be solved together, and none of them
/// bounces.
fn list_static_impact(scene: &ImpactScene<'_>, body: u32, rows: &mut ImpactRows) -> bool {
    rows.rows.clear();
    if scene.bodies.states[body as usize].is_position_locked() {
        return false;
    }
    let (mut vertices, mut points, mut contacts) = (false, false, 0);
    for &contact in &scene.bodies.slots[body].contacts {
        if !scene.contacts.is_solved(contact) {
            continue;
        }
        if scene.contacts.constraints[contact as usize].restitution >= MIN_RESTITUTION {
            return false;
        }
        let fast = list_contact(scene, contact, rows);
        vertices |= fast.vertices;
        points |= fast.points;
        contacts += 1;
    }
    vertices || points && contacts > 1
}

/// Adds the points and the speculative vertices of a contact.
fn list_contact(scene: &ImpactScene<'_>, contact: u32, rows: &mut ImpactRows) -> FastRows {
    let first = rows.rows.len();
    rows.list_points(scene, contact);
    let end_of_points = rows.rows.len();
    rows.list_vertices(scene, contact);
    FastRows {
        points: rows.rows[first..end_of_points]
            .iter()
            .any(ImpactRow::is_fast),
        vertices: rows.rows[end_of_points..].iter().any(ImpactRow::is_fast),
    }
}
