//! What was put wrong comes right: bodies that were put into each other, and joints whose bodies were put apart.
//!
//! The substeps take errors out by velocities and take the velocities away again afterwards, one sweep over the links. Of
//! small errors nothing is left. Twenty boxes put into one place, or a chain drawn to twice its length, are errors of a
//! metre in each of many links that hang together: what is left of their velocities throws everything about. So these links
//! are marked, the substeps let their errors be, and here their bodies begin each step with a way that takes out some of them:
//! without a velocity, and without a turn.
//!
//! Only what was *put* wrong is marked: contacts of a body that was placed since the last step, made or moved by the user, which begin
//! deeper than their bodies have moved; joints made with a gap or torn open by a change of pose. What a load or an impact presses into each other is pushed out by the substeps, whose
//! impulses carry the load.

use crate::bitset::BitSet;
use crate::body::state::state_flags;
use crate::contact::constraint::constraint_flags;
use crate::graph::GraphPlace;
use crate::joint::base::joint_flags;
use crate::tuning::{LOADED, SUNK};
use crate::world::World;
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Depth at which a contact begins that was put so, beside what its bodies may have come in a step \[m\]: contacts are found
/// at this distance, so what comes slowly begins above it.
const PUT_DEPTH: f32 = 4.0 * LINEAR_SLOP;

/// Gap from which on a joint was put apart \[m\]; what loads and impacts draw apart stays well below it.
const PUT_GAP: f32 = 20.0 * LINEAR_SLOP;

/// Error at which a link is right again \[m\]: what the substeps make of it is less than a millimetre a second.
const RIGHT: f32 = 0.004 * LINEAR_SLOP;

/// Share of a gap that is closed in a step: bodies that are put somewhere else again and again draw others after them.
const CLOSED_SHARE: f32 = 0.25;

/// Sweeps over the links in a step: a chain of twenty needs as many to learn of its other end, and twice that to come to rest.
const SWEEPS: usize = 64;

/// Most corrections of a step: half a millisecond. What would take more is swept over less often, and comes right later.
const MAX_WORK: usize = 65_536;

/// Steps in which a link must come right: two seconds. What is wedged in never does.
const STEPS: u32 = 120;

/// Depth from which on what others that come right press together comes right with them \[m\].
const PRESSED: f32 = 0.02 * LINEAR_SLOP;

/// Farthest that a body is moved in a step, relative to the way by which two are moved apart. Rows add up; but between two
/// that squeeze it at a slant a body would go where they part.
const FARTHEST: f32 = 10.0;

/// Contacts up to which what is moved is followed: what lies further off is not moved, and pushed away by the substeps if it
/// comes to that. If more were put wrong, the substeps have all of them: most would only wait, in each other, and a heap of
/// 6000 that was put together too closely took a third longer to step.
const MAX_CONTACTS: usize = 2048;

/// Slots of the links that are marked: part of the state. Those that are gone, or right, are forgotten when they are come by.
#[derive(Clone, Debug, Default)]
pub(crate) struct PutWrong {
    contacts: Vec<Put>,
    joints: Vec<Put>,
    /// Slots of the bodies that were placed since the last step.
    placed: BitSet,
    any_placed: bool,
}

/// A link that is marked.
#[derive(Clone, Copy, Debug)]
struct Put {
    slot: u32,
    /// Steps until it is left to the substeps, whatever has become of it.
    steps: u32,
}

/// Memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct RightingLists {
    links: Vec<Link>,
    /// Bodies of the links, sorted.
    bodies: Vec<u32>,
    /// The ways of these \[m\].
    ways: Vec<Vec2>,
    contacts: Vec<u32>,
    /// Bodies that are not moved, as not all of their contacts are listed; sorted.
    rim: Vec<u32>,
    reached: BitSet,
}

/// What the ways of two bodies are to do.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// Places in the list of bodies.
    bodies: [usize; 2],
    /// Shares of the bodies in a correction; they sum to 1.
    shares: [f32; 2],
    aim: Aim,
}

#[derive(Clone, Copy, Debug)]
enum Aim {
    /// B is to be away from A by at least so much \[m\] along a unit vector.
    Away(Vec2, f32),
    /// B is to move against A by this \[m\].
    Along(Vec2),
}

impl World {
    /// Notes that the user has put the body in `slot` where it is.
    pub(crate) fn note_placed(&mut self, slot: u32) {
        self.put_wrong.placed.insert(slot);
        self.put_wrong.any_placed = true;
    }

    /// Forgets who was placed: what begins to touch from now on came so by itself.
    pub(crate) fn forget_placed(&mut self) {
        if core::mem::take(&mut self.put_wrong.any_placed) {
            self.put_wrong.placed.clear();
        }
    }

    /// Marks a contact that just began to touch, if one of its bodies was placed, and it begins deeper than they have moved in
    /// the last step.
    pub(crate) fn note_put_into(&mut self, contact: u32) {
        if !self.put_wrong.any_placed {
            return;
        }
        let record = &self.contacts.slots[contact];
        let placed = &self.put_wrong.placed;
        let was_placed = placed.contains(record.body_a) || placed.contains(record.body_b);
        if !was_placed || record.sensor || self.has_back(contact) {
            return;
        }
        let constraint = &self.contacts.constraints[contact as usize];
        let moved =
            [constraint.body_a, constraint.body_b].map(|body| self.bodies.moved[body as usize]);
        if -self.separation_of(contact) > PUT_DEPTH + moved[0] + moved[1] {
            self.contacts.constraints[contact as usize].flags |= constraint_flags::INITIAL_ERROR;
            let slot = contact;
            self.put_wrong.contacts.push(Put { slot, steps: STEPS });
        }
    }

    /// Says whether one of the shapes lets through what comes from behind it: that begins to touch in the midst.
    fn has_back(&self, contact: u32) -> bool {
        let record = &self.contacts.slots[contact];
        [record.shape_a, record.shape_b].iter().any(|&shape| {
            let shape = &self.shapes.slots[shape];
            let is_chain = matches!(shape.geometry, Shape::ChainSegment(_));
            is_chain || shape.material.one_way.is_some() || shape.pre_solve
        })
    }

    /// Marks a joint whose bodies were put apart.
    pub(crate) fn note_put_apart(&mut self, joint: u32) {
        if self.joints.slots[joint].active && self.gap_of(joint).norm() > PUT_GAP {
            let base = &mut self.joints.sims[joint as usize].base;
            base.clear_rest_offset();
            base.flags |= joint_flags::INITIAL_ERROR;
            self.put_wrong.note_joint(joint);
        }
    }

    /// Marks the joints of a body that was put somewhere else. What hangs on a body that moves by its own will follows it.
    pub(crate) fn note_joints_put_apart(&mut self, body: u32) {
        if !self.bodies.is_dynamic(body) {
            return;
        }
        for place in 0..self.bodies.slots[body].joints.len() {
            self.note_put_apart(self.bodies.slots[body].joints[place]);
        }
    }

    /// Returns the gap of a joint that holds two points together \[m\], else 0.
    fn gap_of(&self, joint: u32) -> Vec2 {
        let sim = &self.joints.sims[joint as usize];
        if sim.is_pinned() {
            sim.base.gap(&self.bodies.poses)
        } else {
            Vec2::zeros()
        }
    }

    /// Moves bodies of links that were put wrong, by as much as a step of `dt` \[s\] allows.
    pub(crate) fn right_what_was_put_wrong(&mut self, dt: f32) {
        if self.put_wrong.contacts.is_empty() && self.put_wrong.joints.is_empty() {
            return;
        }
        if self.put_wrong.contacts.len() > MAX_CONTACTS {
            self.forget_put_contacts();
        }
        let mut lists = core::mem::take(&mut self.scratch.righting);
        self.forget_what_is_right();
        let way = dt * self.def.tuning.contact_push_speed;
        self.list_bodies(&mut lists);
        self.list_links(&mut lists, way);
        lists.sweep();
        lists.bound(FARTHEST * way);
        self.note_pressed(&lists);
        self.move_bodies(&lists);
        self.scratch.righting = lists;
    }

    /// Leaves to the substeps what was put into each other.
    fn forget_put_contacts(&mut self) {
        for Put { slot, .. } in self.put_wrong.contacts.drain(..) {
            self.contacts.constraints[slot as usize].flags &= !constraint_flags::INITIAL_ERROR;
        }
    }

    fn forget_what_is_right(&mut self) {
        let mut put = core::mem::take(&mut self.put_wrong);
        put.contacts.retain_mut(|put| {
            let Put { slot, .. } = *put;
            let known = self.contacts.slots.get(slot).is_some();
            let is_put = known
                && self.contacts.constraints[slot as usize].flags & constraint_flags::INITIAL_ERROR
                    != 0;
            let is_wrong = is_put && put.goes_on() && self.is_too_deep(slot);
            if is_put && !is_wrong {
                self.contacts.constraints[slot as usize].flags &= !constraint_flags::INITIAL_ERROR;
            }
            is_wrong
        });
        put.joints.retain_mut(|put| {
            let Put { slot, .. } = *put;
            let known = self.joints.slots.get(slot).is_some();
            let is_put = known
                && self.joints.sims[slot as usize].base.flags & joint_flags::INITIAL_ERROR != 0;
            let is_wrong = is_put && put.goes_on() && self.gap_of(slot).norm() > RIGHT;
            if is_put && !is_wrong {
                self.joints.sims[slot as usize].base.flags &= !joint_flags::INITIAL_ERROR;
            }
            is_wrong
        });
        self.put_wrong = put;
    }

    /// Returns the least separation of the points of a contact \[m\].
    fn separation_of(&self, contact: u32) -> f32 {
        let constraint = &self.contacts.constraints[contact as usize];
        let points = 0..constraint.count as usize;
        let separations = points.map(|i| self.motion_of_point(constraint, i).0);
        separations.fold(f32::INFINITY, f32::min)
    }

    /// Says whether the overlap of a contact is to go: what bears a load needs some of it.
    fn is_too_deep(&self, contact: u32) -> bool {
        let constraint = &self.contacts.constraints[contact as usize];
        let ease =
            [constraint.body_a, constraint.body_b].map(|body| self.bodies.masses[body as usize]);
        let impulse = LOADED * self.last_h / (ease[0].inv_mass + ease[1].inv_mass);
        let mut points = constraint.points[..constraint.count as usize].iter();
        let bears = points.any(|point| point.normal_impulse > impulse);
        self.separation_of(contact) < if bears { -SUNK } else { -RIGHT }
    }

    /// Lists the bodies of what was put wrong, those that they touch, that these touch, and so on, with their contacts: who
    /// is moved would be moved into the next.
    fn list_bodies(&self, lists: &mut RightingLists) {
        lists.bodies.clear();
        lists.contacts.clear();
        lists.reached.grow(self.bodies.states.len());
        let put = &self.put_wrong;
        let slots = put.contacts.iter().map(|put| put.slot);
        for slot in slots.filter(|&slot| self.contacts.is_solved(slot)) {
            lists.reach(self.contacts.slots[slot].body_a);
            lists.reach(self.contacts.slots[slot].body_b);
        }
        let slots = put.joints.iter().map(|put| put.slot);
        for slot in slots.filter(|&slot| self.joints.slots[slot].graph != GraphPlace::NONE) {
            lists.reach(self.joints.slots[slot].body_a);
            lists.reach(self.joints.slots[slot].body_b);
        }
        let mut next = 0;
        while next < lists.bodies.len() && lists.contacts.len() < MAX_CONTACTS {
            let body = lists.bodies[next];
            next += 1;
            if !self.bodies.is_dynamic(body) {
                continue;
            }
            for &contact in &self.bodies.slots[body].contacts {
                if self.contacts.is_solved(contact) {
                    lists.contacts.push(contact);
                    lists.reach(self.contacts.slots[contact].body_a);
                    lists.reach(self.contacts.slots[contact].body_b);
                }
            }
        }
        lists.rim.clear();
        lists.rim.extend_from_slice(&lists.bodies[next..]);
        lists.rim.sort_unstable();
        lists
            .bodies
            .iter()
            .for_each(|&body| lists.reached.remove(body));
        lists.contacts.sort_unstable();
        lists.contacts.dedup();
        lists.bodies.sort_unstable();
        lists.ways.clear();
        lists.ways.resize(lists.bodies.len(), Vec2::zeros());
    }

    /// Marks what others that come right have pressed together: it comes right with them, and no later, else a heap that is stirred
    /// would hand this on for ever.
    fn note_pressed(&mut self, lists: &RightingLists) {
        let steps = self.put_wrong.steps_left();
        for &contact in &lists.contacts {
            let constraint = &self.contacts.constraints[contact as usize];
            let is_put = constraint.flags & constraint_flags::INITIAL_ERROR != 0;
            let normal = self.bodies.poses[constraint.body_a as usize].rotate(constraint.normal);
            let [a, b] = [constraint.body_a, constraint.body_b].map(|body| lists.way_of(body));
            let nearer = (a - b).dot(&normal);
            let gets_deep = nearer > RIGHT && self.separation_of(contact) - nearer < -PRESSED;
            if !is_put && gets_deep && !self.has_back(contact) {
                self.contacts.constraints[contact as usize].flags |=
                    constraint_flags::INITIAL_ERROR;
                let slot = contact;
                self.put_wrong.contacts.push(Put { slot, steps });
            }
        }
    }

    /// Lists what the ways of the bodies are to do: what was put wrong comes right by `way` \[m\], and no other contact gets
    /// deeper by it.
    fn list_links(&self, lists: &mut RightingLists, way: f32) {
        lists.links.clear();
        for &Put { slot: joint, .. } in &self.put_wrong.joints {
            let record = &self.joints.slots[joint];
            let gap = self.gap_of(joint);
            let share = CLOSED_SHARE.max(way / gap.norm()).min(1.0);
            if record.graph != GraphPlace::NONE
                && let Some(link) = self.link(
                    lists,
                    [record.body_a, record.body_b],
                    Aim::Along(-share * gap),
                )
            {
                lists.links.push(link);
            }
        }
        for &contact in &lists.contacts {
            let constraint = &self.contacts.constraints[contact as usize];
            let normal = self.bodies.poses[constraint.body_a as usize].rotate(constraint.normal);
            let separation = self.separation_of(contact);
            let is_put = constraint.flags & constraint_flags::INITIAL_ERROR != 0;
            let away = if is_put {
                (-separation).clamp(0.0, way)
            } else {
                (-separation).min(0.0)
            };
            let aim = Aim::Away(normal, away);
            if separation.is_finite()
                && let Some(link) = self.link(lists, [constraint.body_a, constraint.body_b], aim)
            {
                lists.links.push(link);
            }
        }
        // What cannot be moved has the last word in each sweep.
        lists.links.sort_by_key(|link| link.shares.contains(&0.0));
    }

    /// Returns the link of two bodies, unless neither can be moved.
    fn link(&self, lists: &RightingLists, bodies: [u32; 2], aim: Aim) -> Option<Link> {
        let ease = bodies.map(|body| match lists.rim.binary_search(&body) {
            Ok(_) => 0.0,
            Err(_) => self.bodies.masses[body as usize].inv_mass,
        });
        let sum = ease[0] + ease[1];
        if sum <= 0.0 {
            return None;
        }
        let place = |body: u32| lists.bodies.binary_search(&body).ok();
        Some(Link {
            bodies: [place(bodies[0])?, place(bodies[1])?],
            shares: ease.map(|ease| ease / sum),
            aim,
        })
    }

    /// Begins the ways of the bodies with what was found: they are swept like the rest of it.
    fn move_bodies(&mut self, lists: &RightingLists) {
        for (&body, &way) in lists.bodies.iter().zip(&lists.ways) {
            let way = self.unlocked(body, way);
            let state = &mut self.bodies.states[body as usize];
            if state.flags & state_flags::UNCONSTRAINED == 0 {
                state.delta_position += way;
            }
        }
        for put in &self.put_wrong.joints {
            let record = &self.joints.slots[put.slot];
            let [a, b] = [record.body_a, record.body_b].map(|body| lists.way_of(body));
            self.joints.sims[put.slot as usize].base.way = b - a;
        }
    }

    /// Returns `way` without what the locks of the body forbid.
    fn unlocked(&self, body: u32, way: Vec2) -> Vec2 {
        let flags = self.bodies.states[body as usize].flags;
        let free = |lock: u32, way: f32| if flags & lock != 0 { 0.0 } else { way };
        Vec2::new(
            free(state_flags::LOCK_X, way.x),
            free(state_flags::LOCK_Y, way.y),
        )
    }
}

impl PutWrong {
    /// Adds a joint, once.
    fn note_joint(&mut self, slot: u32) {
        if !self.joints.iter().any(|put| put.slot == slot) {
            self.joints.push(Put { slot, steps: STEPS });
        }
    }

    /// Returns the steps until all is left to the substeps.
    fn steps_left(&self) -> u32 {
        let links = self.contacts.iter().chain(&self.joints);
        links.map(|put| put.steps).max().unwrap_or(0)
    }
}

impl Put {
    /// Lets a step pass; says whether any is left.
    fn goes_on(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }
}

impl RightingLists {
    fn reach(&mut self, body: u32) {
        if !self.reached.contains(body) {
            self.reached.insert(body);
            self.bodies.push(body);
        }
    }

    /// Shortens ways to `longest` \[m\], or to that which a gap asks for.
    fn bound(&mut self, longest: f32) {
        let asked = |link: &Link| match link.aim {
            Aim::Along(way) => way.norm(),
            Aim::Away(..) => 0.0,
        };
        let longest = self.links.iter().map(asked).fold(longest, f32::max);
        for way in &mut self.ways {
            let length = way.norm();
            if length > longest {
                *way *= longest / length;
            }
        }
    }

    /// Returns the way of a body \[m\].
    fn way_of(&self, body: u32) -> Vec2 {
        let place = self.bodies.binary_search(&body);
        place.map_or(Vec2::zeros(), |place| self.ways[place])
    }

    /// Sweeps over the links until all ways are right, or for long enough.
    fn sweep(&mut self) {
        let most = (MAX_WORK / self.links.len().max(1)).clamp(1, SWEEPS);
        for _ in 0..most {
            let mut greatest = 0.0_f32;
            for link in &self.links {
                let [a, b] = link.bodies;
                let apart = self.ways[b] - self.ways[a];
                let change = match link.aim {
                    Aim::Away(normal, away) => normal * (away - apart.dot(&normal)).max(0.0),
                    Aim::Along(way) => way - apart,
                };
                self.ways[a] -= link.shares[0] * change;
                self.ways[b] += link.shares[1] * change;
                greatest = greatest.max(change.norm_squared());
            }
            if greatest < RIGHT * RIGHT {
                break;
            }
        }
    }
}
