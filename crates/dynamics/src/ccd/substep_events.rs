//! User events of impacts that were solved at their time: hits, and touches that begin and end within a step.

use super::step::CcdStep;
use super::tables::CcdTables;
use super::toi::ToiEvent;
use crate::contact::constraint::ContactConstraint;
use crate::event::{ContactBegin, ContactEnd, ContactHit, Touch};
use crate::id::{ContactId, ShapeId};
use cairn2d_geometry::state_record;

/// Two shapes that bounced off each other in the last step and are still so close that this step finds them
/// touching.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecentImpact {
    shapes: [ShapeId; 2],
    /// Speed of the impact [m/s].
    approach_speed: f32,
}

state_record!(RecentImpact {
    shapes,
    approach_speed,
});

/// Returns the speed of the impact of two shapes in the last step, 0 if there was none [m/s].
pub(crate) fn recent_approach_speed(impacts: &[RecentImpact], shapes: [ShapeId; 2]) -> f32 {
    let is_between =
        |impact: &&RecentImpact| shapes.iter().all(|shape| impact.shapes.contains(shape));
    let impact = impacts.iter().find(is_between);
    impact.map_or(0.0, |impact| impact.approach_speed)
}

impl CcdStep {
    /// Reports an impact, and adds it to the contact of its shapes if there is one.
    pub(super) fn report_impact(
        &mut self,
        tables: &mut CcdTables<'_>,
        event: &ToiEvent,
        solved: &ContactConstraint,
    ) {
        let list = &tables.bodies.slots[event.bodies[0]].contacts;
        let known = tables.contacts.find_pair(list, event.shapes);
        // A contact that does not touch has no points: its impacts are listed apart.
        let touching = known.filter(|&contact| tables.contacts.slots[contact].touching);
        if let Some(contact) = touching {
            tables.contacts.add_totals(contact, solved);
        }
        let mut points = solved.points.iter();
        if points.all(|point| point.total_normal_impulse <= 0.0) {
            return;
        }
        let id = match known {
            Some(contact) => tables.contacts.slots.id_at(contact),
            None => tables.contacts.transient_id(event.shapes, event.bodies),
        };
        let hit = hit_of(tables, id, event, solved);
        if touching.is_none() {
            self.new_impacts.push((event.shapes, hit));
        }
        let threshold = tables.ctx.def.tuning.hit_event_threshold;
        if hit.approach_speed >= threshold.max(f32::MIN_POSITIVE) {
            tables.events.collecting.hits.push(hit);
        }
    }

    /// Reports the touches of shapes that bounced off each other and have parted again, once for each pair.
    /// The next step finds that the others begin to touch, if their boxes overlap.
    pub(super) fn report_new_impacts(&mut self, tables: &mut CcdTables<'_>) {
        // The first of several impacts of two shapes is reported, with the impulse of all: the sort is stable.
        self.new_impacts.sort_by_key(|&(shapes, _)| shapes);
        self.new_impacts.dedup_by(|later, first| {
            let is_repeated = later.0 == first.0;
            if is_repeated {
                first.1.impulse += later.1.impulse;
            }
            is_repeated
        });
        let lists = &mut tables.events.collecting;
        for &(shapes, hit) in &self.new_impacts {
            // The end of a contact that ended at the start of the step is reported already.
            if lists.ends.iter().any(|end| end.contact == hit.contact) {
                continue;
            }
            let bodies = shapes.map(|shape| tables.shapes.slots[shape].body);
            let poses = bodies.map(|body| tables.bodies.poses[body as usize]);
            let manifold = tables.shapes.manifold_at(shapes, &poses);
            // Small shapes may be near enough to touch, and yet no pair of the broad phase.
            let [box_a, box_b] = shapes.map(|shape| tables.shapes.slots[shape].fat_box);
            if manifold.points().is_empty() || !box_a.overlaps(&box_b) {
                let (speed, impulse) = (hit.approach_speed, hit.impulse);
                lists
                    .begins
                    .push(ContactBegin::of(hit.touch(), speed, impulse));
                let end = ContactEnd::of(hit.contact, shapes, tables.bodies, tables.shapes);
                lists.ends.push(end);
            } else {
                tables.recent_impacts.push(RecentImpact {
                    shapes: [hit.shape_a, hit.shape_b],
                    approach_speed: hit.approach_speed,
                });
            }
        }
    }
}

/// Describes an impact, with the bodies at their poses at the time of impact.
fn hit_of(
    tables: &CcdTables<'_>,
    contact: ContactId,
    event: &ToiEvent,
    solved: &ContactConstraint,
) -> ContactHit {
    let points = solved.points_in_use().iter();
    let speeds = points.map(|point| -point.relative_velocity);
    let pose = &tables.bodies.poses[solved.body_a as usize];
    let (point, normal) = solved.center_and_normal(pose);
    let touch = Touch {
        contact,
        shapes: event.shapes.map(|shape| tables.shapes.slots.id_at(shape)),
        bodies: event.bodies.map(|body| tables.bodies.slots.id_at(body)),
        point,
        normal,
    };
    ContactHit::of(
        touch,
        speeds.fold(0.0, f32::max),
        solved.total_normal_impulse(),
    )
}
