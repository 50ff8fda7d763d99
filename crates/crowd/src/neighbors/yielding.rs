//! Yielding: shares of two agents, and how agents with a low preferred speed yield to faster ones.
//!
//! An agent that is held up has zero velocity, so ORCA has nothing to avoid. A slower agent therefore takes the
//! preferred velocity of a faster one for its velocity, the more the lower its own preferred speed is.

use crate::store::agent::Params;
use cairn2d_geometry::math::{Vec2, vec2};
use core::cmp::Ordering;

/// Share of another's preferred speed from which on an agent does not yield.
///
/// Below 1, so that agents with equal preferred speeds use each other's actual velocities, and rounding decides
/// nothing.
const SIMILAR_SPEED: f32 = 0.9;

/// Returns whether an agent with the preferred speed `own` yields to no agent whose preferred speed is `greatest` at
/// most [m/s].
#[inline]
pub(crate) fn yields_to_none(own: f32, greatest: f32) -> bool {
    own >= SIMILAR_SPEED * greatest
}

/// Returns the velocity that an agent with the preferred speed `own` [m/s] expects of another with the preferred
/// velocity `wanted` and the actual velocity `[x, y]` [m/s].
#[inline]
pub(crate) fn expected([x, y]: [f32; 2], wanted: &Vec2, own: f32) -> Vec2 {
    let bound = SIMILAR_SPEED * wanted.norm();
    if own >= bound {
        return vec2(x, y);
    }
    let part = (bound - own) / bound;
    vec2(x + part * (wanted.x - x), y + part * (wanted.y - y))
}

/// Returns the share that an agent takes towards another: all of the change if the other does not consider it;
/// otherwise by right of way, and by weights among equals.
#[inline]
pub(crate) fn share(own: &Params, other: &Params) -> f32 {
    if other.mask & own.layers == 0 {
        return 1.0;
    }
    match own.priority.cmp(&other.priority) {
        Ordering::Less => 1.0,
        Ordering::Greater => 0.0,
        Ordering::Equal => {
            let sum = other.weight + own.weight;
            if sum > 0.0 { own.weight / sum } else { 0.5 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::agent::AgentDef;

    #[test]
    fn shares_follow_layers_then_right_of_way_then_weights() {
        let agent = |weight, priority, mask| {
            let def = AgentDef::default();
            Params::from(&AgentDef {
                weight,
                priority,
                mask,
                ..def
            })
        };
        let own = agent(1.0, 1, 1);
        for (other, expected) in [
            (agent(1.0, 1, 1), 0.5),
            (agent(3.0, 1, 1), 0.25),
            (agent(0.0, 2, 1), 1.0),
            (agent(9.0, 0, 1), 0.0),
            (agent(1.0, 0, 2), 1.0),
        ] {
            assert_eq!(share(&own, &other), expected);
        }
        assert_eq!(share(&agent(0.0, 1, 1), &agent(0.0, 1, 1)), 0.5);
        assert_eq!(share(&agent(0.0, 1, 1), &own), 0.0);
    }

    #[test]
    fn slow_agents_expect_preferred_velocities() {
        let hurried = vec2(2.0, 0.0);
        assert_eq!(expected([0.0, 0.5], &hurried, 0.0), vec2(2.0, 0.0));
        assert_eq!(expected([0.0, 0.5], &hurried, 0.9), vec2(1.0, 0.25));
    }

    #[test]
    fn equally_fast_agents_expect_actual_velocities() {
        let walking = vec2(0.0, 1.0);
        for own in [0.9, 1.0, 5.0] {
            assert_eq!(expected([0.1, 0.2], &walking, own), vec2(0.1, 0.2));
            assert!(yields_to_none(own, walking.norm()));
        }
        assert_eq!(expected([0.1, 0.2], &Vec2::zeros(), 0.0), vec2(0.1, 0.2));
    }
}
