use crate::server::{
    RawServer, build_response, ok_response, read_outcome, request_without_robots, test_client,
};
use geotrawl_crawl::fetch::{FetchRequest, RedirectPolicy};
use tokio::io::AsyncWriteExt;
use url::Url;

/// Redirects `/n` to `/n+1`, `/loop/a` and `/loop/b` to each other, and `/to?x` to x.
async fn maze() -> RawServer {
    RawServer::start(|seen, stream| {
        Box::pin(async move {
            let target = match seen.path.as_str() {
                "/loop/a" => "/loop/b".to_owned(),
                "/loop/b" => "/loop/a".to_owned(),
                "/self" => "/self".to_owned(),
                path => match path.strip_prefix("/to?") {
                    Some(target) => target.to_owned(),
                    None => format!("/{}", path[1..].parse::<u32>().unwrap_or(0) + 1),
                },
            };
            stream.write_all(&build_response("302 Found", &[("location", &target)], b"")).await.is_ok()
        })
    })
    .await
}

fn follow(url: Url, most: usize) -> FetchRequest {
    FetchRequest { redirects: RedirectPolicy::Follow(most), ..request_without_robots(url) }
}

#[tokio::test]
async fn loops_and_chains_end() {
    let server = maze().await;
    let client = test_client();
    for (path, most, class, requests) in [
        ("/loop/a", 10, "redirect-loop", 2),
        ("/self", 10, "redirect-loop", 1),
        ("/1", 5, "too-many-redirects", 6),
        ("/1", 1000, "too-many-redirects", 11),
        ("/1", 0, "too-many-redirects", 1),
    ] {
        let fetched = client.fetch(follow(server.url(path), most)).await;
        assert_eq!(fetched.requests, requests, "{path}");
        assert_eq!(fetched.head.status, 302);
        assert!(fetched.location.is_some());
        assert_eq!(read_outcome(fetched).await.0, Some(class), "{path}");
    }
    let fetched = client.fetch(request_without_robots(server.url("/self"))).await;
    assert_eq!(read_outcome(fetched).await.0, Some("redirect-loop"), "even when not followed");
}

#[tokio::test]
async fn other_schemes_are_never_followed() {
    let server = maze().await;
    let client = test_client();
    for target in [
        "file:///etc/passwd",
        "data:text/html,hello",
        "ftp://example.org/x",
        "javascript:alert(1)",
        "gopher://127.0.0.1:70/",
        "http://",
        "http://[::1",
        "s3://bucket/key",
    ] {
        for redirects in [RedirectPolicy::Manual, RedirectPolicy::Follow(5)] {
            let request =
                FetchRequest { redirects, ..request_without_robots(server.url(&format!("/to?{target}"))) };
            let fetched = client.fetch(request).await;
            assert_eq!((fetched.head.status, fetched.location.clone()), (302, None), "{target}");
            assert_eq!(read_outcome(fetched).await.0, Some("bad-redirect"), "{target}");
        }
    }
}

#[tokio::test]
async fn a_redirect_loses_credentials_and_fragment_and_may_change_the_host() {
    let target = RawServer::start_fixed(ok_response("text/plain", b"there")).await;
    let server = maze().await;
    let to = format!("/to?http://user:secret@{}/x", target.address);
    let fetched = test_client().fetch(follow(server.url(&to), 5)).await;
    assert_eq!(fetched.url, target.url("/x"));
    assert_eq!(fetched.hops.len(), 1);
    assert_eq!(read_outcome(fetched).await, (None, b"there".to_vec()));
    let head = target.request_spans()[0].seen.head.to_lowercase();
    assert!(!head.contains("secret") && !head.contains("authorization") && !head.contains("referer"));
}

#[tokio::test]
async fn a_redirect_without_a_place_to_go_is_an_answer() {
    let server = RawServer::start_fixed(build_response("302 Found", &[], b"nowhere")).await;
    let fetched = test_client().fetch(follow(server.url("/"), 5)).await;
    assert_eq!((fetched.head.status, fetched.location.clone()), (302, None));
    assert_eq!(read_outcome(fetched).await, (None, b"nowhere".to_vec()));
}

#[tokio::test]
async fn a_chain_of_slow_hops_shares_one_deadline() {
    let server = RawServer::start(|seen, stream| {
        Box::pin(async move {
            tokio::time::sleep(std::time::Duration::from_millis(150)).await;
            let next = format!("{}x", seen.path);
            stream.write_all(&build_response("302 Found", &[("location", &next)], b"")).await.is_ok()
        })
    })
    .await;
    let request =
        FetchRequest { deadline: Some(std::time::Duration::from_millis(400)), ..follow(server.url("/"), 10) };
    let fetched = test_client().fetch(request).await;
    assert!(fetched.requests <= 3, "{}", fetched.requests);
    assert_eq!(read_outcome(fetched).await.0, Some("timeout"));
}

#[tokio::test]
async fn headers_of_the_caller_stay_with_their_origin() {
    let server = maze().await;
    let other = RawServer::start_fixed(ok_response("text/plain", b"x")).await;
    let header = |name: &'static str, value: &'static str| {
        (http::HeaderName::from_static(name), http::HeaderValue::from_static(value))
    };
    let extra_headers = vec![
        header("x-mine", "hush"),
        header("host", "elsewhere.example"),
        header("content-length", "5"),
        header("user-agent", "Another"),
    ];
    let url = server.url(&format!("/to?/to?{}", other.url("/end")));
    let fetched = test_client().fetch(FetchRequest { extra_headers, ..follow(url, 5) }).await;
    assert_eq!(fetched.head.status, 200);
    let asked = server.request_spans();
    assert_eq!(asked.len(), 2);
    for span in asked {
        assert_eq!(span.seen.header("x-mine"), Some("hush"));
        assert_eq!(span.seen.header("host"), Some(server.address.to_string().as_str()));
        assert_eq!(span.seen.header("content-length"), None);
        assert!(span.seen.header("user-agent").unwrap().starts_with("Geotrawl/"));
    }
    let led = other.request_spans();
    assert_eq!((led.len(), led[0].seen.header("x-mine")), (1, None));
}
