use crate::server::{
    KEY, KINDS, ScriptedReply, ScriptedServer, SearchFixture, build_reply, engine_of, json_reply,
    keyword_request, recorded_answer,
};
use geotrawl_crawl::seeds::search::{EngineConfig, MetaSearchRequest};
use std::collections::BTreeMap;

/// Returns path and parameters of a request, and its head in lower case.
fn parts(head: &str) -> (String, BTreeMap<String, String>, String) {
    let target = head.split(' ').nth(1).unwrap();
    let url = url::Url::parse(&format!("http://x{target}")).unwrap();
    (url.path().to_owned(), url.query_pairs().into_owned().collect(), head.to_ascii_lowercase())
}

#[tokio::test]
async fn each_engine_is_asked_in_its_own_way() {
    let server =
        ScriptedServer::start(|head| json_reply(&recorded_answer(engine_of(head), "empty.json"))).await;
    let engines: Vec<_> = KINDS.map(|kind| (kind, server.engine(kind, kind))).to_vec();
    let wanted = MetaSearchRequest { languages: vec!["ja".into()], ..keyword_request("a b&c=\"d\" 地図") };
    SearchFixture::new().search(&engines, None).search(&wanted).await.unwrap();
    let requests = server.requests();
    assert_eq!(requests.len(), KINDS.len());
    for head in &requests {
        let (path, params, head) = parts(head);
        let kind = engine_of(&head).to_owned();
        let get = |name: &str| params.get(name).map(String::as_str).unwrap_or_default();
        let words = if matches!(kind.as_str(), "marginalia" | "yacy") { get("query") } else { get("q") };
        assert_eq!(words, "a b&c=\"d\" 地図", "{kind}");
        assert!(
            head.contains("user-agent: geotrawl/") && head.contains("accept: application/json"),
            "{head}"
        );
        match kind.as_str() {
            "brave" => {
                assert_eq!(
                    (path.as_str(), get("count"), get("offset"), get("search_lang")),
                    ("/brave", "20", "0", "jp")
                );
                assert!(head.contains(&format!("x-subscription-token: {KEY}")));
            }
            "google" => {
                assert_eq!((get("cx"), get("key"), get("num")), ("012:abc", KEY, "10"));
                assert_eq!((get("start"), get("lr")), ("1", "lang_ja"));
            }
            "marginalia" => {
                assert_eq!((path.as_str(), get("page")), ("/marginalia/search", "1"));
                assert!(head.contains(&format!("api-key: {KEY}")));
            }
            "mojeek" => {
                assert_eq!((get("api_key"), get("fmt"), get("s"), get("lb")), (KEY, "json", "1", "JA"));
            }
            "searxng" => assert_eq!((path.as_str(), get("language")), ("/searxng/search", "ja")),
            "yacy" => {
                assert_eq!((path.as_str(), get("startRecord")), ("/yacy/yacysearch.json", "0"));
                assert_eq!((get("lr"), get("resource")), ("lang_ja", "global"));
            }
            other => panic!("{other} was asked"),
        }
        assert_eq!(
            head.contains(KEY),
            !matches!(kind.as_str(), "searxng" | "yacy"),
            "keys go where they belong"
        );
    }
}

/// Responds like a SearXNG instance, following its documentation and its `webapp`, `webadapter` and
/// `botdetection` modules: checks the limiter first, then the format, then the parameters.
fn instance(head: &str, formats: &[&str]) -> ScriptedReply {
    let (path, params, head) = parts(head);
    let get = |name: &str| params.get(name).map(String::as_str).unwrap_or_default();
    let header = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.trim_start_matches(':').trim().to_owned()
    };
    let encodings = header("accept-encoding");
    let encodings: Vec<&str> = encodings.split(',').map(str::trim).collect();
    if !header("accept").contains("text/html")
        || header("accept-language").is_empty()
        || !(encodings.contains(&"gzip") || encodings.contains(&"deflate"))
        || ["curl", "wget", "python", "java", "unknown"]
            .iter()
            .any(|bot| header("user-agent").starts_with(bot))
    {
        return build_reply(429, "text/plain", "", b"Too Many Requests");
    }
    if path != "/search" && path != "/" {
        return build_reply(404, "text/html", "", b"<h1>Page not found</h1>");
    }
    if !formats.contains(&get("format")) {
        return build_reply(403, "text/html", "", &recorded_answer("searxng", "fault-403-format-off.html"));
    }
    let refuse = |what: &str| {
        let body = format!("{{\"error\": \"Invalid value \\\"\\\" for parameter {what}\"}}");
        build_reply(400, "application/json", "", body.as_bytes())
    };
    if get("q").trim().is_empty() {
        return build_reply(400, "application/json", "", b"{\"error\": \"No query\"}");
    }
    let language = get("language");
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
    let known = matches!(language.len(), 2 | 3) && plain(language);
    if !(language.is_empty() || known || language == "auto") {
        return refuse("language");
    }
    if get("pageno").parse::<u32>().is_ok_and(|page| page >= 1) {
        json_reply(&recorded_answer("searxng", "results.json"))
    } else {
        refuse("pageno")
    }
}

#[tokio::test]
async fn searxng_takes_our_requests_by_its_own_rules() {
    let server = ScriptedServer::start(|head| instance(head, &["html", "json"])).await;
    let mut engine = server.engine("searxng", "");
    for (language, pages) in [(None, 1), (Some("de"), 2), (Some("zh"), 3)] {
        engine.pages = Some(pages);
        let wanted = MetaSearchRequest {
            languages: language.iter().map(|language| (*language).to_owned()).collect(),
            top: 100,
            fresh: true,
            ..keyword_request("Gewässer \"service=WMS\"")
        };
        let found =
            SearchFixture::new().search(&[("s", engine.clone())], None).search(&wanted).await.unwrap();
        let report = found.reports.iter().find(|report| report.engine == "s").unwrap();
        assert_eq!(report.faults, [], "{language:?}");
        assert_eq!(found.seeds.len(), 3);
        assert_eq!(report.asked, u64::from(pages));
    }
    // The default configuration, without JSON.
    let server = ScriptedServer::start(|head| instance(head, &["html"])).await;
    let found = SearchFixture::new()
        .search(&[("s", server.engine("searxng", ""))], None)
        .search(&keyword_request("water"))
        .await
        .unwrap();
    let report = found.reports.iter().find(|report| report.engine == "s").unwrap();
    assert_eq!(report.faults[0].fault.class.as_str(), "format-off");
    assert!(report.faults[0].fault.message.contains("search.formats"));
}

#[tokio::test]
async fn a_redirect_does_not_take_the_key_elsewhere() {
    let canary = ScriptedServer::start(|_| json_reply(b"{}")).await;
    let to = format!("location: http://{}/\r\n", canary.address);
    let server = ScriptedServer::start(move |_| build_reply(307, "text/plain", &to, b"")).await;
    let engines = [("g", server.engine("google", "g")), ("b", server.engine("brave", "b"))];
    let found = SearchFixture::new().search(&engines, None).search(&keyword_request("water")).await.unwrap();
    for report in found.reports.iter().filter(|report| report.kind != "own") {
        assert_eq!(report.faults[0].fault.class.as_str(), "moved");
    }
    assert!(canary.requests().is_empty());
}

#[tokio::test]
async fn operators_go_only_to_engines_that_know_them() {
    let server =
        ScriptedServer::start(|head| json_reply(&recorded_answer(engine_of(head), "empty.json"))).await;
    let engines = [("brave", server.engine("brave", "brave")), ("google", server.engine("google", "google"))];
    let wanted =
        MetaSearchRequest { keywords: vec!["water".into()], questions: 5, ..MetaSearchRequest::default() };
    SearchFixture::new().search(&engines, None).search(&wanted).await.unwrap();
    let asked = |kind: &str| -> Vec<String> {
        let of_kind = server.requests().into_iter().filter(|head| engine_of(head) == kind);
        of_kind.map(|head| parts(&head).1["q"].clone()).collect()
    };
    assert_eq!((asked("brave").len(), asked("google").len()), (5, 5));
    assert!(asked("brave").iter().all(|words| !words.contains("inurl:")));
    assert_eq!(asked("google")[1], "inurl:wms inurl:getcapabilities water");
}

#[tokio::test]
async fn a_key_may_come_from_the_environment() {
    // PATH is set wherever tests run.
    let key = std::env::var("PATH").unwrap();
    let server =
        ScriptedServer::start(|head| json_reply(&recorded_answer(engine_of(head), "empty.json"))).await;
    let engine =
        EngineConfig { key: None, key_env: Some("PATH".into()), ..server.engine("mojeek", "mojeek") };
    SearchFixture::new().search(&[("mojeek", engine)], None).search(&keyword_request("water")).await.unwrap();
    assert_eq!(parts(&server.requests()[0]).1["api_key"], key);
}
