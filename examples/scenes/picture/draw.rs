//! A stage on a canvas: grid, world, marks, caption.

use super::backdrop::{draw_caption, draw_grid, draw_scale_bar};
use super::canvas::Canvas;
use super::color::PALETTE;
use super::pen::CanvasPen;
use crate::scene::{DT, Stage};
use crate::view::{Camera, Frame};
use cairn2d::draw::{DrawOptions, Layer, Layers};
use cairn2d::prelude::World;

/// Debug layers of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Bodies and joints.
    #[default]
    Plain,
    /// Also contacts with normals, velocities, centers of mass and the boxes of the broad phase.
    Debug,
}

/// Settings of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Heading in the picture.
    pub title: &'a str,
    /// Part of the world to show.
    pub frame: Frame,
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// Debug layers.
    pub detail: Detail,
    /// Line below the heading.
    pub caption: Caption,
}

/// Line below the heading of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caption {
    /// Step, time, and numbers of bodies and joints.
    #[default]
    State,
    /// Nothing, for a figure in which nothing moves.
    None,
}

/// Draws a stage.
#[must_use]
pub fn draw(stage: &Stage, picture: &Picture<'_>) -> Canvas {
    let mut canvas = Canvas::new(picture.width, picture.height);
    let camera = Camera::fit(&picture.frame, picture.width, picture.height);
    draw_grid(&mut canvas, &camera);
    let mut pen = CanvasPen {
        canvas: &mut canvas,
        camera: &camera,
    };
    let options = DrawOptions {
        layers: layers(picture.detail),
        view: Some(camera.seen(picture.width, picture.height)),
        palette: PALETTE,
        ..Stage::draw_options()
    };
    stage.draw(&mut pen, &options);
    draw_scale_bar(&mut canvas, &camera);
    let caption = match picture.caption {
        Caption::State => state_text(&stage.world),
        Caption::None => String::new(),
    };
    draw_caption(&mut canvas, picture.title, &caption);
    canvas
}

fn layers(detail: Detail) -> Layers {
    match detail {
        Detail::Plain => Layers::USUAL,
        Detail::Debug => [
            Layer::FatBoxes,
            Layer::Velocities,
            Layer::Centers,
            Layer::Contacts,
            Layer::Normals,
        ]
        .into_iter()
        .fold(Layers::USUAL, Layers::with),
    }
}

fn state_text(world: &World) -> String {
    let steps = world.step_count();
    let seconds = steps as f32 * DT;
    let counters = world.counters();
    let mut text = format!(
        "step {steps} ({seconds:.2} s), {} bodies",
        world.body_count()
    );
    if world.joint_count() > 0 {
        text += &format!(", {} joints", world.joint_count());
    }
    text + &format!(", {} awake", counters.awake_bodies)
}
