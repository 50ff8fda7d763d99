//! The parts that joints are made of: each formula once, for as many joints as there are lanes.

pub(crate) mod lane_vec;
pub(crate) mod pair;
pub(crate) mod row;
pub(crate) mod block;
pub(crate) mod point;
pub(crate) mod angle;
pub(crate) mod axis;
pub(crate) mod spring;
pub(crate) mod drive;
