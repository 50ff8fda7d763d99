//! Pictures of all scenes, and the page that shows them.

use crate::error::ShowError;
use crate::files::{create, save_png};
use crate::run::{progress_bar, usual_picture};
use scenes::picture::draw;
use scenes::registry;
use scenes::scene::Scene;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Writes `images/SCENE.png` for each of `some` scenes, or for all if there is none, and `gallery.md`, into `folder`.
pub(crate) fn make(folder: &Path, some: &[&'static Scene]) -> Result<(), ShowError> {
    let scenes = registry::all();
    let drawn = if some.is_empty() { &scenes } else { some };
    let bar = progress_bar(drawn.iter().map(|scene| scene.steps).sum());
    for scene in drawn {
        bar.set_message(scene.name);
        let mut stage = (scene.build)();
        for _ in 0..scene.steps {
            stage.step();
            bar.inc(1);
        }
        let path = folder.join("images").join(scene.name).with_extension("png");
        save_png(&draw(&stage, &usual_picture(scene)), &path)?;
    }
    bar.finish_and_clear();
    let path = folder.join("gallery.md");
    let written = create(&path)?.write_all(page(&scenes, folder).as_bytes());
    written.map_err(|source| ShowError::Write {
        path: path.clone(),
        source,
    })?;
    println!("{} pictures and {}", drawn.len(), path.display());
    Ok(())
}

/// Returns the page in Markdown. Where `folder` has a film of a scene, it stands under its picture.
fn page(scenes: &[&Scene], folder: &Path) -> String {
    let mut text = String::from(
        "# Gallery\n\nEvery scene of the library, at the last of its steps. \
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
                "\n### {}\n\n`{}`: {}\n\n![{}](images/{}.png)\n",
                scene.title, scene.name, scene.about, scene.title, scene.name
            ),
        );
        let film = format!("images/{}_film.png", scene.name);
        if folder.join(&film).exists() {
            push(
                &mut text,
                format_args!("\n![{}, in motion]({film})\n", scene.title),
            );
        }
    }
    text
}

fn push(text: &mut String, words: std::fmt::Arguments<'_>) {
    text.write_fmt(words)
        .expect("a string takes all that is written to it");
}
