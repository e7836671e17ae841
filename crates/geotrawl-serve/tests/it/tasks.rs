//! Tasks, over real connections.

use crate::common::{Engine, TestStore};
use axum::Extension;
use geotrawl_index::CatalogueIndex;
use geotrawl_model::account::{User, UserId, UserRole};
use geotrawl_model::alert::Alert;
use geotrawl_model::store::Store;
use geotrawl_model::task::{JobId, JobSpec};
use geotrawl_model::{CrawlBatch, FinishedItem, NewLink, RunId, TaskSpec};
use geotrawl_serve::auth::Caller;
use geotrawl_serve::outbound::{OutboundFuture, OutboundRequest, TestAlertFuture};
use geotrawl_serve::{App, OutboundClient, ServeConfig, api};
use geotrawl_testkit::builders::{self, found, new_link, ok_outcome};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

fn person(id: UserId, role: UserRole) -> User {
    User {
        id,
        name: format!("person{id}"),
        email: None,
        role,
        disabled: false,
        max_running: None,
        created: Timestamp::UNIX_EPOCH,
        last_login: None,
        identity: None,
    }
}

/// Refuses one host.
struct OneHostRefused;

impl OutboundClient for OneHostRefused {
    fn send(&self, _: OutboundRequest) -> OutboundFuture<'_> {
        Box::pin(std::future::pending())
    }

    fn check_url(&self, url: &url::Url) -> std::result::Result<(), String> {
        let private = url.host_str() == Some("10.0.0.1");
        if private { Err("10.0.0.1 is a private address".into()) } else { Ok(()) }
    }

    fn send_test_alert<'a>(&'a self, _: &'a Alert) -> TestAlertFuture<'a> {
        Box::pin(async { Err("nobody brings messages here".to_owned()) })
    }
}

/// A running server; the header `x-as` selects the caller.
struct TaskServer {
    store: Arc<dyn Store>,
    app: App,
    address: std::net::SocketAddr,
    _data: TestStore,
}

impl TaskServer {
    async fn new(engine: Engine) -> Self {
        let data = TestStore::new(engine);
        let store = data.open();
        let index =
            CatalogueIndex::open(&data.path().join("index"), &geotrawl_index::IndexOptions::default())
                .unwrap();
        let config = ServeConfig { max_running: 2, ..ServeConfig::default() };
        let app = App::new(store.clone(), Arc::new(index), Arc::new(config), Arc::new(OneHostRefused));
        let (router, _) = api::router().split_for_parts();
        let router = router.with_state(app.clone()).layer(axum::middleware::from_fn(
            |mut request: axum::extract::Request, next: axum::middleware::Next| async move {
                let who = request.headers().get("x-as").and_then(|value| value.to_str().ok());
                let user = match who {
                    Some("admin") => Some(person(1, UserRole::Admin)),
                    Some(id) => Some(person(id.parse().unwrap(), UserRole::User)),
                    None => None,
                };
                let caller = Caller { user, session: None, scopes: None, address: None };
                request.extensions_mut().insert(Extension(caller.clone()).0);
                next.run(request).await
            },
        ));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        tokio::spawn(app.live.clone().follow_store(store.clone()));
        Self { store, app, address, _data: data }
    }

    /// Returns status and body of a response.
    async fn ask(&self, who: &str, method: &str, path: &str, body: Value) -> (u16, Value) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let caller = if who.is_empty() { String::new() } else { format!("x-as: {who}\r\n") };
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: a\r\n{caller}connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    /// Opens a stream of events.
    async fn watch(&self, path: &str, last: Option<i64>) -> EventStreamReader {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let last = last.map(|seq| format!("last-event-id: {seq}\r\n")).unwrap_or_default();
        let text =
            format!("GET {path} HTTP/1.1\r\nhost: a\r\nx-as: admin\r\nconnection: close\r\n{last}\r\n");
        stream.write_all(text.as_bytes()).await.unwrap();
        EventStreamReader { lines: BufReader::new(stream) }
    }

    /// A running task, and a way to add finds to it.
    fn task(&self) -> (JobId, RunId) {
        let spec = JobSpec { seeds: vec!["http://a.example/".into()], ..JobSpec::default() };
        let job = self.store.add_job(Some(1), &spec, Timestamp::now()).unwrap();
        let spec = TaskSpec { name: job.name, seeds: vec![], options: json!({}) };
        let run = self.store.open_task(&spec, Timestamp::now()).unwrap().run;
        self.store.set_job_run(job.id, run).unwrap();
        (job.id, run)
    }

    fn find(&self, run: RunId, numbers: std::ops::Range<usize>) {
        let links: Vec<NewLink> = numbers
            .map(|n| NewLink {
                intent: "ows:wms".parse().unwrap(),
                ..new_link(&format!("http://m{n}.example/wms"))
            })
            .collect();
        self.store.add_links(run, &links).unwrap();
        let hosts = self.store.hosts_with_work(run, 10_000, &|_| false).unwrap();
        let mut done = Vec::new();
        for host in hosts {
            for item in self.store.pending_entries(run, host.host, 10, &|_| false).unwrap() {
                let found = found("wms").at(&item.url).with_title("Two\nlines").build();
                done.push(FinishedItem { found: vec![found], ..builders::finished_item(item, ok_outcome()) });
            }
        }
        self.store.commit(&CrawlBatch { run, done, robots: vec![], now: Timestamp::now() }).unwrap();
    }
}

/// Reads an event stream, skipping chunk lengths.
struct EventStreamReader {
    lines: BufReader<TcpStream>,
}

impl EventStreamReader {
    /// Returns the next event: number, kind, data.
    async fn next(&mut self) -> Option<(Option<i64>, String, Value)> {
        let (mut seq, mut kind) = (None, String::new());
        loop {
            let mut line = String::new();
            let read =
                tokio::time::timeout(std::time::Duration::from_secs(30), self.lines.read_line(&mut line));
            if read.await.unwrap().unwrap_or(0) == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(text) = line.strip_prefix("id: ") {
                seq = text.parse().ok();
            } else if let Some(text) = line.strip_prefix("event: ") {
                kind = text.to_owned();
            } else if let Some(text) = line.strip_prefix("data: ") {
                return Some((seq, kind, serde_json::from_str(text).unwrap()));
            }
        }
    }

    /// Returns the numbers of the next finds.
    async fn finds(&mut self, count: usize) -> Vec<(i64, String)> {
        let mut finds = Vec::new();
        while finds.len() < count {
            let Some((seq, kind, data)) = self.next().await else { break };
            if kind == "find" {
                finds.push((seq.unwrap(), data["url"].as_str().unwrap().to_owned()));
            }
        }
        finds
    }
}

async fn a_stream_resumes_where_it_was_cut_and_gives_each_find_once(engine: Engine) {
    // More than one query returns. Adding a find to a shared store costs about two dozen queries.
    let (cut, end) = if engine == Engine::Embedded { (1_500, 1_600) } else { (620, 700) };
    let lab = TaskServer::new(engine).await;
    let (task, run) = lab.task();
    let path = format!("/tasks/{task}/events");
    let mut stream = lab.watch(&path, None).await;
    let (_, kind, hello) = stream.next().await.unwrap();
    assert_eq!(kind, "hello");
    assert!(hello["seq"].as_i64().unwrap() > 0);
    lab.find(run, 0..20);
    let mut all = stream.finds(10).await;
    drop(stream);
    lab.find(run, 20..cut);
    let mut stream = lab.watch(&path, Some(all.last().unwrap().0)).await;
    all.extend(stream.finds(cut - 500).await);
    lab.find(run, cut..end);
    all.extend(stream.finds(end - cut + 490).await);
    assert_eq!(all.len(), end);
    assert!(all.windows(2).all(|pair| pair[0].0 < pair[1].0));
    let urls: std::collections::BTreeSet<_> = all.iter().map(|(_, url)| url).collect();
    assert_eq!(urls.len(), end);
    lab.app.live.close();
    assert!(stream.next().await.is_none(), "the end of the server ends the stream");
}

async fn a_long_poll_gives_the_same(engine: Engine) {
    let lab = TaskServer::new(engine).await;
    let (task, run) = lab.task();
    lab.find(run, 0..5);
    let (status, news) =
        lab.ask("admin", "GET", &format!("/tasks/{task}/events/poll?after=0"), Value::Null).await;
    assert_eq!(status, 200);
    let kinds: Vec<_> =
        news["events"].as_array().unwrap().iter().map(|event| event["event"].clone()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "find").count(), 5);
    let path = format!("/tasks/{task}/events/poll?wait=30&after={}", news["next"]);
    let waiting = lab.ask("admin", "GET", &path, Value::Null);
    let finding = async { lab.find(run, 5..6) };
    let ((status, news), ()) = tokio::join!(waiting, finding);
    assert_eq!((status, news["events"].as_array().unwrap().len()), (200, 1));
    let path = format!("/tasks/{task}/events/poll?wait=0&after={}", news["next"]);
    let (_, none) = lab.ask("admin", "GET", &path, Value::Null).await;
    assert_eq!((&none["events"], &none["next"]), (&json!([]), &news["next"]));
}

async fn who_may_see_and_change_what(engine: Engine) {
    let lab = TaskServer::new(engine).await;
    let body = json!({ "title": "Rivers", "seeds": ["https://a.example/"], "start": true });
    let (status, task) = lab.ask("7", "POST", "/tasks", body.clone()).await;
    assert_eq!(status, 201, "{task}");
    assert_eq!((&task["state"], &task["mine"]), (&json!("queued"), &json!(true)));
    assert_eq!(task["may"], json!(["pause", "stop", "clone"]));
    let path = format!("/tasks/{}", task["id"]);
    for (who, expected) in [("7", 200), ("8", 404), ("", 404), ("admin", 200)] {
        for tail in ["", "/finds", "/history", "/events/poll?wait=0"] {
            assert_eq!(
                lab.ask(who, "GET", &format!("{path}{tail}"), Value::Null).await.0,
                expected,
                "{who} {tail}"
            );
        }
    }
    assert_eq!(lab.ask("8", "POST", &format!("{path}/stop"), Value::Null).await.0, 404);
    assert_eq!(lab.ask("8", "DELETE", &path, Value::Null).await.0, 404);
    assert_eq!(lab.ask("7", "PATCH", &path, json!({ "public": true })).await.0, 409, "it waits to run");
    assert_eq!(lab.ask("7", "POST", &format!("{path}/stop"), Value::Null).await.1["state"], "stopped");
    let (status, changed) = lab.ask("7", "PATCH", &path, json!({ "public": true })).await;
    assert_eq!((status, &changed["spec"]["title"]), (200, &json!("Rivers")));
    assert_eq!(lab.ask("", "GET", &path, Value::Null).await.1["may"], json!([]));
    assert_eq!(lab.ask("8", "POST", &format!("{path}/start"), Value::Null).await.0, 403);
    let (status, copy) = lab.ask("8", "POST", &format!("{path}/clone"), Value::Null).await;
    assert_eq!(
        (status, &copy["owner"]["name"], &copy["spec"]["public"]),
        (201, &json!("user 8"), &json!(false)),
        "whoever is not in the store is named by number"
    );
    assert_eq!(lab.ask("", "GET", "/tasks", Value::Null).await.1["total"], 1);
    assert_eq!(lab.ask("8", "GET", "/tasks", Value::Null).await.1["total"], 2);
    assert_eq!(lab.ask("8", "GET", "/tasks?mine=true&state=draft", Value::Null).await.1["total"], 1);

    for expected in [201, 201, 409] {
        assert_eq!(lab.ask("7", "POST", "/tasks", body.clone()).await.0, expected);
    }
    let private = json!({ "seeds": ["http://10.0.0.1/"] });
    let (status, problem) = lab.ask("7", "POST", "/tasks", private).await;
    assert_eq!((status, &problem["parameter"]), (422, &json!("seeds")));
    assert!(problem["detail"].as_str().unwrap().contains("private address"));
    for (method, path, body, expected) in [
        ("POST", "/tasks", json!([1]), 400),
        ("POST", "/tasks", json!({ "seeds": ["http://a.example/"], "nonsense": 1 }), 422),
        ("POST", "/tasks", json!({ "seeds": ["http://a.example/"], "depth": 99 }), 422),
        ("POST", "/schedule", json!({ "text": "often" }), 422),
        ("POST", "/schedule", json!({ "text": "0 4 * * *" }), 200),
        ("GET", "/tasks?limit=0", Value::Null, 400),
        ("GET", "/tasks?state=asleep", Value::Null, 400),
        ("GET", "/tasks/none", Value::Null, 404),
        ("GET", "/statistics", Value::Null, 200),
        ("GET", "/seeds", Value::Null, 200),
        ("DELETE", path.as_str(), Value::Null, 204),
        ("GET", path.as_str(), Value::Null, 404),
    ] {
        let (status, answer) = lab.ask("7", method, path, body).await;
        assert_eq!(status, expected, "{method} {path}: {answer}");
    }
}

geotrawl_testkit::on_both_engines! {
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    a_stream_resumes_where_it_was_cut_and_gives_each_find_once
    a_long_poll_gives_the_same
    who_may_see_and_change_what
}
