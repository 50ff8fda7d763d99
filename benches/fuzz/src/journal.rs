//! Log of the calls of an episode: written only while a failure is replayed, since it costs more than most calls.

use core::fmt::Write;

/// Whether calls are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Journaling {
    Off,
    On,
}

/// The calls of an episode in words.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    journaling: Journaling,
    text: String,
    call: u64,
}

impl Journal {
    pub(crate) fn new(journaling: Journaling) -> Self {
        Self {
            journaling,
            text: String::new(),
            call: 0,
        }
    }

    pub(crate) fn begin(&mut self, call: u64) {
        self.call = call;
    }

    /// Records a call before it is made.
    pub(crate) fn note(&mut self, what: impl FnOnce() -> String) {
        if self.journaling == Journaling::On {
            let written = writeln!(self.text, "{:>6}: {}", self.call, what());
            written.expect("a string takes any text");
        }
    }

    /// Returns the last `lines` entries.
    pub(crate) fn tail(&self, lines: usize) -> String {
        let all: Vec<&str> = self.text.lines().collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    }
}
