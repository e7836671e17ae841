//! Everything that the rest of the program needs to know about a kind, declared once in the kind's own file.
//!
//! A profile names only what differs from one of the bases below: `..KindProfile::FILE`.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A family of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Gives maps as pictures.
    Wms,
    /// Gives features.
    Features,
    /// Gives grids.
    Coverage,
    Tiles,
    /// Describes other things.
    Catalogue,
    Process,
    Sensor,
    Arcgis,
    /// Is downloaded whole or in pieces.
    File,
    Other,
}

/// How the data of a kind lies on a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostingForm {
    /// A program that answers requests.
    Service,
    /// Tiles at addresses of one pattern.
    TileSet,
    /// A program or document that describes data kept elsewhere.
    Catalogue,
    /// One file, or one store that is read by its header.
    File,
    /// One dataset in many files that are listed by a first one.
    FileSet,
    /// A web page that describes one dataset.
    WebPage,
}

/// The format of the document that describes a resource, which decides the media types that are right for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DescriptionFormat {
    Xml,
    Json,
    /// Exactly these types, the most usual one first. Formats without a registered type may come as plain bytes.
    Types(&'static [&'static str]),
}

/// How the description is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DescriptionRequest {
    /// As the protocol wants it: by an [`OwsRequest`](super::OwsRequest) or a dialogue.
    Own,
    /// As a page: it is recognised wherever it stands.
    Page,
    /// As a data file, by ranges.
    File,
}

/// How much the description format can say about the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetadataDepth {
    Full,
    /// A title and a text, but neither keywords nor contacts.
    Terse,
    /// Next to nothing but a title, such as the name of the file.
    Bare,
    /// Not even a title.
    Untitled,
}

/// The row of the rubric that scores a kind.
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
    /// Every row, in the order in which the rubric is published.
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

    /// Returns the time that the scored operation may take before half of its points for speed are lost.
    pub const fn time_limit(self) -> Duration {
        Duration::from_secs(match self {
            Self::Tiles => 1,
            Self::Catalogues | Self::Files => 3,
            Self::Maps | Self::ArcgisMaps | Self::Processes => 5,
            Self::Features | Self::Coverages | Self::Observations => 10,
        })
    }
}

/// The code of the web application that draws a kind on the map.
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

/// The kinds of connections that QGIS keeps in a file each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum QgisConnection {
    Wms,
    Wfs,
    Wcs,
    Xyz,
    VectorTile,
    Arcgis,
}

/// The ways in which QGIS opens a layer.
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

/// A label of documents in labelled corpora that prove a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorpusLabel {
    pub name: &'static str,
    /// Whether the version in the label is the version of the resource.
    pub versioned: bool,
}

impl CorpusLabel {
    /// Creates a label whose version says nothing about the resource.
    pub const fn plain(name: &'static str) -> Self {
        Self { name, versioned: false }
    }

    /// Creates a label whose version is that of the resource.
    pub const fn versioned(name: &'static str) -> Self {
        Self { name, versioned: true }
    }
}

/// What a kind is: words for people, and the facts that other code acts upon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindProfile {
    /// Stable id, used everywhere.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it is, in a sentence or two.
    pub what: &'static str,
    /// URL of the specification.
    pub specification: &'static str,
    /// What proves it.
    pub evidence: &'static str,
    /// What looks like it and is not.
    pub false_positives: &'static str,
    pub family: Family,
    pub form: HostingForm,
    pub description: DescriptionFormat,
    /// Whether its answers are text, so that their encoding matters.
    pub is_text: bool,
    pub request: DescriptionRequest,
    /// The kind whose description it is read from.
    pub read_from: Option<&'static str>,
    /// How many bytes of the description a check keeps for planning: enough to find what the model does not hold.
    pub kept_bytes: usize,
    /// Media types that identify the kind whatever the address looks like, the registered one first.
    pub media_types: &'static [&'static str],
    /// File name extensions, in lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// Name of the protocol in catalogues, such as `OGC:WMS`.
    pub protocol: Option<&'static str>,
    /// Whether its standard fixes the reference system.
    pub fixed_crs: bool,
    /// Whether its description lists datasets rather than only ways to ask for them.
    pub lists_datasets: bool,
    pub metadata: MetadataDepth,
    /// Whether its description places datasets on the globe.
    pub has_extent: bool,
    pub rubric_row: RubricRow,
    /// What the scored operation yields, and the participle that goes with it: `("maps", "drawn")`.
    pub operation_words: (&'static str, &'static str),
    /// Labels of corpora for documents that prove it.
    pub corpus_labels: &'static [CorpusLabel],
    /// The code that draws it on the map; `None` where it cannot be drawn.
    pub drawer: Option<MapRenderer>,
    /// Type of a service in the addresses and directories of ArcGIS servers, such as `MapServer`.
    pub arcgis_type: Option<&'static str>,
    /// Type of a catalogue member in TerriaJS; `None` where it cannot show the kind.
    pub terria_type: Option<&'static str>,
    /// The connections of QGIS that it belongs to; `None` where QGIS has none for it.
    pub qgis_connection: Option<QgisConnection>,
    /// How QGIS opens its layers; `None` where it cannot.
    pub qgis_layer: Option<QgisLayer>,
}

impl KindProfile {
    /// A service described in XML.
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

    /// A service that draws maps, described in XML.
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

    /// A catalogue described in XML.
    pub const XML_CATALOGUE: Self = Self {
        family: Family::Catalogue,
        form: HostingForm::Catalogue,
        rubric_row: RubricRow::Catalogues,
        operation_words: ("searches", "answered"),
        ..Self::XML_SERVICE
    };

    /// A catalogue described in JSON.
    pub const JSON_CATALOGUE: Self = Self { description: DescriptionFormat::Json, ..Self::XML_CATALOGUE };

    /// Tiles, described in JSON.
    pub const TILES: Self = Self {
        family: Family::Tiles,
        form: HostingForm::TileSet,
        description: DescriptionFormat::Json,
        rubric_row: RubricRow::Tiles,
        operation_words: ("tiles", "given"),
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
        operation_words: ("pieces of the file", "given"),
        ..Self::XML_SERVICE
    };

    /// A data file of text.
    pub const TEXT_FILE: Self = Self { is_text: true, ..Self::FILE };

    /// Returns whether it is one file, whose header is its description.
    pub const fn is_file(&self) -> bool {
        matches!(self.form, HostingForm::File)
    }

    /// Returns whether it is data at rest, which rarely changes and is checked less often.
    pub const fn is_static(&self) -> bool {
        matches!(self.form, HostingForm::File | HostingForm::FileSet)
    }

    /// Returns its type in the words of catalogues: `dataset` for what is downloaded or described on a page of its
    /// own, else `service`.
    pub const fn resource_type(&self) -> &'static str {
        match self.form {
            HostingForm::File | HostingForm::FileSet | HostingForm::WebPage => "dataset",
            HostingForm::Service | HostingForm::TileSet | HostingForm::Catalogue => "service",
        }
    }

    /// Returns the media type of what its address answers.
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

    /// Returns whether a `Content-Type` is right for its description.
    pub fn accepts_type(&self, content_type: &str) -> bool {
        let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match self.description {
            // The first versions of the OGC services named types of their own.
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
    use crate::kinds::{KINDS, profile};

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
