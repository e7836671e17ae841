//! Orderings: which pending item of a host, and which host, goes first. Smaller is sooner.

use crate::options::Ordering;
use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind};
use geotrawl_kinds::probe::{Intent, Target};
use std::sync::LazyLock;

/// Probes are few, cheap and what people wait for.
const PROBE: u32 = 0;
/// A page of a catalogue names many services at once.
const HARVEST: u32 = 20;
/// A sitemap tells much for one request.
const SITEMAP: u32 = 50;
/// First page level; deeper levels follow in steps of [`LEVEL`].
const PAGES: u32 = 1_000;
const LEVEL: u32 = 1_000;
/// What the words of a link can move it within its level.
const HINT: u32 = 100;
const MOST_HINTS: u32 = 4;

/// Words that stand near geospatial resources in the languages we meet most (facts: Li 2010's term
/// list, and the service vocabulary of ten languages). A prior, not a filter.
const WORDS: &[&str] = &[
    "wms",
    "wfs",
    "wcs",
    "wmts",
    "csw",
    "gis",
    "geo",
    "map",
    "ogc",
    "inspire",
    "arcgis",
    "kml",
    "shape",
    "spatial",
    "capabilities",
    "karte",
    "dienst",
    "carto",
    "sig",
    "mapa",
    "servicio",
    "capas",
    "couche",
    "kaart",
    "kartta",
    "dataset",
    "opendata",
    "layer",
    "download",
    "metadata",
    "catalog",
    "地図",
    "карт",
    "地理",
];

static HINTS: LazyLock<Option<AhoCorasick>> =
    // Every link is asked: the table of a full automaton is worth its few hundred kilobytes.
    LazyLock::new(|| {
        let kind = Some(AhoCorasickKind::DFA);
        AhoCorasickBuilder::new().ascii_case_insensitive(true).kind(kind).build(WORDS).ok()
    });

/// The priority of a target found at `depth`.
pub fn priority(ordering: Ordering, target: &Target, depth: u32) -> u32 {
    match target.intent {
        Intent::Ows { .. } | Intent::File | Intent::Ask { .. } => PROBE,
        Intent::Harvest { .. } => HARVEST,
        Intent::Sitemap => SITEMAP,
        Intent::Page => match ordering {
            Ordering::Fifo => PAGES,
            Ordering::Hints => {
                let level = PAGES.saturating_add(depth.min(1_000).saturating_mul(LEVEL));
                level.saturating_sub(HINT * hints(target).min(MOST_HINTS))
            }
        },
    }
}

fn hints(target: &Target) -> u32 {
    let Some(words) = HINTS.as_ref() else { return 0 };
    let mut seen = 0_u64;
    for text in [target.url.path(), target.words.as_str()] {
        for hit in words.find_iter(text) {
            seen |= 1 << hit.pattern().as_u32();
        }
    }
    seen.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::Url;

    fn target(url: &str, intent: Intent, words: &str) -> Target {
        Target { words: words.into(), ..Target::new(Url::parse(url).unwrap(), intent, "href") }
    }

    #[test]
    fn probes_go_before_sitemaps_before_pages() {
        let probe = target("http://a/wms", Intent::Ows { kind: "wms".into(), siblings: false }, "");
        let map = target("http://a/sitemap.xml", Intent::Sitemap, "");
        let page = target("http://a/", Intent::Page, "");
        let of = |t| priority(Ordering::Hints, t, 1);
        assert!(of(&probe) < of(&map) && of(&map) < of(&page));
    }

    #[test]
    fn nearer_pages_first_and_telling_words_first_within_a_level() {
        let plain = target("http://a/news/1", Intent::Page, "weather");
        let telling = target("http://a/gis/wms", Intent::Page, "Karten und Dienste");
        assert!(priority(Ordering::Hints, &telling, 2) < priority(Ordering::Hints, &plain, 2));
        assert!(priority(Ordering::Hints, &plain, 1) < priority(Ordering::Hints, &telling, 2));
        assert_eq!(priority(Ordering::Fifo, &plain, 1), priority(Ordering::Fifo, &telling, 9));
    }

    #[test]
    fn the_hint_mask_has_room_for_every_word() {
        assert!(WORDS.len() <= 64);
    }
}
