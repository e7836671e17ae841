//! Tile Map Service.

use super::{
    CorpusLabel, DescriptionFormat, DocumentClaim, DocumentReading, Kind, KindProfile, MapRenderer,
    QgisConnection,
};
use crate::formats::bbox::{classify_bbox, parse_decimal};
use crate::formats::crs::{CrsRef, to_wgs84};
use crate::formats::tree::XmlTreeNode;
use crate::formats::xml::{XmlReader, tidy_text};
use crate::probe::{CrawlTarget, ProbeRequest, ServiceProbe};
use crate::sniff::XmlRoot;
use geotrawl_model::{Bbox, Dataset, Intent, Resource, SharedText};
use std::sync::Arc;
use url::Url;

/// Tile Map Service 1.0.0.
pub struct TmsKind;

static PROFILE: KindProfile = KindProfile {
    id: "tms",
    name: "Tile Map Service",
    what: "Serves map tiles by level, column and row (counted from below), listed in small XML documents; also \
           the tile folders created by GDAL.",
    specification: "https://wiki.osgeo.org/wiki/Tile_Map_Service_Specification",
    evidence: "A root element TileMapService or TileMap without namespace, or Services that holds \
               TileMapService elements.",
    false_positives: "WMTS capabilities, ArcGIS directories and other lists of services whose root is called \
                Services.",
    description: DescriptionFormat::Xml,
    kept_bytes: 1 << 20,
    protocol: Some("OSGeo:TMS"),
    corpus_labels: &[CorpusLabel::versioned("tms-root"), CorpusLabel::versioned("tms-tilemap")],
    drawer: Some(MapRenderer::Tms),
    qgis_connection: Some(QgisConnection::Xyz),
    ..KindProfile::TILES
};

const LISTED: usize = 10_000;

impl Kind for TmsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        let plain = root.namespace.as_deref().is_none_or(|ns| ns.contains("osgeo.org"));
        let known = match root.local.as_str() {
            "TileMapService" => true,
            "TileMap" => root.version.is_some() || root.attr("tilemapservice").is_some(),
            "Services" => root.attrs.len() <= 2,
            _ => false,
        };
        (plain && known).then(|| DocumentClaim::from_root(root))
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        let tree = XmlTreeNode::read_element(reader);
        match root.local.as_str() {
            "Services" => services(&tree, endpoint),
            "TileMap" => tile_map(&tree, claim, endpoint),
            _ => service(&tree, claim, endpoint),
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["/tms", "tilemapresource.xml", "/1.0.0/"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let path = url.path();
        let lower = path.to_ascii_lowercase();
        let mut at = url.clone();
        at.set_query(None);
        at.set_fragment(None);
        if lower.ends_with("/tilemapresource.xml") {
            return Some(at);
        }
        if let Some(start) = lower.find("/tms/1.0.0") {
            at.set_path(&format!("{}/", &path[..start + "/tms/1.0.0".len()]));
            return Some(at);
        }
        (lower.ends_with("/tms") || lower.ends_with("/tms/")).then_some(at)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let ask = ProbeRequest::get(at.clone(), "text/xml, application/xml, */*;q=0.5", 8 << 20);
        Some((Box::new(super::single_document::SingleDocumentProbe::for_kind(PROFILE.id, at)), ask))
    }
}

fn empty(claim: DocumentClaim, endpoint: &str, title: Option<&str>) -> Resource {
    Resource {
        kind: PROFILE.id.to_owned(),
        url: endpoint.to_owned(),
        versions: claim.version.into_iter().collect(),
        title: title.and_then(|t| tidy_text(t, 1024)),
        ..Resource::default()
    }
}

/// Reads the list of services: it leads to them, but is not a service itself.
fn services(tree: &XmlTreeNode, endpoint: &str) -> DocumentReading {
    let mut reading = DocumentReading::default();
    let Ok(base) = Url::parse(endpoint) else { return reading };
    for service in tree.children_named("TileMapService").take(100) {
        reading.document = Some("tms-root");
        if let Some(url) = service.attr("href").and_then(|href| base.join(href).ok())
            && matches!(url.scheme(), "http" | "https")
        {
            let intent = Intent::Ask { kind: PROFILE.id.to_owned() };
            reading.targets.push(CrawlTarget::new(url, intent, "tms"));
        }
    }
    reading
}

fn service(tree: &XmlTreeNode, claim: DocumentClaim, endpoint: &str) -> DocumentReading {
    let mut resource = empty(claim, endpoint, tree.child_text("Title"));
    resource.abstract_ = tree.child_text("Abstract").and_then(|t| tidy_text(t, 4096));
    if let Some(words) = tree.child_text("KeywordList") {
        resource.keywords = words.split_whitespace().filter_map(|w| tidy_text(w, 256)).take(100).collect();
    }
    if let Some(contact) = tree.child("ContactInformation") {
        let text =
            |name: &str| contact.descendants().find(|n| n.name == name).and_then(|n| tidy_text(&n.text, 256));
        resource.contact.person = text("ContactPerson");
        resource.contact.organisation = text("ContactOrganization");
        resource.contact.email = text("ContactElectronicMailAddress");
        resource.provider = text("ContactOrganization");
    }
    for map in tree.child("TileMaps").into_iter().flat_map(|maps| maps.children_named("TileMap")) {
        resource.dataset_count += 1;
        if resource.datasets.len() < LISTED {
            let href = map.attr("href").unwrap_or_default();
            let name = href.trim_end_matches('/').rsplit('/').next().unwrap_or(href);
            resource.datasets.push(Dataset {
                name: tidy_text(name, 1024).unwrap_or_default(),
                title: map.attr("title").and_then(|t| tidy_text(t, 1024)),
                crs: crs(map.attr("srs")),
                formats: map.attr("extension").map(SharedText::from).into_iter().collect(),
                ..Dataset::default()
            });
        }
    }
    DocumentReading { resources: vec![resource], document: Some("tms-root"), ..DocumentReading::default() }
}

fn tile_map(tree: &XmlTreeNode, claim: DocumentClaim, endpoint: &str) -> DocumentReading {
    let mut resource = empty(claim, endpoint, tree.child_text("Title"));
    resource.abstract_ = tree.child_text("Abstract").and_then(|t| tidy_text(t, 4096));
    let srs = tree.child_text("SRS");
    let written = tree.child("BoundingBox").and_then(box_of);
    resource.bbox = written.and_then(|b| place(srs, b));
    resource.crs = crs(srs).to_vec();
    let format = tree.child("TileFormat").and_then(|f| f.attr("mime-type").or_else(|| f.attr("extension")));
    resource.formats = format.map(SharedText::from).into_iter().collect();
    resource.dataset_count = 1;
    resource.datasets = vec![Dataset {
        name: endpoint
            .trim_end_matches("tilemapresource.xml")
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned(),
        title: resource.title.clone(),
        abstract_: resource.abstract_.clone(),
        bbox: resource.bbox,
        crs: resource.crs.clone().into(),
        formats: resource.formats.clone(),
        ..Dataset::default()
    }];
    DocumentReading {
        resources: vec![resource],
        first_box: written,
        document: Some("tms-tilemap"),
        ..DocumentReading::default()
    }
}

fn crs(srs: Option<&str>) -> Arc<[SharedText]> {
    srs.and_then(|srs| tidy_text(srs, 256)).map(SharedText::from).into_iter().collect()
}

fn box_of(node: &XmlTreeNode) -> Option<[f64; 4]> {
    let edge = |name: &str| node.attr(name).and_then(parse_decimal);
    Some([edge("minx")?, edge("miny")?, edge("maxx")?, edge("maxy")?])
}

/// Returns the box in degrees. GDAL's older tiler wrote degrees with latitude first, whatever the
/// coordinate system; other programs do so with longitude first.
fn place(srs: Option<&str>, written: [f64; 4]) -> Option<Bbox> {
    let system = CrsRef::from_text(srs.unwrap_or("EPSG:4326"))?;
    let [a, b, c, d] = written;
    if system.is_geographic() {
        return classify_bbox(written).bbox();
    }
    let degrees = a.abs() <= 90.0 && c.abs() <= 90.0 && b.abs() <= 180.0 && d.abs() <= 180.0;
    if degrees && (c - a).abs() > 1e-9 {
        return classify_bbox([b, a, d, c]).bbox();
    }
    // In metres, the box would be smaller than a village, in the Gulf of Guinea.
    if a.abs() <= 180.0 && c.abs() <= 180.0 && b.abs() <= 90.0 && d.abs() <= 90.0 && c > a && d > b {
        return classify_bbox(written).bbox();
    }
    to_wgs84(&system, written).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_read_in_metres_and_in_degrees_either_way() {
        let at = |srs: &str, written: [f64; 4]| {
            place(Some(srs), written)
                .map(|b| [b.west, b.south, b.east, b.north].map(|v| (v * 10.0).round() / 10.0))
        };
        let world = Some([-180.0, -85.1, 180.0, 85.1]);
        let metres = 20_037_508.34;
        assert_eq!(at("EPSG:3857", [-metres, -metres, metres, metres]), world);
        assert_eq!(at("EPSG:3857", [-180.0, -85.06, 180.0, 85.06]), world);
        assert_eq!(at("EPSG:900913", [-21.4, 55.2, -20.9, 55.8]), Some([55.2, -21.4, 55.8, -20.9]));
        assert_eq!(at("EPSG:4326", [5.0, 45.0, 11.0, 48.0]), Some([5.0, 45.0, 11.0, 48.0]));
    }
}
