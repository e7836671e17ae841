//! Notifications as feeds: Atom 1.0 (RFC 4287) and JSON Feed 1.1.
//!
//! Titles, reasons and addresses come from other servers. They are written as text, without
//! characters that XML cannot hold or readers cannot see, and only http(s) addresses become links.

pub(crate) use geotrawl_standards::sanitize::single_line;
use geotrawl_standards::xml::XmlWriter;
use jiff::Timestamp;
use serde::Serialize;
use std::fmt::Write as _;
use url::{Host, Url};

/// Content type of an Atom feed.
pub const ATOM: &str = "application/atom+xml; charset=utf-8";
/// Content type of a JSON Feed.
pub const JSON: &str = "application/feed+json; charset=utf-8";
/// Longest title and reason, in characters.
const MOST_TITLE: usize = 200;
const MOST_REASON: usize = 1_000;
/// Year in the tag URIs of our ids (RFC 4151). Must never change, because ids must not.
const SINCE: &str = "2026";

/// A feed of notifications.
#[derive(Debug, Clone)]
pub struct NoticeFeed {
    /// Name of the application.
    pub title: String,
    /// Address of the application; its host is part of all ids.
    pub home: Url,
    /// URL of this feed as requested.
    pub here: Url,
    /// URL of the page with older notifications, if there is one.
    pub next: Option<Url>,
    /// What the feed covers, with its filters, e.g. `notices?kind=died`. Feeds with different keys
    /// have different ids.
    pub key: String,
    /// Update time of an empty feed.
    pub now: Timestamp,
    /// Newest first.
    pub items: Vec<NoticeFeedItem>,
}

/// One event of one service.
#[derive(Debug, Clone, Default)]
pub struct NoticeFeedItem {
    /// Position in the sequence of all notifications.
    pub seq: i64,
    pub at: Timestamp,
    /// `born`, `died`, ...
    pub kind: String,
    /// Public id of the record.
    pub id: String,
    pub title: Option<String>,
    pub host: String,
    pub record_kind: String,
    /// Address of the service.
    pub url: String,
    pub reason: String,
}

impl NoticeFeed {
    /// Returns a tag URI: `tag:geo.example,2026:` followed by `specific`.
    fn tag(&self, specific: &str) -> String {
        let authority = match self.home.host() {
            Some(Host::Domain(name)) => name.to_ascii_lowercase(),
            Some(Host::Ipv4(ip)) => ip.to_string(),
            // The authority of a tag URI must not contain colons.
            Some(Host::Ipv6(ip)) => ip.to_string().replace(':', "-").trim_matches('-').to_owned(),
            None => "localhost".to_owned(),
        };
        let mut tag = format!("tag:{authority},{SINCE}:");
        for byte in specific.bytes() {
            match byte {
                b'a'..=b'z'
                | b'A'..=b'Z'
                | b'0'..=b'9'
                | b'-'
                | b'.'
                | b'_'
                | b'~'
                | b':'
                | b'/'
                | b'?'
                | b'='
                | b'&' => {
                    tag.push(char::from(byte));
                }
                other => {
                    let _ = write!(tag, "%{other:02X}");
                }
            }
        }
        tag
    }

    /// Returns the URL of a record's page in the application.
    fn page(&self, id: &str) -> Url {
        let mut url = self.home.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(["service", id]);
        }
        url
    }

    /// Returns the time of the newest item.
    fn updated(&self) -> Timestamp {
        self.items.iter().map(|item| item.at).max().unwrap_or(self.now)
    }

    /// Returns the feed title: `Geotrawl: news`.
    fn name(&self) -> String {
        format!("{}: news", single_line(&self.title, MOST_TITLE))
    }
}

impl NoticeFeedItem {
    /// Returns the item title: `died: Roads (wms) of gis.example.org`.
    fn headline(&self) -> String {
        let title = self.title.as_deref().map(|title| single_line(title, MOST_TITLE)).unwrap_or_default();
        let (kind, record_kind) = (single_line(&self.kind, 40), single_line(&self.record_kind, 40));
        let host = single_line(&self.host, MOST_TITLE);
        if title.is_empty() {
            format!("{kind}: {record_kind} of {host}")
        } else {
            format!("{kind}: {title} ({record_kind}) of {host}")
        }
    }

    /// Describes what happened; never empty, because feed readers show it.
    fn words(&self) -> String {
        let reason = single_line(&self.reason, MOST_REASON);
        if reason.is_empty() { self.headline() } else { reason }
    }

    /// Returns the address of the service if it is safe to link to.
    fn outside(&self) -> Option<String> {
        let url = Url::parse(&self.url).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| single_line(url.as_str(), 4_096))
    }
}

/// Renders the Atom feed.
pub fn render_atom(feed: &NoticeFeed) -> String {
    let mut out = XmlWriter::fragment();
    out.raw("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
    out.start("feed", &[("xmlns", "http://www.w3.org/2005/Atom")]);
    out.leaf("id", &feed.tag(&feed.key)).leaf("title", &feed.name());
    out.leaf("updated", &feed.updated().to_string());
    out.start("author", &[]).leaf("name", &single_line(&feed.title, MOST_TITLE)).end();
    out.leaf("generator", "Geotrawl");
    let atom = "application/atom+xml";
    let link = |out: &mut XmlWriter, rel: &str, media: &str, href: &Url| {
        out.empty("link", &[("rel", rel), ("type", media), ("href", href.as_str())]);
    };
    link(&mut out, "self", atom, &feed.here);
    link(&mut out, "alternate", "text/html", &feed.home);
    if let Some(next) = &feed.next {
        link(&mut out, "next", atom, next);
    }
    for item in &feed.items {
        out.start("entry", &[]);
        out.leaf("id", &feed.tag(&format!("notice:{}", item.seq))).leaf("title", &item.headline());
        out.leaf("updated", &item.at.to_string()).leaf("published", &item.at.to_string());
        link(&mut out, "alternate", "text/html", &feed.page(&item.id));
        if let Some(outside) = item.outside() {
            out.empty("link", &[("rel", "related"), ("href", &outside)]);
        }
        for (scheme, term) in [("notice", &item.kind), ("kind", &item.record_kind), ("host", &item.host)] {
            out.empty("category", &[("scheme", &feed.tag(scheme)), ("term", &single_line(term, MOST_TITLE))]);
        }
        out.leaf_with("summary", &[("type", "text")], &item.words()).end();
    }
    out.finish()
}

#[derive(Serialize)]
struct JsonFeed<'a> {
    version: &'static str,
    title: String,
    home_page_url: &'a Url,
    feed_url: &'a Url,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_url: Option<&'a Url>,
    authors: [FeedAuthor; 1],
    items: Vec<JsonFeedItem>,
}

#[derive(Serialize)]
struct FeedAuthor {
    name: String,
}

#[derive(Serialize)]
struct JsonFeedItem {
    id: String,
    url: Url,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_url: Option<String>,
    title: String,
    content_text: String,
    date_published: Timestamp,
    tags: Vec<String>,
    /// Extension for programs; JSON Feed requires the leading underscore.
    _geotrawl: NoticeExtension,
}

#[derive(Serialize)]
struct NoticeExtension {
    about: &'static str,
    seq: i64,
    kind: String,
    record: String,
    record_kind: String,
    host: String,
}

/// Renders the JSON Feed.
pub fn render_json(feed: &NoticeFeed) -> String {
    let item = |item: &NoticeFeedItem| JsonFeedItem {
        id: feed.tag(&format!("notice:{}", item.seq)),
        url: feed.page(&item.id),
        external_url: item.outside(),
        title: item.headline(),
        content_text: item.words(),
        date_published: item.at,
        tags: [&item.kind, &item.record_kind, &item.host].map(|tag| single_line(tag, MOST_TITLE)).into(),
        _geotrawl: NoticeExtension {
            about: "https://github.com/geotrawl/geotrawl/blob/main/docs/guide/alerts.md",
            seq: item.seq,
            kind: single_line(&item.kind, MOST_TITLE),
            record: single_line(&item.id, MOST_TITLE),
            record_kind: single_line(&item.record_kind, MOST_TITLE),
            host: single_line(&item.host, MOST_TITLE),
        },
    };
    let feed = JsonFeed {
        version: "https://jsonfeed.org/version/1.1",
        title: feed.name(),
        home_page_url: &feed.home,
        feed_url: &feed.here,
        next_url: feed.next.as_ref(),
        authors: [FeedAuthor { name: single_line(&feed.title, MOST_TITLE) }],
        items: feed.items.iter().map(item).collect(),
    };
    // The feed consists of numbers, text and times only, so serialising cannot fail.
    serde_json::to_string(&feed).unwrap_or_default()
}

#[cfg(test)]
mod tests;
