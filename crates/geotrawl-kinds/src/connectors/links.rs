//! Classifies the links of catalogue records.

use crate::probe::CrawlTarget;
use crate::urls;
use geotrawl_model::{Intent, RecordLink};
use url::Url;

/// Words in a protocol or format that name a service, with the service.
const OWS: &[(&str, &str)] = &[
    ("wmts", "wmts"),
    ("web map tile service", "wmts"),
    ("wms", "wms"),
    ("web map service", "wms"),
    ("wfs", "wfs"),
    ("web feature service", "wfs"),
    ("wcs", "wcs"),
    ("web coverage service", "wcs"),
    ("wps", "wps"),
    ("csw", "csw"),
    ("sos", "sos"),
];

/// Appends the targets for a record's link. The type stated in the catalogue is used only if the
/// URL alone is not conclusive.
pub fn link_targets(base: &Url, link: &RecordLink, words: &str, out: &mut Vec<CrawlTarget>) {
    let Some(url) = urls::clean_link(&link.url, base) else { return };
    let before = out.len();
    let words: String = words.chars().take(200).collect();
    urls::append_targets(url.clone(), "catalogue".into(), &words, out);
    let sure = out[before..].iter().any(|target| target.intent.is_probe());
    if !sure && let Some(kind) = named_service(link) {
        let intent = Intent::Ows { kind: kind.to_owned(), siblings: false };
        out.truncate(before);
        out.push(CrawlTarget { words, ..CrawlTarget::new(urls::endpoint_url(&url), intent, "catalogue") });
    }
    if let Some(name) = link.name.as_deref().filter(|name| !name.is_empty() && name.len() <= 200) {
        for target in &mut out[before..] {
            if matches!(target.intent, Intent::Ows { .. }) && target.layers.is_empty() {
                target.layers.push(name.to_owned());
            }
        }
    }
}

/// Returns the service that the catalogue states for the link.
fn named_service(link: &RecordLink) -> Option<&'static str> {
    let named = |text: &Option<String>| {
        let text = text.as_deref()?.to_ascii_lowercase();
        let has = |word: &str| {
            text.match_indices(word).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let after = text[at + word.len()..].chars().next();
                !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
            })
        };
        OWS.iter().find(|(word, _)| has(word)).map(|(_, kind)| *kind)
    };
    named(&link.protocol).or_else(|| named(&link.format))
}
