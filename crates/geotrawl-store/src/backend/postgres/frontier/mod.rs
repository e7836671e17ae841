//! The frontier of the shared store.
//!
//! Everything of a batch is written by a few statements, each of one table and sorted by key. A transaction
//! takes its locks in this order, so that no two wait for each other in a circle: rows of `host` (loans of the
//! hosts it closes items of), keys of `seen`, rows of `host_run`, the row of the run, the catalogue.

mod commit;
mod hosts;
mod leases;
mod loans;
mod numbers;
mod read;
mod rows;
mod seen;
pub(crate) mod session;
pub mod shard;

pub use loans::LeaseOptions;
pub(crate) use commit::Part;

use crate::{HostId, HostWork, Item, ItemId, PastPage, RunId};
use session::Session;
use std::time::Duration;

/// What can go wrong below the trait.
#[derive(Debug)]
pub(crate) enum Fault {
    /// PostgreSQL said no, or cannot be reached.
    Postgres(tokio_postgres::Error),
    /// A stored text is not what this program writes.
    Json(serde_json::Error),
    /// The store contradicts itself, or the caller asked for what is not there.
    Inconsistent(String),
}

/// Result inside the store.
pub(crate) type Step<T> = std::result::Result<T, Fault>;

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Postgres(error)
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

/// Bounds of what a process remembers of the frontier.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrontierOptions {
    pub leases: LeaseOptions,
    /// Host names whose ids are kept in memory.
    pub host_names: usize,
    /// Keys of known links kept in memory for each run, rounded up to a power of two.
    pub hot_keys: usize,
    /// Added to the priority of an item that is put back for another attempt.
    pub retry_penalty: u32,
}

impl Default for FrontierOptions {
    fn default() -> Self {
        Self {
            leases: LeaseOptions::default(),
            host_names: 200_000,
            hot_keys: 1 << 19,
            retry_penalty: 1000,
        }
    }
}

/// What one process knows and holds of the frontier. Statements run on the session given; those that say so
/// make a transaction of their own, all others belong to the caller's.
pub(crate) struct Frontier {
    loans: loans::Loans,
    hosts: hosts::HostIds,
    seen: seen::SeenKeys,
    numbers: numbers::ItemNumbers,
    retry_penalty: u32,
}

impl Frontier {
    /// Of a process that begins; `secret` is that of the store.
    pub fn new(secret: &[u8; 16], options: &FrontierOptions) -> Self {
        Self {
            loans: loans::Loans::new(options.leases),
            hosts: hosts::HostIds::with_limit(options.host_names),
            seen: seen::SeenKeys::new(secret, options.hot_keys),
            numbers: numbers::ItemNumbers::default(),
            retry_penalty: options.retry_penalty,
        }
    }

    /// Whether a request to this host would end before its loan.
    pub fn may_ask(&self, host: HostId) -> bool {
        self.loans.may_ask(host)
    }

    /// Hosts with pending items, best head first, on loan from now on. Own transactions.
    pub async fn hosts_with_work(
        &self,
        session: &Session,
        run: RunId,
        limit: usize,
        skip: &dyn Fn(HostId) -> bool,
    ) -> Step<Vec<HostWork>> {
        read::hosts_with_work(session, &self.loans, run, limit, skip).await
    }

    /// Renews all loans and gives the hosts that others have now. Own transactions.
    pub async fn renew(&self, session: &Session) -> Step<Vec<HostId>> {
        leases::renew(session, &self.loans).await
    }

    /// Gives hosts back, each with its rest; one that another run of this process works on stays. Own
    /// transaction.
    pub async fn give_back(&self, session: &Session, run: RunId, hosts: &[(HostId, Duration)]) -> Step<()> {
        let left = self.loans.leave(run, hosts);
        leases::give_back(session, &self.loans, &left).await
    }

    /// Gives everything back that this process has. Own transactions.
    pub async fn go(&self, session: &Session) -> Step<()> {
        leases::go(session, &self.loans).await
    }

    /// Pages that may be read of the budget of a run. Own transaction.
    pub async fn claim_pages(&self, session: &Session, run: RunId, most: u64, wanted: i64) -> Step<u64> {
        leases::claim_pages(session, &self.loans, run, most, wanted).await
    }

    /// Forgets the known links of a run that is over. Own transactions.
    pub async fn forget_seen(&self, session: &Session, run: RunId) -> Step<()> {
        self.seen.forget(run);
        seen::forget(session, run).await
    }
}

/// Whether nothing of the run is pending.
pub(crate) async fn is_exhausted(session: &Session, run: RunId) -> Step<bool> {
    read::is_exhausted(session, run).await
}

/// The best pending items of a host, in order.
pub(crate) async fn pending(
    session: &Session,
    run: RunId,
    host: HostId,
    limit: usize,
    skip: &dyn Fn(ItemId) -> bool,
) -> Step<Vec<Item>> {
    read::pending(session, run, host, limit, skip).await
}

/// Latest pages of a host in a run, newest first.
pub(crate) async fn history(session: &Session, run: RunId, host: HostId, limit: usize) -> Step<Vec<PastPage>> {
    read::history(session, run, host, limit).await
}

/// The hosts of a run with the best heads, whoever has them.
pub(crate) async fn best_hosts(session: &Session, run: RunId, most: usize) -> Step<Vec<HostId>> {
    read::best_hosts(session, run, most).await
}
