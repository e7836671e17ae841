//! Tests the client with well-behaved servers.

use crate::server::{
    RawServer, build_response, ok_response, read_outcome, request_without_robots, test_client,
};
use geotrawl_crawl::fetch::{FetchRequest, RedirectPolicy};
use geotrawl_kinds::probe::ByteRange;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::AsyncWriteExt;

#[tokio::test]
async fn an_ordinary_page_comes_with_its_head_and_its_address() {
    let server = RawServer::start(|_, stream| {
        Box::pin(async move {
            let headers = [
                ("content-type", "text/html; charset=utf-8"),
                ("server", "Test/1"),
                ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("link", "<a>; rel=next"),
                ("link", "<b>; rel=prev"),
                ("x-robots-tag", "nofollow"),
            ];
            stream.write_all(&build_response("200 OK", &headers, b"hello")).await.is_ok()
        })
    })
    .await;
    let fetched = test_client().fetch(request_without_robots(server.url("/x?a=1#part"))).await;
    assert_eq!(fetched.url.as_str(), server.url("/x?a=1").as_str());
    assert_eq!(fetched.ip, Some(server.address.ip()));
    assert_eq!(fetched.head.status, 200);
    assert_eq!(fetched.head.content_type.as_deref(), Some("text/html; charset=utf-8"));
    assert_eq!(fetched.head.total_length, Some(5));
    assert_eq!(fetched.head.links, ["<a>; rel=next", "<b>; rel=prev"]);
    assert!(fetched.head.nofollow && fetched.robots_skipped);
    assert_eq!(fetched.requests, 1);
    assert_eq!(read_outcome(fetched).await, (None, b"hello".to_vec()));

    let seen = server.request_spans()[0].seen.clone();
    assert_eq!(seen.path, "/x?a=1");
    assert!(seen.header("user-agent").unwrap().starts_with("Geotrawl/0.1 (+http"));
    assert_eq!(seen.header("host"), Some(server.address.to_string().as_str()));
    assert!(seen.header("accept-encoding").unwrap().contains("zstd"));
    assert_eq!(seen.header("cookie"), None);
}

#[tokio::test]
async fn connections_are_used_again_and_errors_are_data() {
    let server = RawServer::start(|seen, stream| {
        Box::pin(async move {
            let status = if seen.path == "/missing" { "404 Not Found" } else { "200 OK" };
            stream.write_all(&build_response(status, &[], b"some words")).await.is_ok()
        })
    })
    .await;
    let client = test_client();
    for _ in 0..10 {
        let fetched = client.fetch(request_without_robots(server.url("/missing"))).await;
        assert_eq!(fetched.head.status, 404);
        assert_eq!(read_outcome(fetched).await, (None, b"some words".to_vec()));
    }
    assert_eq!(server.connection_count(), 1, "one connection for ten requests");
}

#[tokio::test]
async fn a_range_is_asked_for_without_compression() {
    let server = RawServer::start_fixed(build_response(
        "206 Partial Content",
        &[("content-range", "bytes 2-4/100")],
        b"cde",
    ))
    .await;
    let request = FetchRequest {
        range: Some(ByteRange::Span { from: 2, to: 4 }),
        ..request_without_robots(server.url("/"))
    };
    let fetched = test_client().fetch(request).await;
    assert_eq!((fetched.head.served_from, fetched.head.total_length), (Some(2), Some(100)));
    assert_eq!(read_outcome(fetched).await.1, b"cde");
    let seen = server.request_spans()[0].seen.clone();
    assert_eq!(seen.header("range"), Some("bytes=2-4"));
    assert_eq!(seen.header("accept-encoding"), Some("identity"));
    let request =
        FetchRequest { range: Some(ByteRange::Suffix(22)), ..request_without_robots(server.url("/")) };
    test_client().fetch(request).await;
    assert_eq!(server.request_spans()[1].seen.header("range"), Some("bytes=-22"));
}

#[tokio::test]
async fn credentials_in_a_url_are_never_sent() {
    let server = RawServer::start_fixed(ok_response("text/plain", b"x")).await;
    let mut url = server.url("/secret");
    url.set_username("user").unwrap();
    url.set_password(Some("pass")).unwrap();
    let fetched = test_client().fetch(request_without_robots(url)).await;
    assert_eq!(fetched.url, server.url("/secret"));
    let head = server.request_spans()[0].seen.head.to_lowercase();
    assert!(!head.contains("authorization") && !head.contains("pass"));
}

#[tokio::test]
async fn a_redirect_is_given_back_or_followed_as_asked() {
    let server = RawServer::start(|seen, stream| {
        Box::pin(async move {
            let bytes = match seen.path.as_str() {
                "/a" => build_response("301 Moved", &[("location", "/b#frag")], b"moved"),
                "/b" => build_response("302 Found", &[("location", "c?d=e")], b""),
                _ => ok_response("text/plain", b"here"),
            };
            stream.write_all(&bytes).await.is_ok()
        })
    })
    .await;
    let client = test_client();
    let fetched = client.fetch(request_without_robots(server.url("/a"))).await;
    assert_eq!(fetched.head.status, 301);
    assert_eq!(fetched.location, Some(server.url("/b")));
    assert_eq!(read_outcome(fetched).await.1, b"moved");

    let request =
        FetchRequest { redirects: RedirectPolicy::Follow(5), ..request_without_robots(server.url("/a")) };
    let fetched = client.fetch(request).await;
    assert_eq!(fetched.url, server.url("/c?d=e"));
    let hops: Vec<_> = fetched.hops.iter().map(|hop| (hop.url.path(), hop.status)).collect();
    assert_eq!(hops, [("/a", 301), ("/b", 302)]);
    assert_eq!(fetched.requests, 3);
    assert_eq!(read_outcome(fetched).await, (None, b"here".to_vec()));
    assert_eq!(server.connection_count(), 1);
}

#[tokio::test]
async fn a_connection_broken_before_the_answer_is_tried_once_more() {
    let count = Arc::new(AtomicUsize::new(0));
    let server = RawServer::start({
        let count = count.clone();
        move |_, stream| {
            let first = count.fetch_add(1, Ordering::SeqCst) == 0;
            Box::pin(async move {
                !first && stream.write_all(&ok_response("text/plain", b"second")).await.is_ok()
            })
        }
    })
    .await;
    let fetched = test_client().fetch(request_without_robots(server.url("/"))).await;
    assert_eq!(read_outcome(fetched).await.0, Some("reset"), "not without retries");
    count.store(0, Ordering::SeqCst);
    let mut config = crate::server::test_config();
    config.retries = 1;
    let client = geotrawl_crawl::fetch::GuardedClient::new(config).unwrap();
    let fetched = client.fetch(request_without_robots(server.url("/"))).await;
    assert_eq!(fetched.requests, 2);
    assert_eq!(read_outcome(fetched).await, (None, b"second".to_vec()));
}
