//! The plugin: systems, their order and their schedules.

use crate::body::{RigidBody, Velocity};
use crate::changes::{
    Changes, has_bodiless, has_listed_bodies, has_listed_colliders, has_removals, note_lost_parent,
    note_new_parent,
};
use crate::character::{Character, move_characters};
use crate::collider::{Density, Sensor};
use crate::crowd::{AgentEvent, AgentState, CrowdAgent};
use crate::disabling::{note_disabled, note_enabled};
use crate::event::{
    BodyEvent, ContactEnded, ContactForce, ContactHit, ContactStarted, JointBroke, SensorEntered,
    SensorLeft, has_events, is_observed, trigger_observers, write_messages,
};
use crate::joint::Joint;
use crate::key::{PhysicsKey, assign_missing};
use crate::physics::Physics;
use crate::problem::PhysicsProblem;
use crate::step::{step, write_agents};
use crate::sync::agents::sync_agents;
use crate::sync::bodies::{gather_bodies, sync_bodies};
use crate::sync::colliders::{gather_colliders, give_bodies, sync_colliders};
use crate::sync::joints::sync_joints;
use crate::sync::reconcile::{is_restored, reconcile};
use crate::sync::removals::apply_removals;
use crate::transforms::{
    Simulated, begin_tick, interpolate, show_last_step, shows_motion, shows_other_poses, write_back,
};
use bevy_app::prelude::*;
use bevy_app::{FixedFirst, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{ScheduleLabel, SystemSet};
use cairn2d::{ControllerDef, CrowdController, World, WorldDef};

/// Adds physics to an app.
///
/// Add [`TimePlugin`](bevy_time::TimePlugin) as well; with full Bevy it is a default plugin.
#[derive(Clone, Debug)]
pub struct PhysicsPlugin {
    /// Definition of the world: gravity, substeps, threads, tuning.
    pub world: WorldDef,
    /// Definition of the crowd.
    pub crowd: ControllerDef,
    /// Whether transforms are interpolated between steps. It has no effect in a schedule of the user.
    pub interpolate: bool,
    /// Schedule of the steps: see [`in_schedule`](Self::in_schedule).
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl Default for PhysicsPlugin {
    fn default() -> Self {
        Self {
            world: WorldDef::default(),
            crowd: ControllerDef::default(),
            interpolate: true,
            schedule: FixedPostUpdate.intern(),
        }
    }
}

impl PhysicsPlugin {
    /// Returns the plugin for a world of this definition.
    #[must_use]
    pub fn new(world: WorldDef) -> Self {
        Self {
            world,
            ..Self::default()
        }
    }

    /// Runs physics in a schedule of the user, once for each run of it, such as that of a rollback library. The step is
    /// the [`Time`](bevy_time::Time) of that schedule.
    #[must_use]
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }
}

/// The parts of a step, in this order. They run in [`FixedPostUpdate`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhysicsSystems {
    /// Changes of components are applied to the world.
    Sync,
    /// Characters move.
    Characters,
    /// The crowd is steered, and the world makes a step.
    Step,
    /// Transforms, velocities and states are written.
    WriteBack,
    /// Messages are sent, and observers run.
    Events,
}

impl Plugin for PhysicsPlugin {
    fn build(&self, app: &mut App) {
        let world = World::new(self.world.clone());
        let crowd = CrowdController::new(self.crowd);
        app.insert_resource(Physics::new(world, crowd))
            .init_resource::<Changes>()
            .init_resource::<Simulated>()
            .add_observer(note_new_parent)
            .add_observer(note_lost_parent)
            .add_observer(note_disabled)
            .add_observer(note_enabled);
        assign_missing(app.world_mut());
        register(app);
        add_step(app, self.schedule);
        if self.interpolate && self.schedule == FixedPostUpdate.intern() {
            add_interpolation(app);
        }
    }
}

fn register(app: &mut App) {
    app.add_message::<ContactStarted>()
        .add_message::<ContactEnded>()
        .add_message::<ContactHit>()
        .add_message::<ContactForce>()
        .add_message::<SensorEntered>()
        .add_message::<SensorLeft>()
        .add_message::<JointBroke>()
        .add_message::<BodyEvent>()
        .add_message::<AgentEvent>()
        .add_message::<PhysicsProblem>()
        .register_type::<PhysicsKey>()
        .register_type::<RigidBody>()
        .register_type::<Velocity>()
        .register_type::<Density>()
        .register_type::<Sensor>()
        .register_type::<AgentState>();
}

/// Systems without work do not run: the executor takes about a microsecond for each, and several for one that needs the whole
/// world, since all others wait for the main thread.
fn add_step(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    use PhysicsSystems::{Characters, Events, Step, Sync, WriteBack};
    let sync = (
        reconcile.run_if(is_restored),
        apply_removals.run_if(has_removals),
        gather_colliders.pipe(gather_bodies),
        give_bodies.run_if(has_bodiless),
        sync_bodies.run_if(has_listed_bodies),
        sync_colliders.run_if(has_listed_colliders),
        sync_joints.run_if(any_with_component::<Joint>),
        sync_agents.run_if(any_with_component::<CrowdAgent>),
    );
    app.configure_sets(
        schedule,
        (Sync, Characters, Step, WriteBack, Events).chain(),
    )
    .add_systems(
        schedule,
        (
            sync.chain().in_set(Sync),
            move_characters
                .run_if(any_with_component::<Character>)
                .in_set(Characters),
            step.in_set(Step),
            (
                begin_tick.pipe(write_back),
                write_agents.run_if(any_with_component::<AgentState>),
            )
                .chain()
                .in_set(WriteBack),
            (
                write_messages.run_if(has_events),
                trigger_observers.run_if(has_events.and_then(is_observed)),
            )
                .chain()
                .in_set(Events),
        ),
    );
}

/// Interpolated poses are written before the frame is drawn, and so before
/// [`TransformSystems::Propagate`](bevy_transform::TransformSystems::Propagate), which runs later in the frame.
fn add_interpolation(app: &mut App) {
    app.add_systems(
        FixedFirst,
        begin_tick.pipe(show_last_step).run_if(shows_other_poses),
    )
    .add_systems(
        RunFixedMainLoop,
        begin_tick
            .pipe(interpolate)
            .run_if(shows_motion)
            .in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
    );
}
