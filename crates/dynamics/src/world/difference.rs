//! The first field in which two worlds differ: to find where two runs part.

use crate::world::World;
use cairn2d_geometry::{ByteSink, Number, Persist, Place, Sink};
use core::fmt;
use core::fmt::Write;

/// The first state in which two worlds differ, in the order of a save: see [`World::first_difference`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// Path of the field, such as `bodies[12].state.velocity.x`: body, shape, contact and joint numbers are slots, the
    /// [`index`](crate::Id::index) of ids. The path of a list means its length, that of an option or a choice its tag.
    pub field: String,
    /// Values of the field in the two worlds. Numbers are written so that different bits are different texts.
    pub values: [String; 2],
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.values;
        write!(f, "{}: {a} and {b}", self.field)
    }
}

/// # Comparing worlds
impl World {
    /// Returns the first state in which the two worlds differ, or `None` if they have the same.
    ///
    /// Compares the state that the [`state_hash`](Self::state_hash) covers: two worlds with different hashes have a difference.
    /// Takes about as long as two [saves](Self::save). To find the step at which two runs part, exchange hashes; then
    /// compare the saves of that step.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, World};
    /// use cairn2d_geometry::math::vec2;
    ///
    /// let mut here = World::default();
    /// let body = here.create_body(BodyDef::dynamic());
    /// let mut there = World::load(&here.save()).unwrap();
    /// assert_eq!(here.first_difference(&there), None);
    ///
    /// there.body_mut(body).set_velocity(vec2(0.0, 1.0));
    /// let difference = here.first_difference(&there).unwrap();
    /// assert_eq!(difference.to_string(), "bodies[0].state.velocity.y: 0.0 and 1.0");
    /// ```
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        let [a, b] = [self, other].map(|world| {
            let mut state = Vec::new();
            world.write(&mut State(ByteSink::new(&mut state)));
            state
        });
        // If the states have different lengths, the length of a list or a tag differs before either of them ends.
        let place = a.iter().zip(&b).position(|(a, b)| a != b)?;
        let [a, b] = [self, other].map(|world| {
            let mut search = Search::new(place);
            world.write(&mut search);
            search.found.unwrap_or_default()
        });
        Some(Difference {
            field: a.0,
            values: [a.1, b.1],
        })
    }
}

/// The bytes of the state, without reports.
struct State<'a>(ByteSink<'a>);

impl Sink for State<'_> {
    #[inline]
    fn number(&mut self, number: Number) {
        self.0.number(number);
    }

    #[inline]
    fn takes_reports(&self) -> bool {
        false
    }
}

/// Finds the number that holds a byte of [`State`].
struct Search {
    /// Bytes up to the end of that number.
    left: usize,
    path: Vec<Place>,
    /// Field and value.
    found: Option<(String, String)>,
}

impl Search {
    fn new(place: usize) -> Self {
        Self {
            left: place + 1,
            path: Vec::new(),
            found: None,
        }
    }

    fn name(&self) -> String {
        let mut name = String::new();
        for place in &self.path {
            let written = match place {
                Place::Field(field) if name.is_empty() => write!(name, "{field}"),
                Place::Field(field) => write!(name, ".{field}"),
                Place::Item(index) => write!(name, "[{index}]"),
            };
            written.expect("a string takes all text");
        }
        name
    }
}

/// Writes a number so that it can be read back to the bit.
fn text_of(number: Number) -> String {
    match number {
        Number::U8(x) => x.to_string(),
        Number::U16(x) => x.to_string(),
        Number::U32(x) => x.to_string(),
        Number::U64(x) => x.to_string(),
        Number::I8(x) => x.to_string(),
        Number::I32(x) => x.to_string(),
        Number::F32(x) => format!("{x:?}"),
        Number::F64(x) => format!("{x:?}"),
    }
}

impl Sink for Search {
    fn number(&mut self, number: Number) {
        if self.found.is_some() {
            return;
        }
        let bytes = match number {
            Number::U8(_) | Number::I8(_) => 1,
            Number::U16(_) => 2,
            Number::U32(_) | Number::I32(_) | Number::F32(_) => 4,
            Number::U64(_) | Number::F64(_) => 8,
        };
        match self.left.checked_sub(bytes) {
            None | Some(0) => self.found = Some((self.name(), text_of(number))),
            Some(left) => self.left = left,
        }
    }

    fn enter(&mut self, place: Place) {
        self.path.push(place);
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn takes_reports(&self) -> bool {
        false
    }
}
