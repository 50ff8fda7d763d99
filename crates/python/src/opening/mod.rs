//! First steps of linkages whose anchors are apart, as Box2D makes them.
//!
//! Programs for Box2D create linkages open by half a meter and more, and rely on its first steps to join them: its position solver
//! moves the bodies together without velocity, which takes some steps if they meet the ground on the way. Gymnasium's walker starts so,
//! and how it fares depends on the pose and the speed in which its legs come together. The engine closes gaps by forces, which
//! would throw the bodies. So an open linkage of revolute joints is moved by the rules of Box2D 2.3 until it is closed, and the
//! engine goes on from there.
//!
//! In words, after `b2Island::Solve` and `b2World::SolveTOI`:
//!
//! 1. Gravity and forces change the velocities, which joints and contacts with static shapes then correct.
//! 2. The bodies move, and joints and contacts correct their positions.
//! 3. A body that went through a static shape on the way is taken back to the first touch, and goes on from there by itself.
//!
//! Bodies of a linkage with other joints are only moved together, once.
//!
//! The `mod` lines below are the layer order, lowest first.

mod fixpoint;
mod part;
mod hinge;
mod manifold;
mod touch;
mod impact;
mod linkage;

pub(crate) use linkage::{Opening, open_linkages};

/// Iterations of a step: of velocities and of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Iterations {
    pub(crate) velocity: u32,
    pub(crate) position: u32,
}

/// Error of positions that stays [m]: `b2_linearSlop`.
const SLOP: f32 = 0.005;

/// Error of angles that stays [rad]: `b2_angularSlop`, 2 degrees.
const ANGULAR_SLOP: f32 = 2.0 / 180.0 * cairn2d::math::PI;

/// Greatest correction of an angle in an iteration [rad]: `b2_maxAngularCorrection`, 8 degrees.
const MAX_TURN: f32 = 8.0 / 180.0 * cairn2d::math::PI;

/// Greatest correction of an overlap in an iteration [m]: `b2_maxLinearCorrection`.
const MAX_PUSH: f32 = 0.2;

/// Greatest motion of a body in a step [m] and [rad]: `b2_maxTranslation`, `b2_maxRotation`.
const MAX_MOTION: [f32; 2] = [2.0, 0.5 * cairn2d::math::PI];
