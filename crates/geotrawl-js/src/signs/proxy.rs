//! Proxies: prefixes that code puts before a URL so that its own server requests it.

use super::address::{contains_ignore_case, find_ignore_case, is_absolute, starts_with_ignore_case};
use crate::model::HOLE;

/// Maximum number of prefixes per application.
const MOST: usize = 32;

/// Proxy prefixes that the code declares.
#[derive(Debug, Default)]
pub struct ProxyPrefixes {
    prefixes: Vec<String>,
}

/// Returns whether a member or variable with this name holds a proxy prefix.
pub fn is_proxy_name(name: &str) -> bool {
    name.len() <= 40
        && contains_ignore_case(name, "proxy")
        && !contains_ignore_case(name, "type")
        && !contains_ignore_case(name, "timeout")
}

impl ProxyPrefixes {
    /// Adds a prefix that the code declares as its proxy.
    pub fn add_prefix(&mut self, prefix: &str) {
        let prefix = prefix.trim();
        // `true`, a bare host and the like cannot be distinguished from the start of an ordinary
        // URL.
        let wraps = prefix.ends_with(['?', '=', '/', '&']) || contains_ignore_case(prefix, "proxy");
        if wraps
            && prefix.len() > 2
            && prefix.len() < 512
            && self.prefixes.len() < MOST
            && !prefix.contains(' ')
        {
            let known = self.prefixes.iter().any(|known| known == prefix);
            if !known {
                self.prefixes.push(prefix.to_owned());
            }
        }
    }

    /// Returns whether a text is the proxy itself.
    pub fn is_prefix(&self, text: &str) -> bool {
        let text = text.trim_end_matches(['?', '/', '&', '=']);
        self.prefixes.iter().any(|prefix| prefix.trim_end_matches(['?', '/', '&', '=']) == text)
            || contains_ignore_case(text, "proxy")
                && (text.ends_with("url") || text.ends_with("uri"))
                && find_ignore_case(text, "?").is_some()
    }

    /// Returns whether a text is a proxy followed by an unknown URL.
    pub fn is_open(&self, text: &str) -> bool {
        text.find(HOLE).is_some_and(|at| {
            text.get(..at).is_some_and(|before| {
                let known = self.prefixes.iter().any(|prefix| prefix == before);
                known || before.ends_with(['?', '=', '/']) && contains_ignore_case(before, "proxy")
            })
        })
    }

    /// Returns the URL that a proxy forwards to, if it is certain.
    pub fn unwrap_url(&self, text: &str) -> Option<String> {
        for prefix in &self.prefixes {
            if let Some(rest) = text.strip_prefix(prefix.as_str()) {
                let rest = rest.trim_start_matches(['?', '/', '&']);
                let rest = rest.strip_prefix("url=").unwrap_or(rest);
                if let Some(inner) = inner(rest) {
                    return Some(inner);
                }
            }
        }
        // An undeclared proxy is still recognised by its name before the inner URL.
        let at = ["http://", "https://", "http%3a%2f%2f", "https%3a%2f%2f", "http:%2f%2f", "https:%2f%2f"]
            .iter()
            .filter_map(|mark| text.get(1..).and_then(|rest| find_ignore_case(rest, mark)).map(|at| at + 1))
            .min()?;
        let (before, rest) = (text.get(..at)?, text.get(at..)?);
        let carries = before.ends_with(['?', '=', '/']);
        (carries && (contains_ignore_case(before, "proxy") || contains_ignore_case(before, "cors")))
            .then(|| inner(rest))
            .flatten()
    }
}

/// Returns an absolute URL, decoding it if necessary.
fn inner(text: &str) -> Option<String> {
    if starts_with_ignore_case(text, "http://") || starts_with_ignore_case(text, "https://") {
        return Some(text.to_owned());
    }
    let encoded = starts_with_ignore_case(text, "http%3a")
        || starts_with_ignore_case(text, "https%3a")
        || starts_with_ignore_case(text, "http:%2f")
        || starts_with_ignore_case(text, "https:%2f");
    if !encoded {
        return None;
    }
    let decoded = percent_decode(text);
    is_absolute(&decoded).then_some(decoded)
}

/// Decodes percent escapes as UTF-8; leaves invalid escapes unchanged.
pub fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).and_then(|d| std::str::from_utf8(d).ok());
        if let Some(value) = digits.filter(|_| byte == b'%').and_then(|d| u8::from_str_radix(d, 16).ok()) {
            out.push(value);
            at += 3;
        } else {
            out.push(byte);
            at += 1;
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_and_plain_proxies_are_unwrapped() {
        let mut proxies = ProxyPrefixes::default();
        proxies.add_prefix("/cgi-bin/fetch.py?u=");
        proxies.add_prefix("true");
        for (text, inside) in [
            (
                "/cgi-bin/fetch.py?u=http%3A%2F%2Fa.example%2Fwms%3Fmap%3Db",
                Some("http://a.example/wms?map=b"),
            ),
            ("/cgi-bin/fetch.py?u=http://a.example/wms", Some("http://a.example/wms")),
            ("/proxy?url=https://a.example/wms?x=1", Some("https://a.example/wms?x=1")),
            ("/proxy/_1d/https://a.example/wms", Some("https://a.example/wms")),
            ("https://b.example/proxy.ashx?http://a.example/arcgis", Some("http://a.example/arcgis")),
            ("https://b.example/viewer?wms=http://a.example/wms", None),
            ("http://a.example/wms", None),
            ("/wms", None),
        ] {
            assert_eq!(proxies.unwrap_url(text).as_deref(), inside, "{text}");
        }
        assert!(proxies.is_prefix("/cgi-bin/fetch.py?u="));
        assert!(!proxies.is_prefix("/wms"));
    }
}
