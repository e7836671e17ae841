//! Everything the rest of the program needs to know about a kind, declared once in the kind's file.
//!
//! A profile lists only what differs from one of the base profiles below: `..KindProfile::FILE`.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Family of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Draws maps.
    Wms,
    /// Returns features.
    Features,
    /// Returns grids.
    Coverage,
    Tiles,
    /// Describes other resources.
    Catalogue,
    Process,
    Sensor,
    Arcgis,
    /// Downloaded whole or in ranges.
    File,
    Other,
}

/// How the data of a kind is stored on a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostingForm {
    /// A program that responds to requests.
    Service,
    /// Tiles at URLs of one pattern.
    TileSet,
    /// A program or document that describes data stored elsewhere.
    Catalogue,
    /// A single file, or a store that is read by its header.
    File,
    /// One dataset in many files, which a first file lists.
    FileSet,
    /// A web page that describes one dataset.
    WebPage,
}

/// Format of the document that describes a resource; determines which media types are correct for
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DescriptionFormat {
    Xml,
    Json,
    /// Exactly these types, most common first. Formats without a registered type may use a generic
    /// binary type.
    Types(&'static [&'static str]),
}

/// How the describing document is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DescriptionRequest {
    /// By an [`OwsRequest`](super::OwsRequest) or a probe of the kind.
    Own,
    /// As a page: the document is recognised wherever it is found.
    Page,
    /// As a data file, in ranges.
    File,
}

/// How much metadata the describing format can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetadataDepth {
    Full,
    /// A title and a description, but neither keywords nor contacts.
    Terse,
    /// Hardly more than a title, such as the file name.
    Bare,
    /// Not even a title.
    Untitled,
}

/// Row of the scoring rubric that applies to a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RubricRow {
    Maps,
    Tiles,
    Features,
    Coverages,
    ArcgisMaps,
    Catalogues,
    Observations,
    Processes,
    Files,
}

impl RubricRow {
    /// All rows, in the order in which the rubric is published.
    pub const ALL: [Self; 9] = [
        Self::Maps,
        Self::Tiles,
        Self::Features,
        Self::Coverages,
        Self::ArcgisMaps,
        Self::Catalogues,
        Self::Observations,
        Self::Processes,
        Self::Files,
    ];

    /// Returns the time after which the scored operation loses half of its points for speed.
    pub const fn time_limit(self) -> Duration {
        Duration::from_secs(match self {
            Self::Tiles => 1,
            Self::Catalogues | Self::Files => 3,
            Self::Maps | Self::ArcgisMaps | Self::Processes => 5,
            Self::Features | Self::Coverages | Self::Observations => 10,
        })
    }
}

/// Code of the web application that draws a kind on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MapRenderer {
    Wms,
    Wmts,
    Tiles,
    Tms,
    Wfs,
    Features,
    OgcTiles,
    Arcgis,
    Files,
    Cog,
    Pmtiles,
}

/// Connection types of QGIS, each exported to its own file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum QgisConnection {
    Wms,
    Wfs,
    Wcs,
    Xyz,
    VectorTile,
    Arcgis,
}

/// How QGIS opens a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QgisLayer {
    Wms,
    Xyz,
    Wfs,
    OgcFeatures,
    ArcgisMap,
    ArcgisFeatures,
    /// A vector file that GDAL reads over HTTP.
    Vector,
    /// A raster file that GDAL reads over HTTP.
    Raster,
}

/// Label of documents in labelled corpora that prove a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorpusLabel {
    pub name: &'static str,
    /// Whether the version in the label is that of the resource.
    pub versioned: bool,
}

impl CorpusLabel {
    /// Creates a label whose version is unrelated to the resource.
    pub const fn plain(name: &'static str) -> Self {
        Self { name, versioned: false }
    }

    /// Creates a label whose version is that of the resource.
    pub const fn versioned(name: &'static str) -> Self {
        Self { name, versioned: true }
    }
}

/// Description of a kind: texts for people, and facts used by other code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindProfile {
    /// Stable id, used everywhere.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Description in one or two sentences.
    pub what: &'static str,
    /// URL of the specification.
    pub specification: &'static str,
    /// What identifies it.
    pub evidence: &'static str,
    /// Common false positives.
    pub false_positives: &'static str,
    pub family: Family,
    pub form: HostingForm,
    pub description: DescriptionFormat,
    /// Whether its responses are text, so that their encoding matters.
    pub is_text: bool,
    pub request: DescriptionRequest,
    /// Kind whose describing document it is read from.
    pub read_from: Option<&'static str>,
    /// How many bytes of the describing document a check keeps, to find facts that the model does
    /// not hold.
    pub kept_bytes: usize,
    /// Media types that identify the kind whatever the URL looks like, the registered one first.
    pub media_types: &'static [&'static str],
    /// File extensions, in lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// Name of the protocol in catalogues, such as `OGC:WMS`.
    pub protocol: Option<&'static str>,
    /// Whether its standard prescribes the coordinate system.
    pub fixed_crs: bool,
    /// Whether its describing document lists datasets rather than only ways to search for them.
    pub lists_datasets: bool,
    pub metadata: MetadataDepth,
    /// Whether its describing document contains the extent of datasets.
    pub has_extent: bool,
    pub rubric_row: RubricRow,
    /// What the scored operation returns, with the matching participle: `("maps", "drawn")`.
    pub operation_words: (&'static str, &'static str),
    /// Corpus labels of documents that prove it.
    pub corpus_labels: &'static [CorpusLabel],
    /// Code that draws it on the map; `None` if it cannot be drawn.
    pub drawer: Option<MapRenderer>,
    /// Type of the service in URLs and directories of ArcGIS servers, such as `MapServer`.
    pub arcgis_type: Option<&'static str>,
    /// Type of the catalogue member in TerriaJS; `None` if it does not support the kind.
    pub terria_type: Option<&'static str>,
    /// QGIS connection type; `None` if QGIS has none for it.
    pub qgis_connection: Option<QgisConnection>,
    /// How QGIS opens its layers; `None` if it cannot.
    pub qgis_layer: Option<QgisLayer>,
}

impl KindProfile {
    /// A service with an XML description.
    pub const XML_SERVICE: Self = Self {
        id: "",
        name: "",
        what: "",
        specification: "",
        evidence: "",
        false_positives: "",
        family: Family::Other,
        form: HostingForm::Service,
        description: DescriptionFormat::Xml,
        is_text: true,
        request: DescriptionRequest::Own,
        read_from: None,
        kept_bytes: 256 << 10,
        media_types: &[],
        extensions: &[],
        protocol: None,
        fixed_crs: false,
        lists_datasets: true,
        metadata: MetadataDepth::Full,
        has_extent: true,
        rubric_row: RubricRow::Maps,
        operation_words: ("requests", "answered"),
        corpus_labels: &[],
        drawer: None,
        arcgis_type: None,
        terria_type: None,
        qgis_connection: None,
        qgis_layer: None,
    };

    /// A map service with an XML description.
    pub const MAP_SERVICE: Self = Self {
        family: Family::Wms,
        operation_words: ("maps", "drawn"),
        rubric_row: RubricRow::Maps,
        ..Self::XML_SERVICE
    };

    /// An OGC API.
    pub const OGC_API: Self = Self {
        description: DescriptionFormat::Json,
        corpus_labels: &[
            CorpusLabel::plain("ogcapi-collection"),
            CorpusLabel::plain("ogcapi-collections"),
            CorpusLabel::plain("ogcapi-conformance"),
            CorpusLabel::plain("ogcapi-landing"),
        ],
        ..Self::XML_SERVICE
    };

    /// A service of an ArcGIS server.
    pub const ARCGIS: Self = Self {
        family: Family::Arcgis,
        description: DescriptionFormat::Json,
        metadata: MetadataDepth::Terse,
        ..Self::XML_SERVICE
    };

    /// A catalogue with an XML description.
    pub const XML_CATALOGUE: Self = Self {
        family: Family::Catalogue,
        form: HostingForm::Catalogue,
        rubric_row: RubricRow::Catalogues,
        operation_words: ("searches", "answered"),
        ..Self::XML_SERVICE
    };

    /// A catalogue with a JSON description.
    pub const JSON_CATALOGUE: Self = Self { description: DescriptionFormat::Json, ..Self::XML_CATALOGUE };

    /// Tiles with a JSON description.
    pub const TILES: Self = Self {
        family: Family::Tiles,
        form: HostingForm::TileSet,
        description: DescriptionFormat::Json,
        rubric_row: RubricRow::Tiles,
        operation_words: ("tiles", "returned"),
        ..Self::XML_SERVICE
    };

    /// A binary data file.
    pub const FILE: Self = Self {
        family: Family::File,
        form: HostingForm::File,
        request: DescriptionRequest::File,
        is_text: false,
        metadata: MetadataDepth::Bare,
        rubric_row: RubricRow::Files,
        operation_words: ("byte ranges", "returned"),
        ..Self::XML_SERVICE
    };

    /// A text data file.
    pub const TEXT_FILE: Self = Self { is_text: true, ..Self::FILE };

    /// Returns whether it is a single file, described by its header.
    pub const fn is_file(&self) -> bool {
        matches!(self.form, HostingForm::File)
    }

    /// Returns whether it is static data, which rarely changes and is checked less often.
    pub const fn is_static(&self) -> bool {
        matches!(self.form, HostingForm::File | HostingForm::FileSet)
    }

    /// Returns its type in catalogues: `dataset` if it is downloaded or described on its own page,
    /// otherwise `service`.
    pub const fn resource_type(&self) -> &'static str {
        match self.form {
            HostingForm::File | HostingForm::FileSet | HostingForm::WebPage => "dataset",
            HostingForm::Service | HostingForm::TileSet | HostingForm::Catalogue => "service",
        }
    }

    /// Returns the media type of the response at its URL.
    pub fn media_type(&self) -> &'static str {
        let own = self.media_types.first().filter(|_| self.is_file());
        match (own, self.description) {
            (Some(own), _) => own,
            (None, DescriptionFormat::Xml) => "application/xml",
            (None, DescriptionFormat::Json) => "application/json",
            (None, DescriptionFormat::Types(types)) => {
                types.first().copied().unwrap_or("application/octet-stream")
            }
        }
    }

    /// Returns whether a `Content-Type` is correct for its describing document.
    pub fn accepts_type(&self, content_type: &str) -> bool {
        let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match self.description {
            // Early versions of the OGC services defined their own types.
            DescriptionFormat::Xml => {
                matches!(essence.as_str(), "text/xml" | "application/xml" | "application/vnd.ogc.wms_xml")
                    || essence.ends_with("+xml")
                    || essence.starts_with("application/vnd.ogc.") && essence.ends_with("_xml")
            }
            DescriptionFormat::Json => essence == "application/json" || essence.ends_with("+json"),
            DescriptionFormat::Types(types) => types.contains(&essence.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::kinds::{KINDS, kind_profile};

    use super::*;

    #[test]
    fn profiles_are_complete() {
        for kind in KINDS {
            let profile = kind.profile();
            assert_ne!(profile.family, Family::Other, "{} needs a family", profile.id);
            if let Some(from) = profile.read_from {
                assert!(super::super::by_id(from).is_some(), "{} is read from {from}", profile.id);
            }
        }
    }

    #[test]
    fn extensions_and_media_types_belong_to_one_kind() {
        let names = |of: fn(&KindProfile) -> &'static [&'static str]| {
            let mut all: Vec<&str> = KINDS.iter().flat_map(|kind| of(kind.profile())).copied().collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count);
        };
        names(|profile| profile.extensions);
        names(|profile| profile.media_types);
    }

    #[test]
    fn media_types_are_told_apart() {
        let accepts =
            |kind: &str, given| kind_profile(kind).is_some_and(|profile| profile.accepts_type(given));
        assert!(accepts("wms", "text/xml; charset=UTF-8"));
        assert!(accepts("wms", "application/vnd.ogc.wms_xml"));
        assert!(!accepts("wms", "text/html"));
        assert!(accepts("geojson", "application/geo+json"));
        assert!(!accepts("geojson", "text/plain"));
        assert!(accepts("cog", "image/tiff; application=geotiff; profile=cloud-optimized"));
    }
}
