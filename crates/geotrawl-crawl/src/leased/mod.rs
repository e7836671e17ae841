//! A crawl on a store that several processes share.
//!
//! Everything about leases is here: leasing hosts and releasing them, page claims and crawl delays
//! ([`hosts::LeasedHosts`]), renewing and watching leases ([`keeper::LeaseKeeper`]), what they allow and their figures
//! ([`registry::LeaseRegistry`]), and waiting for a database that is unavailable ([`store::RetryingStore`]). The
//! scheduler and the other stages work the same way on a store of their own.

mod hosts;
mod keeper;
mod registry;
mod store;

pub(crate) use keeper::LeaseRenewer;
pub use registry::LeaseRegistry;
pub use store::RetryingStore;

use crate::frontier::{ExclusiveHosts, HostSource};
use crate::pipeline::CrawlRun;
use hosts::{LeaseTerms, LeasedHosts};

/// Returns where a crawl gets its hosts from: leased ones where the store is shared, else all that there are.
pub(crate) fn host_source<'a>(crawl: &CrawlRun, store: &'a RetryingStore) -> Box<dyn HostSource + 'a> {
    let CrawlRun { resources, spec, task, .. } = crawl;
    let (run, most_pages, concurrency) = (task.run, spec.options.max_pages, resources.concurrency());
    if !crawl.store.is_shared() {
        let pages_left = most_pages.map(|most| most.saturating_sub(task.counters.pages));
        return Box::new(ExclusiveHosts::new(store, run, (concurrency * 4).max(1_024), pages_left));
    }
    // Hosts that cannot be served at once are left to others.
    let usual_delay = resources.fetch.politeness.delay;
    let terms = LeaseTerms { run, most_active: concurrency, most_pages, usual_delay };
    Box::new(LeasedHosts::new(store, resources.leases.clone(), resources.client.clone(), terms))
}

/// Returns how many finished visits are kept besides the usual ones, so that all that is under way can end while a
/// shared store is unavailable.
pub(crate) fn outage_reserve(crawl: &CrawlRun) -> usize {
    if crawl.store.is_shared() { crawl.resources.concurrency() } else { 0 }
}
