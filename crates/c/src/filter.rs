//! Filters of shapes and of queries.

use crate::failure::Failure;
use crate::pointer::Context;
use crate::values::{CAIRN_FALSE, cairn_body_id, cairn_bool, cairn_shape_id};
use engine::{BodyKinds, Filter, QueryFilter, Sensors, ShapeId};
use std::ffi::c_void;

/// Selects the shapes with which a shape collides: those whose mask has its category, and whose category is in its mask.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct cairn_filter {
    /// Categories of the shape, one bit each.
    pub category: u64,
    /// Categories with which it collides.
    pub mask: u64,
    /// Shapes of the same group collide always if it is positive, and never if it is negative. 0: no group.
    pub group: i32,
    /// No meaning; keeps the size free of gaps.
    pub reserved: u32,
}

impl From<cairn_filter> for Filter {
    fn from(filter: cairn_filter) -> Self {
        Self {
            category: filter.category,
            mask: filter.mask,
            group: filter.group,
        }
    }
}

impl From<Filter> for cairn_filter {
    fn from(filter: Filter) -> Self {
        Self {
            category: filter.category,
            mask: filter.mask,
            group: filter.group,
            reserved: 0,
        }
    }
}

/// A set of kinds of bodies: a sum of the values below.
pub type cairn_body_kinds = u32;

/// Static bodies.
pub const CAIRN_STATIC_BODIES: cairn_body_kinds = 1;
/// Kinematic bodies.
pub const CAIRN_KINEMATIC_BODIES: cairn_body_kinds = 2;
/// Dynamic bodies.
pub const CAIRN_DYNAMIC_BODIES: cairn_body_kinds = 4;
/// All bodies.
pub const CAIRN_ALL_BODIES: cairn_body_kinds = 7;

pub(crate) fn body_kinds(kinds: cairn_body_kinds, name: &str) -> Result<BodyKinds, Failure> {
    if kinds & !CAIRN_ALL_BODIES != 0 {
        return Err(Failure::unknown(name, kinds));
    }
    Ok(BodyKinds {
        fixed: kinds & CAIRN_STATIC_BODIES != 0,
        kinematic: kinds & CAIRN_KINEMATIC_BODIES != 0,
        dynamic: kinds & CAIRN_DYNAMIC_BODIES != 0,
    })
}

pub(crate) fn kinds_of(kinds: BodyKinds) -> cairn_body_kinds {
    u32::from(kinds.fixed) * CAIRN_STATIC_BODIES
        + u32::from(kinds.kinematic) * CAIRN_KINEMATIC_BODIES
        + u32::from(kinds.dynamic) * CAIRN_DYNAMIC_BODIES
}

/// Selects the shapes that a query finds.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cairn_query_filter {
    /// Categories of the query, one bit each.
    pub category: u64,
    /// Categories that the query finds.
    pub mask: u64,
    /// Body that it ignores; bits of 0: none.
    pub exclude: cairn_body_id,
    /// Kinds of bodies whose shapes it finds: see cairn_body_kinds.
    pub kinds: cairn_body_kinds,
    /// Whether the query finds sensors.
    pub sensors: cairn_bool,
    /// Called for each shape that passes the rest of the filter; the query finds it if the result is not 0. Null: all.
    /// It may read the world in queries, and must not throw. cairn_world_cast_rays() may call it from several threads.
    pub accept: Option<extern "C" fn(context: *mut c_void, shape: cairn_shape_id) -> cairn_bool>,
    /// Handed to `accept`.
    pub context: *mut c_void,
}

/// Returns a filter that finds all solid shapes.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_query_filter() -> cairn_query_filter {
    let filter = QueryFilter::default();
    cairn_query_filter {
        category: filter.category,
        mask: filter.mask,
        exclude: cairn_body_id::default(),
        kinds: kinds_of(filter.kinds),
        sensors: cairn_bool::from(filter.sensors == Sensors::Included),
        accept: None,
        context: std::ptr::null_mut(),
    }
}

impl cairn_query_filter {
    /// Returns the filter without the callback, for definitions that outlive the call.
    pub(crate) fn to_static(self) -> Result<QueryFilter<'static>, Failure> {
        Ok(QueryFilter {
            category: self.category,
            mask: self.mask,
            exclude: (self.exclude.bits != 0).then(|| self.exclude.into()),
            kinds: body_kinds(self.kinds, "filter.kinds")?,
            sensors: if self.sensors == CAIRN_FALSE {
                Sensors::Ignored
            } else {
                Sensors::Included
            },
            predicate: None,
        })
    }
}

/// Runs a query with the caller's filter; null is the default filter.
pub(crate) fn with_filter<T>(
    filter: Option<cairn_query_filter>,
    query: impl FnOnce(QueryFilter<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some(filter) = filter else {
        return query(QueryFilter::default());
    };
    let plain = filter.to_static()?;
    let Some(accept) = filter.accept else {
        return query(plain);
    };
    let context = Context::new(filter.context);
    let predicate = move |shape: ShapeId| accept(context.pointer(), shape.into()) != CAIRN_FALSE;
    query(plain.accept(&predicate))
}
