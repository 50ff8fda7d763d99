//! Two groups of agents cross a square and reach the other side without a collision.

use cairn2d::crowd::{AgentDef, AgentId, Crowd, CrowdEventKind, Target};
use cairn2d::prelude::*;

const DT: f32 = 1.0 / 30.0;
const RADIUS: f32 = 0.3;

/// A row of agents at `x` that walk to the other side.
fn group(crowd: &mut Crowd, x: f32) -> Vec<AgentId> {
    (0..12_u8)
        .map(|i| {
            let y = 0.9 * f32::from(i) - 5.0;
            let target = Target {
                point: (-x, y).into(),
                radius: 0.5,
                speed: 1.4,
            };
            crowd.create_agent(AgentDef {
                radius: RADIUS,
                target: Some(target),
                ..AgentDef::at((x, y))
            })
        })
        .collect()
}

/// Walks for a minute; returns the number of arrivals and the least distance of two agents [m].
fn run() -> (usize, f64) {
    let mut crowd = Crowd::default();
    let mut agents = group(&mut crowd, -8.0);
    agents.extend(group(&mut crowd, 8.0));
    let (mut arrived, mut least) = (0, f64::INFINITY);
    for _ in 0..1800 {
        crowd.step(DT);
        let events = crowd.events().iter();
        arrived += events
            .filter(|event| event.kind == CrowdEventKind::Arrived)
            .count();
        let places: Vec<WorldPoint> = agents
            .iter()
            .map(|&agent| crowd.agent(agent).position())
            .collect();
        for (i, a) in places.iter().enumerate() {
            for b in &places[..i] {
                least = least.min((*a - *b).norm().into());
            }
        }
    }
    (arrived, least)
}

fn main() {
    let (arrived, least) = run();
    println!("{arrived} of 24 arrived, least distance {least:.3} m");
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_arrive_without_a_collision() {
        let (arrived, least) = super::run();
        assert_eq!(arrived, 24);
        assert!(least > f64::from(2.0 * super::RADIUS) - 0.01, "{least}");
    }
}
