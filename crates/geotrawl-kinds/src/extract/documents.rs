//! XML documents that are not resources but lead to some, or can at least be named: contexts and
//! viewer configurations, metadata records, service responses.

mod context;
mod metadata;
mod qgis;

use crate::connectors::link_targets;
use crate::formats::xml::{XmlEvent, XmlReader, charset_parameter};
use crate::kinds;
use crate::probe::{CrawlTarget, Finding, Found, ResponseClass, ResponseHead};
use crate::sniff::XmlRoot;
use crate::urls;
use geotrawl_model::{RecordLink, Resource};
use url::Url;

/// Maximum number of targets per document.
const TARGETS: usize = 20_000;

/// Identifies a document by its root element. If the document describes services in detail, their
/// targets replace those that were found only by address.
pub fn identify_document(url: &Url, head: &ResponseHead, root: &XmlRoot, body: &[u8], finding: &mut Finding) {
    if download_feed(url, head, root, body, finding) {
        return;
    }
    let Some((document, reader)) = known(root, body) else { return };
    finding.document = Some(document);
    let Some(reader) = reader else { return };
    let base = head.url.as_ref().unwrap_or(url);
    let mut named =
        DocumentTargets { base, way: "config", title: None, targets: Vec::new(), keep_found: false };
    let mut input = body;
    let charset = head.content_type.as_deref().and_then(charset_parameter);
    let mut xml = XmlReader::new(&mut input, charset);
    loop {
        match xml.next() {
            XmlEvent::Start => break,
            XmlEvent::Eof => return,
            _ => {}
        }
    }
    reader(&mut xml, &mut named);
    let DocumentTargets { title, targets, keep_found, .. } = named;
    if let (Some(page), Some(title)) = (&mut finding.page, title) {
        page.title = Some(title);
    }
    if head.nofollow {
        return;
    }
    let found = std::mem::take(&mut finding.targets);
    finding.targets = unique(targets);
    if keep_found {
        let known: std::collections::HashSet<String> =
            finding.targets.iter().map(|target| target.url.as_str().to_owned()).collect();
        finding.targets.extend(found.into_iter().filter(|target| !known.contains(target.url.as_str())));
    }
}

/// Reads a dataset feed of a download service, which need not declare what identifies its service's
/// feed: it links to that feed with `rel="up"`, and its entries name coordinate systems.
fn download_feed(url: &Url, head: &ResponseHead, root: &XmlRoot, body: &[u8], finding: &mut Finding) -> bool {
    let holds = |text: &[u8]| memchr::memmem::find(body, text).is_some();
    let up = holds(b"rel=\"up\"") || holds(b"rel='up'");
    if root.local != "feed" || !up || !holds(b"/def/crs/") {
        return false;
    }
    let Some(kind) = kinds::by_id("inspire-atom") else { return false };
    let mut input = body;
    let mut xml = XmlReader::new(&mut input, head.content_type.as_deref().and_then(charset_parameter));
    while !matches!(xml.next(), XmlEvent::Start | XmlEvent::Eof) {}
    let at = head.url.as_ref().unwrap_or(url);
    let reading =
        kind.read_xml(&mut xml, root, kinds::DocumentClaim::default(), urls::endpoint_url(at).as_str());
    let with_systems = |r: &Resource| r.datasets.first().is_some_and(|dataset| !dataset.crs.is_empty());
    let Some(resource) = reading.resources.into_iter().next().filter(with_systems) else { return false };
    let rule = "Atom feed with rel=up and coordinate systems".to_owned();
    finding.resources.push(Found::new(resource, rule));
    finding.verdict = ResponseClass::Resource;
    finding.document = reading.document;
    true
}

fn unique(targets: Vec<CrawlTarget>) -> Vec<CrawlTarget> {
    let mut seen = std::collections::HashSet::new();
    targets
        .into_iter()
        .filter(|target| seen.insert((target.url.clone(), target.intent.request_key())))
        .collect()
}

type TargetReader = fn(&mut XmlReader<'_>, &mut DocumentTargets<'_>);

/// Targets that a document names.
pub(super) struct DocumentTargets<'a> {
    base: &'a Url,
    way: &'static str,
    title: Option<String>,
    targets: Vec<CrawlTarget>,
    /// Whether to keep the targets that were found by address.
    keep_found: bool,
}

impl DocumentTargets<'_> {
    /// Adds an address with the protocol and the layer that the document states.
    fn add(&mut self, url: &str, protocol: Option<&str>, layer: Option<&str>, words: &str) {
        let owned = |text: Option<&str>| text.map(|t| t.trim().to_owned()).filter(|t| !t.is_empty());
        let link = RecordLink {
            url: url.trim().to_owned(),
            protocol: owned(protocol),
            format: None,
            name: owned(layer),
        };
        self.add_link(&link, words);
    }

    fn add_link(&mut self, link: &RecordLink, words: &str) {
        if self.targets.len() >= TARGETS || link.url.is_empty() {
            return;
        }
        let before = self.targets.len();
        link_targets(self.base, link, words, &mut self.targets);
        for target in &mut self.targets[before..] {
            target.way = self.way.into();
        }
    }
}

/// Returns the name of a document with this root, and the function that reads its targets.
fn known(root: &XmlRoot, body: &[u8]) -> Option<(&'static str, Option<TargetReader>)> {
    let ns = root.namespace.as_deref().unwrap_or_default();
    let holds = |text: &str| memchr::memmem::find(body, text.as_bytes()).is_some();
    let ogc = ns.is_empty() || ns.contains("opengis.net") || ns.contains("opengeospatial.net");
    let known: (&'static str, Option<TargetReader>) = match root.local.as_str() {
        "ViewContext" if ogc => ("wmc-viewcontext", Some(context::read_view_context)),
        "OWSContext" if ogc => ("ows-context", Some(context::read_view_context)),
        "GDAL_WMS" => ("gdal-wms-xml", Some(context::read_gdal)),
        "GDAL_WMTS" => ("gdal-wmts-xml", Some(context::read_gdal)),
        "mapbook" => ("geomoose-mapbook", Some(context::read_mapbook)),
        "qgis" => ("qgis-project", Some(qgis::read_project)),
        name if name.starts_with("qgs") && name.ends_with("Connections") => {
            ("qgis-connections", Some(qgis::read_connections))
        }
        "feed" if ns.contains("Atom") || ns.is_empty() => feed(&holds)?,
        "rss" if holds("georss") || holds("geo/wgs84_pos#") || holds("<geo:lat") => ("georss-rss", None),
        "GetRecordsResponse" if ogc => ("csw-getrecords-response", Some(metadata::read_search_response)),
        "GetRecordByIdResponse" if ogc => {
            ("csw-getrecordbyid-response", Some(metadata::read_search_response))
        }
        "DescribeRecordResponse" if ogc => ("csw-describerecord", None),
        "GetDomainResponse" if ogc => ("csw-getdomain", None),
        "CoverageDescriptions" | "CoverageDescription" if ogc => ("wcs-describecoverage", None),
        "DescribeLayerResponse" | "WMS_DescribeLayerResponse" if ogc => ("wms-describelayer", None),
        "ProcessDescriptions" if ogc => ("wps-describeprocess", None),
        "ExecuteResponse" if ogc => ("wps-executeresponse", None),
        "GetObservationResponse" | "ObservationCollection" if ogc => ("sos-getobservation", None),
        "SensorML" => ("sensorml", None),
        "StyledLayerDescriptor" => ("sld", None),
        "MD_Metadata" | "MI_Metadata" if ns.contains("19115/-3") => {
            ("iso19115-3-record", Some(metadata::read_single_record))
        }
        "MD_Metadata" | "MI_Metadata" => ("iso19139-record", Some(metadata::read_single_record)),
        "Record" | "SummaryRecord" | "BriefRecord" if ns.contains("/cat/csw") => {
            ("csw-dublin-core-record", Some(metadata::read_single_record))
        }
        "DIF" => ("dif-record", Some(metadata::read_single_record)),
        // Many documents have a root called "metadata".
        "metadata" if holds("<idinfo") || holds("<Esri>") => {
            ("fgdc-csdgm-record", Some(metadata::read_single_record))
        }
        _ => return None,
    };
    Some(known)
}

/// Distinguishes the types of Atom feeds.
fn feed(holds: &dyn Fn(&str) -> bool) -> Option<(&'static str, Option<TargetReader>)> {
    let context: Option<TargetReader> =
        holds("opengis.net/owc").then_some(context::read_owc_atom as TargetReader);
    if holds("a9.com/-/spec/opensearch") {
        Some(("opensearch-atom-response", context))
    } else if holds("georss") || holds("geo/wgs84_pos#") {
        Some(("georss-atom-feed", context))
    } else {
        context.map(|reader| ("owc-atom", Some(reader)))
    }
}

#[cfg(test)]
mod tests;
