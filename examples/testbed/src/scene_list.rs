//! The scenes by category, with search.

use crate::theme::{ACCENT, FAINT};
use eframe::egui::{CollapsingHeader, RichText, ScrollArea, TextEdit, Ui};
use scenes::registry;
use scenes::scene::{Category, Scene};

/// The text of the search, and the scenes.
pub(crate) struct SceneList {
    pub(crate) search: String,
    pub(crate) wants_focus: bool,
    scenes: Vec<&'static Scene>,
    /// A scene that must come into view.
    pub(crate) reveal: bool,
}

impl SceneList {
    pub(crate) fn new() -> Self {
        Self {
            search: String::new(),
            wants_focus: false,
            scenes: registry::all(),
            reveal: true,
        }
    }

    /// Returns the scene `way` places after `scene`, around the end.
    pub(crate) fn neighbor(&self, scene: &Scene, way: isize) -> &'static Scene {
        let at = self
            .scenes
            .iter()
            .position(|other| other.name == scene.name);
        let count = self.scenes.len() as isize;
        let next = (at.unwrap_or(0) as isize + way).rem_euclid(count);
        self.scenes[next as usize]
    }

    /// Shows search and tree; returns the scene that the user chose.
    pub(crate) fn show(&mut self, ui: &mut Ui, current: &Scene) -> Option<&'static Scene> {
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            ui.heading("cairn2d");
            ui.label(RichText::new(format!("{} scenes", self.scenes.len())).color(FAINT));
        });
        ui.add_space(2.0);
        let edit = TextEdit::singleline(&mut self.search)
            .hint_text("Search  (/)")
            .desired_width(f32::INFINITY);
        let response = ui.add(edit);
        if std::mem::take(&mut self.wants_focus) {
            response.request_focus();
        }
        ui.add_space(4.0);
        let mut chosen = None;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for (category, scenes) in self.found() {
                let open = !self.search.is_empty() || (self.reveal && category == current.category);
                let header = RichText::new(category.title()).strong();
                CollapsingHeader::new(header)
                    .id_salt(category.title())
                    .open(open.then_some(true))
                    .show(ui, |ui| {
                        for scene in scenes {
                            if self.entry(ui, scene, current) {
                                chosen = Some(scene);
                            }
                        }
                    });
            }
        });
        self.reveal = false;
        chosen
    }

    fn entry(&self, ui: &mut Ui, scene: &'static Scene, current: &Scene) -> bool {
        let selected = scene.name == current.name;
        let mut title = RichText::new(scene.title);
        if selected {
            title = title.color(ACCENT).strong();
        }
        let response = ui
            .selectable_label(selected, title)
            .on_hover_text(scene.about);
        if selected && self.reveal {
            response.scroll_to_me(None);
        }
        response.clicked()
    }

    /// Returns the scenes that the search lets through, by category.
    fn found(&self) -> Vec<(Category, Vec<&'static Scene>)> {
        let mut groups: Vec<(Category, Vec<&'static Scene>)> = Vec::new();
        for &scene in self
            .scenes
            .iter()
            .filter(|scene| matches(scene, &self.search))
        {
            match groups.last_mut() {
                Some((category, scenes)) if *category == scene.category => scenes.push(scene),
                _ => groups.push((scene.category, vec![scene])),
            }
        }
        groups
    }
}

/// Says whether each word of `search` is in the scene's name, title, heading or words.
fn matches(scene: &Scene, search: &str) -> bool {
    let text = [scene.name, scene.title, scene.category.title(), scene.about];
    let text = text.join(" ").to_lowercase();
    let mut words = search.split_whitespace().map(str::to_lowercase);
    words.all(|word| text.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_takes_words_in_any_order_from_anywhere() {
        let pyramid = registry::find("pyramid").unwrap();
        for search in ["", "PYRAMID", "stack 465", "thirty base"] {
            assert!(matches(pyramid, search), "{search}");
        }
        assert!(!matches(pyramid, "pyramid bridge"));
    }

    #[test]
    fn neighbors_go_around_through_all() {
        let list = SceneList::new();
        let first = list.scenes[0];
        let mut scene = first;
        for _ in 0..list.scenes.len() {
            scene = list.neighbor(scene, 1);
        }
        assert_eq!(scene.name, first.name);
        let last = list.scenes[list.scenes.len() - 1];
        assert_eq!(list.neighbor(first, -1).name, last.name);
    }

    #[test]
    fn without_a_search_all_scenes_are_listed_once() {
        let list = SceneList::new();
        let listed: usize = list.found().iter().map(|(_, scenes)| scenes.len()).sum();
        assert_eq!(listed, registry::all().len());
    }
}
