//! Exit codes, in one place.

use geotrawl_crawl::pipeline::CrawlError;
use geotrawl_model::StoreError;
use std::process::ExitCode;

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Done.
    Done = 0,
    /// Finished with failures named on stderr.
    Failures = 1,
    /// Wrong usage or configuration.
    Usage = 2,
    /// Store unavailable or damaged.
    Store = 3,
    /// Interrupted; state kept.
    Interrupted = 130,
}

/// Wrong usage or configuration, found after the command line was parsed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

impl ExitStatus {
    /// The code for an error.
    pub fn from_error(error: &anyhow::Error) -> Self {
        for cause in error.chain() {
            if cause.is::<StoreError>() {
                return Self::Store;
            }
            if cause.is::<UsageError>() {
                return Self::Usage;
            }
            match cause.downcast_ref::<CrawlError>() {
                Some(CrawlError::Store(_)) => return Self::Store,
                Some(CrawlError::Seed { .. }) => return Self::Usage,
                Some(CrawlError::Start(_) | CrawlError::Broken(_)) | None => {}
            }
        }
        Self::Failures
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(exit: ExitStatus) -> Self {
        Self::from(exit as u8)
    }
}
