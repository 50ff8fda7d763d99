//! Errors of the engine as exceptions of JavaScript.

use cairn2d::{JointDefError, ShapeError, ValueError, WorldError};
use core::fmt::Display;
use js_sys::{Error, Reflect};
use wasm_bindgen::JsValue;

/// Name of all exceptions.
const NAME: &str = "CairnError";

/// Something that becomes an exception.
pub(crate) trait Thrown: Display {
    /// Returns the argument that was refused, and its value, where one number was.
    fn argument(&self) -> Option<(&str, f64)>;
}

/// Returns the exception: an `Error` named `CairnError`, with the fields `argument` and `value` where one number was refused.
pub(crate) fn thrown(error: &impl Thrown) -> JsValue {
    let exception = Error::new(&error.to_string());
    exception.set_name(NAME);
    if let Some((argument, value)) = error.argument() {
        set(&exception, "argument", argument.into());
        set(&exception, "value", value.into());
    }
    exception.into()
}

/// Returns the exception of an argument that is no number.
pub(crate) fn refused(argument: &str, reason: &str) -> JsValue {
    let exception = Error::new(&format!("{argument} {reason}"));
    exception.set_name(NAME);
    set(&exception, "argument", argument.into());
    exception.into()
}

/// Sets a field of an object.
pub(crate) fn set(object: &JsValue, field: &str, value: JsValue) {
    // Fails for frozen objects and proxies only, which no object of this crate is.
    let _ = Reflect::set(object, &field.into(), &value);
}

impl Thrown for ValueError {
    fn argument(&self) -> Option<(&str, f64)> {
        match self {
            Self::NotFinite { name, value }
            | Self::Negative { name, value }
            | Self::NotPositive { name, value }
            | Self::OutOfWorld { name, value, .. }
            | Self::OutOfRange { name, value, .. } => Some((name, *value)),
            _ => None,
        }
    }
}

impl Thrown for ShapeError {
    fn argument(&self) -> Option<(&str, f64)> {
        match self {
            Self::NotFinite { what, value }
            | Self::NotPositive { what, value }
            | Self::Negative { what, value }
            | Self::TooLarge { what, value, .. }
            | Self::TooSmall { what, value, .. } => Some((what, (*value).into())),
            _ => None,
        }
    }
}

impl Thrown for JointDefError {
    fn argument(&self) -> Option<(&str, f64)> {
        match self {
            Self::NotFinite { field, value }
            | Self::Negative { field, value }
            | Self::NotPositive { field, value }
            | Self::OutOfWorld { field, value, .. } => Some((field, (*value).into())),
            _ => None,
        }
    }
}

impl Thrown for WorldError {
    fn argument(&self) -> Option<(&str, f64)> {
        match self {
            Self::Value(error) => error.argument(),
            Self::Joint(error) => error.argument(),
            Self::NoSuchBody(id) => Some(("body", id.to_bits() as f64)),
            Self::NoSuchShape(id) => Some(("shape", id.to_bits() as f64)),
            Self::NoSuchJoint(id) => Some(("joint", id.to_bits() as f64)),
            _ => None,
        }
    }
}
