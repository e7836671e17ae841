//! Web Map Service.

use super::ows::boxes::{attribute_box, geographic_box, lat_lon};
use super::ows::draft::CrsList;
use super::ows::metadata::{ServiceMetadata, keyword_list};
use super::ows::{
    CapabilitiesDraft, CapabilitiesVisitor, DatasetDraft, ElementPath, Tag, finish_reading, walk_document,
};
use super::{
    CorpusLabel, DocumentClaim, DocumentReading, Kind, KindProfile, MapRenderer, OwsRequest, QgisConnection,
    QgisLayer,
};
use crate::formats::bbox::parse_decimal;
use crate::formats::xml::{XmlReader, tidy_text};
use crate::probe::CrawlTarget;
use crate::sniff::XmlRoot;
use geotrawl_model::{Bbox, Intent};
use std::collections::HashSet;
use url::Url;

/// Web Map Service 1.0.0 to 1.3.0.
pub struct WmsKind;

static PROFILE: KindProfile = KindProfile {
    id: "wms",
    name: "Web Map Service",
    what: "Draws maps of its layers as images, for any area, size and supported coordinate system.",
    specification: "https://www.ogc.org/standard/wms/",
    evidence: "A root element WMT_MS_Capabilities (1.0.0 to 1.1.1) or WMS_Capabilities in the namespace \
               http://www.opengis.net/wms (1.3.0); a missing namespace is accepted.",
    false_positives: "DescribeLayer responses (WMS_DescribeLayerResponse), service exceptions with status 200, map \
                contexts (ViewContext), configuration files of clients (GDAL_WMS), schemas that define the root.",
    kept_bytes: 1 << 20,
    media_types: &["application/vnd.ogc.wms_xml"],
    protocol: Some("OGC:WMS"),
    corpus_labels: &[CorpusLabel::versioned("wms-capabilities")],
    drawer: Some(MapRenderer::Wms),
    terria_type: Some("wms-group"),
    qgis_connection: Some(QgisConnection::Wms),
    qgis_layer: Some(QgisLayer::Wms),
    ..KindProfile::MAP_SERVICE
};

static REQUEST: OwsRequest = OwsRequest {
    service: "WMS",
    versions: &["1.3.0", "1.1.1"],
    operations: &[
        "capabilities",
        "describelayer",
        "feature_info",
        "getfeatureinfo",
        "getlegendgraphic",
        "getmap",
        "getprint",
        "getstyles",
    ],
};

const NAMESPACE: &str = "http://www.opengis.net/wms";
/// Maximum number of names of tiled layers.
const TILED: usize = 100_000;

impl Kind for WmsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        match (root.local.as_str(), root.namespace.as_deref()) {
            ("WMT_MS_Capabilities", None) => Some(DocumentClaim::from_root(root)),
            ("WMT_MS_Capabilities", Some(ns)) if ns.contains("opengis.net") => {
                Some(DocumentClaim::from_root(root))
            }
            ("WMS_Capabilities", Some(ns)) if ns.trim_end_matches('/') == NAMESPACE => {
                Some(DocumentClaim::from_root(root))
            }
            ("WMS_Capabilities", None) => Some(DocumentClaim::without_namespace(root)),
            _ => None,
        }
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        let lat_lon_axes = claim.version.as_deref().is_some_and(|v| v.starts_with("1.3"));
        let mut wms = WmsVisitor {
            draft: CapabilitiesDraft::new("wms"),
            metadata: ServiceMetadata::default(),
            layers: Vec::new(),
            edges: [None; 4],
            lat_lon_axes,
            time_dimension: false,
            tiled: HashSet::new(),
        };
        walk_document(reader, &mut wms);
        let mut reading = finish_reading(reader, root, claim, endpoint, wms.draft, wms.metadata);
        reading.signs.tiled_layers = wms.tiled;
        let Some(service) = reading.resources.first() else { return reading };
        if let Some(catalog) = Url::parse(&service.url).ok().filter(|_| service.url.contains("/thredds/wms/"))
            && let Some(at) = super::thredds::top_catalog(&catalog)
        {
            let intent = Intent::Ask { kind: "thredds".to_owned() };
            reading.targets.push(CrawlTarget::new(at, intent, "sibling"));
        }
        reading
    }
}

/// An open layer.
struct OpenLayer {
    item: DatasetDraft,
    /// Values inherited from the parent: lists are extended, a box is replaced.
    inherited_crs: CrsList,
    inherited_box: Option<Bbox>,
    inherited_time: Vec<String>,
    /// Box in some CRS, used if there is no geographic one.
    fallback_box: Option<[f64; 4]>,
    /// State of its dataset, which is added before that of its first child.
    slot: LayerSlot,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LayerSlot {
    Open,
    At(usize),
    NotKept,
}

struct WmsVisitor {
    draft: CapabilitiesDraft,
    metadata: ServiceMetadata,
    layers: Vec<OpenLayer>,
    /// West, south, east and north of the open geographic box.
    edges: [Option<f64>; 4],
    /// Whether `EPSG:4326` has latitude first, as in WMS 1.3.0.
    lat_lon_axes: bool,
    time_dimension: bool,
    /// Layers with prepared tiles (WMS-C).
    tiled: HashSet<String>,
}

impl WmsVisitor {
    fn layer(&mut self) -> Option<&mut OpenLayer> {
        self.layers.last_mut()
    }

    /// Adds the dataset of a named layer, so that it precedes those of its children.
    fn add(&mut self, index: usize) {
        let layer = &mut self.layers[index];
        if layer.slot != LayerSlot::Open || layer.item.name.is_none() {
            return;
        }
        let (bbox, _) = effective_box(layer);
        let mut item = std::mem::take(&mut layer.item);
        item.bbox = bbox;
        if item.time.is_empty() {
            item.time.clone_from(&layer.inherited_time);
        }
        let own = std::mem::take(&mut item.crs);
        let time = item.time.clone();
        let list = self.draft.crs_list(layer.inherited_crs, &own);
        layer.slot = self.draft.add_dataset(item, list).map_or(LayerSlot::NotKept, LayerSlot::At);
        layer.item = DatasetDraft { bbox, crs: own, time, ..DatasetDraft::default() };
    }

    fn open(&mut self) {
        let inherited = match self.layers.len().checked_sub(1) {
            Some(parent) => {
                self.add(parent);
                let parent = &mut self.layers[parent];
                let (bbox, _) = effective_box(parent);
                let crs = self.draft.crs_list(parent.inherited_crs, &parent.item.crs);
                let time =
                    if parent.item.time.is_empty() { &parent.inherited_time } else { &parent.item.time };
                (crs, bbox, time.clone())
            }
            None => (CrsList::default(), None, Vec::new()),
        };
        self.layers.push(OpenLayer {
            item: DatasetDraft::default(),
            inherited_crs: inherited.0,
            inherited_box: inherited.1,
            inherited_time: inherited.2,
            fallback_box: None,
            slot: LayerSlot::Open,
        });
    }

    fn close(&mut self) {
        let Some(index) = self.layers.len().checked_sub(1) else { return };
        self.add(index);
        if index == 0 {
            let (bbox, own) = effective_box(&self.layers[0]);
            if own && self.draft.own_box.is_none() {
                self.draft.own_box = bbox;
            }
        }
        let Some(layer) = self.layers.pop() else { return };
        // Elements after the children violate the schema, but still belong to the layer.
        if let LayerSlot::At(at) = layer.slot
            && let Some(dataset) = self.draft.dataset_mut(at)
        {
            dataset.title = dataset.title.take().or(layer.item.title);
            dataset.abstract_ = dataset.abstract_.take().or(layer.item.abstract_);
            dataset.keywords.extend(layer.item.keywords);
            if dataset.bbox.is_none() {
                dataset.bbox = layer.item.bbox;
            }
        }
    }

    fn take_box(&mut self, written: [f64; 4]) {
        let bbox = self.draft.take_box(written);
        if let Some(layer) = self.layers.last_mut()
            && layer.item.bbox.is_none()
        {
            layer.item.bbox = bbox;
        }
    }

    fn take_crs_box(&mut self, element: &XmlReader<'_>) {
        let code = element
            .attr_by_local_name("CRS")
            .or_else(|| element.attr_by_local_name("SRS"))
            .unwrap_or_default();
        let Some(written) = attribute_box(element) else { return };
        let degrees = match code.trim() {
            "EPSG:4326" if self.lat_lon_axes => Some(lat_lon(written)),
            code => geographic_box(code, written),
        };
        let Some(written) = degrees else { return };
        if let Some(layer) = self.layer()
            && layer.fallback_box.is_none()
        {
            layer.fallback_box = Some(written);
        }
    }
}

/// Returns the box of a layer: its own geographic one, or else one in degrees, or else its
/// parent's. The flag says whether it is the layer's own.
fn effective_box(layer: &OpenLayer) -> (Option<Bbox>, bool) {
    if layer.item.bbox.is_some() {
        return (layer.item.bbox, true);
    }
    if let Some(written) = layer.fallback_box
        && let Some(bbox) = crate::formats::bbox::classify_bbox(written).bbox()
    {
        return (Some(bbox), true);
    }
    (layer.inherited_box, false)
}

impl CapabilitiesVisitor for WmsVisitor {
    fn start_element(&mut self, tag: Tag, path: &ElementPath<'_>, element: &XmlReader<'_>) {
        match tag {
            Tag::Layer if matches!(path.parent(), Tag::Layer | Tag::Capability | Tag::Root) => self.open(),
            Tag::LatLonBox if path.parent() == Tag::Layer => {
                if let Some(written) = attribute_box(element) {
                    self.take_box(written);
                }
            }
            Tag::GeographicBox if path.parent() == Tag::Layer => self.edges = [None; 4],
            Tag::BoundingBox if path.parent() == Tag::Layer => self.take_crs_box(element),
            Tag::Dimension | Tag::Extent => {
                self.time_dimension = path.parent() == Tag::Layer
                    && element.attr("name").is_some_and(|n| n.eq_ignore_ascii_case("time"));
            }
            Tag::Other if path.parent() == Tag::Format && path.ancestor(1) == Tag::GetMap => {
                // WMS 1.0.0 has an element per format.
                let format = String::from_utf8_lossy(element.local_name()).into_owned();
                self.draft.add_service_format(&format);
            }
            _ => self.metadata.start_element(tag, path, element, &mut self.draft),
        }
    }

    fn end_element(&mut self, tag: Tag, path: &ElementPath<'_>, text: &str) {
        match tag {
            Tag::Layer if matches!(path.parent(), Tag::Layer | Tag::Capability | Tag::Root) => self.close(),
            Tag::WestBound => self.edges[0] = parse_decimal(text),
            Tag::SouthBound => self.edges[1] = parse_decimal(text),
            Tag::EastBound => self.edges[2] = parse_decimal(text),
            Tag::NorthBound => self.edges[3] = parse_decimal(text),
            Tag::GeographicBox if path.parent() == Tag::Layer => {
                if let [Some(west), Some(south), Some(east), Some(north)] = self.edges {
                    self.take_box([west, south, east, north]);
                }
            }
            Tag::Layers if path.parent() == Tag::TileSet => {
                for name in text.split(',').filter_map(|name| tidy_text(name, 1024)) {
                    if self.tiled.len() < TILED {
                        self.tiled.insert(name);
                    }
                }
            }
            Tag::Format if path.parent() == Tag::GetMap => self.draft.add_service_format(text),
            _ if path.parent() == Tag::Layer => {
                let Some(layer) = self.layers.last_mut() else { return };
                match tag {
                    Tag::Name => layer.item.set_name(text),
                    Tag::Title => layer.item.set_title(text),
                    Tag::Abstract => layer.item.set_abstract(text),
                    Tag::Crs => {
                        let crs = &mut layer.item.crs;
                        self.draft.add_crs(crs, text);
                    }
                    Tag::Dimension | Tag::Extent if self.time_dimension => layer.item.add_times(text),
                    Tag::KeywordList => {
                        for word in keyword_list(text) {
                            self.draft.add_keyword(&mut layer.item, word);
                        }
                    }
                    _ => {}
                }
            }
            Tag::Keyword if path.ancestor(1) == Tag::Layer => {
                if let Some(layer) = self.layers.last_mut() {
                    self.draft.add_keyword(&mut layer.item, text);
                }
            }
            _ => self.metadata.end_element(tag, path, text, &mut self.draft),
        }
    }

    fn visit_comment(&mut self, text: &[u8]) {
        self.metadata.note_software_text(&String::from_utf8_lossy(&text[..text.len().min(1024)]));
    }
}
