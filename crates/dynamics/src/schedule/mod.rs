//! In which order constraints are solved, for the caches: by island batches and by place. No result depends on it.

pub(crate) mod island_batches;
pub(crate) mod spatial_order;
