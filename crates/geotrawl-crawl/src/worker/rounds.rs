//! The main loop of a worker: several times a second it reads commands, takes tasks, and reports
//! progress.

use super::sharing::OtherWorkers;
use super::task::{RunningTask, TaskThread};
use super::{Worker, WorkerCall, log_failure};
use crate::pipeline::CrawlError;
use crossbeam_channel::{Receiver, Sender};
use geotrawl_model::task::{JobId, JobState};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often commands are read.
const LOOK: Duration = Duration::from_millis(250);
/// How often progress is written.
const REPORT: Duration = Duration::from_millis(500);
/// How often schedules are checked.
const SCHEDULES: Duration = Duration::from_secs(5);

/// State of a running worker.
pub(super) struct WorkLoop {
    pub worker: Arc<Worker>,
    pub running: HashMap<JobId, RunningTask>,
    pub others: OtherWorkers,
    heard: Receiver<WorkerCall>,
    calls: Sender<WorkerCall>,
    ending: bool,
    /// When commands were last read; `None` if that is due now.
    looked: Option<Instant>,
    scheduled: Option<Instant>,
    reported: Instant,
}

impl WorkLoop {
    pub fn new(worker: Worker, heard: Receiver<WorkerCall>, calls: Sender<WorkerCall>) -> Self {
        Self {
            worker: Arc::new(worker),
            running: HashMap::new(),
            others: OtherWorkers::default(),
            heard,
            calls,
            ending: false,
            looked: None,
            scheduled: None,
            reported: Instant::now(),
        }
    }

    /// Runs until told to end.
    pub fn run(mut self) -> Result<(), CrawlError> {
        self.worker.requeue_interrupted()?;
        loop {
            self.queue_scheduled();
            self.look_at_rows();
            self.report_progress();
            if self.ending && self.running.is_empty() {
                break;
            }
            let timeout = LOOK.min(REPORT.saturating_sub(self.reported.elapsed()));
            if let Ok(call) = self.heard.recv_timeout(timeout) {
                self.handle_call(call);
            }
        }
        // Tasks that did not end go back to the queue for the next worker.
        self.worker.requeue_interrupted()?;
        Ok(())
    }

    fn queue_scheduled(&mut self) {
        if self.ending || !is_due(self.scheduled, SCHEDULES) || !self.others.is_store_reachable() {
            return;
        }
        self.scheduled = Some(Instant::now());
        let queued = self.worker.store.queue_due_jobs(self.worker.max_running, jiff::Timestamp::now());
        self.others.note_outcome(&queued);
        log_failure("queueing what is due", queued);
    }

    fn look_at_rows(&mut self) {
        if !is_due(self.looked, LOOK) {
            return;
        }
        self.looked = Some(Instant::now());
        self.stop_unwanted_tasks();
        if !self.ending && self.others.is_store_reachable() {
            self.take_tasks();
            self.join_runs();
        }
    }

    fn handle_call(&mut self, call: WorkerCall) {
        // Any call is a reason to read the commands again.
        self.looked = None;
        match call {
            WorkerCall::Look => {}
            WorkerCall::Over(id, failed) => {
                if let Some(run) = failed {
                    self.others.note_failed(run);
                }
                if let Some(over) = self.running.remove(&id) {
                    over.join();
                }
            }
            WorkerCall::End => self.ending = true,
        }
    }

    /// Stops the tasks that should pause or stop.
    fn stop_unwanted_tasks(&mut self) {
        for (id, task) in self.running.iter_mut().filter(|(_, task)| !task.is_stopping) {
            let wanted = self.worker.wanted_state(*id);
            if self.ending || wanted != JobState::Running {
                // Stays false until the crawl has started, so that the next round tries again.
                task.is_stopping = task.stop(|stopper| self.worker.stop_crawl(stopper, wanted));
            }
        }
    }

    pub fn has_room(&self) -> bool {
        self.running.len() < self.worker.max_tasks.max(1)
    }

    fn take_tasks(&mut self) {
        while self.has_room() {
            let taken = self.worker.store.take_job(jiff::Timestamp::now());
            self.others.note_outcome(&taken);
            match taken {
                Ok(Some(job)) => {
                    let id = job.id;
                    if let Err(error) = self.start(TaskThread::new(&self.worker, job)) {
                        let reason = format!("The crawl could not be started: {error}");
                        let now = jiff::Timestamp::now();
                        let ended = self.worker.store.end_job(id, JobState::Failed, Some(&reason), now);
                        log_failure("ending a task", ended);
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    log_failure::<()>("taking a task", Err(error));
                    return;
                }
            }
        }
    }

    /// Starts a task on its own thread.
    pub fn start(&mut self, task: TaskThread) -> std::io::Result<()> {
        let (id, calls) = (task.job.id, self.calls.clone());
        let running = task.spawn(move |failed| {
            let _ = calls.send(WorkerCall::Over(id, failed));
        })?;
        self.running.insert(id, running);
        Ok(())
    }

    /// Writes the progress of every task.
    fn report_progress(&mut self) {
        if self.reported.elapsed() >= REPORT {
            self.reported = Instant::now();
            self.running.values().for_each(|task| task.report_progress(&self.worker));
        }
    }
}

fn is_due(last: Option<Instant>, every: Duration) -> bool {
    last.is_none_or(|at| at.elapsed() >= every)
}
