use super::*;
use crate::alerts::model::{AlertNotice, NewsKind};
use crate::alerts::{GroupingRules, group_notices};
use proptest::prelude::*;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls;

/// Replies of a mail server, which passes on every line it receives.
#[derive(Clone, Copy)]
struct MailServerScript {
    recipient: &'static str,
    login: &'static str,
    /// Stops responding at this command.
    hangs_at: &'static str,
}

const KIND: MailServerScript = MailServerScript { recipient: "250 ok", login: "235 ok", hangs_at: "never" };

async fn converse(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    manners: MailServerScript,
    tell: UnboundedSender<String>,
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 mail.example ESMTP\r\n").await.ok()?;
    stream.flush().await.ok()?;
    let mut in_data = false;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim_end_matches(['\r', '\n']).to_owned();
        let word = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let _ = tell.send(line.clone());
        if word == manners.hangs_at {
            std::future::pending::<()>().await;
        }
        let reply = match (in_data, word.as_str()) {
            (true, ".") => {
                in_data = false;
                "250 taken"
            }
            (true, _) => continue,
            (_, "EHLO") => "250-mail.example\r\n250 AUTH PLAIN",
            (_, "AUTH") => manners.login,
            (_, "RCPT") => manners.recipient,
            (_, "DATA") => {
                in_data = true;
                "354 go on"
            }
            (_, "QUIT") => "221 bye",
            _ => "250 ok",
        };
        stream.write_all(format!("{reply}\r\n").as_bytes()).await.ok()?;
        stream.flush().await.ok()?;
    }
}

async fn server(
    manners: MailServerScript,
    tls: Option<TlsAcceptor>,
) -> (SocketAddr, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (tell, told) = unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (tell, tls) = (tell.clone(), tls.clone());
            tokio::spawn(async move {
                match tls {
                    None => converse(stream, manners, tell).await,
                    Some(tls) => converse(tls.accept(stream).await.ok()?, manners, tell).await,
                }
            });
        }
    });
    (address, told)
}

/// Returns all lines received so far, up to the end of the data.
async fn received_lines(told: &mut UnboundedReceiver<String>) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(line) = told.recv().await {
        let end = line == ".";
        lines.push(line);
        if end {
            break;
        }
    }
    lines
}

fn config(address: SocketAddr) -> MailConfig {
    MailConfig {
        host: address.ip().to_string(),
        port: Some(address.port()),
        security: MailSecurity::None,
        user: None,
        password_file: None,
        from: "Geotrawl Wächter <geotrawl@example.org>".into(),
        reply_to: Some("help@example.org".into()),
        timeout: 30,
    }
}

fn mailer(config: &MailConfig) -> SmtpMailer {
    SmtpMailer::with_environment(config, &[], |_| None).unwrap()
}

fn now() -> Timestamp {
    "2026-11-16T10:00:00Z".parse().unwrap()
}

fn message(title: &str, name: &str, delivery: &str) -> AlertMessage {
    let news = AlertNotice {
        seq: 1,
        at: now(),
        kind: NewsKind::Died,
        id: "abc".into(),
        title: Some(title.into()),
        host: "gis.example.org".into(),
        record_kind: "wms".into(),
        url: "https://gis.example.org/wms".into(),
        reason: title.into(),
    };
    AlertMessage {
        delivery: delivery.into(),
        number: 3,
        subscription: name.into(),
        at: now(),
        base_url: Some("https://geo.example/".parse().unwrap()),
        failures: 0,
        test: false,
        grouped: group_notices(&[news], &[], &GroupingRules::DAILY),
    }
}

#[tokio::test]
async fn an_email_arrives_with_its_headers() {
    let (address, mut told) = server(KIND, None).await;
    let sent = mailer(&config(address))
        .send_message("me@example.net", &message("Roads", "mine", "d-42"), now())
        .await;
    assert_eq!(sent, DeliveryOutcome::Delivered);
    let lines = received_lines(&mut told).await;
    for line in [
        "EHLO example.org",
        "MAIL FROM:<geotrawl@example.org>",
        "RCPT TO:<me@example.net>",
        "To: me@example.net",
        "Reply-To: help@example.org",
        "Date: Mon, 16 Nov 2026 10:00:00 +0000",
        "Message-ID: <d-42@example.org>",
        "Auto-Submitted: auto-generated",
        "X-Geotrawl-Delivery: d-42",
        "List-Unsubscribe: <https://geo.example/account>",
        "MIME-Version: 1.0",
    ] {
        assert!(
            lines.iter().any(|heard| heard == line || heard.starts_with(&format!("{line} "))),
            "{line}: {lines:#?}"
        );
    }
    let all = lines.join("\n");
    assert!(all.contains("Subject: 'Roads' (wms) of gis.example.org stopped answering"), "{all}");
    assert!(all.contains("Content-Type: multipart/alternative"), "{all}");
    assert!(all.contains("Content-Type: text/plain") && all.contains("Content-Type: text/html"), "{all}");
}

#[tokio::test]
async fn a_login_is_made_and_its_failure_may_be_mended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("password");
    std::fs::write(&file, "hush\n").unwrap();
    for (login, good) in [("235 welcome", true), ("535 no", false)] {
        let (address, mut told) = server(MailServerScript { login, ..KIND }, None).await;
        let config =
            MailConfig { user: Some("us".into()), password_file: Some(file.clone()), ..config(address) };
        let sent =
            mailer(&config).send_message("me@example.net", &message("Roads", "mine", "d"), now()).await;
        assert_eq!(sent == DeliveryOutcome::Delivered, good, "{sent:?}");
        if !good {
            assert!(matches!(sent, DeliveryOutcome::Retry { .. }), "{sent:?}");
        }
        let (mut heard, wanted) = (Vec::new(), "AUTH PLAIN AHVzAGh1c2g=");
        while let Ok(line) = told.try_recv() {
            heard.push(line);
        }
        assert!(heard.iter().any(|line| line == wanted), "{heard:?}");
    }
}

#[tokio::test]
async fn an_unknown_mailbox_ends_it_and_a_full_one_does_not() {
    for (recipient, ends) in [("550 no such user", true), ("452 later", false), ("552 full", false)] {
        let (address, _told) = server(MailServerScript { recipient, ..KIND }, None).await;
        let sent =
            mailer(&config(address)).send_message("me@example.net", &message("x", "y", "d"), now()).await;
        assert_eq!(matches!(sent, DeliveryOutcome::GivenUp { .. }), ends, "{recipient}: {sent:?}");
        assert!(sent != DeliveryOutcome::Delivered);
    }
}

#[tokio::test]
async fn a_server_that_hangs_is_left() {
    for hangs_at in ["EHLO", "DATA", "."] {
        let (address, _told) = server(MailServerScript { hangs_at, ..KIND }, None).await;
        let config = MailConfig { timeout: 1, ..config(address) };
        let sent = mailer(&config).send_message("me@example.net", &message("x", "y", "d"), now()).await;
        assert!(matches!(sent, DeliveryOutcome::Retry { .. }), "{hangs_at}: {sent:?}");
    }
}

#[tokio::test]
async fn without_starttls_nothing_is_said() {
    let (address, mut told) = server(KIND, None).await;
    let config = MailConfig { security: MailSecurity::Starttls, ..config(address) };
    let sent = mailer(&config).send_message("me@example.net", &message("x", "y", "d"), now()).await;
    assert!(matches!(sent, DeliveryOutcome::Retry { .. }), "{sent:?}");
    while let Ok(line) = told.try_recv() {
        assert!(!line.starts_with("MAIL") && !line.starts_with("AUTH"), "{line}");
    }
}

#[tokio::test]
async fn a_secure_server_needs_a_certificate_we_trust() {
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root.pem");
    std::fs::write(&root, made.cert.pem()).unwrap();
    let key = rustls::pki_types::PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let settings =
        rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key.into())
            .unwrap();
    let (address, _told) = server(KIND, Some(TlsAcceptor::from(Arc::new(settings)))).await;
    let config = MailConfig { security: MailSecurity::Tls, ..config(address) };
    for (roots, trusted) in [(vec![root], true), (vec![], false)] {
        let mailer = SmtpMailer::with_environment(&config, &roots, |_| None).unwrap();
        let sent = mailer.send_message("me@example.net", &message("x", "y", "d"), now()).await;
        assert_eq!(sent == DeliveryOutcome::Delivered, trusted, "{sent:?}");
    }
}

#[test]
fn settings_that_cannot_work_are_told() {
    let good = config("127.0.0.1:25".parse().unwrap());
    let error = |config: MailConfig| {
        SmtpMailer::with_environment(&config, &[], |_| None).map(|_| ()).unwrap_err().to_string()
    };
    assert!(error(MailConfig { from: "nobody".into(), ..good.clone() }).contains("nobody"));
    assert!(
        error(MailConfig { from: "a@b.example\r\nBcc: c@d.example".into(), ..good.clone() })
            .contains("sender")
    );
    assert!(error(MailConfig { host: " ".into(), ..good.clone() }).contains("host of the mail server"));
    assert!(error(MailConfig { user: Some("us".into()), ..good.clone() }).contains(PASSWORD_VARIABLE));
    let far = MailConfig { host: "mail.example.org".into(), user: Some("us".into()), ..good.clone() };
    assert!(error(far.clone()).contains("unencrypted"));
    let secure = MailConfig { security: MailSecurity::Starttls, ..far };
    assert!(SmtpMailer::with_environment(&secure, &[], |_| Some("hush".into())).is_ok());
    let file = MailConfig { password_file: Some("missing-file".into()), ..secure };
    assert!(error(file).contains("missing-file"));
}

#[test]
fn only_one_plain_address_is_a_recipient() {
    assert!(parse_mail_address(" someone@example.org ").is_ok());
    for bad in [
        "",
        "someone",
        "a@b.example,c@d.example",
        "a@b.example\r\nRCPT TO:<c@d.example>",
        "<a@b.example>",
        "A <a@b.example>",
        "a b@c.example",
        "\"a\r\n\"@b.example",
        "a@b.example\0",
    ] {
        assert!(parse_mail_address(bad).is_err(), "{bad:?}");
    }
    assert!(parse_mail_address(&format!("{}@example.org", "x".repeat(300))).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// No third-party text can add or change a header.
    #[test]
    fn no_header_can_be_injected(
        title in "(.|\r\nBcc: x@y.example\r\n){0,12}", name in "(.|\r|\n){0,40}", delivery in "(.|\r|\n|@|>|\\.){0,40}",
    ) {
        let mailer = mailer(&config("127.0.0.1:25".parse().unwrap()));
        let to = parse_mail_address("me@example.net").unwrap();
        let email = mailer.write(to, &message(&title, &name, &delivery), now()).unwrap().formatted();
        let email = String::from_utf8(email).unwrap();
        let (head, _) = email.split_once("\r\n\r\n").unwrap();
        let mut names: Vec<_> = head.split("\r\n").filter(|line| !line.starts_with([' ', '\t']))
            .map(|line| line.split(':').next().unwrap_or_default()).collect();
        names.sort_unstable();
        prop_assert_eq!(names, [
            "Auto-Submitted", "Content-Type", "Date", "From", "List-Unsubscribe", "MIME-Version", "Message-ID",
            "Reply-To", "Subject", "To", "X-Geotrawl-Delivery",
        ]);
        prop_assert!(head.is_ascii() && !head.replace("\r\n", "").contains(['\r', '\n']));
    }
}
