//! Stage 6 of the step: bodies that moved far for their size are swept against what they could have
//! passed through, and stopped at the first impact.
//!
//! The body keeps its velocity: the next step finds the contact and solves it. Bodies are swept
//! against static and kinematic shapes; then bullets also against dynamic ones that are not bullets. What a body is
//! swept against does not change meanwhile, so bodies are swept in any order, by one thread or several, and
//! what became of them is written down afterwards, in order of slot.

use crate::body::state::{BodyPose, BodyState};
use crate::body::table::{BodyTable, sweep_between};
use crate::body::track_flags;
use crate::contact::Contact;
use crate::contact::key::ContactWatch;
use crate::contact::patch::{ContactPatch, PatchPoint};
use crate::crew::{Chunks, Crew};
use crate::id::{Slots, kind};
use crate::material::one_way_stops;
use crate::shape::BodyShape;
use crate::world::World;
use crate::world::boxes::{GrownBox, box_around};
use crate::world::finalize::{FAST_SHARE, turn_of};
use crate::world::pairing::PairRules;
use cairn2d_broadphase::{BroadPhase, ProxyId, ProxyKind};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{Aabb, Sweep, ToiState, time_of_impact};
use core::ops::ControlFlow;

/// Fast bodies that a thread takes at a time, of some 300 ns.
const BLOCK: usize = 32;

/// Says whether a body of half thickness `thickness` \[m\] moves so far against the normal of what it meets that it
/// could get through, all of it: what grazes, slides over a seam or rolls along a chain is left to the contact that
/// it makes in the next step, and loses no time.
fn goes_in(mine: &Sweep, other: &Sweep, normal: &Vec2, thickness: f32) -> bool {
    let way = (mine.end - mine.start) - (other.end - other.start);
    -way.dot(normal) > FAST_SHARE * thickness
}

/// A shape of a fast body, and a box around its way in this step.
pub(crate) type SweptShape = (u32, Aabb);

/// What became of some fast bodies, in order of slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweeps {
    bodies: Vec<Mover>,
    grown: Vec<GrownBox>,
    /// Body and swept shape, if the world has sensors.
    areas: Vec<(u32, SweptShape)>,
    /// Boxes of the body at hand.
    boxes: Vec<SweptBox>,
    impacts_tested: usize,
}

/// A shape with its fat box, and a box around what that was and is.
#[derive(Clone, Copy, Debug)]
struct SweptBox {
    shape: u32,
    fat_box: Aabb,
    area: Aabb,
}

impl World {
    /// Brings the boxes of the fast bodies of this step up to date, and sweeps those bodies.
    pub(crate) fn continuous(&mut self, crew: &Crew) {
        let mut fast = core::mem::take(&mut self.scratch.fast);
        self.counters.continuous_bodies = fast.len();
        let mut sweeps = core::mem::take(&mut self.scratch.sweeps);
        let mut bullets = core::mem::take(&mut self.scratch.bullets);
        bullets.clear();
        fast.retain(|&slot| {
            let bullet = self.bodies.tracks[slot as usize].flags & track_flags::BULLET != 0;
            if bullet {
                bullets.push(slot);
            }
            !bullet
        });
        for group in [&fast, &bullets] {
            self.sweep_all(crew, group, &mut sweeps);
            self.take_sweeps(&sweeps[..group.len().div_ceil(BLOCK)]);
        }
        self.scratch.fast = fast;
        self.scratch.bullets = bullets;
        self.scratch.sweeps = sweeps;
    }

    fn sweep_all(&self, crew: &Crew, fast: &[u32], sweeps: &mut Vec<Sweeps>) {
        let blocks = fast.len().div_ceil(BLOCK);
        if sweeps.len() < blocks {
            sweeps.resize_with(blocks, Sweeps::default);
        }
        let scene = Surroundings {
            bodies: &self.bodies,
            shapes: &self.shapes,
            contacts: &self.contacts,
            watches: &self.watches,
            patches: &self.patches,
            rules: self.pair_rules(),
            broad: &self.broad,
            sensors: self.sensors > 0,
        };
        let sweeps = Chunks::new(&mut sweeps[..blocks], 1);
        crew.share((sweeps,), |block, (sweeps,)| {
            let slots = fast.chunks(BLOCK).nth(block).unwrap_or_default();
            scene.sweep_block(slots, &mut sweeps[0]);
        });
    }

    /// Writes down what became of fast bodies.
    fn take_sweeps(&mut self, sweeps: &[Sweeps]) {
        for done in sweeps {
            for body in &done.bodies {
                let index = body.slot as usize;
                self.bodies.states[index] = body.state;
                self.bodies.poses[index] = body.pose;
                self.bodies.tracks[index].slack = body.slack;
            }
            self.take_boxes(&done.grown);
            self.counters.impacts_tested += done.impacts_tested;
        }
        for (body, swept) in sweeps.iter().flat_map(|done| &done.areas) {
            self.sense_on_the_way(*body, *swept);
        }
    }
}

/// What fast bodies are swept against, and how they are found.
struct Surroundings<'a> {
    bodies: &'a BodyTable,
    shapes: &'a Slots<kind::Shape, BodyShape>,
    contacts: &'a Slots<kind::Contact, Contact>,
    watches: &'a [ContactWatch],
    patches: &'a [ContactPatch],
    rules: PairRules<'a>,
    broad: &'a BroadPhase,
    /// Whether there are sensors, which want to know of ways.
    sensors: bool,
}

/// A body that is swept: what changes of it.
#[derive(Clone, Copy, Debug)]
struct Mover {
    slot: u32,
    state: BodyState,
    pose: BodyPose,
    slack: f32,
}

impl Mover {
    fn start(&self) -> BodyPose {
        self.state.start_of(&self.pose)
    }

    fn sweep(&self, base: WorldPoint) -> Sweep {
        sweep_between(&self.start(), &self.pose, base)
    }

    /// Leaves the body where it was at `fraction` of its way; its deltas become those of the shorter way.
    fn shorten_step(&mut self, sweep: &Sweep, base: WorldPoint, fraction: f32) {
        let turned = sweep.pose_at(fraction).rotation / sweep.start_rotation;
        let stopped = turned * sweep.start_rotation;
        self.state.delta_position *= fraction;
        self.state.delta_rotation = Vec2::new(turned.re, turned.im);
        self.pose.center = base + self.state.delta_position;
        self.pose.rotation = Vec2::new(stopped.re, stopped.im).normalize();
    }
}

impl Surroundings<'_> {
    fn sweep_block(&self, slots: &[u32], sweeps: &mut Sweeps) {
        sweeps.bodies.clear();
        sweeps.grown.clear();
        sweeps.areas.clear();
        sweeps.impacts_tested = 0;
        for &slot in slots {
            if !self.bodies.slots[slot].disabled {
                self.sweep_body(slot, sweeps);
            }
        }
    }

    fn sweep_body(&self, slot: u32, sweeps: &mut Sweeps) {
        let index = slot as usize;
        let mut mover = Mover {
            slot,
            state: self.bodies.states[index],
            pose: self.bodies.poses[index],
            slack: f32::INFINITY,
        };
        self.sweep_boxes(&mut mover, &mut sweeps.boxes);
        if self.bodies.is_dynamic(slot) {
            self.stop_at_first_impact(&mut mover, sweeps);
            self.hold_back_cores(&mut mover, &mut sweeps.boxes);
        }
        mover.slack = mover.slack.max(0.0);
        sweeps.bodies.push(mover);
        for swept in &sweeps.boxes {
            let shape = &self.shapes[swept.shape];
            if swept.fat_box != shape.fat_box {
                sweeps.grown.push(GrownBox {
                    shape: swept.shape,
                    proxy: shape.proxy,
                    fat_box: swept.fat_box,
                });
            }
            if self.sensors {
                sweeps.areas.push((slot, (swept.shape, swept.area)));
            }
        }
    }

    /// Lists the boxes of the body's shapes, grown to where it is now, and boxes around what they were and are:
    /// on its way the body is in them.
    fn sweep_boxes(&self, mover: &mut Mover, boxes: &mut Vec<SweptBox>) {
        boxes.clear();
        for &shape in &self.bodies.slots[mover.slot].shapes {
            let record = &self.shapes[shape];
            if record.proxy != ProxyId::NULL {
                boxes.push(SweptBox {
                    shape,
                    fat_box: record.fat_box,
                    area: record.fat_box,
                });
            }
        }
        self.grow_boxes(mover, boxes);
        for swept in boxes {
            swept.area = swept.area.union(&swept.fat_box);
        }
    }

    /// Grows the boxes that shapes of the body have left.
    fn grow_boxes(&self, mover: &mut Mover, boxes: &mut [SweptBox]) {
        mover.slack = f32::INFINITY;
        for swept in boxes {
            let shape = &self.shapes[swept.shape];
            swept.fat_box = box_around(shape, &swept.fat_box, &mover.pose, &mut mover.slack);
        }
    }

    /// Takes the body back to the time of its first impact in this step, if it had one.
    fn stop_at_first_impact(&self, mover: &mut Mover, sweeps: &mut Sweeps) {
        let base = mover.start().center;
        let sweep = mover.sweep(base);
        let mut fraction = 1.0;
        for swept in &sweeps.boxes {
            let tested = &mut sweeps.impacts_tested;
            fraction = self.first_impact(swept, &sweep, base, fraction, tested);
        }
        if fraction < 1.0 {
            mover.shorten_step(&sweep, base, fraction);
            self.grow_boxes(mover, &mut sweeps.boxes);
        }
    }

    /// Returns the fraction at which a shape, moving with `sweep` within its area, first meets something;
    /// `limit` if it does not before that.
    fn first_impact(
        &self,
        swept: &SweptBox,
        sweep: &Sweep,
        base: WorldPoint,
        limit: f32,
        tested: &mut usize,
    ) -> f32 {
        let shape = &self.shapes[swept.shape];
        if shape.sensor {
            return limit;
        }
        let track = &self.bodies.tracks[shape.body as usize];
        let kinds: &[ProxyKind] = if track.flags & track_flags::BULLET != 0 {
            &ProxyKind::ALL
        } else {
            &[ProxyKind::Static, ProxyKind::Kinematic]
        };
        let thickness = track.min_extent;
        let mut first = limit;
        self.broad
            .query_kinds(kinds, &swept.area, u64::MAX, |other| {
                if self.is_obstacle(swept.shape, other) {
                    *tested += 1;
                    let target = &self.shapes[other];
                    let its_sweep = self.bodies.sweep_of(target.body, base);
                    let impact =
                        time_of_impact(&target.geometry, &its_sweep, &shape.geometry, sweep, first);
                    // Where the search gave up nothing touches before the fraction: stopping there is safe.
                    let hit = match impact.state {
                        ToiState::Touching => {
                            goes_in(sweep, &its_sweep, &impact.normal, thickness)
                                && self.stops_along(other, impact.normal)
                                && self.stops_along(swept.shape, -impact.normal)
                        }
                        ToiState::Failed => true,
                        _ => false,
                    };
                    if hit {
                        first = first.min(impact.fraction);
                    }
                }
                ControlFlow::Continue(())
            });
        first
    }

    /// Says whether the shape in `slot` stops what lies along `normal` out of it, as far as it is one-way.
    fn stops_along(&self, slot: u32, normal: Vec2) -> bool {
        let shape = &self.shapes[slot];
        let rotation = self.bodies.poses[shape.body as usize].rotation;
        one_way_stops(shape.material.one_way, rotation, normal)
    }

    /// Says whether the bodies in these slots are swept against each other, the first one moving.
    fn stops(&self, mine: u32, other: u32) -> bool {
        let flags = |body: u32| self.bodies.tracks[body as usize].flags;
        let its = flags(other);
        if its & track_flags::DYNAMIC == 0 {
            return true;
        }
        flags(mine) & track_flags::BULLET != 0 && its & track_flags::BULLET == 0
    }

    /// Says whether the moving shape `mine` is stopped by the shape `other`, which it does not touch yet.
    fn is_obstacle(&self, mine: u32, other: u32) -> bool {
        let (a, b) = (&self.shapes[mine], &self.shapes[other]);
        !b.sensor
            && a.body != b.body
            && self.stops(a.body, b.body)
            && !self.touches(mine, other)
            && self.rules.allow(mine, other)
    }

    /// Keeps the cores of the body's shapes from passing what they touch.
    fn hold_back_cores(&self, mover: &mut Mover, boxes: &mut [SweptBox]) {
        let body = &self.bodies.slots[mover.slot];
        let flags = self.bodies.tracks[mover.slot as usize].flags;
        if body.firm_contacts == 0 && flags & track_flags::BULLET == 0 {
            return;
        }
        let mut moved = false;
        for &contact in &body.contacts {
            // In a pile nearly all end here: what is asked first must be near in memory.
            let partner = self.partner(mover.slot, contact);
            if self.stops(mover.slot, partner)
                && self.contacts[contact].pushes()
                && self.may_pass(mover, contact)
            {
                moved |= self.hold_back_core(mover, contact);
            }
        }
        if moved {
            self.grow_boxes(mover, boxes);
        }
    }

    /// Returns the body that the one in `slot` has `contact` with.
    fn partner(&self, slot: u32, contact: u32) -> u32 {
        let watch = &self.watches[contact as usize];
        if watch.body_a == slot {
            watch.body_b
        } else {
            watch.body_a
        }
    }

    /// Says whether a core may have come to what its shape touches in `contact`.
    ///
    /// Cheap and on the safe side: the other shape lies behind the plane of the contact, no further before it than
    /// the overlap. A core that stays in front by its radius has not met it.
    fn may_pass(&self, mover: &Mover, contact: u32) -> bool {
        let patch = &self.patches[contact as usize];
        let is_a = patch.body_a == mover.slot;
        let other = if is_a { patch.body_b } else { patch.body_a };
        let my_start = mover.start();
        let its_start = self.bodies.start_of_step(other);
        let (start_a, start_b) = if is_a {
            (&my_start, &its_start)
        } else {
            (&its_start, &my_start)
        };
        let sign = if is_a { -1.0 } else { 1.0 };
        let away = start_a.rotate(patch.normal) * sign;
        let record = &self.contacts[contact];
        let mine = &self.shapes[if is_a { record.shape_a } else { record.shape_b }];
        let Some(core) = &mine.core else {
            return true;
        };
        // Height of my centre of mass over each point, less the overlap there.
        let height = |point: &PatchPoint| {
            let on_a = start_a.rotate(point.anchor_a);
            let on_b = (start_b.center - start_a.center) + start_b.rotate(point.anchor_b);
            let overlap = (point.base_separation + (on_b - on_a).dot(&away) * sign).min(0.0);
            ((my_start.center - start_a.center) - on_a).dot(&away) + overlap
        };
        let points = &patch.points[..patch.count as usize];
        let lowest = points.iter().map(height).fold(f32::INFINITY, f32::min);
        // About a centre of mass that is not its own, a core also moves by turning; and what it touches may move.
        let offset = mine.core_offset(&mover.pose);
        let comes_nearer = (-mover.state.delta_position.dot(&away)).max(0.0)
            + (1.0 + turn_of(&mover.state)) * offset
            + self.bodies.moved[other as usize];
        lowest - comes_nearer < core.radius()
    }

    /// Takes back the way of a core into the shape that it touches in `contact`. The contact was solved in this
    /// step and the shape may slide and turn on it: only the way is taken back, not the time. Returns whether there
    /// was any.
    fn hold_back_core(&self, mover: &mut Mover, contact: u32) -> bool {
        let contact = &self.contacts[contact];
        let (mine, other) = if contact.body_a == mover.slot {
            (contact.shape_a, contact.shape_b)
        } else {
            (contact.shape_b, contact.shape_a)
        };
        let base = mover.start().center;
        let (core, target) = (self.shapes[mine].core_shape(), &self.shapes[other]);
        let sweep = mover.sweep(base);
        let its_sweep = self.bodies.sweep_of(target.body, base);
        let impact = time_of_impact(&target.geometry, &its_sweep, &core, &sweep, 1.0);
        if impact.state != ToiState::Touching {
            return false;
        }
        let way = mover.state.delta_position;
        let into = (way.dot(&impact.normal) * (1.0 - impact.fraction)).min(0.0);
        let back = impact.normal * into;
        mover.state.delta_position -= back;
        mover.pose.center -= back;
        true
    }

    /// Says whether a contact of the two shapes touches.
    fn touches(&self, mine: u32, other: u32) -> bool {
        let [body, partner] = [mine, other].map(|shape| self.shapes[shape].body);
        self.bodies.slots[body].contacts.iter().any(|&contact| {
            self.partner(body, contact) == partner && {
                let contact = &self.contacts[contact];
                let pair = (contact.shape_a, contact.shape_b);
                contact.pushes() && (pair == (mine, other) || pair == (other, mine))
            }
        })
    }
}
