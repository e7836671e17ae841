use crate::client::{get, serve_web};
use geotrawl_simweb::{GroundTruth, LogEntry, LogSink, SimWeb, SimWebConfig, TruthResource, report};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

fn entry(t: f64, end: f64, host: &str, target: &str) -> LogEntry {
    LogEntry {
        t,
        end,
        host: host.to_owned(),
        method: "GET".to_owned(),
        target: target.to_owned(),
        agent: "geotrawl/0.1".to_owned(),
        status: 200,
        bytes: 10,
        given_up: false,
    }
}

#[test]
fn overlaps_and_short_gaps_are_counted_per_host() {
    let log = [
        entry(0.0, 0.5, "a", "/1"),
        entry(0.4, 0.6, "a", "/2"),
        entry(1.7, 1.8, "a", "/3"),
        entry(0.1, 0.2, "b", "/1"),
    ];
    let report = report::measure_politeness(&log, 1.0);
    assert_eq!((report.requests, report.hosts), (4, 2));
    assert_eq!(report.overlapping.len(), 1);
    assert_eq!(report.too_close.len(), 1);
    assert_eq!(report.too_close[0].target, "/2");
    assert!((report.closest.unwrap() - 0.4).abs() < 1e-9);
}

#[test]
fn a_crawl_delay_binds_from_the_second_request_on() {
    let mut truth = GroundTruth::default();
    truth.robots.entry("a".to_owned()).or_default().crawl_delay = Some(1.0);
    let log = [entry(0.0, 0.0, "a", "/robots.txt"), entry(0.1, 0.1, "a", "/"), entry(0.3, 0.3, "a", "/x")];
    assert_eq!(report::crawl_delay_breaches(&log, &truth, 0.05).len(), 1);
}

#[test]
fn claims_are_compared_by_kind_and_any_door() {
    let resource = |kind: &str, url: &str, surface: bool| TruthResource {
        kind: kind.to_owned(),
        url: url.to_owned(),
        surface,
        depth: surface.then_some(3),
        robots_allowed: true,
        ..TruthResource::default()
    };
    let mut wms = resource("wms", "http://a.test/cgi?map=/x/y.map", true);
    wms.aliases.push("http://www.a.test/cgi?map=/x/y.map".to_owned());
    let truth = GroundTruth {
        resources: vec![
            wms,
            resource("wfs", "http://a.test/wfs", true),
            resource("wms", "http://b.test/wms", false),
        ],
        ..GroundTruth::default()
    };
    let claims = [
        ("wms", "http://A.test:80/cgi?map=%2Fx%2Fy.map"),
        ("wms", "http://www.a.test/cgi?map=/x/y.map"),
        ("wms", "http://a.test/wfs"),
        ("wms", "http://b.test/wms?"),
        ("wms", "http://kmz-bomb.hostile.test/wms"),
    ];
    let report = report::recall_precision(&truth, claims.into_iter(), report::ExpectedResources::AllSurface);
    assert_eq!((report.expected, report.found, report.claimed, report.correct), (2, 1, 4, 3));
    assert_eq!(report.missed[0].url, "http://a.test/wfs");
    assert_eq!(report.false_claims, [("wms".to_owned(), "http://a.test/wfs".to_owned())]);
    assert_eq!(report.duplicates.len(), 1);
    let none =
        report::recall_precision(&truth, claims.into_iter(), report::ExpectedResources::Surface { depth: 2 });
    assert_eq!(none.expected, 0);
    assert!((none.recall() - 1.0).abs() < 1e-9 && (none.precision() - 0.75).abs() < 1e-9);
}

#[test]
fn requests_are_logged_with_their_times_and_judged_against_robots_and_traps() {
    let running = serve_web(SimWebConfig { seed: 2, hosts: 40, pages: Some(200), ..SimWebConfig::default() });
    let truth = running.web.truth().clone();
    let seed = truth.seeds[0].clone();
    get(running.address, &seed, "").unwrap();
    let forbidden = truth
        .robots
        .iter()
        .find_map(|(host, robots)| {
            robots.rules.iter().find(|r| !r.allow && r.path == "/intern/").map(|_| host.clone())
        })
        .unwrap();
    get(running.address, &format!("http://{forbidden}/intern/x"), "").unwrap();
    get(running.address, &truth.traps[0].entry, "").unwrap();
    let log = running.stop();
    assert_eq!(log.len(), 3);
    assert!(log.windows(2).all(|pair| pair[0].t <= pair[1].t && pair[0].end >= pair[0].t));
    assert_eq!(log[0].agent, "geotrawl/test");
    assert!(log[0].bytes > 1000 && log[0].status == 200);
    assert_eq!(report::robots_violations(&log, &truth).len(), 1);
    let share = report::trap_share(&log, &truth);
    assert_eq!((share.requests, share.in_traps), (3, 1));
    assert!((share.share() - 1.0 / 3.0).abs() < 1e-9);
}

#[test]
fn the_log_file_holds_one_object_a_line_and_the_truth_is_json() {
    let web =
        SimWeb::generate(SimWebConfig { seed: 2, hosts: 12, pages: Some(60), ..SimWebConfig::default() });
    let path = std::env::temp_dir().join(format!("simweb-log-{}.jsonl", std::process::id()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = web.serve(listener, Some(LogSink::file(&path).unwrap())).unwrap();
        let (address, url) = (server.address(), web.seeds()[0].clone());
        tokio::task::spawn_blocking(move || get(address, &url, "").unwrap()).await.unwrap();
        assert_eq!(server.served_count(), 1);
        assert!(server.stop().await.is_empty());
    });
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let entry: LogEntry = serde_json::from_str(text.trim()).unwrap();
    assert_eq!(entry.method, "GET");
    let json = serde_json::to_string(web.truth()).unwrap();
    assert_eq!(&serde_json::from_str::<GroundTruth>(&json).unwrap(), web.truth());
}

#[test]
fn connections_are_kept_alive_and_ranges_are_served() {
    let running = serve_web(SimWebConfig { seed: 9, hosts: 60, pages: Some(200), ..SimWebConfig::default() });
    let truth = running.web.truth();
    let mut stream = TcpStream::connect(running.address).unwrap();
    for _ in 0..3 {
        let seed = truth.seeds[0].trim_start_matches("http://").trim_end_matches('/');
        write!(stream, "HEAD / HTTP/1.1\r\nHost: {seed}\r\n\r\n").unwrap();
        let mut head = Vec::new();
        let mut byte = [0; 1];
        while !head.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        assert!(head.starts_with(b"HTTP/1.1 200 OK"));
    }
    // A huge archive: only its end is requested, which contains the directory.
    let huge = truth
        .resources
        .iter()
        .filter(|r| r.kind == "shapefile")
        .filter_map(|r| get(running.address, &r.url, "Range: bytes=-22\r\n"))
        .filter(|answer| answer.status == 206)
        .filter(|answer| answer.body.starts_with(b"PK\x05\x06"))
        .filter_map(|answer| answer.header("content-range")?.rsplit('/').next()?.parse::<u64>().ok())
        .max();
    assert!(huge.unwrap() > 1_900_000_000, "{huge:?}");
}
