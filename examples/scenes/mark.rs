//! What a scene wants drawn that is not in the world: rays, hits, words.

use cairn2d::prelude::WorldPoint;

/// How a mark looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something looked for and found.
    Hit,
    /// Something looked for and not found.
    Miss,
    /// A remark.
    Note,
}

/// Something drawn over the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A straight line.
    Line {
        /// Where it starts \[m\].
        from: WorldPoint,
        /// Where it ends \[m\].
        to: WorldPoint,
        /// How it looks.
        tone: Tone,
    },
    /// A dot of a fixed size in pixels.
    Dot {
        /// Where \[m\].
        at: WorldPoint,
        /// How it looks.
        tone: Tone,
    },
    /// A line of text, its middle above the place.
    Text {
        /// Where \[m\].
        at: WorldPoint,
        /// What it says.
        text: String,
    },
}
