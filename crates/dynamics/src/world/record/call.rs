//! The calls that change a world, as data: one variant for each, with its arguments.
//!
//! Not listed are calls that consist of others, such as `BodyMut::move_to`: their parts are recorded. A test of the
//! sources compares the list with the public methods. A new call gets the next number; numbers never change their
//! meaning, since recordings hold them.

use crate::answers::Answers;
use crate::body::def::{BodyDef, BodyKind, Continuous, Locks};
use crate::id::{BodyId, JointId, ShapeId};
use crate::ignored_pairs::IgnoreFor;
use crate::joint::JointDef;
use crate::material::{Filter, Material};
use crate::shape::def::ShapeDef;
use crate::world::Wind;
use crate::world_def::WorldDef;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{LoadError, LoadReason, MassData, Number, Persist, Reader, Shape, Sink};
use core::fmt;

/// Defines an enum of calls and how they are written: the number, then the arguments in order. A function cannot do
/// this, since it has no names of variants.
macro_rules! calls {
    ($(#[$doc:meta])* $name:ident {
        $($call:ident { $($argument:ident: $type:ty),* $(,)? } = $number:literal),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub(crate) enum $name {
            $($call { $($argument: $type),* }),*
        }

        impl $name {
            /// Names of all calls, in order of the list.
            const NAMES: &'static [&'static str] = &[$(stringify!($call)),*];

            const fn name(&self) -> &'static str {
                match self {
                    $(Self::$call { .. } => stringify!($call)),*
                }
            }
        }

        impl Persist for $name {
            fn write<S: Sink>(&self, sink: &mut S) {
                match self {
                    $(Self::$call { $($argument),* } => {
                        sink.number(Number::U8($number));
                        $(sink.field(stringify!($argument), $argument);)*
                    })*
                }
            }

            fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
                let start = *reader;
                Ok(match reader.read::<u8>()? {
                    $($number => Self::$call { $($argument: reader.read()?),* },)*
                    number => return Err(start.error(LoadReason::Tag(number.into()))),
                })
            }
        }
    };
}

calls! {
    /// A call that changes a world.
    Call {
        World { call: WorldCall } = 0,
        Body { body: BodyId, call: BodyCall } = 1,
        Shape { shape: ShapeId, call: ShapeCall } = 2,
        Joint { joint: JointId, call: JointCall } = 3,
    }
}

impl Call {
    /// Returns the object and the name of the call.
    pub(crate) const fn names(&self) -> [&'static str; 2] {
        let call = match self {
            Self::World { call } => call.name(),
            Self::Body { call, .. } => call.name(),
            Self::Shape { call, .. } => call.name(),
            Self::Joint { call, .. } => call.name(),
        };
        [self.name(), call]
    }

    /// Returns the names of all calls that can be recorded.
    pub(crate) fn all_names() -> impl Iterator<Item = [&'static str; 2]> {
        let calls = [
            WorldCall::NAMES,
            BodyCall::NAMES,
            ShapeCall::NAMES,
            JointCall::NAMES,
        ];
        let groups = Self::NAMES.iter().zip(calls);
        groups.flat_map(|(&object, calls)| calls.iter().map(move |&call| [object, call]))
    }
}

/// Names the call, its object and its arguments: `SetBullet { bullet: true } of body 3.0`.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::World { call } => write!(f, "{call:?}"),
            Self::Body { body, call } => write!(f, "{call:?} of {body:?}"),
            Self::Shape { shape, call } => write!(f, "{call:?} of {shape:?}"),
            Self::Joint { joint, call } => write!(f, "{call:?} of {joint:?}"),
        }
    }
}

calls! {
    /// A call of a method of the world.
    WorldCall {
        Step { dt: f32, answers: Answers } = 0,
        SetDef { def: Box<WorldDef> } = 1,
        CreateBody { def: Box<BodyDef> } = 2,
        DestroyBody { body: BodyId } = 3,
        CreateShape { body: BodyId, geometry: Box<Shape>, def: Box<ShapeDef> } = 4,
        DestroyShape { shape: ShapeId } = 5,
        CreateJoint { def: Box<JointDef> } = 6,
        DestroyJoint { joint: JointId } = 7,
        IgnorePair { a: BodyId, b: BodyId, how_long: IgnoreFor } = 8,
        UnignorePair { a: BodyId, b: BodyId } = 9,
        ShiftOrigin { origin: WorldPoint } = 10,
        SetHooks { pair_filter: bool, pre_solve: bool } = 11,
        FilterAgain { answers: Answers } = 12,
        RefreshHookedContacts {} = 13,
        BeginBatch {} = 14,
        EndBatch {} = 15,
    }
}

calls! {
    /// A call of a method of [`BodyMut`](crate::BodyMut).
    BodyCall {
        Wake {} = 0,
        Sleep {} = 1,
        SetVelocity { velocity: Vec2 } = 2,
        SetAngularVelocity { angular_velocity: f32 } = 3,
        SetPose { position: WorldPoint, angle: f32 } = 4,
        SetKind { kind: BodyKind } = 5,
        Enable {} = 6,
        Disable {} = 7,
        SetLocks { locks: Locks } = 8,
        SetContinuous { continuous: Continuous } = 9,
        SetBullet { bullet: bool } = 10,
        SetFastRotation { fast: bool } = 11,
        SetGravityScale { scale: f32 } = 12,
        SetDamping { linear: f32, angular: f32 } = 13,
        SetMaxLinearSpeed { speed: Option<f32> } = 14,
        SetMaxAngularSpeed { speed: f32 } = 15,
        SetCanSleep { can_sleep: bool } = 16,
        SetSleepSpeed { speed: f32 } = 17,
        SetMass { mass: Option<MassData> } = 18,
        SetUserData { user_data: u64 } = 19,
        ApplyForce { force: Vec2 } = 20,
        ApplyForceAt { force: Vec2, point: WorldPoint } = 21,
        ApplyTorque { torque: f32 } = 22,
        ApplyImpulse { impulse: Vec2 } = 23,
        ApplyImpulseAt { impulse: Vec2, point: WorldPoint } = 24,
        ApplyAngularImpulse { impulse: f32 } = 25,
        ApplyWind { wind: Wind } = 26,
        ApplyFluidForce { force: Vec2, torque: f32 } = 27,
    }
}

calls! {
    /// A call of a method of [`ShapeMut`](crate::ShapeMut).
    ShapeCall {
        SetGeometry { geometry: Box<Shape> } = 0,
        SetSensor { sensor: bool } = 1,
        SetFilter { filter: Filter } = 2,
        SetMaterial { material: Material } = 3,
        SetDensity { density: f32 } = 4,
        SetPreSolve { asked: bool } = 5,
        SetForceEventThreshold { threshold: f32 } = 6,
        SetUserData { user_data: u64 } = 7,
        ApplyWind { wind: Wind } = 8,
        Enable {} = 9,
        Disable {} = 10,
    }
}

calls! {
    /// A change of a joint.
    JointCall {
        SetDef { def: Box<JointDef> } = 0,
        SetUserData { user_data: u64 } = 1,
        Enable {} = 2,
        Disable {} = 3,
    }
}
