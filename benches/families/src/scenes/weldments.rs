//! Welded boxes, some of whose joints are hinges with narrow limits: brackets on a wall, and free grids.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Scene, Weight};
use cairn2d::{BodyId, Limit};

pub(super) const FAMILIES: [Family; 2] = [
    Family {
        name: "brackets",
        title: "wall brackets of welded boxes, some joints are hinges with limits of 0.1 rad",
        criterion: "top speed at most 5 m/s",
        limits: Limits {
            speed: 5.0,
            ..Limits::STANDS
        },
        rarity: 1,
        build: bracket,
    },
    Family {
        name: "weld-grids",
        title: "random weld grids with limited hinges, hung up or falling",
        criterion: "top speed at most 50 m/s",
        limits: Limits {
            speed: 50.0,
            ..Limits::STANDS
        },
        rarity: 1,
        build: grid,
    },
];

/// Distance of the centers of two boxes, and half a box [m].
const PITCH: f32 = 0.5;
const HALF: f32 = 0.24;

/// A grid of boxes by column and row; `None`: no box.
struct Grid {
    boxes: Vec<Vec<Option<BodyId>>>,
    /// Center of the first box.
    origin: [f32; 2],
    /// Share of the joints that are hinges with limits of this angle.
    hinges: f32,
    limit: f32,
}

impl Grid {
    fn place(&self, column: usize, row: usize) -> [f32; 2] {
        [
            self.origin[0] + PITCH * column as f32,
            self.origin[1] + PITCH * row as f32,
        ]
    }

    /// Fills a share of the places with boxes.
    fn fill(&mut self, scene: &mut Scene, draw: &mut Draw, share: f32) {
        for column in 0..self.boxes.len() {
            for row in 0..self.boxes[column].len() {
                if draw.chance(share) {
                    let at = self.place(column, row);
                    let body = scene.dynamic(at, Form::Rectangle(HALF, HALF), 1.0);
                    self.boxes[column][row] = Some(body);
                }
            }
        }
    }

    fn join(&self, scene: &mut Scene, draw: &mut Draw, a: BodyId, b: BodyId, at: [f32; 2]) {
        if draw.chance(self.hinges) {
            let limit = Some(Limit::new(-self.limit, self.limit));
            scene.hinge(a, b, at, limit, None);
        } else {
            scene.weld(a, b, at);
        }
    }

    /// Joins neighbors.
    fn join_all(&self, scene: &mut Scene, draw: &mut Draw) {
        for column in 0..self.boxes.len() {
            for row in 0..self.boxes[column].len() {
                let Some(own) = self.boxes[column][row] else {
                    continue;
                };
                let [x, y] = self.place(column, row);
                let right = self.boxes.get(column + 1).and_then(|boxes| boxes[row]);
                if let Some(right) = right {
                    self.join(scene, draw, own, right, [x + 0.5 * PITCH, y]);
                }
                let above = self.boxes[column].get(row + 1).copied().flatten();
                if let Some(above) = above {
                    self.join(scene, draw, own, above, [x, y + 0.5 * PITCH]);
                }
            }
        }
    }
}

fn bracket(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 4.0);
    let (columns, rows) = (draw.count(3, 6), draw.count(2, 3));
    let wall = scene.fixed(Form::Beside([0.5, 5.0], [-0.5, 5.0], 0.0));
    let mut grid = Grid {
        boxes: vec![vec![None; rows]; columns],
        origin: [0.5 * PITCH, 4.0],
        hinges: draw.range(0.05, 0.5),
        limit: 0.1,
    };
    grid.fill(&mut scene, draw, 1.0);
    grid.join_all(&mut scene, draw);
    for row in 0..rows {
        let [_, y] = grid.place(0, row);
        if let Some(body) = grid.boxes[0][row] {
            grid.join(&mut scene, draw, wall, body, [0.0, y]);
        }
    }
    scene
}

fn grid(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 4.0);
    let ground = scene.ground();
    let (columns, rows) = (draw.count(2, 7), draw.count(2, 5));
    let mut grid = Grid {
        boxes: vec![vec![None; rows]; columns],
        origin: [0.0, draw.range(1.0, 6.0)],
        hinges: draw.range(0.1, 0.7),
        limit: draw.range(0.02, 0.3),
    };
    let share = draw.range(0.6, 1.0);
    grid.fill(&mut scene, draw, share);
    grid.join_all(&mut scene, draw);
    for _ in 0..draw.count(0, 2) {
        let (column, row) = (draw.count(0, columns - 1), draw.count(0, rows - 1));
        if let Some(body) = grid.boxes[column][row] {
            scene.pin(ground, body, grid.place(column, row));
        }
    }
    scene
}
