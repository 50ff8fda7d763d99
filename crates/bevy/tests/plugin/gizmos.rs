//! gizmos
