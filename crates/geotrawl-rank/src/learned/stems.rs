//! Stems that indicate geospatial resources in the most frequent languages. They are searched
//! anywhere in a text, because some languages use compounds (`Kartendienste`).

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};
use std::sync::LazyLock;

/// At most 64, because each has one bit.
pub(super) const STEMS: &[&str] = &[
    "wms",
    "wfs",
    "wcs",
    "wmts",
    "csw",
    "ogc",
    "gis",
    "geo",
    "map",
    "sdi",
    "inspire",
    "arcgis",
    "kml",
    "gml",
    "shape",
    "spatial",
    "capabilit",
    "kart",
    "dienst",
    "carto",
    "sig",
    "servic",
    "serviz",
    "capas",
    "couche",
    "kaart",
    "dataset",
    "opendata",
    "data",
    "daten",
    "dato",
    "donn",
    "dados",
    "dane",
    "layer",
    "download",
    "metad",
    "catalog",
    "viewer",
    "visor",
    "atlas",
    "raster",
    "imagery",
    "kataster",
    "cadast",
    "portal",
    "thredds",
    "stac",
    "rest",
    "uslug",
    "usług",
    "карт",
    "сервис",
    "данны",
    "palvelu",
    "aineisto",
    "地図",
    "地理",
    "地图",
    "服务",
    "数据",
    "サービス",
    "データ",
];

static AUTOMATON: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    // Every link is searched, so the speed of a DFA is worth a few hundred kilobytes.
    AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::DFA))
        .build(STEMS)
        .ok()
});

/// Returns which stems a text contains, one bit per stem.
pub(super) fn find_stems(text: &str) -> u64 {
    let Some(automaton) = AUTOMATON.as_ref().filter(|_| !text.is_empty()) else { return 0 };
    automaton.find_iter(text).fold(0, |seen, hit| seen | 1 << (hit.pattern().as_u32() % 64))
}

/// Returns the stems of a bit set.
pub(super) fn stems_in_set(mut set: u64) -> impl Iterator<Item = (usize, &'static str)> {
    std::iter::from_fn(move || {
        let number = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some((number, STEMS.get(number).copied().unwrap_or_default()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_found_inside_words() {
        assert!(STEMS.len() <= 64);
        let found: Vec<&str> =
            stems_in_set(find_stems("/Kartendienste/übersicht")).map(|(_, stem)| stem).collect();
        assert_eq!(found, ["kart", "dienst"]);
        assert_eq!(find_stems("weather"), 0);
    }
}
