//! Alerts from the API to the receiver: a host with twelve services dies, and one signed message
//! reports it.

use crate::harness::{Engine, TestStore, run_command};
use crate::serve_client::{ServeProcess, add_user};
use crate::trust::write_config;
use geotrawl_crawl::alerts::webhook::verify_signature;
use geotrawl_model::monitoring::CheckResult;
use geotrawl_model::schedule::ScheduleLimits;
use geotrawl_model::{Check, RecordFilter, Status};
use geotrawl_testkit::builders;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SECRET: &str = "lantern-and-harbour";

/// Receiver of webhooks; keeps the headers in lower case and the bodies.
struct WebhookReceiver {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<(String, String)>>>,
}

impl WebhookReceiver {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, seen) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
        let told = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = BufReader::new(stream.unwrap());
                let mut head = String::new();
                while stream.read_line(&mut head).unwrap() > 2 {}
                let head = head.to_ascii_lowercase();
                let mut body = vec![0; header(&head, "content-length").parse().unwrap_or(0)];
                stream.read_exact(&mut body).unwrap();
                told.lock().unwrap().push((head, String::from_utf8(body).unwrap()));
                let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
                stream.get_mut().write_all(answer).unwrap();
            }
        });
        Self { address, seen }
    }

    fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    fn seen(&self) -> Vec<(String, String)> {
        self.seen.lock().unwrap().clone()
    }
}

fn header<'a>(head: &'a str, name: &str) -> &'a str {
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    lines.find(|(key, _)| *key == name).map_or("", |(_, value)| value.trim())
}

/// Fills a catalogue with services that were found days ago.
fn found(data: &TestStore, urls: &[String]) {
    let at = Timestamp::now() - SignedDuration::from_hours(48);
    let services = urls.iter().map(|url| builders::found("wms").at(url).proven_at(at).build());
    builders::add_records(&*data.open(), "long ago", services, at);
}

/// Records failed checks, made minutes ago, for everything in a catalogue.
fn let_die(data: &TestStore) -> usize {
    let store = data.open();
    let mut records = Vec::new();
    store
        .visit_records(&RecordFilter::default(), &mut |record| {
            records.push((record.id, record.resource.kind, record.resource.url));
            true
        })
        .unwrap();
    let now = Timestamp::now();
    store.enrol_records(now - SignedDuration::from_hours(40), SignedDuration::from_micros(1)).unwrap();
    for minutes in [36 * 60, 30 * 60, 10] {
        let at = now - SignedDuration::from_mins(minutes);
        let checks = records.iter().map(|(id, kind, url)| CheckResult {
            id: id.clone(),
            check: Check {
                kind: kind.clone(),
                url: url.clone(),
                at,
                observations: vec![],
                facts: None,
                verdict: Status::Dead,
                cause: "connect".into(),
                reason: "The server does not respond".into(),
            },
            resource: None,
            themes: None,
        });
        store.record_checks(&checks.collect::<Vec<_>>(), &ScheduleLimits::default(), at).unwrap();
    }
    assert!(records.iter().all(|(id, ..)| store.find_record(id).unwrap().unwrap().status == Status::Dead));
    records.len()
}

fn a_dead_host_is_told_once_to_whom_it_concerns(engine: Engine) {
    let (receiver, data) = (WebhookReceiver::new(), TestStore::new(engine));
    let urls: Vec<String> = (0..12).map(|n| format!("http://office.test/maps/{n}/wms")).collect();
    found(&data, &urls);
    assert_eq!(add_user(&data, &["ann"]).code, 0);
    let spec = json!({ "name": "Deaths", "channel": "webhook", "target": receiver.url(), "secret": SECRET,
        "kinds": ["died"] });

    // Addresses of this machine are rejected unless the operator allows them.
    let start = |allowed: bool| {
        let mut command = data.geotrawl_command();
        command.arg("--config").arg(write_config(data.path(), "public_url = \"http://geo.example\"\n"));
        if allowed {
            command.args(["--allow-net", "127.0.0.0/8"]);
        }
        ServeProcess::start_with(command, &["--role", "web"])
    };
    let server = start(false);
    let ann = server.user_session("ann");
    let refused = ann.send_request("POST", "/alerts", Some(&spec));
    assert_eq!((refused.status, &refused.json()["parameter"]), (422, &json!("target")), "{}", refused.text());
    server.kill();
    let server = start(true);
    let ann = server.user_session("ann");
    let made = ann.send_request("POST", "/alerts", Some(&spec));
    assert_eq!(made.status, 201, "{}", made.text());
    let trial = ann.send_request("POST", &format!("/alerts/{}/test", made.json()["number"]), None);
    assert_eq!(trial.json(), json!({ "delivered": true }), "{}", trial.text());
    let [(_, body)] = &receiver.seen()[..] else { panic!("{:?}", receiver.seen()) };
    assert_eq!(serde_json::from_str::<Value>(body).unwrap()["test"], true);
    server.kill();

    assert_eq!(let_die(&data), 12);
    let once = || {
        let mut command = data.geotrawl_command();
        command.arg("--config").arg(data.path().join("server.toml")).args(["--allow-net", "127.0.0.0/8"]);
        let said = run_command(command.args(["--json", "monitor", "--once"]));
        assert_eq!(said.code, 0, "{}", said.err);
        said.json_lines()[0]["messages"].clone()
    };
    assert_eq!((once(), once()), (json!(1), json!(0)), "one message, and no more");
    let seen = receiver.seen();
    assert_eq!(seen.len(), 2, "the trial and one message");
    let (head, body) = &seen[1];
    assert!(head.starts_with("post /hook http/1.1"), "{head}");
    let signature = header(head, "x-geotrawl-signature");
    assert_eq!(verify_signature(SECRET, signature, body, Timestamp::now(), Duration::from_mins(5)), Ok(()));
    assert!(verify_signature("another", signature, body, Timestamp::now(), Duration::from_mins(5)).is_err());
    let told: Value = serde_json::from_str(body).unwrap();
    let [item] = &told["items"].as_array().unwrap()[..] else { panic!("{told:#}") };
    assert_eq!(
        (&item["host"], &item["services"], &told["total"]),
        (&json!("office.test"), &json!(12), &json!(12))
    );
    assert_eq!(item["counts"], json!({ "died": 12 }));
    assert!(
        item["records"][0]["link"]
            .as_str()
            .is_some_and(|link| link.starts_with("http://geo.example/service/")),
        "{item:#}"
    );
}

fn a_message_is_not_brought_where_the_operator_did_not_allow(engine: Engine) {
    let (receiver, data) = (WebhookReceiver::new(), TestStore::new(engine));
    found(&data, &["http://office.test/wms".to_owned()]);
    assert_eq!(add_user(&data, &["ann"]).code, 0);
    let mut command = data.geotrawl_command();
    command.args(["--allow-net", "127.0.0.0/8"]);
    let server = ServeProcess::start_with(command, &["--role", "web"]);
    let ann = server.user_session("ann");
    let spec = json!({ "channel": "webhook", "target": receiver.url() });
    assert_eq!(ann.send_request("POST", "/alerts", Some(&spec)).status, 201);
    server.kill();
    let_die(&data);
    // The operator has revoked the permission since then.
    let said = run_command(data.geotrawl_command().args(["--json", "monitor", "--once"]));
    assert_eq!((said.code, &said.json_lines()[0]["messages"]), (0, &json!(0)), "{}", said.err);
    assert!(receiver.seen().is_empty(), "nobody was told");
    let server = ServeProcess::start_with(data.geotrawl_command(), &["--role", "web"]);
    let alerts = server.user_session("ann").get_json("/alerts");
    assert!(
        alerts["results"][0]["last_error"].as_str().is_some_and(|why| why.contains("127.0.0.1")),
        "{alerts:#}"
    );
}

geotrawl_testkit::on_both_engines! {
    a_dead_host_is_told_once_to_whom_it_concerns
    a_message_is_not_brought_where_the_operator_did_not_allow
}
