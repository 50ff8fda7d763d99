//! Growth of the time of a step with the number of bodies.

use crate::engines::Kind;
use plotters::prelude::*;
use plotters::style::FontStyle;
use scenes::benchmark::{Family, STEP};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// Numbers of bodies.
const SIZES: [usize; 8] = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000];

/// Bodies times steps that are timed, at each size: some seconds of work.
const BODY_STEPS: usize = 4_000_000;

/// Fewest steps, most steps, and those before them that are not timed: the first builds all pairs.
const STEPS: std::ops::RangeInclusive<usize> = 20..=400;
const WARM_UP: usize = 5;

/// Size of the picture [px].
const SIZE: (u32, u32) = (900, 560);

/// A measured size.
struct Point {
    bodies: usize,
    contacts: usize,
    /// Time of a step [ms].
    step_ms: f64,
}

impl Point {
    /// Time of a step for each body [ns].
    fn per_body(&self) -> f64 {
        1.0e6 * self.step_ms / self.bodies as f64
    }
}

/// All sizes of a kind of scene with one engine.
struct Curve {
    name: String,
    points: Vec<Point>,
}

/// Prints the time of a step for each body, and draws it if a file is given.
pub(crate) fn show(
    engines: &[Kind],
    threads: usize,
    most: usize,
    chart: Option<&Path>,
) -> Result<(), Box<dyn Error>> {
    println!("{threads} thread(s)");
    println!("| scene | engine | bodies | contacts | ms a step | ns a body |");
    println!("|---|---|---:|---:|---:|---:|");
    let mut curves = Vec::new();
    for family in Family::ALL {
        for &kind in engines {
            let sizes = SIZES.into_iter().filter(|&size| size <= most);
            let scene = family.scene().name;
            let mut points = Vec::new();
            for size in sizes {
                let point = measure(family, kind, size, threads);
                println!(
                    "| {scene} | {} | {} | {} | {:.3} | {:.0} |",
                    kind.name(),
                    point.bodies,
                    point.contacts,
                    point.step_ms,
                    point.per_body()
                );
                points.push(point);
            }
            let name = format!("{scene}, {}", kind.name());
            curves.push(Curve { name, points });
        }
    }
    match chart {
        Some(path) => draw(&curves, path),
        None => Ok(()),
    }
}

fn measure(family: Family, kind: Kind, size: usize, threads: usize) -> Point {
    let mut engine = kind.make(&family.scene().settings(threads));
    let bodies = family.build(engine.as_mut(), size).bodies().count();
    let steps = (BODY_STEPS / bodies).clamp(*STEPS.start(), *STEPS.end());
    for _ in 0..WARM_UP {
        engine.step(STEP);
    }
    let start = Instant::now();
    for _ in 0..steps {
        engine.step(STEP);
    }
    Point {
        bodies,
        contacts: engine.counts().contacts,
        step_ms: start.elapsed().as_secs_f64() * 1000.0 / steps as f64,
    }
}

/// Draws the time for each body over the number of bodies.
fn draw(curves: &[Curve], path: &Path) -> Result<(), Box<dyn Error>> {
    let font = epaint_default_fonts::UBUNTU_LIGHT;
    plotters::style::register_font("sans-serif", FontStyle::Normal, font)
        .map_err(|_| "the font cannot be read")?;
    let area = BitMapBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let all = || curves.iter().flat_map(|curve| &curve.points);
    let top = 1.2 * all().map(Point::per_body).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(&area)
        .caption("Time of a step for each body", ("sans-serif", 24))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d((800.0..250_000.0).log_scale(), 0.0..top)?;
    chart
        .configure_mesh()
        .x_desc("bodies")
        .y_desc("ns")
        .x_label_formatter(&|bodies| format!("{bodies:.0}"))
        .label_style(("sans-serif", 16))
        .draw()?;
    for (index, curve) in curves.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let places = || curve.points.iter().map(|p| (p.bodies as f64, p.per_body()));
        chart
            .draw_series(LineSeries::new(places(), color.stroke_width(2)))?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        chart.draw_series(places().map(|place| Circle::new(place, 4, color.filled())))?;
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .label_font(("sans-serif", 16))
        .position(SeriesLabelPosition::UpperLeft)
        .draw()?;
    area.present()?;
    Ok(())
}
