//! Web Map Tile Service.

use super::ows::capabilities_root;
use super::ows::items::{ItemCollector, ItemReader, read_items};
use super::ows::{ElementPath, Tag};
use super::{
    CorpusLabel, DescriptionFormat, DocumentClaim, DocumentReading, HostingForm, Kind, KindProfile,
    MapRenderer, OwsRequest, QgisConnection,
};
use crate::formats::xml::XmlReader;
use crate::sniff::XmlRoot;
use std::collections::HashMap;

/// Web Map Tile Service 1.0.0.
pub struct WmtsKind;

static PROFILE: KindProfile = KindProfile {
    id: "wmts",
    name: "Web Map Tile Service",
    what: "Serves maps as prepared tiles in fixed scales: fast, cacheable, by query parameters or by \
           plain paths.",
    specification: "https://www.ogc.org/standard/wmts/",
    evidence: "A root element Capabilities in http://www.opengis.net/wmts/1.0, by request or as a file \
               WMTSCapabilities.xml.",
    false_positives: "Capabilities of other services with the same root name; WMS-C and TMS, which are other tile \
                protocols. Its datasets are layers, never tile matrices.",
    form: HostingForm::Service,
    description: DescriptionFormat::Xml,
    kept_bytes: 32 << 20,
    protocol: Some("OGC:WMTS"),
    corpus_labels: &[CorpusLabel::versioned("wmts-capabilities")],
    drawer: Some(MapRenderer::Wmts),
    terria_type: Some("wmts-group"),
    qgis_connection: Some(QgisConnection::Wms),
    ..KindProfile::TILES
};

static REQUEST: OwsRequest = OwsRequest { service: "WMTS", versions: &["1.0.0"], operations: &["gettile"] };

impl Kind for WmtsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        capabilities_root(root, "wmts", &["opengis.net/wmts"])
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        read_items::<TileLayerReader>(reader, root, claim, endpoint)
    }
}

/// Maximum number of tile matrix set names.
const SETS: usize = 10_000;
/// Maximum number of links from layers to tile matrix sets, over all distinct lists.
const LINKS_KEPT: usize = 200_000;

/// Layers refer to tile matrix sets, which come at the end of the document and name the CRS.
#[derive(Default)]
struct TileLayerReader {
    /// Numbers of the tile matrix sets, by name.
    sets: HashMap<String, u32>,
    /// Sets of the open layer.
    links: Vec<u32>,
    /// Numbers of the distinct lists of sets.
    lists: HashMap<Vec<u32>, u32>,
    list_of: Vec<u32>,
    links_kept: usize,
    /// CRS by number of the tile matrix set.
    crs: HashMap<u32, String>,
    current_set: Option<u32>,
    time_dimension: bool,
}

impl TileLayerReader {
    fn set_number(&mut self, name: &str) -> Option<u32> {
        let name = name.trim();
        if let Some(number) = self.sets.get(name) {
            return Some(*number);
        }
        if name.is_empty() || name.len() > 512 || self.sets.len() >= SETS {
            return None;
        }
        let number = self.sets.len() as u32;
        self.sets.insert(name.to_owned(), number);
        Some(number)
    }
}

impl ItemReader for TileLayerReader {
    const KIND: &'static str = "wmts";

    fn is_item(tag: Tag, path: &ElementPath<'_>) -> bool {
        tag == Tag::Layer && path.parent() == Tag::Contents
    }

    fn is_name(tag: Tag) -> bool {
        tag == Tag::Identifier
    }

    fn start_element(
        &mut self,
        tag: Tag,
        path: &ElementPath<'_>,
        _element: &XmlReader<'_>,
        _list: &mut ItemCollector,
    ) -> bool {
        match tag {
            Tag::TileMatrixSet if path.parent() == Tag::Contents => self.current_set = None,
            Tag::Dimension => self.time_dimension = false,
            Tag::TileMatrix => return true,
            _ => {}
        }
        false
    }

    fn end_element(
        &mut self,
        tag: Tag,
        path: &ElementPath<'_>,
        text: &str,
        list: &mut ItemCollector,
    ) -> bool {
        match (tag, path.parent()) {
            (Tag::TileMatrixSet, Tag::TileMatrixSetLink) => {
                if let Some(number) = self.set_number(text)
                    && self.links.len() < 500
                {
                    self.links.push(number);
                }
            }
            (Tag::Identifier, Tag::TileMatrixSet) => self.current_set = self.set_number(text),
            (Tag::Crs, Tag::TileMatrixSet) => {
                if let Some(set) = self.current_set {
                    self.crs.entry(set).or_insert_with(|| text.trim().chars().take(256).collect());
                }
            }
            (Tag::Identifier, Tag::Dimension) => {
                self.time_dimension = text.trim().eq_ignore_ascii_case("time");
            }
            (Tag::Value, Tag::Dimension) if self.time_dimension => {
                if let Some(item) = list.item() {
                    item.add_times(text);
                }
            }
            (_, Tag::TileMatrix | Tag::TileMatrixSet | Tag::Dimension | Tag::Theme) => {}
            _ => return false,
        }
        true
    }

    fn item_added(&mut self, index: Option<usize>) {
        let links = std::mem::take(&mut self.links);
        if index.is_none() {
            return;
        }
        let next = self.lists.len() as u32;
        let number = match self.lists.get(&links) {
            Some(number) => *number,
            None if self.links_kept + links.len() <= LINKS_KEPT => {
                self.links_kept += links.len();
                self.lists.insert(links, next);
                next
            }
            // Over the limit, the layer gets no CRS.
            None => u32::MAX,
        };
        self.list_of.push(number);
    }

    fn finish_document(&mut self, list: &mut ItemCollector) {
        // The tile matrix sets come after the layers, so their CRS can be resolved only now.
        let mut crs_of_list = HashMap::new();
        let mut lists: Vec<(&Vec<u32>, &u32)> = self.lists.iter().collect();
        lists.sort_unstable_by_key(|(_, number)| **number);
        for (links, number) in lists {
            let mut ids = Vec::new();
            for code in links.iter().filter_map(|set| self.crs.get(set)) {
                list.draft.add_crs(&mut ids, code);
            }
            ids.dedup();
            let crs = list.draft.crs_list(super::ows::draft::CrsList::default(), &ids);
            crs_of_list.insert(*number, list.draft.crs_names(crs));
        }
        for (index, number) in self.list_of.iter().enumerate() {
            if let (Some(dataset), Some(crs)) = (list.draft.dataset_mut(index), crs_of_list.get(number)) {
                dataset.crs = crs.clone();
            }
        }
    }
}
