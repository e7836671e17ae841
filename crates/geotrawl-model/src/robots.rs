//! What robots.txt said.

use serde::{Deserialize, Serialize};

/// What robots.txt said, kept so that a restart need not ask again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsRecord {
    /// Scheme, host and port.
    pub host: String,
    pub fetched_at: jiff::Timestamp,
    pub verdict: RobotsVerdict,
}

/// Outcome of fetching robots.txt (RFC 9309).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RobotsVerdict {
    /// The text, cut at the size limit.
    Rules(String),
    /// 4xx: no rules.
    AllowAll,
    /// 5xx, timeout, unreachable: nothing may be fetched; the reason in words.
    DenyAll(String),
}
