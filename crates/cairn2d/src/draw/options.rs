//! What to draw of a world, and how large.

use super::color::{Color, Palette};
use cairn2d_dynamics::BodyRef;
use cairn2d_geometry::Aabb;

/// Something that can be drawn of a world or a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Shapes of bodies.
    Shapes,
    /// Sleeping bodies paler than those awake.
    Sleep,
    /// Joints: anchors, and lines from them to the bodies.
    Joints,
    /// Points at which shapes touch.
    Contacts,
    /// Normals of contacts, from A to B.
    Normals,
    /// Impulses of contacts in the last step.
    Impulses,
    /// Velocities of the centres of mass.
    Velocities,
    /// Centres of mass and how bodies are turned.
    Centers,
    /// Bodies by island, and a box around each.
    Islands,
    /// Contacts and joints by their color in the constraint graph.
    Graph,
    /// Boxes of shapes in the broad phase.
    FatBoxes,
    /// Nodes of the broad phase's trees.
    Tree,
    /// Ids of bodies.
    Ids,
    /// Dynamic bodies without mass, which nothing moves: marked, since they usually are a mistake.
    Massless,
    /// Agents and obstacles of a crowd.
    Agents,
    /// Velocities that agents must not choose.
    HalfPlanes,
}

impl Layer {
    /// All layers, in the order in which a list of switches should show them.
    pub const ALL: [Self; 16] = [
        Self::Shapes,
        Self::Sleep,
        Self::Joints,
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
        Self::Massless,
        Self::Agents,
        Self::HalfPlanes,
    ];

    /// The word for it beside a switch.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Shapes => "Shapes",
            Self::Sleep => "Sleep colors",
            Self::Joints => "Joints",
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
            Self::Massless => "No mass",
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

    /// Shapes, sleepers paler, joints, agents, and marks on what has no mass.
    pub const USUAL: Self = Self::NONE
        .with(Layer::Shapes)
        .with(Layer::Sleep)
        .with(Layer::Joints)
        .with(Layer::Massless)
        .with(Layer::Agents);

    /// Returns the set with `layer`.
    #[must_use]
    pub const fn with(self, layer: Layer) -> Self {
        Self(self.0 | layer.bit())
    }

    /// Returns the set without `layer`.
    #[must_use]
    pub const fn without(self, layer: Layer) -> Self {
        Self(self.0 & !layer.bit())
    }

    /// Says whether `layer` is in the set.
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

/// What to draw, in which colors, how large.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions {
    /// What is drawn.
    pub layers: Layers,
    /// Part of the world that is seen \[m\]; what lies outside is skipped. `None` draws all.
    pub view: Option<Aabb>,
    /// Colors.
    pub palette: Palette,
    /// Color of a body; `None` where it answers so leaves it to the palette.
    pub body_color: fn(&BodyRef<'_>) -> Option<Color>,
    /// Width of outlines \[px\].
    pub line_width: f32,
    /// Length of an impulse [m/(N s)].
    pub impulse_scale: f32,
    /// Time that velocities look ahead \[s\].
    pub velocity_time: f32,
}

/// Width of outlines that is neither coarse nor thin \[px\].
const LINE_WIDTH: f32 = 1.3;

/// Length of an impulse [m/(N s)]: a box of 1 kg that rests shows the 0.17 N s of a step with 17 cm.
const IMPULSE_SCALE: f32 = 1.0;

/// Time that velocities look ahead \[s\]: six steps.
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

    /// Says whether something in `aabb` may be seen.
    pub(super) fn sees(&self, aabb: &Aabb) -> bool {
        self.view.is_none_or(|view| view.overlaps(aabb))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_switched_one_by_one() {
        for (i, layer) in Layer::ALL.into_iter().enumerate() {
            let only = Layers::NONE.with(layer);
            for (j, other) in Layer::ALL.into_iter().enumerate() {
                assert_eq!(only.contains(other), i == j, "{layer:?} {other:?}");
            }
            assert_eq!(only.without(layer), Layers::NONE);
        }
    }
}
