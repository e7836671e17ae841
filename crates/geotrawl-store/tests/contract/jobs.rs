use crate::Backend;
use crate::accounts::new_user as person_called;
use geotrawl_model::account::{NewUser, UserRole};
use geotrawl_model::live::{LiveFigures, Tallies};
use geotrawl_model::store::Store;
use geotrawl_model::task::{Job, JobCommand, JobCommandOutcome, JobFilter, JobSpec, JobState};
use geotrawl_model::{RunCounters, ShortRecord, TaskSpec, TaskState};
use geotrawl_testkit::builders::{
    TestCrawl, all_records, finished_item, new_link, ok_outcome, service, task_spec, test_time,
};
use std::sync::Arc;

fn asked(title: &str) -> JobSpec {
    JobSpec { title: title.into(), seeds: vec!["http://a.example/".into()], ..JobSpec::default() }
}

fn noted(wished: JobCommandOutcome) -> Job {
    match wished {
        JobCommandOutcome::Noted(job) => *job,
        other => panic!("not noted: {other:?}"),
    }
}

/// Starts the crawler's run of a job, as a worker does.
fn crawl<'s>(store: &'s dyn Store, job: &Job) -> TestCrawl<'s> {
    let run =
        store.open_task(&TaskSpec { name: job.name.clone(), ..task_spec("x") }, test_time(1)).unwrap().run;
    store.set_job_run(job.id, run).unwrap();
    TestCrawl { store, run, second: 1 }
}

pub fn a_job_goes_through_its_life<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let job = store.add_job(Some(7), &asked("rivers"), test_time(0)).unwrap();
    assert_eq!((job.state, job.owner, job.run), (JobState::Draft, Some(7), None));
    assert_eq!(
        store.apply_job_command(job.id, JobCommand::Pause, 5, test_time(0)).unwrap(),
        JobCommandOutcome::NotNow(JobState::Draft)
    );
    assert_eq!(
        noted(store.apply_job_command(job.id, JobCommand::Start, 5, test_time(1)).unwrap()).state,
        JobState::Queued
    );
    assert!(store.change_job(job.id, &asked("other"), test_time(1)).unwrap().is_none(), "it is not idle");
    assert!(!store.remove_job(job.id).unwrap());
    let taken = store.take_job(test_time(2)).unwrap().unwrap();
    assert_eq!((taken.id, taken.state), (job.id, JobState::Running));
    assert!(store.take_job(test_time(2)).unwrap().is_none());
    let first = crawl(&*store, &taken).run;
    assert_eq!(store.job_of_run(first).unwrap(), Some(job.id));

    assert_eq!(
        noted(store.apply_job_command(job.id, JobCommand::Pause, 5, test_time(3)).unwrap()).state,
        JobState::Pausing
    );
    assert_eq!(store.wanted_job_state(job.id).unwrap(), JobState::Pausing);
    store.set_task_state(first, TaskState::Paused, test_time(3)).unwrap();
    store.end_job(job.id, JobState::Paused, None, test_time(3)).unwrap();
    assert_eq!(
        noted(store.apply_job_command(job.id, JobCommand::Resume, 5, test_time(4)).unwrap()).state,
        JobState::Queued
    );
    let taken = store.take_job(test_time(4)).unwrap().unwrap();
    assert_eq!(crawl(&*store, &taken).run, first, "a paused task must continue its run");
    noted(store.apply_job_command(job.id, JobCommand::Stop, 5, test_time(5)).unwrap());
    assert_eq!(store.wanted_job_state(job.id).unwrap(), JobState::Stopping);
    store.set_task_state(first, TaskState::Finished, test_time(5)).unwrap();
    store.end_job(job.id, JobState::Stopped, None, test_time(5)).unwrap();
    let job = store.find_job(job.id).unwrap().unwrap();
    assert_eq!((job.state, job.ended), (JobState::Stopped, Some(test_time(5))));
    noted(store.apply_job_command(job.id, JobCommand::Start, 5, test_time(6)).unwrap());
    let taken = store.take_job(test_time(6)).unwrap().unwrap();
    assert_ne!(crawl(&*store, &taken).run, first, "a stopped task must start a new run");
    store.end_job(job.id, JobState::Failed, Some("The seed cannot be read"), test_time(7)).unwrap();
    let job = store.find_job(job.id).unwrap().unwrap();
    assert_eq!(job.error.as_deref(), Some("The seed cannot be read"));
    let told: Vec<String> = store
        .task_events(job.id, 0, 100)
        .unwrap()
        .iter()
        .map(|event| event.body["state"].as_str().unwrap().to_owned())
        .collect();
    let firsts = ["draft", "queued", "running", "running", "pausing", "paused", "queued"];
    assert_eq!(told[..7], firsts);
    assert_eq!(told.last().unwrap(), "failed");
}

pub fn parallel_starts_never_exceed_the_quota<B: Backend>() {
    let place = B::new();
    let store = place.open();
    for _ in 0..4 {
        let job = store.add_job(Some(1), &asked("x"), test_time(0)).unwrap();
        noted(store.apply_job_command(job.id, JobCommand::Start, 5, test_time(0)).unwrap());
    }
    let jobs: Vec<Job> =
        (0..200).map(|_| store.add_job(Some(1), &asked("y"), test_time(0)).unwrap()).collect();
    let other = store.add_job(Some(2), &asked("z"), test_time(0)).unwrap();
    std::thread::scope(|scope| {
        for piece in jobs.chunks(25) {
            let store = Arc::clone(&store);
            scope.spawn(move || {
                for job in piece {
                    store.apply_job_command(job.id, JobCommand::Start, 5, test_time(1)).unwrap();
                }
            });
        }
    });
    let queued = JobFilter { states: vec![JobState::Queued], limit: 1000, ..JobFilter::default() };
    assert_eq!(store.list_jobs(&queued).unwrap().1, 5);
    let idle =
        jobs.iter().find(|job| store.find_job(job.id).unwrap().unwrap().state == JobState::Draft).unwrap();
    assert_eq!(
        store.apply_job_command(idle.id, JobCommand::Start, 5, test_time(1)).unwrap(),
        JobCommandOutcome::TooMany(5)
    );
    noted(store.apply_job_command(other.id, JobCommand::Start, 5, test_time(1)).unwrap());
}

pub fn workers_are_shared_between_owners<B: Backend>() {
    let place = B::new();
    let store = place.open();
    for (owner, second) in [(1, 0), (1, 1), (1, 2), (2, 3)] {
        let job = store.add_job(Some(owner), &asked("x"), test_time(second)).unwrap();
        noted(store.apply_job_command(job.id, JobCommand::Start, 9, test_time(second)).unwrap());
    }
    let order: Vec<_> =
        (0..4).map(|_| store.take_job(test_time(9)).unwrap().unwrap().owner.unwrap()).collect();
    assert_eq!(order, [1, 2, 1, 1]);
}

pub fn what_a_dead_worker_left_is_queued_again<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut ids = Vec::new();
    for wish in [None, Some(JobCommand::Pause), Some(JobCommand::Stop)] {
        let job = store.add_job(Some(1), &asked("x"), test_time(0)).unwrap();
        noted(store.apply_job_command(job.id, JobCommand::Start, 9, test_time(0)).unwrap());
        let job = store.take_job(test_time(0)).unwrap().unwrap();
        crawl(&*store, &job);
        if let Some(wish) = wish {
            noted(store.apply_job_command(job.id, wish, 9, test_time(0)).unwrap());
        }
        ids.push(job.id);
    }
    // The worker died just after the run ended.
    let job = store.add_job(Some(1), &asked("x"), test_time(0)).unwrap();
    noted(store.apply_job_command(job.id, JobCommand::Start, 9, test_time(0)).unwrap());
    let job = store.take_job(test_time(0)).unwrap().unwrap();
    let run = crawl(&*store, &job).run;
    assert!(store.end_run(run, TaskState::Finished, test_time(4)).unwrap());
    ids.push(job.id);
    drop(store);
    let store = place.open();
    assert_eq!(store.requeue_orphans(test_time(5)).unwrap(), 4);
    let states = || -> Vec<_> { ids.iter().map(|id| store.find_job(*id).unwrap().unwrap().state).collect() };
    let ended = JobState::Finished;
    assert_eq!(states(), [JobState::Queued, JobState::Paused, JobState::Stopped, ended]);
    // The same applies to one of several workers. A restarted task is not ended by its previous
    // run.
    store.end_job(job.id, JobState::Queued, None, test_time(6)).unwrap();
    assert_eq!(states()[3], ended);
    noted(store.apply_job_command(job.id, JobCommand::Start, 9, test_time(7)).unwrap());
    store.end_job(job.id, JobState::Queued, None, test_time(8)).unwrap();
    assert_eq!(states()[3], JobState::Queued);
}

pub fn a_schedule_starts_what_is_idle<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let now = "2026-11-16T06:15:00Z".parse().unwrap();
    let spec = JobSpec { schedule: Some("30 6 * * *".into()), ..asked("daily") };
    let job = store.add_job(Some(1), &spec, now).unwrap();
    assert_eq!(job.next_run, Some("2026-11-16T06:30:00Z".parse().unwrap()));
    assert_eq!(store.queue_due_jobs(5, now).unwrap(), 0);
    let later = "2026-11-16T06:30:02Z".parse().unwrap();
    assert_eq!(store.queue_due_jobs(5, later).unwrap(), 1);
    assert_eq!(store.queue_due_jobs(5, later).unwrap(), 0);
    let job = store.find_job(job.id).unwrap().unwrap();
    assert_eq!((job.state, job.next_run), (JobState::Queued, Some("2026-11-17T06:30:00Z".parse().unwrap())));
    let next_day = "2026-11-17T06:31:00Z".parse().unwrap();
    assert_eq!(store.queue_due_jobs(5, next_day).unwrap(), 0, "it still waits");
}

pub fn a_schedule_waits_for_a_place_of_its_owner<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let now = "2026-11-16T06:15:00Z".parse().unwrap();
    let spec = JobSpec { schedule: Some("30 6 * * *".into()), ..asked("daily") };
    let jobs: Vec<_> = (0..3).map(|_| store.add_job(Some(1), &spec, now).unwrap()).collect();
    let later = "2026-11-16T06:30:02Z".parse().unwrap();
    assert_eq!(store.queue_due_jobs(2, later).unwrap(), 2);
    assert_eq!(store.queue_due_jobs(2, later).unwrap(), 0, "the third task must wait for a free slot");
    let first = store.take_job(later).unwrap().unwrap();
    store.end_job(first.id, JobState::Finished, None, later).unwrap();
    assert_eq!(store.queue_due_jobs(2, later).unwrap(), 1);
    let states: Vec<_> = jobs.iter().map(|job| store.find_job(job.id).unwrap().unwrap().state).collect();
    assert_eq!(states, [JobState::Finished, JobState::Queued, JobState::Queued]);
}

pub fn those_who_administer_have_places_enough<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let person = |name: &str, role, max_running| {
        let new = NewUser { max_running, ..person_called(name, role) };
        store.add_user(&new, test_time(0)).unwrap().unwrap().id
    };
    let [admin, few, plain] =
        [("ada", UserRole::Admin, None), ("bob", UserRole::Admin, Some(1)), ("eve", UserRole::User, None)]
            .map(|(name, role, own)| person(name, role, own));
    let started = |owner| {
        let start = |_: &i32| {
            let job = store.add_job(Some(owner), &asked("one"), test_time(0)).unwrap();
            matches!(
                store.apply_job_command(job.id, JobCommand::Start, 2, test_time(1)).unwrap(),
                JobCommandOutcome::Noted(_)
            )
        };
        (0..4).filter(start).count()
    };
    assert_eq!([admin, few, plain].map(started), [4, 1, 2]);
    store.set_setting("max_running", Some(&serde_json::json!(3))).unwrap();
    assert_eq!(started(plain), 1, "the setting must override the default");
}

pub fn lists_show_what_one_may_see<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let public = JobSpec { public: true, ..asked("public") };
    store.add_job(Some(1), &asked("private of 1"), test_time(0)).unwrap();
    store.add_job(Some(1), &public, test_time(1)).unwrap();
    store.add_job(Some(2), &asked("private of 2"), test_time(2)).unwrap();
    TestCrawl::open(&*store, "command line");
    let titles = |owner, or_public| {
        let filter = JobFilter { owner, or_public, limit: 10, ..JobFilter::default() };
        let (jobs, total) = store.list_jobs(&filter).unwrap();
        assert_eq!(jobs.len() as u64, total);
        jobs.into_iter().map(|job| job.spec.title).collect::<Vec<_>>()
    };
    assert_eq!(titles(None, true), ["public"]);
    assert_eq!(titles(Some(2), true), ["private of 2", "public"]);
    assert_eq!(titles(Some(1), false), ["public", "private of 1"]);
    assert_eq!(titles(None, false), ["command line", "private of 2", "public", "private of 1"]);
    let cli = store.list_jobs(&JobFilter { limit: 1, ..JobFilter::default() }).unwrap().0.remove(0);
    assert_eq!((cli.owner, cli.state, cli.spec.depth), (None, JobState::Paused, 2));
}

pub fn finds_are_told_once_per_run<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let job = store.add_job(Some(1), &asked("x"), test_time(0)).unwrap();
    let mut crawl = crawl(&*store, &job);
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &["a"]));
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &["a", "b"]));
    crawl.add_resource("http://m.example/wfs", service("wfs", "http://m.example/wfs", &["a"]));
    let finds = store.list_finds(crawl.run, 0, 100).unwrap();
    let short: Vec<ShortRecord> =
        finds.iter().map(|event| serde_json::from_value(event.body.clone()).unwrap()).collect();
    let seen: Vec<_> = short.iter().map(|find| (find.kind.as_str(), find.dataset_count)).collect();
    assert_eq!(seen, [("wms", 1), ("wfs", 1)]);
    assert_eq!(short[0].host.ip.as_deref(), Some("192.0.2.1"));
    assert_eq!(store.list_finds(crawl.run, finds[0].seq, 100).unwrap(), finds[1..]);
    assert_eq!(store.last_event().unwrap(), store.list_events(0, None, 100).unwrap().last().unwrap().seq);
    assert!(
        store.list_events(0, Some(crawl.run), 100).unwrap().iter().all(|event| event.task == Some(job.id))
    );
}

pub fn history_stays_short_and_live_is_overwritten<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let run = TestCrawl::open(&*store, "a").run;
    let tallies = Tallies { kinds: [("wms".to_owned(), 2)].into(), ..Tallies::default() };
    for second in 0..5_000 {
        let counters = RunCounters { pages: second, ..RunCounters::default() };
        let live = LiveFigures {
            run,
            at: test_time(second as i64),
            counters,
            tallies: tallies.clone(),
            ..LiveFigures::default()
        };
        store.write_live(&live).unwrap();
    }
    let samples = store.list_samples(run).unwrap();
    assert!((200..600).contains(&samples.len()), "{}", samples.len());
    assert_eq!(samples[0].pages, 0);
    assert!(samples.windows(2).all(|pair| pair[0].at < pair[1].at && pair[0].pages < pair[1].pages));
    assert!(samples.last().unwrap().pages > 4_900);
    let live = store.live_figures(&[run, 99]).unwrap();
    assert_eq!(live.len(), 1);
    assert_eq!((live[0].counters.pages, &live[0].tallies), (4_999, &tallies));
    // Each of several processes on a run adds to the tallies.
    store.add_live(&LiveFigures { in_flight: 3, ..live[0].clone() }).unwrap();
    let added = store.live_figures(&[run]).unwrap().remove(0);
    assert_eq!((added.in_flight, added.tallies.kinds["wms"]), (3, 4));
}

pub fn a_removed_task_leaves_what_it_found<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let job = store.add_job(Some(1), &asked("x"), test_time(0)).unwrap();
    let mut crawl = crawl(&*store, &job);
    let links: Vec<_> = (0..50).map(|n| new_link(&format!("http://m.example/{n}"))).collect();
    crawl.add_links(&links);
    for n in 0..5 {
        let item = crawl.pending_item(&format!("http://m.example/{n}"));
        crawl.commit(vec![finished_item(item, ok_outcome())]);
    }
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &["a"]));
    let before = all_records(&*store);
    assert!(store.remove_job(job.id).unwrap());
    assert!(!store.remove_job(job.id).unwrap());
    assert!(store.find_job(job.id).unwrap().is_none());
    assert_eq!(store.list_jobs(&JobFilter { limit: 9, ..JobFilter::default() }).unwrap().1, 0);
    assert_eq!(all_records(&*store), before);
    let explained = store.explain("http://m.example/wms").unwrap();
    assert_eq!(explained.resources[0].chains.len(), 1);
    assert!(store.explain("http://m.example/3").unwrap().visits.is_empty());
    assert!(store.task_events(job.id, 0, 10).unwrap().is_empty());
    assert!(store.hosts_with_work(crawl.run, 10, &|_| false).unwrap().is_empty());
    let next = store.add_job(Some(1), &asked("y"), test_time(9)).unwrap();
    assert_ne!(next.id, job.id, "a number was assigned twice");
}
