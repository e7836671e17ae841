use crate::server::{
    RawServer, build_response, ok_response, read_outcome, request_without_robots, test_config,
};
use geotrawl_crawl::fetch::dns::{DnsAnswer, LookupFuture, NameResolver};
use geotrawl_crawl::fetch::{FetchConfig, FetchRequest, GuardedClient, RedirectPolicy};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use url::Url;

/// Returns scripted answers in turn, one per lookup.
struct ScriptedResolver {
    answers: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl ScriptedResolver {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let answers = answers.iter().map(|ips| ips.iter().map(|ip| ip.parse().unwrap()).collect()).collect();
        Arc::new(Self { answers, asked: AtomicUsize::new(0) })
    }
}

impl NameResolver for ScriptedResolver {
    fn lookup<'a>(&'a self, _: &'a str) -> LookupFuture<'a> {
        let turn = self.asked.fetch_add(1, Ordering::SeqCst);
        let addresses = self.answers[turn % self.answers.len()].clone();
        Box::pin(async move { Ok(DnsAnswer { addresses, ttl: Duration::ZERO }) })
    }
}

/// Returns settings that allow only the public internet.
fn strict() -> FetchConfig {
    let mut config = test_config();
    config.allow_nets.clear();
    // Connecting to public addresses fails here; fail quickly.
    config.timeouts.connect = Duration::from_millis(200);
    config
}

#[tokio::test]
async fn no_spelling_of_a_local_address_gets_through() {
    let canary = RawServer::start_fixed(ok_response("text/plain", b"secret")).await;
    let port = canary.address.port();
    let client = GuardedClient::builder(strict())
        .with_resolver(ScriptedResolver::new(&[&["127.0.0.1"], &["::1"]]))
        .build()
        .unwrap();
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0177.0.0.1",
        "0x7f.0.0.1",
        "0x7f000001",
        "127.0.0.1.",
        "①②⑦.⓪.⓪.①",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "169.254.169.254",
        "[fd00:ec2::254]",
        "100.100.100.200",
        "10.0.0.1",
        "192.168.1.1",
        "[fe80::1]",
        "localhost",
        "localhost.localdomain",
        "LOCALHOST.",
        "internal.example",
        "user:pass@127.0.0.1",
    ] {
        let Ok(url) = Url::parse(&format!("http://{host}:{port}/")) else { panic!("{host}") };
        for check_robots in [false, true] {
            let fetched =
                client.fetch(FetchRequest { check_robots, ..request_without_robots(url.clone()) }).await;
            assert_eq!(read_outcome(fetched).await.0, Some("blocked-address"), "{host}");
        }
        let https = Url::parse(&format!("https://{host}:{port}/")).unwrap();
        assert_eq!(
            read_outcome(client.fetch(request_without_robots(https)).await).await.0,
            Some("blocked-address"),
            "{host}"
        );
    }
    assert_eq!(canary.connection_count(), 0, "somebody knocked");
}

#[tokio::test]
async fn the_real_resolver_is_guarded_too() {
    let canary = RawServer::start_fixed(ok_response("text/plain", b"secret")).await;
    let url = Url::parse(&format!("http://localhost:{}/", canary.address.port())).unwrap();
    let fetched = GuardedClient::new(strict()).unwrap().fetch(request_without_robots(url)).await;
    let class = read_outcome(fetched).await.0;
    assert!(matches!(class, Some("blocked-address" | "dns" | "timeout")), "{class:?}");
    assert_eq!(canary.connection_count(), 0);
}

#[tokio::test]
async fn a_redirect_does_not_open_the_door() {
    let canary = RawServer::start_fixed(ok_response("text/plain", b"secret")).await;
    let port = canary.address.port();
    // The redirecting host is pinned by the operator; the redirect targets are not.
    let server = RawServer::start(move |seen, stream| {
        let target = format!("http://{}:{port}/", seen.path.trim_start_matches('/'));
        Box::pin(async move {
            stream.write_all(&build_response("302 Found", &[("location", &target)], b"")).await.is_ok()
        })
    })
    .await;
    let mut config = strict();
    config.resolve = vec![format!("public.example={}", server.address).parse().unwrap()];
    let client = GuardedClient::builder(config)
        .with_resolver(ScriptedResolver::new(&[&["127.0.0.1"]]))
        .build()
        .unwrap();
    for host in ["127.0.0.1", "2130706433", "[::1]", "localhost", "[::ffff:127.0.0.1]"] {
        let url = Url::parse(&format!("http://public.example/{host}")).unwrap();
        let fetched = client
            .fetch(FetchRequest { redirects: RedirectPolicy::Follow(3), ..request_without_robots(url) })
            .await;
        assert_eq!(fetched.hops.len(), 1);
        assert_eq!(read_outcome(fetched).await.0, Some("blocked-address"), "{host}");
    }
    assert_eq!(canary.connection_count(), 0);
}

#[tokio::test]
async fn a_name_that_changes_its_address_gains_nothing() {
    let canary = RawServer::start_fixed(ok_response("text/plain", b"secret")).await;
    let port = canary.address.port();
    // Public and private addresses in turn, and together: only the
    // public one may be tried (and fails).
    for script in [
        ScriptedResolver::new(&[&["192.0.9.1"], &["127.0.0.1"]]),
        ScriptedResolver::new(&[&["127.0.0.1"], &["192.0.9.1"]]),
        ScriptedResolver::new(&[&["192.0.9.1", "127.0.0.1"]]),
        ScriptedResolver::new(&[&["127.0.0.1", "192.0.9.1", "::1"]]),
    ] {
        for n in 0..4 {
            // A new client each time, so that nothing is cached and
            // each phase sees the next answer.
            let client = GuardedClient::builder(strict()).with_resolver(script.clone()).build().unwrap();
            let url = Url::parse(&format!("http://rebind.example:{port}/{n}")).unwrap();
            let fetched =
                client.fetch(FetchRequest { check_robots: n % 2 == 0, ..request_without_robots(url) }).await;
            let class = read_outcome(fetched).await.0.unwrap();
            assert!(["connect", "timeout", "blocked-address"].contains(&class), "{class}");
        }
    }
    assert_eq!(canary.connection_count(), 0);
}

#[tokio::test]
async fn the_operator_may_allow_a_network_or_give_an_address() {
    let server = RawServer::start_fixed(ok_response("text/plain", b"inside")).await;
    let port = server.address.port();
    // --allow-net
    let url = Url::parse(&format!("http://intranet.example:{port}/")).unwrap();
    let client = GuardedClient::builder(test_config())
        .with_resolver(ScriptedResolver::new(&[&["127.0.0.1"]]))
        .build()
        .unwrap();
    assert_eq!(
        read_outcome(client.fetch(request_without_robots(url.clone())).await).await,
        (None, b"inside".to_vec())
    );
    // --resolve with and without a port; the Host header keeps the original name
    for (pins, text, works) in [
        (vec![format!("*={}", server.address)], "http://any.example/x".to_owned(), true),
        (vec!["*.example=127.0.0.1".to_owned()], format!("http://a.example:{port}/"), true),
        (vec!["*.example=127.0.0.1".to_owned()], format!("http://example:{port}/"), false),
        (vec![format!("b.example={}", server.address)], "http://b.example:8080/".to_owned(), true),
        (vec![format!("b.example={}", server.address)], "http://c.example/".to_owned(), false),
        // A pinned address may be at any port, and an IP address may be pinned as well.
        (vec![format!("*={}", server.address)], "http://d.example:25/".to_owned(), true),
        (vec![format!("10.1.2.3={}", server.address)], "http://10.1.2.3/".to_owned(), true),
        // The first match wins.
        (
            vec![format!("e.example={}", server.address), "*=127.0.0.1:1".to_owned()],
            "http://e.example/".to_owned(),
            true,
        ),
    ] {
        let mut config = strict();
        config.resolve = pins.iter().map(|pin| pin.parse().unwrap()).collect();
        let client = GuardedClient::builder(config)
            .with_resolver(ScriptedResolver::new(&[&["10.9.9.9"]]))
            .build()
            .unwrap();
        let url = Url::parse(&text).unwrap();
        let fetched = client.fetch(request_without_robots(url.clone())).await;
        if works {
            assert_eq!(read_outcome(fetched).await, (None, b"inside".to_vec()), "{text}");
            let host = server.request_spans().last().unwrap().seen.header("host").unwrap().to_owned();
            assert_eq!(Some(host.split(':').next().unwrap()), url.host_str(), "{text}");
        } else {
            assert_eq!(read_outcome(fetched).await.0, Some("blocked-address"), "{text}");
        }
    }
}

#[tokio::test]
async fn other_schemes_ports_and_names_are_refused_before_any_lookup() {
    let script = ScriptedResolver::new(&[&["192.0.9.1"]]);
    let client = GuardedClient::builder(strict()).with_resolver(script.clone()).build().unwrap();
    for (text, class) in [
        ("ftp://example.org/", "bad-url"),
        ("file:///etc/passwd", "bad-url"),
        ("data:text/plain,x", "bad-url"),
        ("http://example.org:22/", "blocked-port"),
        ("http://example.org:6379/", "blocked-port"),
    ] {
        let fetched = client.fetch(FetchRequest::new(Url::parse(text).unwrap(), 1000)).await;
        assert_eq!(read_outcome(fetched).await.0, Some(class), "{text}");
    }
    assert_eq!(script.asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_name_without_an_address_is_a_dns_failure() {
    let client =
        GuardedClient::builder(strict()).with_resolver(ScriptedResolver::new(&[&[]])).build().unwrap();
    let fetched = client.fetch(FetchRequest::new(Url::parse("http://nowhere.example/").unwrap(), 1000)).await;
    let failure = fetched.outcome.err().unwrap();
    assert_eq!((failure.class.as_str(), failure.retry), ("dns", false));
    assert!(failure.message.contains("nowhere.example"));
}

#[tokio::test]
async fn a_resolver_that_hangs_is_given_up() {
    struct HangingResolver;
    impl NameResolver for HangingResolver {
        fn lookup<'a>(&'a self, _: &'a str) -> LookupFuture<'a> {
            Box::pin(std::future::pending())
        }
    }
    let mut config = strict();
    config.timeouts.dns = Duration::from_millis(50);
    let client = GuardedClient::builder(config).with_resolver(Arc::new(HangingResolver)).build().unwrap();
    let fetched = client.fetch(request_without_robots(Url::parse("http://slow.example/").unwrap())).await;
    let failure = fetched.outcome.err().unwrap();
    assert!(failure.message.contains("could not be looked up"), "{}", failure.message);
}
