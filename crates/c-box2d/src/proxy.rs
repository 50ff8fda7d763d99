//! A cloud of points with a radius, as a shape of the engine's queries.

use crate::abi::{Fault, Outcome};
use crate::shape_convert::corners;
use crate::types::*;
use cairn2d::geometry::{Support, SupportPoint};
use cairn2d::{Point, Vec2};

/// The points, at least one, and the radius.
pub(crate) struct Proxy {
    points: Vec<Point>,
    radius: f32,
}

impl Proxy {
    pub(crate) fn new(proxy: &b2ShapeProxy) -> Outcome<Self> {
        let points = corners(&proxy.points, proxy.count)?;
        let is_finite = proxy.radius.is_finite() && proxy.points.iter().all(|p| p.is_finite());
        if points.is_empty() {
            return Err(Fault::Count(proxy.count));
        }
        if !is_finite || proxy.radius < 0.0 {
            return Err(Fault::Value("shape proxy"));
        }
        Ok(Self {
            points,
            radius: proxy.radius,
        })
    }

    /// Returns the points without the radius.
    pub(crate) fn without_radius(self) -> Self {
        Self {
            radius: 0.0,
            ..self
        }
    }
}

impl Support for Proxy {
    fn core_support(&self, direction: &Vec2) -> SupportPoint {
        let reach = |point: &Point| point.coords.dot(direction);
        let mut index = 0;
        for (i, point) in self.points.iter().enumerate().skip(1) {
            if reach(point) > reach(&self.points[index]) {
                index = i;
            }
        }
        SupportPoint {
            point: self.points[index],
            index: index as u16,
        }
    }

    fn core_vertex(&self, index: u16) -> Point {
        let last = self.points.len() - 1;
        self.points[usize::from(index).min(last)]
    }

    fn rounding(&self) -> f32 {
        self.radius
    }
}
