//! Calls on shapes: create one, a chain or a compound; destroy; every setter and getter.

use crate::arguments::Arguments;
use crate::episode::Episode;
use cairn2d::prelude::*;
use std::hint::black_box;

/// A setter and its name.
type Setter = (&'static str, fn(&mut ShapeMut<'_>, &Arguments));

const SETTERS: &[Setter] = &[
    ("enable", |shape, _| shape.enable()),
    ("disable", |shape, _| shape.disable()),
    ("set_sensor", |shape, a| shape.set_sensor(a.flag)),
    ("set_friction", |shape, a| shape.set_friction(a.measure)),
    ("set_restitution", |shape, a| {
        shape.set_restitution(a.measure)
    }),
    ("set_surface_speed", |shape, a| {
        shape.set_surface_speed(a.number);
    }),
    ("set_pre_solve", |shape, a| shape.set_pre_solve(a.flag)),
    ("set_force_event_threshold", |shape, a| {
        shape.set_force_event_threshold(a.measure);
    }),
    ("set_user_data", |shape, a| shape.set_user_data(a.bits)),
];

/// Shapes of a world beyond which none are added.
const MOST_SHAPES: usize = 80;

impl Episode {
    pub(crate) fn call_shape(&mut self) {
        match self.values.below(24) {
            0..=3 => {
                let body = self.body();
                self.add_shape(body);
            }
            4 => self.create_chain(),
            5 => self.create_compound(),
            6..=8 => self.destroy_shape(),
            9 | 10 => self.set_geometry(),
            11 => self.set_density(),
            12 => self.set_surface(),
            13 => self.set_filter(),
            14 => self.read_shape(),
            _ => self.set_shape(),
        }
    }

    fn is_full(&self) -> bool {
        self.world.shape_count() >= MOST_SHAPES
    }

    pub(crate) fn add_shape(&mut self, body: BodyId) {
        if self.is_full() {
            return;
        }
        let (shape, def) = (self.values.shape(), self.values.shape_def());
        self.note(|| format!("try_create_shape({body:?}, {shape:?}, {def:?})"));
        let made = self.world.try_create_shape(body, shape, def);
        if let Some(id) = self.settle(made) {
            self.keep_shape(id);
        }
    }

    fn create_chain(&mut self) {
        let (body, chain) = (self.body(), self.values.chain());
        let def = self.values.shape_def();
        let Some(chain) = chain.filter(|_| !self.is_full()) else {
            return;
        };
        self.note(|| format!("create_chain({body:?}, {chain:?}, {def:?})"));
        if self.world.get_body(body).is_none() || def.validate().is_err() {
            return self.may_panic(|world| {
                world.create_chain(body, &chain, def);
            });
        }
        for id in self.world.create_chain(body, &chain, def) {
            self.keep_shape(id);
        }
    }

    fn create_compound(&mut self) {
        let (body, pieces) = (self.body(), self.values.pieces());
        if self.is_full() {
            return;
        }
        for piece in pieces {
            self.note(|| format!("try_create_shape({body:?}, {piece:?}) of a compound"));
            if let Ok(id) = self
                .world
                .try_create_shape(body, piece, ShapeDef::default())
            {
                self.keep_shape(id);
            }
        }
    }

    fn destroy_shape(&mut self) {
        let id = self.shape_id();
        self.note(|| format!("destroy_shape({id:?})"));
        if !self.world.destroy_shape(id) {
            self.expect_unchanged("no such shape");
        }
        assert!(self.world.get_shape(id).is_none(), "{id:?} is destroyed");
    }

    /// A refused geometry panics, as documented: the masses of a body have a limit.
    fn set_geometry(&mut self) {
        let (id, shape) = (self.shape_id(), self.values.shape());
        self.note(|| format!("shape_mut({id:?}).set_geometry({shape:?})"));
        self.may_panic(|world| {
            if let Some(mut view) = world.get_shape_mut(id) {
                view.set_geometry(shape);
            }
        });
    }

    fn set_density(&mut self) {
        let (id, density) = (self.shape_id(), self.values.any());
        self.note(|| format!("shape_mut({id:?}).set_density({density})"));
        self.may_panic(|world| {
            if let Some(mut view) = world.get_shape_mut(id) {
                view.set_density(density);
            }
        });
    }

    fn set_surface(&mut self) {
        let (id, material) = (self.shape_id(), self.values.material());
        let one_way = self.values.flag();
        self.note(|| format!("shape_mut({id:?}): {material:?}, direction only: {one_way}"));
        self.may_panic(|world| {
            if let Some(mut view) = world.get_shape_mut(id) {
                if one_way {
                    view.set_one_way(material.one_way);
                } else {
                    view.set_material(material);
                }
            }
        });
    }

    fn set_filter(&mut self) {
        let (id, filter) = (self.shape_id(), self.values.filter());
        self.note(|| format!("shape_mut({id:?}).set_filter({filter:?})"));
        if let Some(mut view) = self.world.get_shape_mut(id) {
            view.set_filter(filter);
        }
    }

    fn set_shape(&mut self) {
        let id = self.shape_id();
        let arguments = self.values.arguments(self.panics);
        let (name, set) = SETTERS[self.values.below(SETTERS.len())];
        self.note(|| format!("shape_mut({id:?}).{name}: {arguments:?}"));
        self.set(|world| {
            if let Some(mut shape) = world.get_shape_mut(id) {
                set(&mut shape, &arguments);
            }
        });
    }

    fn read_shape(&mut self) {
        let id = self.shape_id();
        self.note(|| format!("shape({id:?}): all getters"));
        let Some(shape) = self.world.get_shape(id) else {
            return;
        };
        assert_eq!(shape.id(), id);
        assert!(self.world.get_body(shape.body()).is_some());
        black_box((shape.geometry(), shape.material(), shape.filter()));
        black_box((shape.density(), shape.is_sensor(), shape.asks_pre_solve()));
        black_box((shape.force_event_threshold(), shape.user_data()));
        black_box((shape.contacts().count(), shape.fat_box()));
        for other in shape.overlaps() {
            assert!(self.world.get_shape(other).is_some(), "{other:?} overlaps");
        }
    }
}
