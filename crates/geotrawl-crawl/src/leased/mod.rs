//! Crawling on a store that several processes share.
//!
//! This module contains everything about leases: leasing and releasing hosts, page claims and crawl
//! delays ([`hosts::LeasedHosts`]), renewal ([`keeper::LeaseRenewer`]), permissions and figures
//! ([`registry::LeaseRegistry`]), and waiting for an unavailable database
//! ([`store::RetryingStore`]). The scheduler and the other stages work the same way on a store that
//! is not shared.

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

/// Returns the source of a crawl's hosts: leased ones if the store is shared, otherwise all hosts.
pub(crate) fn host_source<'a>(crawl: &CrawlRun, store: &'a RetryingStore) -> Box<dyn HostSource + 'a> {
    let CrawlRun { resources, spec, task, .. } = crawl;
    let (run, most_pages, concurrency) = (task.run, spec.options.max_pages, resources.concurrency());
    if !crawl.store.is_shared() {
        let pages_left = most_pages.map(|most| most.saturating_sub(task.counters.pages));
        return Box::new(ExclusiveHosts::new(store, run, (concurrency * 4).max(1_024), pages_left));
    }
    // Hosts that cannot be served now are left to other processes.
    let usual_delay = resources.fetch.politeness.delay;
    let terms = LeaseTerms { run, most_active: concurrency, most_pages, usual_delay };
    Box::new(LeasedHosts::new(store, resources.leases.clone(), resources.client.clone(), terms))
}

/// Returns how many more finished visits to buffer, so that all visits in flight can end while a
/// shared store is unavailable.
pub(crate) fn outage_reserve(crawl: &CrawlRun) -> usize {
    if crawl.store.is_shared() { crawl.resources.concurrency() } else { 0 }
}
