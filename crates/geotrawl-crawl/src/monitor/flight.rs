//! Checks in flight: one per host, with further checks of the host queued behind it.

use super::{MonitorProgress, RecordChecker};
use geotrawl_model::monitoring::{CheckResult, DueCheck};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use tokio::task::{Id, JoinSet};

/// Checks in flight.
pub(super) struct ChecksInFlight {
    checker: Arc<dyn RecordChecker>,
    most: usize,
    progress: Arc<MonitorProgress>,
    tasks: JoinSet<CheckResult>,
    /// Record id and host of each task.
    under_way: HashMap<Id, (String, String)>,
    /// Queued checks by host. Every busy host has an entry.
    waiting: HashMap<String, VecDeque<DueCheck>>,
}

/// A finished check.
pub(super) struct EndedCheck {
    /// `None` if the checker panicked.
    pub result: Option<CheckResult>,
    /// Whether no other check of the host was queued.
    pub host_is_free: bool,
}

impl ChecksInFlight {
    pub fn new(checker: Arc<dyn RecordChecker>, most: usize, progress: Arc<MonitorProgress>) -> Self {
        let (tasks, under_way, waiting) = (JoinSet::new(), HashMap::new(), HashMap::new());
        Self { checker, most, progress, tasks, under_way, waiting }
    }

    /// Returns how many hosts may be added.
    pub fn free_slots(&self) -> usize {
        self.most.saturating_sub(self.waiting.len())
    }

    /// Returns whether no check is in flight.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Returns the busy hosts.
    pub fn busy_hosts(&self) -> HashSet<String> {
        self.waiting.keys().cloned().collect()
    }

    /// Returns the ids of all leased records.
    pub fn leased_records(&self) -> Vec<String> {
        let waiting = self.waiting.values().flatten().map(|due| due.id.clone());
        self.under_way.values().map(|(id, _)| id.clone()).chain(waiting).collect()
    }

    /// Starts the first check per host, and queues the others.
    pub fn add_checks(&mut self, taken: Vec<DueCheck>) {
        for due in taken {
            if let Some(behind) = self.waiting.get_mut(&due.record.host.name) {
                behind.push_back(due);
            } else {
                self.waiting.insert(due.record.host.name.clone(), VecDeque::new());
                self.start(due);
            }
        }
    }

    fn start(&mut self, due: DueCheck) {
        let names = (due.id.clone(), due.record.host.name.clone());
        let checker = self.checker.clone();
        let task = self.tasks.spawn(async move { checker.check_due(&due).await });
        self.under_way.insert(task.id(), names);
        self.progress.set_under_way(self.tasks.len());
    }

    /// Waits for the next check to end. Pending for ever if none is in flight.
    pub async fn next_ended(&mut self) -> EndedCheck {
        let Some(joined) = self.tasks.join_next_with_id().await else {
            return std::future::pending().await;
        };
        let (task, result) = match joined {
            Ok((task, result)) => (task, Some(result)),
            Err(error) => {
                // Its lease is left to expire, so that a check that panics is not repeated at once.
                self.progress.add_broken();
                tracing::error!(%error, "a check was aborted");
                (error.id(), None)
            }
        };
        self.progress.set_under_way(self.tasks.len());
        let Some((_, host)) = self.under_way.remove(&task) else {
            return EndedCheck { result, host_is_free: true };
        };
        let behind = self.waiting.get_mut(&host).and_then(VecDeque::pop_front);
        let host_is_free = behind.is_none();
        if let Some(due) = behind {
            self.start(due);
        } else {
            self.waiting.remove(&host);
        }
        EndedCheck { result, host_is_free }
    }

    /// Drops the checks that have not started; returns their records.
    pub fn drop_waiting(&mut self) -> Vec<String> {
        self.waiting.values_mut().flat_map(std::mem::take).map(|due| due.id).collect()
    }

    /// Aborts all running checks and returns the ids of their records.
    pub fn abort_all(mut self) -> Vec<String> {
        self.tasks.abort_all();
        self.under_way.drain().map(|(_, (id, _))| id).collect()
    }
}
