//! Simple polygons with holes, cut into triangles and convex pieces without rounding.

mod border;
mod bridge;
mod ears;
mod merge;

pub use border::DecomposeError;

use crate::math::Point;
use border::Border;

/// Cuts the region inside `outline` and outside all `holes` into triangles.
///
/// Outlines may run either way round. All triangles are counter-clockwise, their corners are corners of
/// the input, and together they cover the region exactly once. Takes time in proportion to the square of the
/// count of corners, or worse for many holes.
///
/// # Errors
/// If the input is not a simple polygon with simple, separate holes inside: see [`DecomposeError`].
pub fn triangulate(
    outline: &[Point],
    holes: &[&[Point]],
) -> Result<Vec<[Point; 3]>, DecomposeError> {
    let border = Border::new(outline, holes)?;
    let triangles = ears::cut_ears(&border)?;
    Ok(triangles
        .iter()
        .map(|t| t.map(|i| border.points[i]))
        .collect())
}

/// Cuts the region inside `outline` and outside all `holes` into convex pieces.
///
/// As [`triangulate`], with triangles merged where the result stays convex: at most four times as many
/// pieces as the fewest possible [HertelMehlhorn83, sec. 3]. Corners at which a piece goes straight on are left out.
///
/// # Errors
/// If the input is not a simple polygon with simple, separate holes inside: see [`DecomposeError`].
pub fn convex_pieces(
    outline: &[Point],
    holes: &[&[Point]],
) -> Result<Vec<Vec<Point>>, DecomposeError> {
    let border = Border::new(outline, holes)?;
    let triangles = ears::cut_ears(&border)?;
    let pieces = merge::merge_triangles(&border.points, &triangles);
    Ok(pieces
        .into_iter()
        .map(|piece| piece.into_iter().map(|i| border.points[i]).collect())
        .collect())
}
