//! Where a service went: a fingerprint of what it holds finds it again at another address.

use geotrawl_kinds::model::Resource;
use serde::{Deserialize, Serialize};

/// What makes a service recognisable, small enough to keep for every one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {}

impl Fingerprint {
    /// Of a resource with its datasets.
    pub fn of(_resource: &Resource) -> Self {
        Self {}
    }

    /// Numbers of which two like services share at least one, nearly always: candidates are looked up by them.
    pub fn bands(&self) -> Vec<u64> {
        Vec::new()
    }
}

/// How alike two services are, and why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Likeness {
    /// 0 to 1.
    pub confidence: f64,
    /// In words, most telling first.
    pub evidence: Vec<String>,
}

/// Below this nothing is proposed.
pub const PROPOSE: f64 = 0.8;

/// How likely the second took the place of the first.
pub fn compare(_gone: &Fingerprint, _candidate: &Fingerprint) -> Likeness {
    Likeness::default()
}
