//! Routes, and the progress of a walker on its route.

use super::error::{ControllerError, measure};
use super::off_mesh_link::{Crossing, OffMeshLink, Path, check_links};
use super::path_finder::SIGHT_SHARE;
use crate::numbers::{check_coordinate, not_negative};
use cairn2d_crowd::{AgentId, Crowd};
use cairn2d_geometry::math::WorldPoint;

/// Time with the next point out of sight after which a new path is requested \[s\].
///
/// Long enough for a body to pass by, short enough that no agent seems lost.
const REPLAN_TIME: f32 = 1.0;

/// Maximum number of points of a fixed route that are tested on the way back to it.
const MAX_BACKTRACK: usize = 64;

/// Maximum distance of a point to which a walker skips, in look-ahead distances: farther away there may be
/// walls that are not obstacles of the crowd yet.
const MAX_SKIP_LOOKAHEADS: f32 = 4.0;

/// Source of the points of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Planning {
    /// The points of the route, in order.
    #[default]
    Fixed,
    /// The path finder: only the last point of the route counts, as the goal. A path is requested at the
    /// start, and again when the next point was out of sight, or the walker was stuck, for a second.
    Asked,
}

/// A route of a walker: plain data.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Points in the world \[m\]; the last one is the goal.
    pub points: Vec<WorldPoint>,
    /// Segments between consecutive points that are not walked.
    pub links: Vec<OffMeshLink>,
    /// Speed without obstruction [m/s].
    pub speed: f32,
    /// Distance from the goal within which the walker has arrived \[m\].
    pub arrival_radius: f32,
    /// Distance along the path to the point that the walker heads for \[m\]: it cuts corners by up to this distance
    /// where walls allow. With 0 it passes through every point.
    pub look_ahead: f32,
    /// Source of the points of the path.
    pub planning: Planning,
}

impl Default for Route {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            links: Vec::new(),
            speed: 1.4,
            arrival_radius: 0.2,
            look_ahead: 1.0,
            planning: Planning::Fixed,
        }
    }
}

impl Route {
    /// Returns a route through `points` \[m\].
    #[must_use]
    pub fn through<P: Into<WorldPoint>>(points: impl IntoIterator<Item = P>) -> Self {
        Self {
            points: points.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// Returns a route to `goal` \[m\] on a path of the path finder.
    #[must_use]
    pub fn to(goal: impl Into<WorldPoint>) -> Self {
        Self {
            planning: Planning::Asked,
            ..Self::through([goal])
        }
    }

    /// Makes the segment from the point of index `start` to the next an off-mesh link; `kind` is a number of
    /// the caller.
    #[must_use]
    pub fn link(mut self, start: usize, kind: u32) -> Self {
        self.links.push(OffMeshLink { start, kind });
        self
    }

    /// Sets the speed [m/s].
    #[must_use]
    pub fn speed(mut self, speed: f32) -> Self {
        self.speed = speed;
        self
    }

    /// Checks every number.
    ///
    /// # Errors
    /// The first field that is not finite, negative, outside of the world or above
    /// [`MAX_MEASURE`](cairn2d_crowd::MAX_MEASURE); no points; a link without end point.
    pub fn validate(&self) -> Result<(), ControllerError> {
        for p in &self.points {
            check_coordinate("points.x", p.x)?;
            check_coordinate("points.y", p.y)?;
        }
        measure("speed", self.speed)?;
        measure("arrival_radius", self.arrival_radius)?;
        not_negative("look_ahead", self.look_ahead)?;
        if self.points.is_empty() {
            return Err(ControllerError::NoPoints);
        }
        check_links(&self.links, self.points.len())
    }
}

/// The progress of a walker on its route.
#[derive(Clone, Debug)]
pub(super) struct RouteProgress {
    pub(super) route: Route,
    /// Points of the route, or of the path from the path finder.
    pub(super) points: Vec<WorldPoint>,
    pub(super) links: Vec<OffMeshLink>,
    pub(super) crossing: Crossing,
    /// Index of the next point.
    pub(super) next: usize,
    /// Time for which the next point was out of sight or the walker stuck \[s\].
    pub(super) blocked_time: f32,
}

/// An agent and its view of the crowd.
#[derive(Clone, Copy)]
pub(super) struct AgentView<'a> {
    pub(super) crowd: &'a Crowd,
    pub(super) agent: AgentId,
    pub(super) position: WorldPoint,
    pub(super) radius: f32,
    pub(super) mask: u32,
}

impl AgentView<'_> {
    fn sees(&self, place: WorldPoint) -> bool {
        let radius = SIGHT_SHARE * self.radius;
        self.crowd
            .is_visible(self.position, place, radius, self.mask)
    }
}

/// Destination of a walker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Heading {
    /// To the goal, where it stops.
    Goal(WorldPoint),
    /// To a point on the path.
    Onward(WorldPoint),
    /// Nowhere, until the caller starts the crossing of the link that starts here.
    Wait,
    /// Nowhere, since there is no path.
    Nowhere,
}

impl RouteProgress {
    pub(super) fn new(route: Route) -> Self {
        let (points, links) = match route.planning {
            Planning::Fixed => (route.points.clone(), route.links.clone()),
            Planning::Asked => Default::default(),
        };
        // A walker without path requests one at once.
        let blocked_time = if points.is_empty() { REPLAN_TIME } else { 0.0 };
        Self {
            route,
            points,
            links,
            crossing: Crossing::Pending,
            next: 0,
            blocked_time,
        }
    }

    /// Returns the link that starts at the next point.
    pub(super) fn link(&self) -> Option<OffMeshLink> {
        let starts_here = |link: &&OffMeshLink| link.start == self.next;
        self.links.iter().find(starts_here).copied()
    }

    /// Passes the next point.
    pub(super) fn advance(&mut self) {
        self.next += 1;
        self.crossing = Crossing::Pending;
    }

    pub(super) fn goal(&self) -> WorldPoint {
        self.route.points[self.route.points.len() - 1]
    }

    /// Returns `true` if it is time to request a path, and restarts the time until the next request.
    pub(super) fn take_replan_request(&mut self) -> bool {
        let lost = self.blocked_time >= REPLAN_TIME;
        if lost {
            self.blocked_time = 0.0;
        }
        lost
    }

    /// Follows a path from the path finder from its start.
    pub(super) fn take(&mut self, path: Path) {
        (self.points, self.links) = (path.points, path.links);
        (self.next, self.crossing) = (0, Crossing::Pending);
    }

    /// Returns to the last visible point; keeps the next one if none is visible.
    pub(super) fn backtrack(&mut self, from: &AgentView<'_>) {
        let first = self.next.saturating_sub(MAX_BACKTRACK);
        let mut places = (first..=self.next).rev();
        if let Some(place) = places.find(|&i| from.sees(self.points[i])) {
            (self.next, self.crossing) = (place, Crossing::Pending);
        }
    }

    /// Passes the points that were reached and returns where to head now.
    pub(super) fn heading(&mut self, from: &AgentView<'_>, dt: f32) -> Heading {
        if self.points.is_empty() {
            self.blocked_time += dt;
            return Heading::Nowhere;
        }
        let mut place = self.lookahead_point(from);
        while self.next + 1 < self.points.len() && self.has_passed(from, place) {
            if self.link().is_some() && self.crossing != Crossing::OnFoot {
                self.crossing = Crossing::Waiting;
                self.blocked_time = 0.0;
                return Heading::Wait;
            }
            self.advance();
            place = self.lookahead_point(from);
        }
        let is_stuck = from.crowd.agent(from.agent).is_stuck() || !from.sees(place);
        self.blocked_time = if is_stuck {
            self.blocked_time + dt
        } else {
            0.0
        };
        if self.next + 1 == self.points.len() {
            return Heading::Goal(place);
        }
        Heading::Onward(place)
    }

    /// Returns the point at the look-ahead distance along the path if it is visible, else the next point.
    fn lookahead_point(&self, from: &AgentView<'_>) -> WorldPoint {
        let next = self.points[self.next];
        if self.link().is_some() {
            return next;
        }
        let beyond = self.route.look_ahead - (next - from.position).norm();
        let Some(&after) = self.points.get(self.next + 1) else {
            return next;
        };
        let segment = after - next;
        let length = segment.norm();
        if beyond <= 0.0 || length <= 0.0 {
            return next;
        }
        let place = next + segment * (beyond.min(length) / length);
        if from.sees(place) { place } else { next }
    }

    /// Returns `true` if the next point may be skipped, which is so on paths of the path finder only: else
    /// all agents that pass a corner, from both sides, head for the same point.
    fn can_skip(&self, from: &AgentView<'_>, after: WorldPoint) -> bool {
        let near = (after - from.position).norm() <= MAX_SKIP_LOOKAHEADS * self.route.look_ahead;
        self.route.planning == Planning::Asked && near && from.sees(after)
    }

    /// Returns `true` if the next point was passed: reached, or skipped with the following segment visible
    /// from here.
    fn has_passed(&self, from: &AgentView<'_>, place: WorldPoint) -> bool {
        let next = self.points[self.next];
        let offset = next - from.position;
        let reach = self.route.arrival_radius.max(from.radius);
        let after = self.points[self.next + 1];
        if offset.norm() <= reach || self.link().is_some() {
            return offset.norm() <= reach;
        }
        (place != next && self.is_beside_next_segment(from, next, after))
            || self.can_skip(from, after)
    }

    /// Returns `true` if the walker is beside the segment from `next` to `after` and sees the point ahead on
    /// it. Before a corner a walker can be beside the segment behind the corner.
    fn is_beside_next_segment(
        &self,
        from: &AgentView<'_>,
        next: WorldPoint,
        after: WorldPoint,
    ) -> bool {
        let segment = after - next;
        let length = segment.norm();
        let along = (from.position - next).dot(&segment) / length;
        let ahead = (along + self.route.look_ahead).min(length);
        along > 0.0 && from.sees(next + segment * (ahead / length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_crowd::{AgentDef, ObstacleDef};
    use cairn2d_geometry::math::point;

    /// A crowd of one agent at (`x`, `y`), and a wall along x = 1 from y = -2 up.
    fn behind_wall(x: f32, y: f32) -> (Crowd, AgentId) {
        let mut crowd = Crowd::default();
        crowd.create_obstacle(ObstacleDef::line([point(1.0, -2.0), point(1.0, 20.0)]));
        let agent = crowd.create_agent(AgentDef::at((x, y)));
        crowd.update_obstacles();
        (crowd, agent)
    }

    fn agent_view(crowd: &Crowd, agent: AgentId) -> AgentView<'_> {
        let position = crowd.agent(agent).position();
        AgentView {
            crowd,
            agent,
            position,
            radius: 0.3,
            mask: u32::MAX,
        }
    }

    #[test]
    fn walker_looks_round_a_corner_only_where_it_sees() {
        let route = Route::through([(1.0, -2.5), (1.0, 9.0)]);
        let check = |x: f32, y: f32, target_velocity: (f32, f32)| {
            let (crowd, agent) = behind_wall(x, y);
            let mut progress = RouteProgress::new(route.clone());
            let heading = progress.heading(&agent_view(&crowd, agent), 0.1);
            assert_eq!(
                heading,
                Heading::Onward(WorldPoint::from(target_velocity)),
                "from {x}, {y}"
            );
        };
        check(-4.0, 0.0, (1.0, -2.5));
        // Near the corner the way beyond it goes into the wall: no short cut.
        check(0.5, -2.5, (1.0, -2.5));
    }

    #[test]
    fn corner_is_cut_in_the_open() {
        let (crowd, agent) = behind_wall(-4.5, 0.0);
        let mut progress = RouteProgress::new(Route::through([(-4.0, 0.0), (-4.0, -9.0)]));
        let heading = progress.heading(&agent_view(&crowd, agent), 0.1);
        assert_eq!(heading, Heading::Onward(WorldPoint::new(-4.0, -0.5)));
    }

    #[test]
    fn corner_is_not_behind_as_long_as_the_wall_is_between() {
        // The wall ends at (1, -2); the way leads round its end and up behind it.
        let (crowd, agent) = behind_wall(0.6, -2.3);
        let route = Route::through([(1.4, -2.5), (1.4, 9.0)]);
        let mut progress = RouteProgress::new(route);
        let _ = progress.heading(&agent_view(&crowd, agent), 0.1);
        assert_eq!(progress.next, 0);
        let (crowd, agent) = behind_wall(1.9, -1.9);
        let _ = progress.heading(&agent_view(&crowd, agent), 0.1);
        assert_eq!(progress.next, 1);
    }

    #[test]
    fn walker_out_of_sight_of_its_way_goes_back() {
        let (crowd, agent) = behind_wall(0.0, 0.0);
        let mut progress =
            RouteProgress::new(Route::through([(-3.0, 0.0), (0.0, -3.0), (3.0, 0.0)]));
        progress.next = 2;
        for _ in 0..10 {
            let _ = progress.heading(&agent_view(&crowd, agent), 0.1);
        }
        assert!(progress.take_replan_request());
        progress.backtrack(&agent_view(&crowd, agent));
        assert_eq!(progress.next, 1);
    }

    #[test]
    fn bad_routes_are_refused_by_name() {
        let check = |route: Route, text: &str| {
            assert_eq!(route.validate().unwrap_err().to_string(), text);
        };
        check(Route::default(), "a route needs at least one point, got 0");
        check(
            Route::to((f32::NAN, 0.0)),
            "points.x is NaN, which is not a finite number",
        );
        check(
            Route::to((1.0, 2.0)).speed(-3.0),
            "speed is -3, which is negative",
        );
        let far = Route {
            arrival_radius: 1.0e30,
            ..Route::to((1.0, 2.0))
        };
        check(
            far,
            "arrival_radius is 1000000015047466200000000000000, which is not in 0 to 1000000000",
        );
        check(
            Route::to((1.0, 2.0)).link(usize::MAX, 0),
            "a link starts at point 18446744073709551615 of 1: it needs a point after it",
        );
    }
}
