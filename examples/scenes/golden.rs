//! The table of states that scenes end in: one line for each scene.

use crate::scene::{Category, Scene, Stage};
use cairn2d::crowd::Crowd;
use cairn2d::geometry::StateHasher;
use cairn2d::{BodyKind, BodyRef, World, WorldDef};

/// First line of the table.
pub const HEAD: &str = "# scene, steps, state hash of the world, of the crowd, hash of the marks, height of the topmost body [m], kinetic energy [J]\n";

/// Most steps of a scene in the table: long enough for everything to have met, and for sleep.
const MAX_STEPS: u32 = 300;

/// Most steps of the benchmark scenes, which have up to 22 000 bodies.
const MAX_BENCHMARK_STEPS: u32 = 20;

/// Returns the number of steps of a scene in the table.
#[must_use]
pub fn steps_of(scene: &Scene) -> u32 {
    let most = match scene.category {
        Category::Benchmark => MAX_BENCHMARK_STEPS,
        _ => MAX_STEPS,
    };
    scene.steps.min(most)
}

/// Writes a hash, or a dash where there is nothing to hash.
fn or_dash(hash: Option<u64>) -> String {
    hash.map_or_else(|| "-".into(), |hash| format!("{hash:016x}"))
}

/// Hash of the marks beside the world of a scene: answers to queries, and figures whose crowd is gone when they are drawn. The
/// numbers are written out in full.
fn marks_hash(stage: &Stage) -> Option<u64> {
    let marks = stage.marks();
    let add = |mut hash: StateHasher, byte| *hash.word(u64::from(byte));
    let text = format!("{marks:?}");
    let hash = text.bytes().fold(StateHasher::new(), add);
    (!marks.is_empty()).then(|| hash.finish())
}

/// Height of the topmost dynamic body \[m\], if there is one, and kinetic energy of all \[J\]: for a reader of the table.
fn figures(world: &World) -> (Option<f64>, f64) {
    let (mut top, mut energy) = (f64::NEG_INFINITY, 0.0);
    let dynamic = |body: &BodyRef<'_>| body.kind() == BodyKind::Dynamic;
    for body in world.bodies().filter(dynamic) {
        top = top.max(body.position_exact().y);
        let speed = f64::from(body.velocity().norm());
        let spin = f64::from(body.angular_velocity());
        energy += 0.5 * f64::from(body.mass()) * speed * speed;
        energy += 0.5 * f64::from(body.inertia()) * spin * spin;
    }
    (top.is_finite().then_some(top), energy)
}

/// Returns the line of a scene in the table.
#[must_use]
pub fn row_of(scene: &Scene) -> String {
    row_after(scene, steps_of(scene), 1)
}

/// Returns the line of a scene after `steps`, with up to `threads` threads for its world.
#[must_use]
pub fn row_after(scene: &Scene, steps: u32, threads: u32) -> String {
    let mut stage = (scene.build)();
    if threads > 1 {
        let def = stage.world.def().clone();
        stage.world.set_def(WorldDef { threads, ..def });
    }
    for _ in 0..steps {
        stage.step();
    }
    let world = stage.world.state_hash();
    let crowd = or_dash(stage.crowd().map(Crowd::state_hash));
    let marks = or_dash(marks_hash(&stage));
    let (top, energy) = figures(&stage.world);
    let top = top.map_or_else(|| "-".into(), |top| format!("{top:.3}"));
    format!(
        "{} {steps} {world:016x} {crowd} {marks} {top} {energy:.2e}",
        scene.name
    )
}
