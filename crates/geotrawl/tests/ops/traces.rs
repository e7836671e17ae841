use crate::world::{ProgramProcess, geotrawl, geotrawl_on, send_request, small_web};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A minimal collector that stores spans received with OTLP over HTTP as JSON.
struct TraceCollector {
    address: SocketAddr,
    posts: Arc<Mutex<Vec<(String, Value)>>>,
}

impl TraceCollector {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let posts = Arc::<Mutex<Vec<_>>>::default();
        let kept = Arc::clone(&posts);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || while Self::take(&stream, &kept).is_some() {});
            }
        });
        Self { address, posts }
    }

    fn take(stream: &TcpStream, kept: &Mutex<Vec<(String, Value)>>) -> Option<()> {
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while reader.read_line(&mut head).ok()? > 2 {}
        let lower = head.to_ascii_lowercase();
        let length =
            lower.lines().find_map(|line| line.strip_prefix("content-length:"))?.trim().parse().ok()?;
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        kept.lock().unwrap().push((lower, serde_json::from_slice(&body).unwrap()));
        let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
        (&mut &*stream).write_all(answer.as_bytes()).ok()
    }

    /// Returns the spans by name, and the attributes of the service.
    fn spans(&self) -> (BTreeMap<String, Vec<Value>>, BTreeMap<String, String>) {
        let (mut spans, mut service) = (BTreeMap::<String, Vec<Value>>::new(), BTreeMap::new());
        for (head, body) in &*self.posts.lock().unwrap() {
            assert!(head.starts_with("post /v1/traces "), "{head}");
            assert!(head.contains("content-type: application/json"), "{head}");
            for resource in body["resourceSpans"].as_array().unwrap() {
                service.extend(attributes(&resource["resource"]));
                for scope in resource["scopeSpans"].as_array().unwrap() {
                    for span in scope["spans"].as_array().unwrap() {
                        spans
                            .entry(span["name"].as_str().unwrap().to_owned())
                            .or_default()
                            .push(span.clone());
                    }
                }
            }
        }
        (spans, service)
    }
}

fn attributes(of: &Value) -> BTreeMap<String, String> {
    let pair = |pair: &Value| {
        let value = pair["value"].as_object()?.values().next()?;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Some((pair["key"].as_str()?.to_owned(), text))
    };
    of["attributes"].as_array().into_iter().flatten().filter_map(pair).collect()
}

#[test]
fn a_crawl_is_traced_to_a_collector_visit_by_visit() {
    let (collector, web, data) =
        (TraceCollector::start(), small_web(14, 3, 24), tempfile::tempdir().unwrap());
    let mut command = geotrawl_on(&web, data.path());
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{}", collector.address));
    command.env("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=maps");
    command.args(["--quiet", "crawl", "--depth", "2", "--task", "traced"]).args(web.sim.seeds());
    let said = ProgramProcess::start(command).wait_for_exit();
    let (spans, service) = collector.spans();
    assert_eq!(service.get("service.name").map(String::as_str), Some("geotrawl"), "{service:?} {said:#?}");
    assert!(service.contains_key("service.instance.id"), "{service:?}");
    assert!(collector.posts.lock().unwrap().iter().all(|(head, _)| head.contains("x-tenant: maps")));

    let [task] = &spans["task"][..] else { panic!("{:?}", spans.keys()) };
    let about = attributes(task);
    assert_eq!((about["task"].as_str(), about["run"].as_str()), ("traced", "1"));
    let visits = &spans["visit"];
    assert!(visits.len() > 5, "{}", visits.len());
    let mut traces = std::collections::BTreeSet::new();
    for visit in visits {
        let about = attributes(visit);
        assert_eq!((about["task"].as_str(), about["run"].as_str()), ("traced", "1"));
        assert!(about["url"].contains(&about["host"]) && about.contains_key("outcome"), "{about:?}");
        // Each visit has its own trace, linked to the task.
        assert!(traces.insert(visit["traceId"].as_str().unwrap()));
        assert_eq!(visit["parentSpanId"].as_str().unwrap_or_default(), "");
        let links = visit["links"].as_array().unwrap();
        assert!(links.iter().any(|link| link["spanId"] == task["spanId"]), "{visit}");
        let (from, to) = (&visit["startTimeUnixNano"], &visit["endTimeUnixNano"]);
        let nanoseconds = |text: &Value| text.as_str().unwrap().parse::<u64>().unwrap();
        assert!(nanoseconds(from) < nanoseconds(to), "{visit}");
    }
    for part in ["fetch", "identify"] {
        for span in &spans[part] {
            let inside = visits
                .iter()
                .any(|visit| visit["spanId"] == span["parentSpanId"] && visit["traceId"] == span["traceId"]);
            assert!(inside, "{part} is in no visit: {span}");
        }
    }
    assert!(spans["fetch"].len() >= visits.len() / 2 && !spans["identify"].is_empty());
    let pages: u64 =
        spans["commit"].iter().map(|span| attributes(span)["pages"].parse::<u64>().unwrap()).sum();
    assert!(pages >= visits.len() as u64, "{pages} pages were committed, {} visited", visits.len());
}

#[test]
fn a_request_goes_on_with_the_trace_that_it_names() {
    let (collector, data) = (TraceCollector::start(), tempfile::tempdir().unwrap());
    let mut command = geotrawl(data.path());
    command.env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", format!("http://{}/v1/traces", collector.address));
    command.env("OTEL_SERVICE_NAME", "maps-web");
    command.args(["serve", "--role", "web", "--listen", "127.0.0.1:0"]);
    let server = ProgramProcess::start(command);
    let address = server.wait_for_address("answers on http://");
    let parent = ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    assert_eq!(send_request(address, "GET /api/v1/search?q=water", &[parent], "").status, 200);
    server.stop();
    let (spans, service) = collector.spans();
    assert_eq!(service["service.name"], "maps-web");
    let span = spans["request"].iter().find(|span| attributes(span)["path"] == "/api/v1/search").unwrap();
    assert_eq!(span["traceId"], "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(span["parentSpanId"], "00f067aa0ba902b7");
    assert_eq!(attributes(span)["status"], "200");
}

#[test]
fn a_collector_that_is_away_is_told_and_hinders_nothing() {
    let (web, data) = (small_web(15, 2, 10), tempfile::tempdir().unwrap());
    let nowhere = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = geotrawl_on(&web, data.path());
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{nowhere}"));
    command.args(["crawl", "--depth", "1"]).args(web.sim.seeds());
    let said = ProgramProcess::start(command).wait_for_exit();
    assert_eq!(
        said.iter().filter(|line| line.contains("cannot send traces to the collector")).count(),
        1,
        "{said:#?}"
    );
    let mut command = geotrawl_on(&web, data.path());
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318").arg("stats");
    let said = ProgramProcess::start(command).wait_for_exit();
    assert!(said.iter().any(|line| line.contains("invalid collector address")), "{said:#?}");
}
