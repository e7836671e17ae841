//! One robots.txt as it concerns us: the rules of our group, ready for matching.
//!
//! The line grammar with its common misspellings is that of the `robotstxt` crate, a port of the
//! reference parser. Grouping and matching are our own: the crate's matcher reads the whole file again
//! for every URL, is quadratic in the length of a path with `*`, lets other lines between two
//! `User-agent` lines end a group, and can slice inside a character of a line longer than 16 KiB.

use robotstxt::DefaultMatcher;
use robotstxt::parser::{ParseKeyType, ParsedRobotsKey, RobotsTxtParser};
use std::borrow::Cow;
use std::time::Duration;

/// Longer lines are cut, where the reference cuts them: no path that matters is so long.
const LONGEST_LINE: usize = 2083 * 8 - 1;
/// `Sitemap` lines kept of one file.
const MOST_SITEMAPS: usize = 1000;

/// What a robots.txt says to us.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RobotsRules {
    /// Longest first, allow before disallow of the same length: the first match decides.
    rules: Vec<PathRule>,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct PathRule {
    allow: bool,
    pattern: Box<str>,
}

/// Rules of one group while reading.
#[derive(Default)]
struct RuleGroup {
    rules: Vec<PathRule>,
    crawl_delay: Option<Duration>,
}

impl RobotsRules {
    /// Reads a file; `token` is our name. Never fails: what is no rule is passed over, so an HTML page
    /// in place of a robots.txt gives no rules.
    pub fn parse(text: &str, token: &str) -> Self {
        let (mut ours, mut everyone) = (RuleGroup::default(), RuleGroup::default());
        let mut named = false;
        let (mut in_ours, mut in_everyone) = (false, false);
        // A rule has been seen since the last User-agent line: the next one begins a new group.
        let mut group_closed = false;
        let mut sitemaps = Vec::new();

        // A byte order mark, whole or (then no UTF-8) broken, is not part of the first line.
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

    /// Whether we may fetch this path (with its query), percent-encoded as in a URL.
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

    /// Memory the rules take, roughly.
    pub(super) fn memory_size(&self) -> usize {
        let rules: usize = self.rules.iter().map(|rule| rule.pattern.len() + size_of::<PathRule>()).sum();
        let sitemaps: usize = self.sitemaps.iter().map(|line| line.len() + size_of::<String>()).sum();
        rules + sitemaps
    }

    /// `Crawl-delay` of our group, as written (not yet capped).
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// `Sitemap` lines, as written.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }
}

fn cut(line: &str) -> &str {
    &line[..line.floor_char_boundary(LONGEST_LINE)]
}

/// `*`, also with words behind it.
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
    // As the reference does: whoever allows a directory's index page allows the directory.
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
    // A day is longer than any delay that is honoured, and keeps the arithmetic safe.
    (seconds.is_finite() && seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(86_400.0)))
}

/// Writes escapes in upper case and, in a rule, percent-encodes what is not ASCII; nothing is decoded.
/// The path of a URL has been encoded already.
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

/// `pattern` matches a prefix of `path`; `*` is anything, `$` at the end is the end of the path.
/// Greedy with one point of return: linear for real patterns, the product of lengths at worst.
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
        // Let the last `*` take one byte more.
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
