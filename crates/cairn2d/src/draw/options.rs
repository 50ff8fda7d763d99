//! Options of debug drawing: layers, view, colors and sizes.

use super::color::{Color, Palette};
use cairn2d_dynamics::BodyRef;
use cairn2d_geometry::Aabb;

/// A kind of items that debug drawing can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// Shapes of bodies.
    Shapes,
    /// Sleeping bodies in paler colors.
    Sleep,
    /// Joints: anchors, and lines from the anchors to the bodies.
    Joints,
    /// Contact points.
    Contacts,
    /// Contact normals, from A to B.
    Normals,
    /// Contact impulses of the last step.
    Impulses,
    /// Velocities of centers of mass.
    Velocities,
    /// Centers of mass and axes of bodies.
    Centers,
    /// Bodies colored by island, and a box around each island.
    Islands,
    /// Contacts and joints colored by their color in the constraint graph.
    Graph,
    /// Fat boxes of the broad phase.
    FatBoxes,
    /// Nodes of the trees of the broad phase.
    Tree,
    /// Ids of bodies.
    Ids,
    /// Marks on bodies that [`World::warnings`](cairn2d_dynamics::World::warnings) names.
    Warnings,
    /// Agents and obstacles of a crowd.
    Agents,
    /// Half-planes of velocities that agents must not choose.
    HalfPlanes,
    /// Axes, limits, motors and springs of joints.
    JointParts,
}

impl Layer {
    /// All layers, in the order of a list of switches.
    pub const ALL: &[Self] = &[
        Self::Shapes,
        Self::Sleep,
        Self::Joints,
        Self::JointParts,
        Self::Contacts,
        Self::Normals,
        Self::Impulses,
        Self::Velocities,
        Self::Centers,
        Self::Islands,
        Self::Graph,
        Self::FatBoxes,
        Self::Tree,
        Self::Ids,
        Self::Warnings,
        Self::Agents,
        Self::HalfPlanes,
    ];

    /// Returns the label of the layer for a switch.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Shapes => "Shapes",
            Self::Sleep => "Sleep colors",
            Self::Joints => "Joints",
            Self::JointParts => "Joint parts",
            Self::Contacts => "Contacts",
            Self::Normals => "Normals",
            Self::Impulses => "Impulses",
            Self::Velocities => "Velocities",
            Self::Centers => "Centers",
            Self::Islands => "Islands",
            Self::Graph => "Graph colors",
            Self::FatBoxes => "Fat boxes",
            Self::Tree => "Tree",
            Self::Ids => "Ids",
            Self::Warnings => "Warnings",
            Self::Agents => "Agents",
            Self::HalfPlanes => "Half-planes",
        }
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of layers.
///
/// ```
/// use cairn2d::draw::{Layer, Layers};
///
/// let layers = Layers::USUAL.with(Layer::Contacts).without(Layer::Joints);
/// assert!(layers.contains(Layer::Contacts) && !layers.contains(Layer::Joints));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers(u32);

impl Layers {
    /// No layer.
    pub const NONE: Self = Self(0);

    /// The default layers: shapes, sleep colors, joints, marks on bodies with warnings, agents.
    pub const USUAL: Self = Self::NONE
        .with(Layer::Shapes)
        .with(Layer::Sleep)
        .with(Layer::Joints)
        .with(Layer::Warnings)
        .with(Layer::Agents);

    /// Returns the set with `layer` added.
    #[must_use]
    pub const fn with(self, layer: Layer) -> Self {
        Self(self.0 | layer.bit())
    }

    /// Returns the set with `layer` removed.
    #[must_use]
    pub const fn without(self, layer: Layer) -> Self {
        Self(self.0 & !layer.bit())
    }

    /// Returns `true` if `layer` is in the set.
    #[must_use]
    pub const fn contains(self, layer: Layer) -> bool {
        self.0 & layer.bit() != 0
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self::USUAL
    }
}

/// Layers, view, colors and sizes of debug drawing.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions {
    /// Layers to draw.
    pub layers: Layers,
    /// Visible part of the world \[m\]; items outside are skipped. `None` draws all.
    pub view: Option<Aabb>,
    /// Colors.
    pub palette: Palette,
    /// Returns the color of a body, or `None` for that of the palette.
    pub body_color: fn(&BodyRef<'_>) -> Option<Color>,
    /// Width of outlines \[px\].
    pub line_width: f32,
    /// Drawn length of an impulse [m/(N s)].
    pub impulse_scale: f32,
    /// Drawn length of a velocity, as a time \[s\].
    pub velocity_time: f32,
}

/// Default width of outlines \[px\].
const LINE_WIDTH: f32 = 1.3;

/// Default length of an impulse [m/(N s)]: a box of 1 kg at rest shows the 0.17 N s of a step as 17 cm.
const IMPULSE_SCALE: f32 = 1.0;

/// Default length of a velocity, as a time \[s\]: six steps.
const VELOCITY_TIME: f32 = 0.1;

impl Default for DrawOptions {
    fn default() -> Self {
        Self {
            layers: Layers::USUAL,
            view: None,
            palette: Palette::dark(),
            body_color: |_| None,
            line_width: LINE_WIDTH,
            impulse_scale: IMPULSE_SCALE,
            velocity_time: VELOCITY_TIME,
        }
    }
}

impl DrawOptions {
    pub(super) fn shows(&self, layer: Layer) -> bool {
        self.layers.contains(layer)
    }

    /// Returns `true` if `aabb` overlaps the visible part of the world.
    pub(super) fn sees(&self, aabb: &Aabb) -> bool {
        self.view.is_none_or(|view| view.overlaps(aabb))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_switched_one_by_one() {
        for (i, layer) in Layer::ALL.iter().copied().enumerate() {
            let only = Layers::NONE.with(layer);
            for (j, other) in Layer::ALL.iter().copied().enumerate() {
                assert_eq!(only.contains(other), i == j, "{layer:?} {other:?}");
            }
            assert_eq!(only.without(layer), Layers::NONE);
        }
    }
}
