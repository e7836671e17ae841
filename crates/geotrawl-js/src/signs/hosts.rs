//! Recognises several hosts of one source: `https://a.tiles.example/...` and
//! `https://b.tiles.example/...`.

use super::address::is_absolute;

/// Splits an absolute URL into its host and the rest.
fn parts(text: &str) -> Option<(&str, &str)> {
    if !is_absolute(text) {
        return None;
    }
    let (_, after) = text.split_once("//")?;
    let end = after.find(['/', '?', '#']).unwrap_or(after.len());
    Some((after.get(..end)?, after.get(end..)?))
}

/// Returns whether two URLs of the same list differ only in one label of their hosts.
pub fn same_source(a: &str, b: &str) -> bool {
    let (Some((host_a, rest_a)), Some((host_b, rest_b))) = (parts(a), parts(b)) else { return false };
    if rest_a.trim_end_matches(['?', '&']) != rest_b.trim_end_matches(['?', '&']) {
        return false;
    }
    let (mut labels_a, mut labels_b) = (host_a.rsplit('.'), host_b.rsplit('.'));
    let mut differing = 0;
    let mut at = 0;
    loop {
        match (labels_a.next(), labels_b.next()) {
            (None, None) => return differing <= 1,
            // `tiles.example` beside `a.tiles.example`.
            (None, Some(_)) | (Some(_), None) => return at >= 2 && differing == 0,
            (Some(x), Some(y)) if x == y => {}
            // The last two labels identify the owner.
            (Some(_), Some(_)) if at < 2 => return false,
            _ => differing += 1,
        }
        at += 1;
    }
}

/// Returns whether two URLs from different places are mirrors: the differing label is a letter or
/// ends in a number.
pub fn are_mirrors(a: &str, b: &str) -> bool {
    if !same_source(a, b) {
        return false;
    }
    let first = |text| parts(text).and_then(|(host, _)| host.split('.').next());
    let (Some(a), Some(b)) = (first(a), first(b)) else { return false };
    let stem = |label: &str| label.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    a == b
        || a.len() == 1 && b.len() == 1
        || (stem(a) < a.len() && stem(b) < b.len() && a.get(..stem(a)) == b.get(..stem(b)))
}

/// Returns a key that mirrors share, the URL without scheme and first label, so that not all pairs
/// need to be compared.
pub fn mirror_key(text: &str) -> Option<&str> {
    let (host, _) = parts(text)?;
    let (_, after) = text.split_once("//")?;
    let dot = host.find('.')?;
    after.get(dot..).map(|key| key.trim_end_matches(['?', '&']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_one_source_are_told() {
        let (a, b) = ("https://a.tiles.example/{z}/{x}/{y}.png", "https://b.tiles.example/{z}/{x}/{y}.png");
        assert!(same_source(a, b) && are_mirrors(a, b));
        assert_eq!(mirror_key(a), mirror_key(b));
        assert!(are_mirrors("http://t1.maps.example/wms", "http://t2.maps.example/wms?"));
        assert!(same_source("http://wms.maps.example/x", "http://wms2.maps.example/x"));
        assert!(!are_mirrors("http://wms.maps.example/x", "http://wfs.maps.example/x"));
        assert!(!same_source("http://a.example/x", "http://b.example/x"));
        assert!(!same_source("http://a.maps.example/x", "http://a.maps.example/y"));
        assert!(!same_source("/x", "/x"));
    }
}
