//! The `Link` header (RFC 8288).

use super::collect::{LinkCollector, LinkFilter, LinkOrigin};

/// Maximum number of links to read from the headers of a response.
const MAX_LINKS: usize = 200;

/// Adds the targets of `Link` headers, except the files that a page consists of.
pub(super) fn add_links(headers: &[String], collector: &mut LinkCollector<'_>) {
    for (target, parameters) in headers.iter().flat_map(|h| links_of(h)).take(MAX_LINKS) {
        let lower = parameters.to_ascii_lowercase();
        const MATERIAL: [&str; 8] = [
            "preload",
            "preconnect",
            "stylesheet",
            "dns-prefetch",
            "icon",
            "shortlink",
            "modulepreload",
            "api.w.org",
        ];
        if MATERIAL.iter().any(|word| lower.contains(word)) {
            continue;
        }
        let accept = if lower.contains("google-earth") { LinkFilter::File } else { LinkFilter::All };
        collector.add(target, LinkOrigin::LinkHeader, accept, String::new);
    }
}

/// Splits `<target>; parameters, <target>; parameters` into pairs.
fn links_of(header: &str) -> impl Iterator<Item = (&str, &str)> {
    header.split('<').skip(1).filter_map(|piece| piece.split_once('>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_and_parameters_are_parted() {
        let header = "<https://x.org/a,b>; rel=\"next\", </c>;rel=preload, <broken";
        let all: Vec<_> = links_of(header).collect();
        assert_eq!(all, [("https://x.org/a,b", "; rel=\"next\", "), ("/c", ";rel=preload, ")]);
    }
}
