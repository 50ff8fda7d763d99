//! The scenes of the plugin in a window: `cargo run -- chain`. Arrow keys push the marbles, move the character, and let it jump
//! through the platform. With `--picture FILE`, the program writes a picture after some seconds and ends.

#[path = "../../examples/gallery/scenes/mod.rs"]
#[expect(dead_code, reason = "the scenes have items for their tests")]
mod scenes;

use bevy::camera::ScalingMode;
use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::window::WindowResolution;
use bevy_cairn2d::prelude::*;
use std::env;

/// Size of the window \[px\].
const SIZE: (u32, u32) = (960, 540);

/// Width of the lines \[px\].
const LINE: f32 = 3.0;

/// Color behind the scene.
const BACK: Color = Color::srgb(0.1, 0.11, 0.13);

/// Color of the rays of the lidar.
const RAY: Color = Color::srgb(0.75, 0.45, 0.3);

/// The part of the world that a scene is seen in: center and height \[m\], and the time of its picture \[s\].
const VIEWS: [(&str, (f32, f32), f32, f32); 11] = [
    ("ccd", (4.0, 2.5), 9.0, 1.0),
    ("chain", (3.0, -5.0), 14.0, 1.5),
    ("crowd", (0.0, 0.0), 8.0, 4.0),
    ("despawn", (0.0, 0.0), 12.5, 3.0),
    ("events", (0.0, 2.5), 8.0, 1.0),
    ("joints", (1.5, 3.0), 17.0, 1.0),
    ("kinematic_character", (4.5, 1.5), 6.5, 2.2),
    ("marbles", (0.0, 0.0), 12.5, 1.0),
    ("one_way_platform", (0.0, 2.0), 7.0, 1.0),
    ("ray_casts", (0.0, 0.0), 14.0, 1.5),
    ("sensors", (0.0, 1.0), 12.0, 1.0),
];

/// Where the picture goes, if one is wanted, and when \[s\].
#[derive(Resource)]
struct Picture {
    file: String,
    time: f32,
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let (name, file) = match words.as_slice() {
        [name] => (name, None),
        [name, option, file] if option == "--picture" => (name, Some(file.clone())),
        _ => return explain(),
    };
    let scene = scenes::ALL.iter().find(|(scene, _)| scene == name);
    let view = VIEWS.iter().find(|(scene, ..)| scene == name);
    let (Some((_, scene)), Some(&(_, center, height, time))) = (scene, view) else {
        return explain();
    };
    let window = Window {
        title: format!("bevy_cairn2d: {name}"),
        resolution: WindowResolution::new(SIZE.0, SIZE.1),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(WindowPlugin {
        primary_window: Some(window),
        ..default()
    }))
    .insert_resource(ClearColor(BACK))
    .insert_resource(PhysicsGizmoOptions {
        pixels_per_meter: SIZE.1 as f32 / height,
        ..default()
    })
    .add_systems(PreUpdate, obey_keys.after(InputSystems))
    .add_systems(Update, draw_rays)
    .add_systems(
        Startup,
        move |mut commands: Commands, mut gizmos: ResMut<GizmoConfigStore>| {
            commands.spawn(camera(center, height));
            gizmos.config_mut::<PhysicsGizmos>().0.line.width = LINE;
        },
    );
    scene(&mut app);
    app.add_plugins(PhysicsGizmosPlugin);
    if let Some(file) = file {
        app.insert_resource(Picture { file, time })
            .add_systems(Update, take_picture);
    }
    app.run();
}

fn explain() {
    let names: Vec<&str> = scenes::ALL.iter().map(|(scene, _)| *scene).collect();
    println!("name one of these scenes: {}", names.join(", "));
}

fn camera(center: (f32, f32), height: f32) -> impl Bundle {
    let projection = OrthographicProjection {
        scaling_mode: ScalingMode::FixedVertical {
            viewport_height: height,
        },
        ..OrthographicProjection::default_2d()
    };
    (
        Camera2d,
        Projection::Orthographic(projection),
        Transform::from_xyz(center.0, center.1, 0.0),
    )
}

/// Passes the arrow keys to the scenes that have an input.
fn obey_keys(
    keys: Res<ButtonInput<KeyCode>>,
    push: Option<ResMut<scenes::marbles::Push>>,
    walk: Option<ResMut<scenes::kinematic_character::Walk>>,
    jump: Option<ResMut<scenes::one_way_platform::Input>>,
) {
    let is_down = |key| keys.pressed(key);
    let way = |low, high| f32::from(i8::from(is_down(high)) - i8::from(is_down(low)));
    let right = way(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    if let Some(mut push) = push {
        push.0 = 8.0 * Vec2::new(right, way(KeyCode::ArrowDown, KeyCode::ArrowUp));
    }
    // The character walks by itself until a key is pressed.
    if let Some(mut walk) = walk
        && (right != 0.0 || keys.get_just_released().next().is_some())
    {
        walk.0 = 2.0 * right;
    }
    if let Some(mut input) = jump {
        input.jump = is_down(KeyCode::ArrowUp);
        input.drop = is_down(KeyCode::ArrowDown);
    }
}

/// Draws each ray of the lidar up to what it hit in the last step.
fn draw_rays(readings: Option<Res<scenes::ray_casts::Readings>>, mut gizmos: Gizmos) {
    let hits = readings.iter().flat_map(|readings| &readings.0);
    for (ray, hit) in hits.enumerate() {
        let length = hit.map_or(scenes::ray_casts::RANGE, |(_, distance)| distance);
        gizmos.line_2d(Vec2::ZERO, length * scenes::ray_casts::direction(ray), RAY);
    }
}

/// Writes the picture once its time has come, and ends the program when it is written.
fn take_picture(mut commands: Commands, picture: Option<Res<Picture>>, time: Res<Time<Fixed>>) {
    let Some(picture) = picture.filter(|picture| time.elapsed_secs() >= picture.time) else {
        return;
    };
    commands
        .spawn(Screenshot::primary_window())
        .observe(save_to_disk(picture.file.clone()))
        .observe(
            |_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                exit.write(AppExit::Success);
            },
        );
    commands.remove_resource::<Picture>();
}
