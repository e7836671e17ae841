//! OGC services: their content and their capabilities documents.
//!
//! One file per service type writes its capabilities in every version; `answer` decides which
//! document a request gets.

mod answer;
mod csw;
mod exception;
mod operation;
mod ows;
mod picture;
mod sos;
mod wcs;
mod wfs;
mod wms;
mod wmts;
mod wps;

pub(crate) use answer::{PIXEL, answer_request};
pub(crate) use exception::{ows_exception, service_exception};
pub(crate) use operation::tile_at;

use crate::charset::PageCharset;
use std::fmt::Write as _;
use std::time::Duration;

/// Returns a tile with more than one colour.
pub(crate) fn sample_tile() -> Vec<u8> {
    picture::draw_tile("some", 4, 5, 8)
}

/// A service type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum OgcKind {
    Wms,
    Wfs,
    Wcs,
    Wmts,
    Wps,
    Csw,
    Sos,
}

impl OgcKind {
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Wms => "wms",
            Self::Wfs => "wfs",
            Self::Wcs => "wcs",
            Self::Wmts => "wmts",
            Self::Wps => "wps",
            Self::Csw => "csw",
            Self::Sos => "sos",
        }
    }

    /// Returns the value of `SERVICE=`.
    pub(crate) fn service_parameter(self) -> &'static str {
        match self {
            Self::Wms => "WMS",
            Self::Wfs => "WFS",
            Self::Wcs => "WCS",
            Self::Wmts => "WMTS",
            Self::Wps => "WPS",
            Self::Csw => "CSW",
            Self::Sos => "SOS",
        }
    }

    /// Returns sets of versions as offered by real servers, ascending.
    pub(crate) fn version_sets(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Wms => &[
                &["1.1.1", "1.3.0"],
                &["1.0.0", "1.1.0", "1.1.1", "1.3.0"],
                &["1.1.1"],
                &["1.3.0"],
                &["1.1.0", "1.1.1"],
                &["1.0.0"],
                &["1.1.0"],
            ],
            Self::Wfs => {
                &[&["1.0.0", "1.1.0", "2.0.0"], &["1.0.0", "1.1.0"], &["2.0.0"], &["1.0.0"], &["1.1.0"]]
            }
            Self::Wcs => {
                &[&["1.0.0", "1.1.1", "2.0.1"], &["2.0.1"], &["1.0.0"], &["1.1.1"], &["1.0.0", "1.1.0"]]
            }
            Self::Wmts => &[&["1.0.0"]],
            Self::Wps => &[&["1.0.0"], &["1.0.0", "2.0.0"], &["2.0.0"]],
            Self::Csw => &[&["2.0.2"], &["2.0.2", "3.0.0"], &["3.0.0"]],
            Self::Sos => &[&["1.0.0"], &["2.0.0"], &["1.0.0", "2.0.0"]],
        }
    }
}

/// Layer, feature type, coverage, process or offering.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlannedDataset {
    pub name: String,
    pub title: String,
    pub abstract_: String,
    pub keywords: Vec<String>,
    /// west, south, east, north
    pub bbox: [f64; 4],
    /// Index into the service's groups.
    pub group: usize,
    pub time: Option<String>,
}

/// A group of layers; with a name it can be requested and counts as a dataset.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LayerGroup {
    pub name: Option<String>,
    pub title: String,
}

/// A defect or oddity of a capabilities document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentQuirk {
    None,
    /// A blank line before the XML declaration.
    LeadingNewline,
    Bom,
    /// An unescaped `&` in a URL.
    UnescapedAmpersand,
    /// The document ends after some datasets.
    Truncated,
    /// Root without its namespace (WMS 1.3.0 only).
    NoNamespace,
    Latin1,
    Utf16,
    /// Prefixed root and elements, comments and processing instructions before the root.
    LongProlog,
}

impl DocumentQuirk {
    /// Whether a conformant XML parser accepts the document.
    pub(crate) fn is_wellformed(self) -> bool {
        !matches!(self, Self::LeadingNewline | Self::UnescapedAmpersand | Self::Truncated)
    }
}

/// One service of one type at an endpoint.
#[derive(Debug, Clone)]
pub(crate) struct PlannedService {
    pub kind: OgcKind,
    pub versions: Vec<&'static str>,
    pub title: String,
    pub abstract_: String,
    pub keywords: Vec<String>,
    pub provider: String,
    pub email: String,
    pub language: &'static str,
    pub datasets: Vec<PlannedDataset>,
    pub groups: Vec<LayerGroup>,
    /// Name of the root layer, if it can be requested.
    pub root_name: Option<String>,
    pub bbox: [f64; 4],
    pub quirk: DocumentQuirk,
    /// WCS that offers coverage processing.
    pub wcps: bool,
    /// Local EPSG code.
    pub epsg: u32,
    /// Records of a catalogue: title and URL of other resources.
    pub records: Vec<CatalogueEntry>,
}

/// A record of a resource in a catalogue.
#[derive(Debug, Clone)]
pub(crate) struct CatalogueEntry {
    pub title: String,
    pub url: String,
    pub kind: &'static str,
}

impl PlannedService {
    /// Returns the dataset names in document order, as a parser of the capabilities must find them.
    pub(crate) fn dataset_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        if self.kind == OgcKind::Csw {
            return names;
        }
        if self.kind == OgcKind::Wms {
            names.extend(self.root_name.clone());
            for (index, group) in self.groups.iter().enumerate() {
                names.extend(group.name.clone());
                names.extend(self.datasets.iter().filter(|d| d.group == index).map(|d| d.name.clone()));
            }
            return names;
        }
        names.extend(self.datasets.iter().map(|d| d.name.clone()));
        names
    }
}

/// The software that an endpoint pretends to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerSoftware {
    GeoServer,
    MapServer,
    ArcGis,
    Deegree,
    Qgis,
    MapProxy,
    Plain,
}

/// Non-standard behaviour of an endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct EndpointBehaviour {
    /// Refuses requests without `VERSION`.
    pub needs_version: bool,
    /// Returns the capabilities of its only service, whatever `SERVICE` says.
    pub ignores_service: bool,
    /// Returns the capabilities when called without parameters.
    pub bare_is_capabilities: bool,
    /// Sends a wrong media type.
    pub wrong_type: bool,
    /// Advertises a host that is not reachable from outside.
    pub advertises_internal_host: bool,
    /// Reports errors with status 400 instead of 200.
    pub errors_with_400: bool,
}

/// A path on a host that answers requests for one or more services.
#[derive(Debug, Clone)]
pub(crate) struct PlannedEndpoint {
    pub host: usize,
    pub path: String,
    /// Vendor parameter that selects the map: name and value.
    pub vendor: Option<(&'static str, String)>,
    pub software: ServerSoftware,
    pub manners: EndpointBehaviour,
    pub services: Vec<usize>,
    /// Whether the path reveals that services are here.
    pub hinted: bool,
    /// A RESTful WMTS: the path itself is the capabilities document.
    pub restful: bool,
    pub delay: Duration,
    /// Another path of the host that redirects here.
    pub moved_from: Option<String>,
}

impl PlannedEndpoint {
    /// Returns the path with the vendor parameter: the canonical endpoint below the host.
    pub(crate) fn target(&self) -> String {
        match &self.vendor {
            Some((key, value)) => format!("{}?{key}={value}", self.path),
            None => self.path.clone(),
        }
    }
}

/// Input of a capabilities writer.
pub(crate) struct CapabilitiesInput<'a> {
    pub service: &'a PlannedService,
    pub version: &'a str,
    /// The URL that the document advertises, without a trailing `?`.
    pub url: &'a str,
}

impl CapabilitiesInput<'_> {
    /// Returns the advertised URL ready for parameters, escaped for XML.
    pub(crate) fn online_resource(&self) -> String {
        let tail = if self.url.contains('?') { '&' } else { '?' };
        let url = format!("{}{tail}", self.url);
        if self.service.quirk == DocumentQuirk::UnescapedAmpersand {
            url + "lang=x&theme=y&"
        } else {
            escape_xml_text(&url)
        }
    }
}

/// Escapes text for XML and HTML, attributes included.
pub(crate) fn escape_xml_text(text: &str) -> String {
    quick_xml::escape::escape(text).into_owned()
}

/// Renders the complete capabilities document as bytes.
pub(crate) fn render_capabilities(caps: &CapabilitiesInput<'_>) -> Vec<u8> {
    let service = caps.service;
    let mut out = String::with_capacity(4096 + service.datasets.len() * 700);
    let charset = match service.quirk {
        DocumentQuirk::Latin1 => PageCharset::Latin1,
        DocumentQuirk::Utf16 => PageCharset::Utf16Le,
        _ => PageCharset::Utf8,
    };
    let label = if service.quirk == DocumentQuirk::Utf16 { "UTF-16" } else { charset.label() };
    if service.quirk == DocumentQuirk::LeadingNewline {
        out.push_str("\n\n");
    }
    let _ = writeln!(out, "<?xml version=\"1.0\" encoding=\"{}\"?>", label.to_ascii_uppercase());
    if service.quirk == DocumentQuirk::LongProlog {
        out.push_str("<?xml-stylesheet type=\"text/xsl\" href=\"/styles/capabilities.xsl\"?>\n");
        for line in 0..40 {
            let _ = writeln!(
                out,
                "<!-- build note {line}: configuration read, templates merged, output follows -->"
            );
        }
    }
    match service.kind {
        OgcKind::Wms => wms::write_capabilities(caps, &mut out),
        OgcKind::Wfs => wfs::write_capabilities(caps, &mut out),
        OgcKind::Wcs => wcs::write_capabilities(caps, &mut out),
        OgcKind::Wmts => wmts::write_capabilities(caps, &mut out),
        OgcKind::Wps => wps::write_capabilities(caps, &mut out),
        OgcKind::Csw => csw::write_capabilities(caps, &mut out),
        OgcKind::Sos => sos::write_capabilities(caps, &mut out),
    }
    if service.quirk == DocumentQuirk::Truncated {
        truncate_after_datasets(&mut out, &service.datasets);
    }
    match service.quirk {
        DocumentQuirk::Bom | DocumentQuirk::Utf16 => [charset.bom(), &charset.encode(&out)].concat(),
        _ => charset.encode(&out),
    }
}

/// Truncates the document inside the tag after the title of the last dataset, so that it still
/// contains every name.
fn truncate_after_datasets(out: &mut String, datasets: &[PlannedDataset]) {
    let Some(last) = datasets.last() else { return };
    let Some(name) = out.rfind(&format!(">{}<", escape_xml_text(&last.name))) else { return };
    let Some(cut) = out[name + 2..].match_indices("</").nth(1) else { return };
    out.truncate(name + 2 + cut.0 + 5);
}

pub(crate) fn records_response(service: &PlannedService) -> String {
    csw::write_records(service)
}
