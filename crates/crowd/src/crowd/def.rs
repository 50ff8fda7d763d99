//! Definition of a crowd.

use crate::error::{CrowdError, range};
use crate::profile::Clock;
use crate::workers::MAX_THREADS;

/// Defines a crowd; a plain struct.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct CrowdDef {
    /// Threads that a step may use, 1 to [`MAX_THREADS`], of the current pool of rayon. Results do not depend on it.
    /// Without the feature `threads`, a step uses the calling thread alone.
    pub threads: u32,
    /// Number of steps in which each agent decides once, at least 1: time slices. With 1, the default, all agents
    /// decide in every step.
    ///
    /// Between decisions an agent approaches its chosen velocity within its limits of acceleration and turning; contacts
    /// are settled in every step. A crowd whose agents decide 20 times a second in steps of 1/60 s costs about four
    /// fifths. The slice of an agent follows from [`AgentId::index`](crate::CrowdId::index), and so from the order of creation.
    pub steering_interval: u32,
    /// Mark in the ids of the crowd. Crowds of different marks recognize each other's ids as foreign; give each of several
    /// crowds that live side by side a mark of its own. Results do not depend on it. Default 0.
    pub id_mark: u16,
    /// Clock for the profile; `None`: no profile.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub clock: Option<Clock>,
}

impl Default for CrowdDef {
    fn default() -> Self {
        Self {
            threads: 1,
            steering_interval: 1,
            id_mark: 0,
            clock: None,
        }
    }
}

impl CrowdDef {
    /// Checks all numbers.
    ///
    /// # Errors
    /// The first field that is out of range, with its value.
    pub fn validate(&self) -> Result<(), CrowdError> {
        range("threads", self.threads.into(), 1.0, MAX_THREADS.into())?;
        let most = u32::MAX.into();
        range(
            "steering_interval",
            self.steering_interval.into(),
            1.0,
            most,
        )
    }
}
