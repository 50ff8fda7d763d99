//! Choice of the subject of the next call.

use crate::episode::Episode;

impl Episode {
    /// Makes one call on a random subject: bodies and steps most often, expensive calls seldom.
    pub(crate) fn make_call(&mut self) {
        match self.values.below(64) {
            0..=15 => self.call_body(),
            16..=24 => self.call_shape(),
            25..=34 => self.call_joint(),
            35..=41 => self.call_query(),
            42..=52 => self.call_step(),
            53..=55 => self.call_world(),
            56 | 57 => self.call_effect(),
            58..=60 => self.call_character(),
            _ => self.call_crowd(),
        }
    }
}
