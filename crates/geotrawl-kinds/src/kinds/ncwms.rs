//! ncWMS: identified in the capabilities of a WMS, without a separate request.

use super::{
    CorpusLabel, Kind, KindProfile, MapRenderer, MetadataDepth, ParentDocument, QgisConnection, QgisLayer,
};
use geotrawl_model::Resource;

/// ncWMS and its library EDAL, also as part of THREDDS.
pub struct NcwmsKind;

/// Kind id.
const ID: &str = "ncwms";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ncWMS",
    what: "A WMS for multidimensional scientific data with additional requests for variables, times, depths and \
           values (GetMetadata, GetTimeseries, GetVerticalProfile).",
    specification: "https://reading-escience-centre.gitbooks.io/ncwms-user-guide/content/",
    evidence: "A WMS whose capabilities name ncWMS or EDAL, or that is at the WMS path of a THREDDS server.",
    false_positives: "Other WMS software that serves NetCDF files; the WMS of ERDDAP.",
    read_from: Some("wms"),
    kept_bytes: 1 << 20,
    protocol: Some("OGC:WMS"),
    metadata: MetadataDepth::Terse,
    corpus_labels: &[CorpusLabel::versioned("wms-capabilities")],
    drawer: Some(MapRenderer::Wms),
    terria_type: Some("wms-group"),
    qgis_connection: Some(QgisConnection::Wms),
    qgis_layer: Some(QgisLayer::Wms),
    ..KindProfile::MAP_SERVICE
};

impl Kind for NcwmsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn derive_resource(&self, parent: &ParentDocument<'_>) -> Option<Resource> {
        let wms = parent.resource;
        let is_one = parent.root.attrs.iter().any(|(_, value)| value.contains("edal-java"))
            || wms.url.to_ascii_lowercase().contains("/thredds/wms/")
            || wms.software.as_deref().is_some_and(|software| software.starts_with("ncWMS"));
        (parent.kind == "wms" && is_one).then(|| parent.resource_as(ID))
    }
}
