use super::*;
use crate::alerts::group::GroupedNotices;
use crate::alerts::model::{AlertNotice, NoticeCount};
use crate::alerts::{GroupingRules, group_notices};
use proptest::prelude::*;

fn message() -> AlertMessage {
    let news = AlertNotice {
        seq: 7,
        at: "2026-11-16T09:30:00Z".parse().unwrap(),
        kind: NewsKind::Died,
        id: "abc".into(),
        title: Some("Roads\n\u{202e}x".into()),
        host: "gis.example.org".into(),
        record_kind: "wms".into(),
        url: "https://gis.example.org/wms".into(),
        reason: "connection refused".into(),
    };
    let more = NoticeCount { host: "gis.example.org".into(), kind: NewsKind::Died, count: 2, at: news.at };
    AlertMessage {
        delivery: "d-42".into(),
        number: 3,
        subscription: "mine".into(),
        at: "2026-11-16T10:00:00Z".parse().unwrap(),
        base_url: Some("https://geo.example/".parse().unwrap()),
        failures: 0,
        test: false,
        grouped: group_notices(&[news], &[more], &GroupingRules::DAILY),
    }
}

#[test]
fn the_body_is_as_documented() {
    let expected = serde_json::json!({
        "version": 1,
        "delivery": "d-42",
        "at": "2026-11-16T10:00:00Z",
        "test": false,
        "subscription": {"number": 3, "name": "mine"},
        "application": "https://geo.example/",
        "summary": "3 services of gis.example.org stopped answering: connection refused",
        "total": 3,
        "items": [{
            "topic": "died",
            "host": "gis.example.org",
            "sentence": "3 services of gis.example.org stopped answering: connection refused",
            "services": 3,
            "counts": {"died": 3},
            "from": "2026-11-16T09:30:00Z",
            "to": "2026-11-16T09:30:00Z",
            "reason": "connection refused",
            "other_reasons": 0,
            "seconds": null,
            "records": [{
                "seq": 7,
                "at": "2026-11-16T09:30:00Z",
                "kind": "died",
                "id": "abc",
                "title": "Roads x",
                "record_kind": "wms",
                "url": "https://gis.example.org/wms",
                "reason": "connection refused",
                "link": "https://geo.example/service/abc"
            }],
            "more": 2
        }],
        "rest": {"items": 0, "counts": {}}
    });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&render_body(&message())).unwrap(), expected);
    let guide = include_str!("../../../../../docs/guide/alerts.md");
    for member in expected.as_object().unwrap().keys() {
        assert!(guide.contains(&format!("\"{member}\"")), "{member} is not in the guide");
    }
    for member in expected["items"][0].as_object().unwrap().keys() {
        assert!(guide.contains(&format!("\"{member}\"")), "{member} of an item is not in the guide");
    }
}

/// Computed with Python's `hmac`, as shown in the guide.
#[test]
fn the_signature_is_the_documented_one() {
    let header = sign_body("secret", "{\"a\":1}", Timestamp::from_second(1_800_000_000).unwrap());
    assert_eq!(header, KNOWN);
}

const KNOWN: &str = "t=1800000000,v1=440dfbb83aabca24d9e5027629cfd81cb45254690f8d410bb28f1cc17c990dbc";

#[test]
fn a_signature_is_for_one_body_one_secret_and_a_short_time() {
    let now = Timestamp::from_second(1_800_000_000).unwrap();
    let header = sign_body("secret", "body", now);
    let later = |seconds: i64| Timestamp::from_second(1_800_000_000 + seconds).unwrap();
    let five = Duration::from_mins(5);
    assert_eq!(verify_signature("secret", &header, "body", later(300), five), Ok(()));
    assert_eq!(verify_signature("secret", &header, "body", later(301), five), Err(SignatureError::Stale));
    assert_eq!(verify_signature("secret", &header, "body", later(-301), five), Err(SignatureError::Stale));
    assert_eq!(verify_signature("other", &header, "body", now, five), Err(SignatureError::Wrong));
    assert_eq!(verify_signature("secret", &header, "body2", now, five), Err(SignatureError::Wrong));
    let moved = header.replace("t=1800000000", "t=1800000001");
    assert_eq!(verify_signature("secret", &moved, "body", now, five), Err(SignatureError::Wrong));
    let two = format!("{header},v1=00ff,v2=zz");
    assert_eq!(verify_signature("secret", &two, "body", now, five), Ok(()));
    for bad in ["", "t=1", "v1=00", "t=x,v1=00", "t=1800000000,v1=0", "t=1800000000,v1=zz"] {
        assert_eq!(
            verify_signature("secret", bad, "body", now, five),
            Err(SignatureError::Malformed),
            "{bad}"
        );
    }
}

#[test]
fn the_pause_is_never_shorter_than_the_receiver_wants() {
    let after = |failures, wanted: Option<u64>| {
        let message = AlertMessage { failures, grouped: GroupedNotices::default(), ..message() };
        match retry_or_give_up(&message, wanted.map(Duration::from_secs), "x".into()) {
            DeliveryOutcome::Retry { after, .. } => Some(after.as_secs()),
            _ => None,
        }
    };
    assert_eq!(after(0, None), Some(60));
    assert_eq!(after(0, Some(90)), Some(90));
    assert_eq!(after(0, Some(u64::MAX)), Some(86_400));
    assert_eq!(after(7, Some(1)), Some(86_400));
    assert_eq!(after(8, None), None);
    assert_eq!(after(u32::MAX, None), None);
}

#[test]
fn only_web_addresses_without_passwords_are_webhooks() {
    assert!(parse_webhook_url("https://hooks.example/x?y=1").is_ok());
    for bad in
        ["", "hooks.example", "ftp://a.example/", "file:///etc/passwd", "https://u:p@a.example/", "http://"]
    {
        assert!(parse_webhook_url(bad).is_err(), "{bad}");
    }
    assert!(parse_webhook_url(&format!("https://a.example/{}", "x".repeat(3_000))).is_err());
}

proptest! {
    #[test]
    fn any_header_is_refused_in_peace(header in ".{0,80}", body in ".{0,40}") {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        prop_assert!(verify_signature("secret", &header, &body, now, Duration::from_mins(5)).is_err());
    }

    #[test]
    fn what_is_signed_verifies(secret in ".{0,80}", body in ".{0,200}", at in 0_i64..4_000_000_000) {
        let now = Timestamp::from_second(at).unwrap();
        prop_assert_eq!(verify_signature(&secret, &sign_body(&secret, &body, now), &body, now, Duration::ZERO), Ok(()));
    }
}
