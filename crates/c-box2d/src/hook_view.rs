//! What a callback of a step may read: its two shapes and their bodies, copied for the call.
//!
//! The step borrows the world, so getters cannot; for these two shapes and bodies they answer from here.

use crate::convert::body_type;
use crate::types::*;
use cairn2d::{Filter, HookShape, Material, Shape};
use core::cell::{Cell, RefCell};

/// A shape of a callback, and its body.
#[derive(Clone)]
pub(crate) struct ShapeView {
    pub(crate) shape: b2ShapeId,
    pub(crate) body: b2BodyId,
    pub(crate) kind: b2BodyType,
    pub(crate) transform: b2Transform,
    pub(crate) velocity: b2Vec2,
    pub(crate) angular_velocity: f32,
    pub(crate) body_user_data: usize,
    pub(crate) user_data: usize,
    pub(crate) filter: Filter,
    pub(crate) material: Material,
    pub(crate) is_sensor: bool,
    pub(crate) geometry: Shape,
}

impl ShapeView {
    pub(crate) fn new(side: &HookShape<'_>, world0: u16, user_data: usize) -> Self {
        Self {
            shape: b2ShapeId::of(side.id(), world0),
            body: b2BodyId::of(side.body(), world0),
            kind: body_type(side.kind()),
            transform: b2Transform::new(side.position(), b2Rot::of_angle(side.angle())),
            velocity: side.velocity().into(),
            angular_velocity: side.angular_velocity(),
            body_user_data: side.body_user_data() as usize,
            user_data,
            filter: side.filter(),
            material: *side.material(),
            is_sensor: side.is_sensor(),
            geometry: side.geometry().clone(),
        }
    }
}

thread_local! {
    /// The world whose callback runs on this thread.
    static WORLD: Cell<Option<u16>> = const { Cell::new(None) };
    /// The shapes of the callback.
    static CURRENT: RefCell<Option<[ShapeView; 2]>> = const { RefCell::new(None) };
}

/// Ends the view, also when the callback panics.
struct Ending;

impl Drop for Ending {
    fn drop(&mut self) {
        WORLD.set(None);
        CURRENT.set(None);
    }
}

/// Calls a callback that may read two shapes.
pub(crate) fn during<R>(views: [ShapeView; 2], callback: impl FnOnce() -> R) -> R {
    let world0 = views[0].shape.world0;
    CURRENT.set(Some(views));
    within(world0, callback)
}

/// Calls a callback of a step of a world.
pub(crate) fn within<R>(world0: u16, callback: impl FnOnce() -> R) -> R {
    WORLD.set(Some(world0));
    let _ending = Ending;
    callback()
}

/// Returns `true` on a thread that runs a callback of a step of the world.
pub(crate) fn is_within(world0: u16) -> bool {
    WORLD.get() == Some(world0)
}

/// Reads a shape of the callback, if it is one.
pub(crate) fn shape<R>(id: b2ShapeId, read: impl FnOnce(&ShapeView) -> R) -> Option<R> {
    find(|view| view.shape == id, read)
}

/// Reads a shape of a body of the callback, if the body has one there.
pub(crate) fn body<R>(id: b2BodyId, read: impl FnOnce(&ShapeView) -> R) -> Option<R> {
    find(|view| view.body == id, read)
}

fn find<R>(is_it: impl Fn(&ShapeView) -> bool, read: impl FnOnce(&ShapeView) -> R) -> Option<R> {
    CURRENT.with_borrow(|current| {
        let views = current.as_ref()?;
        views.iter().find(|view| is_it(view)).map(read)
    })
}
