//! What a surface is like, what meets what, and how the surfaces of two shapes combine.

use cairn2d_geometry::math::Vec2;

/// Surface of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Coulomb coefficient, 0 or more; two surfaces rub with the geometric mean of theirs.
    pub friction: f32,
    /// Share of the approach speed given back, usually 0 to 1; two surfaces bounce with the larger.
    pub restitution: f32,
    /// Resistance to rolling as a share of the radius, 0 or more; the larger of two counts.
    pub rolling_resistance: f32,
    /// Speed at which the surface runs along its outline, counter-clockwise as seen from inside: a conveyor belt [m/s].
    pub surface_speed: f32,
    /// For the user: which material this is.
    pub user_id: u64,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            friction: 0.6,
            restitution: 0.0,
            rolling_resistance: 0.0,
            surface_speed: 0.0,
            user_id: 0,
        }
    }
}

impl Material {
    /// Returns the friction of two surfaces on each other: the geometric mean.
    #[must_use]
    pub fn mix_friction(a: f32, b: f32) -> f32 {
        (a.max(0.0) * b.max(0.0)).sqrt()
    }

    /// Returns the restitution of two surfaces on each other: the larger.
    #[must_use]
    pub fn mix_restitution(a: f32, b: f32) -> f32 {
        a.max(b)
    }
}

/// Which shapes meet which.
///
/// Two shapes of one nonzero `group` meet if it is positive, and do not if it is negative. All
/// others meet if each one's `category` is in the other's `mask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Bits that say what this shape is; usually one.
    pub category: u64,
    /// Bits of what it meets.
    pub mask: u64,
    /// Overrules the bits among shapes of the same group; 0 = no group.
    pub group: i32,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            category: 1,
            mask: u64::MAX,
            group: 0,
        }
    }
}

impl Filter {
    /// Says whether shapes with these filters meet. Symmetric.
    #[must_use]
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        if self.group == other.group && self.group != 0 {
            return self.group > 0;
        }
        self.mask & other.category != 0 && other.mask & self.category != 0
    }
}

/// What a query sees: shapes whose category is in `mask` and whose mask has `category`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryFilter {
    /// Bits that say what asks.
    pub category: u64,
    /// Bits of what it wants to see.
    pub mask: u64,
    /// Whether sensors are seen as well.
    pub sensors: Sensors,
}

/// Whether a query sees sensors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sensors {
    /// Sensors are passed over.
    #[default]
    Ignored,
    /// Sensors count like solid shapes.
    Included,
}

impl Default for QueryFilter {
    fn default() -> Self {
        Self {
            category: u64::MAX,
            mask: u64::MAX,
            sensors: Sensors::Ignored,
        }
    }
}

/// Returns the speed of B's surface against A's along the contact tangent (the normal turned right)
/// [m/s].
///
/// Each belt runs counter-clockwise around its own shape. At a contact the two outlines run in
/// opposite directions, so the speeds add.
#[must_use]
pub(crate) fn mix_surface_speed(a: f32, b: f32) -> f32 {
    a + b
}

/// Returns the direction along which tangential quantities are measured: `normal` turned right.
#[must_use]
pub(crate) fn tangent(normal: Vec2) -> Vec2 {
    Vec2::new(normal.y, -normal.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combine_rules_never_give_nan() {
        for (a, b, mean) in [
            (0.25, 1.0, 0.5),
            (0.7, 0.0, 0.0),
            (-0.5, 0.5, 0.0),
            (-0.5, -0.5, 0.0),
        ] {
            assert_eq!(Material::mix_friction(a, b), mean);
        }
    }

    #[test]
    fn group_overrules_bits() {
        let mut a = Filter::default();
        assert!(a.meets(&a));
        a.group = -1;
        assert!(!a.meets(&a));
        a.group = 2;
        a.mask = 0;
        assert!(a.meets(&a));
        assert!(!a.meets(&Filter::default()));
    }
}
