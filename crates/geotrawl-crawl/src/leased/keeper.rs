//! Two threads that maintain the leases of a crawl. One renews them (that of the first crawl renews
//! all leases of the process) and may hang as long as the database does. The other never uses the
//! database: it checks a few times a second whether the leases are still valid, so that requests
//! stop in time even if the first one hangs.

use super::registry::LeaseRegistry;
use crate::pipeline::{CrawlError, CrawlStopper};
use crate::traces::TraceLabel;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use geotrawl_model::RunId;
use geotrawl_model::store::CrawlStore;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// How often the second thread checks the leases.
const CHECK_EVERY: Duration = Duration::from_millis(100);
/// Delay before retrying a failed renewal.
const RETRY_AFTER: Duration = Duration::from_millis(200);

/// Maintains the leases of a crawl until it is dropped.
pub struct LeaseRenewer {
    over: Option<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
    leases: Arc<LeaseRegistry>,
    run: RunId,
}

impl LeaseRenewer {
    /// Starts both threads; returns `None` if the store has no leases.
    pub fn start(
        store: &Arc<dyn CrawlStore>,
        leases: &Arc<LeaseRegistry>,
        run: RunId,
        stopper: &CrawlStopper,
        label: &Arc<TraceLabel>,
    ) -> Result<Option<Self>, CrawlError> {
        if !store.is_shared() {
            return Ok(None);
        }
        leases.add_crawl(run, stopper.signals.clone());
        let (over, is_over) = bounded(0);
        let mut keeper = Self { over: Some(over), threads: Vec::new(), leases: Arc::clone(leases), run };
        let renewal = RenewalLoop {
            store: Arc::clone(store),
            leases: Arc::clone(leases),
            run,
            stopper: stopper.clone(),
        };
        let (span, renewed) = (label.span.clone(), is_over.clone());
        keeper.spawn("leases", move || span.in_scope(|| renewal.renew_until(&renewed)))?;
        let (store, leases, span) = (Arc::clone(store), Arc::clone(leases), label.span.clone());
        keeper.spawn("lease-watch", move || {
            span.in_scope(|| {
                while let Err(RecvTimeoutError::Timeout) = is_over.recv_timeout(CHECK_EVERY) {
                    leases.update_permissions(run, |host| store.may_send_request(run, host));
                }
            });
        })?;
        Ok(Some(keeper))
    }

    fn spawn(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), CrawlError> {
        let thread = Builder::new().name(name.into()).spawn(work).map_err(CrawlError::from_thread_error)?;
        self.threads.push(thread);
        Ok(())
    }
}

impl Drop for LeaseRenewer {
    fn drop(&mut self) {
        self.over = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        self.leases.remove_crawl(self.run);
    }
}

/// Renews leases, and stops the crawl if another process has ended its run.
struct RenewalLoop {
    store: Arc<dyn CrawlStore>,
    leases: Arc<LeaseRegistry>,
    run: RunId,
    stopper: CrawlStopper,
}

impl RenewalLoop {
    fn renew_until(&self, over: &Receiver<()>) {
        let every = self.store.renewal_interval();
        let mut wait = every;
        while let Err(RecvTimeoutError::Timeout) = over.recv_timeout(wait) {
            wait = if self.renew() { every } else { RETRY_AFTER.min(every) };
            if let Ok(false) = self.store.run_is_open(self.run) {
                self.stopper.close_run();
            }
        }
    }

    /// Renews all leases of the process, unless another crawl is doing so; returns `false` on
    /// failure.
    fn renew(&self) -> bool {
        let Ok(_first) = self.leases.renewing.try_lock() else { return true };
        let known = self.leases.store_is_away();
        let renewed = self.store.renew_leases();
        self.leases.note_outcome(&renewed);
        match renewed {
            Ok(lost) => self.leases.announce_lost(&lost),
            Err(error) => {
                // Log once per outage.
                if !known {
                    tracing::warn!("cannot renew leases: {error}");
                }
                return false;
            }
        }
        true
    }
}
