//! Errors of the engine as exceptions of JavaScript.
//!
//! The sentences are made here, with the numbers of JavaScript: to format a float in Rust takes 12 kB of a module.

use cairn2d::{JointDefError, ShapeError, ValueError, WorldError};
use js_sys::{Error, Number, Reflect};
use wasm_bindgen::JsValue;

/// Name of all exceptions.
const NAME: &str = "CairnError";

/// A refused argument, its value and the reason.
pub(crate) struct Refusal {
    argument: &'static str,
    /// The number that was refused, where it was one.
    value: Option<f64>,
    reason: &'static str,
}

impl Refusal {
    fn of(argument: &'static str, value: impl Into<f64>, reason: &'static str) -> Self {
        Self {
            argument,
            value: Some(value.into()),
            reason,
        }
    }

    const fn without_value(argument: &'static str, reason: &'static str) -> Self {
        Self {
            argument,
            value: None,
            reason,
        }
    }

    /// Returns the exception: an `Error` named `CairnError`, with the fields `argument` and, for a number, `value`.
    fn into_exception(self) -> JsValue {
        let Some(value) = self.value else {
            return refused(self.argument, self.reason);
        };
        let text = Number::from(value)
            .to_string_with_radix(10)
            .map_or_else(|_| String::new(), String::from);
        let exception = refused(
            self.argument,
            &["is ", &text, ", which ", self.reason].concat(),
        );
        set(&exception, "value", value.into());
        exception
    }
}

/// Something that becomes an exception.
pub(crate) trait Thrown {
    /// Returns the fact.
    fn refusal(&self) -> Refusal;
}

/// Returns the exception of an error.
pub(crate) fn thrown(error: &impl Thrown) -> JsValue {
    error.refusal().into_exception()
}

/// Returns the exception of an argument that is no number.
pub(crate) fn refused(argument: &str, reason: &str) -> JsValue {
    let exception = Error::new(&[argument, " ", reason].concat());
    exception.set_name(NAME);
    set(&exception, "argument", argument.into());
    exception.into()
}

/// Sets a field of an object.
pub(crate) fn set(object: &JsValue, field: &str, value: JsValue) {
    // Fails for frozen objects and proxies only, which no object of this crate is.
    let _ = Reflect::set(object, &field.into(), &value);
}

const NOT_FINITE: &str = "is not a finite number";
const NEGATIVE: &str = "is negative";
const NOT_POSITIVE: &str = "is not greater than zero";
const OUT_OF_WORLD: &str = "is beyond the edge of the world";
const OUT_OF_RANGE: &str = "is out of range";

impl Thrown for ValueError {
    fn refusal(&self) -> Refusal {
        match *self {
            Self::NotFinite { name, value } => Refusal::of(name, value, NOT_FINITE),
            Self::Negative { name, value } => Refusal::of(name, value, NEGATIVE),
            Self::NotPositive { name, value } => Refusal::of(name, value, NOT_POSITIVE),
            Self::OutOfWorld { name, value, .. } => Refusal::of(name, value, OUT_OF_WORLD),
            Self::OutOfRange { name, value, .. } => Refusal::of(name, value, OUT_OF_RANGE),
            _ => Refusal::without_value("a number", "is refused"),
        }
    }
}

impl Thrown for ShapeError {
    fn refusal(&self) -> Refusal {
        match *self {
            Self::NotFinite { what, value } => Refusal::of(what, value, NOT_FINITE),
            Self::NotPositive { what, value } => Refusal::of(what, value, NOT_POSITIVE),
            Self::Negative { what, value } => Refusal::of(what, value, NEGATIVE),
            Self::TooLarge { what, value, .. } => Refusal::of(what, value, "is too large"),
            Self::TooSmall { what, value, .. } => Refusal::of(what, value, "is too small"),
            Self::SamePoint { second, .. } => Refusal::of(
                "point",
                second as f64,
                "is the index of a point at the place of another",
            ),
            Self::TooFewPoints { count, .. } => Refusal::of("points", count as f64, "is too few"),
            Self::TooManyPoints { count, .. } => Refusal::of("points", count as f64, "is too many"),
            Self::TooFlat { short, .. } => {
                Refusal::of("half axis", short, "is too small for the other one")
            }
            Self::NoArea { .. } => {
                Refusal::without_value("points", "lie on one line, so they enclose no area")
            }
            _ => Refusal::without_value("shape", "is refused"),
        }
    }
}

impl Thrown for JointDefError {
    fn refusal(&self) -> Refusal {
        match *self {
            Self::NotFinite { field, value } => Refusal::of(field, value, NOT_FINITE),
            Self::Negative { field, value } => Refusal::of(field, value, NEGATIVE),
            Self::NotPositive { field, value } => Refusal::of(field, value, NOT_POSITIVE),
            Self::OutOfWorld { field, value, .. } => Refusal::of(field, value, OUT_OF_WORLD),
            Self::LimitsCross { field, lower, .. } => {
                Refusal::of(field, lower, "is a lower end above the upper one")
            }
            Self::SameBody => Refusal::without_value("bodyB", "must not be bodyA"),
            Self::SameJoint => Refusal::without_value("jointB", "must not be jointA"),
            Self::NotOnGearedJoint { field } => {
                Refusal::without_value(field, "must be a body of the joint on that side")
            }
            Self::NoSuchPart { part } => {
                Refusal::without_value(part, "is no part of a joint of this kind")
            }
            Self::NotGearable { field } => {
                Refusal::without_value(field, "must be a revolute or prismatic joint")
            }
            _ => Refusal::without_value("joint", "is refused"),
        }
    }
}

impl Thrown for WorldError {
    fn refusal(&self) -> Refusal {
        let stale =
            |name, bits: u64| Refusal::of(name, bits as f64, "is no id of this world (any more)");
        match self {
            Self::Value(error) => error.refusal(),
            Self::Joint(error) => error.refusal(),
            Self::NoSuchBody(id) => stale("body", id.to_bits()),
            Self::NoSuchShape(id) => stale("shape", id.to_bits()),
            Self::NoSuchJoint(id) => stale("joint", id.to_bits()),
            Self::TooLargeImpulse(_) => Refusal::without_value(
                "impulse",
                "is too large: the velocity would not be a finite number",
            ),
            Self::OtherJoint(_) => Refusal::without_value(
                "joint",
                "is of another kind than the definition, or has other bodies",
            ),
            _ => Refusal::without_value("world", "refused the call"),
        }
    }
}
