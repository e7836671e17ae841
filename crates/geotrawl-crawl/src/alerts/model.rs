//! Messages, notices, subscriptions and channels.

use super::group::GroupedNotices;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

/// Maximum number of characters of a third-party text (a title, a reason).
pub const MOST_TEXT: usize = 200;

/// Kind of change of a service.
pub use geotrawl_model::notice::NoticeKind as NewsKind;

/// One change of one service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertNotice {
    /// Sequence number among all notices.
    pub seq: i64,
    pub at: Timestamp,
    pub kind: NewsKind,
    /// Public id of the record.
    pub id: String,
    pub title: Option<String>,
    pub host: String,
    /// Kind of the record: `wms`, `stac-api`, ...
    pub record_kind: String,
    /// Address of the service.
    pub url: String,
    pub reason: String,
}

/// Notices that are only counted, because the queue does not carry each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeCount {
    pub host: String,
    pub kind: NewsKind,
    pub count: u64,
    /// Time of the first of them.
    pub at: Timestamp,
}

/// Who is notified, and through which channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertSubscription {
    pub number: i64,
    /// Name given by its owner.
    pub name: String,
    pub channel: DeliveryChannel,
}

/// How a message reaches a person or program.
#[derive(Clone, PartialEq, Eq)]
pub enum DeliveryChannel {
    /// A POST request to this URL, signed if there is a secret.
    Webhook { url: String, secret: Option<String> },
    /// An e-mail to this address.
    Email { address: String },
}

impl fmt::Debug for DeliveryChannel {
    /// Omits the secret, because this goes to logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Webhook { url, secret } => {
                f.debug_struct("Webhook").field("url", url).field("signed", &secret.is_some()).finish()
            }
            Self::Email { address } => f.debug_struct("Email").field("address", address).finish(),
        }
    }
}

/// A message. It has the same body at every delivery attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct AlertMessage {
    /// Unique id of this delivery, so that receivers can drop duplicates.
    pub delivery: String,
    /// Number of the subscription, followed by its name.
    pub number: i64,
    pub subscription: String,
    /// When the message was created.
    pub at: Timestamp,
    /// URL of the application, for links; `None` if the operator has not set one.
    pub base_url: Option<Url>,
    /// Failed delivery attempts so far.
    pub failures: u32,
    /// Whether this is a test message: a person tries the subscription, and nothing has happened.
    pub test: bool,
    pub grouped: GroupedNotices,
}

impl AlertMessage {
    /// Returns the application's page of a record.
    pub fn record_link(&self, id: &str) -> Option<Url> {
        self.page(&["service", id])
    }

    /// Returns the application's page with the alert settings.
    pub fn settings_link(&self) -> Option<Url> {
        self.page(&["account"])
    }

    /// Returns a page of the application. Each step is one path segment, whatever it contains.
    fn page(&self, steps: &[&str]) -> Option<Url> {
        let mut url = self.base_url.clone()?;
        url.path_segments_mut().ok()?.pop_if_empty().extend(steps);
        Some(url)
    }

    /// Returns one line that says what happened: the subject of an e-mail.
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

/// Turns a third-party text into one line of at most `most` characters, without characters that
/// could break the line, hide text or change its direction.
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

/// Direction marks and other invisible characters that change how text reads. Joiners stay, because
/// some scripts need them.
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
