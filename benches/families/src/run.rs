//! Runs scenes with a setting of the mechanisms.

use crate::conditions::{Conditions, Draw};
use crate::family::Family;
use crate::measure::{Measures, Probe};
use crate::scene::Scene;
use cairn2d::Mechanisms;
use cpu_time::ThreadTime;
use fastrand::Rng;

/// Mechanisms that a run uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// None.
    Plain,
    /// All.
    Default,
    /// Those of a set.
    Only(Mechanisms),
}

impl Setting {
    fn mechanisms(self) -> Mechanisms {
        match self {
            Self::Plain => Mechanisms::NONE,
            Self::Default => Mechanisms::ALL,
            Self::Only(mechanisms) => mechanisms,
        }
    }
}

/// The measures of both settings of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Seed of the scene.
    pub seed: u64,
    /// With the plain solver.
    pub plain: Measures,
    /// With the default, or a mechanism less.
    pub ours: Measures,
}

/// Runs a scene with both settings. Times are the least of `repeats` runs, step by step.
#[must_use]
pub fn run_pair(family: &Family, seed: u64, ours: Setting, repeats: u32) -> Pair {
    Pair {
        seed,
        plain: run(family, seed, Setting::Plain, repeats),
        ours: run(family, seed, ours, repeats),
    }
}

/// Runs a scene. Times are the least of `repeats` runs, step by step.
#[must_use]
pub fn run(family: &Family, seed: u64, setting: Setting, repeats: u32) -> Measures {
    let (mut measures, mut times) = run_once(family, seed, setting);
    for _ in 1..repeats {
        let (_, again) = run_once(family, seed, setting);
        for (time, other) in times.iter_mut().zip(again) {
            *time = time.min(other);
        }
    }
    measures.slowest = times.iter().copied().fold(0.0, f64::max);
    measures.mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    measures
}

/// Returns the scene of a seed.
fn build(family: &Family, seed: u64, setting: Setting) -> Scene {
    // The same seeds give other scenes in other families.
    let salt = family.name.bytes().fold(0_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut rng = Rng::with_seed(salt.wrapping_add(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let conditions = Conditions::of_seed(seed, &mut rng);
    (family.build)(&mut Draw {
        rng,
        conditions,
        mechanisms: setting.mechanisms(),
    })
}

/// Runs a scene. Returns its measures without times, and the time of each step \[ms\].
fn run_once(family: &Family, seed: u64, setting: Setting) -> (Measures, Vec<f64>) {
    let mut scene = build(family, seed, setting);
    let mut probe = Probe::new(&scene);
    let dt = scene.conditions.dt();
    let mut times = Vec::new();
    // In steps of usual length.
    let mut passed = 0.0;
    for step in 0..scene.steps() as usize {
        let factor = scene.pace[step % scene.pace.len()];
        let elapsed = |steps: f32| steps * dt / scene.conditions.time_unit();
        let (before, after) = (elapsed(passed), elapsed(passed + factor));
        passed += factor;
        if let Some(drive) = &mut scene.drive {
            drive(&mut scene.world, before);
        }
        // Of the processor: other programs that run at the same time do not count.
        let start = ThreadTime::now();
        scene.world.step(factor * dt);
        times.push(start.elapsed().as_secs_f64() * 1.0e3);
        probe.observe(&scene, after);
    }
    (probe.finish(&scene), times)
}
