//! Whether a resource works.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Whether a resource works, as of the latest checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Alive,
    Degraded,
    Dead,
    Restricted,
    Blocked,
    Inconclusive,
    #[default]
    Unchecked,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 7] = [
        Self::Alive,
        Self::Degraded,
        Self::Dead,
        Self::Restricted,
        Self::Blocked,
        Self::Inconclusive,
        Self::Unchecked,
    ];

    /// Returns the word used in the database, the API and exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Alive => "alive",
            Self::Degraded => "degraded",
            Self::Dead => "dead",
            Self::Restricted => "restricted",
            Self::Blocked => "blocked",
            Self::Inconclusive => "inconclusive",
            Self::Unchecked => "unchecked",
        }
    }

    /// Returns the precedence of a status among several observations in a run: the highest wins.
    pub fn rank(self) -> u8 {
        match self {
            Self::Alive => 6,
            Self::Degraded => 5,
            Self::Unchecked => 4,
            Self::Restricted => 3,
            Self::Blocked => 2,
            Self::Inconclusive => 1,
            Self::Dead => 0,
        }
    }

    /// Returns whether the resource serves its data, well or badly.
    pub fn is_usable(self) -> bool {
        matches!(self, Self::Alive | Self::Degraded)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Error for a text that names no [`Status`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a status")]
pub struct UnknownStatusError(String);

impl FromStr for Status {
    type Err = UnknownStatusError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == word)
            .ok_or_else(|| UnknownStatusError(word.to_owned()))
    }
}
