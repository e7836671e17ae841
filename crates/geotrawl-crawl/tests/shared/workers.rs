//! Tests several workers on one task.

use crate::lab::{SharedLab, wait_until};
use crate::pool::ProcessStore;
use crate::together::{DELAY, HOSTS, PAGES, assert_polite, repeated_after_leaving, single_crawl};
use geotrawl_crawl::apps::ScriptAnalyzer;
use geotrawl_crawl::resources::{ResourceOptions, SharedResources};
use geotrawl_crawl::worker::{SHUTDOWN_GRACE, Worker, WorkerHandle};
use geotrawl_model::store::{JobStore, TaskStore};
use geotrawl_model::task::{JobCommand, JobCommandOutcome, JobId, JobSpec, JobState};
use jiff::Timestamp;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A worker on a shared store.
struct TestWorker {
    desk: Arc<ProcessStore>,
    working: WorkerHandle,
}

impl TestWorker {
    fn at(lab: &SharedLab, desk: Arc<ProcessStore>) -> Self {
        let store: Arc<dyn TaskStore> = desk.clone();
        let options =
            ResourceOptions { cpu_threads: 1, shutdown_grace: SHUTDOWN_GRACE, ..ResourceOptions::default() };
        let resources = SharedResources::start(&lab.fetch, options).unwrap();
        let mut worker = Worker::new(store, resources, ScriptAnalyzer::Here);
        worker.defaults.attempts = 2;
        Self { desk, working: worker.start().unwrap() }
    }

    fn end(self) {
        self.working.stop();
        self.working.wait().unwrap();
    }

    fn commits(&self) -> u64 {
        self.desk.commits.load(Ordering::SeqCst)
    }
}

fn task(lab: &SharedLab) -> JobId {
    let spec = JobSpec {
        seeds: lab.sim.seeds(),
        depth: 6,
        scope: "any".into(),
        max_pages: None,
        ordering: "fifo".into(),
        ..JobSpec::default()
    };
    let store = &lab.pool.store;
    let id = store.add_job(Some(1), &spec, Timestamp::now()).unwrap().id;
    wish(lab, id, JobCommand::Start);
    id
}

fn wish(lab: &SharedLab, id: JobId, wish: JobCommand) {
    let wished = lab.pool.store.apply_job_command(id, wish, 9, Timestamp::now()).unwrap();
    assert!(matches!(wished, JobCommandOutcome::Noted(_)), "{wished:?}");
}

fn state(lab: &SharedLab, id: JobId) -> JobState {
    lab.pool.store.find_job(id).unwrap().unwrap().state
}

#[test]
fn a_task_is_crawled_by_all_workers_paused_by_all_and_ended_once() {
    let (found, usual) = single_crawl();
    let lab = SharedLab::new(HOSTS, PAGES, Duration::from_millis(20), DELAY);
    let id = task(&lab);
    let hands =
        [TestWorker::at(&lab, lab.pool.connect_process()), TestWorker::at(&lab, lab.pool.connect_process())];
    wait_until("both at work", || hands.iter().all(|hand| hand.commits() > 3));
    wish(&lab, id, JobCommand::Pause);
    wait_until("the pause", || state(&lab, id) == JobState::Paused);
    wait_until("all is given back", || lab.pool.leased_hosts() == 0);
    wish(&lab, id, JobCommand::Resume);
    wait_until("the end", || !state(&lab, id).is_active() && state(&lab, id) != JobState::Paused);
    let job = lab.pool.store.find_job(id).unwrap().unwrap();
    assert_eq!(job.state, JobState::Finished, "{job:#?}");
    for hand in hands {
        hand.end();
    }
    assert_eq!(lab.record_urls(), *found);
    assert_polite(&lab);
    assert_eq!(repeated_after_leaving(&lab, usual), []);
    let run = job.run.unwrap();
    // Once for the pause, once for the end.
    assert_eq!(lab.pool.end_count(run), 2);
    let live = lab.pool.store.live_figures(&[run]).unwrap().remove(0);
    assert_eq!(live.tallies.kinds.values().sum::<u64>(), job.counters.resources);
    let finds = lab.pool.store.list_finds(run, 0, 10_000).unwrap();
    assert_eq!(finds.len() as u64, job.counters.resources, "each is told once");
}

#[test]
fn a_task_whose_worker_is_cut_off_is_finished_by_another() {
    let (found, _) = single_crawl();
    let lab = SharedLab::new(HOSTS, PAGES, Duration::from_millis(10), DELAY);
    let id = task(&lab);
    let first = TestWorker::at(&lab, lab.pool.connect_process());
    wait_until("some pages", || first.commits() > 10);
    first.desk.cut_off.store(true, Ordering::SeqCst);
    let second = TestWorker::at(&lab, lab.pool.connect_process());
    wait_until("the end", || !state(&lab, id).is_active());
    let job = lab.pool.store.find_job(id).unwrap().unwrap();
    assert_eq!((job.state, job.counters.pending), (JobState::Finished, 0), "{job:#?}");
    assert_eq!(lab.record_urls(), *found);
    assert!(second.commits() > 10);
    assert_polite(&lab);
    // Work done after its leases expired is rejected, and the worker learns that the run has ended.
    first.desk.cut_off.store(false, Ordering::SeqCst);
    first.end();
    second.end();
    assert_eq!(lab.pool.store.find_job(id).unwrap().unwrap().state, JobState::Finished);
    assert_eq!(lab.record_urls(), *found);
    assert!(lab.pool.end_count(job.run.unwrap()) == 1);
}
