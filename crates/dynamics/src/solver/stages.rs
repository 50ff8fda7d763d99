//! The stages of a step, in order, for some islands and one width of lanes.

use super::group::{Field, Group};
use super::input::{ColorLists, SolveInput};
use super::integrate::{
    AdvancePositions, AdvanceVelocities, Carry, Drive, MoverBlock, PrepareBodies,
};
use super::joints::prepare_gears;
use super::lists::{Color, Lists};
use super::prepare::PrepareInput;
use crate::body::state::{BodyMass, BodyMotion};
use crate::joint::parts::row::Pass;
use crate::joint::sim::JointTraits;
use crate::shared::SharedSlice;
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{F32, Lanes, Portable, Simd};
use core::ops::Range;

/// What all islands of a step have in common.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) field: Field<'a>,
    pub(super) drive: Drive,
    pub(super) substeps: u32,
    pub(super) gravity: Vec2,
    pub(super) masses: &'a [BodyMass],
    pub(super) motions: &'a [BodyMotion],
    /// By joint slot.
    pub(super) joint_traits: &'a [JointTraits],
    pub(super) warm_start: WarmStart,
}

impl Common<'_> {
    pub(super) fn prepare_input(&self) -> PrepareInput<'_> {
        let field = &self.field;
        PrepareInput {
            context: &field.context,
            states: field.states,
            poses: field.joint_context.poses,
            masses: self.masses,
            motions: self.motions,
            gravity: self.gravity,
            constraints: field.constraints,
            warm_share: field.joint_context.warm_share,
        }
    }
}

/// What is done between two meetings of the threads.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Bodies that nothing touches move by the whole step; the others are prepared.
    PrepareBodies,
    /// Constraints are prepared: those of colors, those of the overflow, gears last.
    Prepare,
    PrepareOverflow,
    IntegrateVelocities(Carry),
    WarmStartOverflow,
    WarmStart(u32),
    PassOverflow(Pass),
    Pass(u32, Pass),
    /// With the number of substeps, in the last of several.
    IntegratePositions(Option<u32>),
    RestitutionOverflow,
    Restitution(u32),
    /// Impulses go back.
    Store,
    StoreOverflow,
}

/// How a substep starts from the impulses of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WarmStart {
    /// In the first substep every constraint applies its impulse; from then on each body carries over what all of them
    /// together gave it. The same for contacts, whose arms stay fixed within a step, and no pass.
    OncePerStep,
    /// Every constraint applies its impulse in every substep: joints turn with their bodies.
    EverySubstep,
}

impl WarmStart {
    pub(super) fn of(input: &SolveInput<'_>) -> Self {
        if input.lists.iter().all(|list| list.joints.is_empty()) {
            Self::OncePerStep
        } else {
            Self::EverySubstep
        }
    }
}

/// Order in which a pass goes through the colors.
///
/// What comes first in a pass gives way to what comes later. In one order always, piles walk: a pyramid of base 20 differs from
/// its mirror image by 5 mm after five seconds, and by a tenth of one at most with both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The overflow first, contacts with the ground last.
    Forth,
    Back,
}

/// Passes of a step that follow each other the same way.
///
/// Turned more often, passes take back what the one before has taken on: a pyramid of base 100 sleeps after 3.6 s with four,
/// not within 19 s if each substep goes the other way. Two, turned between solve and relax, put it to rest as soon, but let it
/// drift by 48 mm instead of 23.
const PASSES_A_WAY: u32 = 4;

impl Way {
    /// Returns that of a pass of a step. The last one of four substeps goes forth, like the first: nothing is left pushed into
    /// the ground.
    fn of(pass: u32) -> Self {
        if ((pass + 1) / PASSES_A_WAY).is_multiple_of(2) {
            Self::Forth
        } else {
            Self::Back
        }
    }
}

/// Lists a pass over all constraints.
fn list_pass(
    stages: &mut Vec<Stage>,
    colors: impl DoubleEndedIterator<Item = u32>,
    pass: Pass,
    way: Way,
) {
    let of_color = |color| Stage::Pass(color, pass);
    match way {
        Way::Forth => {
            stages.push(Stage::PassOverflow(pass));
            stages.extend(colors.map(of_color));
        }
        Way::Back => {
            stages.extend(colors.rev().map(of_color));
            stages.push(Stage::PassOverflow(pass));
        }
    }
}

/// Lists the stages of a step: the solver in a nutshell.
fn list_stages(stages: &mut Vec<Stage>, colors: &[Color], substeps: u32, warm_start: WarmStart) {
    let used = |&c: &u32| colors[c as usize].items() > 0;
    let colors = (0..colors.len() as u32).filter(used);
    stages.clear();
    stages.extend([Stage::PrepareBodies, Stage::Prepare, Stage::PrepareOverflow]);
    for substep in 0..substeps {
        if substep == 0 || warm_start == WarmStart::EverySubstep {
            stages.push(Stage::IntegrateVelocities(Carry::Nothing));
            stages.push(Stage::WarmStartOverflow);
            stages.extend(colors.clone().map(Stage::WarmStart));
        } else {
            stages.push(Stage::IntegrateVelocities(Carry::Impulses));
        }
        list_pass(stages, colors.clone(), Pass::Solve, Way::of(2 * substep));
        let is_last = substep > 0 && substep + 1 == substeps;
        stages.push(Stage::IntegratePositions(is_last.then_some(substeps)));
        list_pass(
            stages,
            colors.clone(),
            Pass::Relax,
            Way::of(2 * substep + 1),
        );
    }
    stages.push(Stage::RestitutionOverflow);
    stages.extend(colors.map(Stage::Restitution));
    stages.extend([Stage::Store, Stage::StoreOverflow]);
}

/// Memory to solve some islands.
#[derive(Debug)]
pub(super) struct Desk<L: Lanes> {
    colors: Lists<L>,
    /// Constraints that fit no color: one list, solved in order.
    overflow: Lists<F32<Portable<1>>>,
    movers: Vec<MoverBlock<L>>,
    stages: Vec<Stage>,
}

impl<L: Lanes> Desk<L> {
    pub(super) fn new(simd: L::Simd) -> Self {
        Self {
            colors: Lists::new(simd),
            overflow: Lists::default(),
            movers: Vec::new(),
            stages: Vec::new(),
        }
    }

    /// Lays out the constraints of some islands, by color and the overflow last, and their bodies.
    pub(super) fn lay_out<'a>(
        &'a mut self,
        common: &'a Common<'a>,
        lists: &[ColorLists<'_>],
        awake: &'a [u32],
    ) -> Step<'a, L> {
        let company = |slot: u32| common.joint_traits[slot as usize].company;
        if let Some((overflow, colors)) = lists.split_last() {
            self.colors.fill(colors, company);
            self.overflow.fill(&[*overflow], company);
        }
        list_stages(
            &mut self.stages,
            &self.colors.colors,
            common.substeps,
            common.warm_start,
        );
        let simd = self.colors.simd;
        let blocks = awake.len().div_ceil(L::WIDTH);
        self.movers.resize(blocks, MoverBlock::empty(simd));
        Step {
            common,
            awake,
            group: Group::new(&mut self.colors),
            overflow: Group::new(&mut self.overflow),
            movers: SharedSlice::new(&mut self.movers),
            stages: &self.stages,
        }
    }

    /// Adds the contacts that were met fast to `slots`.
    pub(super) fn list_fast(&self, slots: &mut Vec<u32>) {
        self.colors.list_fast(slots);
        self.overflow.list_fast(slots);
    }
}

/// A step of some islands in progress.
pub(super) struct Step<'a, L: Lanes> {
    common: &'a Common<'a>,
    awake: &'a [u32],
    group: Group<'a, L>,
    overflow: Group<'a, F32<Portable<1>>>,
    movers: SharedSlice<'a, MoverBlock<L>>,
    stages: &'a [Stage],
}

impl<L: Lanes> Step<'_, L> {
    /// Number of stages.
    pub(super) fn count(&self) -> usize {
        self.stages.len()
    }

    /// Runs all stages, alone.
    pub(super) fn run(&self) {
        for stage in 0..self.count() {
            self.run_stage(stage, 0..self.pieces_of(stage));
        }
    }

    /// Number of pieces of a stage that can be done apart.
    pub(super) fn pieces_of(&self, stage: usize) -> usize {
        match self.stages[stage] {
            Stage::PrepareBodies | Stage::IntegrateVelocities(_) | Stage::IntegratePositions(_) => {
                self.awake.len().div_ceil(L::WIDTH)
            }
            Stage::Prepare | Stage::Store => self.group.whole().items(),
            Stage::PrepareOverflow
            | Stage::WarmStartOverflow
            | Stage::PassOverflow(_)
            | Stage::RestitutionOverflow
            | Stage::StoreOverflow => usize::from(self.overflow.whole().items() > 0),
            Stage::WarmStart(color) | Stage::Pass(color, _) => {
                self.group.colors[color as usize].items()
            }
            Stage::Restitution(color) => self.group.colors[color as usize].items(),
        }
    }

    /// Does some pieces of a stage.
    pub(super) fn run_stage(&self, stage: usize, pieces: Range<usize>) {
        if pieces.is_empty() {
            return;
        }
        let field = &self.common.field;
        let part = |color: u32| self.group.colors[color as usize].part(&pieces);
        let (group, overflow) = (&self.group, &self.overflow);
        let whole_part = || group.whole().part(&pieces);
        match self.stages[stage] {
            Stage::PrepareBodies => self.prepare_bodies(pieces),
            Stage::Prepare => group.prepare(&whole_part(), field, &self.common.prepare_input()),
            Stage::PrepareOverflow => self.prepare_overflow(),
            Stage::IntegrateVelocities(carry) => self.group.simd.enter(AdvanceVelocities {
                states: field.states,
                carry,
                // SAFETY: a worker has its own part of the blocks.
                blocks: unsafe { self.movers.part(pieces) },
            }),
            Stage::WarmStartOverflow => overflow.warm_start(&overflow.whole(), field),
            Stage::WarmStart(color) => group.warm_start(&part(color), field),
            Stage::PassOverflow(pass) => overflow.pass(&overflow.whole(), field, pass),
            Stage::Pass(color, pass) => group.pass(&part(color), field, pass),
            Stage::IntegratePositions(last_of) => self.group.simd.enter(AdvancePositions {
                last_of,
                states: field.states,
                h: self.common.drive.h,
                // SAFETY: as above.
                blocks: unsafe { self.movers.part(pieces) },
            }),
            Stage::RestitutionOverflow => overflow.restitution(&overflow.whole(), field),
            Stage::Restitution(color) => group.restitution(&part(color), field),
            Stage::Store => group.store(&whole_part(), field),
            Stage::StoreOverflow => overflow.store(&overflow.whole(), field),
        }
    }
}

impl<L: Lanes> Step<'_, L> {
    fn prepare_bodies(&self, blocks: Range<usize>) {
        let end = (blocks.end * L::WIDTH).min(self.awake.len());
        let common = self.common;
        let bodies = PrepareBodies {
            states: common.field.states,
            masses: common.masses,
            motions: common.motions,
            drive: &common.drive,
            substeps: common.substeps,
            bodies: &self.awake[blocks.start * L::WIDTH..end],
            // SAFETY: a worker has its own part of the blocks.
            blocks: unsafe { self.movers.part(blocks) },
        };
        bodies.run();
    }

    /// Prepares the overflow, gears last, as they look at other joints.
    fn prepare_overflow(&self) {
        let common = self.common;
        let whole: Color = self.overflow.whole();
        self.overflow
            .prepare(&whole, &common.field, &common.prepare_input());
        let others = self.overflow.other_slots();
        // SAFETY: this stage is one piece, and each joint is in the list once.
        unsafe { prepare_gears(common.field.joints, others, &common.field.joint_context) };
    }
}
