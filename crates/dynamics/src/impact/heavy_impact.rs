//! Impacts of heavy bodies on light ones, solved for all contacts of an island together.
//!
//! A sweep over contacts takes from a heavy body the share of its momentum that the light body below has of
//! its mass. An impact of a thousand times the mass is over, and the heavy body is in the light one, before
//! loads are evaluated. So an island with a contact of high mass ratio is evaluated in each step in which its
//! links change or the bodies of such a contact approach fast. It gets the substep level of its support at
//! once, while no contact is compressed yet that would throw the heavy body back. Fast approaches are stopped
//! before the substeps, by one problem of all contacts of the island: impulses found sweep by sweep outlast
//! the impact, and throw the heavy body up again.

use super::mass_ratio::HighRatioContacts;
use super::rows::{ImpactRow, ImpactRows, MIN_IMPACT_SPEED};
use super::solve::MAX_IMPACT_ROWS;
use super::{ImpactScene, ImpactStage};
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::graph::GraphPlace;
use crate::island::set::IslandSet;
use crate::mechanisms::Mechanism;
use crate::shape::table::ShapeTable;
use crate::solver::MIN_RESTITUTION;
use crate::step_context::StepContext;
use cairn2d_geometry::math::Vec2;

/// Islands with heavy impacts, and the bodies that are moved for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeavyImpacts {
    /// Islands that are evaluated in this step, sorted.
    islands: Vec<u32>,
    /// Contacts of one of them, sorted.
    contacts: Vec<u32>,
    /// Bodies that close their gaps in this step, and their motions [m].
    shifts: Vec<(u32, Vec2)>,
}

impl HeavyImpacts {
    /// Drops the motions of the last step.
    pub(crate) fn clear(&mut self) {
        self.shifts.clear();
    }
}

impl ImpactStage {
    /// Lists the awake islands with a contact of high mass ratio whose links have changed or whose bodies
    /// approach fast at such a contact.
    pub(crate) fn find_heavy_impacts(
        &mut self,
        scene: &ImpactScene<'_>,
        high_ratio: &HighRatioContacts,
        islands: &IslandSet,
    ) {
        let found = &mut self.heavy.islands;
        found.clear();
        for contact in high_ratio.iter() {
            let body = scene.contacts.slots[contact].body_a;
            let island = scene.bodies.tracks[body as usize].island;
            if !islands.awake.contains(island) {
                continue;
            }
            let record = &islands.slots[island as usize];
            let is_small = record.bodies.len() <= MAX_IMPACT_ROWS;
            let rows = &mut self.problem.normals;
            if record.links_changed || is_small && is_fast_contact(scene, high_ratio, contact, rows)
            {
                found.push(island);
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    /// Returns the islands that were found, in order of slots.
    pub(crate) fn heavy_islands(&self) -> &[u32] {
        &self.heavy.islands
    }

    /// Stops the fast approaches in the island of `members`, if there are any and only contacts without
    /// bounce hold its bodies.
    pub(crate) fn solve_heavy_impact(
        &mut self,
        ctx: &StepContext<'_>,
        bodies: &mut BodyTable,
        shapes: &ShapeTable,
        contacts: &ContactTable,
        high_ratio: &HighRatioContacts,
        members: &[u32],
    ) {
        let scene = ImpactScene {
            bodies,
            shapes,
            contacts,
            dt: ctx.dt,
            mechanisms: ctx.def.tuning.mechanisms,
        };
        let rows = &mut self.problem.normals;
        if self.heavy.list_rows(&scene, high_ratio, members, rows) {
            self.heavy.close_gaps(&scene, high_ratio, &mut rows.rows);
            self.problem.solve(bodies, contacts);
        }
    }

    /// Moves heavy bodies over the gaps to the light ones that they hit: see [`HeavyImpacts::close_gaps`].
    /// Call it after the motions of the step were reset.
    pub(crate) fn move_heavy_bodies(&self, bodies: &mut BodyTable) {
        for &(body, shift) in &self.heavy.shifts {
            bodies.states[body as usize].delta_position += shift;
        }
    }
}

impl HeavyImpacts {
    /// Lists the rows of all contacts of `members`. Returns `true` if some approach fast, and the bodies are
    /// held only by contacts without bounce, of which there are not too many.
    fn list_rows(
        &mut self,
        scene: &ImpactScene<'_>,
        high_ratio: &HighRatioContacts,
        members: &[u32],
        rows: &mut ImpactRows,
    ) -> bool {
        rows.rows.clear();
        if !self.list_contacts(scene, members) {
            return false;
        }
        for &contact in &self.contacts {
            if !scene.contacts.is_solved(contact) {
                continue;
            }
            list_rows_of(scene, high_ratio, contact, rows);
            let restitution = scene.contacts.constraints[contact as usize].restitution;
            if restitution >= MIN_RESTITUTION || rows.rows.len() > MAX_IMPACT_ROWS {
                return false;
            }
        }
        rows.rows.iter().any(ImpactRow::is_fast)
    }

    /// Lists the contacts of `members`. Returns `false` if joints or locks hold one of them.
    fn list_contacts(&mut self, scene: &ImpactScene<'_>, members: &[u32]) -> bool {
        self.contacts.clear();
        for &slot in members {
            let body = &scene.bodies.slots[slot];
            if !body.joints.is_empty() || scene.bodies.states[slot as usize].is_position_locked() {
                return false;
            }
            self.contacts.extend_from_slice(&body.contacts);
        }
        self.contacts.sort_unstable();
        self.contacts.dedup();
        true
    }

    /// Closes the gaps between heavy bodies and the light ones that they hit, by a motion of the heavy body:
    /// at the speed that a gap allows it would hit the light body within the substeps, which throw it back.
    fn close_gaps(
        &mut self,
        scene: &ImpactScene<'_>,
        high_ratio: &HighRatioContacts,
        rows: &mut [ImpactRow],
    ) {
        if !scene.mechanisms.has(Mechanism::HeavyGapClosing) {
            return;
        }
        for of_contact in rows.chunk_by_mut(|row, next| row.contact == next.contact) {
            let [mass_a, mass_b] = of_contact[0]
                .ends
                .map(|end| scene.bodies.masses[end.body as usize].inv_mass);
            let heavy = of_contact[0].ends[usize::from(mass_b < mass_a)];
            let mut points = of_contact.iter().filter(|row| row.point.is_some());
            let speeds = points.clone().map(|row| row.allowed_speed);
            let gap_speed = speeds.fold(f64::INFINITY, f64::min);
            let closes = points.all(|row| row.speed + row.allowed_speed < 0.0);
            let has_other_constraints = scene.bodies.tracks[heavy.body as usize].constraints > 1;
            let is_high_ratio = high_ratio.contains(of_contact[0].contact);
            if has_other_constraints || !is_high_ratio || !closes || gap_speed <= 0.0 {
                continue;
            }
            for row in of_contact {
                row.allowed_speed -= gap_speed;
            }
            let [x, y] = heavy.line.map(|n| (-n * gap_speed) as f32 * scene.dt);
            self.shifts.push((heavy.body, Vec2::new(x, y)));
        }
    }
}

/// Returns `true` if the bodies of a contact of high mass ratio approach fast.
fn is_fast_contact(
    scene: &ImpactScene<'_>,
    high_ratio: &HighRatioContacts,
    contact: u32,
    rows: &mut ImpactRows,
) -> bool {
    let may_be_fast = f64::from(scene.max_relative_speed(contact)) > MIN_IMPACT_SPEED;
    if !may_be_fast || scene.contacts.slots[contact].graph == GraphPlace::NONE {
        return false;
    }
    rows.rows.clear();
    list_rows_of(scene, high_ratio, contact, rows);
    rows.rows.iter().any(ImpactRow::is_fast)
}

/// Adds the points of a contact and, at a high mass ratio, its speculative vertices.
fn list_rows_of(
    scene: &ImpactScene<'_>,
    high_ratio: &HighRatioContacts,
    contact: u32,
    rows: &mut ImpactRows,
) {
    rows.list_points(scene, contact);
    if high_ratio.contains(contact) {
        rows.list_vertices(scene, contact);
    }
}
