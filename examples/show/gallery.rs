//! Pictures of all scenes, and the page that shows them.

use crate::arguments::Request;
use crate::error::ShowError;
use crate::files::{save, save_canvas, save_picture};
use crate::run::{progress_bar, run};
use scenes::registry;
use scenes::scene::Scene;
use std::fmt::Write as _;
use std::path::Path;

/// Scenes whose motion says more than a picture.
const FILMS: [Cut; 9] = [
    Cut::new("readme", 270, 3, 1, (720, 405)),
    Cut::new("walker", 240, 6, 1, (480, 270)),
    Cut::new("ragdoll_stairs", 240, 3, 1, (480, 270)),
    Cut::new("breakable", 105, 3, 1, (480, 270)),
    Cut::new("dominoes", 270, 3, 1, (480, 270)),
    Cut::new("crowd_circle", 1512, 18, 3, (400, 400)),
    Cut::new("crowd_corridor", 1512, 18, 3, (480, 160)),
    Cut::new("crowd_doorway", 1512, 18, 3, (480, 270)),
    Cut::new("crowd_boxes", 1512, 18, 3, (480, 240)),
];

/// A part of a run, as a film.
struct Cut {
    scene: &'static str,
    steps: u32,
    stride: u32,
    speed: u32,
    size: (u32, u32),
}

impl Cut {
    const fn new(
        scene: &'static str,
        steps: u32,
        stride: u32,
        speed: u32,
        size: (u32, u32),
    ) -> Self {
        Self {
            scene,
            steps,
            stride,
            speed,
            size,
        }
    }
}

/// Writes `images/SCENE.png`, or the film `images/SCENE_film.png`, of each of `some` scenes, or of all if there is none, and
/// `gallery.md`, into `folder`.
pub(crate) fn make(folder: &Path, some: &[&'static Scene]) -> Result<(), ShowError> {
    let scenes = registry::all();
    let drawn = if some.is_empty() { &scenes } else { some };
    let drawn = drawn.iter().filter(|scene| scene.shown.is_some());
    let requests: Vec<Request> = drawn.map(|scene| request(scene, folder)).collect();
    let bar = progress_bar(requests.iter().map(|request| request.steps).sum());
    for request in &requests {
        bar.set_message(request.scene.name);
        let run = run(request, &bar)?;
        match &request.film {
            Some(path) => save_picture(&run.film, path)?,
            None => save_canvas(&run.still, &request.picture)?,
        }
    }
    bar.finish_and_clear();
    let path = folder.join("gallery.md");
    save(page(&scenes).as_bytes(), &path)?;
    println!("{} pictures and {}", requests.len(), path.display());
    Ok(())
}

/// Returns the path of the picture or film of a scene below the folder of the page.
fn image(scene: &Scene) -> String {
    match cut(scene) {
        Some(_) => format!("images/{}_film.png", scene.name),
        None => format!("images/{}.png", scene.name),
    }
}

fn cut(scene: &Scene) -> Option<&'static Cut> {
    FILMS.iter().find(|cut| cut.scene == scene.name)
}

fn request(scene: &'static Scene, folder: &Path) -> Request {
    let (usual, image) = (Request::usual(scene), folder.join(image(scene)));
    match cut(scene) {
        Some(cut) => Request {
            steps: cut.steps,
            at: cut.steps,
            film: Some(image),
            stride: cut.stride,
            speed: cut.speed,
            size: cut.size,
            ..usual
        },
        None => Request {
            picture: image,
            ..usual
        },
    }
}

/// Returns the page in Markdown.
fn page(scenes: &[&Scene]) -> String {
    let mut text = String::from(
        "# Gallery\n\nEvery scene of the library, still or in motion. \
         `cargo run --release gallery` makes this page and its pictures;\n\
         `cargo run --release SCENE` runs one of them.\n",
    );
    let mut category = None;
    for scene in scenes {
        if category != Some(scene.category) {
            category = Some(scene.category);
            push(&mut text, format_args!("\n## {}\n", scene.category.title()));
        }
        push(
            &mut text,
            format_args!(
                "\n### {}\n\n`{}`: {}\n",
                scene.title, scene.name, scene.about
            ),
        );
        if scene.shown.is_some() {
            let image = image(scene);
            push(&mut text, format_args!("\n![{}]({image})\n", scene.title));
        }
    }
    text
}

fn push(text: &mut String, words: std::fmt::Arguments<'_>) {
    text.write_fmt(words)
        .expect("a string takes all that is written to it");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn films_are_of_scenes_that_have_a_picture() {
        for cut in &FILMS {
            let scene = registry::find(cut.scene).unwrap();
            assert!(scene.shown.is_some() && cut.steps.is_multiple_of(cut.stride));
            let request = request(scene, Path::new("docs"));
            assert!(request.film.is_some(), "{}", cut.scene);
        }
    }

    #[test]
    fn each_scene_is_on_the_page_with_at_most_one_picture() {
        let scenes = registry::all();
        let page = page(&scenes);
        assert_eq!(page.matches("\n### ").count(), scenes.len());
        let pictures = scenes.iter().filter(|scene| scene.shown.is_some()).count();
        assert_eq!(page.matches("](images/").count(), pictures);
        assert!(pictures < scenes.len());
    }
}
