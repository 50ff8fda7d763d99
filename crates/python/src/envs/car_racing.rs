//! Car racing: rewards and motion equal to `CarRacing-v3` of Gymnasium on `cairn2d.compat.Box2D`; observations are its pictures,
//! drawn without pygame.

use crate::box2d::SolverSettings;
use crate::envs::box2d_scene::{FPS, Fixture, Scene, ground_polygon};
use crate::envs::car::{Car, Controls, hull_outlines};
use crate::envs::car_picture::{CarCamera, Colors, DARKENING, FIELD, Frame, Indicators, Painter};
use crate::envs::car_track::Track;
use crate::envs::environment::{Environment, Observation, Outcome};
use crate::envs::random::Random;
use crate::envs::raster::Picture;
use cairn2d::{BodyId, World};

/// Sum of the rewards of all tiles.
const TILES_REWARD: f64 = 1000.0;
/// Reward of a step, beside those of tiles.
const STEP_REWARD: f64 = -0.1;
/// Reward of the step in which the car leaves the field.
const LOST_REWARD: f64 = -100.0;
/// Levels by which a tile is lighter than the one before; every third starts anew.
const TINT: f64 = 0.01;
/// Range of a random color, and how much lighter one channel of the grass is.
const COLOR_RANGE: [f64; 2] = [0.0, 210.0];
const GRASS_LIGHTER: f64 = 20.0;

/// Arguments of the environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RacingOptions {
    pub(crate) is_continuous: bool,
    /// Share of the tiles after which the start completes the lap.
    pub(crate) lap_complete_percent: f64,
    pub(crate) has_random_colors: bool,
    pub(crate) solver: SolverSettings,
}

/// State of a tile.
#[derive(Clone, Copy, Debug)]
struct Tile {
    body: BodyId,
    is_visited: bool,
    /// Whether a part of the car was on it: then it has lost its tint.
    is_touched: bool,
}

/// A car on its track. One world serves all episodes, as in Gymnasium.
#[derive(Debug)]
pub(crate) struct CarRacing {
    options: RacingOptions,
    scene: Scene,
    track: Track,
    tiles: Vec<Tile>,
    car: Option<Car>,
    colors: Option<Colors>,
    /// Whether the next episode has the colors of the last one.
    keeps_colors: bool,
    /// Time in the episode [s].
    time: f64,
    visited: usize,
    has_lap: bool,
    reward: f64,
    /// Sum of the rewards before the last step, and as the picture shows it.
    last_reward: f64,
    shown_reward: f64,
    /// Outlines of the hull in its frame [m].
    outlines: [Vec<[f64; 2]>; 4],
    picture: Picture,
}

impl CarRacing {
    pub(crate) fn new(options: RacingOptions) -> Self {
        Self {
            options,
            scene: Scene::new(0.0, options.solver),
            track: Track::default(),
            tiles: Vec::new(),
            car: None,
            colors: None,
            keeps_colors: false,
            time: 0.0,
            visited: 0,
            has_lap: false,
            reward: 0.0,
            last_reward: 0.0,
            shown_reward: 0.0,
            outlines: hull_outlines(),
            picture: Picture::default(),
        }
    }

    fn destroy(&mut self) {
        for tile in self.tiles.drain(..) {
            self.scene.world.destroy_body(tile.body);
        }
        if let Some(car) = self.car.take() {
            car.destroy(&mut self.scene);
        }
    }

    fn choose_colors(&mut self, random: &mut Random) {
        let keeps_colors = std::mem::take(&mut self.keeps_colors);
        if !self.options.has_random_colors {
            self.colors = Some(Colors::DEFAULT);
        } else if !keeps_colors {
            self.colors = Some(random_colors(random));
        } else if self.colors.is_none() {
            // The generator goes on as if the colors had been there.
            self.colors = Some(random_colors(&mut random.clone()));
        }
    }

    fn create_tiles(&mut self) {
        let shapes = self.track.tiles.iter().map(|tile| ground_polygon(tile));
        let fixture = Fixture {
            is_sensor: true,
            ..Fixture::default()
        };
        let bodies = self.scene.grounds(shapes.collect(), fixture);
        let tile = |body| Tile {
            body,
            is_visited: false,
            is_touched: false,
        };
        self.tiles = bodies.into_iter().map(tile).collect();
    }

    /// Drives for a step.
    fn advance(&mut self) {
        if let Some(car) = &mut self.car {
            car.drive(&mut self.scene);
        }
        // The step is valid; the world changes in no other way that could fail.
        let _ = self.scene.step();
        self.note_overlaps();
        self.time += 1.0 / FPS;
        self.shown_reward = self.reward;
    }

    /// Takes over the tiles that the car came to and left in the last step.
    fn note_overlaps(&mut self) {
        let Some(car) = &mut self.car else { return };
        let count = self.tiles.len() as f64;
        let (tiles, reward, visited, has_lap) = (
            &mut self.tiles,
            &mut self.reward,
            &mut self.visited,
            &mut self.has_lap,
        );
        let lap_share = self.options.lap_complete_percent;
        self.scene.overlaps(|began, [sensor, visitor]| {
            let Some(at) = tiles.iter().position(|tile| tile.body == sensor) else {
                return;
            };
            let tile = &mut tiles[at];
            tile.is_touched = true;
            let wheels = &mut car.wheels;
            let Some(wheel) = wheels.iter_mut().find(|wheel| wheel.body == visitor) else {
                return;
            };
            if !began {
                wheel.tiles -= 1;
                return;
            }
            wheel.tiles += 1;
            if !std::mem::replace(&mut tile.is_visited, true) {
                *reward += TILES_REWARD / count;
                *visited += 1;
                *has_lap |= at == 0 && *visited as f64 / count > lap_share;
            }
        });
    }

    /// Reads the action.
    fn controls(&self, action: &[f32]) -> Controls {
        if self.options.is_continuous {
            let [steer, gas, brake] = [0, 1, 2].map(|i| f64::from(action[i]));
            return Controls {
                steer: -steer,
                gas,
                brake,
            };
        }
        let chosen = |choice: f32, value: f64| if action[0] == choice { value } else { 0.0 };
        Controls {
            steer: chosen(2.0, 0.6) - chosen(1.0, 0.6),
            gas: chosen(3.0, 0.2),
            brake: chosen(4.0, 0.8),
        }
    }
}

fn random_colors(random: &mut Random) -> Colors {
    let mut color = || [0; 3].map(|_| random.uniform(COLOR_RANGE[0], COLOR_RANGE[1]));
    let (road, ground) = (color(), color());
    let mut grass = ground;
    grass[random.integers(0, 3) as usize] += GRASS_LIGHTER;
    Colors {
        road,
        ground,
        grass,
    }
}

impl Environment for CarRacing {
    fn reset(&mut self, random: &mut Random) {
        self.destroy();
        (self.reward, self.last_reward, self.time) = (0.0, 0.0, 0.0);
        (self.visited, self.has_lap) = (0, false);
        self.choose_colors(random);
        self.track = Track::new(random);
        self.create_tiles();
        if let Some(start) = self.track.stations.first() {
            self.car = Some(Car::new(&mut self.scene, start.beta, start.place));
        }
        self.advance();
    }

    fn keep_colors(&mut self) {
        self.keeps_colors = true;
    }

    fn step(&mut self, action: &[f32], _random: &mut Random) -> Outcome {
        let controls = self.controls(action);
        if let Some(car) = &mut self.car {
            car.control(controls);
        }
        self.advance();
        self.reward += STEP_REWARD;
        let reward = self.reward - self.last_reward;
        self.last_reward = self.reward;
        let has_finished = self.visited == self.tiles.len() || self.has_lap;
        let is_lost = self.car.as_ref().is_some_and(|car| {
            let place = self.scene.world.body(car.hull).position_exact();
            place.x.abs() > FIELD || place.y.abs() > FIELD
        });
        Outcome {
            reward: if is_lost { LOST_REWARD } else { reward },
            terminated: has_finished || is_lost,
            lap_finished: (has_finished || is_lost).then_some(!is_lost),
        }
    }

    fn world(&self) -> Option<&World> {
        Some(&self.scene.world)
    }

    fn observe(&mut self, out: &mut Observation) {
        let (Observation::Pixels(out), Some(car), Some(colors)) = (out, &self.car, &self.colors)
        else {
            return;
        };
        let scene = &self.scene;
        let frame = |body: BodyId| {
            let body = scene.world.body(body);
            let place = body.position_exact();
            Frame::new([place.x, place.y], body.angle().into())
        };
        let hull = frame(car.hull);
        let mut painter = Painter::new(&mut self.picture, CarCamera::new(hull, self.time));
        painter.ground(colors);
        let tiles = self.track.tiles.iter().zip(&self.tiles).enumerate();
        let tiles = tiles.map(|(at, (outline, tile))| {
            let step = if tile.is_touched { 0 } else { at % 3 };
            let tint = TINT * step as f64 * 255.0;
            (outline, colors.road.map(|level| level + tint))
        });
        painter.road(tiles, &self.track.borders);
        for wheel in &car.wheels {
            painter.wheel(frame(wheel.body), wheel.phase);
        }
        painter.hull(hull, &self.outlines);
        painter.indicators(&indicators(scene, car, self.shown_reward));
        self.picture.draw(DARKENING, out);
    }
}

fn indicators(scene: &Scene, car: &Car, reward: f64) -> Indicators {
    let hull = scene.world.body(car.hull);
    let [x, y] = [hull.velocity().x, hull.velocity().y].map(f64::from);
    Indicators {
        speed: (x * x + y * y).sqrt(),
        omegas: car.wheels.map(|wheel| wheel.omega),
        steering: scene.world.joint(car.wheels[0].joint).angle().into(),
        turning: hull.angular_velocity().into(),
        reward,
    }
}
