//! The words on the command line.

use lexopt::prelude::{Long, Short, Value, ValueExt};
use scenes::registry;
use scenes::scene::Scene;
use std::ffi::OsString;
use std::path::PathBuf;

/// Text of `--help`.
pub(crate) const HELP: &str = "\
A window on every scene of cairn2d.

  testbed [SCENE] [OPTIONS]

  --steps N           take N steps at once, then pause
  --open FILE         play a recording instead of a scene
  --record FILE       record the scene from its start
  --select X,Y        inspect what is at a place of the world [m] after the steps
  --layers A,B,...    draw these as well, like contacts,islands; `all` draws all
  --size WxH          size of the window in points, like 1440x900
  --screenshot FILE   write a picture of the window as PNG, and close
  --help              this
";

/// Size of the window [points].
const USUAL_SIZE: (f32, f32) = (1440.0, 900.0);

/// Command to run.
pub(crate) enum Command {
    Help,
    Open(Request),
}

/// Contents and size of the window.
pub(crate) struct Request {
    pub(crate) scene: &'static Scene,
    /// Steps to take at once; `None` runs.
    pub(crate) steps: Option<u32>,
    /// Words for layers to draw beside the usual ones.
    pub(crate) layers: Vec<String>,
    pub(crate) size: (f32, f32),
    /// Place to inspect [m].
    pub(crate) select: Option<(f64, f64)>,
    pub(crate) screenshot: Option<PathBuf>,
    /// A recording to play.
    pub(crate) tape: Option<PathBuf>,
    /// A recording to write.
    pub(crate) record: Option<PathBuf>,
}

/// Reads the words.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut request = Request {
        scene: registry::find("readme").map_err(|error| error.to_string())?,
        steps: None,
        layers: Vec::new(),
        size: USUAL_SIZE,
        select: None,
        screenshot: None,
        tape: None,
        record: None,
    };
    let mut parser = lexopt::Parser::from_args(words);
    while let Some(word) = parser.next().map_err(text)? {
        match word {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long("steps") => {
                let steps = parser.value().map_err(text)?;
                request.steps = Some(steps.parse().map_err(text)?);
            }
            Long("layers") => {
                let layers = parser.value().map_err(text)?.string().map_err(text)?;
                request.layers = layers.split(',').map(str::to_lowercase).collect();
            }
            Long("select") => request.select = Some(place(parser.value().map_err(text)?)?),
            Long("size") => request.size = size(parser.value().map_err(text)?)?,
            Long("screenshot") => {
                request.screenshot = Some(parser.value().map_err(text)?.into());
            }
            Long("open") => request.tape = Some(parser.value().map_err(text)?.into()),
            Long("record") => request.record = Some(parser.value().map_err(text)?.into()),
            Value(name) => request.scene = scene(&name.string().map_err(text)?)?,
            other => return Err(format!("{}; --help says more", other.unexpected())),
        }
    }
    Ok(Command::Open(request))
}

fn text(error: lexopt::Error) -> String {
    error.to_string()
}

fn scene(name: &str) -> Result<&'static Scene, String> {
    registry::find(name).map_err(|error| error.to_string())
}

fn place(word: OsString) -> Result<(f64, f64), String> {
    let word = word.string().map_err(text)?;
    let numbers = word.split_once(',').and_then(|(x, y)| {
        let number = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
        Some((number(x)?, number(y)?))
    });
    numbers.ok_or_else(|| format!("--select is '{word}', but should be like 1.5,-2"))
}

fn size(word: OsString) -> Result<(f32, f32), String> {
    let word = word.string().map_err(text)?;
    let sides = word.split_once('x').and_then(|(width, height)| {
        let side = |word: &str| {
            word.parse()
                .ok()
                .filter(|side| (200.0..=8192.0).contains(side))
        };
        Some((side(width)?, side(height)?))
    });
    sides.ok_or_else(|| format!("--size is '{word}', but should be like 1440x900"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn options_are_read() {
        let Ok(Command::Open(request)) =
            parsed("stack --steps 7 --layers Tree,ids --size 800x600 --open a.rec --select 1,-2.5")
        else {
            panic!("refused");
        };
        assert_eq!((request.scene.name, request.steps), ("stack", Some(7)));
        assert_eq!(request.layers, ["tree", "ids"]);
        assert_eq!(request.size, (800.0, 600.0));
        assert_eq!(request.select, Some((1.0, -2.5)));
        assert_eq!((request.screenshot, request.record), (None, None));
        assert_eq!(request.tape, Some(PathBuf::from("a.rec")));
    }

    #[test]
    fn nonsense_is_refused_with_its_name() {
        for (line, word) in [
            ("piramid", "pyramid"),
            ("--size 12", "12"),
            ("--wide", "--wide"),
            ("--select 3", "like 1.5,-2"),
        ] {
            let Err(message) = parsed(line) else {
                panic!("{line} was taken");
            };
            assert!(message.contains(word), "{message}");
        }
    }
}
