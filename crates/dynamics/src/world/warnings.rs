//! Warnings: states of a world that are allowed, and usually a mistake.

use crate::body::def::BodyKind;
use crate::id::{BodyId, JointId, ShapeId};
use crate::joint::JointDef;
use crate::tuning::MAX_STEP;
use crate::world::{BodyRef, ShapeRef, World};
use cairn2d_geometry::math::{PI, Pose, Vec2};
use cairn2d_geometry::{ChainSegment, Shape};
use core::fmt;

/// Magnitude of an angle above which it is probably in degrees \[rad\]: a full turn.
const LARGE_ANGLE: f32 = 2.0 * PI;

/// A world whose smallest moving body is larger, or whose largest is smaller, is probably not in meters \[m\].
/// The default tolerances suit 0.1 m to 10 m. Sprites are wider than 10 pixels; toys and tools are larger than
/// a centimeter.
const USUAL_SIZES: [f32; 2] = [0.01, 10.0];

/// Something that is allowed but usually a mistake. Its text names the object and gives the reason.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A dynamic body has no mass: nothing moves it.
    Massless {
        /// The body.
        body: BodyId,
        /// Why it has none.
        cause: MasslessCause,
    },
    /// Steps were longer than [`MAX_STEP`](crate::MAX_STEP), and time was lost.
    ClampedSteps {
        /// Number since the world was made.
        count: usize,
    },
    /// A body was created with an angle of more than a full turn: degrees for radians.
    LargeBodyAngle {
        /// The body.
        body: BodyId,
    },
    /// A frame of a joint, or the limit or spring of a revolute joint, is at more than a full turn: degrees for radians.
    LargeJointAngle {
        /// The joint.
        joint: JointId,
        /// The angle \[rad\].
        angle: f32,
    },
    /// The solid side of each segment of an open chain faces down: bodies fall through it from above.
    ChainFacesDown {
        /// The body of the chain.
        body: BodyId,
        /// Its first segment.
        shape: ShapeId,
    },
    /// All moving bodies are very large: pixels or centimeters for meters.
    LargeBodies {
        /// The smallest of them.
        body: BodyId,
        /// Its size \[m\].
        size: f32,
    },
    /// All moving bodies are very small: kilometers for meters.
    SmallBodies {
        /// The largest of them.
        body: BodyId,
        /// Its size \[m\].
        size: f32,
    },
}

/// Why a dynamic body has no mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MasslessCause {
    /// It has no shape.
    NoShape,
    /// Its shapes are segments, chains and half-spaces, which have no mass.
    Lines,
    /// Its shapes with an area have density 0.
    Density,
    /// Its mass was set to 0.
    Set,
}

impl fmt::Display for MasslessCause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::NoShape => "it has no shape",
            Self::Lines => "its shapes are lines, which have no area, or half-spaces",
            Self::Density => "its shapes have density 0",
            Self::Set => "its mass was set to 0",
        })
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Massless { body, cause } => write!(
                out,
                "{body:?} is dynamic and has no mass, so that gravity and forces do not move it: {cause}"
            ),
            Self::ClampedSteps { count } => write!(
                out,
                "{count} steps were longer than {MAX_STEP} s and were cut to that: `dt` is in seconds"
            ),
            Self::LargeBodyAngle { body } => write!(
                out,
                "{body:?} was created with an angle of more than a full turn: angles are in radians"
            ),
            Self::LargeJointAngle { joint, angle } => write!(
                out,
                "{joint:?} has a limit, spring or frame at {angle}, more than a full turn: angles are in radians"
            ),
            Self::ChainFacesDown { body, shape } => write!(
                out,
                "the chain of {body:?} that begins with {shape:?} is solid from below only: unless it is a ceiling, \
                 reverse its points or use `Chain::ground`"
            ),
            Self::LargeBodies { body, size } => write!(
                out,
                "the smallest moving body, {body:?}, is {size} m large: lengths are in meters, not in pixels"
            ),
            Self::SmallBodies { body, size } => write!(
                out,
                "the largest moving body, {body:?}, is {size} m large: lengths are in meters"
            ),
        }
    }
}

impl Warning {
    /// Returns the body that the warning is about, if it is about one.
    #[must_use]
    pub fn body(&self) -> Option<BodyId> {
        match self {
            Self::Massless { body, .. }
            | Self::LargeBodyAngle { body }
            | Self::ChainFacesDown { body, .. }
            | Self::LargeBodies { body, .. }
            | Self::SmallBodies { body, .. } => Some(*body),
            Self::ClampedSteps { .. } | Self::LargeJointAngle { .. } => None,
        }
    }
}

/// # Warnings
impl World {
    /// Returns warnings about common mistakes, with ids: by kind, then in order of slot.
    ///
    /// It reads all bodies, shapes and joints: call it once if a scene does not work as expected, not in each
    /// step. [`Counters`](crate::Counters) counts the kinds that a step can count at no cost.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, World};
    ///
    /// let mut world = World::default();
    /// world.create_body(BodyDef::dynamic());
    /// world.step(16.6);
    /// let texts: Vec<String> = world.warnings().iter().map(ToString::to_string).collect();
    /// assert!(texts[0].contains("no mass") && texts[0].contains("no shape"));
    /// assert!(texts[1].contains("seconds"));
    /// ```
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut found: Vec<Warning> = self.massless_bodies().map(warn_of_mass).collect();
        let count = self.counters.clamped_steps;
        found.extend((count > 0).then_some(Warning::ClampedSteps { count }));
        let large = self.bodies.large_angles.iter();
        found.extend(large.map(|slot| Warning::LargeBodyAngle {
            body: self.bodies.slots.id_at(slot),
        }));
        found.extend(self.joints().filter_map(|joint| {
            let angle = large_angle(joint.def())?;
            let joint = joint.id();
            Some(Warning::LargeJointAngle { joint, angle })
        }));
        for body in self.bodies().filter(BodyRef::is_enabled) {
            self.warn_of_chains(&body, &mut found);
        }
        found.extend(self.warn_of_scale());
        found
    }

    /// Adds a warning for each open chain of the body that faces down as a whole.
    fn warn_of_chains(&self, body: &BodyRef<'_>, found: &mut Vec<Warning>) {
        // First shape of the chain that goes on, whether it faces down so far, and its last segment.
        let mut chain: Option<(ShapeId, bool, &ChainSegment)> = None;
        for shape in body.shapes().filter(|shape| !shape.is_sensor()) {
            let Shape::ChainSegment(segment) = shape.geometry() else {
                chain = None;
                continue;
            };
            let normal: Vec2 = body.rotation() * segment.normal();
            let down = normal.dot(&self.def.gravity) > 0.0;
            let goes_on = chain.filter(|(.., last)| last.ghost_after() == Some(segment.b()));
            chain = match (segment.ghost_before(), goes_on) {
                (None, _) => Some((shape.id(), down, segment)),
                (Some(_), Some((first, all, _))) => Some((first, all && down, segment)),
                (Some(_), None) => None,
            };
            if let (Some((first, true, _)), None) = (chain, segment.ghost_after()) {
                let body = body.id();
                found.push(Warning::ChainFacesDown { body, shape: first });
            }
        }
    }

    /// Returns a warning if all dynamic bodies are outside of the usual sizes, on the same side.
    fn warn_of_scale(&self) -> Option<Warning> {
        let moving = self
            .bodies()
            .filter(|body| body.kind() == BodyKind::Dynamic && body.is_enabled());
        let sizes = moving.filter_map(|body| {
            let size = body
                .shapes()
                .map(|shape| size_of(&shape))
                .fold(0.0, f32::max);
            (size > 0.0).then_some((body.id(), size))
        });
        let (mut smallest, mut largest) = (None, None);
        for (body, size) in sizes {
            if smallest.is_none_or(|(_, least)| size < least) {
                smallest = Some((body, size));
            }
            if largest.is_none_or(|(_, most)| size > most) {
                largest = Some((body, size));
            }
        }
        let [least, most] = USUAL_SIZES;
        let (body, size) = smallest?;
        if size > most {
            return Some(Warning::LargeBodies { body, size });
        }
        let (body, size) = largest?;
        (size < least).then_some(Warning::SmallBodies { body, size })
    }
}

fn warn_of_mass(body: BodyRef<'_>) -> Warning {
    let is_line = |shape: ShapeRef<'_>| {
        matches!(
            shape.geometry(),
            Shape::Segment(_) | Shape::ChainSegment(_) | Shape::HalfSpace(_)
        )
    };
    let cause = if body.mass_override().is_some() {
        MasslessCause::Set
    } else if body.shapes().next().is_none() {
        MasslessCause::NoShape
    } else if body.shapes().all(is_line) {
        MasslessCause::Lines
    } else {
        MasslessCause::Density
    };
    let body = body.id();
    Warning::Massless { body, cause }
}

/// Returns an angle of a joint that is more than a full turn \[rad\]. That of the target of a motor joint may be the sum of
/// many turns.
fn large_angle(def: &JointDef) -> Option<f32> {
    let base = def.base();
    let frames = match def {
        JointDef::Motor(_) => [None, Some(base.frame_b.angle)],
        _ => [Some(base.frame_a.angle), Some(base.frame_b.angle)],
    };
    let (limit, spring) = match def {
        JointDef::Revolute(def) => (def.limit, def.spring),
        _ => (None, None),
    };
    let limits = limit.map(|limit| [limit.lower, limit.upper]);
    let target = spring.map(|spring| spring.target);
    let angles = limits.into_iter().flatten().chain(target);
    angles
        .chain(frames.into_iter().flatten())
        .find(|angle| angle.is_finite() && angle.abs() > LARGE_ANGLE)
}

/// Longer side of the box around a shape \[m\]; 0 for a half-space, which has none.
fn size_of(shape: &ShapeRef<'_>) -> f32 {
    if matches!(shape.geometry(), Shape::HalfSpace(_)) {
        return 0.0;
    }
    2.0 * shape.geometry().aabb(&Pose::identity()).extents().max()
}

/// Returns `true` for an angle \[rad\] that is probably in degrees.
pub(super) fn is_large_angle(angle: f32) -> bool {
    angle.abs() > LARGE_ANGLE
}
