//! Exit codes of the program.

use geotrawl_crawl::pipeline::CrawlError;
use geotrawl_model::StoreError;
use std::process::ExitCode;

/// How the program ended; the value is its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Success.
    Done = 0,
    /// Finished with failures listed on stderr.
    Failures = 1,
    /// Invalid usage or configuration.
    Usage = 2,
    /// Store unavailable or damaged.
    Store = 3,
    /// Interrupted; the state is kept.
    Interrupted = 130,
}

/// Invalid usage or configuration, detected after the command line was parsed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

impl ExitStatus {
    /// Returns the exit status for an error.
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
