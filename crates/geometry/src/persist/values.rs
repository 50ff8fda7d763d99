//! Numbers, points, options and lists in a save.

use super::{LoadError, LoadReason, Number, Persist, Reader, Sink};
use crate::math::{Point, Rotation, Vec2, WorldPoint, rotation_from_parts};
use smallvec::{Array, SmallVec};

/// Implements the numbers of one width each: all bits are valid.
macro_rules! integers {
    ($($type:ty: $number:ident),*) => {$(
        impl Persist for $type {
            #[inline]
            fn write<S: Sink>(&self, sink: &mut S) {
                sink.number(Number::$number(*self));
            }

            #[inline]
            fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
                reader.take().map(Self::from_le_bytes)
            }
        }
    )*};
}

integers!(u8: U8, u16: U16, u32: U32, u64: U64, i8: I8, i32: I32);

/// 64 bits on every machine.
impl Persist for usize {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.number(Number::U64(*self as u64));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let start = *reader;
        let value = reader.read::<u64>()?;
        Self::try_from(value).map_err(|_| start.error(LoadReason::Length(value)))
    }
}

impl Persist for bool {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.number(Number::U8((*self).into()));
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(reader.tag(2)? == 1)
    }
}

/// Infinities are valid, as limits; NaN is not.
impl Persist for f32 {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.number(Number::F32(*self));
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let start = *reader;
        let value = Self::from_le_bytes(reader.take()?);
        if value.is_nan() {
            return Err(start.error(LoadReason::Number(value.into())));
        }
        Ok(value)
    }
}

/// As `f32`.
impl Persist for f64 {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.number(Number::F64(*self));
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let start = *reader;
        let value = Self::from_le_bytes(reader.take()?);
        if value.is_nan() {
            return Err(start.error(LoadReason::Number(value)));
        }
        Ok(value)
    }
}

/// Reads the coordinate of a vector or point, which must be finite.
#[inline]
fn coordinate(reader: &mut Reader<'_>) -> Result<f32, LoadError> {
    let start = *reader;
    let value = reader.read::<f32>()?;
    if value.is_infinite() {
        return Err(start.error(LoadReason::Number(value.into())));
    }
    Ok(value)
}

impl Persist for Vec2 {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.field("x", &self.x);
        sink.field("y", &self.y);
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self::new(coordinate(reader)?, coordinate(reader)?))
    }
}

impl Persist for Point {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        self.coords.write(sink);
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        reader.read::<Vec2>().map(Self::from)
    }
}

/// Cosine and sine.
impl Persist for Rotation {
    fn write<S: Sink>(&self, sink: &mut S) {
        Vec2::new(self.re, self.im).write(sink);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let parts = reader.read::<Vec2>()?;
        Ok(rotation_from_parts(parts.x, parts.y))
    }
}

impl Persist for WorldPoint {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.field("x", &self.x);
        sink.field("y", &self.y);
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let start = *reader;
        let (x, y) = reader.read::<(f64, f64)>()?;
        for coordinate in [x, y] {
            if coordinate.is_infinite() {
                return Err(start.error(LoadReason::Number(coordinate)));
            }
        }
        Ok(Self { x, y })
    }
}

impl<T: Persist> Persist for Option<T> {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        self.is_some().write(sink);
        if let Some(value) = self {
            value.write(sink);
        }
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        reader.read::<bool>()?.then(|| reader.read()).transpose()
    }
}

impl<A: Persist, B: Persist> Persist for (A, B) {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.item(0, &self.0);
        sink.item(1, &self.1);
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok((reader.read()?, reader.read()?))
    }
}

/// Without the length, which is part of the type.
impl<T: Persist, const N: usize> Persist for [T; N] {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        for (index, item) in (0..).zip(self) {
            sink.item(index, item);
        }
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut result = Ok(());
        let items: [Option<T>; N] = core::array::from_fn(|_| {
            if result.is_err() {
                return None;
            }
            let item = reader.read();
            item.map_err(|error| result = Err(error)).ok()
        });
        result?;
        Ok(items.map(|item| item.expect("read without an error")))
    }
}

impl<T: Persist> Persist for Vec<T> {
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.list(self);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        reader.list()
    }
}

impl<A: Array<Item: Persist>> Persist for SmallVec<A> {
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.list(self);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let len = reader.len(1)?;
        let mut list = Self::new();
        for _ in 0..len {
            list.push(reader.read()?);
        }
        Ok(list)
    }
}

impl<T: Persist> Persist for Box<T> {
    fn write<S: Sink>(&self, sink: &mut S) {
        (**self).write(sink);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        reader.read().map(Self::new)
    }
}
