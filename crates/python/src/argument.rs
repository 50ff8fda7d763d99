//! Arguments: pairs of numbers, arrays, and definitions as keyword arguments.

use crate::error::{Refusal, finite, refuse};
use cairn2d::{Point, Vec2, WorldPoint};
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyList, PyString};
use serde::Deserialize;

/// Two numbers: a tuple, a list, an array or any sequence of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair(pub(crate) [f64; 2]);

impl<'a, 'py> FromPyObject<'a, 'py> for Pair {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(|Row(numbers)| Self(numbers))
    }
}

/// `N` values: a tuple, a list, an array or any sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<T, const N: usize>(pub(crate) [T; N]);

impl<'a, 'py, T, const N: usize> FromPyObject<'a, 'py> for Row<T, N>
where
    T: Copy + Default + for<'i> FromPyObject<'i, 'py>,
{
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let refused = || PyTypeError::new_err(format!("must be {N} numbers"));
        if object.len().map_err(|_| refused())? != N {
            return Err(refused());
        }
        let mut row = [T::default(); N];
        for (i, value) in row.iter_mut().enumerate() {
            let item = object.get_item(i).map_err(|_| refused())?;
            *value = item.extract().map_err(|_| refused())?;
        }
        Ok(Self(row))
    }
}

impl Pair {
    pub(crate) fn vec(self) -> Vec2 {
        Vec2::new(self.0[0] as f32, self.0[1] as f32)
    }

    pub(crate) fn point(self) -> Point {
        Point::from(self.vec())
    }

    pub(crate) fn place(self) -> WorldPoint {
        WorldPoint::new(self.0[0], self.0[1])
    }

    /// Returns the place, if both numbers are finite.
    pub(crate) fn finite_place(self, name: &'static str) -> PyResult<WorldPoint> {
        self.0
            .iter()
            .try_for_each(|&x| finite(name, x))
            .map_err(refuse)?;
        Ok(self.place())
    }

    /// Returns the vector, if both numbers are finite.
    pub(crate) fn finite_vec(self, name: &'static str) -> PyResult<Vec2> {
        let vec = self.vec();
        vec.iter()
            .try_for_each(|&x| finite(name, x.into()))
            .map_err(refuse)?;
        Ok(vec)
    }
}

/// Returns the number, if it is finite.
pub(crate) fn finite_number(name: &'static str, value: f32) -> PyResult<f32> {
    finite(name, value.into()).map_err(refuse)?;
    Ok(value)
}

/// Refuses an array of another shape.
fn refuse_shape(name: &str, shape: &[usize], wanted: &str) -> PyErr {
    refuse(Refusal::argument(
        name,
        format!("{name} has the shape {shape:?}, which is not {wanted}"),
    ))
}

/// Makes an array of `f64` of an argument.
fn float_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let numpy = object.py().import("numpy")?;
    numpy.call_method1("ascontiguousarray", (object, "float64"))
}

/// Reads an array of `rows` rows (any number of them, if `None`) and `columns` columns of finite numbers.
pub(crate) fn matrix<'py>(
    name: &'static str,
    object: &Bound<'py, PyAny>,
    rows: Option<usize>,
    columns: usize,
) -> PyResult<PyReadonlyArray2<'py, f64>> {
    let array = float_array(object)?;
    let wanted = rows.map_or_else(
        || format!("(n, {columns})"),
        |n| format!("({n}, {columns})"),
    );
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let fits = shape.len() == 2 && shape[1] == columns && rows.is_none_or(|rows| rows == shape[0]);
    if !fits {
        return Err(refuse_shape(name, &shape, &wanted));
    }
    let array = array.cast_into::<PyArray2<f64>>()?.readonly();
    let finite_all = array.as_slice()?.iter().try_for_each(|&x| finite(name, x));
    finite_all.map_err(refuse)?;
    Ok(array)
}

/// Reads an array of `len` finite numbers.
pub(crate) fn column<'py>(
    name: &'static str,
    object: &Bound<'py, PyAny>,
    len: usize,
) -> PyResult<PyReadonlyArray1<'py, f64>> {
    let array = float_array(object)?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape != [len] {
        return Err(refuse_shape(name, &shape, &format!("({len},)")));
    }
    let array = array.cast_into::<PyArray1<f64>>()?.readonly();
    array
        .as_slice()?
        .iter()
        .try_for_each(|&x| finite(name, x))
        .map_err(refuse)?;
    debug_assert_eq!(array.len(), len);
    Ok(array)
}

/// Reads points, an array of shape (n, 2).
pub(crate) fn points(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Vec<Point>> {
    let array = matrix(name, object, None, 2)?;
    let rows = array.as_slice()?.chunks_exact(2);
    Ok(rows
        .map(|row| Point::new(row[0] as f32, row[1] as f32))
        .collect())
}

/// Fields of definitions that are given as sequences, and the names of their parts.
const TUPLES: [(&str, &[&str]); 10] = [
    ("limit", &["lower", "upper"]),
    ("motor", &["speed", "max_effort"]),
    ("spring", &["hertz", "damping_ratio", "target"]),
    ("softness", &["hertz", "damping_ratio"]),
    ("linear", &["hertz", "damping_ratio"]),
    ("angular", &["hertz", "damping_ratio"]),
    ("linear_spring", &["hertz", "damping_ratio"]),
    ("angular_spring", &["hertz", "damping_ratio"]),
    ("target", &["point", "radius", "speed"]),
    ("locks", &["x", "y", "rotation"]),
];

/// Fields whose values are names of variants.
const NAMES: [&str; 7] = [
    "kind",
    "initial_state",
    "continuous",
    "broad_phase",
    "friction_rule",
    "restitution_rule",
    "model",
];

/// Writes `fell_asleep` as `FellAsleep`.
pub(crate) fn camel_case(name: &str) -> String {
    let words = name.split('_');
    words
        .map(|word| word[..1.min(word.len())].to_uppercase() + &word[1.min(word.len())..])
        .collect()
}

/// Writes `FellAsleep` as `fell_asleep`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// Returns a value of a definition as Python's own types: arrays and numbers of NumPy, vectors and other sequences become lists and
/// numbers, in records too.
fn plain<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    if let Ok(record) = value.cast::<PyDict>() {
        let out = PyDict::new(py);
        for (name, item) in record.iter() {
            out.set_item(name, plain(&item)?)?;
        }
        return Ok(out.into_any());
    }
    let is_plain = value.is_none()
        || value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyBytes>()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyFloat>();
    if is_plain {
        return Ok(value.clone());
    }
    if let Ok(of_numpy) = value.getattr("tolist") {
        return of_numpy.call0();
    }
    if value.len().is_err() {
        return Ok(value.clone());
    }
    let items = value.try_iter()?.map(|item| plain(&item?));
    let items: Vec<_> = items.collect::<PyResult<_>>()?;
    Ok(PyList::new(py, items)?.into_any())
}

/// Returns a copy of keyword arguments in which sequences are lists or records, and names of variants are those of Rust.
pub(crate) fn normalized<'py>(
    py: Python<'py>,
    fields: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    let Some(fields) = fields else {
        return Ok(out);
    };
    for (name, value) in fields.iter() {
        out.set_item(name, plain(&value)?)?;
    }
    for (field, parts) in TUPLES {
        let Some(value) = out.get_item(field)? else {
            continue;
        };
        if let Ok(list) = value.cast::<PyList>() {
            let record = PyDict::new(py);
            for (part, item) in parts.iter().zip(list.iter()) {
                record.set_item(part, item)?;
            }
            if list.len() > parts.len() {
                let message = format!("{field} has more than {} parts", parts.len());
                return Err(refuse(Refusal::argument(field, message)));
            }
            out.set_item(field, record)?;
        }
    }
    for field in NAMES {
        if let Some(value) = fields.get_item(field)?
            && let Ok(name) = value.extract::<String>()
        {
            out.set_item(field, camel_case(&name))?;
        }
    }
    Ok(out)
}

/// Moves the named fields into a record of their own.
pub(crate) fn nest(fields: &Bound<'_, PyDict>, record: &str, names: &[&str]) -> PyResult<()> {
    let inner = match fields.get_item(record)? {
        Some(given) => given.cast_into::<PyDict>().map_err(PyErr::from)?.copy()?,
        None => PyDict::new(fields.py()),
    };
    for name in names {
        if let Some(value) = fields.get_item(name)? {
            inner.set_item(name, value)?;
            fields.del_item(name)?;
        }
    }
    fields.set_item(record, inner)
}

/// Reads a definition; fields that are left out have their defaults, unknown ones are refused by name.
pub(crate) fn definition<T: for<'de> Deserialize<'de>>(fields: &Bound<'_, PyDict>) -> PyResult<T> {
    let mut reader = pythonize::Depythonizer::from_object(fields);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        refuse(Refusal::argument(
            &path,
            format!("{path}: {}", error.inner()),
        ))
    })
}
