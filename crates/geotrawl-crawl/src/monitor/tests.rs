use super::*;
use geotrawl_model::notice::NoticeFilter;
use geotrawl_model::{Check, Status};
use geotrawl_store::EmbeddedStore;
use geotrawl_testkit::builders::{add_records, found};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn start() -> Timestamp {
    "2026-11-16T00:00:00Z".parse().unwrap()
}

/// A clock that follows the runtime's clock, which tests control.
fn clock() -> Arc<MonitorClock> {
    let began = Instant::now();
    Arc::new(move || start() + SignedDuration::try_from(began.elapsed()).unwrap())
}

/// What the checker recorded.
#[derive(Default)]
struct CheckerLog {
    /// Times of the checks, by host.
    hosts: BTreeMap<String, Vec<Timestamp>>,
    busy: HashSet<String>,
    most_at_once: usize,
}

/// A checker with scripted results.
struct ScriptedChecker {
    clock: Arc<MonitorClock>,
    takes: Duration,
    dead: HashSet<String>,
    panics: AtomicBool,
    seen: Mutex<CheckerLog>,
}

impl ScriptedChecker {
    fn new(clock: Arc<MonitorClock>, takes: Duration) -> Self {
        Self { clock, takes, dead: HashSet::new(), panics: AtomicBool::new(false), seen: Mutex::default() }
    }
}

impl RecordChecker for ScriptedChecker {
    fn check_due<'a>(&'a self, due: &'a DueCheck) -> Pin<Box<dyn Future<Output = CheckResult> + Send + 'a>> {
        Box::pin(async move {
            let (at, host) = ((self.clock)(), due.record.host.name.clone());
            {
                let mut seen = self.seen.lock().unwrap();
                assert!(seen.busy.insert(host.clone()), "two checks of {host} at once");
                seen.most_at_once = seen.most_at_once.max(seen.busy.len());
                seen.hosts.entry(host.clone()).or_default().push(at);
            }
            tokio::time::sleep(self.takes).await;
            self.seen.lock().unwrap().busy.remove(&host);
            assert!(!self.panics.swap(false, Ordering::Relaxed), "as the script says");
            let verdict = if self.dead.contains(&host) { Status::Dead } else { Status::Alive };
            let check = Check {
                kind: due.record.resource.kind.clone(),
                url: due.record.resource.url.clone(),
                at,
                observations: vec![],
                facts: None,
                verdict,
                cause: "scripted".into(),
                reason: "As the script says".into(),
            };
            CheckResult { id: due.id.clone(), check, resource: None, themes: None }
        })
    }
}

struct MonitorFixture {
    _place: tempfile::TempDir,
    store: Arc<EmbeddedStore>,
}

/// Returns a store with this many services on each of this many hosts.
fn monitor_fixture(hosts: usize, each: usize) -> MonitorFixture {
    let place = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(place.path()).unwrap();
    // Services of one domain with equal layers would be merged into one record.
    let services = (0..hosts * each).map(|n| {
        let (url, layer) = (format!("http://h{}.example/{n}/wms", n % hosts), format!("layer{n}"));
        found("wms").at(&url).with_layer_names([layer.as_str()]).build()
    });
    add_records(&store, "a", services, start());
    MonitorFixture { _place: place, store: Arc::new(store) }
}

fn at_once() -> MonitorSettings {
    MonitorSettings { spread: SignedDuration::from_micros(1), concurrency: 8, ..MonitorSettings::default() }
}

#[tokio::test(start_paused = true)]
async fn everything_due_is_checked_one_at_a_time_per_host() {
    let bench = monitor_fixture(20, 10);
    let script = Arc::new(ScriptedChecker::new(clock(), Duration::from_secs(2)));
    let monitor = Monitor::new(bench.store.clone(), script.clone(), at_once(), script.clock.clone());
    let counts = monitor.run_once().await.unwrap();
    assert_eq!((counts.enrolled, counts.taken, counts.kept, counts.under_way), (200, 200, 200, 0));
    assert!(counts.commits < 100, "{} commits", counts.commits);
    let seen = script.seen.lock().unwrap();
    assert_eq!(seen.hosts.len(), 20);
    assert!(seen.hosts.values().all(|times| times.len() == 10));
    assert_eq!(seen.most_at_once, 8, "as many hosts at once as allowed");
    assert_eq!(bench.store.overview((script.clock)()).unwrap().due, 0);
}

#[tokio::test(start_paused = true)]
async fn a_backlog_drains_within_the_budget_of_every_host() {
    let bench = monitor_fixture(3, 30);
    let script = Arc::new(ScriptedChecker::new(clock(), Duration::from_secs(1)));
    let settings = MonitorSettings { per_host_day: 12, ..at_once() };
    let monitor = Arc::new(Monitor::new(bench.store.clone(), script.clone(), settings, script.clock.clone()));
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn({
        let monitor = monitor.clone();
        async move { monitor.run(stopped).await }
    });
    // Three days: 90 records, 36 a day.
    tokio::time::sleep(Duration::from_hours(71)).await;
    stop.send(true).unwrap();
    running.await.unwrap().unwrap();
    let seen = script.seen.lock().unwrap();
    for (host, times) in &seen.hosts {
        let mut days: HashMap<String, u32> = HashMap::new();
        for at in times {
            *days.entry(at.to_string()[..10].to_owned()).or_default() += 1;
        }
        assert!(days.values().all(|checks| *checks <= 12), "{host}: {days:?}");
        assert_eq!(days.len(), 3, "{host} is asked every day");
        assert!(times.len() >= 34, "{host}: the backlog drains");
    }
    let counts = monitor.progress().counts();
    assert_eq!((counts.broken, counts.troubles, counts.taken), (0, 0, counts.kept));
}

#[tokio::test(start_paused = true)]
async fn a_stop_loses_nothing() {
    let bench = monitor_fixture(10, 4);
    let script = Arc::new(ScriptedChecker::new(clock(), Duration::from_secs(10)));
    let monitor =
        Arc::new(Monitor::new(bench.store.clone(), script.clone(), at_once(), script.clock.clone()));
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn({
        let monitor = monitor.clone();
        async move { monitor.run(stopped).await }
    });
    tokio::time::sleep(Duration::from_secs(15)).await;
    stop.send(true).unwrap();
    running.await.unwrap().unwrap();
    let made: usize = script.seen.lock().unwrap().hosts.values().map(Vec::len).sum();
    assert_eq!(monitor.progress().counts().kept, made as u64, "what was begun was kept");
    assert_eq!(made, 16, "eight hosts, two each");
    // The rest is due at once, not only after the lease.
    let again = Monitor::new(bench.store.clone(), script.clone(), at_once(), script.clock.clone());
    assert_eq!(again.run_once().await.unwrap().kept, 40 - made as u64);
}

#[tokio::test(start_paused = true)]
async fn what_takes_too_long_is_given_back() {
    let bench = monitor_fixture(2, 1);
    let script = Arc::new(ScriptedChecker::new(clock(), Duration::from_hours(100)));
    let monitor = Monitor::new(bench.store.clone(), script.clone(), at_once(), script.clock.clone());
    let (stop, stopped) = watch::channel(false);
    let later = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_hours(2)).await;
        stop.send(true).unwrap();
    });
    monitor.run(stopped).await.unwrap();
    later.await.unwrap();
    let checks: usize = script.seen.lock().unwrap().hosts.values().map(Vec::len).sum();
    assert_eq!(checks, 2, "the leases were renewed: nobody asked twice");
    assert_eq!(bench.store.overview((script.clock)()).unwrap().due, 2, "given back");
}

#[tokio::test(start_paused = true)]
async fn a_check_that_breaks_down_is_tried_again_later() {
    let bench = monitor_fixture(1, 3);
    let script = Arc::new(ScriptedChecker::new(clock(), Duration::from_secs(1)));
    script.panics.store(true, Ordering::Relaxed);
    let monitor = Monitor::new(bench.store.clone(), script.clone(), at_once(), script.clock.clone());
    let counts = monitor.run_once().await.unwrap();
    assert_eq!((counts.kept, counts.broken), (2, 1));
    tokio::time::sleep(Duration::from_mins(20)).await;
    assert_eq!(monitor.run_once().await.unwrap().kept, 3);
}

#[tokio::test(start_paused = true)]
async fn a_dead_host_is_known_within_about_a_day_and_a_person_is_served_at_once() {
    let bench = monitor_fixture(2, 2);
    let mut script = ScriptedChecker::new(clock(), Duration::from_secs(1));
    script.dead.insert("h1.example".into());
    let script = Arc::new(script);
    let heard = Arc::new(AtomicUsize::new(0));
    let told = heard.clone();
    let monitor = Monitor::new(bench.store.clone(), script.clone(), at_once(), script.clock.clone())
        .with_listener(Arc::new(move |recorded| {
            told.fetch_add(recorded.len(), Ordering::Relaxed);
        }));
    let (monitor, (stop, stopped)) = (Arc::new(monitor), watch::channel(false));
    let running = tokio::spawn({
        let monitor = monitor.clone();
        async move { monitor.run(stopped).await }
    });
    tokio::time::sleep(Duration::from_hours(29)).await;
    assert_eq!(monitor.progress().counts().died, 2);
    let notices = bench.store.list_notices(&NoticeFilter::default(), 100).unwrap();
    let died = notices.iter().find(|one| one.kind == geotrawl_model::notice::NoticeKind::Died).unwrap();
    let before = monitor.progress().counts().kept;
    bench.store.request_check(&died.id, (script.clock)()).unwrap();
    monitor.wake_signal().notify_one();
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(monitor.progress().counts().kept, before + 1);
    stop.send(true).unwrap();
    running.await.unwrap().unwrap();
    assert_eq!(heard.load(Ordering::Relaxed) as u64, monitor.progress().counts().kept);
}
