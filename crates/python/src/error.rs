//! Exceptions: each refusal of the engine as a class of `cairn2d`, with the name and the value of the argument.

use cairn2d::crowd::CrowdError;
use cairn2d::{
    CharacterError, JointDefError, LoadError, ReplayError, SceneError, ShapeError, ValueError,
    WorldError,
};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Class of an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    InvalidValue,
    StaleHandle,
    LoadError,
    WorldBusy,
}

impl Class {
    const fn name(self) -> &'static str {
        match self {
            Self::InvalidValue => "InvalidValue",
            Self::StaleHandle => "StaleHandle",
            Self::LoadError => "LoadError",
            Self::WorldBusy => "WorldBusy",
        }
    }
}

/// Reason why a call was refused; nothing has changed then.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    class: Class,
    message: String,
    name: Option<String>,
    value: Option<f64>,
}

impl Refusal {
    pub(crate) fn new(class: Class, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into(),
            name: None,
            value: None,
        }
    }

    /// Refuses the argument `name`, whose value is no number.
    pub(crate) fn argument(name: &str, message: impl Into<String>) -> Self {
        Self {
            name: Some(name.to_owned()),
            ..Self::new(Class::InvalidValue, message)
        }
    }

    /// Refuses the number `value` of the argument `name`.
    fn number(name: &str, value: impl Into<f64>, error: &dyn std::error::Error) -> Self {
        Self {
            value: Some(value.into()),
            ..Self::argument(name, error.to_string())
        }
    }

    fn other(error: &dyn std::error::Error) -> Self {
        Self::new(Class::InvalidValue, error.to_string())
    }
}

/// Turns an error of the engine into an exception.
pub(crate) fn refuse(error: impl Into<Refusal>) -> PyErr {
    error.into().into()
}

impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> Self {
        let Refusal {
            class,
            message,
            name,
            value,
        } = refusal;
        Python::attach(|py| {
            let made = py
                .import("cairn2d._errors")
                .and_then(|errors| errors.getattr(class.name()))
                .and_then(|class| class.call1((message, name, value)));
            match made {
                Ok(exception) => Self::from_value(exception),
                Err(error) => error,
            }
        })
    }
}

impl From<ValueError> for Refusal {
    fn from(error: ValueError) -> Self {
        match error {
            ValueError::NotFinite { name, value }
            | ValueError::Negative { name, value }
            | ValueError::NotPositive { name, value }
            | ValueError::OutOfWorld { name, value, .. }
            | ValueError::OutOfRange { name, value, .. } => Self::number(name, value, &error),
            _ => Self::other(&error),
        }
    }
}

impl From<JointDefError> for Refusal {
    fn from(error: JointDefError) -> Self {
        match error {
            JointDefError::NotFinite { field, value }
            | JointDefError::Negative { field, value }
            | JointDefError::NotPositive { field, value }
            | JointDefError::OutOfWorld { field, value, .. } => Self::number(field, value, &error),
            JointDefError::LimitsCross { field, lower, .. } => Self::number(field, lower, &error),
            JointDefError::NotOnGearedJoint { field } | JointDefError::NotGearable { field } => {
                Self::argument(field, error.to_string())
            }
            JointDefError::NoSuchPart { part } => Self::argument(part, error.to_string()),
            _ => Self::other(&error),
        }
    }
}

impl From<ShapeError> for Refusal {
    fn from(error: ShapeError) -> Self {
        match error {
            ShapeError::NotFinite { what, value }
            | ShapeError::NotPositive { what, value }
            | ShapeError::Negative { what, value }
            | ShapeError::TooLarge { what, value, .. }
            | ShapeError::TooSmall { what, value, .. } => Self::number(what, value, &error),
            _ => Self::other(&error),
        }
    }
}

impl From<WorldError> for Refusal {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Value(error) => error.into(),
            WorldError::Joint(error) => error.into(),
            WorldError::NoSuchBody(_) | WorldError::NoSuchShape(_) | WorldError::NoSuchJoint(_) => {
                Self::new(Class::StaleHandle, error.to_string())
            }
            _ => Self::other(&error),
        }
    }
}

impl From<CharacterError> for Refusal {
    fn from(error: CharacterError) -> Self {
        match error {
            CharacterError::Value(error) => error.into(),
            CharacterError::NoBody(_) => Self::new(Class::StaleHandle, error.to_string()),
            _ => Self::other(&error),
        }
    }
}

impl From<CrowdError> for Refusal {
    fn from(error: CrowdError) -> Self {
        match error {
            CrowdError::NotFinite { name, value } | CrowdError::OutOfRange { name, value, .. } => {
                Self::number(name, value, &error)
            }
            _ => Self::other(&error),
        }
    }
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Self {
        Self::new(Class::LoadError, error.to_string())
    }
}

impl From<ReplayError> for Refusal {
    fn from(error: ReplayError) -> Self {
        Self::new(Class::LoadError, error.to_string())
    }
}

impl From<SceneError> for Refusal {
    fn from(error: SceneError) -> Self {
        Self::other(&error)
    }
}

/// The first exception of the hooks of a world that was not raised yet.
#[derive(Clone, Default)]
pub(crate) struct HookError {
    first: Arc<Mutex<Option<PyErr>>>,
}

impl HookError {
    /// Keeps the first exception.
    pub(crate) fn note(&self, error: PyErr) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(error);
    }

    /// Forgets the exception of a hook that is replaced.
    pub(crate) fn forget(&self) {
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Raises the first exception, once.
    pub(crate) fn raise(&self) -> PyResult<()> {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.take().map_or(Ok(()), Err)
    }
}

/// Refuses a number that is infinite or not a number.
pub(crate) fn finite(name: &'static str, value: f64) -> Result<(), Refusal> {
    if value.is_finite() {
        return Ok(());
    }
    Err(ValueError::NotFinite { name, value }.into())
}
