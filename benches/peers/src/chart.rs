//! The table as a picture: for each scene a bar per engine, relative to the first.

use crate::compare::Row;
use plotters::prelude::*;
use plotters::style::FontStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;
use std::path::Path;

/// Size of the picture [px].
const SIZE: (u32, u32) = (1200, 640);

/// Share of a scene's place that its bars fill.
const FILLED: f64 = 0.8;

/// Colors of the bars.
const COLORS: [RGBColor; 3] = [
    RGBColor(38, 110, 160),
    RGBColor(226, 137, 47),
    RGBColor(150, 150, 150),
];

/// Longest bar [times the first engine]; longer ones are cut and say so.
const LONGEST: f64 = 8.0;

/// Size of the numbers above the bars: four digits are no wider than a bar [px].
const NUMBER_SIZE: i32 = 12;

/// Size of the names of scenes [px].
const NAME_SIZE: i32 = 15;

/// Distance of the names from the axis [px].
const NAME_GAP: i32 = 9;

/// Returns a time in three digits.
fn number(milliseconds: f64) -> String {
    match milliseconds {
        ms if ms >= 100.0 => format!("{ms:.0}"),
        ms if ms >= 10.0 => format!("{ms:.1}"),
        ms => format!("{ms:.2}"),
    }
}

/// Draws how long a step takes, the first engine's time being 1.
pub(crate) fn draw(rows: &[Row], path: &Path) -> Result<(), Box<dyn Error>> {
    let font = epaint_default_fonts::UBUNTU_LIGHT;
    plotters::style::register_font("sans-serif", FontStyle::Normal, font)
        .map_err(|_| "the font cannot be read")?;
    let area = BitMapBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let ratio = |row: &Row, place: usize| row.results[place].step_ms / row.results[0].step_ms;
    let engines = rows[0].results.len();
    let all = rows
        .iter()
        .flat_map(|row| (0..engines).map(move |place| ratio(row, place)));
    let top = all.fold(1.0, f64::max).min(LONGEST) + 0.5;
    let caption = format!(
        "Time of a step, {} thread(s); numbers in ms; shorter is better",
        rows[0].threads
    );
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 26))
        .margin(16)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..rows.len() as f64, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .y_desc(format!("times {}", rows[0].results[0].engine.name()))
        .label_style(("sans-serif", 16))
        .draw()?;
    let width = FILLED / engines as f64;
    for place in 0..engines {
        let color = COLORS[place % COLORS.len()];
        let bars = rows.iter().enumerate().map(|(index, row)| {
            let left = index as f64 + 0.5 * (1.0 - FILLED) + place as f64 * width;
            let height = ratio(row, place).min(top);
            Rectangle::new([(left, 0.0), (left + width, height)], color.filled())
        });
        let swatch = move |(x, y)| Rectangle::new([(x, y - 5), (x + 14, y + 7)], color.filled());
        chart
            .draw_series(bars)?
            .label(rows[0].results[place].engine.name())
            .legend(swatch);
        let labels = rows.iter().enumerate().map(|(index, row)| {
            let left = index as f64 + 0.5 * (1.0 - FILLED) + place as f64 * width;
            let height = ratio(row, place).min(top - 0.4);
            let text = number(row.results[place].step_ms);
            let style = ("sans-serif", NUMBER_SIZE)
                .into_text_style(&area)
                .pos(Pos::new(HPos::Center, VPos::Bottom));
            EmptyElement::at((left + 0.5 * width, height)) + Text::new(text, (0, -2), style)
        });
        chart.draw_series(labels)?;
    }
    let names = rows.iter().enumerate();
    chart.draw_series(names.map(|(index, row)| {
        let style = ("sans-serif", NAME_SIZE)
            .into_text_style(&area)
            .pos(Pos::new(HPos::Center, VPos::Top));
        EmptyElement::at((index as f64 + 0.5, 0.0)) + Text::new(row.scene, (0, NAME_GAP), style)
    }))?;
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .label_font(("sans-serif", 18))
        .position(SeriesLabelPosition::UpperLeft)
        .draw()?;
    area.present()?;
    Ok(())
}
