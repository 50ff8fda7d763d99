//! The scenes by category, with search.

use crate::theme::{ACCENT, FAINT};
use eframe::egui::{CollapsingHeader, Key, RichText, ScrollArea, TextEdit, Ui};
use scenes::registry;
use scenes::scene::{Category, Scene};

/// The text of the search, and the scenes.
pub(crate) struct SceneList {
    pub(crate) search: String,
    wants_focus: bool,
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

    /// Begins a new search.
    pub(crate) fn start_search(&mut self) {
        self.search.clear();
        self.wants_focus = true;
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
        let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let mut chosen = is_entered.then(|| self.best()).flatten();
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

    /// Returns the scene that the search means: the first whose name it is, else the first whose name or title begins
    /// with it or has it, else the first that it lets through. Without a search there is none.
    fn best(&self) -> Option<&'static Scene> {
        let search = self.search.trim().to_lowercase();
        if search.is_empty() {
            return None;
        }
        let rank = |scene: &&&Scene| {
            let words = [scene.name.to_owned(), scene.title.to_lowercase()];
            let has = |test: fn(&str, &str) -> bool| words.iter().any(|word| test(word, &search));
            match () {
                () if words[0] == search => 0,
                () if has(|word, search| word.starts_with(search)) => 1,
                () if has(|word, search| word.contains(search)) => 2,
                () => 3,
            }
        };
        let found = self.scenes.iter().filter(|scene| matches(scene, &search));
        found.min_by_key(rank).copied()
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
    use eframe::egui::{Context, Event, Modifiers, RawInput};

    #[test]
    fn search_takes_words_in_any_order_from_anywhere() {
        let pyramid = registry::find("pyramid").unwrap();
        for search in ["", "PYRAMID", "stack 465", "thirty base"] {
            assert!(matches(pyramid, search), "{search}");
        }
        assert!(!matches(pyramid, "pyramid bridge"));
    }

    /// Shows the list once with some keys pressed; returns the name of the chosen scene.
    fn chosen(list: &mut SceneList, context: &Context, keys: &[Key]) -> Option<&'static str> {
        let current = registry::find("readme").unwrap();
        let press = |&key: &Key| Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let input = RawInput {
            events: keys.iter().map(press).collect(),
            ..RawInput::default()
        };
        let mut chosen = None;
        let mut output = context.run_ui(input, |ui| {
            if let Some(scene) = list.show(ui, current) {
                chosen = Some(scene.name);
            }
        });
        // Nothing paints: unused textures must be dropped on purpose.
        output.textures_delta.clear();
        chosen
    }

    #[test]
    fn enter_opens_the_scene_that_the_search_means() {
        for (search, expected) in [
            ("chain", Some("chain")),
            ("Newton", Some("newtons_cradle")),
            ("stack 465", Some("pyramid")),
            ("no such scene", None),
            (" ", None),
        ] {
            let (mut list, context) = (SceneList::new(), Context::default());
            list.search = search.to_owned();
            list.wants_focus = true;
            assert_eq!(chosen(&mut list, &context, &[]), None, "{search}");
            assert_eq!(chosen(&mut list, &context, &[]), None, "{search}");
            let opened = chosen(&mut list, &context, &[Key::Enter]);
            assert_eq!(opened, expected, "{search}");
            // The search has lost the focus by then.
            assert_eq!(chosen(&mut list, &context, &[]), None, "{search}");
            assert_eq!(chosen(&mut list, &context, &[Key::Enter]), None, "twice");
        }
    }

    #[test]
    fn a_new_search_has_none_of_the_words_of_the_last() {
        let (mut list, context) = (SceneList::new(), Context::default());
        list.search = "pinball".to_owned();
        list.start_search();
        chosen(&mut list, &context, &[]);
        assert_eq!(list.search, "");
        assert_eq!(
            list.found().iter().flat_map(|(_, found)| found).count(),
            registry::all().len()
        );
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
