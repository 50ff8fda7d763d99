//! Running one scene: progress on the way, picture and figures at the end.

use crate::arguments::Request;
use crate::error::ShowError;
use crate::files::{encoding, save_canvas, save_picture};
use indicatif::{ProgressBar, ProgressStyle};
use scenes::measure::measure;
use scenes::picture::{Canvas, Caption, Film, Picture, draw};
use scenes::scene::{DT, Stage};
use std::time::{Duration, Instant};

/// Steps in a second of a scene's time.
const STEPS_PER_SECOND: u32 = 60;

/// Results of a run.
pub(crate) struct Run {
    stage: Stage,
    /// Time that the steps took.
    stepping: Duration,
    /// Picture at the selected step.
    pub(crate) still: Canvas,
    /// Animated PNG, empty if none was requested.
    pub(crate) film: Vec<u8>,
}

/// Runs the requested scene, writes its picture and film, and prints its measures.
pub(crate) fn show(request: &Request) -> Result<(), ShowError> {
    let scene = request.scene;
    println!("{}: {}", scene.title, scene.about);
    let bar = progress_bar(request.steps);
    let run = run(request, &bar)?;
    bar.finish_and_clear();
    print_figures(&run.stage, request.steps, run.stepping);
    if let Some(path) = &request.film {
        save_picture(&run.film, path)?;
        println!("animation: {}", path.display());
    }
    save_canvas(&run.still, &request.picture)?;
    println!("picture: {}", request.picture.display());
    Ok(())
}

/// Runs the selected scene.
pub(crate) fn run(request: &Request, bar: &ProgressBar) -> Result<Run, ShowError> {
    let mut stage = (request.scene.build)();
    let mut file = Vec::new();
    let mut film = start_film(request, &stage, &mut file)?;
    let mut still = picture_of(request, &stage);
    let mut stepping = Duration::ZERO;
    for step in 1..=request.steps {
        let start = Instant::now();
        stage.step();
        stepping += start.elapsed();
        if step == request.at {
            still = picture_of(request, &stage);
        }
        if let (Some(film), 0) = (&mut film, step % request.stride) {
            film.add(&picture_of(request, &stage))
                .map_err(encoding(&request.picture))?;
        }
        bar.inc(1);
    }
    let ended = film.map_or(Ok(()), Film::finish);
    ended.map_err(encoding(&request.picture))?;
    Ok(Run {
        stage,
        stepping,
        still,
        film: file,
    })
}

/// Returns a bar for `steps`; where there is no terminal it draws nothing.
pub(crate) fn progress_bar(steps: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(steps.into())
        .with_style(style)
        .with_message("steps")
}

fn picture_of(request: &Request, stage: &Stage) -> Canvas {
    let (width, height) = request.size;
    draw(
        stage,
        &Picture {
            width,
            height,
            detail: request.detail,
            caption: if request.scene.is_figure() {
                Caption::None
            } else {
                Caption::State
            },
            title: request.scene.title,
            frame: request.scene.frame,
        },
    )
}

fn start_film<'a>(
    request: &Request,
    stage: &Stage,
    file: &'a mut Vec<u8>,
) -> Result<Option<Film<&'a mut Vec<u8>>>, ShowError> {
    let Some(path) = &request.film else {
        return Ok(None);
    };
    let frames = request.steps / request.stride + 1;
    let per_second = (STEPS_PER_SECOND * request.speed / request.stride).max(1) as u16;
    let film = Film::new(file, &picture_of(request, stage), frames, per_second);
    film.map(Some).map_err(encoding(path))
}

fn print_figures(stage: &Stage, steps: u32, stepping: Duration) {
    let figures = measure(&stage.world);
    let milliseconds = stepping.as_secs_f64() * 1.0e3;
    let seconds = f64::from(steps) * f64::from(DT);
    println!(
        "{steps} steps ({seconds:.1} s) in {milliseconds:.1} ms: {:.3} ms a step",
        milliseconds / f64::from(steps.max(1))
    );
    println!(
        "{} bodies, {} awake; {} shapes, {} joints, {} touching contacts",
        figures.bodies, figures.awake, figures.shapes, figures.joints, figures.contacts
    );
    println!(
        "kinetic energy {:.3} J, greatest speed {:.3} m/s, deepest overlap {:.2} slops, widest joint {:.2} mm",
        figures.kinetic_energy,
        figures.max_speed,
        figures.max_overlap,
        figures.max_joint_gap * 1.0e3
    );
}
