//! The charts of `docs/performance.md`, drawn from the tables of that page.

use crate::error::ShowError;
use crate::files::save;
use scenes::validation::plot::{Axis, COLORS, Curve, Scale, svg};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Engines in the order of the tables.
const ENGINES: [&str; 3] = ["cairn2d", "Box2D", "Rapier"];

/// First cells of the heads of the two tables.
const STEPS: &str = "| scene | cairn2d, mean and slowest |";
const SCALING: &str = "| ns per body and step, one thread |";

/// Charts of scaling: part of the file's name, title, and the first of the rows, one per engine.
const FAMILIES: [(&str, &str, usize); 2] = [
    (
        "pyramids",
        "small pyramids: time of a step per body [ns], one thread",
        0,
    ),
    (
        "drum",
        "a drum: time of a step per body [ns], one thread",
        3,
    ),
];

/// Width of the bar chart, its left and right margin, and the space above and below the bars \[px\].
const WIDTH: f64 = 820.0;
const MARGINS: [f64; 2] = [132.0, 60.0];
const SPACES: [f64; 2] = [72.0, 16.0];

/// Height of a bar, and of the bars of a scene with the gap after them \[px\].
const BAR: f64 = 11.0;
const GROUP: f64 = 44.0;

/// Writes the charts of `folder/performance.md` into `folder/images`.
pub(crate) fn make(folder: &Path) -> Result<(), ShowError> {
    let path = folder.join("performance.md");
    let page = fs::read_to_string(&path).map_err(|source| ShowError::Read {
        path: path.clone(),
        source,
    })?;
    let charts = charts(&page).ok_or(ShowError::NoTable { path })?;
    for (name, chart) in &charts {
        save(chart.as_bytes(), &folder.join("images").join(name))?;
    }
    println!("{} charts", charts.len());
    Ok(())
}

/// Returns the charts with the names of their files, or `None` if the page lacks a table or a number.
fn charts(page: &str) -> Option<Vec<(String, String)>> {
    let mut charts = vec![("performance-steps.svg".to_owned(), bars(&step_rows(page)?))];
    for (name, title, first) in FAMILIES {
        let chart = scaling(page, title, first)?;
        charts.push((format!("performance-{name}.svg"), chart));
    }
    Some(charts)
}

/// Returns the cells of the table whose head starts with `head`: those of the head, then those of each row.
fn table<'a>(page: &'a str, head: &str) -> Option<Vec<Vec<&'a str>>> {
    let lines = page.lines().skip_while(|line| !line.starts_with(head));
    let rows = lines.take_while(|line| line.starts_with('|'));
    let cells = |line: &'a str| {
        let inner = line.trim_matches('|');
        inner
            .split('|')
            .map(|cell| cell.trim_matches([' ', '*']))
            .collect()
    };
    let mut rows: Vec<Vec<&str>> = rows.map(cells).collect();
    if rows.len() < 3 {
        return None;
    }
    rows.remove(1);
    Some(rows)
}

/// A scene of the bar chart.
struct Row<'a> {
    scene: &'a str,
    /// Time of a step of the first engine \[ms\], as the table writes it; the mean of all scenes has none.
    time: &'a str,
    /// Time of each engine relative to the first.
    ratios: [f64; 3],
}

fn step_rows(page: &str) -> Option<Vec<Row<'_>>> {
    let table = table(page, STEPS)?;
    let rows = table.into_iter().skip(1);
    rows.map(|cells| {
        let ratio = |column: usize| -> Option<f64> { cells.get(column)?.parse().ok() };
        Some(Row {
            scene: cells[0],
            time: cells.get(1)?.split(',').next()?,
            ratios: [1.0, ratio(3)?, ratio(4)?],
        })
    })
    .collect()
}

/// Draws a bar for each engine and scene.
fn bars(rows: &[Row<'_>]) -> String {
    let longest = rows.iter().flat_map(|row| row.ratios).fold(1.0, f64::max);
    let top = longest.ceil();
    let across = |ratio: f64| MARGINS[0] + (WIDTH - MARGINS[0] - MARGINS[1]) * ratio / top;
    let bottom = SPACES[0] + GROUP * rows.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#faf9f5\"/>\n\
         <text x=\"12\" y=\"24\" font-size=\"16\">Time of a step on one thread, relative to cairn2d: shorter is faster</text>\n",
        bottom + SPACES[1]
    );
    for mark in 0..=top as u32 {
        let x = across(f64::from(mark));
        push(
            &mut text,
            format_args!(
                "<path d=\"M{x:.1} {}V{bottom}\" stroke=\"#dddddd\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#666666\">{mark}</text>\n",
                SPACES[0] - 6.0,
                SPACES[0] - 12.0
            ),
        );
    }
    for (index, row) in rows.iter().enumerate() {
        let y = SPACES[0] + GROUP * index as f64;
        push(
            &mut text,
            format_args!(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                MARGINS[0] - 8.0,
                y + 1.5 * BAR + 4.0,
                row.scene
            ),
        );
        for (place, &ratio) in row.ratios.iter().enumerate() {
            let y = y + BAR * place as f64;
            let label = match place {
                0 if row.time.is_empty() => String::new(),
                0 => format!("{} ms", row.time),
                _ => format!("{ratio:.2}"),
            };
            push(
                &mut text,
                format_args!(
                    "<rect x=\"{}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" fill=\"{}\"/>\
                     <text x=\"{:.1}\" y=\"{}\" font-size=\"11\">{label}</text>\n",
                    MARGINS[0],
                    across(ratio) - MARGINS[0],
                    BAR - 1.0,
                    COLORS[place + 1],
                    across(ratio) + 4.0,
                    y + BAR - 1.5
                ),
            );
        }
    }
    for (place, engine) in ENGINES.iter().enumerate() {
        let x = WIDTH - MARGINS[1] - 90.0 * (ENGINES.len() - place) as f64 + 30.0;
        push(
            &mut text,
            format_args!(
                "<rect x=\"{x}\" y=\"{}\" width=\"14\" height=\"10\" fill=\"{}\"/>\
                 <text x=\"{}\" y=\"{}\">{engine}</text>\n",
                bottom - 30.0,
                COLORS[place + 1],
                x + 20.0,
                bottom - 20.0
            ),
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Draws the time of a body over the number of bodies, from the rows of the table from `first` on.
fn scaling(page: &str, title: &'static str, first: usize) -> Option<String> {
    let table = table(page, SCALING)?;
    let numbers = |cells: &[&str]| -> Option<Vec<f64>> {
        let number = |cell: &&str| cell.replace(' ', "").parse().ok();
        cells.iter().skip(1).map(number).collect()
    };
    let bodies = numbers(table.first()?)?;
    let mut curves = Vec::new();
    for (place, name) in ENGINES.into_iter().enumerate() {
        let times = numbers(table.get(1 + first + place)?)?;
        let points = bodies.iter().zip(times);
        curves.push(Curve {
            name,
            color: COLORS[place + 1],
            points: points.map(|(&bodies, time)| [bodies, time]).collect(),
            dots: true,
        });
    }
    let x = Axis {
        title: "bodies",
        scale: Scale::Log,
        range: (800.0, 250_000.0),
        marks: bodies,
    };
    let y = Axis {
        title,
        scale: Scale::Linear,
        range: (0.0, 4000.0),
        marks: vec![0.0, 1000.0, 2000.0, 3000.0, 4000.0],
    };
    Some(svg(&x, &y, &curves))
}

fn push(text: &mut String, words: std::fmt::Arguments<'_>) {
    text.write_fmt(words)
        .expect("a string takes all that is written to it");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_in_the_docs_show_the_tables_of_their_page() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let page = fs::read_to_string(docs.join("performance.md")).unwrap();
        for (name, chart) in charts(&page).unwrap() {
            let file = fs::read_to_string(docs.join("images").join(&name)).unwrap();
            assert_eq!(file, chart, "{name}: `show charts` draws it anew");
        }
    }

    #[test]
    fn page_without_a_table_or_a_number_has_no_charts() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let page = fs::read_to_string(docs.join("performance.md")).unwrap();
        assert!(charts(&page.replace(SCALING, "| other |")).is_none());
        assert!(charts(&page.replace("| 1.44 |", "| ? |")).is_none());
    }
}
