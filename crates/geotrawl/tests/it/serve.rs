//! The served program, from creating the first user to downloading results.

use crate::harness::{Engine, ServedSimWeb, TestStore, export_catalogue, run_command, share_machine};
use crate::serve_client::{ApiSession, add_user, start_server};
use geotrawl_simweb::SimWebConfig;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Maximum delay until search finds a record on a busy machine.
const PATIENCE: Duration = Duration::from_secs(15);

fn small(seed: u64) -> SimWebConfig {
    SimWebConfig { seed, hosts: 8, pages: Some(160), ..SimWebConfig::default() }
}

fn ids(finds: &[Value]) -> BTreeSet<String> {
    finds.iter().map(|find| find["id"].as_str().unwrap().to_owned()).collect()
}

fn is_over(task: &Value) -> bool {
    matches!(task["state"].as_str(), Some("finished" | "failed" | "stopped" | "paused"))
}

fn people(data: &TestStore) {
    for args in [&["boss", "--admin"][..], &["ann"], &["ben"]] {
        let said = add_user(data, args);
        assert_eq!(said.code, 0, "{}", said.err);
    }
    assert_ne!(add_user(data, &["ann"]).code, 0, "a name is given once");
}

fn a_task_from_its_start_to_the_files(engine: Engine) {
    let _busy = share_machine();
    let (web, data) = (ServedSimWeb::start(small(11)), TestStore::new(engine));
    people(&data);
    let server = start_server(&web, &data);
    let (ann, ben, guest) = (server.user_session("ann"), server.user_session("ben"), server.guest_session());
    assert_eq!(guest.send_request("POST", "/tasks", Some(&json!({}))).status, 401);

    let searching = SearchWatcher::start(server.guest_session());
    let task = ann.start_task(&web, "Everything");
    // A guest follows the public task. The private task of another user is hidden.
    let mut finds = Vec::new();
    for (seq, kind, data) in guest.watch_events(&format!("/tasks/{task}/events"), 0) {
        match kind.as_str() {
            "find" => finds.push((seq.unwrap(), data["id"].as_str().unwrap().to_owned(), Instant::now())),
            "state" if data["state"] == "finished" => break,
            "state" => {
                assert!(["draft", "queued", "running"].contains(&data["state"].as_str().unwrap()), "{data}");
            }
            _ => {}
        }
    }
    searching.judge(&finds.iter().map(|(_, _, at)| *at).collect::<Vec<_>>());
    let told: BTreeSet<_> = finds.iter().map(|(_, id, _)| id.clone()).collect();
    assert_eq!(told.len(), finds.len(), "each find is told once");
    assert!(finds.windows(2).all(|pair| pair[0].0 < pair[1].0));
    let task_now = ann.wait_for_task(task, "its end", is_over);
    assert_eq!((&task_now["state"], &task_now["mine"]), (&json!("finished"), &json!(true)));
    assert_eq!(task_now["counters"]["resources"], finds.len());
    assert_eq!(ids(&ann.task_finds(task)), told);
    assert_eq!(ben.get_json(&format!("/tasks/{task}"))["may"], json!(["clone"]));
    assert_eq!(ben.send_request("DELETE", &format!("/tasks/{task}"), None).status, 403);

    one_record(&ann, &guest, told.first().unwrap());
    files(&ann, &guest, finds.len());
    server.kill();
    commands(&data, finds.len());
}

/// Polls the number of search results until all expected records are found, or for a while after
/// the number is known.
struct SearchWatcher {
    wanted: Arc<OnceLock<(usize, Instant)>>,
    thread: JoinHandle<Vec<(Instant, usize)>>,
}

impl SearchWatcher {
    fn start(guest: ApiSession) -> Self {
        let wanted: Arc<OnceLock<(usize, Instant)>> = Arc::default();
        let told = Arc::clone(&wanted);
        let thread = std::thread::spawn(move || {
            let mut totals = Vec::new();
            loop {
                let total = guest.get_json("/search?status=any&limit=0&facets=false")["total"]
                    .as_u64()
                    .unwrap() as usize;
                totals.push((Instant::now(), total));
                let ends = |(wanted, at): &(usize, Instant)| total >= *wanted || at.elapsed() > PATIENCE;
                if told.get().is_some_and(ends) {
                    return totals;
                }
                std::thread::park_timeout(Duration::from_millis(50));
            }
        });
        Self { wanted, thread }
    }

    /// Checks that search found every record soon after its event. (Two seconds are promised, but
    /// cannot be guaranteed on a busy machine, so the delay is printed.)
    fn judge(self, told: &[Instant]) {
        self.wanted.get_or_init(|| (told.len(), Instant::now()));
        let totals = self.thread.join().unwrap();
        let mut slowest = Duration::ZERO;
        for (n, at) in told.iter().enumerate() {
            let found = totals.iter().find(|(_, total)| *total > n);
            let (when, _) = found.unwrap_or_else(|| panic!("find {n} of {} was never found", told.len()));
            slowest = slowest.max(when.saturating_duration_since(*at));
        }
        println!(
            "the slowest of {} finds was found by search {} ms after it was told",
            told.len(),
            slowest.as_millis()
        );
        assert!(slowest < PATIENCE, "{slowest:?}");
    }
}

fn one_record(ann: &ApiSession, guest: &ApiSession, id: &str) {
    let record = guest.get_json(&format!("/records/{id}"));
    assert!(record["kind_name"].is_string());
    let provenance = guest.get_json(&format!("/records/{id}/provenance"));
    assert!(!provenance["evidence"].as_array().unwrap().is_empty());
    assert!(!provenance["chains"][0].as_array().unwrap().is_empty());
    assert_eq!(guest.send_request("GET", &format!("/records/{id}/qgis"), None).status, 401);
    let note = json!({ "text": "It is somewhere else now." });
    assert_eq!(guest.send_request("POST", &format!("/records/{id}/report"), Some(&note)).status, 201);
    assert_eq!(ann.send_request("GET", "/reports", None).status, 403);
    let cells = guest.get_json("/statistics/density?cell=5&status=any");
    assert_eq!(cells["cell"], 5.0);
    assert_eq!(guest.send_request("GET", "/statistics/density?cell=0.01", None).status, 400);
}

fn files(ann: &ApiSession, guest: &ApiSession, expected: usize) {
    for format in ["csv", "geojson", "jsonl", "gpkg", "geoparquet", "qgis"] {
        let path = format!("/downloads/{format}?status=any");
        assert_eq!(guest.send_request("GET", &path, None).status, 401, "{format} for a guest");
        let answer = ann.send_request("GET", &path, None);
        assert_eq!(answer.status, 200, "{format}: {}", answer.text());
        assert!(answer.header("content-disposition").starts_with("attachment"), "{}", answer.head);
        let text = answer.text();
        match format {
            "csv" => assert!(text.lines().count() > expected, "{text}"),
            "jsonl" => assert_eq!(text.lines().count(), expected),
            "geojson" => assert_eq!(answer.json()["features"].as_array().unwrap().len(), expected),
            "gpkg" => assert!(answer.body.starts_with(b"SQLite format 3\0")),
            "geoparquet" => assert!(answer.body.starts_with(b"PAR1") && answer.body.ends_with(b"PAR1")),
            _ => assert!(text.contains('<') && text.contains("qgsWMSConnections"), "{text}"),
        }
    }
}

/// Runs commands on the same data.
fn commands(data: &TestStore, expected: usize) {
    for args in [&["index", "rebuild"][..], &["--json", "stats"]] {
        let said = run_command(data.geotrawl_command().args(args));
        assert_eq!(said.code, 0, "{args:?}: {}", said.err);
        if args.contains(&"stats") {
            assert_eq!(said.json_lines()[0]["records"], expected);
        }
    }
    let said =
        run_command(data.geotrawl_command().args(["--json", "search", "--status", "any", "--limit", "100"]));
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(said.json_lines().len(), expected.min(100));
}

fn a_killed_server_goes_on_and_loses_nothing(engine: Engine) {
    let _busy = share_machine();
    let (calm, calm_data) = (ServedSimWeb::start(small(12)), TestStore::new(engine));
    people(&calm_data);
    let server = start_server(&calm, &calm_data);
    let ann = server.user_session("ann");
    let task = ann.start_task(&calm, "Calm");
    ann.wait_for_task(task, "its end", is_over);
    let expected = ids(&ann.task_finds(task)).len();
    server.kill();
    let undisturbed = export_catalogue(&calm_data);
    assert_eq!(undisturbed.len(), expected);

    let config = SimWebConfig { latency: Duration::from_millis(10), ..small(12) };
    let (web, data) = (ServedSimWeb::start(config), TestStore::new(engine).with_short_leases());
    people(&data);
    let mut server = start_server(&web, &data);
    let task = server.user_session("ann").start_task(&web, "Calm");
    let (mut told, mut last) = (Vec::new(), 0);
    for part in 1..4 {
        let moment = calm.request_count() * part / 5;
        let mut events = server.guest_session().watch_events(&format!("/tasks/{task}/events"), last);
        while web.request_count() < moment {
            let (seq, kind, data) = events.next().expect("it is watched until it is killed");
            if kind == "find" {
                told.push(data["id"].as_str().unwrap().to_owned());
            }
            last = seq.unwrap_or(last);
        }
        server.kill();
        server = start_server(&web, &data);
    }
    // Sessions survive a restart of the server, and so does the position in the events.
    let mut run_of = BTreeSet::new();
    for (_, kind, data) in server.guest_session().watch_events(&format!("/tasks/{task}/events"), last) {
        match kind.as_str() {
            "find" => told.push(data["id"].as_str().unwrap().to_owned()),
            "state" => {
                run_of.extend(data["run"].as_i64());
                if data["state"] == "finished" {
                    break;
                }
            }
            _ => {}
        }
    }
    assert_eq!(run_of.len(), 1, "it is one run all the time");
    let once: BTreeSet<_> = told.iter().cloned().collect();
    assert_eq!((once.len(), told.len()), (expected, expected), "each find is told once");
    let ann = server.user_session("ann");
    let found = ann.task_finds(task);
    assert_eq!((ids(&found), found.len()), (once, expected));
    server.kill();
    assert_eq!(export_catalogue(&data), undisturbed);
}

geotrawl_testkit::on_both_engines! {
    a_task_from_its_start_to_the_files
    a_killed_server_goes_on_and_loses_nothing
}
