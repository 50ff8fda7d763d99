//! Rows as text, as tables and as a picture.

use crate::measure::{PEERS, Row};
use crate::scene::Class;
use plotters::prelude::*;
use plotters::style::register_font;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

/// Writes a row as one line of comma-separated values.
pub fn to_line(row: &Row) -> String {
    let Row {
        class,
        n,
        peer,
        insert,
        settle,
        step,
        moved,
        ray,
        overlap,
        bytes,
    } = row;
    format!(
        "{class},{n},{peer},{insert:.1},{settle:.1},{step:.3},{moved:.0},{ray:.1},{overlap:.1},{bytes:.0}"
    )
}

/// Reads a line that `to_line` wrote.
pub fn from_line(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split(',').collect();
    let number = |i: usize| fields.get(i)?.parse::<f64>().ok();
    Some(Row {
        class: Class::ALL
            .map(Class::name)
            .into_iter()
            .find(|name| *name == fields[0])?,
        n: number(1)? as usize,
        peer: PEERS.into_iter().find(|name| Some(name) == fields.get(2))?,
        insert: number(3)?,
        settle: number(4)?,
        step: number(5)?,
        moved: number(6)?,
        ray: number(7)?,
        overlap: number(8)?,
        bytes: number(9)?,
    })
}

/// Title of a table, and the value that it shows of a row.
type Quantity = (&'static str, fn(&Row) -> f64);

/// One table a quantity: scenes down, peers across.
pub fn tables(rows: &[Row]) -> String {
    let quantities: [Quantity; 6] = [
        ("Step: update and pairs, per moved box [ns]", |row| {
            row.step * 1.0e3 / row.moved
        }),
        ("Step as a whole [us]", |row| row.step),
        ("Insertion of a box [ns]", |row| row.insert),
        ("Order after loading and first pairs, per box [ns]", |row| {
            row.settle
        }),
        ("Ray to its first hit [ns]", |row| row.ray),
        ("Query with a box of 5 m x 5 m [ns]", |row| row.overlap),
    ];
    let mut text = String::new();
    for (title, value) in quantities {
        let _ = writeln!(text, "### {title}\n");
        let _ = writeln!(
            text,
            "| boxes | moved | {} |\n|---|---|{}",
            PEERS.join(" | "),
            "---|".repeat(PEERS.len())
        );
        for class in Class::ALL.map(Class::name) {
            for n in [1_000, 10_000, 100_000, 1_000_000] {
                let of = |peer: &str| {
                    rows.iter()
                        .rfind(|r| r.class == class && r.n == n && r.peer == peer)
                };
                let Some(ours) = of(PEERS[0]).filter(|row| value(row).is_finite()) else {
                    continue;
                };
                let cells = PEERS.map(|peer| of(peer).map_or("-".into(), |row| figure(value(row))));
                let _ = writeln!(
                    text,
                    "| {n} {class} | {:.0} | {} |",
                    ours.moved,
                    cells.join(" | ")
                );
            }
        }
        text.push('\n');
    }
    text
}

/// Three digits.
fn figure(value: f64) -> String {
    match value {
        0.0..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// Draws the cost of a moved box over the number of boxes, all moving; letters come from a TrueType
/// file.
pub fn plot(rows: &[Row], path: &Path, font: Vec<u8>) -> Result<(), Box<dyn Error>> {
    // Fonts are registered for the life of the program.
    register_font("sans-serif", FontStyle::Normal, font.leak()).map_err(|_| "not a font")?;
    let root = BitMapBackend::new(path, (900, 560)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("Update and pairs, all boxes moving", ("sans-serif", 24))
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(72)
        .build_cartesian_2d((800.0..1.25e6).log_scale(), (30.0..1.0e4).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("boxes")
        .y_desc("ns per moved box")
        .x_label_formatter(&|boxes| format!("{boxes:.0}"))
        .y_label_formatter(&|time| format!("{time:.0}"))
        .label_style(("sans-serif", 16))
        .draw()?;
    for (i, peer) in PEERS.iter().enumerate() {
        let mut points: Vec<(f64, f64)> = rows
            .iter()
            .filter(|row| row.class == Class::Moving.name() && row.peer == *peer)
            .map(|row| (row.n as f64, row.step * 1.0e3 / row.moved))
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let color = Palette99::pick(i).to_rgba();
        let style = color.stroke_width(2);
        chart
            .draw_series(LineSeries::new(points.iter().copied(), style))?
            .label(*peer)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], style));
        chart.draw_series(points.iter().map(|&at| Circle::new(at, 4, color.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .label_font(("sans-serif", 18))
        .draw()?;
    root.present()?;
    Ok(())
}
