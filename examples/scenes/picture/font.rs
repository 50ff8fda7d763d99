//! A stroke font: each letter a few straight lines on a grid, so that it is sharp at any size.

/// Units between the baseline and the top of a capital.
pub(crate) const CAP_HEIGHT: f32 = 6.0;

/// Units from one letter to the next, beyond the letter's width.
pub(crate) const LETTER_GAP: f32 = 1.8;

/// Height of the baseline above the bottom of the grid.
const BASELINE: f32 = 2.0;

/// A letter as lines through points in units, y up from the baseline.
pub(crate) struct Glyph {
    pub(crate) strokes: Vec<Vec<[f32; 2]>>,
    pub(crate) width: f32,
}

/// Returns the glyph of a letter; one that the font does not have looks like a question mark.
pub(crate) fn glyph(letter: char) -> Glyph {
    let lines = lines_of(letter).or_else(|| lines_of('?')).unwrap_or("");
    let strokes: Vec<Vec<[f32; 2]>> = lines
        .split(',')
        .map(|stroke| stroke.split_whitespace().map(grid_point).collect())
        .collect();
    let width = strokes.iter().flatten().map(|p| p[0]).fold(0.0, f32::max);
    Glyph {
        strokes,
        width: if letter == ' ' { 2.0 } else { width },
    }
}

/// Returns the width of a line of text in units.
pub(crate) fn text_width(text: &str) -> f32 {
    let widths: f32 = text
        .chars()
        .map(|letter| glyph(letter).width + LETTER_GAP)
        .sum();
    (widths - LETTER_GAP).max(0.0)
}

fn grid_point(digits: &str) -> [f32; 2] {
    let digit = |i: usize| {
        digits
            .as_bytes()
            .get(i)
            .map_or(0.0, |d| f32::from(d.wrapping_sub(b'0')))
    };
    [digit(0), digit(1) - BASELINE]
}

/// Returns strokes separated by commas; a point is two digits, column and row. Row 2 is the
/// baseline, row 6 the top of small letters, row 8 that of capitals.
fn lines_of(letter: char) -> Option<&'static str> {
    capital(letter)
        .or_else(|| small(letter))
        .or_else(|| sign(letter))
}

fn capital(letter: char) -> Option<&'static str> {
    Some(match letter {
        'A' => "02 28 42,14 34",
        'B' => "02 08 28 37 36 25 05,25 34 33 22 02",
        'C' => "47 38 18 07 03 12 32 43",
        'D' => "02 08 28 46 44 22 02",
        'E' => "48 08 02 42,05 35",
        'F' => "48 08 02,05 35",
        'G' => "47 38 18 07 03 12 32 43 45 25",
        'H' => "02 08,42 48,05 45",
        'I' => "02 08",
        'J' => "03 12 22 33 38",
        'K' => "02 08,48 04,15 42",
        'L' => "08 02 42",
        'M' => "02 08 24 48 42",
        'N' => "02 08 42 48",
        'O' => "12 03 07 18 38 47 43 32 12",
        'P' => "02 08 38 47 46 35 05",
        'Q' => "12 03 07 18 38 47 43 32 12,24 42",
        'R' => "02 08 38 47 46 35 05,25 42",
        'S' => "47 38 18 07 06 15 35 44 43 32 12 03",
        'T' => "08 48,28 22",
        'U' => "08 03 12 32 43 48",
        'V' => "08 22 48",
        'W' => "08 12 27 32 48",
        'X' => "02 48,08 42",
        'Y' => "08 25 48,25 22",
        'Z' => "08 48 02 42",
        _ => return None,
    })
}

fn small(letter: char) -> Option<&'static str> {
    Some(match letter {
        'a' => "16 26 35 32,34 14 03 12 22 33",
        'b' => "08 02,05 16 26 35 33 22 12 03",
        'c' => "35 26 16 05 03 12 22 33",
        'd' => "38 32,35 26 16 05 03 12 22 33",
        'e' => "04 34 35 26 16 05 03 12 22 33",
        'f' => "28 18 07 02,06 16",
        'g' => "36 31 20 10,35 26 16 05 03 12 22 33",
        'h' => "08 02,05 16 26 35 32",
        'i' => "02 06,07 08",
        'j' => "00 10 11 16,17 18",
        'k' => "08 02,36 04,14 32",
        'l' => "08 03 12",
        'm' => "02 06,05 16 25 22,25 36 45 42",
        'n' => "02 06,05 16 26 35 32",
        'o' => "12 03 05 16 26 35 33 22 12",
        'p' => "06 00,05 16 26 35 33 22 12 03",
        'q' => "36 30,35 26 16 05 03 12 22 33",
        'r' => "02 06,05 16 26",
        's' => "35 26 16 05 14 24 33 22 12 03",
        't' => "08 03 12,06 16",
        'u' => "06 03 12 22 33,36 32",
        'v' => "06 22 46",
        'w' => "06 12 25 32 46",
        'x' => "02 36,06 32",
        'y' => "06 22,46 22 10 00",
        'z' => "06 36 02 32",
        _ => return None,
    })
}

fn sign(letter: char) -> Option<&'static str> {
    Some(match letter {
        ' ' => "",
        '0' => "12 03 07 18 28 37 33 22 12",
        '1' => "06 18 12",
        '2' => "07 18 28 37 36 02 32",
        '3' => "07 18 28 37 36 25 15,25 34 33 22 12 03",
        '4' => "22 28 04 34",
        '5' => "38 08 05 25 34 33 22 12 03",
        '6' => "38 18 06 03 12 22 33 34 25 15 04",
        '7' => "08 38 12",
        '8' => "15 06 07 18 28 37 36 25 15 04 03 12 22 33 34 25",
        '9' => "36 25 15 06 07 18 28 37 34 22 02",
        '.' => "02 02",
        ',' => "12 01",
        ':' => "02 02,05 05",
        ';' => "12 01,15 15",
        '!' => "02 02,04 08",
        '?' => "07 18 28 37 36 25 24,22 22",
        '-' => "05 25",
        '+' => "05 45,23 27",
        '=' => "04 34,06 36",
        '/' => "01 38",
        '\\' => "08 31",
        '(' => "18 06 04 12",
        ')' => "08 16 14 02",
        '[' => "18 08 02 12",
        ']' => "08 18 12 02",
        '<' => "37 05 33",
        '>' => "07 35 03",
        '_' => "01 41",
        '\'' => "08 07",
        '"' => "08 07,18 17",
        '*' => "14 36,34 16,05 45",
        '%' => "02 48,08 17,33 42",
        '#' => "13 17,33 37,04 44,06 46",
        '^' => "06 18 26",
        '&' => "42 07 18 27 04 03 12 22 44",
        '|' => "01 08",
        '~' => "05 16 25 36",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_letters_have_strokes_within_the_grid() {
        for letter in ('a'..='z')
            .chain('A'..='Z')
            .chain('0'..='9')
            .chain(".,:;!?-+=/()%<>_".chars())
        {
            assert!(lines_of(letter).is_some(), "{letter}");
            for stroke in glyph(letter).strokes {
                assert!(stroke.len() >= 2, "{letter}");
                for [x, y] in stroke {
                    assert!(
                        (0.0..=4.0).contains(&x) && (-2.0..=6.0).contains(&y),
                        "{letter}"
                    );
                }
            }
        }
    }

    #[test]
    fn wider_text_is_wider() {
        assert!(text_width("mm") > text_width("ii"));
        assert_eq!(text_width(""), 0.0);
    }
}
