//! Stored robots.txt results.

use serde::{Deserialize, Serialize};

/// The robots.txt of a host, stored so that a restart need not request it again.
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
    /// 5xx, timeout or unreachable: nothing may be fetched. Holds the reason.
    DenyAll(String),
}
