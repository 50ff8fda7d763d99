//! Calls on character controllers: walks of shapes and of bodies, and pushes.

use crate::definitions::Fields;
use crate::episode::Episode;
use crate::values::Values;
use cairn2d::prelude::*;

const NUMBERS: &Fields<CharacterController<'static>> = &[
    |def, x| def.up.x = x,
    |def, x| def.up.y = x,
    |def, x| def.skin = x,
    |def, x| def.max_climb_angle = x,
    |def, x| def.min_slide_angle = x,
    |def, x| def.max_step_height = x,
    |def, x| def.min_step_width = x,
    |def, x| def.snap_distance = x,
];

impl Values {
    fn controller(&mut self) -> CharacterController<'static> {
        let mut def = CharacterController {
            ride: self.switch(),
            ..CharacterController::default()
        };
        if self.flag() {
            def = def.steps(0.3, 0.2);
        }
        self.spoil(&mut def, NUMBERS);
        def
    }
}

impl Episode {
    pub(crate) fn call_character(&mut self) {
        match self.values.below(3) {
            0 => self.walk_shape(),
            1 => self.walk_body(),
            _ => self.push(),
        }
    }

    fn walk_shape(&mut self) {
        let body = self.body();
        let controller = self.values.controller();
        let controller = controller.filter(self.values.query_filter(body));
        let (shape, place) = (self.values.shape(), self.values.any_place());
        let (wish, dt) = (0.1 * self.values.any_vector(), self.values.dt());
        self.note(|| format!("{controller:?}.try_walk({shape:?} at {place:?}, {wish:?}, {dt})"));
        let mover = Mover::new(&shape, place);
        let walk = controller.try_walk(&self.world, &mover, wish, dt);
        if let Some(walk) = self.settle(walk) {
            let way = walk.translation;
            assert!(way.x.is_finite() && way.y.is_finite(), "{walk:?}");
            self.walk = walk;
        }
    }

    fn walk_body(&mut self) {
        let body = self.body();
        let controller = self.values.controller();
        let (wish, dt) = (0.1 * self.values.any_vector(), self.values.dt());
        let left_out = self.shape_id();
        self.note(|| {
            format!("{controller:?}.try_move_body({body:?}, {wish:?}, {dt}), without {left_out:?}")
        });
        let accept = |shape| shape != left_out;
        let walk = controller
            .accept(&accept)
            .try_move_body(&mut self.world, body, wish, dt);
        if let Some(walk) = self.settle(walk) {
            self.walk = walk;
        }
    }

    fn push(&mut self) {
        let (mass, dt) = (self.values.any(), self.values.dt());
        let hits = self.walk.hits.len();
        self.note(|| format!("push(mass {mass}, {dt}, {hits} hits)"));
        let walk = core::mem::take(&mut self.walk);
        CharacterController::default().push(&mut self.world, &walk, mass, dt);
    }
}
