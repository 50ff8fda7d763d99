//! Runs a scene to its end and measures arrival, paths and overlaps.

use super::{Scene, wish};
use cairn2d_crowd::{AgentId, Crowd, CrowdDef};
use cairn2d_geometry::math::WorldPoint;

/// Results of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Time of first arrival of each agent [s].
    pub arrivals: Vec<Option<f32>>,
    /// Walked path over straight path, mean of the arrived agents.
    pub path_ratio: f32,
    /// Deepest overlap of two agents over the sum of their radii.
    pub deepest: f32,
    /// Overlapping pairs (deeper than 1e-4 radii) per step.
    pub pairs: f32,
    /// Overlaps deeper than one hundredth of the sum of radii, per step.
    pub deep_pairs: f32,
    /// Deepest overlap with a wall [m].
    pub wall: f32,
    /// Greatest change of velocity over the step [m/s^2].
    pub acceleration: f32,
    /// Share of infeasible agents, mean over steps.
    pub infeasible: f32,
    /// Time simulated [s].
    pub time: f32,
}

impl Report {
    /// Returns the time by which a share of the agents had arrived [s]; infinite if they had not.
    pub fn time_of(&self, share: f32) -> f32 {
        let mut times: Vec<f32> = self
            .arrivals
            .iter()
            .map(|t| t.unwrap_or(f32::INFINITY))
            .collect();
        times.sort_unstable_by(f32::total_cmp);
        let index = ((times.len() as f32 * share).ceil() as usize).clamp(1, times.len());
        times[index - 1]
    }

    /// Returns the share of agents that arrived.
    pub fn arrived(&self) -> f32 {
        self.arrivals.iter().flatten().count() as f32 / self.arrivals.len() as f32
    }

    /// Returns the mean time of arrival of the arrived agents [s].
    pub fn mean_time(&self) -> f32 {
        let times: Vec<f32> = self.arrivals.iter().flatten().copied().collect();
        times.iter().sum::<f32>() / times.len() as f32
    }
}

/// A scene in a crowd.
pub struct Run {
    /// The crowd.
    pub crowd: Crowd,
    /// Its agents in the order of the scene.
    pub ids: Vec<AgentId>,
    scene: Scene,
    walked: Vec<f64>,
    report: Report,
    steps: usize,
}

impl Run {
    /// Creates the scene's crowd.
    pub fn new(scene: &Scene) -> Self {
        Self::with(scene, CrowdDef::default())
    }

    /// Creates a scene's crowd with this definition.
    pub fn with(scene: &Scene, def: CrowdDef) -> Self {
        let mut crowd = Crowd::new(def);
        let ids: Vec<AgentId> = scene
            .agents
            .iter()
            .map(|def| crowd.create_agent(def))
            .collect();
        for obstacle in &scene.obstacles {
            crowd.create_obstacle(obstacle);
        }
        let walked = vec![0.0; ids.len()];
        let report = Report {
            arrivals: vec![None; ids.len()],
            ..Report::default()
        };
        Self {
            crowd,
            ids,
            scene: scene.clone(),
            walked,
            report,
            steps: 0,
        }
    }

    /// Runs until all have arrived or `limit` seconds have passed.
    pub fn until_all_arrive(mut self, dt: f32, limit: f32) -> Report {
        while self.report.time < limit && self.report.arrivals.iter().any(Option::is_none) {
            self.step(dt);
        }
        self.finish()
    }

    /// Runs one step of `dt` seconds and measures it.
    pub fn step(&mut self, dt: f32) {
        let goals = &self.scene.goals;
        for (id, goal) in self.ids.iter().zip(goals) {
            let velocity = wish(self.crowd.agent(*id).position(), *goal);
            self.crowd.agent_mut(*id).set_preferred_velocity(velocity);
        }
        self.crowd.solve(dt);
        for id in &self.ids {
            let change = self.crowd.agent(*id).new_velocity() - self.crowd.agent(*id).velocity();
            let acceleration = change.norm() / dt;
            self.report.acceleration = self.report.acceleration.max(acceleration);
        }
        self.crowd.integrate(dt);
        self.steps += 1;
        self.report.time += dt;
        self.report.infeasible += self.crowd.infeasible_count() as f32 / self.ids.len() as f32;
        self.note_arrivals(dt);
        self.note_overlaps();
        self.note_walls();
    }

    fn note_arrivals(&mut self, dt: f32) {
        for (i, id) in self.ids.iter().enumerate() {
            if self.report.arrivals[i].is_none() {
                self.walked[i] += f64::from(self.crowd.agent(*id).velocity().norm() * dt);
                let left = (self.scene.goals[i] - self.crowd.agent(*id).position()).norm();
                if left <= self.scene.reach {
                    self.report.arrivals[i] = Some(self.report.time);
                }
            }
        }
    }

    /// Tests all pairs whose extents along x overlap.
    fn note_overlaps(&mut self) {
        let discs: Vec<(WorldPoint, f32)> = self
            .ids
            .iter()
            .zip(&self.scene.agents)
            .map(|(id, def)| (self.crowd.agent(*id).position(), def.radius))
            .collect();
        let mut order: Vec<usize> = (0..discs.len()).collect();
        order.sort_unstable_by(|&a, &b| discs[a].0.x.total_cmp(&discs[b].0.x));
        let widest = discs.iter().map(|d| d.1).fold(0.0, f32::max);
        for (k, &a) in order.iter().enumerate() {
            for &b in &order[k + 1..] {
                let way = discs[b].0 - discs[a].0;
                if way.x > discs[a].1 + widest {
                    break;
                }
                let sum = discs[a].1 + discs[b].1;
                let depth = (sum - way.norm()) / sum;
                self.report.deepest = self.report.deepest.max(depth);
                self.report.pairs += f32::from(u8::from(depth > 0.5e-4));
                self.report.deep_pairs += f32::from(u8::from(depth > 1e-2));
            }
        }
    }

    fn note_walls(&mut self) {
        for obstacle in &self.scene.obstacles {
            let closed = obstacle.outline == cairn2d_crowd::Outline::Ring;
            let count = obstacle.points.len();
            for i in 0..if closed { count } else { count - 1 } {
                let (a, b) = (obstacle.points[i], obstacle.points[(i + 1) % count]);
                for (id, def) in self.ids.iter().zip(&self.scene.agents) {
                    let p = self.crowd.agent(*id).position() - WorldPoint::from(a);
                    let span = b - a;
                    let t = (p.dot(&span) / span.norm_squared()).clamp(0.0, 1.0);
                    let depth = def.radius - (p - span * t).norm();
                    self.report.wall = self.report.wall.max(depth);
                }
            }
        }
    }

    /// Returns the report.
    pub fn finish(mut self) -> Report {
        let steps = self.steps.max(1) as f32;
        self.report.pairs /= steps;
        self.report.deep_pairs /= steps;
        self.report.infeasible /= steps;
        let mut ratios = Vec::new();
        for i in 0..self.ids.len() {
            if self.report.arrivals[i].is_some() {
                let straight =
                    (self.scene.goals[i] - self.scene.agents[i].position).norm() - self.scene.reach;
                if straight > 1.0 {
                    ratios.push(self.walked[i] as f32 / straight);
                }
            }
        }
        self.report.path_ratio = ratios.iter().sum::<f32>() / ratios.len().max(1) as f32;
        self.report
    }
}
