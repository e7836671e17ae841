use super::*;
use crate::alerts::model::{AlertNotice, NewsKind};
use crate::alerts::webhook::verify_signature;
use crate::alerts::{GroupingRules, group_notices};
use crate::fetch::FetchConfig;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The current time in all these tests.
const NOW: i64 = 1_800_000_000;

fn now() -> Timestamp {
    Timestamp::from_second(NOW).unwrap()
}

fn message(failures: u32) -> AlertMessage {
    let news = AlertNotice {
        seq: 1,
        at: now(),
        kind: NewsKind::Died,
        id: "abc".into(),
        title: Some("Wege & Straßen".into()),
        host: "gis.example.org".into(),
        record_kind: "wms".into(),
        url: "https://gis.example.org/wms".into(),
        reason: "connection refused".into(),
    };
    AlertMessage {
        delivery: "d-42".into(),
        number: 3,
        subscription: "mine".into(),
        at: now(),
        base_url: None,
        failures,
        test: false,
        grouped: group_notices(&[news], &[], &GroupingRules::DAILY),
    }
}

fn subscription(url: String) -> AlertSubscription {
    let channel = DeliveryChannel::Webhook { url, secret: Some("hush".into()) };
    AlertSubscription { number: 3, name: "mine".into(), channel }
}

/// A request as the receiver got it: its head in lower case, and its body.
struct ReceivedRequest {
    head: String,
    body: String,
}

impl ReceivedRequest {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<ReceivedRequest> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4_096];
        let read = stream.read(&mut piece).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let seen = ReceivedRequest { head: head.to_ascii_lowercase(), body: body.to_owned() };
        let length: usize = seen.header("content-length").map_or(0, |length| length.parse().unwrap());
        if seen.body.len() >= length {
            return Some(seen);
        }
    }
}

/// Starts a receiver that returns these answers in turn (an empty one: never answers) and passes on
/// the requests it gets.
async fn receiver(answers: Vec<String>) -> (SocketAddr, UnboundedReceiver<ReceivedRequest>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (tell, told) = unbounded_channel();
    tokio::spawn(async move {
        let mut answers = answers.into_iter();
        while let (Ok((mut stream, _)), Some(answer)) = (listener.accept().await, answers.next()) {
            if let Some(seen) = read_request(&mut stream).await {
                let _ = tell.send(seen);
            }
            if answer.is_empty() {
                std::future::pending::<()>().await;
            }
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    (address, told)
}

fn answer(line: &str, headers: &str) -> String {
    format!("HTTP/1.1 {line}\r\n{headers}content-length: 0\r\nconnection: close\r\n\r\n")
}

/// Returns a deliverer that resolves these names to these addresses and sends without pauses.
fn deliverer(pins: &[(&str, SocketAddr)]) -> AlertDeliverer {
    let resolve = pins.iter().map(|(name, address)| format!("{name}={address}").parse().unwrap()).collect();
    let mut config = FetchConfig { resolve, retries: 0, ..FetchConfig::default() };
    config.set_delay(Duration::ZERO);
    config.politeness.backoff = Duration::ZERO;
    let client = GuardedClient::new(config).unwrap();
    AlertDeliverer::new(client, None, None).unwrap().with_clock(Arc::new(now))
}

fn retried(outcome: DeliveryOutcome) -> (u64, String) {
    match outcome {
        DeliveryOutcome::Retry { after, why } => (after.as_secs(), why),
        other => panic!("{other:?} is no retry"),
    }
}

#[tokio::test]
async fn a_signed_message_arrives() {
    let (address, mut told) = receiver(vec![answer("204 No Content", "")]).await;
    let deliverer = deliverer(&[("hook.example", address)]);
    let outcome = deliverer.deliver(&subscription("http://hook.example/in?a=1".into()), &message(0)).await;
    assert_eq!(outcome, DeliveryOutcome::Delivered);
    let seen = told.recv().await.unwrap();
    assert!(seen.head.starts_with("post /in?a=1 http/1.1"), "{}", seen.head);
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.header("x-geotrawl-delivery"), Some("d-42"));
    assert!(seen.header("user-agent").unwrap().starts_with("geotrawl/"));
    let header = seen.header("x-geotrawl-signature").unwrap();
    assert_eq!(verify_signature("hush", header, &seen.body, now(), Duration::from_secs(1)), Ok(()));
    assert!(serde_json::from_str::<serde_json::Value>(&seen.body).unwrap()["items"].is_array());
}

#[tokio::test]
async fn a_receiver_that_fails_is_asked_again_with_the_same_words() {
    let (address, mut told) =
        receiver(vec![answer("500 Internal Server Error", ""), answer("200 OK", "")]).await;
    let deliverer = deliverer(&[("hook.example", address)]);
    let to = subscription("http://hook.example/".into());
    let (after, why) = retried(deliverer.deliver(&to, &message(0)).await);
    assert_eq!((after, why.as_str()), (60, "The receiver answered HTTP 500"));
    assert_eq!(deliverer.deliver(&to, &message(1)).await, DeliveryOutcome::Delivered);
    let (first, second) = (told.recv().await.unwrap(), told.recv().await.unwrap());
    assert_eq!(first.body, second.body);
    assert_eq!(first.header("x-geotrawl-delivery"), second.header("x-geotrawl-delivery"));
}

#[tokio::test]
async fn a_busy_receiver_says_when() {
    let (address, _told) = receiver(vec![answer("429 Too Many Requests", "retry-after: 900\r\n")]).await;
    let deliverer = deliverer(&[("hook.example", address)]);
    let (after, _) =
        retried(deliverer.deliver(&subscription("http://hook.example/".into()), &message(0)).await);
    assert_eq!(after, 900);
}

#[tokio::test]
async fn it_ends_with_410_or_after_the_last_attempt() {
    let (address, _told) = receiver(vec![answer("410 Gone", ""), answer("404 Not Found", "")]).await;
    let deliverer = deliverer(&[("hook.example", address)]);
    let to = subscription("http://hook.example/".into());
    assert!(matches!(deliverer.deliver(&to, &message(0)).await, DeliveryOutcome::GivenUp { .. }));
    assert!(matches!(deliverer.deliver(&to, &message(8)).await, DeliveryOutcome::GivenUp { .. }));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let moved = answer("307 Temporary Redirect", "location: http://other.example/\r\n");
    let (first, _told) = receiver(vec![moved]).await;
    let (other, mut canary) = receiver(vec![answer("200 OK", "")]).await;
    let deliverer = deliverer(&[("hook.example", first), ("other.example", other)]);
    let (_, why) =
        retried(deliverer.deliver(&subscription("http://hook.example/".into()), &message(0)).await);
    assert!(why.contains("redirects to http://other.example/"), "{why}");
    assert!(canary.try_recv().is_err());
}

#[tokio::test]
async fn a_receiver_that_hangs_is_left() {
    let (address, _told) = receiver(vec![String::new()]).await;
    let resolve = vec![format!("hook.example={address}").parse().unwrap()];
    let mut config = FetchConfig { resolve, retries: 0, ..FetchConfig::default() };
    config.timeouts.first_byte = Duration::from_millis(100);
    let deliverer = AlertDeliverer::new(GuardedClient::new(config).unwrap(), None, None).unwrap();
    let (after, why) =
        retried(deliverer.deliver(&subscription("http://hook.example/".into()), &message(1)).await);
    assert_eq!(after, 300);
    assert!(why.contains("did not start to respond"), "{why}");
}

#[tokio::test]
async fn private_addresses_are_refused_and_nobody_knocks() {
    let canary = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = canary.local_addr().unwrap().port();
    let deliverer = deliverer(&[]);
    for host in ["127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "2130706433"] {
        let to = subscription(format!("http://{host}:{port}/"));
        let outcome = deliverer.deliver(&to, &message(0)).await;
        assert!(matches!(outcome, DeliveryOutcome::GivenUp { .. }), "{host}: {outcome:?}");
    }
    let knocked = tokio::time::timeout(Duration::from_millis(50), canary.accept()).await;
    assert!(knocked.is_err(), "somebody knocked");
}

#[tokio::test]
async fn without_a_mail_server_no_mail() {
    let channel = DeliveryChannel::Email { address: "a@example.org".into() };
    let to = AlertSubscription { number: 1, name: "mine".into(), channel };
    let outcome = deliverer(&[]).deliver(&to, &message(0)).await;
    assert!(matches!(outcome, DeliveryOutcome::GivenUp { why } if why.contains("not set up")));
}
