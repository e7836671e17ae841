use crate::server::{RawServer, RequestSpan, build_response, ok_response, read_outcome, test_config};
use geotrawl_crawl::fetch::{FetchConfig, FetchRequest, GuardedClient, RedirectPolicy};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use url::Url;

const DELAY: Duration = Duration::from_millis(60);

fn polite() -> FetchConfig {
    let mut config = test_config();
    config.politeness.delay = DELAY;
    config.politeness.per_host = 1;
    config.politeness.adaptive_factor = 0.0;
    config
}

/// Checks in the server's log that requests never overlap and that the delay is kept.
///
/// The client may read the last byte slightly before the server logs the end of the request, hence
/// a small tolerance for the delay. There is none for overlaps.
fn assert_polite(spans: &[RequestSpan], delay: Duration) {
    for two in spans.windows(2) {
        let (before, after) = (&two[0], &two[1]);
        let paths = format!("{} and {}", before.seen.path, after.seen.path);
        assert!(after.seen.at >= before.end, "{paths} overlap");
        let gap = after.seen.at - before.end;
        assert!(gap + Duration::from_millis(15) >= delay, "{paths} are {gap:?} apart");
    }
}

#[tokio::test]
async fn the_servers_log_shows_one_at_a_time_with_pauses() {
    let count = Arc::new(AtomicUsize::new(0));
    let server = RawServer::start(move |seen, stream| {
        let nth = count.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            let bytes = match seen.path.as_str() {
                "/robots.txt" => build_response("404 Not Found", &[], b""),
                "/r" => build_response("302 Found", &[("location", "/r2")], b"moved"),
                "/r2" => build_response("302 Found", &[("location", "/end")], b""),
                // Break every seventh connection, so that the client retries.
                _ if nth % 7 == 6 => return false,
                _ => ok_response("text/html", &[b'x'; 3000]),
            };
            // Delay the body, so that overlaps would be visible.
            let (first, rest) = bytes.split_at(bytes.len() / 2);
            if stream.write_all(first).await.is_err() {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
            stream.write_all(rest).await.is_ok()
        })
    })
    .await;
    let mut config = polite();
    config.retries = 2;
    let client = GuardedClient::new(config).unwrap();
    let tasks: Vec<_> = ["/r", "/a", "/b", "/r", "/c", "/d"]
        .into_iter()
        .map(|path| {
            let request = FetchRequest {
                redirects: RedirectPolicy::Follow(5),
                ..FetchRequest::new(server.url(path), 10_000)
            };
            let client = client.clone();
            tokio::spawn(async move { read_outcome(client.fetch(request).await).await.0 })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), None);
    }
    let spans = server.request_spans();
    assert!(spans.len() >= 12, "{}", spans.len());
    assert_polite(&spans, DELAY);
}

#[tokio::test]
async fn hosts_at_one_address_share_its_turns_unless_pinned() {
    let server = RawServer::start(|_, stream| {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            stream.write_all(&ok_response("text/html", b"x")).await.is_ok()
        })
    })
    .await;
    let port = server.address.port();
    let fetch_all = async |client: GuardedClient| {
        let tasks: Vec<_> = (1..=6)
            .map(|n| {
                let (client, url) =
                    (client.clone(), Url::parse(&format!("http://127.0.0.{n}:{port}/")).unwrap());
                tokio::spawn(async move {
                    let request = FetchRequest { check_robots: false, ..FetchRequest::new(url, 1000) };
                    read_outcome(client.fetch(request).await).await.0
                })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), None);
        }
    };
    // Six names of one simulated machine: no delay between them.
    let mut pinned = polite();
    pinned.politeness.delay = Duration::from_secs(30);
    pinned.politeness.ip_delay = Duration::from_secs(30);
    pinned.politeness.per_ip = 1;
    pinned.resolve = vec![format!("*={}", server.address).parse().unwrap()];
    let start = Instant::now();
    fetch_all(GuardedClient::new(pinned).unwrap()).await;
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());

    // Six names of one real machine share its delay, even on loopback.
    struct SameAddressResolver;
    impl geotrawl_crawl::fetch::dns::NameResolver for SameAddressResolver {
        fn lookup<'a>(&'a self, _: &'a str) -> geotrawl_crawl::fetch::dns::LookupFuture<'a> {
            let addresses = vec![[127, 0, 0, 1].into()];
            let ttl = Duration::from_mins(1);
            Box::pin(async move { Ok(geotrawl_crawl::fetch::dns::DnsAnswer { addresses, ttl }) })
        }
    }
    let mut shared = polite();
    shared.politeness.per_ip = 1;
    shared.politeness.ip_delay = DELAY;
    let client = GuardedClient::builder(shared).with_resolver(Arc::new(SameAddressResolver)).build().unwrap();
    let seen_before = server.request_spans().len();
    let tasks: Vec<_> = (1..=6)
        .map(|n| {
            let (client, url) =
                (client.clone(), Url::parse(&format!("http://h{n}.example:{port}/")).unwrap());
            tokio::spawn(async move {
                let request = FetchRequest { check_robots: false, ..FetchRequest::new(url, 1000) };
                read_outcome(client.fetch(request).await).await.0
            })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), None);
    }
    assert_polite(&server.request_spans()[seen_before..], DELAY);
}

#[tokio::test]
async fn retry_after_and_crawl_delay_are_kept() {
    let server = RawServer::start(|seen, stream| {
        Box::pin(async move {
            let bytes = match seen.path.as_str() {
                "/robots.txt" => ok_response("text/plain", b"User-agent: *\nCrawl-delay: 0.2\n"),
                "/busy" => build_response("503 Service Unavailable", &[("retry-after", "2")], b"later"),
                _ => ok_response("text/html", b"x"),
            };
            stream.write_all(&bytes).await.is_ok()
        })
    })
    .await;
    let client = GuardedClient::new(polite()).unwrap();
    let host = server.address.ip().to_string();
    for path in ["/a", "/b", "/busy"] {
        let fetched = client.fetch(FetchRequest::new(server.url(path), 1000)).await;
        if path == "/busy" {
            assert_eq!(fetched.head.status, 503);
            assert_eq!(client.ready_at(&host), None, "taken until the body is read");
        }
        read_outcome(fetched).await;
    }
    let ready = client.ready_at(&host).unwrap();
    assert!(ready > tokio::time::Instant::now() + Duration::from_millis(500));
    read_outcome(client.fetch(FetchRequest::new(server.url("/c"), 1000)).await).await;
    let spans = server.request_spans();
    assert_polite(&spans, Duration::from_millis(200));
    assert!(spans[4].seen.at - spans[3].end >= Duration::from_millis(1950));
}

#[tokio::test]
async fn a_body_that_is_dropped_gives_its_turn_back() {
    let server = RawServer::start_fixed(ok_response("text/html", &vec![b'x'; 500_000])).await;
    let mut config = polite();
    config.politeness.delay = Duration::ZERO;
    let client = GuardedClient::new(config).unwrap();
    for _ in 0..5 {
        let fetched = client
            .fetch(FetchRequest { check_robots: false, ..FetchRequest::new(server.url("/"), 1 << 20) })
            .await;
        assert_eq!(client.ready_at("127.0.0.1"), None);
        drop(fetched);
        assert!(client.ready_at("127.0.0.1").is_some());
    }
    // So does a request that is cancelled while it waits for the server.
    let stalled = RawServer::start(|_, _| Box::pin(async { std::future::pending::<bool>().await })).await;
    let request = FetchRequest { check_robots: false, ..FetchRequest::new(stalled.url("/"), 1000) };
    let waiting = tokio::time::timeout(Duration::from_millis(50), client.fetch(request)).await;
    assert!(waiting.is_err());
    assert!(client.ready_at("127.0.0.1").is_some());
}
