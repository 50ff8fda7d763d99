//! The callbacks of a step, as hooks of the engine.

use crate::abi::Outcome;
use crate::hook_view::{self, ShapeView};
use crate::slot::shape_flags::{CUSTOM_FILTERING, PRE_SOLVE_EVENTS};
use crate::slot::{Callbacks, CustomFilter, PreSolve as PreSolveFn, ShapeExtras, Slot};
use cairn2d::{HookShape, PreSolve};
use core::ffi::c_void;
use std::sync::PoisonError;

/// What the hooks of a world need besides their arguments.
#[derive(Clone)]
struct Context {
    world0: u16,
    shapes: ShapeExtras,
}

impl Context {
    fn view(&self, side: &HookShape<'_>) -> ShapeView {
        let extras = self.shapes.read().unwrap_or_else(PoisonError::into_inner);
        let extra = extras.get(side.id().index() as usize);
        let user_data = extra.map_or(0, |extra| extra.user_data);
        ShapeView::new(side, self.world0, user_data)
    }

    fn views(&self, sides: [&HookShape<'_>; 2]) -> [ShapeView; 2] {
        sides.map(|side| self.view(side))
    }

    fn accepts(&self, callback: (CustomFilter, usize), sides: [&HookShape<'_>; 2]) -> bool {
        if (sides[0].user_data() | sides[1].user_data()) & CUSTOM_FILTERING == 0 {
            return true;
        }
        let views = self.views(sides);
        let ids = [views[0].shape, views[1].shape];
        let (function, context) = callback;
        hook_view::during(views, || function(ids[0], ids[1], context as *mut c_void))
    }

    fn solve(&self, callbacks: &Callbacks, contact: &mut PreSolve<'_>) {
        if callbacks.mixes() {
            hook_view::within(self.world0, || mix(callbacks, contact));
        }
        let [a, b] = contact.shapes();
        let asks = (a.user_data() | b.user_data()) & PRE_SOLVE_EVENTS != 0;
        let (Some(pre_solve), true) = (callbacks.pre_solve, asks) else {
            return;
        };
        if !self.keeps(pre_solve, [&a, &b], contact) {
            contact.ignore();
        }
    }

    /// Asks the user whether a contact stays. It gets the deepest point.
    fn keeps(
        &self,
        callback: (PreSolveFn, usize),
        sides: [&HookShape<'_>; 2],
        contact: &PreSolve<'_>,
    ) -> bool {
        let points = contact.points().iter();
        let Some(deepest) = points.min_by(|a, b| a.separation.total_cmp(&b.separation)) else {
            return true;
        };
        let views = self.views(sides);
        let ids = [views[0].shape, views[1].shape];
        let (function, context) = callback;
        let (point, normal) = (deepest.point.into(), contact.normal().into());
        hook_view::during(views, || {
            function(ids[0], ids[1], point, normal, context as *mut c_void)
        })
    }
}

/// Lets the user mix friction and restitution of two surfaces.
fn mix(callbacks: &Callbacks, contact: &mut PreSolve<'_>) {
    let [a, b] = contact.shapes().map(|side| *side.material());
    if let Some(mix) = callbacks.friction {
        contact.friction = mix(a.friction, a.user_id, b.friction, b.user_id);
    }
    if let Some(mix) = callbacks.restitution {
        contact.restitution = mix(a.restitution, a.user_id, b.restitution, b.user_id);
    }
}

impl Slot {
    fn hook_context(&self) -> Context {
        Context {
            world0: self.world0,
            shapes: self.shapes.clone(),
        }
    }

    /// Gives a restored world the callbacks. Its pairs have passed the filter already.
    pub(crate) fn restore_callbacks(&mut self) {
        let context = self.hook_context();
        if let Some(callback) = self.callbacks.filter {
            let context = context.clone();
            self.world
                .restore_pair_filter(move |a, b| context.accepts(callback, [&a, &b]));
        }
        let callbacks = self.callbacks;
        if callbacks.pre_solve.is_some() || callbacks.mixes() {
            self.world
                .restore_pre_solve(move |contact| context.solve(&callbacks, contact));
        }
    }

    /// Gives the engine the filter callback.
    pub(crate) fn install_filter(&mut self) {
        let context = self.hook_context();
        match self.callbacks.filter {
            None => self.world.clear_pair_filter(),
            Some(callback) => self
                .world
                .set_pair_filter(move |a, b| context.accepts(callback, [&a, &b])),
        }
    }

    /// Gives the engine the callbacks of contacts: pre-solve, friction and restitution.
    pub(crate) fn install_pre_solve(&mut self) -> Outcome<()> {
        let context = self.hook_context();
        let callbacks = self.callbacks;
        self.ask_shapes_for_pre_solve();
        if callbacks.pre_solve.is_none() && !callbacks.mixes() {
            self.world.clear_pre_solve();
        } else {
            self.world
                .set_pre_solve(move |contact| context.solve(&callbacks, contact));
        }
        Ok(())
    }

    /// Returns `true` if the contacts of a shape with these flags must be shown before they are solved.
    pub(crate) fn asks_pre_solve(&self, flags: u64) -> bool {
        flags & PRE_SOLVE_EVENTS != 0 || self.callbacks.mixes()
    }

    fn ask_shapes_for_pre_solve(&mut self) {
        let shapes: Vec<_> = self
            .world
            .shapes()
            .map(|shape| (shape.id(), shape.user_data(), shape.asks_pre_solve()))
            .collect();
        for (id, flags, asked) in shapes {
            let asks = self.asks_pre_solve(flags);
            if asks != asked
                && let Some(mut shape) = self.world.get_shape_mut(id)
            {
                shape.set_pre_solve(asks);
            }
        }
    }
}
