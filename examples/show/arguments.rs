//! The command line.

use crate::error::ShowError;
use lexopt::prelude::{Long, Short, Value, ValueExt};
use scenes::picture::Detail;
use scenes::registry;
use scenes::scene::Scene;
use std::ffi::OsString;
use std::path::PathBuf;

/// Text of `show help`.
pub(crate) const HELP: &str = "\
Runs a scene, prints its measures, and writes a picture of it.

  show [SCENE]      runs a scene (readme if none is named) and writes out/SCENE.png
  show list         lists all scenes
  show gallery      writes the pictures and the page of all scenes into docs/
  show gallery A B  writes the pictures of scenes A and B only, and the page of all
  show charts       draws the tables of docs/performance.md as charts
  show help         prints this

Options of a run:
  --steps N         lets it run for N steps of 1/60 s
  --at N            takes the picture at step N instead of the last
  --out FILE        writes the picture there
  --animate FILE    also writes an animated PNG of the whole run
  --every N         one frame of it each N steps (3)
  --speed N         plays it N times as fast as it was (1)
  --size WxH        size of the picture in pixels (800x450)
  --debug           also draws contacts, velocities, centers and boxes
Option of the gallery and the charts:
  --out FOLDER      reads and writes there instead of docs/
";

/// Default size of a picture \[px\].
pub(crate) const USUAL_SIZE: (u32, u32) = (800, 450);

/// Largest side of a picture \[px\].
const MAX_SIDE: u32 = 8192;

/// Default number of steps between two frames of a film: 20 frames a second.
const USUAL_STRIDE: u32 = 3;

/// Command to run.
#[derive(Debug)]
pub(crate) enum Command {
    Help,
    List,
    /// Pictures of some scenes, of all if none is named, and the page.
    Gallery {
        folder: PathBuf,
        scenes: Vec<&'static Scene>,
    },
    /// The charts of the page in the folder.
    Charts {
        folder: PathBuf,
    },
    Show(Request),
}

/// Scene to run, and files to write.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) scene: &'static Scene,
    pub(crate) steps: u32,
    /// Step at which the picture is taken.
    pub(crate) at: u32,
    pub(crate) picture: PathBuf,
    pub(crate) film: Option<PathBuf>,
    pub(crate) stride: u32,
    /// Speed of the film relative to that of the scene.
    pub(crate) speed: u32,
    pub(crate) size: (u32, u32),
    pub(crate) detail: Detail,
}

/// Words of the command line, not yet understood.
#[derive(Debug, Default)]
struct Words {
    name: Option<String>,
    /// Scenes after the word `gallery`.
    more: Vec<String>,
    steps: Option<u32>,
    at: Option<u32>,
    out: Option<PathBuf>,
    animate: Option<PathBuf>,
    every: Option<u32>,
    speed: Option<u32>,
    size: Option<(u32, u32)>,
    debug: bool,
    help: bool,
}

/// Understands the words after the name of the program.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, ShowError> {
    let words = collect(words)?;
    if words.help {
        return Ok(Command::Help);
    }
    match words.name.as_deref() {
        Some("help") => Ok(Command::Help),
        Some("list") => words.only("list", &[]).map(|_| Command::List),
        Some("charts") => {
            let words = words.only("charts", &["--out"])?;
            Ok(Command::Charts {
                folder: words.folder(),
            })
        }
        Some("gallery") => {
            let words = words.only("gallery", &["--out"])?;
            let folder = words.folder();
            let scenes = words.more.iter().map(|name| registry::find(name));
            let scenes = scenes.collect::<Result<_, _>>()?;
            Ok(Command::Gallery { folder, scenes })
        }
        _ => words.request().map(Command::Show),
    }
}

fn collect(words: impl IntoIterator<Item = OsString>) -> Result<Words, ShowError> {
    let mut parser = lexopt::Parser::from_args(words);
    let mut found = Words::default();
    while let Some(word) = parser.next()? {
        match word {
            Short('h') | Long("help") => found.help = true,
            Long("steps") => found.steps = Some(count(&mut parser, "--steps")?),
            Long("at") => found.at = Some(count(&mut parser, "--at")?),
            Long("every") => found.every = Some(count(&mut parser, "--every")?),
            Long("out") => found.out = Some(parser.value()?.into()),
            Long("animate") => found.animate = Some(parser.value()?.into()),
            Long("speed") => found.speed = Some(count(&mut parser, "--speed")?),
            Long("size") => found.size = Some(size(&parser.value()?.string()?)?),
            Long("debug") => found.debug = true,
            Value(name) if found.name.is_none() => found.name = Some(name.string()?),
            Value(name) if found.name.as_deref() == Some("gallery") => {
                found.more.push(name.string()?);
            }
            word => return Err(word.unexpected().into()),
        }
    }
    Ok(found)
}

impl Request {
    /// Returns the request for a scene without options: its picture, or its last step if it has none.
    pub(crate) fn usual(scene: &'static Scene) -> Self {
        Self {
            scene,
            steps: scene.steps,
            at: scene.shown.unwrap_or(scene.steps),
            picture: PathBuf::from("out").join(scene.name).with_extension("png"),
            film: None,
            stride: USUAL_STRIDE,
            speed: 1,
            size: USUAL_SIZE,
            detail: Detail::Plain,
        }
    }
}

impl Words {
    /// Refuses options that `command` does not take.
    fn only(self, command: &'static str, taken: &[&str]) -> Result<Self, ShowError> {
        let given = [
            ("--steps", self.steps.is_some()),
            ("--at", self.at.is_some()),
            ("--out", self.out.is_some()),
            ("--animate", self.animate.is_some()),
            ("--every", self.every.is_some()),
            ("--speed", self.speed.is_some()),
            ("--size", self.size.is_some()),
            ("--debug", self.debug),
        ];
        let useless = given
            .into_iter()
            .find(|(option, is_given)| *is_given && !taken.contains(option));
        match useless {
            Some((option, _)) => Err(ShowError::Useless { option, command }),
            None => Ok(self),
        }
    }

    /// Returns the folder of the pages.
    fn folder(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| PathBuf::from("docs"))
    }

    fn request(self) -> Result<Request, ShowError> {
        let scene = registry::find(self.name.as_deref().unwrap_or("readme"))?;
        let steps = self.steps.or(self.at).unwrap_or(scene.steps);
        let at = self.at.unwrap_or(steps);
        if at > steps {
            return Err(ShowError::BadValue {
                option: "--at",
                value: at.to_string(),
                expected: "a step of the run, so no more than --steps",
            });
        }
        let usual = Request::usual(scene);
        Ok(Request {
            scene,
            steps,
            at,
            picture: self.out.unwrap_or(usual.picture),
            film: self.animate,
            stride: self.every.unwrap_or(usual.stride).max(1),
            speed: self.speed.unwrap_or(usual.speed).max(1),
            size: self.size.unwrap_or(usual.size),
            detail: if self.debug {
                Detail::Debug
            } else {
                Detail::Plain
            },
        })
    }
}

fn count(parser: &mut lexopt::Parser, option: &'static str) -> Result<u32, ShowError> {
    let text = parser.value()?.string()?;
    text.parse().map_err(|_| ShowError::BadValue {
        option,
        value: text,
        expected: "a whole number, not negative",
    })
}

fn size(text: &str) -> Result<(u32, u32), ShowError> {
    let sides = text.split_once(['x', 'X']).and_then(|(width, height)| {
        let side = |word: &str| {
            word.parse()
                .ok()
                .filter(|side| (1..=MAX_SIDE).contains(side))
        };
        Some((side(width)?, side(height)?))
    });
    sides.ok_or_else(|| ShowError::BadValue {
        option: "--size",
        value: text.to_owned(),
        expected: "width x height in pixels, each 1 to 8192, like 800x450",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, ShowError> {
        parse(line.split_whitespace().map(OsString::from))
    }

    fn request(line: &str) -> Request {
        match parsed(line) {
            Ok(Command::Show(request)) => request,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn error(line: &str) -> String {
        parsed(line).unwrap_err().to_string()
    }

    #[test]
    fn without_words_the_readme_scene_is_shown() {
        let request = request("");
        assert_eq!(request.scene.name, "readme");
        assert_eq!(request.at, request.steps);
        assert_eq!(request.picture, PathBuf::from("out/readme.png"));
    }

    #[test]
    fn options_are_taken_in_any_order() {
        let request = request("--size 320x200 stack --at 7 --steps 30 --debug --out a.png");
        assert_eq!(
            (request.scene.name, request.at, request.steps),
            ("stack", 7, 30)
        );
        assert_eq!(request.size, (320, 200));
        assert_eq!(request.detail, Detail::Debug);
    }

    #[test]
    fn gallery_takes_any_number_of_scenes() {
        for (line, count) in [("gallery", 0), ("gallery stack pyramid --out x", 2)] {
            match parsed(line) {
                Ok(Command::Gallery { scenes, .. }) => assert_eq!(scenes.len(), count),
                other => panic!("{line}: {other:?}"),
            }
        }
        assert!(error("gallery piramid").contains("pyramid"));
    }

    #[test]
    fn errors_say_what_was_wrong_and_what_is_possible() {
        let cases = [
            (
                "piramid",
                "there is no scene 'piramid'; did you mean pyramid?",
            ),
            ("--size 12", "--size is '12', but should be width x height"),
            (
                "--steps many",
                "--steps is 'many', but should be a whole number",
            ),
            (
                "--steps 5 --at 6",
                "--at is '6', but should be a step of the run",
            ),
            ("--fast", "invalid option '--fast'; `show help` says"),
            ("list --debug", "`show list` does not take --debug"),
            ("stack pyramid", "unexpected argument"),
        ];
        for (line, message) in cases {
            assert!(error(line).contains(message), "{line}: {}", error(line));
        }
    }
}
