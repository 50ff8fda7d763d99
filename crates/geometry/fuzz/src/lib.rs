//! Shapes and poses out of bytes, for all fuzz targets.

use cairn2d_geometry::math::{Point, Pose, Vec2, point, pose};
use cairn2d_geometry::{
    Capsule, Chain, ChainKind, Circle, Ellipse, Polygon, Segment, Shape, Sweep,
};

/// Reader of bytes; yields zeros after the end.
pub struct Input<'a>(pub &'a [u8]);

impl Input<'_> {
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    fn word(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// Returns a number of one of several kinds: on a grid, near another, tiny, huge, or any bits.
    pub fn number(&mut self) -> f32 {
        match self.byte() % 8 {
            0..=2 => f32::from(self.byte() as i8) / 8.0,
            3 | 4 => f32::from(self.word() as i16) / 4096.0,
            5 => f32::from(self.word() as i16) * 1e-9,
            6 => f32::from(self.word() as i16) * 64.0,
            _ => f32::from_bits(u32::from(self.word()) << 16 | u32::from(self.word())),
        }
    }

    pub fn point(&mut self) -> Point {
        point(self.number(), self.number())
    }

    pub fn vector(&mut self) -> Vec2 {
        self.point().coords
    }

    pub fn points(&mut self) -> Vec<Point> {
        let count = self.byte() % 24;
        (0..count).map(|_| self.point()).collect()
    }

    /// Returns a pose with finite numbers.
    pub fn pose(&mut self) -> Option<Pose> {
        let (x, y, angle) = (self.number(), self.number(), self.number());
        (x.is_finite() && y.is_finite() && angle.is_finite()).then(|| pose(x, y, angle % 100.0))
    }

    pub fn sweep(&mut self) -> Option<Sweep> {
        let (start, end) = (self.pose()?, self.pose()?);
        let mut sweep = Sweep::between(&start, &end);
        sweep.local_center = self.point();
        let c = sweep.local_center;
        (c.x.is_finite() && c.y.is_finite()).then_some(sweep)
    }

    /// Returns a shape, if the bytes describe a valid one.
    pub fn shape(&mut self) -> Option<Shape> {
        Some(match self.byte() % 8 {
            0 => Circle::try_new(self.point(), self.number()).ok()?.into(),
            1 => Capsule::try_new(self.point(), self.point(), self.number())
                .ok()?
                .into(),
            2 => Segment::try_new(self.point(), self.point()).ok()?.into(),
            3 => Polygon::try_rectangle(self.number(), self.number())
                .ok()?
                .into(),
            4 => Polygon::try_rounded_hull(&self.points(), self.number())
                .ok()?
                .into(),
            5 => {
                let angle = self.number();
                Ellipse::try_new(self.point(), self.number(), self.number(), angle)
                    .ok()?
                    .into()
            }
            6 => {
                let kind = if self.byte() % 2 == 0 {
                    ChainKind::Open
                } else {
                    ChainKind::Loop
                };
                let chain = Chain::try_new(&self.points(), kind).ok()?;
                (*chain.segments().first()?).into()
            }
            _ => Polygon::try_hull(&self.points()).ok()?.into(),
        })
    }
}

/// Says whether a normal is of unit length.
pub fn is_unit(v: &Vec2) -> bool {
    (v.norm() - 1.0).abs() < 1e-4
}

/// Largest coordinate that takes part: results are good to a share of it.
pub fn scale(a: &Shape, b: &Shape, pose: &Pose) -> f32 {
    let far = |shape: &Shape| shape.extent_about(&Point::origin());
    1.0 + far(a) + far(b) + pose.translation.vector.amax()
}

/// Prints the case if `FUZZ_SHOW` is set: for one failing input at a time.
pub fn show(case: &[&dyn std::fmt::Debug]) {
    if std::env::var_os("FUZZ_SHOW").is_some() {
        for part in case {
            eprintln!("{part:?}");
        }
    }
}
