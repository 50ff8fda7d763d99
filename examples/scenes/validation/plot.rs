//! Curves as SVG, beside the table of errors.

use core::fmt::Write;

/// Scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Even steps.
    Linear,
    /// Powers of ten; values must be positive.
    Log,
}

/// An axis: title with unit, range, and marks.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Title with unit.
    pub title: &'static str,
    /// Scale.
    pub scale: Scale,
    /// Least and greatest value.
    pub range: (f64, f64),
    /// Values with a line and a number.
    pub marks: Vec<f64>,
}

impl Axis {
    /// Share of the axis at which a value is: 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let of = |x: f64| match self.scale {
            Scale::Linear => x,
            Scale::Log => x.log10(),
        };
        let (low, high) = (of(self.range.0), of(self.range.1));
        (of(value) - low) / (high - low)
    }
}

/// A curve with a name; with dots for values that were measured one by one.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Name in the legend.
    pub name: &'static str,
    /// Color: one of [`COLORS`].
    pub color: &'static str,
    /// Points.
    pub points: Vec<[f64; 2]>,
    /// Whether each point has a dot.
    pub dots: bool,
}

/// Picture, and the area of the curves in it \[px\].
const SIZE: [f64; 2] = [720.0, 360.0];
const AREA: [f64; 4] = [70.0, 36.0, 560.0, 310.0];

/// Colors of the curves: of the reference, cairn2d, Box2D and Rapier.
pub const COLORS: [&str; 4] = ["#444444", "#2f6db3", "#d98a1f", "#b3432f"];

/// Returns the picture. Points outside of the axes are left out.
#[must_use]
pub fn svg(x: &Axis, y: &Axis, curves: &[Curve]) -> String {
    let [left, top, right, bottom] = AREA;
    let across = |value: f64| left + (right - left) * x.share(value);
    let down = |value: f64| bottom - (bottom - top) * y.share(value);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#faf9f5\"/>\n",
        SIZE[0], SIZE[1]
    );
    for &mark in &x.marks {
        let at = across(mark);
        push(
            &mut text,
            format_args!("<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#dddddd\"/>\n"),
        );
        push(
            &mut text,
            format_args!(
                "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{mark}</text>\n",
                bottom + 18.0
            ),
        );
    }
    for &mark in &y.marks {
        let at = down(mark);
        push(
            &mut text,
            format_args!("<path d=\"M{left} {at:.1}H{right}\" stroke=\"#dddddd\"/>\n"),
        );
        let number = if y.scale == Scale::Log {
            format!("{mark:.0e}")
        } else {
            mark.to_string()
        };
        push(
            &mut text,
            format_args!(
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{number}</text>\n",
                left - 6.0,
                at + 4.0
            ),
        );
    }
    let middle = 0.5 * (left + right);
    push(
        &mut text,
        format_args!(
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            bottom + 38.0,
            x.title
        ),
    );
    push(
        &mut text,
        format_args!("<text x=\"6\" y=\"18\">{}</text>\n", y.title),
    );
    for (index, curve) in curves.iter().enumerate() {
        let color = curve.color;
        draw(&mut text, curve, (&across, &down), (x, y));
        let at = top + 22.0 * (index as f64 + 1.0);
        push(
            &mut text,
            format_args!(
                "<path d=\"M{} {at}h22\" stroke=\"{color}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{}\">{}</text>\n",
                right + 14.0,
                right + 42.0,
                at + 4.0,
                curve.name
            ),
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Draws a curve, in pieces where it leaves the axes.
fn draw(
    text: &mut String,
    curve: &Curve,
    (across, down): (&dyn Fn(f64) -> f64, &dyn Fn(f64) -> f64),
    (x, y): (&Axis, &Axis),
) {
    let color = curve.color;
    let mut path = String::new();
    let mut is_inside = false;
    for &[at, value] in &curve.points {
        let was_inside = is_inside;
        is_inside = (0.0..=1.0).contains(&x.share(at)) && (0.0..=1.0).contains(&y.share(value));
        if is_inside {
            let (px, py) = (across(at), down(value));
            let command = if was_inside { 'L' } else { 'M' };
            push(&mut path, format_args!("{command}{px:.1} {py:.1}"));
            if curve.dots {
                push(
                    text,
                    format_args!(
                        "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3.5\" fill=\"{color}\"/>\n"
                    ),
                );
            }
        }
    }
    push(
        text,
        format_args!("<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n"),
    );
}

fn push(text: &mut String, words: core::fmt::Arguments<'_>) {
    text.write_fmt(words)
        .expect("strings take what they are given");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_follow_the_scale() {
        let axis = |scale| Axis {
            title: "",
            scale,
            range: (1.0, 100.0),
            marks: Vec::new(),
        };
        assert!((axis(Scale::Log).share(10.0) - 0.5).abs() < 1.0e-12);
        assert!((axis(Scale::Linear).share(50.5) - 0.5).abs() < 1.0e-12);
    }

    #[test]
    fn points_outside_are_left_out_and_break_the_curve() {
        let axis = Axis {
            title: "t",
            scale: Scale::Linear,
            range: (0.0, 1.0),
            marks: vec![0.0, 1.0],
        };
        let curve = Curve {
            name: "c",
            color: COLORS[0],
            points: vec![[0.0, 0.0], [0.2, 2.0], [0.4, f64::NAN], [0.6, 0.5]],
            dots: true,
        };
        let picture = svg(&axis, &axis, &[curve]);
        assert_eq!(picture.matches("<circle").count(), 2);
        assert!(!picture.contains("NaN"));
    }
}
