use crate::server::{RawServer, read_outcome, request_without_robots, test_client, test_config};
use geotrawl_crawl::fetch::GuardedClient;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn every_kind_of_broken_answer_has_its_class() {
    /// Name, response, failure class, body received.
    type MalformedCase = (&'static str, &'static [u8], Option<&'static str>, &'static [u8]);
    let cases: &[MalformedCase] = &[
        ("nothing", b"", Some("reset"), b""),
        ("half a line", b"HTTP/1.1 20", Some("reset"), b""),
        ("not http", b"SSH-2.0-OpenSSH_9.2\r\n", Some("protocol"), b""),
        ("http 0.9", b"<html>hello</html>", Some("protocol"), b""),
        ("bad status", b"HTTP/1.1 abc OK\r\n\r\n", Some("protocol"), b""),
        ("bad version", b"HTTP/9.9 200 OK\r\n\r\n", Some("protocol"), b""),
        ("bad length", b"HTTP/1.1 200 OK\r\ncontent-length: banana\r\n\r\nx", Some("protocol"), b""),
        ("negative length", b"HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nx", Some("protocol"), b""),
        (
            "two lengths",
            b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!",
            Some("protocol"),
            b"",
        ),
        ("short body", b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhello", Some("truncated"), b"hello"),
        ("long body", b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello and more", None, b"hello"),
        ("no length", b"HTTP/1.1 200 OK\r\n\r\nhello", None, b"hello"),
        ("http 1.0", b"HTTP/1.0 200 OK\r\n\r\nhello", None, b"hello"),
        (
            "chunked",
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx: y\r\n\r\n",
            None,
            b"hello",
        ),
        (
            "chunk cut",
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nwo",
            Some("truncated"),
            b"hellowo",
        ),
        (
            "chunk size wrong",
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n",
            Some("protocol"),
            b"hello",
        ),
        (
            "chunk size huge",
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nx",
            Some("protocol"),
            b"",
        ),
        (
            "chunk end wrong",
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhelloworld\r\n0\r\n\r\n",
            Some("protocol"),
            b"hello",
        ),
        (
            "odd header",
            b"HTTP/1.1 200 OK\r\nbad header: x\r\n: y\r\n\xff\xfe: z\r\n\r\nhello",
            None,
            b"hello",
        ),
        ("latin-1 value", b"HTTP/1.1 200 OK\r\nserver: caf\xe9\r\n\r\nhello", None, b"hello"),
        ("folded header", b"HTTP/1.1 200 OK\r\nx: a\r\n b\r\n\r\nhello", None, b"hello"),
        ("bare newlines", b"HTTP/1.1 200 OK\nx: y\n\nhello", None, b"hello"),
        ("no reason", b"HTTP/1.1 200\r\n\r\nhello", None, b"hello"),
        ("continue first", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello", None, b"hello"),
        ("status 999", b"HTTP/1.1 999 Denied\r\n\r\nhello", None, b"hello"),
        ("no content", b"HTTP/1.1 204 No Content\r\n\r\n", None, b""),
    ];
    let client = test_client();
    for (name, bytes, expected, body) in cases {
        let server = RawServer::start_fixed(*bytes).await;
        let (class, got) = read_outcome(client.fetch(request_without_robots(server.url("/"))).await).await;
        assert_eq!(class, *expected, "{name}");
        assert_eq!(String::from_utf8_lossy(&got), String::from_utf8_lossy(body), "{name}");
    }
}

#[tokio::test]
async fn a_flood_of_headers_ends_at_once() {
    for line in [&b"x: y\r\n"[..], &[b'h'; 8000]] {
        let line = line.to_vec();
        let server = RawServer::start(move |_, stream| {
            let line = line.clone();
            Box::pin(async move {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nbegin: ").await;
                let mut sent = 0;
                while sent < 50 << 20 && stream.write_all(&line).await.is_ok() {
                    sent += line.len();
                }
                assert!(sent < 32 << 20, "the client stopped reading");
                false
            })
        })
        .await;
        let fetched = test_client().fetch(request_without_robots(server.url("/"))).await;
        assert_eq!(read_outcome(fetched).await.0, Some("too-large"));
    }
    let many: Vec<_> = (0..101).map(|n| format!("h{n}: x")).collect();
    let server = RawServer::start_fixed(format!("HTTP/1.1 200 OK\r\n{}\r\n\r\n", many.join("\r\n"))).await;
    assert_eq!(
        read_outcome(test_client().fetch(request_without_robots(server.url("/"))).await).await.0,
        Some("too-large")
    );
}

#[tokio::test]
async fn endless_preliminaries_end_in_time() {
    let server = RawServer::start(|_, stream| {
        Box::pin(async move {
            while stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await.is_ok() {}
            false
        })
    })
    .await;
    let mut config = test_config();
    config.timeouts.first_byte = Duration::from_millis(250);
    let fetched = GuardedClient::new(config).unwrap().fetch(request_without_robots(server.url("/"))).await;
    assert_eq!(read_outcome(fetched).await.0, Some("timeout"));
}

/// Stalled hosts do not slow down the others.
#[tokio::test]
async fn good_hosts_go_on_beside_stalled_ones() {
    let stalled = RawServer::start(|_, _| Box::pin(std::future::pending())).await;
    let good = RawServer::start_fixed(crate::server::ok_response("text/html", b"good")).await;
    let mut config = test_config();
    config.resolve = vec![
        format!("*.slow.test={}", stalled.address).parse().unwrap(),
        format!("*.good.test={}", good.address).parse().unwrap(),
    ];
    let client = GuardedClient::new(config).unwrap();
    let slow: Vec<_> = (0..200)
        .map(|n| {
            let url = url::Url::parse(&format!("http://h{n}.slow.test/")).unwrap();
            let client = client.clone();
            tokio::spawn(async move { read_outcome(client.fetch(request_without_robots(url)).await).await.0 })
        })
        .collect();
    for n in 0..20 {
        let url = url::Url::parse(&format!("http://h{n}.good.test/")).unwrap();
        assert_eq!(
            read_outcome(client.fetch(request_without_robots(url)).await).await,
            (None, b"good".to_vec())
        );
    }
    assert!(slow.iter().all(|task| !task.is_finished()));
    for task in slow {
        task.abort();
    }
}

#[test]
fn a_client_can_be_made_before_the_runtime_is() {
    let client = GuardedClient::new(test_config()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = RawServer::start_fixed(crate::server::ok_response("text/html", b"later")).await;
        assert_eq!(read_outcome(client.fetch(request_without_robots(server.url("/"))).await).await.0, None);
    });
}

#[tokio::test]
async fn a_reset_in_the_middle_is_told() {
    let server = RawServer::start(|_, stream| {
        Box::pin(async move {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello").await;
            // With zero linger, closing a connection with unread data sends a reset.
            let _ = stream.set_zero_linger();
            false
        })
    })
    .await;
    let (class, _) = read_outcome(test_client().fetch(request_without_robots(server.url("/"))).await).await;
    assert!(matches!(class, Some("reset" | "truncated")), "{class:?}");
}

#[tokio::test]
async fn slow_servers_end_by_their_phase() {
    // (name, first bytes, whether more bytes trickle in, part of the message)
    let cases: &[(&str, &[u8], bool, &str)] = &[
        ("silent", b"", false, "did not start"),
        ("half a header", b"HTTP/1.1 200 OK\r\nx: ", false, "did not start"),
        ("header by drops", b"HTTP/1.1 200 OK\r\nx: ", true, "did not start"),
        ("silent body", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello", false, "sent nothing"),
    ];
    for (name, first, trickle, words) in cases {
        let (first, trickle) = (first.to_vec(), *trickle);
        let server = RawServer::start(move |_, stream| {
            let first = first.clone();
            Box::pin(async move {
                let _ = stream.write_all(&first).await;
                if trickle {
                    while stream.write_all(b"y").await.is_ok() {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                } else {
                    // Wait until the client disconnects.
                    let _ = stream.read(&mut [0; 16]).await;
                }
                false
            })
        })
        .await;
        // Shorten only the phase under test, because a busy machine may be slow in the others.
        let mut config = test_config();
        if words.contains("start") {
            config.timeouts.first_byte = Duration::from_millis(250);
        } else {
            config.timeouts.idle = Duration::from_millis(250);
        }
        let start = Instant::now();
        let fetched =
            GuardedClient::new(config).unwrap().fetch(request_without_robots(server.url("/"))).await;
        let failure = match fetched.outcome {
            Err(failure) => failure,
            Ok(reader) => reader.collect(u64::MAX).await.truncated.unwrap(),
        };
        assert_eq!((failure.class.as_str(), failure.retry), ("timeout", true), "{name}");
        assert!(failure.message.contains(words), "{name}: {}", failure.message);
        assert!(start.elapsed() < Duration::from_secs(20), "{name}: {:?}", start.elapsed());
    }
}

#[tokio::test]
async fn a_closed_port_is_a_refused_connection() {
    let gone = crate::server::closed_port();
    let url = url::Url::parse(&format!("http://{gone}/")).unwrap();
    let fetched = test_client().fetch(request_without_robots(url)).await;
    let failure = fetched.outcome.err().unwrap();
    assert_eq!(failure.class.as_str(), "connect");
    assert!(failure.message.contains("refused"), "{}", failure.message);
}
