//! Calls on the world as a whole: steps, settings, origin, clones, hooks, ignored pairs.

use crate::episode::Episode;
use cairn2d::prelude::*;

impl Episode {
    /// Steps the world, and reads the events of the step.
    pub(crate) fn call_step(&mut self) {
        let dt = self.values.dt();
        self.note(|| format!("try_step({dt})"));
        let done = self.world.try_step(dt);
        self.settle(done);
    }

    pub(crate) fn call_world(&mut self) {
        match self.values.below(16) {
            0 | 1 => self.set_def(),
            2 => self.set_gravity(),
            3 => self.shift_origin(),
            4 => self.take_snapshot(),
            5 => self.restore_snapshot(),
            6 => self.compare_clone(),
            7 => self.advance_fixed(),
            8..=11 => self.ignore_pair(),
            12 => self.end_ignored_pair(),
            _ => self.set_hooks(),
        }
    }

    fn set_def(&mut self) {
        let def = self.values.world_def();
        self.note(|| format!("try_set_def({def:?})"));
        let done = self.world.try_set_def(def);
        self.settle(done);
    }

    fn set_gravity(&mut self) {
        let gravity = self.values.any_vector();
        self.note(|| format!("set_gravity({gravity:?})"));
        self.may_panic(|world| world.set_gravity(gravity));
    }

    fn shift_origin(&mut self) {
        let origin = self.values.any_place();
        self.note(|| format!("try_shift_origin({origin:?})"));
        let done = self.world.try_shift_origin(origin);
        self.settle(done);
    }

    fn take_snapshot(&mut self) {
        self.note(|| "snapshot = world.clone()".to_owned());
        match &mut self.snapshot {
            Some(snapshot) => snapshot.clone_from(&self.world),
            None => self.snapshot = Some(self.world.clone()),
        }
    }

    fn restore_snapshot(&mut self) {
        self.note(|| "world.clone_from(snapshot)".to_owned());
        if let Some(snapshot) = &self.snapshot {
            self.world.clone_from(snapshot);
            assert_eq!(self.world.state_hash(), snapshot.state_hash());
        }
    }

    /// A clone continues with the same bits.
    fn compare_clone(&mut self) {
        let dt = self.values.dt().clamp(0.0, 1.0);
        self.note(|| format!("step({dt}), and a clone as well"));
        let dt = if dt.is_finite() { dt } else { 0.0 };
        let mut copy = self.world.clone();
        copy.step(dt);
        self.world.step(dt);
        assert_eq!(copy.state_hash(), self.world.state_hash(), "a clone");
    }

    fn advance_fixed(&mut self) {
        let (step, elapsed) = (self.values.dt(), self.values.any());
        self.note(|| format!("FixedTimestep {step}: advance({elapsed})"));
        if let Ok(timestep) = FixedTimestep::try_new(step) {
            self.timestep = timestep.max_steps(4);
        }
        self.timestep.advance(&mut self.world, elapsed);
        assert!((0.0..1.0).contains(&self.timestep.alpha()));
    }

    fn ignore_pair(&mut self) {
        let (a, b) = (self.body(), self.body());
        let time = self.values.any();
        let how_long = self.values.pick(&[
            IgnoreFor::Forever,
            IgnoreFor::Overlap,
            IgnoreFor::Time(time),
        ]);
        self.note(|| format!("try_ignore_pair({a:?}, {b:?}, {how_long:?})"));
        let done = self.world.try_ignore_pair(a, b, how_long);
        if self.settle(done).is_some() {
            assert_eq!(self.world.ignores_pair(b, a), a != b);
        }
    }

    fn end_ignored_pair(&mut self) {
        let (a, b) = (self.body(), self.body());
        self.note(|| format!("unignore_pair({a:?}, {b:?})"));
        if !self.world.unignore_pair(a, b) {
            self.expect_unchanged("no such pair");
        }
        assert!(!self.world.ignores_pair(a, b));
    }

    fn set_hooks(&mut self) {
        let which = self.values.below(5);
        self.note(|| format!("hook {which}"));
        let world = &mut self.world;
        match which {
            0 => world.set_pair_filter(|a, b| (a.user_data() ^ b.user_data()) % 4 != 0),
            1 => world.clear_pair_filter(),
            2 => world.filter_again(),
            3 => world.set_pre_solve(|contact| {
                let [a, b] = contact.shapes();
                let is_deep = contact.points().iter().any(|p| p.separation < -0.01);
                if is_deep && (a.body_user_data() ^ b.body_user_data()) % 4 == 0 {
                    contact.ignore();
                }
            }),
            _ => world.clear_pre_solve(),
        }
    }

    /// Explosions of any strength.
    pub(crate) fn explode(&mut self) {
        let body = self.body();
        let strength = self.values.any();
        let def = ExplosionDef::new(self.values.any_place(), self.values.any(), strength)
            .falloff(self.values.any())
            .filter(self.values.query_filter(body));
        self.note(|| format!("try_explode({def:?})"));
        let done = self.world.try_explode(&def);
        self.settle(done);
    }
}
