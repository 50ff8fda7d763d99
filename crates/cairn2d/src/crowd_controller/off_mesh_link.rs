//! Links: stretches of a way that are not walked like others, such as a jump, a ladder or a door.

use super::error::ControllerError;
use cairn2d_geometry::math::WorldPoint;

/// A stretch between two points of a way, one after the other, that is not walked like others: a jump, a ladder, a
/// door. The walker stops at its start and waits until it is told how to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffMeshLink {
    /// Index of the point where it starts; it ends at the next one.
    pub start: usize,
    /// What it is; the caller's own number, which events carry.
    pub kind: u32,
}

/// A way that a path-finder tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Points to go through, the goal last \[m\].
    pub points: Vec<WorldPoint>,
    /// Stretches that are not walked like others.
    pub links: Vec<OffMeshLink>,
}

impl From<Vec<WorldPoint>> for Path {
    fn from(points: Vec<WorldPoint>) -> Self {
        Self {
            points,
            links: Vec::new(),
        }
    }
}

/// How far a walker is with the link that starts at its next point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Crossing {
    /// It has not come to its start.
    #[default]
    Pending,
    /// It waits there.
    Waiting,
    /// It may walk on.
    OnFoot,
    /// Somebody else moves the body.
    Suspended,
}

/// Refuses links that start at no point, or at the last one.
pub(super) fn check_links(links: &[OffMeshLink], points: usize) -> Result<(), ControllerError> {
    match links.iter().find(|link| link.start + 1 >= points) {
        Some(link) => Err(ControllerError::NoLink {
            start: link.start,
            points,
        }),
        None => Ok(()),
    }
}
