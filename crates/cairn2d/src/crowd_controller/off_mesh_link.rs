//! Off-mesh links: segments of a path that are not walked, such as a jump, a ladder or a door.

use super::error::ControllerError;
use cairn2d_geometry::math::WorldPoint;

/// A segment between two consecutive points of a path that is not walked: a jump, a ladder, a door. The
/// walker stops at its start and waits for
/// [`CrowdController::cross_on_foot`](super::CrowdController::cross_on_foot) or
/// [`CrowdController::suspend`](super::CrowdController::suspend).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffMeshLink {
    /// Index of the start point; the link ends at the next point.
    pub start: usize,
    /// The caller's number for the kind of link, repeated in events.
    pub kind: u32,
}

/// A path from a path finder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Points of the path in the world, the goal last \[m\].
    pub points: Vec<WorldPoint>,
    /// Segments of the path that are not walked.
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

/// State of a walker with respect to the link that starts at its next point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Crossing {
    /// It has not reached the start.
    #[default]
    Pending,
    /// It waits at the start.
    Waiting,
    /// It may walk across.
    OnFoot,
    /// The caller moves the body.
    Suspended,
}

/// Checks that each link starts at a point that has a successor.
pub(super) fn check_links(links: &[OffMeshLink], points: usize) -> Result<(), ControllerError> {
    let last = points.saturating_sub(1);
    match links.iter().find(|link| link.start >= last) {
        Some(link) => Err(ControllerError::NoLink {
            start: link.start,
            points,
        }),
        None => Ok(()),
    }
}
