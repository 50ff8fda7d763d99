//! Runs trips in any crowd and measures how calmly the agents walk, and how far they get.

use super::trips::{Leg, Trips, velocity_to};
use cairn2d_crowd::{AgentId, Crowd, CrowdDef, CrowdEventKind, Target};
use cairn2d_geometry::math::{Vec2, WorldPoint, atan2, cross};

/// Where an agent wants to go.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// The point to walk to.
    pub point: WorldPoint,
    /// Distance from it that counts as arrival [m].
    pub reach: f32,
    /// Preferred velocity [m/s].
    pub velocity: Vec2,
}

/// A crowd of any library.
pub trait Walkers {
    /// Moves all agents by one step of `dt` seconds.
    fn step(&mut self, aims: &[Aim], dt: f32);
    /// Returns position \[m\] and velocity [m/s] of an agent.
    fn motion(&self, agent: usize) -> (WorldPoint, Vec2);
    /// Returns how often agents were reported stuck, and freed, in the last step.
    fn stuck_and_freed(&self) -> [usize; 2] {
        [0; 2]
    }
}

/// Our crowd.
pub struct OwnCrowd {
    crowd: Crowd,
    ids: Vec<AgentId>,
    /// Speed of targets, if the agents walk to targets by themselves [m/s].
    by_target: Option<f32>,
}

impl OwnCrowd {
    /// Creates the agents of some trips; `by_target` selects targets instead of preferred velocities.
    pub fn new(trips: &Trips, interval: u32, by_target: bool) -> Self {
        let mut crowd = Crowd::new(CrowdDef {
            steering_interval: interval,
            ..CrowdDef::default()
        });
        let agents = trips.scene.agents.iter();
        let ids = agents.map(|def| crowd.create_agent(def)).collect();
        for obstacle in &trips.scene.obstacles {
            crowd.create_obstacle(obstacle);
        }
        let by_target = by_target.then_some(trips.speed);
        Self {
            crowd,
            ids,
            by_target,
        }
    }
}

impl Walkers for OwnCrowd {
    fn step(&mut self, aims: &[Aim], dt: f32) {
        for (id, aim) in self.ids.iter().zip(aims) {
            let mut agent = self.crowd.agent_mut(*id);
            let target = self.by_target.map(|speed| Target {
                point: aim.point,
                radius: aim.reach,
                speed,
            });
            if target.is_none() {
                agent.set_preferred_velocity(aim.velocity);
            } else if agent.as_ref().target() != target {
                agent.set_target(target);
            }
        }
        self.crowd.step(dt);
    }

    fn motion(&self, agent: usize) -> (WorldPoint, Vec2) {
        let agent = self.crowd.agent(self.ids[agent]);
        (agent.position(), agent.velocity())
    }

    fn stuck_and_freed(&self) -> [usize; 2] {
        let count = |kind| {
            self.crowd
                .events()
                .iter()
                .filter(|e| e.kind == kind)
                .count()
        };
        [CrowdEventKind::Stuck, CrowdEventKind::Freed].map(count)
    }
}

/// Speed above which the walking direction of an agent counts [m/s].
const MOVING: f32 = 0.1;

/// Turn rate above which its sign counts [rad/s].
const TURNING: f32 = 1.0;

/// Time at the end of a run in which the agents should rest [s].
const REST_TIME: f32 = 10.0;

/// Results of a run.
#[derive(Clone, Debug, Default)]
pub struct Conduct {
    /// Time at which each agent had completed its first leg, and all legs [s].
    pub through: Vec<Option<f32>>,
    pub done: Vec<Option<f32>>,
    /// Sign changes of the turn rate, per second of agents on their way.
    pub sign_changes: f32,
    /// Mean turn rate of agents on their way, zero for those that stand [rad/s].
    pub turning: f32,
    /// Deepest overlap of two agents over the sum of their radii, and of an agent with a wall [m].
    pub deepest: f32,
    pub wall: f32,
    /// Mean speed of each agent at the end of the run [m/s].
    pub last_speeds: Vec<f32>,
    /// Events.
    pub stuck: usize,
    pub freed: usize,
}

impl Conduct {
    /// Returns the time by which a share of the agents had completed their first leg [s].
    pub fn time_through(&self, share: f32) -> f32 {
        let times = self.through.iter().map(|t| t.unwrap_or(f32::INFINITY));
        let mut times: Vec<f32> = times.collect();
        times.sort_unstable_by(f32::total_cmp);
        let index = (times.len() as f32 * share).ceil() as usize;
        times[index.clamp(1, times.len()) - 1]
    }

    /// Returns the share of agents that completed all legs.
    pub fn share_done(&self) -> f32 {
        self.done.iter().flatten().count() as f32 / self.done.len() as f32
    }

    /// Returns the number of agents that still walk at the end, faster than 1 cm/s.
    pub fn walking(&self) -> usize {
        self.last_speeds
            .iter()
            .filter(|speed| **speed > 0.01)
            .count()
    }

    /// Returns the mean speed at the end [m/s].
    pub fn last_speed(&self) -> f32 {
        self.last_speeds.iter().sum::<f32>() / self.last_speeds.len() as f32
    }
}

/// The course of one agent.
#[derive(Clone, Copy, Debug, Default)]
struct Course {
    leg: usize,
    /// The last velocity, and the sign of the last turn.
    velocity: Vec2,
    sign: f32,
}

/// Runs trips for `limit` seconds in steps of `dt` seconds, or until all are done if `ends_when_done`.
pub fn run(
    walkers: &mut impl Walkers,
    trips: &Trips,
    dt: f32,
    limit: f32,
    ends_when_done: bool,
) -> Conduct {
    let count = trips.legs.len();
    let mut courses = vec![Course::default(); count];
    let mut conduct = Conduct {
        through: vec![None; count],
        done: vec![None; count],
        last_speeds: vec![0.0; count],
        ..Conduct::default()
    };
    let (mut time, mut agent_time) = (0.0, 0.0f64);
    let (mut changes, mut turned) = (0u64, 0.0f64);
    while time < limit {
        let aims: Vec<Aim> = (0..count)
            .map(|i| aim(walkers, trips, &courses[i], i))
            .collect();
        walkers.step(&aims, dt);
        time += dt;
        let [stuck, freed] = walkers.stuck_and_freed();
        (conduct.stuck, conduct.freed) = (conduct.stuck + stuck, conduct.freed + freed);
        for (i, course) in courses.iter_mut().enumerate() {
            let (at, velocity) = walkers.motion(i);
            let (last, speed) = (course.velocity, velocity.norm());
            course.velocity = velocity;
            if time > limit - REST_TIME {
                conduct.last_speeds[i] += speed * dt / REST_TIME;
            }
            let legs = &trips.legs[i];
            if conduct.done[i].is_some() {
                continue;
            }
            agent_time += f64::from(dt);
            if speed > MOVING && last.norm() > MOVING {
                let angle = atan2(cross(&last, &velocity), last.dot(&velocity));
                turned += f64::from(angle.abs());
                if angle.abs() > TURNING * dt {
                    changes += u64::from(angle * course.sign < 0.0);
                    course.sign = angle;
                }
            }
            while course.leg < legs.len() && legs[course.leg].is_done(at, trips.scene.reach) {
                course.leg += 1;
                conduct.through[i] = conduct.through[i].or(Some(time));
                if course.leg == legs.len() {
                    conduct.done[i] = Some(time);
                }
            }
        }
        note_overlaps(walkers, trips, &mut conduct);
        if ends_when_done && conduct.done.iter().all(Option::is_some) {
            break;
        }
    }
    conduct.sign_changes = (changes as f64 / agent_time) as f32;
    conduct.turning = (turned / agent_time) as f32;
    conduct
}

fn aim(walkers: &impl Walkers, trips: &Trips, course: &Course, agent: usize) -> Aim {
    let legs = &trips.legs[agent];
    let at = walkers.motion(agent).0;
    let leg = &legs[course.leg.min(legs.len() - 1)];
    let is_last = matches!(leg, Leg::Place(_));
    let point = leg.aim(at);
    Aim {
        point,
        reach: trips.scene.reach.min(0.1),
        velocity: velocity_to(point, at, trips.speed, is_last),
    }
}

/// Notes the deepest overlap of two agents, and of an agent with a wall.
fn note_overlaps(walkers: &impl Walkers, trips: &Trips, conduct: &mut Conduct) {
    let agents = trips.scene.agents.iter().enumerate();
    let mut discs: Vec<(WorldPoint, f32)> = agents
        .map(|(i, def)| (walkers.motion(i).0, def.radius))
        .collect();
    discs.sort_unstable_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let widest = discs.iter().map(|disc| disc.1).fold(0.0, f32::max);
    for (i, a) in discs.iter().enumerate() {
        for b in discs[i + 1..]
            .iter()
            .take_while(|b| b.0.x - a.0.x <= f64::from(a.1 + widest))
        {
            let sum = a.1 + b.1;
            let depth = (sum - (b.0 - a.0).norm()) / sum;
            conduct.deepest = conduct.deepest.max(depth);
        }
    }
    for obstacle in &trips.scene.obstacles {
        let is_closed = obstacle.outline == cairn2d_crowd::Outline::Ring;
        let count = obstacle.points.len();
        for i in 0..if is_closed { count } else { count - 1 } {
            let a = WorldPoint::from(obstacle.points[i]);
            let span = obstacle.points[(i + 1) % count] - obstacle.points[i];
            for (at, radius) in &discs {
                let offset = *at - a;
                let fraction = (offset.dot(&span) / span.norm_squared()).clamp(0.0, 1.0);
                conduct.wall = conduct.wall.max(radius - (offset - span * fraction).norm());
            }
        }
    }
}

/// A row of the table: name, trips, step [s], time limit [s], and whether it ends when all are done.
pub type Row = (&'static str, Trips, f32, f32, bool);

/// Returns the rows.
pub fn rows() -> Vec<Row> {
    use super::trips::*;
    let fine = 1.0 / 60.0;
    vec![
        ("door", door(21), fine, 300.0, true),
        ("door_2", door(22), fine, 300.0, true),
        ("door_3", door(23), fine, 300.0, true),
        ("packed_room", packed_room(), fine, 60.0, true),
        ("crossroads", crossroads(), fine, 150.0, true),
        ("there_and_back", there_and_back(), fine, 600.0, true),
        ("narrow_corridor", narrow_corridor(), fine, 300.0, true),
        ("spiral", spiral(), fine, 300.0, true),
        ("dead_end", dead_end(), fine, 120.0, true),
        ("goal_in_block", goal_in_block(), fine, 60.0, false),
        ("walled_in", walled_in(), fine, 30.0, false),
        ("streams", streams(), fine, 150.0, false),
        ("streams_coarse", streams(), 0.1, 150.0, false),
    ]
}

/// Prints the head of the table.
pub fn print_head() {
    println!(
        "{:28} changes/s turn rad/s  t95 through  done%  deepest% wall mm walking  speed stuck freed",
        ""
    );
}

/// Prints a row of the table.
pub fn print(name: &str, conduct: &Conduct) {
    println!(
        "{name:28} {:9.2} {:10.2} {:12.1} {:6.1} {:9.2} {:7.1} {:7} {:6.4} {:5} {:5}",
        conduct.sign_changes,
        conduct.turning,
        conduct.time_through(0.95),
        100.0 * conduct.share_done(),
        100.0 * conduct.deepest,
        1000.0 * conduct.wall,
        conduct.walking(),
        conduct.last_speed(),
        conduct.stuck,
        conduct.freed,
    );
}
