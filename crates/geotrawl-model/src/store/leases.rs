//! Host leases, with which several processes crawl one run without sharing a host.
//!
//! On a shared store, [`super::CrawlStore::hosts_with_work`] leases the hosts it returns: no other
//! process gets them until they are released or the lease expires. A lease covers the host, not the
//! run, so that two tasks on two machines respect the crawl delay together. Every commit checks the
//! lease again (a fencing number), and rejects what a process did after its lease expired.

use super::Result;
use crate::{HostId, RunId};
use std::time::Duration;

/// Host leases. The default methods are those of an embedded store, whose only process holds every
/// host for ever.
pub trait LeaseStore: Send + Sync {
    /// Returns whether other processes may work on the same runs.
    fn is_shared(&self) -> bool {
        false
    }

    /// Returns whether this process may send a request to this host now, that is, whether the lease
    /// lasts longer than a request may take. Cheap: it reads only a monotonic clock. The lease time
    /// counts from before the lease was requested, so that it ends here before it ends in the
    /// store.
    fn may_send_request(&self, _run: RunId, _host: HostId) -> bool {
        true
    }

    /// Returns how often leases must be renewed: a few times per lease duration.
    fn renewal_interval(&self) -> Duration {
        Duration::from_secs(5)
    }

    /// Renews all leases of this process and returns the hosts whose leases are lost. Called by one
    /// thread a few times per lease duration, even when nothing else happens.
    fn renew_leases(&self) -> Result<Vec<HostId>> {
        Ok(Vec::new())
    }

    /// Releases hosts, each with its remaining crawl delay.
    fn release_leases(&self, _run: RunId, _hosts: &[(HostId, Duration)]) -> Result<()> {
        Ok(())
    }

    /// Claims pages of a budget of `most` that all processes share: grants at most `wanted` and
    /// returns how many. A negative `wanted` returns pages that were not read.
    fn claim_pages(&self, _run: RunId, _most: u64, wanted: i64) -> Result<u64> {
        Ok(wanted.max(0) as u64)
    }

    /// Returns whether every entry of the run is closed, in all processes.
    fn is_exhausted(&self, _run: RunId) -> Result<bool> {
        Ok(true)
    }

    /// Returns whether another process holds a host of the run that has pending entries. A run that
    /// stops because its budgets are used up ends when no process works on it any more.
    fn is_leased_elsewhere(&self, _run: RunId) -> Result<bool> {
        Ok(false)
    }
}
