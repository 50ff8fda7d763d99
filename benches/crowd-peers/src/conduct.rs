//! The table of conduct: the same trips in our crowd, RVO2 and dodgy_2d.

use crate::dodgy::DodgyCrowd;
use crate::rvo2::Rvo2Crowd;
use crate::scenes::conduct::{Aim, OwnCrowd, Walkers, print, print_head, rows, run};
use cairn2d_geometry::math::{Vec2, WorldPoint};

impl Walkers for DodgyCrowd {
    fn step(&mut self, aims: &[Aim], dt: f32) {
        Self::step(self, dt, |agent, _| aims[agent].velocity);
    }

    fn motion(&self, agent: usize) -> (WorldPoint, Vec2) {
        Self::motion(self, agent)
    }
}

/// Prints the rows whose names contain one of the words; all without words.
pub fn print_table(words: &[String]) {
    print_head();
    for (name, trips, dt, limit, ends_when_done) in rows() {
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let mut ours = OwnCrowd::new(&trips, 1, false);
        print(name, &run(&mut ours, &trips, dt, limit, ends_when_done));
        match Rvo2Crowd::new(&trips.scene, dt) {
            Ok(mut rvo2) => {
                let conduct = run(&mut rvo2, &trips, dt, limit, ends_when_done);
                print(&format!("{name}, RVO2"), &conduct);
            }
            Err(error) => println!("{name}, RVO2: {error}"),
        }
        let mut dodgy = DodgyCrowd::new(&trips.scene);
        let conduct = run(&mut dodgy, &trips, dt, limit, ends_when_done);
        print(&format!("{name}, dodgy_2d"), &conduct);
    }
}
