//! Hosts on loan: how several processes crawl one run and no host is asked by two of them.
//!
//! A process that asks for hosts with work ([`super::CrawlStore::hosts_with_work`]) of a shared store borrows
//! them: nobody else is given them until it returns them or its loan runs out. A loan belongs to the host,
//! not to a run, so that two tasks on two machines are polite together, too. Every commit checks the loan
//! again (a fencing number): what a process did after its loan ran out is not taken.

use super::Result;
use crate::{HostId, RunId};
use std::time::Duration;

/// Loans of hosts. An embedded store belongs to one process, which holds everything for ever: that is what
/// the given methods say.
pub trait LeaseStore: Send + Sync {
    /// Whether other processes may work on the same runs.
    fn is_shared(&self) -> bool {
        false
    }

    /// Whether this process may send a request to this host now: the loan lasts longer than a request may
    /// take. Asks nobody and is cheap; decided by our own steady clock from the moment before the loan was
    /// asked for, so that it ends here before it ends in the store.
    fn may_send_request(&self, _run: RunId, _host: HostId) -> bool {
        true
    }

    /// How often loans are to be renewed: a few times per duration of one.
    fn renewal_interval(&self) -> Duration {
        Duration::from_secs(5)
    }

    /// Renews all loans of this process and tells which it has lost; called a few times per duration of a
    /// loan, by one thread, also when nothing else goes on.
    fn renew_leases(&self) -> Result<Vec<HostId>> {
        Ok(Vec::new())
    }

    /// Gives hosts back, each with the time during which nobody may ask it (what is left of its pause).
    fn release_leases(&self, _run: RunId, _hosts: &[(HostId, Duration)]) -> Result<()> {
        Ok(())
    }

    /// Pages that this process may read of a run whose budget is `most`: at most `wanted`, counted against
    /// the budget of all processes together; those that it did not read are returned with a negative wish.
    fn claim_pages(&self, _run: RunId, _most: u64, wanted: i64) -> Result<u64> {
        Ok(wanted.max(0) as u64)
    }

    /// Whether every item of the run is closed, whoever holds it.
    fn is_exhausted(&self, _run: RunId) -> Result<bool> {
        Ok(true)
    }

    /// Whether another process holds a host of the run that has pending items. A run that is not exhausted because
    /// budgets are used up ends when nobody is at work on it any more.
    fn is_leased_elsewhere(&self, _run: RunId) -> Result<bool> {
        Ok(false)
    }
}
