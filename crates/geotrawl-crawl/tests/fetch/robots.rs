use crate::server::{
    RawServer, build_response, client_builder, ok_response, read_outcome, test_client, test_config,
};
use geotrawl_crawl::fetch::{FetchRequest, GuardedClient, RedirectPolicy};
use geotrawl_model::{RobotsRecord, RobotsVerdict};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::AsyncWriteExt;

/// Serves `robots` as /robots.txt, and a page for all other paths.
async fn site(robots: Vec<u8>) -> RawServer {
    RawServer::start(move |seen, stream| {
        let robots = robots.clone();
        Box::pin(async move {
            if seen.path == "/robots.txt" {
                stream.write_all(&robots).await.is_ok() && !robots.is_empty()
            } else {
                stream.write_all(&ok_response("text/html", b"page")).await.is_ok()
            }
        })
    })
    .await
}

fn page(server: &RawServer, path: &str) -> FetchRequest {
    FetchRequest::new(server.url(path), 1 << 20)
}

#[tokio::test]
async fn rules_are_obeyed_and_asked_for_once() {
    let text = b"User-agent: *\nDisallow: /private\nAllow: /private/open\nSitemap: /map.xml\n";
    let server = site(ok_response("text/plain", text)).await;
    let client = test_client();
    for _ in 0..3 {
        assert_eq!(read_outcome(client.fetch(page(&server, "/a")).await).await, (None, b"page".to_vec()));
        let fetched = client.fetch(page(&server, "/private/x?y")).await;
        assert_eq!((fetched.requests, fetched.robots_skipped), (0, false));
        let failure = fetched.outcome.err().unwrap();
        assert_eq!((failure.class.as_str(), failure.retry), ("robots", false));
        assert_eq!(read_outcome(client.fetch(page(&server, "/private/open/x")).await).await.0, None);
    }
    let robots = client.load_robots(&server.url("/")).await.unwrap();
    assert_eq!(robots.sitemaps(), ["/map.xml"]);
    let paths = server.request_paths();
    assert_eq!(paths.iter().filter(|path| *path == "/robots.txt").count(), 1);
    assert_eq!(paths[0], "/robots.txt");
    assert!(!paths.iter().any(|path| path.starts_with("/private/x")));
    // Only URLs entered by an operator may skip robots.txt, and the response says so.
    let fetched = client.fetch(FetchRequest { check_robots: false, ..page(&server, "/private/x") }).await;
    assert!(fetched.robots_skipped);
    assert_eq!(read_outcome(fetched).await.0, None);
}

#[tokio::test]
async fn many_at_once_ask_once() {
    let server = site(ok_response("text/plain", b"")).await;
    let client = test_client();
    let tasks: Vec<_> = (0..20)
        .map(|n| {
            let (client, request) = (client.clone(), page(&server, &format!("/{n}")));
            tokio::spawn(async move { read_outcome(client.fetch(request).await).await.0 })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), None);
    }
    assert_eq!(server.request_paths().iter().filter(|path| *path == "/robots.txt").count(), 1);
}

#[tokio::test]
async fn while_robots_txt_cannot_be_read_no_page_is_fetched() {
    let half = b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nUser-agent: *\nAllow: /\n".to_vec();
    for (name, robots, words) in [
        ("500", build_response("500 Oops", &[], b"User-agent: *\nAllow: /"), "status 500"),
        ("503", build_response("503 Busy", &[("retry-after", "0")], b""), "status 503"),
        ("429", build_response("429 Slow Down", &[("retry-after", "0")], b""), "status 429"),
        ("reset", Vec::new(), "without a response"),
        ("rubbish", b"rubbish\r\n\r\n".to_vec(), "not valid HTTP"),
        ("stall", half, "sent nothing"),
        ("silence", b"HTTP/1.1 200 OK\r\n".to_vec(), "did not start"),
    ] {
        let server = site(robots).await;
        let mut config = test_config();
        match name {
            "stall" => config.timeouts.idle = Duration::from_millis(200),
            "silence" => config.timeouts.first_byte = Duration::from_millis(200),
            _ => {}
        }
        let client = GuardedClient::new(config).unwrap();
        for path in ["/a", "/b"] {
            let fetched = client.fetch(page(&server, path)).await;
            let failure = fetched.outcome.err().unwrap();
            assert_eq!((failure.class.as_str(), failure.retry), ("robots", true), "{name}");
            assert!(failure.message.contains(words), "{name}: {}", failure.message);
        }
        assert_eq!(server.request_paths(), ["/robots.txt"], "{name}");
    }
}

#[tokio::test]
async fn without_robots_txt_everything_is_allowed() {
    for robots in [
        build_response("404 Not Found", &[], b"User-agent: *\nDisallow: /"),
        build_response("403 Forbidden", &[], b""),
        build_response("401 Unauthorized", &[], b""),
        build_response("410 Gone", &[], b""),
        build_response("302 Found", &[], b""),
        build_response("302 Found", &[("location", "file:///etc/passwd")], b""),
        build_response("302 Found", &[("location", "/robots.txt")], b""),
        ok_response("text/html", b"<html><p>User-agent: *</p>\n<p>Disallow: /</p></html>"),
        ok_response("application/octet-stream", &[0xff; 3000]),
    ] {
        let server = site(robots).await;
        assert_eq!(
            read_outcome(test_client().fetch(page(&server, "/a")).await).await,
            (None, b"page".to_vec())
        );
    }
}

#[tokio::test]
async fn five_redirects_are_followed_and_the_rules_are_for_the_first_host() {
    let rules = RawServer::start_fixed(ok_response("text/plain", b"User-agent: *\nDisallow: /no\n")).await;
    let target = rules.url("/elsewhere").to_string();
    for (hops, forbidden) in [(1, true), (5, true), (6, false)] {
        let target = target.clone();
        let server = RawServer::start(move |seen, stream| {
            let target = target.clone();
            Box::pin(async move {
                let step: u32 = match seen.path.as_str() {
                    "/robots.txt" => 1,
                    path => match path.strip_prefix("/step") {
                        Some(step) => step.parse().unwrap(),
                        None => return stream.write_all(&ok_response("text/html", b"page")).await.is_ok(),
                    },
                };
                let next = if step == hops { target } else { format!("/step{}", step + 1) };
                stream.write_all(&build_response("301 Moved", &[("location", &next)], b"")).await.is_ok()
            })
        })
        .await;
        let expected = if forbidden { Some("robots") } else { None };
        assert_eq!(read_outcome(test_client().fetch(page(&server, "/no")).await).await.0, expected, "{hops}");
        assert_eq!(read_outcome(test_client().fetch(page(&server, "/yes")).await).await.0, None, "{hops}");
    }
}

#[tokio::test]
async fn a_huge_file_is_read_up_to_the_limit() {
    let mut text = b"User-agent: *\nDisallow: /first\n".to_vec();
    while text.len() < 3 << 20 {
        text.extend_from_slice(b"# nothing here but comment after comment after comment\n");
    }
    text.extend_from_slice(b"Disallow: /last\n");
    let server = site(ok_response("text/plain", &text)).await;
    let client = test_client();
    assert_eq!(read_outcome(client.fetch(page(&server, "/first")).await).await.0, Some("robots"));
    assert_eq!(read_outcome(client.fetch(page(&server, "/last")).await).await.0, None);
}

#[tokio::test]
async fn every_hop_of_a_redirect_is_checked() {
    let forbidding = site(ok_response("text/plain", b"User-agent: *\nDisallow: /\n")).await;
    let target = forbidding.url("/page").to_string();
    let server = RawServer::start(move |seen, stream| {
        let target = target.clone();
        Box::pin(async move {
            let bytes = match seen.path.as_str() {
                "/robots.txt" => ok_response("text/plain", b"User-agent: *\nDisallow: /secret\n"),
                "/inside" => build_response("302 Found", &[("location", "/secret")], b""),
                _ => build_response("302 Found", &[("location", &target)], b""),
            };
            stream.write_all(&bytes).await.is_ok()
        })
    })
    .await;
    let client = test_client();
    for path in ["/inside", "/outside"] {
        let request = FetchRequest { redirects: RedirectPolicy::Follow(5), ..page(&server, path) };
        let fetched = client.fetch(request).await;
        assert_eq!((fetched.hops.len(), fetched.requests), (1, 1));
        assert_eq!(read_outcome(fetched).await.0, Some("robots"), "{path}");
    }
    assert!(!server.request_paths().contains(&"/secret".to_owned()));
    assert_eq!(forbidding.request_paths(), ["/robots.txt"]);
}

#[tokio::test]
async fn what_was_learnt_is_told_and_can_be_given_back() {
    let server = site(ok_response("text/plain", b"User-agent: Geotrawl\nDisallow: /no\n")).await;
    let told: Arc<Mutex<Vec<RobotsRecord>>> = Arc::default();
    let sink = told.clone();
    let first = client_builder()
        .on_robots(Box::new(move |record| sink.lock().unwrap().push(record)))
        .build()
        .unwrap();
    assert_eq!(read_outcome(first.fetch(page(&server, "/yes")).await).await.0, None);
    let record = told.lock().unwrap()[0].clone();
    assert_eq!(record.host, format!("http://{}", server.address));
    assert!(matches!(&record.verdict, RobotsVerdict::Rules(text) if text.contains("/no")));

    let second = test_client();
    second.preload_robots(&record);
    assert_eq!(read_outcome(second.fetch(page(&server, "/no")).await).await.0, Some("robots"));
    assert_eq!(read_outcome(second.fetch(page(&server, "/yes")).await).await.0, None);
    assert_eq!(server.request_paths(), ["/robots.txt", "/yes", "/yes"], "not asked again");
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_named_as_such() {
    let gone = crate::server::closed_port();
    let url = url::Url::parse(&format!("http://{gone}/x")).unwrap();
    let fetched = test_client().fetch(FetchRequest::new(url, 1000)).await;
    assert_eq!(read_outcome(fetched).await.0, Some("connect"));
}
