//! Obstacles: outlines, their edges in a tree, and the velocity obstacles of edges.

pub(crate) mod obstacle;
pub(crate) mod edge;
pub(crate) mod edge_tree;
pub(crate) mod wall;
