//! Hosts and domains of URLs.

use super::canonical::write_origin;
use url::{Host, Url};

/// Returns scheme, host and port, the unit of robots.txt and crawl delays, e.g.
/// `https://example.org:8443`.
pub fn host_key(url: &Url) -> String {
    let mut key = String::with_capacity(48);
    write_origin(url, &mut key);
    key
}

/// Returns the registrable domain by the public suffix list (`example.co.uk` for
/// `maps.example.co.uk`), or the host itself if it has none (IP addresses, single names, suffixes).
pub fn registrable_domain(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            psl::domain_str(name).unwrap_or(name).to_owned()
        }
        _ => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_domains() {
        for (url, key, of) in [
            ("https://Maps.example.co.uk:443/a", "https://maps.example.co.uk", "example.co.uk"),
            ("http://maps.example.org:8080/", "http://maps.example.org:8080", "example.org"),
            ("http://10.0.0.1/", "http://10.0.0.1", "10.0.0.1"),
            ("http://[::1]:81/", "http://[::1]:81", "[::1]"),
            ("http://localhost/", "http://localhost", "localhost"),
            ("http://a.example.org./", "http://a.example.org", "example.org"),
        ] {
            let url = Url::parse(url).unwrap();
            assert_eq!(host_key(&url), key);
            assert_eq!(registrable_domain(&url), of);
        }
    }
}
