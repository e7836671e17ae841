//! Pages closer to their seed first; within a level, those
//! whose URL or text mentions maps and data.

use crate::{FIRST, FrontierRanking, LAST, LinkToRank, RankExplanation, RankReason};
use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind};
use std::sync::LazyLock;

/// Rank difference of adjacent levels.
const LEVEL: u32 = 1_000;
/// Rank improvement per hint within a level.
const HINT: u32 = 100;
const MOST_HINTS: u32 = 4;

/// Words that indicate geospatial resources in the most frequent languages (from Li 2010's term
/// list and the service vocabulary of ten languages). They change the order but exclude nothing.
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
    // Every link is searched, so the speed of a DFA is worth a few hundred kilobytes.
    LazyLock::new(|| {
        let kind = Some(AhoCorasickKind::DFA);
        AhoCorasickBuilder::new().ascii_case_insensitive(true).kind(kind).build(WORDS).ok()
    });

pub(crate) struct HintsRanking;

impl FrontierRanking for HintsRanking {
    fn name(&self) -> &'static str {
        "hints"
    }

    fn rank_link(&self, link: &LinkToRank<'_>) -> u32 {
        let level = FIRST.saturating_add(link.depth.min(999).saturating_mul(LEVEL));
        level.saturating_sub(HINT * hints(link).count_ones().min(MOST_HINTS)).clamp(FIRST, LAST)
    }

    fn explain_rank(&self, link: &LinkToRank<'_>) -> RankExplanation {
        let telling = hints(link);
        let level = RankReason {
            name: "depth".into(),
            adds: -f64::from(link.depth),
            text: format!("{} links from its seed", link.depth),
        };
        let words = WORDS.iter().enumerate().filter(|(number, _)| telling & (1 << number) != 0);
        let words = words.map(|(_, word)| RankReason {
            name: format!("word:{word}"),
            adds: f64::from(HINT) / f64::from(LEVEL),
            text: format!("contains '{word}'"),
        });
        let reasons = std::iter::once(level).chain(words).collect();
        RankExplanation { ordering: self.name().into(), place: self.rank_link(link), expects: None, reasons }
    }
}

/// Returns which words a link contains, one bit per word.
fn hints(link: &LinkToRank<'_>) -> u64 {
    let Some(words) = HINTS.as_ref() else { return 0 };
    let path = link.url.find("://").map_or("", |at| {
        let rest = &link.url[at + 3..];
        rest.find('/').map_or("", |slash| rest[slash..].split('?').next().unwrap_or_default())
    });
    let mut seen = 0_u64;
    for text in [path, link.words] {
        for hit in words.find_iter(text) {
            seen |= 1 << hit.pattern().as_u32();
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PageContext;

    fn link<'a>(url: &'a str, words: &'a str, depth: u32) -> LinkToRank<'a> {
        LinkToRank { url, words, way: "href", depth, width: 1, origin: PageContext::default() }
    }

    #[test]
    fn nearer_pages_first_and_telling_words_first_within_a_level() {
        let place = |url, words, depth| HintsRanking.rank_link(&link(url, words, depth));
        let (plain, telling) = ("http://a/news/1", "http://a/gis/wms");
        assert!(place(telling, "Karten und Dienste", 2) < place(plain, "weather", 2));
        assert!(place(plain, "weather", 1) < place(telling, "Karten und Dienste", 2));
        let why = HintsRanking.explain_rank(&link(telling, "", 2));
        assert!(why.reasons.iter().any(|reason| reason.name == "word:wms"), "{why:?}");
    }

    #[test]
    fn the_hint_mask_has_room_for_every_word() {
        assert!(WORDS.len() <= 64);
    }
}
