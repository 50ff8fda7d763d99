//! picking
