//! OGC API - Tiles.

use super::{OgcApi, OgcInterface};
use crate::kinds::{CorpusLabel, Family, KindProfile, MapRenderer, RubricRow};

/// Tiles of collections.
pub static TILES: OgcApi = OgcApi { api: OgcInterface::Tiles, profile: &PROFILE };

static PROFILE: KindProfile = KindProfile {
    id: "ogcapi-tiles",
    name: "OGC API - Tiles",
    what: "Tiles of maps, features or coverages. Each collection or dataset with tiles is a dataset, never a tile matrix.",
    specification: "https://docs.ogc.org/is/20-057/20-057.html",
    evidence: "Its conformance classes, tile sets, or collections with links to tile sets.",
    false_positives: "TileJSON and WMTS, which describe tiles differently.",
    family: Family::Tiles,
    protocol: Some("OGC API - Tiles"),
    rubric_row: RubricRow::Tiles,
    operation_words: ("tiles", "returned"),
    corpus_labels: &[
        CorpusLabel::plain("ogcapi-collection"),
        CorpusLabel::plain("ogcapi-collections"),
        CorpusLabel::plain("ogcapi-conformance"),
        CorpusLabel::plain("ogcapi-landing"),
        CorpusLabel::plain("ogcapi-tilematrixsets"),
        CorpusLabel::plain("ogcapi-tilesets"),
    ],
    drawer: Some(MapRenderer::OgcTiles),
    ..KindProfile::OGC_API
};
