//! The world in the middle of the window: drawing it, and actions of the pointer on it.

use crate::camera::Look;
use crate::controls::Tools;
use crate::hand::{Selected, body_at, select};
use crate::legend;
use crate::pen::{Pen, to_egui};
use crate::play::Play;
use crate::theme::{FAINT, GRID, PALETTE, TEXT};
use cairn2d::draw::{DebugDraw, DrawOptions, Style, draw_shape_at};
use cairn2d::prelude::{Aabb, BodyKind, WorldPoint, point};
use eframe::egui::{
    Align2, CursorIcon, FontId, Key, Painter, PointerButton, Pos2, Rect, Response, Sense, Stroke,
    Ui, pos2, vec2,
};
use scenes::scene::Stage;
use scenes::view::Camera;

/// Fewest points between two lines of the grid.
const MIN_GRID: f32 = 56.0;

/// Factor of a notch of the wheel.
const WHEEL: f32 = 0.0025;

/// Distance at which a click reaches an anchor [points].
const REACH: f32 = 8.0;

/// Share of the view's width from whose left edge bullets come.
const MUZZLE: f32 = 0.02;

/// Shows the world and obeys the pointer.
pub(crate) fn show(
    ui: &mut Ui,
    play: &mut Play,
    look: &mut Option<Look>,
    options: &DrawOptions,
    tools: &Tools,
    has_legend: bool,
) {
    let (view, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    let focus = play.stage.focus();
    let look = look.get_or_insert_with(|| Look::at(play.frame(), view, focus));
    look.follow(play.frame(), view, focus);
    obey_pointer(ui, &response, play, look, view, tools);
    move_camera(ui, &response, look, view);
    let camera = look.camera(view);
    let painter = ui.painter_at(view);
    painter.rect_filled(view, 0.0, to_egui(PALETTE.background));
    draw_grid(&painter, &camera, view);
    draw_stage(&painter, &camera, view, play, options);
    if has_legend {
        legend::draw(&painter, view, &play.stage.world, options.layers);
    }
    draw_words(&painter, &camera, view, play, response.hover_pos());
}

fn place(camera: &Camera, at: Pos2) -> WorldPoint {
    camera.place(point(at.x, at.y))
}

/// Pans by dragging with a button that took hold of nothing, zooms by the wheel.
fn move_camera(ui: &Ui, response: &Response, look: &mut Look, view: Rect) {
    let buttons = [PointerButton::Secondary, PointerButton::Middle];
    let pans = buttons
        .into_iter()
        .any(|button| response.dragged_by(button))
        || response.dragged_by(PointerButton::Primary) && look.pans;
    if pans {
        look.pan(response.drag_delta());
    }
    let Some(at) = response.hover_pos() else {
        return;
    };
    let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
    #[expect(
        clippy::disallowed_methods,
        reason = "the camera is no part of the simulation"
    )]
    let factor = (wheel * WHEEL).exp() * pinch;
    if factor != 1.0 {
        look.zoom(factor, at, view);
    }
}

fn obey_pointer(
    ui: &Ui,
    response: &Response,
    play: &mut Play,
    look: &mut Look,
    view: Rect,
    tools: &Tools,
) {
    let camera = look.camera(view);
    if response.drag_started_by(PointerButton::Primary) {
        let pressed = ui.input(|input| input.pointer.press_origin());
        // A body that is gone or let go before the drag ends, as by a restart, must not leave a drag that pans.
        look.pans = !pressed.is_some_and(|at| play.take(place(&camera, at)));
    }
    if let (Some(at), true) = (response.interact_pointer_pos(), play.grip.is_some()) {
        play.pull(place(&camera, at));
    }
    if response.drag_stopped() {
        play.release();
    }
    if let (true, Some(at)) = (response.clicked(), response.interact_pointer_pos()) {
        let reach = REACH / camera.scale();
        play.selected = select(&play.stage.world, place(&camera, at), reach);
    }
    let Some(at) = response.hover_pos() else {
        return;
    };
    if play.grip.is_none() && is_movable(play, place(&camera, at)) {
        ui.ctx().set_cursor_icon(CursorIcon::Grab);
    }
    if ui.memory(|memory| memory.focused().is_some()) {
        return;
    }
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    let target = place(&camera, at);
    if pressed(Key::N) {
        play.spawn(tools.thing, target, tools.size);
    }
    if pressed(Key::B) {
        let muzzle = pos2(view.left() + MUZZLE * view.width(), view.center().y);
        play.shoot(place(&camera, muzzle), target, tools.speed, tools.size);
    }
    if pressed(Key::Delete) || pressed(Key::Backspace) {
        play.remove(target);
    }
}

fn is_movable(play: &Play, at: WorldPoint) -> bool {
    let world = &play.stage.world;
    body_at(world, at).is_some_and(|id| world.body(id).kind() == BodyKind::Dynamic)
}

fn draw_stage(painter: &Painter, camera: &Camera, view: Rect, play: &Play, options: &DrawOptions) {
    let [low, high] = [view.left_bottom(), view.right_top()].map(|at| place(camera, at));
    let options = DrawOptions {
        view: Some(Aabb::new(low.to_point(), high.to_point())),
        body_color: Stage::draw_options().body_color,
        ..*options
    };
    let mut pen = Pen::new(*camera);
    play.stage.draw(&mut pen, &options);
    if let Some(grip) = play.grip
        && let Some(body) = play.stage.world.get_body(grip.body)
    {
        let ring = Style::line(PALETTE.foreground.faded(0.6), 1.5);
        pen.circle(body.center_exact(), 8.0 / camera.scale(), &ring);
    }
    draw_selected(&mut pen, play);
    pen.paint(painter);
}

/// Draws an outline around the selected object.
fn draw_selected(pen: &mut Pen, play: &Play) {
    let world = &play.stage.world;
    let style = Style::line(PALETTE.foreground, 2.5);
    match play.selected {
        Some(Selected::Shape(id)) => {
            if let Some(shape) = world.get_shape(id) {
                let body = world.body(shape.body());
                draw_shape_at(
                    pen,
                    shape.geometry(),
                    body.position_exact(),
                    body.angle(),
                    &style,
                );
            }
        }
        Some(Selected::Joint(id)) => {
            if let Some(joint) = world.get_joint(id) {
                let radius = REACH / pen.pixels_per_meter();
                for anchor in joint.anchors() {
                    pen.circle(anchor, radius, &style);
                }
            }
        }
        None => {}
    }
}

fn draw_grid(painter: &Painter, camera: &Camera, view: Rect) {
    let step = round_length(f64::from(MIN_GRID / camera.scale()));
    let (low, high) = (
        place(camera, view.left_bottom()),
        place(camera, view.right_top()),
    );
    let lines = |low: f64, high: f64| (low / step).ceil() as i64..=(high / step).floor() as i64;
    for i in lines(low.x, high.x) {
        let x = camera.pixel(WorldPoint::new(i as f64 * step, low.y)).x;
        painter.vline(
            x,
            view.y_range(),
            Stroke::new(1.0, GRID[usize::from(i == 0)]),
        );
    }
    for i in lines(low.y, high.y) {
        let y = camera.pixel(WorldPoint::new(low.x, i as f64 * step)).y;
        painter.hline(
            view.x_range(),
            y,
            Stroke::new(1.0, GRID[usize::from(i == 0)]),
        );
    }
    draw_scale(painter, step, camera.scale(), view);
}

/// Returns the least of 1, 2, 5, 10, 20, ... (and their tenths, ...) that is not less than `least`.
fn round_length(least: f64) -> f64 {
    let decade = 10.0_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * decade >= least);
    factor.unwrap_or(10.0) * decade
}

fn draw_scale(painter: &Painter, step: f64, scale: f32, view: Rect) {
    let length = step as f32 * scale;
    let right = view.right_bottom() + vec2(-18.0, -16.0);
    let left = right - vec2(length, 0.0);
    let line = Stroke::new(1.5, FAINT);
    painter.line_segment([left, right], line);
    for end in [left, right] {
        painter.line_segment([end, end - vec2(0.0, 5.0)], line);
    }
    let middle = pos2(0.5 * (left.x + right.x), right.y - 4.0);
    let words = if step >= 1000.0 {
        format!("{} km", step / 1000.0)
    } else {
        format!("{step} m")
    };
    painter.text(
        middle,
        Align2::CENTER_BOTTOM,
        words,
        FontId::proportional(12.0),
        FAINT,
    );
}

/// Writes title and state at the top, and the object under the pointer at the bottom.
fn draw_words(painter: &Painter, camera: &Camera, view: Rect, play: &Play, at: Option<Pos2>) {
    let corner = view.left_top() + vec2(18.0, 14.0);
    let (title, font) = (play.title(), FontId::proportional(20.0));
    let written = painter.text(corner, Align2::LEFT_TOP, title, font, TEXT);
    let below = written.left_bottom() + vec2(0.0, 4.0);
    let small = FontId::proportional(13.0);
    let width = view.width() - 36.0;
    let about = painter.layout(play.about().to_owned(), small.clone(), FAINT, width);
    let place_of_state = below + vec2(0.0, about.size().y + 4.0);
    painter.galley(below, about, FAINT);
    let steering = play.steering_hint();
    let parts: [&str; 3] = [
        if play.paused { "paused" } else { "" },
        &play.notice,
        &steering,
    ];
    let said: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let state = said.join(", ");
    if !state.is_empty() {
        painter.text(
            place_of_state,
            Align2::LEFT_TOP,
            state,
            small.clone(),
            to_egui(PALETTE.impulse),
        );
    }
    if let Some(at) = at {
        let foot = view.left_bottom() + vec2(18.0, -14.0);
        let words = under_pointer(play, place(camera, at));
        painter.text(foot, Align2::LEFT_BOTTOM, words, small, FAINT);
    }
}

fn under_pointer(play: &Play, at: WorldPoint) -> String {
    let place = format!("({:.2}, {:.2})", at.x, at.y);
    let world = &play.stage.world;
    let Some(body) = body_at(world, at).map(|id| world.body(id)) else {
        return place;
    };
    let kind = match body.kind() {
        BodyKind::Static => return format!("{place}   {:?}, static", body.id()),
        BodyKind::Kinematic => "kinematic",
        BodyKind::Dynamic if body.is_awake() => "awake",
        BodyKind::Dynamic => "asleep",
    };
    let speed = body.velocity().norm();
    let spin = body.angular_velocity();
    let mass = body.mass();
    format!(
        "{place}   {:?}, {kind}   {mass:.3} kg   {speed:.2} m/s   {spin:.2} rad/s",
        body.id()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d::prelude::BodyRef;
    use eframe::egui::{Context, Event, Modifiers, RawInput};
    use scenes::content::region;
    use scenes::registry;
    use scenes::scene::{Category, Scene};

    /// Least share of the width or the height of the view that the paths of all moving bodies cover.
    const MIN_COVER: f32 = 0.5;

    /// Steps of a scene in the test: most bodies have come to rest.
    const STEPS: u32 = 300;

    fn moving(play: &Play) -> impl Iterator<Item = BodyRef<'_>> {
        let bodies = play.stage.world.bodies();
        let moving = bodies.filter(|body| body.kind() != BodyKind::Static);
        moving.filter(|body| region(play.scene).contains(body.center_exact()))
    }

    /// Returns the part of the view with all moving bodies in the region of the scene.
    fn covered(play: &Play, camera: &Camera) -> Rect {
        let mut covered = Rect::NOTHING;
        for body in moving(play) {
            for end in body.aabb().into_iter().flat_map(|all| [all.min, all.max]) {
                let pixel = camera.pixel(end.into());
                covered.extend_with(pos2(pixel.x, pixel.y));
            }
        }
        covered
    }

    /// Returns a complaint unless the scene begins inside the view and fills it.
    fn complaint(scene: &'static Scene, view: Rect) -> Option<String> {
        let mut play = Play::new(scene);
        if play.stage.focus().is_some() || moving(&play).next().is_none() {
            return None;
        }
        let camera = Look::at(play.frame(), view, None).camera(view);
        let centers = moving(&play).map(|body| camera.pixel(body.center_exact()));
        let outside = centers
            .filter(|at| !view.contains(pos2(at.x, at.y)))
            .count();
        let mut paths = covered(&play, &camera);
        // Large scenes keep the frame of their picture, and figures are filled by their marks.
        let is_filled_by_bodies =
            scene.category != Category::Benchmark && play.stage.marks().is_empty();
        for _ in 0..scene.steps.min(STEPS) * u32::from(is_filled_by_bodies) {
            play.stage.step();
            paths = paths.union(covered(&play, &camera));
        }
        let paths = paths.intersect(view);
        let cover = (paths.width() / view.width()).max(paths.height() / view.height());
        (outside > 0 || is_filled_by_bodies && cover < MIN_COVER)
            .then(|| format!("{}: {outside} outside, covers {cover:.2}", scene.name))
    }

    #[test]
    fn scenes_begin_inside_the_view_and_fill_it() {
        let view = Rect::from_min_size(pos2(0.0, 0.0), vec2(790.0, 740.0));
        let scenes = registry::all().into_iter();
        let found: Vec<String> = scenes.filter_map(|scene| complaint(scene, view)).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn lengths_are_round() {
        for (least, round) in [(0.9, 1.0), (1.1, 2.0), (3.0, 5.0), (7.0, 10.0)] {
            assert!((round_length(least) - round).abs() < 1.0e-9, "{least}");
        }
    }

    #[test]
    fn a_drag_pans_unless_it_took_hold_of_a_body_even_after_a_restart() {
        let view = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        let mut play = Play::new(registry::find("stack").unwrap());
        play.paused = true;
        let (context, mut look) = (Context::default(), None);
        let mut frame = |play: &mut Play, events: Vec<Event>| {
            let input = RawInput {
                screen_rect: Some(view),
                events,
                ..RawInput::default()
            };
            let (options, tools) = (Stage::draw_options(), Tools::default());
            let mut output = context.run_ui(input, |ui| {
                show(ui, play, &mut look, &options, &tools, false);
            });
            // Nothing paints: unused textures must be dropped on purpose.
            output.textures_delta.clear();
            look.expect("a look").camera(view)
        };
        let button = |pos: Pos2, pressed: bool| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let camera = frame(&mut play, Vec::new());
        let body = camera.pixel(moving(&play).next().unwrap().center_exact());
        let body = pos2(body.x, body.y);
        let center = |camera: Camera| place(&camera, view.center());
        let start = center(camera);
        frame(&mut play, vec![Event::PointerMoved(body)]);
        frame(&mut play, vec![button(body, true)]);
        let at = |x: f32| Event::PointerMoved(body + vec2(x, 0.0));
        frame(&mut play, vec![at(20.0)]);
        assert!(play.grip.is_some(), "the body is held");
        play.restart();
        let held = frame(&mut play, vec![at(60.0)]);
        assert!(play.grip.is_none());
        assert_eq!(center(held), start, "the view stays");
        frame(&mut play, vec![button(body, false)]);
        let empty = pos2(40.0, 40.0);
        frame(&mut play, vec![Event::PointerMoved(empty)]);
        frame(&mut play, vec![button(empty, true)]);
        let panned = frame(
            &mut play,
            vec![Event::PointerMoved(empty + vec2(50.0, 0.0))],
        );
        assert_ne!(center(panned), start);
    }
}
