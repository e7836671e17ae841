use crate::server::{
    KEY, KINDS, ScriptedReply, ScriptedServer, SearchFixture, build_reply, engine_of, fetch_config,
    json_reply, keyword_request, recorded_answer,
};
use geotrawl_crawl::seeds::search::{EngineConfig, MetaSearch, MetaSearchRequest};
use geotrawl_store::EmbeddedStore;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Responses that any engine may send, with the accepted classes.
fn fault_set() -> Vec<(&'static str, ScriptedReply, &'static [&'static str])> {
    let page =
        b"<html><body>Our systems have detected unusual traffic. Please solve this captcha.</body></html>";
    let cut = ScriptedReply::Bytes(
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{\"results\": ["
            .to_vec(),
    );
    let huge = ScriptedReply::Endless(vec![b' '; 64 * 1024]);
    let mut endless = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"results\": [".to_vec();
    endless.extend(vec![b' '; 5 << 20]);
    // An error message may echo the request with the key.
    let echo =
        format!("{{\"error\": {{\"message\": \"bad request: {KEY} is wrong\"}}, \"message\": \"{KEY}\"}}");
    vec![
        ("429", build_reply(429, "text/plain", "retry-after: 60\r\n", b"slow down"), &["rate"]),
        ("429 without a time", build_reply(429, "application/json", "", b"{}"), &["rate"]),
        ("503", build_reply(503, "text/html", "", b"<h1>Service Unavailable</h1>"), &["rate"]),
        (
            "payment",
            build_reply(402, "application/json", "", b"{\"message\": \"quota used up\"}"),
            &["their-quota"],
        ),
        ("malformed JSON", json_reply(b"{\"results\": [{\"url\": "), &["malformed"]),
        ("another JSON", json_reply(b"{\"hello\": \"world\"}"), &["shape"]),
        ("captcha", build_reply(200, "text/html", "", page), &["captcha"]),
        ("captcha with 403", build_reply(403, "text/html", "", page), &["captcha"]),
        ("captcha with 429", build_reply(429, "text/html", "", page), &["captcha"]),
        ("a web page", build_reply(200, "text/html", "", b"<html>Welcome</html>"), &["not-json"]),
        ("nothing", build_reply(200, "application/json", "", b""), &["not-json"]),
        ("cut body", cut, &["cut"]),
        ("huge body", ScriptedReply::Bytes(endless), &["too-large"]),
        ("no HTTP at all", huge, &["unreachable", "cut", "too-large"]),
        ("trouble", build_reply(500, "text/plain", "", b"panic"), &["server"]),
        ("not there", build_reply(404, "text/html", "", b"<h1>404</h1>"), &["not-configured"]),
        (
            "moved",
            build_reply(302, "text/html", "location: http://other.example/?key=x\r\n", b""),
            &["moved"],
        ),
        ("an echo", build_reply(400, "application/json", "", echo.as_bytes()), &["refused"]),
        ("closed", ScriptedReply::Bytes(Vec::new()), &["unreachable"]),
    ]
}

#[tokio::test]
async fn every_fault_has_its_class_and_costs_nobody_else() {
    for (what, answer, classes) in fault_set() {
        let server = ScriptedServer::start(move |head| {
            if engine_of(head) == "good" {
                json_reply(&recorded_answer("searxng", "results.json"))
            } else {
                answer.clone()
            }
        })
        .await;
        let mut engines: Vec<_> = KINDS.map(|kind| (kind, server.engine(kind, kind))).to_vec();
        engines.push(("good", server.engine("searxng", "good")));
        let found =
            SearchFixture::new().search(&engines, None).search(&keyword_request("water")).await.unwrap();
        assert_eq!(found.seeds.len(), 3, "{what}: the good engine is heard");
        for report in found.reports.iter().filter(|report| KINDS.contains(&report.engine.as_str())) {
            let [told] = &report.faults[..] else { panic!("{what}, {}: {:?}", report.engine, report.faults) };
            let class = told.fault.class.as_str();
            assert!(classes.contains(&class), "{what}, {}: {class}, {}", report.engine, told.fault.message);
            assert!(told.fault.message.len() > 30, "{what}: {}", told.fault.message);
            let shown = format!("{report:?} {}", serde_json::to_string(report).unwrap());
            assert!(!shown.contains(KEY), "{what}: {shown}");
            assert_eq!(report.asked, 1, "{what}, {}: one request, never repeated", report.engine);
        }
        assert_eq!(server.requests().len(), KINDS.len() + 1, "{what}");
    }
}

#[tokio::test]
async fn silence_ends_with_the_timeout() {
    let server = ScriptedServer::start(|_| ScriptedReply::Silence).await;
    let engines: Vec<_> =
        KINDS.map(|kind| (kind, EngineConfig { timeout: Some(1), ..server.engine(kind, kind) })).to_vec();
    let found = SearchFixture::new().search(&engines, None).search(&keyword_request("water")).await.unwrap();
    for report in found.reports.iter().filter(|report| report.kind != "own") {
        assert_eq!(report.faults[0].fault.class.as_str(), "timeout", "{}", report.engine);
        assert!(report.faults[0].fault.message.contains("`timeout`"));
    }
}

#[tokio::test]
async fn an_engine_of_one_s_own_needs_its_network_allowed() {
    let server = ScriptedServer::start(|_| json_reply(&recorded_answer("searxng", "results.json"))).await;
    let engine = EngineConfig { allow_net: Vec::new(), ..server.engine("searxng", "s") };
    let found =
        SearchFixture::new().search(&[("s", engine)], None).search(&keyword_request("water")).await.unwrap();
    let fault = &found.reports.iter().find(|report| report.engine == "s").unwrap().faults[0].fault;
    assert_eq!(fault.class.as_str(), "blocked");
    assert!(fault.message.contains("`allow_net`"), "{}", fault.message);
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn what_fails_for_good_is_not_asked_again_and_what_may_pass_once_more() {
    let server = ScriptedServer::start(|head| match engine_of(head) {
        "key" => build_reply(401, "text/plain", "", b"no"),
        _ => build_reply(500, "text/plain", "", b"oops"),
    })
    .await;
    let engines = [("key", server.engine("brave", "key")), ("trouble", server.engine("brave", "trouble"))];
    let wanted =
        MetaSearchRequest { keywords: vec!["water".into()], questions: 6, ..MetaSearchRequest::default() };
    let found = SearchFixture::new().search(&engines, None).search(&wanted).await.unwrap();
    let of = |name: &str| found.reports.iter().find(|report| report.engine == name).unwrap();
    assert_eq!((of("key").asked, of("key").unasked), (1, 5));
    assert_eq!((of("trouble").asked, of("trouble").unasked), (2, 4));
}

#[tokio::test]
async fn what_is_missing_or_unknown_is_said() {
    let place = SearchFixture::new();
    let bare = EngineConfig::default();
    let found =
        place.search(&[("brave", bare.clone())], None).search(&keyword_request("water")).await.unwrap();
    let fault = &found.reports[0].faults[0].fault;
    assert_eq!(fault.class.as_str(), "not-configured");
    assert!(fault.message.contains("key_env"), "{}", fault.message);
    let place = SearchFixture::new();
    let search = place.search(&[("brave", bare.clone())], None);
    let unknown = MetaSearchRequest { engines: vec!["bing".into()], ..keyword_request("water") };
    let error = search.search(&unknown).await.unwrap_err().to_string();
    assert!(error.contains("unknown engine 'bing' (configured: brave, own)"), "{error}");
    let error = search
        .search(&MetaSearchRequest { languages: vec!["German".into()], ..keyword_request("x") })
        .await
        .unwrap_err();
    assert!(error.to_string().contains("two letters"), "{error}");
    let store = Arc::new(EmbeddedStore::open(tempfile::tempdir().unwrap().path()).unwrap());
    let wrong = EngineConfig { kind: Some("bing".into()), ..bare };
    assert!(MetaSearch::new(&fetch_config(), &BTreeMap::from([("x".into(), wrong)]), store, None).is_err());
}
