//! The reference problems in each engine: one table of errors, and curves where they say more.

use crate::engines::Kind;
use scenes::engine::{Engine, EngineSettings};
use scenes::validation::plot::{Axis, COLORS, Curve, Scale, svg};
use scenes::validation::{self, Case, Figure, blocks, hopper, lab, pendulum};
use std::path::Path;

/// Runs the named cases, or all, and prints a table of the errors.
pub(crate) fn show(names: &[String], engines: &[Kind]) {
    let heads: String = engines
        .iter()
        .map(|engine| format!(" {} |", engine.name()))
        .collect();
    println!("| case | reference | bound |{heads}");
    println!("|---|---|---|{}", "---|".repeat(engines.len()));
    let is_wanted = |case: &Case| names.is_empty() || names.iter().any(|name| name == case.name);
    for case in validation::all().into_iter().filter(is_wanted) {
        let columns: Vec<_> = engines.iter().map(|&engine| run(&case, engine)).collect();
        for (row, figure) in columns[0].iter().enumerate() {
            let bound = validation::number(figure.bound);
            let errors: String = columns
                .iter()
                .map(|column| format!(" {} |", column[row]))
                .collect();
            println!(
                "| {} | {} | {bound} |{errors}",
                figure.what, figure.reference
            );
        }
    }
}

/// Runs a case in worlds of an engine, and reports the time.
fn run(case: &Case, engine: Kind) -> Vec<Figure> {
    let start = std::time::Instant::now();
    let figures = (case.measure)(&|settings: &EngineSettings| engine.make(settings));
    eprintln!("{} {} {:.1?}", case.name, engine.name(), start.elapsed());
    figures
}

/// Draws the curves into a folder.
pub(crate) fn plot(engines: &[Kind], folder: &Path) -> std::io::Result<()> {
    let pictures = [
        ("validation_pendulum.svg", pendulum_energy(engines)),
        ("validation_rocking.svg", rocking(engines)),
        ("validation_hopper.svg", hopper_rates(engines)),
    ];
    for (name, picture) in pictures {
        std::fs::write(folder.join(name), picture)?;
    }
    Ok(())
}

/// Returns the curves of all engines after that of the reference.
fn curves(
    reference: Curve,
    engines: &[Kind],
    points: impl Fn(&dyn Fn(&EngineSettings) -> Box<dyn Engine>) -> Vec<[f64; 2]>,
) -> Vec<Curve> {
    let of = |(index, &engine): (usize, &Kind)| Curve {
        name: engine.name(),
        color: COLORS[1 + index],
        points: points(&|settings: &EngineSettings| engine.make(settings)),
        dots: reference.dots,
    };
    let others: Vec<Curve> = engines.iter().enumerate().map(of).collect();
    [vec![reference], others].concat()
}

/// Change of energy of the pendulum A01 over substeps.
fn pendulum_energy(engines: &[Kind]) -> String {
    const SUBSTEPS: [u32; 6] = [1, 2, 4, 8, 16, 32];
    let x = Axis {
        title: "substeps of a step of 1/60 s",
        scale: Scale::Log,
        range: (0.9, 40.0),
        marks: SUBSTEPS.map(f64::from).to_vec(),
    };
    let y = Axis {
        title: "pendulum A01: relative change of energy in 10 s",
        scale: Scale::Log,
        range: (1.0e-7, 1.0),
        marks: vec![1.0e-6, 1.0e-5, 1.0e-4, 1.0e-3, 1.0e-2, 1.0e-1, 1.0],
    };
    let first_order = SUBSTEPS.map(|count| [f64::from(count), 0.03 / f64::from(count)]);
    let reference = Curve {
        name: "first order",
        color: COLORS[0],
        points: first_order.to_vec(),
        dots: true,
    };
    let curves = curves(reference, engines, |make| {
        let energy = |count| pendulum::swing(make, count, lab::DT, 10.0).energy;
        SUBSTEPS
            .map(|count| [f64::from(count), energy(count)])
            .to_vec()
    });
    svg(&x, &y, &curves)
}

/// Tilt of the rocking block over time.
fn rocking(engines: &[Kind]) -> String {
    const SECONDS: f64 = 4.0;
    let x = Axis {
        title: "time [s]",
        scale: Scale::Linear,
        range: (0.0, SECONDS),
        marks: vec![0.0, 1.0, 2.0, 3.0, 4.0],
    };
    let y = Axis {
        title: "rocking block: tilt [rad]",
        scale: Scale::Linear,
        range: (-0.13, 0.13),
        marks: vec![-0.1, -0.05, 0.0, 0.05, 0.1],
    };
    let times: Vec<f64> = (0..400).map(|i| 0.01 * f64::from(i)).collect();
    let exact = times.iter().zip(blocks::housner(&times));
    let reference = Curve {
        name: "Housner",
        color: COLORS[0],
        points: exact.map(|(&time, tilt)| [time, tilt]).collect(),
        dots: false,
    };
    let curves = curves(reference, engines, |make| {
        blocks::rocked(make, lab::DT, SECONDS)
    });
    svg(&x, &y, &curves)
}

/// Flow out of a hopper over the width of its opening.
fn hopper_rates(engines: &[Kind]) -> String {
    let x = Axis {
        title: "opening [diameters]",
        scale: Scale::Linear,
        range: (4.0, 11.0),
        marks: hopper::OPENINGS.to_vec(),
    };
    let y = Axis {
        title: "hopper: rate to the power 2/3 [1/s^(2/3)]",
        scale: Scale::Linear,
        range: (0.0, 32.0),
        marks: vec![0.0, 10.0, 20.0, 30.0],
    };
    // The factor of the reference is that of this engine in the middle of the openings.
    let own = |settings: &EngineSettings| Kind::Cairn2d.make(settings);
    let middle = hopper::OPENINGS[3];
    let factor = hopper::rate(&own, middle).powf(2.0 / 3.0) / (middle - hopper::LACK);
    let line = hopper::OPENINGS.map(|opening| [opening, factor * (opening - hopper::LACK)]);
    let reference = Curve {
        name: "power 3/2",
        color: COLORS[0],
        points: line.to_vec(),
        dots: true,
    };
    let curves = curves(reference, engines, |make| {
        let rate = |opening| hopper::rate(make, opening).powf(2.0 / 3.0);
        hopper::OPENINGS
            .map(|opening| [opening, rate(opening)])
            .to_vec()
    });
    svg(&x, &y, &curves)
}
