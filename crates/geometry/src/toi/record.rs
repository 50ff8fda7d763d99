//! Records of a time of impact: its state and result.

use crate::math::{Point, Vec2};

/// Part of the target by which a separation may differ from it.
pub(super) const TARGET_TOLERANCE: f64 = 0.25;
/// State of a time of impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToiState {
    /// Not computed yet.
    #[default]
    Unknown,
    /// Not converged: nothing touches up to the fraction; the rest of the motion is unknown.
    Failed,
    /// They touch or overlap from the start.
    Overlapped,
    /// They come within the target distance at the fraction.
    Touching,
    /// They stay apart all the way.
    Separated,
}

/// When and where two moving shapes first touch, in the frame of the sweeps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TimeOfImpact {
    /// Outcome of the search.
    pub state: ToiState,
    /// Fraction of the sweeps up to which nothing touches.
    pub fraction: f32,
    /// Distance of the surfaces at the fraction, if touching \[m\].
    pub separation: f32,
    /// Middle between the nearest points at the fraction, if touching \[m\].
    pub point: Point,
    /// Unit vector from A to B at the fraction, if touching.
    pub normal: Vec2,
    /// Number of distances measured.
    pub distance_iterations: u32,
    /// Number of interval ends searched for the deepest points.
    pub push_iterations: u32,
    /// Number of steps of the root finder.
    pub root_iterations: u32,
}

/// Returns the largest `f32` that is not above `fraction`, which is not negative: later would be past
/// the contact.
pub(super) fn floor_to_single(fraction: f64) -> f32 {
    let nearest = fraction as f32;
    if f64::from(nearest) > fraction {
        nearest.next_down()
    } else {
        nearest
    }
}
