//! Debug drawing with gizmos (feature `gizmos`).

use crate::convert::from_world_point;
use crate::physics::Physics;
use bevy_app::prelude::*;
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::{GizmoConfigGroup, GizmoConfigStore};
use bevy_gizmos::gizmos::{GizmoBuffer, Gizmos};
use bevy_math::{Isometry2d, Vec2};
use bevy_reflect::Reflect;
use cairn2d::WorldPoint;
use cairn2d::draw::{self, DebugDraw, Draw, DrawOptions, Style};

/// Draws the world with gizmos, as it is after the last step.
///
/// Add [`GizmoPlugin`](bevy_gizmos::GizmoPlugin) first; with full Bevy it is a default plugin. The group
/// [`PhysicsGizmos`] switches all gizmos on and off, [`PhysicsGizmoOptions`] the layers.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhysicsGizmosPlugin;

/// Group of the gizmos of physics.
#[derive(Clone, Copy, Debug, Default, Reflect, GizmoConfigGroup)]
pub struct PhysicsGizmos;

/// Layers and colors: the engine's [`DrawOptions`]. Gizmos have lines only, so fills and dashes are not drawn.
#[derive(Resource, Clone, Debug)]
pub struct PhysicsGizmoOptions {
    /// Options of the engine.
    pub draw: DrawOptions,
    /// Scale of the view [px/m]: sizes of points, arrows and text, and the accuracy of round outlines.
    pub pixels_per_meter: f32,
}

impl Default for PhysicsGizmoOptions {
    fn default() -> Self {
        Self {
            draw: DrawOptions::default(),
            pixels_per_meter: 40.0,
        }
    }
}

impl Plugin for PhysicsGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<PhysicsGizmos>()
            .init_resource::<PhysicsGizmoOptions>()
            .add_systems(PostUpdate, draw_physics);
    }
}

fn draw_physics(
    physics: Res<'_, Physics>,
    options: Res<'_, PhysicsGizmoOptions>,
    groups: Res<'_, GizmoConfigStore>,
    mut gizmos: Gizmos<'_, '_, PhysicsGizmos>,
) {
    if !groups.config::<PhysicsGizmos>().0.enabled {
        return;
    }
    let mut pen = GizmoPen {
        buffer: &mut gizmos,
        pixels_per_meter: options.pixels_per_meter,
    };
    physics.world.draw(&mut pen, &options.draw);
    physics.walkers.crowd().draw(&mut pen, &options.draw);
}

/// Pen of the engine's debug drawing that draws gizmos: also for drawings of your own.
#[derive(Debug)]
pub struct GizmoPen<'a, Config: GizmoConfigGroup, Clear: 'static + Send + Sync> {
    /// Buffer of the gizmos; [`Gizmos`] is one.
    pub buffer: &'a mut GizmoBuffer<Config, Clear>,
    /// Scale of the view [px/m].
    pub pixels_per_meter: f32,
}

/// Height of text \[px\].
const TEXT_SIZE: f32 = 12.0;

fn color_of(color: draw::Color) -> Color {
    Color::srgba_u8(color.r, color.g, color.b, color.a)
}

impl<Config: GizmoConfigGroup, Clear: 'static + Send + Sync> DebugDraw
    for GizmoPen<'_, Config, Clear>
{
    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        let closed = corners.iter().chain(corners.first());
        let points = closed.map(|&corner| from_world_point(corner));
        self.buffer.linestrip_2d(points, color_of(style.line));
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        let [a, b] = [a, b].map(from_world_point);
        self.buffer.line_2d(a, b, color_of(style.line));
    }

    fn point(&mut self, at: WorldPoint, size: f32, color: draw::Color) {
        let radius = 0.5 * size / self.pixels_per_meter;
        let at = Isometry2d::from_translation(from_world_point(at));
        self.buffer
            .circle_2d(at, radius, color_of(color))
            .resolution(8);
    }

    fn text(&mut self, at: WorldPoint, text: &str, color: draw::Color) {
        let size = TEXT_SIZE / self.pixels_per_meter;
        let at = Isometry2d::from_translation(from_world_point(at));
        self.buffer
            .text_2d(at, text, size, Vec2::ZERO, color_of(color));
    }

    fn pixels_per_meter(&self) -> f32 {
        self.pixels_per_meter
    }
}
