//! The scaling plot: time a step over the number of agents.

use crate::Line;
use plotters::prelude::*;
use std::error::Error;

const SIZE: (u32, u32) = (900, 600);

/// Draws time per agent over the number of agents, ours and dodgy's, for each scene.
pub fn scaling(lines: &[Line], path: &str) -> Result<(), Box<dyn Error>> {
    let font = std::fs::read("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")?;
    let font: &'static [u8] = Box::leak(font.into_boxed_slice());
    plotters::style::register_font("sans-serif", FontStyle::Normal, font)
        .map_err(|_| "the font cannot be read")?;
    let highest = lines
        .iter()
        .map(|l| l.one_thread.max(l.dodgy) * 1e6 / l.count as f64)
        .fold(0.0, f64::max);
    let root = BitMapBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("Time per agent and step, one thread", ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(45)
        .y_label_area_size(70)
        .build_cartesian_2d((80.0f64..130_000.0).log_scale(), 0.0f64..1.05 * highest)?;
    chart
        .configure_mesh()
        .x_desc("agents")
        .y_desc("ns")
        .x_label_formatter(&|agents| format!("{agents:.0}"))
        .y_label_formatter(&|time| format!("{time:.0}"))
        .label_style(("sans-serif", 16))
        .draw()?;
    let mut scenes: Vec<&str> = lines.iter().map(|l| l.scene).collect();
    scenes.sort_unstable();
    scenes.dedup();
    for (i, scene) in scenes.into_iter().enumerate() {
        let color = Palette99::pick(i).to_rgba();
        let of_scene = || lines.iter().filter(|l| l.scene == scene);
        let ours = of_scene().map(|l| (l.count as f64, l.one_thread * 1e6 / l.count as f64));
        let theirs = of_scene().map(|l| (l.count as f64, l.dodgy * 1e6 / l.count as f64));
        chart
            .draw_series(LineSeries::new(ours, color.stroke_width(3)))?
            .label(format!("cairn2d, {scene}"))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(3)));
        chart
            .draw_series(DashedLineSeries::new(theirs, 6, 5, color.stroke_width(1)))?
            .label(format!("dodgy_2d, {scene}"))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(1)));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .label_font(("sans-serif", 16))
        // No curve is there: the times of the circle grow to the right.
        .position(SeriesLabelPosition::UpperLeft)
        .draw()?;
    root.present()?;
    Ok(())
}
