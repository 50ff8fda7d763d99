//! Local collision avoidance for crowds.
#![forbid(unsafe_code)]
