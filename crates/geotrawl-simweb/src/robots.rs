//! robots.txt in the forms found on the web, and the resulting rules for our agent.
//!
//! The matcher is deliberately written by hand: it is the oracle for the library that the crawler
//! uses.

use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Product token; some hosts have a group for it.
pub const AGENT_TOKEN: &str = "geotrawl";

/// One `Allow` or `Disallow` line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsPathRule {
    pub allow: bool,
    /// Path pattern with `*` and `$`.
    pub path: String,
}

/// Meaning of a host's robots.txt for the agent `geotrawl`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RobotsSummary {
    /// How the file is served, e.g. `plain`, `missing`, `server-error`, `huge`.
    pub shape: String,
    /// The file is unavailable for a reason that forbids everything (5xx, timeout).
    pub unreachable: bool,
    pub rules: Vec<RobotsPathRule>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crawl_delay: Option<f64>,
}

impl RobotsSummary {
    /// Whether `target` (path and query) may be requested. The longest matching rule wins; ties
    /// allow.
    pub fn allows(&self, target: &str) -> bool {
        if target == "/robots.txt" {
            return true;
        }
        if self.unreachable {
            return false;
        }
        let best = |allow: bool| {
            self.rules
                .iter()
                .filter(|rule| rule.allow == allow && !rule.path.is_empty() && matches(&rule.path, target))
                .map(|rule| rule.path.len())
                .max()
        };
        match (best(true), best(false)) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(allow), Some(disallow)) => allow >= disallow,
        }
    }
}

/// Matches a pattern with `*` (anything) and a final `$` (end) against the start of `target`.
fn matches(pattern: &str, target: &str) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix('$') {
        Some(stripped) => (stripped, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or("");
    let Some(mut rest) = target.strip_prefix(first) else { return false };
    let mut last = None;
    for piece in pieces {
        last = Some(piece);
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    if !anchored || rest.is_empty() {
        return true;
    }
    // The last piece may also match the very end of the target.
    last.is_some_and(|piece| target.len() >= first.len() + piece.len() && target.ends_with(piece))
}

/// How a host serves its robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RobotsShape {
    Missing,
    Plain,
    /// Rules in a group for our token; all other crawlers are forbidden.
    OwnGroup,
    /// A group for our token forbids everything; other crawlers are allowed.
    OwnGroupForbids,
    Bom,
    CrLf,
    /// Text with media type `text/html`.
    WrongType,
    /// An HTML page instead of a robots file.
    Html,
    /// More than 600 KB, our rules first.
    Huge,
    /// Redirected to another path on the same host.
    Redirected,
    ServerError,
    /// No response until the client times out.
    Stalls,
    CrawlDelay,
    Forbidden403,
}

impl RobotsShape {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Plain => "plain",
            Self::OwnGroup => "own-group",
            Self::OwnGroupForbids => "own-group-forbids",
            Self::Bom => "bom",
            Self::CrLf => "crlf",
            Self::WrongType => "wrong-type",
            Self::Html => "html",
            Self::Huge => "huge",
            Self::Redirected => "redirected",
            Self::ServerError => "server-error",
            Self::Stalls => "stalls",
            Self::CrawlDelay => "crawl-delay",
            Self::Forbidden403 => "forbidden-403",
        }
    }

    /// Whether the rules of the file reach a crawler.
    pub(crate) fn carries_rules(self) -> bool {
        !matches!(self, Self::Missing | Self::Html | Self::ServerError | Self::Stalls | Self::Forbidden403)
    }
}

/// Renders a robots.txt file.
pub(crate) fn render_robots(shape: RobotsShape, summary: &RobotsSummary, sitemaps: &[String]) -> Vec<u8> {
    let mut out = String::new();
    if shape == RobotsShape::Bom {
        out.push('\u{feff}');
    }
    match shape {
        RobotsShape::OwnGroup => {
            let _ = writeln!(
                out,
                "User-agent: *\nDisallow: /\n\nUser-agent: otherbot\nUser-agent: {AGENT_TOKEN}"
            );
        }
        RobotsShape::OwnGroupForbids => {
            let _ = writeln!(out, "User-agent: *\nDisallow: /intern/\n\nUser-Agent: GeoTrawl");
        }
        _ => out.push_str("# please be gentle\nUser-agent: badbot\nDisallow: /\n\nUser-agent: *\n"),
    }
    for rule in &summary.rules {
        let _ = writeln!(out, "{}: {}", if rule.allow { "Allow" } else { "Disallow" }, rule.path);
    }
    if summary.rules.is_empty() {
        out.push_str("Disallow:\n");
    }
    if let Some(delay) = summary.crawl_delay {
        let _ = writeln!(out, "Crawl-delay: {delay}");
    }
    if shape == RobotsShape::Huge {
        for number in 0..22_000 {
            let _ = writeln!(out, "Disallow: /verwaltung/{number:06}/");
        }
    }
    for sitemap in sitemaps {
        let _ = writeln!(out, "Sitemap: {sitemap}");
    }
    if shape == RobotsShape::CrLf { out.replace('\n', "\r\n").into_bytes() } else { out.into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(list: &[(bool, &str)]) -> RobotsSummary {
        let rules = list
            .iter()
            .map(|(allow, path)| RobotsPathRule { allow: *allow, path: (*path).to_owned() })
            .collect();
        RobotsSummary { rules, ..RobotsSummary::default() }
    }

    #[test]
    fn the_longest_rule_wins_and_a_tie_allows() {
        let robots = rules(&[(false, "/a"), (true, "/a/b"), (false, "/c"), (true, "/c")]);
        assert!(!robots.allows("/a/x"));
        assert!(robots.allows("/a/b/x"));
        assert!(robots.allows("/c"));
        assert!(robots.allows("/other"));
    }

    /// The matching rule of the standard, by brute force.
    fn oracle(pattern: &[u8], target: &[u8]) -> bool {
        match pattern.split_first() {
            None => true,
            Some((b'$', [])) => target.is_empty(),
            Some((b'*', rest)) => (0..=target.len()).any(|skip| oracle(rest, &target[skip..])),
            Some((byte, rest)) => {
                target.split_first().is_some_and(|(first, tail)| first == byte && oracle(rest, tail))
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn the_matcher_agrees_with_the_rule_tried_in_every_way(pattern in "/[ab*]{0,6}[$]?", target in "/[ab]{0,8}") {
            assert_eq!(matches(&pattern, &target), oracle(pattern.as_bytes(), target.as_bytes()));
        }
    }

    #[test]
    fn wildcards_and_anchors_match_as_the_standard_says() {
        let robots = rules(&[(false, "/*.kmz$"), (false, "/*?sid="), (false, "/cgi-bin/")]);
        assert!(!robots.allows("/d/a.kmz"));
        assert!(robots.allows("/d/a.kmz?x"));
        assert!(!robots.allows("/d/a.kmz.kmz"));
        assert!(!robots.allows("/x?sid=1"));
        assert!(robots.allows("/cgi-bin"));
        assert!(!robots.allows("/cgi-bin/mapserv?map=x"));
        assert!(!rules(&[(false, "/")]).allows("/x"));
        assert!(rules(&[(false, "/")]).allows("/robots.txt"));
        assert!(rules(&[(false, "")]).allows("/x"));
    }
}
