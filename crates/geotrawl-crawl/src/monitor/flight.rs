//! Checks under way: one of each host, the others of that host waiting behind it.

use super::{MonitorProgress, RecordChecker};
use geotrawl_model::monitoring::{CheckResult, DueCheck};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use tokio::task::{Id, JoinSet};

/// Checks under way.
pub(super) struct ChecksInFlight {
    checker: Arc<dyn RecordChecker>,
    most: usize,
    progress: Arc<MonitorProgress>,
    tasks: JoinSet<CheckResult>,
    /// Record and host of each task.
    under_way: HashMap<Id, (String, String)>,
    /// What waits behind the check under way, by host: every busy host has an entry.
    waiting: HashMap<String, VecDeque<DueCheck>>,
}

/// A check that is over.
pub(super) struct EndedCheck {
    /// Nothing when the checker broke down.
    pub result: Option<CheckResult>,
    /// Nothing waited behind it.
    pub host_is_free: bool,
}

impl ChecksInFlight {
    pub fn new(checker: Arc<dyn RecordChecker>, most: usize, progress: Arc<MonitorProgress>) -> Self {
        let (tasks, under_way, waiting) = (JoinSet::new(), HashMap::new(), HashMap::new());
        Self { checker, most, progress, tasks, under_way, waiting }
    }

    /// Hosts that may be added.
    pub fn free_slots(&self) -> usize {
        self.most.saturating_sub(self.waiting.len())
    }

    /// Whether nothing is under way.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Hosts that are busy.
    pub fn busy_hosts(&self) -> HashSet<String> {
        self.waiting.keys().cloned().collect()
    }

    /// Records that are leased.
    pub fn leased_records(&self) -> Vec<String> {
        let waiting = self.waiting.values().flatten().map(|due| due.id.clone());
        self.under_way.values().map(|(id, _)| id.clone()).chain(waiting).collect()
    }

    /// Starts the first of each host, and lets the others wait.
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

    /// The next check that ends. Never ends itself when nothing is under way.
    pub async fn next_ended(&mut self) -> EndedCheck {
        let Some(joined) = self.tasks.join_next_with_id().await else {
            return std::future::pending().await;
        };
        let (task, result) = match joined {
            Ok((task, result)) => (task, Some(result)),
            Err(error) => {
                // Its lease is left to end, so that what breaks the checker is not asked for at once again.
                self.progress.add_broken();
                tracing::error!(%error, "a check broke down");
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

    /// Gives up what has not begun; the records.
    pub fn drop_waiting(&mut self) -> Vec<String> {
        self.waiting.values_mut().flat_map(std::mem::take).map(|due| due.id).collect()
    }

    /// Gives up what is under way; the records.
    pub fn abort_all(mut self) -> Vec<String> {
        self.tasks.abort_all();
        self.under_way.drain().map(|(_, (id, _))| id).collect()
    }
}
