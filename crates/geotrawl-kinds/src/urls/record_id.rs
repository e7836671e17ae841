//! Ids of records: the same for every URL of one resource.

use sha2::{Digest, Sha256};
use url::Url;

/// Characters of an id: no vowels but `a` and `e`, no characters that are easily confused.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Returns the URL without scheme, `www.` and default port: URLs that differ only in these are one
/// record.
pub fn identity_key(url: &str) -> String {
    match Url::parse(url) {
        Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => {
            let host = parsed.host_str().unwrap_or_default();
            let host = host.strip_prefix("www.").unwrap_or(host);
            let port = parsed.port().map(|port| format!(":{port}")).unwrap_or_default();
            let query = parsed.query().map(|query| format!("?{query}")).unwrap_or_default();
            format!("{host}{port}{}{query}", parsed.path())
        }
        _ => url.to_owned(),
    }
}

/// Returns the id of the record with this kind and URL, whether or not the catalogue contains it.
pub fn record_id(kind: &str, url: &str) -> String {
    let digest =
        Sha256::new().chain_update(kind).chain_update([0]).chain_update(identity_key(url)).finalize();
    // 80 bits, 5 per character.
    let bits = digest.iter().take(10).fold(0u128, |bits, byte| (bits << 8) | u128::from(*byte));
    (0..16).rev().map(|nth| char::from(ALPHABET[(bits >> (nth * 5)) as usize & 31])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheme_www_and_default_port_do_not_make_another_service() {
        let key = identity_key("https://www.example.org:443/ows?map=/a.map");
        assert_eq!(key, "example.org/ows?map=/a.map");
        assert_eq!(identity_key("http://example.org:80/ows?map=/a.map"), key);
        assert_ne!(identity_key("http://example.org:8080/ows?map=/a.map"), key);
        assert_ne!(identity_key("http://example.org/ows?map=/b.map"), key);
        assert_eq!(identity_key("not a url"), "not a url");
    }

    #[test]
    fn ids_are_short_and_stable() {
        let id = record_id("wms", "http://example.org/ows");
        assert_eq!(id.len(), 16);
        assert_eq!(record_id("wms", "https://www.example.org/ows"), id);
        assert_ne!(record_id("wfs", "http://example.org/ows"), id);
    }
}
