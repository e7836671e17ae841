//! Renders a message as plain text and as simple HTML with the same content.
//!
//! Titles, reasons and addresses come from third parties: they are always text, never links or
//! markup.

use super::group::{AlertItem, GroupedNotices};
use super::model::{AlertMessage, AlertNotice, MOST_TEXT, to_single_line};
use geotrawl_text::escape::escape_html;
use jiff::Timestamp;
use std::fmt::Write as _;

/// Maximum length of the subject in characters.
const MOST_SUBJECT: usize = 120;

/// Renders the subject, a summary of what happened.
pub fn render_subject(message: &AlertMessage) -> String {
    to_single_line(&message.summary(), MOST_SUBJECT)
}

/// Renders the plain text.
pub fn render_text(message: &AlertMessage) -> String {
    let mut text = format!("{}\n", opening(message));
    for item in &message.grouped.items {
        let _ = write!(text, "\n* {}\n  {}\n", item.sentence, period(item));
        for news in &item.named {
            let _ = writeln!(text, "  - {}", entry(news));
            if let Some(link) = message.record_link(&news.id) {
                let _ = writeln!(text, "    {link}");
            }
        }
        if item.more > 0 {
            let _ = writeln!(text, "  - and {} more", item.more);
        }
    }
    if let Some(rest) = rest(&message.grouped) {
        let _ = write!(text, "\n{rest}\n");
    }
    let _ = write!(text, "\n-- \n{}\n", closing(message));
    if let Some(link) = message.settings_link() {
        let _ = writeln!(text, "{link}");
    }
    text
}

/// Renders the HTML, without images, scripts or other external content.
pub fn render_html(message: &AlertMessage) -> String {
    let mut html = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"></head>\n\
         <body style=\"font-family:sans-serif;line-height:1.45;max-width:44em\">\n",
    );
    let _ = writeln!(html, "<p>{}</p>", escape_html(&opening(message)));
    for item in &message.grouped.items {
        let _ = write!(
            html,
            "<h2 style=\"font-size:1.05em;margin-bottom:0\">{}</h2>\n<p style=\"margin:0\">{}</p>\n<ul>\n",
            escape_html(&item.sentence),
            escape_html(&period(item))
        );
        for news in &item.named {
            let entry = escape_html(&entry(news));
            let _ = match message.record_link(&news.id) {
                Some(link) => {
                    writeln!(html, "<li><a href=\"{}\">{entry}</a></li>", escape_html(link.as_str()))
                }
                None => writeln!(html, "<li>{entry}</li>"),
            };
        }
        if item.more > 0 {
            let _ = writeln!(html, "<li>and {} more</li>", item.more);
        }
        html.push_str("</ul>\n");
    }
    if let Some(rest) = rest(&message.grouped) {
        let _ = writeln!(html, "<p>{}</p>", escape_html(&rest));
    }
    let closing = escape_html(&closing(message));
    let _ = match message.settings_link() {
        Some(link) => {
            writeln!(html, "<hr>\n<p><a href=\"{}\">{closing}</a></p>", escape_html(link.as_str()))
        }
        None => writeln!(html, "<hr>\n<p>{closing}</p>"),
    };
    html.push_str("</body></html>\n");
    html
}

fn opening(message: &AlertMessage) -> String {
    let name = to_single_line(&message.subscription, 80);
    if message.test {
        return format!("This is a test of the alert '{name}'. It works; nothing happened.");
    }
    format!("Alert '{name}', {}:", format_time(message.at))
}

fn closing(message: &AlertMessage) -> String {
    let name = to_single_line(&message.subscription, 80);
    format!("You receive this because of the alert '{name}'. Change or disable it in the application.")
}

fn period(item: &AlertItem) -> String {
    if item.from == item.to {
        return format_time(item.from);
    }
    format!("{} to {}", format_time(item.from), format_time(item.to))
}

/// Returns e.g. `2026-11-16 09:30 UTC`.
fn format_time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

fn entry(news: &AlertNotice) -> String {
    let title = news.title.as_deref().map(|title| to_single_line(title, MOST_TEXT)).unwrap_or_default();
    let kind = to_single_line(&news.record_kind, 40);
    let url = to_single_line(&news.url, MOST_TEXT);
    if title.is_empty() { format!("{kind}: {url}") } else { format!("{title} ({kind}): {url}") }
}

fn rest(grouped: &GroupedNotices) -> Option<String> {
    let rest = &grouped.rest;
    if rest.items == 0 {
        return None;
    }
    let counts: Vec<_> =
        rest.counts.iter().map(|(kind, count)| format!("{count} {}", kind.as_str())).collect();
    Some(format!("And {} more alerts ({}).", rest.items, counts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::model::NewsKind;
    use crate::alerts::{GroupingRules, group_notices};

    fn message(title: &str, count: i64) -> AlertMessage {
        let news: Vec<_> = (0..count)
            .map(|n| AlertNotice {
                seq: n,
                at: "2026-11-16T09:30:00Z".parse().unwrap(),
                kind: NewsKind::Died,
                id: format!("r{n}"),
                title: Some(title.into()),
                host: "gis.example.org".into(),
                record_kind: "wms".into(),
                url: "https://gis.example.org/wms?<a>".into(),
                reason: "connection refused".into(),
            })
            .collect();
        AlertMessage {
            delivery: "d-1".into(),
            number: 4,
            subscription: "My <services>".into(),
            at: "2026-11-16T10:00:00Z".parse().unwrap(),
            base_url: Some("https://geo.example/".parse().unwrap()),
            failures: 0,
            test: false,
            grouped: group_notices(&news, &[], &GroupingRules::DAILY),
        }
    }

    #[test]
    fn text_and_html_tell_the_same() {
        let message = message("Roads", 12);
        let text = render_text(&message);
        for part in [
            "Alert 'My <services>', 2026-11-16 10:00 UTC:",
            "* 12 services of gis.example.org stopped answering: connection refused",
            "  - Roads (wms): https://gis.example.org/wms?<a>",
            "    https://geo.example/service/r0",
            "  - and 2 more",
            "https://geo.example/account",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        let html = render_html(&message);
        assert!(html.contains("href=\"https://geo.example/service/r0\""), "{html}");
        assert!(html.contains("My &lt;services&gt;") && !html.contains("<a>"), "{html}");
        assert_eq!(
            render_subject(&message),
            "12 services of gis.example.org stopped answering: connection refused"
        );
    }

    #[test]
    fn markup_and_line_ends_of_strangers_are_text() {
        let message = message("<script>alert(1)</script>\r\nBcc: all@example.org", 1);
        let html = render_html(&message);
        assert!(!html.contains("<script"), "{html}");
        assert!(!render_text(&message).contains("\nBcc:"));
        assert!(!render_subject(&message).contains(['\r', '\n']));
    }

    #[test]
    fn a_test_says_that_it_is_one() {
        let message = AlertMessage {
            test: true,
            grouped: GroupedNotices::default(),
            base_url: None,
            ..message("x", 0)
        };
        assert_eq!(render_subject(&message), "Test of the alert 'My <services>'");
        assert!(render_text(&message).contains("nothing happened"));
        assert!(!render_html(&message).contains("href"));
    }
}
