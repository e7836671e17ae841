//! The `Link` header (RFC 8288).

use super::collect::{LinkCollector, LinkFilter, LinkOrigin};

/// A head does not hold more links than this.
const MAX_LINKS: usize = 200;

/// Adds the targets of `Link` headers, without those that a page is made of.
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

/// `<target>; parameters, <target>; parameters`, in pairs.
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
