//! Tests checks of services with known behaviour: verdict and cause must be right in every case.

#![expect(clippy::unwrap_used, reason = "a test server that cannot start fails the test")]

use geotrawl_crawl::body::BodyPool;
use geotrawl_crawl::check::ResourceChecker;
use geotrawl_crawl::fetch::dns::{DnsAnswer, LookupFuture, NameResolver};
use geotrawl_crawl::fetch::{FetchConfig, GuardedClient};
use geotrawl_model::{Check, CheckHistory, Resource};
use geotrawl_simweb::{LogSink, ServerHandle, TrustSite};
use geotrawl_trust::check::{CheckOptions, derive_verdict};
use geotrawl_trust::score::score_check;
use std::sync::Arc;
use std::time::Duration;

/// Resolves no names, so that only pinned hosts exist.
struct NamelessResolver;

impl NameResolver for NamelessResolver {
    fn lookup<'a>(&'a self, _: &'a str) -> LookupFuture<'a> {
        Box::pin(async { Ok(DnsAnswer { addresses: Vec::new(), ttl: Duration::from_secs(1) }) })
    }
}

fn serve(site: &TrustSite) -> ServerHandle {
    let listener = geotrawl_simweb::listen(([127, 0, 0, 1], 0).into()).unwrap();
    site.serve(listener, Some(LogSink::memory())).unwrap()
}

/// Returns an address without a listener.
fn closed() -> std::net::SocketAddr {
    std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap()
}

fn examiner(at: std::net::SocketAddr) -> ResourceChecker {
    let resolve = vec![
        format!("refused.trust.test={}", closed()).parse().unwrap(),
        format!("*.trust.test={at}").parse().unwrap(),
    ];
    let mut config = FetchConfig { resolve, retries: 0, ..FetchConfig::default() };
    config.set_delay(Duration::ZERO);
    config.timeouts.first_byte = Duration::from_secs(4);
    config.timeouts.total = Duration::from_secs(6);
    let client = GuardedClient::builder(config).with_resolver(Arc::new(NamelessResolver)).build().unwrap();
    ResourceChecker::new(client, BodyPool::default())
}

/// Returns what is known about a service before its first check: kind and URL.
fn known(kind: &str, url: &str) -> Resource {
    Resource { kind: kind.to_owned(), url: url.to_owned(), ..Resource::default() }
}

/// Checks that verdict and score can be derived again from what was stored.
fn replays(check: &Check) {
    let text = serde_json::to_string(check).unwrap();
    let again: Check = serde_json::from_str(&text).unwrap();
    assert_eq!(*check, again, "{}", check.url);
    let said = derive_verdict(&again.kind, &again.observations);
    assert_eq!((said.status, said.cause, &said.reason), (check.verdict, check.cause.as_str(), &check.reason));
    let history = CheckHistory { checks: 1, available: 1, latest: vec![true], millis: Vec::new() };
    assert_eq!(score_check(check, &history), score_check(&again, &history));
}

async fn check(examiner: &ResourceChecker, kind: &str, url: &str) -> Check {
    let checked = examiner.check_resource(&known(kind, url), &CheckOptions::default()).await;
    replays(&checked.check);
    checked.check
}

#[tokio::test(flavor = "multi_thread")]
async fn every_behaviour_gets_its_verdict_and_reason() {
    let site = TrustSite::new();
    let server = serve(&site);
    let examiner = examiner(server.address());
    let mut wrong = Vec::new();
    let mut cases = 0;
    for step in 0..6 {
        site.set_step(step);
        let mut checks = tokio::task::JoinSet::new();
        for case in site.cases().iter().filter(|case| step == 0 || case.expected.len() > 1) {
            let (examiner, case) = (examiner.clone(), case.clone());
            checks.spawn(async move {
                let check = check(&examiner, case.kind, &case.url).await;
                (case, check)
            });
        }
        while let Some(done) = checks.join_next().await {
            let (case, check) = done.unwrap();
            cases += 1;
            let got = (check.verdict.as_str(), check.cause.as_str());
            assert!(!check.reason.is_empty() && !check.observations.is_empty());
            assert!(check.observations.len() <= 12, "{} asked {} times", case.url, check.observations.len());
            if got != case.expected_at(step) {
                wrong.push(format!(
                    "{} {} at step {step}: expected {:?}, got {got:?}: {}\n    {}",
                    case.name,
                    case.kind,
                    case.expected_at(step),
                    check.reason,
                    check
                        .observations
                        .iter()
                        .map(|o| format!("{} -> {:?} {}", o.request.url, o.outcome, o.seen))
                        .collect::<Vec<_>>()
                        .join("\n    ")
                ));
            }
        }
    }
    assert!(cases >= 60, "{cases}");
    assert!(wrong.is_empty(), "{} of {cases} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{cases} scripted cases, all right");
    for entry in server.stop().await {
        let asked = entry.target.to_ascii_lowercase();
        for never in ["request=execute", "request=transaction", "request=insert", "request=getobservation"] {
            assert!(!asked.contains(never), "{asked}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_never_answers_is_told_apart() {
    let site = TrustSite::new();
    let server = serve(&site);
    let examiner = examiner(server.address());
    for (url, expected) in [
        ("http://nobody.example/wms", ("dead", "dns")),
        ("http://refused.trust.test/wms", ("dead", "connect")),
        ("https://up-wms.trust.test/geoserver/wms", ("inconclusive", "tls")),
        ("http://10.0.0.1/wms", ("inconclusive", "refused")),
    ] {
        let check = check(&examiner, "wms", url).await;
        assert_eq!((check.verdict.as_str(), check.cause.as_str()), expected, "{url}: {}", check.reason);
    }
}
