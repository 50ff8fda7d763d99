//! Answers and events: named tuples of `cairn2d._records`.

use cairn2d::{Vec2, WorldPoint};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyModule;

static RECORDS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// Makes the named tuple `name` of these fields.
pub(crate) fn record<'py>(
    py: Python<'py>,
    name: &str,
    fields: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let import = || py.import("cairn2d._records").map(Bound::unbind);
    let records = RECORDS.get_or_try_init(py, import)?.bind(py);
    records.getattr(name)?.call1(fields)
}

pub(crate) fn pair(vec: Vec2) -> (f32, f32) {
    (vec.x, vec.y)
}

pub(crate) fn place(point: WorldPoint) -> (f64, f64) {
    (point.x, point.y)
}
