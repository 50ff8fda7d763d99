//! Depenetration: overlaps and joint gaps that the user created are removed by position projection, without velocity.
//!
//! Twenty boxes created in one place, or a chain created at twice its length, are errors of a meter in each of many
//! connected constraints: velocities that correct them would throw everything about. Such constraints are marked
//! `INITIAL_ERROR`, the substeps ignore their error, and each step begins by moving their bodies: a Gauss-Seidel
//! projection of translations. The motion that a marked contact asks for is in proportion to its depth, and its row is
//! under-relaxed. So where there is no room for all, the result comes close to the least sum of squares, which
//! spreads the overlap evenly.
//!
//! Only errors that the user *created* are marked: contacts of a body that was created or teleported since the last
//! step and that begin deeper than the bodies have moved, and joints that were created with a gap or opened by a
//! teleport. The substeps resolve overlaps by a load or an impact, since their impulses carry the load.

use crate::bitset::BitSet;
use crate::body::state::{BodyState, state_flags};
use crate::body::table::BodyTable;
use crate::bounded::between;
use crate::contact::constraint::{ContactConstraint, constraint_flags};
use crate::contact::table::ContactTable;
use crate::graph::GraphPlace;
use crate::joint::base::joint_flags;
use crate::joint::table::JointTable;
use crate::mechanisms::Mechanism;
use crate::shape::table::ShapeTable;
use crate::step_context::StepContext;
use crate::tuning::{LOADED_DEPTH, MIN_LOAD_ACCELERATION};
use cairn2d_geometry::math::{PI, Vec2, rotation};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{Shape, state_record};
use core::time::Duration;

/// Depth beyond the motion of the bodies from which a new contact counts as created in overlap \[m\]. Contacts are found
/// at this distance, so a slow approach begins above it.
const MIN_INITIAL_DEPTH: f32 = 4.0 * LINEAR_SLOP;

/// Gap from which a joint counts as created open \[m\]. Loads and impacts open joints by much less.
const MIN_INITIAL_GAP: f32 = 20.0 * LINEAR_SLOP;

/// Error at which a constraint returns to the substeps \[m\]: they turn it into less than 1 mm/s.
const RESOLVED: f32 = 0.004 * LINEAR_SLOP;

/// Share of a joint gap closed in a step, and of the error of a marked contact of two moving bodies corrected in a sweep.
/// With 1, a body that is teleported in every step drags others with full force, and in a full box the last row of a
/// sweep wins. It is also the least motion of a contact relative to that of the deepest one, which limits how long a
/// contact waits for a much deeper one.
const RELAXATION: f32 = 0.25;

/// Sweeps over the constraints in a step. A correction crosses a chain of twenty in twenty sweeps and settles in forty.
const SWEEPS: usize = 64;

/// Corrections in a step: half a millisecond. Larger systems get fewer sweeps, at least one, and take more steps.
const MAX_CORRECTIONS: usize = 65_536;

/// Time after which a constraint returns to the substeps \[us\]. A wedged body never gets free.
const MAX_TIME: u32 = 2_000_000;

/// Greatest motion of a body in a step, in multiples of the separation of two bodies. Corrections of a row of bodies
/// add up; a body squeezed between two slanted sides would fly out where they part.
const MAX_MOTION: f32 = 10.0;

/// Contacts up to which the neighborhood of marked constraints is searched, and bodies up to which initial penetrations are
/// projected. The substeps push away all others: in a heap of 6000 that was created too dense a step took twice as long.
const MAX_SEARCHED: usize = 2048;

/// The marked constraints and the memory of the projection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Depenetration {
    pub(crate) state: InitialErrors,
    projection: Projection,
}

/// The marked constraints: part of the state. Slots that were removed or resolved are dropped in the next step.
#[derive(Clone, Debug, Default)]
pub(crate) struct InitialErrors {
    contacts: Vec<InitialError>,
    joints: Vec<InitialError>,
    /// Slots of bodies that were created or teleported since the last step.
    placed: BitSet,
    any_placed: bool,
}

/// A marked contact or joint.
#[derive(Clone, Copy, Debug)]
struct InitialError {
    slot: u32,
    /// Time after which it returns to the substeps in any case \[us\].
    time_left: u32,
}

/// Bodies and constraints of the projection. No part of the state.
#[derive(Clone, Debug, Default)]
struct Projection {
    rows: Vec<ProjectionRow>,
    /// Bodies of the rows, sorted.
    bodies: Vec<u32>,
    /// Translations of these \[m\].
    motions: Vec<Vec2>,
    /// By body: the last sweep in which its rows count.
    moved: Vec<u8>,
    contacts: Vec<u32>,
    /// Bodies that stay, since not all of their contacts are listed; sorted.
    fixed: Vec<u32>,
    reached: BitSet,
}

/// The target of the relative motion of two bodies.
#[derive(Clone, Copy, Debug)]
struct ProjectionRow {
    /// Places in the list of bodies.
    bodies: [usize; 2],
    /// Shares of the bodies in a correction; they sum to 1.
    shares: [f32; 2],
    target: ProjectionTarget,
}

#[derive(Clone, Copy, Debug)]
enum ProjectionTarget {
    /// B moves away from A by at least this length \[m\] along the unit vector.
    Separate(Vec2, f32),
    /// B moves relative to A by exactly this vector \[m\].
    Close(Vec2),
}

state_record!(Depenetration {
    state,
    // Scratch.
    projection: derived(Projection::default()),
});

state_record!(InitialErrors {
    contacts,
    joints,
    placed,
    any_placed,
});

state_record!(InitialError { slot, time_left });

impl Depenetration {
    /// Returns `true` if the marked contacts and joints are in slots below `bounds`.
    pub(crate) fn is_within(&self, [contacts, joints]: [usize; 2]) -> bool {
        let is_below =
            |list: &[InitialError], bound| list.iter().all(|marked| (marked.slot as usize) < bound);
        is_below(&self.state.contacts, contacts) && is_below(&self.state.joints, joints)
    }

    /// Forgets all marks: there are no dynamic bodies. Those that were placed since the last step may be a new scene.
    pub(crate) fn clear(&mut self) {
        self.state.contacts.clear();
        self.state.joints.clear();
    }

    /// Notes that the user created or teleported the body in `slot`.
    pub(crate) fn note_placed(&mut self, slot: u32) {
        self.state.placed.insert(slot);
        self.state.any_placed = true;
    }

    /// Returns `true` if the user created or teleported the body in `slot` since the last step.
    pub(crate) fn was_placed(&self, slot: u32) -> bool {
        self.state.placed.contains(slot)
    }

    /// Ends the step in which placed bodies may begin to touch in overlap.
    pub(crate) fn forget_placed(&mut self) {
        if core::mem::take(&mut self.state.any_placed) {
            self.state.placed.clear();
        }
    }

    /// Marks a contact that just began to touch, if one of its bodies was placed and it is deeper than their motion in
    /// the last step explains.
    pub(crate) fn note_new_contact(
        &mut self,
        contact: u32,
        bodies: &BodyTable,
        shapes: &ShapeTable,
        contacts: &mut ContactTable,
    ) {
        if !self.state.any_placed {
            return;
        }
        let record = &contacts.slots[contact];
        let placed = &self.state.placed;
        let was_placed = placed.contains(record.body_a) || placed.contains(record.body_b);
        let is_jointed = [record.body_a, record.body_b]
            .iter()
            .any(|&body| bodies.is_dynamic(body) && !bodies.slots[body].joints.is_empty());
        if !was_placed || record.sensor || is_jointed || has_open_side(contact, shapes, contacts) {
            return;
        }
        let constraint = &contacts.constraints[contact as usize];
        let moved = constraint.bodies().map(|body| bodies.moved[body as usize]);
        let depth = -deepest_separation(constraint, bodies);
        if depth > MIN_INITIAL_DEPTH + moved[0] + moved[1] {
            self.state.mark_contact(contact, MAX_TIME, contacts);
        }
    }

    /// Marks a joint whose anchors were placed apart.
    pub(crate) fn note_joint(&mut self, joint: u32, bodies: &BodyTable, joints: &mut JointTable) {
        if joints.slots[joint].active && gap_of(joint, bodies, joints).norm() > MIN_INITIAL_GAP {
            let base = &mut joints.sims[joint as usize].base;
            base.flags |= joint_flags::INITIAL_ERROR;
            let marked = &mut self.state.joints;
            if !marked.iter().any(|error| error.slot == joint) {
                let (slot, time_left) = (joint, MAX_TIME);
                marked.push(InitialError { slot, time_left });
            }
        }
    }

    /// Marks the joints of a teleported body. Bodies on joints follow a kinematic body by themselves.
    pub(crate) fn note_joints_of(
        &mut self,
        body: u32,
        bodies: &BodyTable,
        joints: &mut JointTable,
    ) {
        if bodies.is_dynamic(body) {
            for &joint in &bodies.slots[body].joints {
                self.note_joint(joint, bodies, joints);
            }
        }
    }

    /// Moves the bodies of marked constraints, by as much as one step allows.
    pub(crate) fn project(
        &mut self,
        ctx: &StepContext<'_>,
        bodies: &mut BodyTable,
        shapes: &ShapeTable,
        contacts: &mut ContactTable,
        joints: &mut JointTable,
    ) {
        let Self { state, projection } = self;
        state.drop_resolved(ctx, bodies, contacts, joints);
        if state.contacts.is_empty() && state.joints.is_empty() {
            return;
        }
        let motion = ctx.dt * ctx.def.tuning.contact_push_speed;
        projection.list_bodies(state, bodies, contacts, joints);
        if projection.bodies.len() > MAX_SEARCHED {
            // The substeps get them in the next step.
            state
                .contacts
                .iter_mut()
                .for_each(|error| error.time_left = 0);
            return;
        }
        projection.list_rows(state, motion, bodies, contacts, joints);
        projection.sweep();
        projection.limit_motions(MAX_MOTION * motion);
        state.mark_pressed(projection, bodies, shapes, contacts);
        projection.move_bodies(state, bodies, joints);
    }
}

impl InitialErrors {
    fn mark_contact(&mut self, slot: u32, time_left: u32, contacts: &mut ContactTable) {
        contacts.set_flags(slot, constraint_flags::INITIAL_ERROR);
        self.contacts.push(InitialError { slot, time_left });
    }

    /// Drops removed constraints, and returns resolved and overdue ones to the substeps.
    fn drop_resolved(
        &mut self,
        ctx: &StepContext<'_>,
        bodies: &BodyTable,
        contacts: &mut ContactTable,
        joints: &mut JointTable,
    ) {
        let step = Duration::from_secs_f32(ctx.dt).as_micros().max(1) as u32;
        let is_on = ctx.uses(Mechanism::Depenetration);
        let passed = if is_on { step } else { MAX_TIME };
        for error in self.contacts.iter_mut().chain(&mut self.joints) {
            error.time_left = error.time_left.saturating_sub(passed);
        }
        self.contacts.retain(|error| {
            let slot = error.slot;
            let constraint = &contacts.constraints[slot as usize];
            let stays = contacts.slots.get(slot).is_some()
                && constraint.flags & constraint_flags::INITIAL_ERROR != 0
                && error.time_left > 0
                && is_too_deep(constraint, ctx.last_h, bodies);
            if !stays {
                contacts.clear_flags(slot, constraint_flags::INITIAL_ERROR);
            }
            stays
        });
        self.joints.retain(|error| {
            let slot = error.slot;
            let stays = joints.slots.get(slot).is_some()
                && joints.sims[slot as usize].base.flags & joint_flags::INITIAL_ERROR != 0
                && error.time_left > 0
                && gap_of(slot, bodies, joints).norm() > RESOLVED;
            if !stays {
                joints.sims[slot as usize].base.flags &= !joint_flags::INITIAL_ERROR;
            }
            stays
        });
    }

    /// Marks contacts that the projection presses together. Less than a tenth of the slop does not count: the substeps
    /// turn it into a few millimeters a second, and an unfinished projection would mark a whole heap again and again. They
    /// get the time that the others have left: with a time of their own, a stirred heap would pass marks on without end.
    fn mark_pressed(
        &mut self,
        projection: &Projection,
        bodies: &BodyTable,
        shapes: &ShapeTable,
        contacts: &mut ContactTable,
    ) {
        let least = 0.1 * LINEAR_SLOP;
        let errors = self.contacts.iter().chain(&self.joints);
        let time_left = errors.map(|error| error.time_left).max().unwrap_or(0);
        for &contact in &projection.contacts {
            let constraint = &contacts.constraints[contact as usize];
            let is_marked = constraint.flags & constraint_flags::INITIAL_ERROR != 0;
            let normal = constraint.world_normal(&bodies.poses);
            let [a, b] = constraint.bodies().map(|body| projection.motion_of(body));
            let approach = (a - b).dot(&normal);
            let gets_deep =
                approach > least && deepest_separation(constraint, bodies) - approach < -least;
            if !is_marked && gets_deep && !has_open_side(contact, shapes, contacts) {
                self.mark_contact(contact, time_left, contacts);
            }
        }
    }
}

impl ProjectionRow {
    fn both_move(&self) -> bool {
        self.shares.iter().all(|&share| share > 0.0)
    }
}

impl Projection {
    /// Lists the bodies of the marked constraints and, breadth first, all bodies in contact with them: a moved body
    /// must not be pushed into the next one.
    fn list_bodies(
        &mut self,
        state: &InitialErrors,
        bodies: &BodyTable,
        contacts: &ContactTable,
        joints: &JointTable,
    ) {
        self.bodies.clear();
        self.contacts.clear();
        self.reached.grow(bodies.states.len());
        for slot in state.contacts.iter().map(|error| error.slot) {
            if contacts.is_solved(slot) {
                self.reach(contacts.constraints[slot as usize].bodies());
            }
        }
        for record in state.joints.iter().map(|error| &joints.slots[error.slot]) {
            if record.graph != GraphPlace::NONE {
                self.reach([record.body_a, record.body_b]);
            }
        }
        let (mut next, marked) = (0, self.bodies.len());
        while next < marked || (next < self.bodies.len() && self.contacts.len() < MAX_SEARCHED) {
            let body = self.bodies[next];
            next += 1;
            if !bodies.is_dynamic(body) {
                continue;
            }
            for &contact in &bodies.slots[body].contacts {
                if contacts.is_solved(contact) {
                    self.contacts.push(contact);
                    self.reach(contacts.constraints[contact as usize].bodies());
                }
            }
        }
        self.fixed.clear();
        self.fixed.extend_from_slice(&self.bodies[next..]);
        self.fixed.sort_unstable();
        for &body in &self.bodies {
            self.reached.remove(body);
        }
        self.contacts.sort_unstable();
        self.contacts.dedup();
        self.bodies.sort_unstable();
        self.motions.clear();
        self.motions.resize(self.bodies.len(), Vec2::zeros());
    }

    fn reach(&mut self, ends: [u32; 2]) {
        for body in ends {
            if !self.reached.contains(body) {
                self.reached.insert(body);
                self.bodies.push(body);
            }
        }
    }

    /// Lists the rows: the deepest marked contact separates by at most `motion` \[m\], others in proportion to their depth,
    /// and no contact without a mark gets deeper.
    fn list_rows(
        &mut self,
        state: &InitialErrors,
        motion: f32,
        bodies: &BodyTable,
        contacts: &ContactTable,
        joints: &JointTable,
    ) {
        self.rows.clear();
        for &InitialError { slot: joint, .. } in &state.joints {
            let record = &joints.slots[joint];
            if record.graph != GraphPlace::NONE {
                let gap = gap_of(joint, bodies, joints);
                let share = RELAXATION.max(motion / gap.norm()).min(1.0);
                let target = ProjectionTarget::Close(-share * gap);
                self.add_row([record.body_a, record.body_b], target, bodies);
            }
        }
        let marked = state.contacts.iter().map(|error| error.slot as usize);
        let depths = marked.map(|slot| -deepest_separation(&contacts.constraints[slot], bodies));
        let share = motion / depths.fold(motion, f32::max);
        for place in 0..self.contacts.len() {
            let constraint = &contacts.constraints[self.contacts[place] as usize];
            let separation = deepest_separation(constraint, bodies);
            let least = if constraint.flags & constraint_flags::INITIAL_ERROR != 0 {
                let granted = (-share * separation).max(RELAXATION * motion);
                between(-separation, 0.0, granted)
            } else {
                (-separation).min(0.0)
            };
            if separation.is_finite() {
                let target = ProjectionTarget::Separate(direction_of(constraint, bodies), least);
                self.add_row(constraint.bodies(), target, bodies);
            }
        }
        // Rows with a fixed side come last in each sweep, so that they hold exactly.
        self.rows.sort_by_key(|row| !row.both_move());
    }

    /// Adds a row between two bodies, unless neither can move.
    fn add_row(&mut self, ends: [u32; 2], target: ProjectionTarget, bodies: &BodyTable) {
        let inv_masses = ends.map(|body| match self.fixed.binary_search(&body) {
            Ok(_) => 0.0,
            Err(_) => bodies.masses[body as usize].inv_mass,
        });
        let sum = inv_masses[0] + inv_masses[1];
        let places = ends.map(|body| self.bodies.binary_search(&body).ok());
        if let [Some(a), Some(b)] = places
            && sum > 0.0
        {
            self.rows.push(ProjectionRow {
                bodies: [a, b],
                shares: inv_masses.map(|inv_mass| inv_mass / sum),
                target,
            });
        }
    }

    /// Sweeps over the rows until all targets are met, or the work is used up. After the first sweep only rows of bodies that
    /// have moved since the last one count: in a heap these are few.
    fn sweep(&mut self) {
        let mut left = MAX_CORRECTIONS;
        self.moved.clear();
        self.moved.resize(self.bodies.len(), 1);
        for sweep in 1..=SWEEPS as u8 {
            let mut is_met = true;
            for row in &self.rows {
                let [a, b] = row.bodies;
                if self.moved[a].max(self.moved[b]) < sweep {
                    continue;
                }
                left = left.saturating_sub(1);
                let relative = self.motions[b] - self.motions[a];
                let change = match row.target {
                    ProjectionTarget::Separate(normal, least) => {
                        let is_relaxed = least > 0.0 && row.both_move();
                        let relaxation = if is_relaxed { RELAXATION } else { 1.0 };
                        normal * (relaxation * (least - relative.dot(&normal)).max(0.0))
                    }
                    ProjectionTarget::Close(motion) => motion - relative,
                };
                self.motions[a] -= row.shares[0] * change;
                self.motions[b] += row.shares[1] * change;
                if change.norm_squared() >= RESOLVED * RESOLVED {
                    is_met = false;
                    self.moved[a] = sweep + 1;
                    self.moved[b] = sweep + 1;
                }
            }
            if is_met || left == 0 {
                break;
            }
        }
    }

    /// Shortens motions to `longest` \[m\], or to the longest that closes a gap.
    fn limit_motions(&mut self, longest: f32) {
        let closing = |row: &ProjectionRow| match row.target {
            ProjectionTarget::Close(motion) => motion.norm(),
            ProjectionTarget::Separate(..) => 0.0,
        };
        let longest = self.rows.iter().map(closing).fold(longest, f32::max);
        for motion in &mut self.motions {
            *motion = motion.cap_magnitude(longest);
        }
    }

    /// Returns the motion of a body \[m\].
    fn motion_of(&self, body: u32) -> Vec2 {
        let place = self.bodies.binary_search(&body);
        place.map_or(Vec2::zeros(), |place| self.motions[place])
    }

    /// Starts the step's motion of the bodies with the result. Continuous collision sweeps it like the rest.
    fn move_bodies(&self, state: &InitialErrors, bodies: &mut BodyTable, joints: &mut JointTable) {
        for (&body, &motion) in self.bodies.iter().zip(&self.motions) {
            let state = &mut bodies.states[body as usize];
            if state.flags & state_flags::UNCONSTRAINED == 0 {
                let rates = BodyState {
                    velocity: motion,
                    ..BodyState::IDENTITY
                };
                state.advance(&rates, 1.0);
            }
        }
        for error in &state.joints {
            let record = &joints.slots[error.slot];
            let [a, b] = [record.body_a, record.body_b].map(|body| self.motion_of(body));
            joints.sims[error.slot as usize].base.offset = b - a;
        }
    }
}

/// Returns the direction in which B leaves A: the normal of the contact. The normals of bodies at one point would line all
/// of them up in a row, so these leave each other as from the seeds of a sunflower, which fill a disk evenly. It is twice as
/// wide as high here: a lower heap falls less.
fn direction_of(constraint: &ContactConstraint, bodies: &BodyTable) -> Vec2 {
    let [a, b] = constraint.bodies();
    let between = bodies.poses[b as usize].center - bodies.poses[a as usize].center;
    if between.norm() > LINEAR_SLOP || !bodies.is_dynamic(a) || !bodies.is_dynamic(b) {
        return constraint.world_normal(&bodies.poses);
    }
    let golden_angle = PI * (5.0_f32.sqrt() - 3.0);
    let seed = |n: f32| rotation(golden_angle * n) * Vec2::new(n.sqrt(), 0.0);
    let between = seed(b as f32) - seed(a as f32);
    Vec2::new(between.x, 0.5 * between.y).normalize()
}

/// Returns the least separation of the points of a contact \[m\]; infinite without points.
fn deepest_separation(constraint: &ContactConstraint, bodies: &BodyTable) -> f32 {
    let points = 0..constraint.count.into();
    let separations = points.map(|i| constraint.placed_point(i, &bodies.poses).separation);
    separations.fold(f32::INFINITY, f32::min)
}

/// Returns the gap of a joint that holds two points together \[m\], and 0 for others.
fn gap_of(joint: u32, bodies: &BodyTable, joints: &JointTable) -> Vec2 {
    let sim = &joints.sims[joint as usize];
    if sim.is_pinned() {
        sim.base.gap(&bodies.poses)
    } else {
        Vec2::zeros()
    }
}

/// Returns `true` if the overlap of a contact must be resolved. A loaded contact needs the overlap of its soft constraint.
fn is_too_deep(constraint: &ContactConstraint, last_h: f32, bodies: &BodyTable) -> bool {
    let inv_mass = |body: u32| bodies.masses[body as usize].inv_mass;
    let sum = inv_mass(constraint.body_a) + inv_mass(constraint.body_b);
    let impulse = MIN_LOAD_ACCELERATION * last_h / sum;
    let mut points = constraint.points_in_use().iter();
    let is_loaded = points.any(|point| point.normal_impulse > impulse);
    deepest_separation(constraint, bodies) < if is_loaded { -LOADED_DEPTH } else { -RESOLVED }
}

/// Returns `true` if one of the shapes can be passed from one side, so that a contact may begin at any depth.
fn has_open_side(contact: u32, shapes: &ShapeTable, contacts: &ContactTable) -> bool {
    let record = &contacts.slots[contact];
    [record.shape_a, record.shape_b].iter().any(|&shape| {
        let shape = &shapes.slots[shape];
        let is_chain = matches!(shape.geometry, Shape::ChainSegment(_));
        is_chain || shape.material.one_way.is_some() || shape.asks_pre_solve()
    })
}
