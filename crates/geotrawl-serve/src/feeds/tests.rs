use super::*;
use geotrawl_standards::sanitize::is_hidden;
use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;

fn item(seq: i64) -> NoticeFeedItem {
    NoticeFeedItem {
        seq,
        at: "2026-11-16T09:30:00Z".parse().unwrap(),
        kind: "died".into(),
        id: "abc".into(),
        title: Some("Roads & <b>ways</b>".into()),
        host: "gis.example.org".into(),
        record_kind: "wms".into(),
        url: "https://gis.example.org/wms?a=1&b=2".into(),
        reason: "connection refused".into(),
    }
}

fn feed(items: Vec<NoticeFeedItem>) -> NoticeFeed {
    NoticeFeed {
        title: "Geotrawl".into(),
        home: "https://Geo.example/".parse().unwrap(),
        here: "https://geo.example/feeds/notices.atom?kind=died".parse().unwrap(),
        next: Some("https://geo.example/feeds/notices.atom?kind=died&before=3".parse().unwrap()),
        key: "notices?kind=died&host=ä b".into(),
        now: "2026-11-16T10:00:00Z".parse().unwrap(),
        items,
    }
}

#[test]
fn the_atom_feed_has_what_readers_need() {
    let text = render_atom(&feed(vec![item(7)]));
    for part in [
        r#"<feed xmlns="http://www.w3.org/2005/Atom"><id>tag:geo.example,2026:notices?kind=died&amp;host=%C3%A4%20b</id>"#,
        "<updated>2026-11-16T09:30:00Z</updated><author><name>Geotrawl</name></author>",
        r#"<link rel="self" type="application/atom+xml" href="https://geo.example/feeds/notices.atom?kind=died"/>"#,
        r#"<link rel="next" type="application/atom+xml" href="https://geo.example/feeds/notices.atom?kind=died&amp;before=3"/>"#,
        "<entry><id>tag:geo.example,2026:notice:7</id>",
        "<title>died: Roads &amp; &lt;b&gt;ways&lt;/b&gt; (wms) of gis.example.org</title>",
        r#"<link rel="alternate" type="text/html" href="https://geo.example/service/abc"/>"#,
        r#"<link rel="related" href="https://gis.example.org/wms?a=1&amp;b=2"/>"#,
        r#"<category scheme="tag:geo.example,2026:notice" term="died"/>"#,
        r#"<summary type="text">connection refused</summary></entry>"#,
    ] {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
}

#[test]
fn the_json_feed_says_the_same() {
    let text = render_json(&feed(vec![item(7)]));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["version"], "https://jsonfeed.org/version/1.1");
    assert_eq!(value["feed_url"], "https://geo.example/feeds/notices.atom?kind=died");
    assert_eq!(value["next_url"], "https://geo.example/feeds/notices.atom?kind=died&before=3");
    let item = &value["items"][0];
    assert_eq!(item["id"], "tag:geo.example,2026:notice:7");
    assert_eq!(item["url"], "https://geo.example/service/abc");
    assert_eq!(item["external_url"], "https://gis.example.org/wms?a=1&b=2");
    assert_eq!(item["content_text"], "connection refused");
    assert_eq!(item["date_published"], "2026-11-16T09:30:00Z");
    assert_eq!(item["tags"], serde_json::json!(["died", "wms", "gis.example.org"]));
    assert_eq!(item["_geotrawl"]["record"], "abc");
}

#[test]
fn a_feed_without_news_is_a_feed() {
    let empty = NoticeFeed { next: None, ..feed(vec![]) };
    assert!(render_atom(&empty).contains("<updated>2026-11-16T10:00:00Z</updated>"));
    assert!(!render_atom(&empty).contains("rel=\"next\""));
    let value: serde_json::Value = serde_json::from_str(&render_json(&empty)).unwrap();
    assert!(value.get("next_url").is_none() && value["items"].as_array().unwrap().is_empty());
}

#[test]
fn only_web_addresses_become_links() {
    for bad in ["javascript:alert(1)", "data:text/html,x", "not an address", ""] {
        let bad = NoticeFeedItem { url: bad.into(), ..item(1) };
        assert!(!render_atom(&feed(vec![bad.clone()])).contains("related"));
        assert!(!render_json(&feed(vec![bad])).contains("external_url"));
    }
}

#[test]
fn ids_are_of_the_host_whatever_it_is() {
    for (home, tag) in [
        ("http://127.0.0.1:8080/", "tag:127.0.0.1,2026:x"),
        ("http://[::1]:8080/", "tag:1,2026:x"),
        ("https://bücher.example/app", "tag:xn--bcher-kva.example,2026:x"),
    ] {
        assert_eq!(NoticeFeed { home: home.parse().unwrap(), ..feed(vec![]) }.tag("x"), tag);
    }
}

#[test]
fn lines_hold_only_what_can_be_seen() {
    assert_eq!(single_line(" a\r\n\tb\u{0}c\u{202e}d\u{fffe} ", 99), "a b cd");
    assert_eq!(single_line("abcd", 3), "abc…");
    assert_eq!(single_line("abc ", 3), "abc");
}

/// Reads the whole document with all attributes.
fn is_well_formed(text: &str) -> bool {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event() {
            Err(_) => return false,
            Ok(Event::Eof) => return true,
            Ok(Event::Start(tag) | Event::Empty(tag))
                if tag.attributes().any(|attribute| attribute.is_err()) =>
            {
                return false;
            }
            Ok(_) => {}
        }
    }
}

proptest! {
    #[test]
    fn any_text_gives_well_formed_feeds(
        title in "(.|[<>&\"'\u{0}\u{b}\u{7f}\u{fffe}\u{202e}\r\n]){0,60}",
        reason in ".{0,60}|]]>|&#0;|<!--", url in ".{0,40}|https?://.{0,30}", id in ".{0,20}", at in 0_i64..4_000_000_000,
    ) {
        let at = Timestamp::from_second(at).unwrap();
        let strange = NoticeFeedItem {
            title: Some(title.clone()), reason, url, id, at, kind: title.clone(), host: title.clone(), record_kind: title.clone(), seq: 1,
        };
        let feed = NoticeFeed { title: title.clone(), key: title, ..feed(vec![strange, item(2)]) };
        let written = render_atom(&feed);
        prop_assert!(written.len() > 500);
        prop_assert!(!written.chars().any(|c| c.is_control() || is_hidden(c)), "{written:?}");
        prop_assert!(is_well_formed(&written));
        let written = render_json(&feed);
        prop_assert!(!written.chars().any(|c| c.is_control() || is_hidden(c)), "{written:?}");
        let value: serde_json::Value = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(value["items"].as_array().unwrap().len(), 2);
    }
}
