//! The order in which constraints are solved, by island batches and by place, to suit the caches. No result depends
//! on it.

pub(crate) mod island_batches;
pub(crate) mod spatial_order;
