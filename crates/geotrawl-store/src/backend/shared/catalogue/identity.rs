//! Decides when two finds are the same resource, and which of its URLs is shown.

use geotrawl_model::{Bbox, Evidence, Resource};
use sha2::{Digest, Sha256};
use url::Url;

/// Returns a sort key for the URLs of a resource, the preferred one first: https before http,
/// fewest parameters, shortest, then alphabetical. A total order, so that the choice does not
/// depend on the order of discovery.
pub(super) fn url_preference(url: &str) -> String {
    let scheme = match url.split_once(':') {
        Some(("https", _)) => 0,
        Some(("http", _)) => 1,
        _ => 2,
    };
    let parameters = url.split_once('?').map_or(0, |(_, query)| query.split('&').count());
    format!("{scheme}{:06}{:08}{url}", parameters.min(999_999), url.len().min(99_999_999))
}

/// Returns the host name, or an empty string if the URL has none.
pub(super) fn host_name(url: &str) -> String {
    Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

/// Returns the registrable part of a host name. IP addresses and bare names are returned unchanged.
pub(super) fn registrable_domain(host: &str) -> String {
    let is_address = host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok();
    if is_address { host.to_owned() } else { psl::domain_str(host).unwrap_or(host).to_owned() }
}

/// Returns a hash that aliases on one domain share, if there is one.
///
/// A service (proven by a request to its endpoint) is identified by its datasets: their names,
/// titles and boxes. A file (proven by its own URL) is identified by its bytes, if all were read,
/// because files of different years often hold layers with the same names and boxes.
pub(super) fn content_fingerprint(resource: &Resource, evidence: &Evidence) -> Option<Vec<u8>> {
    let mut hash = Sha256::new().chain_update(&resource.kind);
    if evidence.request == resource.url {
        if evidence.range.is_some() || evidence.hash.is_empty() || evidence.bytes == 0 {
            return None;
        }
        hash.update([0]);
        hash.update(&evidence.hash);
        return Some(hash.finalize().to_vec());
    }
    if resource.datasets.is_empty() {
        return None;
    }
    let mut parts: Vec<Vec<u8>> = resource
        .datasets
        .iter()
        .map(|dataset| {
            let title = dataset.title.as_deref().unwrap_or_default();
            let bbox = dataset.bbox.map(rounded).unwrap_or_default();
            [dataset.name.as_bytes(), title.as_bytes(), bbox.as_bytes()].join(&0)
        })
        .collect();
    parts.sort_unstable();
    hash.update([1]);
    hash.update(resource.dataset_count.to_be_bytes());
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    Some(hash.finalize().to_vec())
}

/// Formats a box with three decimals, about a hundred metres.
fn rounded(bbox: Bbox) -> String {
    <[f64; 4]>::from(bbox).map(|degrees| format!("{}", (degrees * 1000.0).round() as i64)).join(",")
}

/// Returns the key that related services share.
pub(super) fn service_cluster(url: &str) -> Option<String> {
    Url::parse(url).ok().map(|url| geotrawl_kinds::urls::cluster_key(&url))
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_model::Dataset;

    #[test]
    fn preferred_urls_are_secure_simple_and_short() {
        let order = [
            "https://a.example/ows",
            "https://a.example/geo/ows",
            "https://b.example/geo/ows",
            "https://a.example/ows?map=x",
            "https://a.example/ows?map=x&y=1",
            "http://a.example/ows",
            "ftp://a.example/ows",
        ];
        let mut sorted = order;
        sorted.sort_by_key(|url| url_preference(url));
        assert_eq!(sorted, order);
    }

    #[test]
    fn domains_follow_the_public_suffix_list() {
        assert_eq!(registrable_domain("maps.city.gov.uk"), "city.gov.uk");
        assert_eq!(registrable_domain("geo.example.org"), "example.org");
        assert_eq!(registrable_domain("10.1.2.3"), "10.1.2.3");
        assert_eq!(registrable_domain("[::1]"), "[::1]");
        assert_eq!(registrable_domain("localhost"), "localhost");
        assert_eq!(registrable_domain(""), "");
    }

    #[test]
    fn services_are_known_by_what_they_offer_and_files_by_their_bytes() {
        let layers = |names: &[&str]| {
            names
                .iter()
                .map(|name| Dataset { name: (*name).into(), ..Dataset::default() })
                .collect::<Vec<_>>()
        };
        let service = |datasets: Vec<Dataset>| Resource {
            kind: "wms".into(),
            url: "http://a.example/ows".into(),
            dataset_count: datasets.len() as u64,
            datasets,
            ..Resource::default()
        };
        let asked = Evidence {
            request: "http://a.example/ows?REQUEST=GetCapabilities".into(),
            ..Evidence::default()
        };
        let ab = content_fingerprint(&service(layers(&["a", "b"])), &asked);
        assert!(ab.is_some());
        assert_eq!(content_fingerprint(&service(layers(&["b", "a"])), &asked), ab);
        assert_ne!(content_fingerprint(&service(layers(&["a", "c"])), &asked), ab);
        assert_eq!(content_fingerprint(&service(layers(&[])), &asked), None);

        let file = |hash: &str, range: Option<&str>| Evidence {
            request: "http://a.example/ows".into(),
            hash: hash.into(),
            bytes: 9,
            range: range.map(Into::into),
            ..Evidence::default()
        };
        let whole = content_fingerprint(&service(layers(&["a"])), &file("1", None));
        assert!(whole.is_some());
        assert_ne!(content_fingerprint(&service(layers(&["a"])), &file("2", None)), whole);
        assert_eq!(content_fingerprint(&service(layers(&["a"])), &file("1", Some("bytes=0-9"))), None);
    }
}
