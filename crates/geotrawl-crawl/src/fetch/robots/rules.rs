//! The rules of one robots.txt that apply to us, prepared for matching.
//!
//! The line grammar, with its common misspellings, comes from the `robotstxt` crate, a port of the
//! reference parser. Grouping and matching are our own because the crate's matcher parses the whole
//! file for every URL, takes quadratic time for paths with `*`, ends a group at unrelated lines
//! between two `User-agent` lines, and can panic by slicing inside a character of a line over 16
//! KiB.

use robotstxt::DefaultMatcher;
use robotstxt::parser::{ParseKeyType, ParsedRobotsKey, RobotsTxtParser};
use std::borrow::Cow;
use std::time::Duration;

/// Longer lines are truncated, at the same length as in the reference parser.
const LONGEST_LINE: usize = 2083 * 8 - 1;
/// Most `Sitemap` lines kept per file.
const MOST_SITEMAPS: usize = 1000;

/// The parts of a robots.txt that apply to us.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RobotsRules {
    /// Longest first, and allow before disallow at the same
    /// length, so that the first match decides.
    rules: Vec<PathRule>,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct PathRule {
    allow: bool,
    pattern: Box<str>,
}

/// The rules of one group during parsing.
#[derive(Default)]
struct RuleGroup {
    rules: Vec<PathRule>,
    crawl_delay: Option<Duration>,
}

impl RobotsRules {
    /// Parses a file for the crawler named `token`. Never fails: skips lines that are not rules, so
    /// an HTML page in place of robots.txt yields no rules.
    pub fn parse(text: &str, token: &str) -> Self {
        let (mut ours, mut everyone) = (RuleGroup::default(), RuleGroup::default());
        let mut named = false;
        let (mut in_ours, mut in_everyone) = (false, false);
        // Set by the first rule after a User-agent line; the next
        // User-agent line then starts a new group.
        let mut group_closed = false;
        let mut sitemaps = Vec::new();

        // Strip a byte order mark, whole or (in a file that is not
        // UTF-8) broken, from the first line.
        let text = text.strip_prefix(['\u{feff}', '\u{fffd}']).unwrap_or(text);
        for line in text.split(['\n', '\r']) {
            let line = cut(line.trim());
            let (key, value, true) = RobotsTxtParser::<DefaultMatcher<'_>>::parse_key_value(line) else {
                continue;
            };
            let mut parsed = ParsedRobotsKey::default();
            parsed.parse(key);
            match parsed.get_type() {
                ParseKeyType::UserAgent => {
                    if group_closed {
                        (in_ours, in_everyone, group_closed) = (false, false, false);
                    }
                    if is_everyone(value) {
                        in_everyone = true;
                    } else if product_token(value).eq_ignore_ascii_case(token) {
                        (in_ours, named) = (true, true);
                    }
                }
                kind @ (ParseKeyType::Allow | ParseKeyType::Disallow) => {
                    group_closed = true;
                    let allow = matches!(kind, ParseKeyType::Allow);
                    for (_, group) in
                        [(in_ours, &mut ours), (in_everyone, &mut everyone)].into_iter().filter(|(on, _)| *on)
                    {
                        add_rule(&mut group.rules, allow, value);
                    }
                }
                ParseKeyType::Sitemap => {
                    if sitemaps.len() < MOST_SITEMAPS {
                        sitemaps.push(value.to_owned());
                    }
                }
                ParseKeyType::Unknown if key.eq_ignore_ascii_case("crawl-delay") => {
                    let Some(delay) = parse_delay(value) else { continue };
                    for (_, group) in
                        [(in_ours, &mut ours), (in_everyone, &mut everyone)].into_iter().filter(|(on, _)| *on)
                    {
                        group.crawl_delay = Some(delay);
                    }
                }
                ParseKeyType::Unknown => {}
            }
        }
        let RuleGroup { mut rules, crawl_delay } = if named { ours } else { everyone };
        rules.sort_by(|a, b| b.pattern.len().cmp(&a.pattern.len()).then(b.allow.cmp(&a.allow)));
        rules.dedup();
        Self { rules, crawl_delay, sitemaps }
    }

    /// Whether this path (with its query) may be fetched. Expects percent-encoding as in a URL.
    pub fn allows_path(&self, path: &str) -> bool {
        if self.rules.is_empty() {
            return true;
        }
        let path = normalise(path, false);
        self.rules
            .iter()
            .find(|rule| matches(path.as_bytes(), rule.pattern.as_bytes()))
            .is_none_or(|rule| rule.allow)
    }

    /// Returns the approximate memory use in bytes.
    pub(super) fn memory_size(&self) -> usize {
        let rules: usize = self.rules.iter().map(|rule| rule.pattern.len() + size_of::<PathRule>()).sum();
        let sitemaps: usize = self.sitemaps.iter().map(|line| line.len() + size_of::<String>()).sum();
        rules + sitemaps
    }

    /// Returns the `Crawl-delay` of our group, not capped yet.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// Returns the `Sitemap` lines, unparsed.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }
}

fn cut(line: &str) -> &str {
    &line[..line.floor_char_boundary(LONGEST_LINE)]
}

/// Whether the agent is `*`, possibly followed by other words.
fn is_everyone(agent: &str) -> bool {
    agent.strip_prefix('*').is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

fn product_token(agent: &str) -> &str {
    let end = agent.find(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_'));
    &agent[..end.unwrap_or(agent.len())]
}

fn add_rule(rules: &mut Vec<PathRule>, allow: bool, value: &str) {
    if value.is_empty() {
        return;
    }
    let pattern = normalise(value, true);
    // Like the reference parser: allowing the index page of a directory allows the directory.
    if allow
        && let Some(slash) = pattern.rfind('/')
        && pattern[slash..].starts_with("/index.htm")
    {
        rules.push(PathRule { allow, pattern: format!("{}$", &pattern[..=slash]).into() });
    }
    rules.push(PathRule { allow, pattern: pattern.into() });
}

fn parse_delay(value: &str) -> Option<Duration> {
    let seconds: f64 = value.split_whitespace().next()?.parse().ok()?;
    // No longer delay is obeyed, and the cap prevents overflow.
    (seconds.is_finite() && seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(86_400.0)))
}

/// Uppercases percent escapes and, in rules, percent-encodes non-ASCII characters. Decodes nothing.
/// The path of a URL is already encoded.
fn normalise(path: &str, encode: bool) -> Cow<'_, str> {
    let bytes = path.as_bytes();
    let is_escape = |at: usize| {
        bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit)
            && bytes.get(at + 2).is_some_and(u8::is_ascii_hexdigit)
    };
    let needs = |(at, byte): (usize, &u8)| {
        (encode && !byte.is_ascii())
            || (*byte == b'%' && is_escape(at) && bytes[at + 1..at + 3].iter().any(u8::is_ascii_lowercase))
    };
    if !bytes.iter().enumerate().any(needs) {
        return Cow::Borrowed(path);
    }
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = String::with_capacity(path.len() + 16);
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'%' && is_escape(at) {
            out.push('%');
            out.push(char::from(bytes[at + 1].to_ascii_uppercase()));
            out.push(char::from(bytes[at + 2].to_ascii_uppercase()));
            at += 3;
            continue;
        }
        if byte.is_ascii() {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
        at += 1;
    }
    Cow::Owned(out)
}

/// Whether `pattern` matches a prefix of `path`: `*` matches anything, and a final `$` matches the
/// end of the path. Backtracks only to the last `*`, so it takes linear time for common patterns
/// and at most the product of the lengths.
fn matches(path: &[u8], pattern: &[u8]) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix(b"$") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let (mut at_path, mut at_pattern) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        if at_pattern == pattern.len() {
            if !anchored || at_path == path.len() {
                return true;
            }
        } else if pattern[at_pattern] == b'*' {
            at_pattern += 1;
            star = Some((at_pattern, at_path));
            continue;
        } else if at_path < path.len() && pattern[at_pattern] == path[at_path] {
            at_pattern += 1;
            at_path += 1;
            continue;
        }
        // Let the last `*` match one more byte.
        match &mut star {
            Some((after, from)) if *from < path.len() => {
                *from += 1;
                (at_pattern, at_path) = (*after, *from);
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests;
