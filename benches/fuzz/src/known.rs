//! Defects of the engine that are known and not fixed yet: the fuzzer avoids the arguments that reach them, and excuses their panics.

/// Numbers of the open defects. Remove a number when its defect is fixed: its guards then let everything through.
///
/// * 2, 3: impulses of joints that are not numbers reach the boxes of bodies.
/// * 6: the torque of an explosion overflows.
/// * 9: the torque of an impulse at a point overflows after the velocity was changed.
/// * 10: the norm of a velocity overflows where its components do not.
/// * 11: a center of mass may lie beyond the edge of the world.
/// * 12: a gear may connect a joint with itself.
/// * 22: a gear between other bodies than those of its joints outlives these joints, and the step panics.
/// * 23: `BodyMut::move_to` panics where the way divided by a tiny step overflows.
/// * 24: anchors of joints have no bound, so their arms overflow where they are squared.
const OPEN: &[u32] = &[24];

/// Parts of the panics of open defects that no guard prevents.
const EXCUSED: &[(u32, &str)] = &[
    (2, "has a coordinate that is not finite"),
    (3, "has a coordinate that is not finite"),
    (2, "center WorldPoint { x: NaN"),
    (3, "center WorldPoint { x: NaN"),
    (6, "impulse is"),
    (9, "impulse is"),
    (10, ": velocity [["),
    (23, "velocity is ("),
];

/// Returns whether the defect of this number is still open.
pub(crate) fn is_open(defect: u32) -> bool {
    OPEN.contains(&defect)
}

/// Returns whether a panic is that of an open defect.
pub(crate) fn is_excused(message: &str) -> bool {
    let names = |(defect, part): &(u32, &str)| is_open(*defect) && message.contains(part);
    EXCUSED.iter().any(names)
}
