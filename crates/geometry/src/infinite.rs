//! Numbers that may be infinite, as data: text formats have no infinite numbers, so these are the words `"inf"`
//! and `"-inf"` there.

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::Serializer;

/// Returns the default of limits that are left out.
#[must_use]
pub const fn positive() -> f32 {
    f32::INFINITY
}

/// Writes a number.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    if !serializer.is_human_readable() || value.is_finite() {
        return serializer.serialize_f32(*value);
    }
    serializer.serialize_str(if *value > 0.0 { "inf" } else { "-inf" })
}

/// Reads a number.
///
/// # Errors
/// If it is neither a number nor one of the words.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(NumberOrWord)
    } else {
        f32::deserialize(deserializer)
    }
}

struct NumberOrWord;

impl Visitor<'_> for NumberOrWord {
    type Value = f32;

    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("a number, \"inf\" or \"-inf\"")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f32, E> {
        let number = value as f32;
        // A number that is too large is a mistake, and does not mean "no limit".
        if number.is_infinite() && value.is_finite() {
            return Err(E::invalid_value(Unexpected::Float(value), &self));
        }
        Ok(number)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f32, E> {
        Ok(value as f32)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f32, E> {
        Ok(value as f32)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<f32, E> {
        match word {
            "inf" => Ok(f32::INFINITY),
            "-inf" => Ok(f32::NEG_INFINITY),
            _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
        }
    }
}

/// The same for numbers that may be missing.
pub mod option {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct MaybeInfinite(#[serde(with = "super")] f32);

    /// Writes a number, if there is one.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(value: &Option<f32>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(MaybeInfinite).serialize(serializer)
    }

    /// Reads a number, if there is one.
    ///
    /// # Errors
    /// See [`deserialize`](super::deserialize).
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f32>, D::Error> {
        let number = Option::<MaybeInfinite>::deserialize(deserializer)?;
        Ok(number.map(|MaybeInfinite(value)| value))
    }
}
