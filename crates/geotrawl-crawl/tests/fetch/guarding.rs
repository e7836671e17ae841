use crate::server::{Server, answer, config, ok, outcome, plain};
use geotrawl_crawl::fetch::dns::{Answer, Lookup, Resolve};
use geotrawl_crawl::fetch::{Client, FetchConfig, Redirects, Request};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use url::Url;

/// Says what it is told to, in turn; every lookup takes the next answer.
struct Script {
    answers: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl Script {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let answers = answers.iter().map(|ips| ips.iter().map(|ip| ip.parse().unwrap()).collect()).collect();
        Arc::new(Self { answers, asked: AtomicUsize::new(0) })
    }
}

impl Resolve for Script {
    fn lookup<'a>(&'a self, _: &'a str) -> Lookup<'a> {
        let turn = self.asked.fetch_add(1, Ordering::SeqCst);
        let addresses = self.answers[turn % self.answers.len()].clone();
        Box::pin(async move { Ok(Answer { addresses, ttl: Duration::ZERO }) })
    }
}

/// No network beyond the public internet is allowed.
fn strict() -> FetchConfig {
    let mut config = config();
    config.allow_nets.clear();
    // An address of the public internet that is tried in vain must not hold the test up.
    config.timeouts.connect = Duration::from_millis(200);
    config
}

#[tokio::test]
async fn no_spelling_of_a_local_address_gets_through() {
    let canary = Server::fixed(ok("text/plain", b"secret")).await;
    let port = canary.address.port();
    let client =
        Client::builder(strict()).resolver(Script::new(&[&["127.0.0.1"], &["::1"]])).build().unwrap();
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
            let fetched = client.fetch(Request { check_robots, ..plain(url.clone()) }).await;
            assert_eq!(outcome(fetched).await.0, Some("blocked-address"), "{host}");
        }
        let https = Url::parse(&format!("https://{host}:{port}/")).unwrap();
        assert_eq!(outcome(client.fetch(plain(https)).await).await.0, Some("blocked-address"), "{host}");
    }
    assert_eq!(canary.accepted(), 0, "somebody knocked");
}

#[tokio::test]
async fn the_real_resolver_is_guarded_too() {
    let canary = Server::fixed(ok("text/plain", b"secret")).await;
    let url = Url::parse(&format!("http://localhost:{}/", canary.address.port())).unwrap();
    let fetched = Client::new(strict()).unwrap().fetch(plain(url)).await;
    let class = outcome(fetched).await.0;
    assert!(matches!(class, Some("blocked-address" | "dns" | "timeout")), "{class:?}");
    assert_eq!(canary.accepted(), 0);
}

#[tokio::test]
async fn a_redirect_does_not_open_the_door() {
    let canary = Server::fixed(ok("text/plain", b"secret")).await;
    let port = canary.address.port();
    // The redirecting host is the operator's own pin; where it leads is not.
    let server = Server::start(move |seen, stream| {
        let target = format!("http://{}:{port}/", seen.path.trim_start_matches('/'));
        Box::pin(async move {
            stream.write_all(&answer("302 Found", &[("location", &target)], b"")).await.is_ok()
        })
    })
    .await;
    let mut config = strict();
    config.resolve = vec![format!("public.example={}", server.address).parse().unwrap()];
    let client = Client::builder(config).resolver(Script::new(&[&["127.0.0.1"]])).build().unwrap();
    for host in ["127.0.0.1", "2130706433", "[::1]", "localhost", "[::ffff:127.0.0.1]"] {
        let url = Url::parse(&format!("http://public.example/{host}")).unwrap();
        let fetched = client.fetch(Request { redirects: Redirects::Follow(3), ..plain(url) }).await;
        assert_eq!(fetched.hops.len(), 1);
        assert_eq!(outcome(fetched).await.0, Some("blocked-address"), "{host}");
    }
    assert_eq!(canary.accepted(), 0);
}

#[tokio::test]
async fn a_name_that_changes_its_address_gains_nothing() {
    let canary = Server::fixed(ok("text/plain", b"secret")).await;
    let port = canary.address.port();
    // Public and private by turns, and both at once: only the public one may be tried (in vain).
    for script in [
        Script::new(&[&["192.0.9.1"], &["127.0.0.1"]]),
        Script::new(&[&["127.0.0.1"], &["192.0.9.1"]]),
        Script::new(&[&["192.0.9.1", "127.0.0.1"]]),
        Script::new(&[&["127.0.0.1", "192.0.9.1", "::1"]]),
    ] {
        for n in 0..4 {
            // A new client each time: nothing is cached, each phase sees the next answer.
            let client = Client::builder(strict()).resolver(script.clone()).build().unwrap();
            let url = Url::parse(&format!("http://rebind.example:{port}/{n}")).unwrap();
            let fetched = client.fetch(Request { check_robots: n % 2 == 0, ..plain(url) }).await;
            let class = outcome(fetched).await.0.unwrap();
            assert!(["connect", "timeout", "blocked-address"].contains(&class), "{class}");
        }
    }
    assert_eq!(canary.accepted(), 0);
}

#[tokio::test]
async fn the_operator_may_allow_a_network_or_give_an_address() {
    let server = Server::fixed(ok("text/plain", b"inside")).await;
    let port = server.address.port();
    // --allow-net
    let url = Url::parse(&format!("http://intranet.example:{port}/")).unwrap();
    let client = Client::builder(config()).resolver(Script::new(&[&["127.0.0.1"]])).build().unwrap();
    assert_eq!(outcome(client.fetch(plain(url.clone())).await).await, (None, b"inside".to_vec()));
    // --resolve, with and without a port; the Host header stays
    for (pins, text, works) in [
        (vec![format!("*={}", server.address)], "http://any.example/x".to_owned(), true),
        (vec!["*.example=127.0.0.1".to_owned()], format!("http://a.example:{port}/"), true),
        (vec!["*.example=127.0.0.1".to_owned()], format!("http://example:{port}/"), false),
        (vec![format!("b.example={}", server.address)], "http://b.example:8080/".to_owned(), true),
        (vec![format!("b.example={}", server.address)], "http://c.example/".to_owned(), false),
        // A pinned address may be at any port, and an IP address may be pinned as well.
        (vec![format!("*={}", server.address)], "http://d.example:25/".to_owned(), true),
        (vec![format!("10.1.2.3={}", server.address)], "http://10.1.2.3/".to_owned(), true),
        // The first match counts.
        (
            vec![format!("e.example={}", server.address), "*=127.0.0.1:1".to_owned()],
            "http://e.example/".to_owned(),
            true,
        ),
    ] {
        let mut config = strict();
        config.resolve = pins.iter().map(|pin| pin.parse().unwrap()).collect();
        let client = Client::builder(config).resolver(Script::new(&[&["10.9.9.9"]])).build().unwrap();
        let url = Url::parse(&text).unwrap();
        let fetched = client.fetch(plain(url.clone())).await;
        if works {
            assert_eq!(outcome(fetched).await, (None, b"inside".to_vec()), "{text}");
            let host = server.spans().last().unwrap().seen.header("host").unwrap().to_owned();
            assert_eq!(Some(host.split(':').next().unwrap()), url.host_str(), "{text}");
        } else {
            assert_eq!(outcome(fetched).await.0, Some("blocked-address"), "{text}");
        }
    }
}

#[tokio::test]
async fn other_schemes_ports_and_names_are_refused_before_any_lookup() {
    let script = Script::new(&[&["192.0.9.1"]]);
    let client = Client::builder(strict()).resolver(script.clone()).build().unwrap();
    for (text, class) in [
        ("ftp://example.org/", "bad-url"),
        ("file:///etc/passwd", "bad-url"),
        ("data:text/plain,x", "bad-url"),
        ("http://example.org:22/", "blocked-port"),
        ("http://example.org:6379/", "blocked-port"),
    ] {
        let fetched = client.fetch(Request::new(Url::parse(text).unwrap(), 1000)).await;
        assert_eq!(outcome(fetched).await.0, Some(class), "{text}");
    }
    assert_eq!(script.asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_name_without_an_address_is_a_dns_failure() {
    let client = Client::builder(strict()).resolver(Script::new(&[&[]])).build().unwrap();
    let fetched = client.fetch(Request::new(Url::parse("http://nowhere.example/").unwrap(), 1000)).await;
    let failure = fetched.outcome.err().unwrap();
    assert_eq!((failure.class.as_str(), failure.retry), ("dns", false));
    assert!(failure.message.contains("nowhere.example"));
}

#[tokio::test]
async fn a_resolver_that_hangs_is_given_up() {
    struct Hangs;
    impl Resolve for Hangs {
        fn lookup<'a>(&'a self, _: &'a str) -> Lookup<'a> {
            Box::pin(std::future::pending())
        }
    }
    let mut config = strict();
    config.timeouts.dns = Duration::from_millis(50);
    let client = Client::builder(config).resolver(Arc::new(Hangs)).build().unwrap();
    let fetched = client.fetch(plain(Url::parse("http://slow.example/").unwrap())).await;
    let failure = fetched.outcome.err().unwrap();
    assert!(failure.message.contains("could not be looked up"), "{}", failure.message);
}
