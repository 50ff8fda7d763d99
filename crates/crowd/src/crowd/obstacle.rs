//! Obstacles of a crowd, and views of one of them.

use crate::crowd::Crowd;
use crate::error::{CrowdError, demand};
use crate::obstacles::obstacle::{Motion, Obstacle, ObstacleDef};
use crate::store::id::ObstacleId;
use cairn2d_geometry::math::WorldPoint;
use core::borrow::Borrow;

/// A view of one obstacle.
#[derive(Clone, Copy, Debug)]
pub struct ObstacleRef<'a> {
    id: ObstacleId,
    obstacle: &'a Obstacle,
}

impl<'a> ObstacleRef<'a> {
    /// Returns the id of the obstacle.
    #[must_use]
    pub fn id(&self) -> ObstacleId {
        self.id
    }

    /// Returns its pose and velocity.
    #[must_use]
    pub fn motion(&self) -> Motion {
        self.obstacle.motion
    }

    /// Iterates over its corners in the world \[m\]: a closed ring, solid on its left; an open line is traversed there
    /// and back.
    pub fn corners(&self) -> impl Iterator<Item = WorldPoint> + use<'a> {
        let obstacle = self.obstacle;
        let arms = (0..obstacle.ring.len()).map(|i| obstacle.arm(i));
        arms.map(|arm| obstacle.motion.position + arm)
    }
}

/// A mutable view of one obstacle.
#[derive(Debug)]
pub struct ObstacleMut<'a> {
    crowd: &'a mut Crowd,
    slot: u32,
}

impl ObstacleMut<'_> {
    /// Moves the obstacle; from then on it counts as moving.
    ///
    /// # Panics
    /// If a number of `motion` is out of range; [`try_set_motion`](Self::try_set_motion) returns the error instead.
    #[track_caller]
    pub fn set_motion(&mut self, motion: Motion) {
        demand(self.try_set_motion(motion), "move the obstacle");
    }

    /// Moves the obstacle; from then on it counts as moving.
    ///
    /// # Errors
    /// The first number that is out of range. The obstacle is then unchanged.
    pub fn try_set_motion(&mut self, motion: Motion) -> Result<(), CrowdError> {
        motion.validate()?;
        if let Some(obstacle) = self.crowd.obstacles.at_mut(self.slot) {
            obstacle.motion = motion;
            let moved = core::mem::replace(&mut obstacle.moves, true);
            self.crowd.standing_is_stale |= !moved;
        }
        Ok(())
    }
}

impl Crowd {
    /// Adds an obstacle. The definition may be passed by value or by reference.
    ///
    /// # Panics
    /// If `def` is invalid; [`try_create_obstacle`](Self::try_create_obstacle) returns the error instead.
    #[track_caller]
    pub fn create_obstacle(&mut self, def: impl Borrow<ObstacleDef>) -> ObstacleId {
        demand(self.try_create_obstacle(def), "create the obstacle")
    }

    /// Adds an obstacle.
    ///
    /// # Errors
    /// If `def` is invalid: see [`ObstacleDef::validate`]. The crowd is then unchanged.
    pub fn try_create_obstacle(
        &mut self,
        def: impl Borrow<ObstacleDef>,
    ) -> Result<ObstacleId, CrowdError> {
        let def = def.borrow();
        def.validate()?;
        let obstacle = Obstacle::new(def);
        self.standing_is_stale |= !obstacle.moves;
        Ok(self.obstacles.insert(obstacle))
    }

    /// Removes an obstacle.
    ///
    /// Returns `true` if the obstacle existed: a stale or foreign id changes nothing.
    pub fn destroy_obstacle(&mut self, id: ObstacleId) -> bool {
        let removed = self.obstacles.remove(id);
        self.standing_is_stale |= removed.as_ref().is_some_and(|o| !o.moves);
        removed.is_some()
    }

    /// Returns the number of obstacles.
    #[must_use]
    pub fn obstacle_count(&self) -> usize {
        self.obstacles.len()
    }

    /// Returns a view of an obstacle.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_obstacle`](Self::get_obstacle) returns `None` instead.
    #[must_use]
    #[track_caller]
    pub fn obstacle(&self, id: ObstacleId) -> ObstacleRef<'_> {
        let obstacle = self.obstacles.expect(id);
        ObstacleRef { id, obstacle }
    }

    /// Returns a view of an obstacle, or `None` if `id` is stale or foreign.
    #[must_use]
    pub fn get_obstacle(&self, id: ObstacleId) -> Option<ObstacleRef<'_>> {
        let obstacle = self.obstacles.get(id)?;
        Some(ObstacleRef { id, obstacle })
    }

    /// Returns a view that can change an obstacle.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_obstacle_mut`](Self::get_obstacle_mut) returns `None` instead.
    #[track_caller]
    pub fn obstacle_mut(&mut self, id: ObstacleId) -> ObstacleMut<'_> {
        self.obstacles.expect(id);
        let slot = id.index();
        ObstacleMut { crowd: self, slot }
    }

    /// Returns a view that can change an obstacle, or `None` if `id` is stale or foreign.
    pub fn get_obstacle_mut(&mut self, id: ObstacleId) -> Option<ObstacleMut<'_>> {
        self.obstacles.get(id)?;
        let slot = id.index();
        Some(ObstacleMut { crowd: self, slot })
    }

    /// Iterates over the obstacles in order of their slots.
    pub fn obstacles(&self) -> impl Iterator<Item = ObstacleRef<'_>> {
        self.obstacles.iter().map(|(slot, obstacle)| ObstacleRef {
            id: self.obstacles.id_at(slot),
            obstacle,
        })
    }

    /// Updates the obstacles that [`Self::is_visible`] reads.
    ///
    /// [`Self::solve`] does so by itself. Needed only for queries before the first step, or between changes of
    /// obstacles and the next step.
    pub fn update_obstacles(&mut self) {
        if core::mem::take(&mut self.standing_is_stale) {
            self.standing.build(&self.obstacles, false);
        }
        self.moving.build(&self.obstacles, true);
    }
}
