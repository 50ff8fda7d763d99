//! Lengths that the geometry treats as small, each with its reason.

/// Gap that touching shapes may keep \[m\].
///
/// Contacts come to rest with up to this much overlap, so that a resting contact does not flicker
/// between touching and apart. Choose a size that no player notices: half a centimeter in a world
/// with people of 2 m. Smaller: resting contacts break and re-form. Larger: bodies visibly
/// sink or float.
pub const LINEAR_SLOP: f32 = 0.005;

/// Distance up to which a manifold reports points that do not touch yet \[m\].
///
/// The solver stops such points exactly at the surface, so that a body never enters another just because a
/// step is finite. Smaller: fast bodies overlap before they are detected. Larger: more points to solve, and
/// ghost contacts with shapes that would have been missed.
pub const SPECULATIVE_DISTANCE: f32 = 4.0 * LINEAR_SLOP;

/// Difference of separations that counts as none when a contact face is chosen \[m\].
///
/// A hundredth of the slop: far above the rounding of coordinates of some meters, far below the
/// errors that a solver corrects. Smaller: faces and feature ids flicker. Larger: the reported separation is off
/// by up to this much.
pub const FACE_TOLERANCE: f32 = 0.01 * LINEAR_SLOP;

/// Sine of the turn between two chain segments up to which their joint counts as flat.
///
/// About half a degree. Smaller: rounding of a straight floor makes corners that bodies catch on.
/// Larger: real corners are missed.
pub const SMOOTH_CORNER: f32 = 0.01;
