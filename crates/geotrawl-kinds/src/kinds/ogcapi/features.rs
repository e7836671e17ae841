//! OGC API - Features.

use super::{OgcApi, OgcInterface};
use crate::kinds::{Family, KindProfile, MapRenderer, QgisConnection, QgisLayer, RubricRow};

/// Features of collections.
pub static FEATURES: OgcApi = OgcApi { api: OgcInterface::Features, profile: &PROFILE };

static PROFILE: KindProfile = KindProfile {
    id: "ogcapi-features",
    name: "OGC API - Features",
    what: "Features through a web API, collection by collection. Each collection is a dataset.",
    specification: "https://docs.ogc.org/is/17-069r4/17-069r4.html",
    evidence: "A landing page or conformance document with its classes (or those of WFS 3), or collections with items.",
    false_positives: "STAC APIs, which are built on it and reported as STAC; shops, which also have collections.",
    family: Family::Features,
    protocol: Some("OGC API - Features"),
    rubric_row: RubricRow::Features,
    operation_words: ("features", "returned"),
    drawer: Some(MapRenderer::Features),
    qgis_connection: Some(QgisConnection::Wfs),
    qgis_layer: Some(QgisLayer::OgcFeatures),
    ..KindProfile::OGC_API
};
