//! What there is to tell, to whom, and by which way.

use super::group::GroupedNotices;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

/// Characters of a stranger's text (a title, a reason) that are told.
pub const MOST_TEXT: usize = 200;

/// What happened to a service.
pub use geotrawl_model::notice::NoticeKind as NewsKind;

/// One thing that happened to one service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertNotice {
    /// Its place in the sequence of all news.
    pub seq: i64,
    pub at: Timestamp,
    pub kind: NewsKind,
    /// Public id of the record.
    pub id: String,
    pub title: Option<String>,
    pub host: String,
    /// What the record is: `wms`, `stac-api`, ...
    pub record_kind: String,
    /// Address of the service.
    pub url: String,
    pub reason: String,
}

/// News that are only counted, because the queue does not carry each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeCount {
    pub host: String,
    pub kind: NewsKind,
    pub count: u64,
    /// When the first of them happened.
    pub at: Timestamp,
}

/// Whom to tell, and by which way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertSubscription {
    pub number: i64,
    /// As its owner called it.
    pub name: String,
    pub channel: DeliveryChannel,
}

/// The way to a person or program.
#[derive(Clone, PartialEq, Eq)]
pub enum DeliveryChannel {
    /// A POST to this address; signed when there is a secret.
    Webhook { url: String, secret: Option<String> },
    /// An e-mail to this address.
    Email { address: String },
}

impl fmt::Debug for DeliveryChannel {
    /// Without the secret: this goes to logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Webhook { url, secret } => {
                f.debug_struct("Webhook").field("url", url).field("signed", &secret.is_some()).finish()
            }
            Self::Email { address } => f.debug_struct("Email").field("address", address).finish(),
        }
    }
}

/// What is told at once. The same message gives the same body, however often it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct AlertMessage {
    /// Names this delivery for ever: whoever has seen it before may drop it.
    pub delivery: String,
    /// Number and name of the subscription.
    pub number: i64,
    pub subscription: String,
    /// When the message was put together.
    pub at: Timestamp,
    /// Address of the application, for links; `None` when the operator has not set one.
    pub base_url: Option<Url>,
    /// Attempts to deliver it that have failed.
    pub failures: u32,
    /// A person tries the subscription out; nothing happened.
    pub test: bool,
    pub grouped: GroupedNotices,
}

impl AlertMessage {
    /// The page of a record in the application.
    pub fn record_link(&self, id: &str) -> Option<Url> {
        self.page(&["service", id])
    }

    /// The page where alerts are set.
    pub fn settings_link(&self) -> Option<Url> {
        self.page(&["account"])
    }

    /// A page of the application; each step is one segment, whatever is in it.
    fn page(&self, steps: &[&str]) -> Option<Url> {
        let mut url = self.base_url.clone()?;
        url.path_segments_mut().ok()?.pop_if_empty().extend(steps);
        Some(url)
    }

    /// One line that says what happened: the subject of an e-mail.
    pub fn summary(&self) -> String {
        if self.test {
            return format!("Test of the alert '{}'", to_single_line(&self.subscription, 80));
        }
        let GroupedNotices { items, rest, .. } = &self.grouped;
        match items.first() {
            None => "Nothing happened".to_owned(),
            Some(only) if items.len() == 1 && rest.items == 0 => only.sentence.clone(),
            Some(first) => {
                let more = items.len() as u64 - 1 + rest.items;
                format!("{}; and {more} more", first.sentence)
            }
        }
    }
}

/// A stranger's text as one line of at most `most` characters, without what could end a line, hide or turn text.
pub fn to_single_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut left = most;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
            left = left.saturating_sub(1);
        }
        for c in word.chars().filter(|c| !is_invisible(*c)) {
            if left == 0 {
                line.push('…');
                return line;
            }
            line.push(c);
            left -= 1;
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// Marks of direction and other characters that are not seen but change what is. Joiners stay: scripts need them.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_strangers_becomes_one_visible_line() {
        assert_eq!(
            to_single_line(" Roads\r\nBcc: all@example.org\t\u{0}x ", 200),
            "Roads Bcc: all@example.org x"
        );
        assert_eq!(to_single_line("a\u{202e}b\u{200b}c", 200), "abc");
        assert_eq!(to_single_line("abcdef", 3), "abc…");
        assert_eq!(to_single_line("ab cd", 4), "ab c…");
        assert_eq!(to_single_line("\u{200b} \u{202e}", 9), "");
        assert_eq!(to_single_line("", 9), "");
    }

    #[test]
    fn links_lead_into_the_application_only() {
        let mut message = AlertMessage {
            delivery: "d".into(),
            number: 1,
            subscription: "mine".into(),
            at: Timestamp::UNIX_EPOCH,
            base_url: Some(Url::parse("https://geo.example/app/").unwrap()),
            failures: 0,
            test: false,
            grouped: GroupedNotices::default(),
        };
        let link = |message: &AlertMessage, id: &str| message.record_link(id).map(|url| url.to_string());
        assert_eq!(link(&message, "abc").unwrap(), "https://geo.example/app/service/abc");
        assert_eq!(link(&message, "../x?y#z").unwrap(), "https://geo.example/app/service/..%2Fx%3Fy%23z");
        message.base_url = Some(Url::parse("https://geo.example").unwrap());
        assert_eq!(link(&message, "abc").unwrap(), "https://geo.example/service/abc");
        message.base_url = None;
        assert_eq!(link(&message, "abc"), None);
    }

    #[test]
    fn a_secret_is_not_logged() {
        let channel =
            DeliveryChannel::Webhook { url: "https://a.example/".into(), secret: Some("hush".into()) };
        assert!(!format!("{channel:?}").contains("hush"));
    }
}
