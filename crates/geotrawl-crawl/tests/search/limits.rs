use crate::server::{
    ScriptedServer, SearchFixture, build_reply, json_reply, keyword_request, recorded_answer,
};
use geotrawl_crawl::seeds::search::{CatalogueLookup, EngineConfig, MetaSearchRequest};
use jiff::{SignedDuration, Timestamp};
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

/// Returns a clock that the test sets. It also advances by itself, because delays are waited for.
fn driven() -> (Arc<AtomicI64>, Arc<dyn Fn() -> Timestamp + Send + Sync>) {
    let seconds = Arc::new(AtomicI64::new(1_800_000_000));
    let (read, started) = (seconds.clone(), Instant::now());
    let clock = move || {
        let elapsed = SignedDuration::try_from(started.elapsed()).unwrap();
        Timestamp::from_second(read.load(Ordering::SeqCst)).unwrap() + elapsed
    };
    (seconds, Arc::new(clock))
}

fn many(questions: usize) -> MetaSearchRequest {
    MetaSearchRequest { keywords: vec!["water".into()], questions, ..MetaSearchRequest::default() }
}

#[tokio::test]
async fn a_quota_is_never_exceeded_whoever_asks() {
    let server = ScriptedServer::start(|_| json_reply(&recorded_answer("brave", "results.json"))).await;
    let engine = EngineConfig { quota_per_day: Some(3), ..server.engine("brave", "b") };
    let place = SearchFixture::new();
    for round in 0..3 {
        // A new process each time.
        let search = place.search(&[("b", engine.clone())], None);
        let found = search.search(&many(8)).await.unwrap();
        let report = found.reports.iter().find(|report| report.engine == "b").unwrap();
        assert_eq!(report.faults[0].fault.class.as_str(), "quota", "round {round}");
        assert!(report.faults[0].fault.message.contains("`quota_per_day` in [engines.b]"));
        assert_eq!((report.asked, report.kept), if round == 0 { (3, 0) } else { (0, 3) });
        assert!(!found.seeds.is_empty(), "what was answered before is still good");
    }
    assert_eq!(server.requests().len(), 3);
    // Two concurrent tasks do not exceed it either.
    let place = SearchFixture::new();
    let search = place.search(&[("b", EngineConfig { quota_per_day: Some(5), ..engine })], None);
    let (fresh, other) = (MetaSearchRequest { fresh: true, ..many(8) }, search.clone());
    let (one, two) = tokio::join!(search.search(&fresh), other.search(&fresh));
    assert!(one.is_ok() && two.is_ok());
    assert_eq!(server.requests().len(), 3 + 5);
}

#[tokio::test]
async fn answers_are_kept_for_their_days() {
    let server = ScriptedServer::start(|_| json_reply(&recorded_answer("mojeek", "results.json"))).await;
    let place = SearchFixture::new();
    let (seconds, clock) = driven();
    let engine = EngineConfig { keep: Some(2), ..server.engine("mojeek", "m") };
    let search = place.search(&[("m", engine)], None).with_clock(clock);
    let first = search.search(&keyword_request("water")).await.unwrap();
    let second = search.search(&keyword_request("water")).await.unwrap();
    assert_eq!(first.seeds, second.seeds);
    assert_eq!(server.requests().len(), 1);
    search.search(&keyword_request("other")).await.unwrap();
    assert_eq!(server.requests().len(), 2, "another question is another answer");
    search.search(&MetaSearchRequest { fresh: true, ..keyword_request("water") }).await.unwrap();
    assert_eq!(server.requests().len(), 3);
    seconds.fetch_add(2 * 86_400 + 1, Ordering::SeqCst);
    search.search(&keyword_request("water")).await.unwrap();
    assert_eq!(server.requests().len(), 4, "it is too old");
}

#[tokio::test]
async fn failures_are_not_kept() {
    let server =
        ScriptedServer::start(|_| json_reply(&recorded_answer("searxng", "fault-200-upstream.json"))).await;
    let place = SearchFixture::new();
    let search = place.search(&[("s", server.engine("searxng", "s"))], None);
    for n in 1..=2 {
        search.search(&keyword_request("water")).await.unwrap();
        assert_eq!(server.requests().len(), n);
    }
}

#[tokio::test]
async fn requests_keep_their_pause() {
    let server = ScriptedServer::start(|_| json_reply(&recorded_answer("brave", "results.json"))).await;
    let engine = EngineConfig { rate: Some(600), ..server.engine("brave", "b") };
    let place = SearchFixture::new();
    let search = place.search(&[("b", engine.clone())], None);
    search.search(&many(4)).await.unwrap();
    let times = server.times();
    assert_eq!(times.len(), 4);
    // 100 ms by the store's clock; requests may take different times to arrive.
    for pair in times.windows(2) {
        assert!(pair[1].duration_since(pair[0]) >= Duration::from_millis(80), "{times:?}");
    }
    // When the time is over, the remaining queries are skipped and reported.
    let slow = EngineConfig { rate: Some(1), ..engine };
    let place = SearchFixture::new();
    let search = place.search(&[("b", slow)], None);
    let found =
        search.search(&MetaSearchRequest { within: Duration::from_secs(2), ..many(4) }).await.unwrap();
    let report = found.reports.iter().find(|report| report.engine == "b").unwrap();
    assert_eq!((report.asked, report.faults[0].fault.class.as_str()), (1, "time"));
}

#[tokio::test]
async fn an_engine_that_wants_rest_gets_it_also_after_a_restart() {
    let server = ScriptedServer::start(|_| build_reply(429, "text/plain", "retry-after: 120\r\n", b"")).await;
    let place = SearchFixture::new();
    let (seconds, clock) = driven();
    let engines = [("m", server.engine("marginalia", "m"))];
    let ask = async || {
        let search = place.search(&engines, None).with_clock(clock.clone());
        let found = search.search(&keyword_request("water")).await.unwrap();
        found.reports.iter().find(|report| report.engine == "m").unwrap().faults[0].fault.clone()
    };
    assert_eq!(ask().await.class.as_str(), "rate");
    let fault = ask().await;
    assert_eq!(fault.class.as_str(), "resting");
    let until =
        Timestamp::from_second(seconds.load(Ordering::SeqCst)).unwrap() + SignedDuration::from_secs(120);
    assert!(fault.message.contains(&until.to_string()[..10]), "{}", fault.message);
    assert_eq!(server.requests().len(), 1);
    seconds.fetch_add(121, Ordering::SeqCst);
    assert_eq!(ask().await.class.as_str(), "rate");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn pages_are_asked_until_enough_is_there() {
    let server = ScriptedServer::start(|head| {
        let start = if head.contains("offset=0") { 0 } else { 20 };
        let results: Vec<String> = (start..start + 20)
            .map(|n| format!("{{\"url\":\"https://h{n:02}.example/\",\"title\":\"\"}}"))
            .collect();
        json_reply(
            format!(
                "{{\"query\":{{\"more_results_available\":true}},\"web\":{{\"results\":[{}]}}}}",
                results.join(",")
            )
            .as_bytes(),
        )
    })
    .await;
    let engine = EngineConfig { pages: Some(5), ..server.engine("brave", "b") };
    let place = SearchFixture::new();
    let search = place.search(&[("b", engine)], None);
    let found = search.search(&MetaSearchRequest { top: 30, ..keyword_request("water") }).await.unwrap();
    assert_eq!(server.requests().len(), 2, "thirty results are on two pages");
    assert_eq!((found.seeds.len(), found.seeds[29].url.as_str()), (30, "https://h29.example/"));
    assert_eq!(found.seeds[29].engines[0].rank, 30);
    assert_eq!(found.seeds[29].width, 3);
}

struct FakeCatalogue;

impl CatalogueLookup for FakeCatalogue {
    fn find_addresses(
        &self,
        words: &str,
        _: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, String)>, String> {
        match words {
            "broken" => Err("it is not there".into()),
            _ => Ok((0..50)
                .map(|n| (format!("https://own{n}.example/"), words.to_owned()))
                .take(most)
                .collect()),
        }
    }
}

#[tokio::test]
async fn lists_and_our_own_index_are_engines_too() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"name;url\nRoads;https://a.example/\nWater;https://b.example/\n").unwrap();
    let list = EngineConfig {
        kind: Some("list".into()),
        file: Some(file.path().to_owned()),
        ..EngineConfig::default()
    };
    let place = SearchFixture::new();
    let search = place.search(&[("portals", list)], Some(Arc::new(FakeCatalogue)));
    let found = search
        .search(&MetaSearchRequest { keywords: vec!["water".into()], top: 5, ..MetaSearchRequest::default() })
        .await
        .unwrap();
    let urls: Vec<&str> = found.seeds.iter().map(|seed| seed.url.as_str()).collect();
    assert_eq!(urls.len(), 6, "{urls:?}");
    assert!(urls[..2].contains(&"https://b.example/") && urls[..2].contains(&"https://own0.example/"));
    assert_eq!(found.seeds[0].weight, 5);
    let found = search
        .search(&MetaSearchRequest { keywords: vec!["broken".into()], ..MetaSearchRequest::default() })
        .await
        .unwrap();
    let own = found.reports.iter().find(|report| report.engine == "own").unwrap();
    assert_eq!(own.faults[0].fault.class.as_str(), "local");
}
