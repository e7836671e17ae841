use crate::world::MonitorWorld;
use geotrawl_crawl::alerts::outbox::AlertOutbox;
use geotrawl_crawl::alerts::webhook::verify_signature;
use geotrawl_crawl::alerts::{MailConfig, MailSecurity};
use geotrawl_model::Status;
use geotrawl_model::account::{NewUser, UserRole};
use geotrawl_model::alert::{Channel, Frequency, NewAlert};
use geotrawl_model::notice::NoticeKind;
use geotrawl_model::store::{AccountStore, MonitoringStore};
use geotrawl_simweb::{ServerHandle, ServiceStage};
use jiff::SignedDuration;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

const SECRET: &str = "a secret of ours";

/// A received request: its head in lower case, and its body.
#[derive(Debug, Clone)]
struct ReceivedWebhook {
    head: String,
    body: String,
}

impl ReceivedWebhook {
    fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| *key == name).map_or("", |(_, value)| value.trim())
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Starts a webhook receiver that responds with these statuses in turn, then repeats the last one.
async fn receiver(statuses: &'static [u16]) -> (SocketAddr, Arc<Mutex<Vec<ReceivedWebhook>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = seen.clone();
    tokio::spawn(async move {
        let mut nth = 0;
        while let Ok((stream, _)) = listener.accept().await {
            let mut stream = BufReader::new(stream);
            let mut head = String::new();
            while stream.read_line(&mut head).await.unwrap_or(0) > 2 {}
            let mut one = ReceivedWebhook { head: head.to_ascii_lowercase(), body: String::new() };
            let mut body = vec![0; one.header("content-length").parse().unwrap_or(0)];
            stream.read_exact(&mut body).await.unwrap();
            one.body = String::from_utf8(body).unwrap();
            told.lock().unwrap().push(one);
            let status = statuses[nth.min(statuses.len() - 1)];
            nth += 1;
            let answer = format!("HTTP/1.1 {status} So\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    (address, seen)
}

/// Starts a mail server that accepts everything and records each line.
async fn mail_server() -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = heard.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let mut stream = BufReader::new(stream);
            stream.write_all(b"220 mail.test ESMTP\r\n").await.unwrap();
            let mut data = false;
            let mut line = String::new();
            while stream.read_line(&mut line).await.unwrap_or(0) > 0 {
                let text = std::mem::take(&mut line).trim_end().to_owned();
                let answer = match (data, text.as_str()) {
                    (true, ".") => "250 taken",
                    (true, _) => "",
                    (_, "DATA") => "354 go on",
                    (_, "QUIT") => "221 bye",
                    _ => "250 ok",
                };
                data = answer.starts_with("354") || (data && answer.is_empty());
                told.lock().unwrap().push(text);
                if !answer.is_empty() {
                    stream.write_all(format!("{answer}\r\n").as_bytes()).await.unwrap();
                }
            }
        }
    });
    (address, heard)
}

/// Sets up twelve services on one host, one on another, and a subscriber to dead services.
async fn office(hook: SocketAddr) -> (MonitorWorld, ServiceStage, ServerHandle) {
    let stage = ServiceStage::new();
    let server = stage.serve(geotrawl_simweb::listen(([127, 0, 0, 1], 0).into()).unwrap(), None).unwrap();
    let world =
        MonitorWorld::with_pins(&[format!("hook.test={hook}"), format!("*.test={}", server.address())]);
    for n in 0..12 {
        let url = format!("http://office.test/maps/{n}/wms");
        stage.put_service(
            "wms",
            &url,
            &[&format!("parcels_{n}"), &format!("streets_{n}")],
            &format!("Parcels {n}"),
        );
        world.add_live_resource("wms", &url).await;
    }
    stage.put_service("wms", "http://other.test/wms", &["harbours"], "Harbours");
    world.add_live_resource("wms", "http://other.test/wms").await;
    let person = NewUser {
        name: "ann".into(),
        email: None,
        role: UserRole::User,
        password_hash: None,
        identity: None,
        max_running: None,
    };
    world.store.add_user(&person, world.now()).unwrap().unwrap();
    (world, stage, server)
}

fn wanted(channel: Channel, target: &str, frequency: Frequency, kinds: &[NoticeKind]) -> NewAlert {
    NewAlert {
        name: "mine".into(),
        channel,
        target: target.into(),
        secret: Some(SECRET.into()),
        kinds: kinds.to_vec(),
        hosts: vec![],
        records: vec![],
        frequency,
        active: true,
    }
}

/// Advances the clock in steps of ten minutes and delivers messages in each.
async fn hours(world: &MonitorWorld, outbox: &AlertOutbox, hours: u32) -> u64 {
    let mut arrived = 0;
    for _ in 0..hours {
        world.run_hour().await;
        arrived += outbox.deliver_due(world.now()).await.unwrap();
    }
    arrived
}

#[tokio::test(flavor = "multi_thread")]
async fn one_dead_host_is_one_signed_message_that_is_tried_until_it_arrives() {
    let (hook, seen) = receiver(&[500, 503, 204]).await;
    let (world, stage, _server) = office(hook).await;
    let target = format!("http://hook.test:{}/hook", hook.port());
    let alert = wanted(Channel::Webhook, &target, Frequency::Immediate, &[NoticeKind::Died]);
    world.store.add_alert(1, &alert, world.now()).unwrap().unwrap();
    let outbox = AlertOutbox::new(world.store.clone(), world.build_deliverer(None));
    assert_eq!(hours(&world, &outbox, 26).await, 0);
    stage.break_host("office.test", Some(502));
    assert_eq!(hours(&world, &outbox, 96).await, 1, "one message");
    let overview = world.store.overview(world.now()).unwrap();
    assert_eq!(overview.statuses["dead"], 12);
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen.len(), 3, "failed twice, then taken");
    assert!(seen.iter().all(|one| one.body == seen[0].body), "the same at every attempt");
    let delivery = seen[0].header("x-geotrawl-delivery");
    assert!(!delivery.is_empty() && seen.iter().all(|one| one.header("x-geotrawl-delivery") == delivery));
    for one in &seen {
        let header = one.header("x-geotrawl-signature");
        let days = Duration::from_hours(24 * 30);
        assert_eq!(verify_signature(SECRET, header, &one.body, world.now(), days), Ok(()));
        assert!(verify_signature("another", header, &one.body, world.now(), days).is_err());
        assert!(
            verify_signature(SECRET, header, &one.body.replace("office", "others"), world.now(), days)
                .is_err()
        );
    }
    let body = seen[2].json();
    assert_eq!(
        (body["items"].as_array().unwrap().len(), &body["items"][0]["host"]),
        (1, &"office.test".into())
    );
    assert!(body["summary"].as_str().unwrap().contains("office.test"), "{body:#}");
    let alert = &world.store.list_alerts(1).unwrap()[0];
    assert!(alert.last_delivery.is_some() && alert.last_error.is_none(), "{alert:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mailbox_gets_one_letter_a_day() {
    let (mail, heard) = mail_server().await;
    let (world, stage, _server) = office(mail).await;
    world
        .store
        .add_alert(1, &wanted(Channel::Email, "ann@example.org", Frequency::Daily, &[]), world.now())
        .unwrap()
        .unwrap();
    let config = MailConfig {
        host: mail.ip().to_string(),
        port: Some(mail.port()),
        security: MailSecurity::None,
        user: None,
        password_file: None,
        from: "Geotrawl <geotrawl@example.org>".into(),
        reply_to: None,
        timeout: 10,
    };
    let outbox = AlertOutbox::new(world.store.clone(), world.build_deliverer(Some(&config)));
    let before = hours(&world, &outbox, 26).await;
    stage.break_host("office.test", Some(502));
    let letters = before + hours(&world, &outbox, 94).await;
    assert!((1..=5).contains(&letters), "{letters} in five days");
    let heard = heard.lock().unwrap().clone();
    let count = |begins: &str| heard.iter().filter(|line| line.starts_with(begins)).count() as u64;
    assert_eq!((count("DATA"), count("RCPT TO:<ann@example.org>")), (letters, letters));
    assert!(heard.iter().any(|line| line.contains("office.test")), "{heard:#?}");
    let due =
        world.store.due_deliveries(world.now() + SignedDuration::from_hours(48), world.now(), 9).unwrap();
    assert!(due.len() <= 1, "nothing is left but what is being gathered");
    assert!(world.store.overview(world.now()).unwrap().statuses.contains_key(Status::Dead.as_str()));
}
