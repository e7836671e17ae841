//! Web Feature Service.

use super::ows::draft::CrsList;
use super::ows::metadata::ServiceMetadata;
use super::ows::{Corners, Draft, Item, Path, Tag, Visitor, attribute_box, finish, walk};
use super::{Claim, Kind, KindDoc, OwsRequest, Reading};
use crate::formats::xml::Reader;
use crate::sniff::XmlRoot;

/// Web Feature Service 1.0.0 to 2.0.2.
pub struct Wfs;

static DOC: KindDoc = KindDoc {
    id: "wfs",
    name: "Web Feature Service",
    what: "Gives the features behind the map: geometries with attributes, filtered as asked.",
    specification: "https://www.ogc.org/standard/wfs/",
    evidence: "A root element WFS_Capabilities in http://www.opengis.net/wfs (1.0, 1.1) or \
               http://www.opengis.net/wfs/2.0.",
    impostors: "Feature collections (wfs:FeatureCollection), DescribeFeatureType schemas, exception reports \
                with status 200, WFS 3 landing pages (those are OGC API Features).",
};

static REQUEST: OwsRequest = OwsRequest { service: "WFS", versions: &["2.0.0", "1.1.0", "1.0.0"] };

impl Kind for Wfs {
    fn doc(&self) -> &'static KindDoc {
        &DOC
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claims(&self, root: &XmlRoot) -> Option<Claim> {
        if root.local != "WFS_Capabilities" {
            return None;
        }
        let oddity = match root.namespace.as_deref() {
            Some(ns) if ns.contains("opengis.net/wfs") => None,
            None => Some(("namespace-missing", "the root element has no namespace".to_owned())),
            Some(_) => return None,
        };
        Some(Claim { version: root.version.clone(), oddity })
    }

    fn read(&self, reader: &mut Reader<'_>, root: &XmlRoot, claim: Claim, endpoint: &str) -> Reading {
        let mut wfs = WfsVisitor {
            draft: Draft::new("wfs"),
            metadata: ServiceMetadata::default(),
            item: Item::default(),
            corners: Corners::default(),
            output_format: false,
        };
        walk(reader, &mut wfs);
        finish(reader, root, claim, endpoint, wfs.draft, wfs.metadata)
    }
}

struct WfsVisitor {
    draft: Draft,
    metadata: ServiceMetadata,
    item: Item,
    corners: Corners,
    /// Inside the `outputFormat` parameter of GetFeature.
    output_format: bool,
}

impl Visitor for WfsVisitor {
    fn start(&mut self, tag: Tag, path: &Path, element: &Reader<'_>) {
        match tag {
            Tag::FeatureType => self.item = Item::default(),
            Tag::LatLonBox if path.parent() == Tag::FeatureType => {
                if let Some(written) = attribute_box(element) {
                    let bbox = self.draft.take_box(written);
                    self.item.bbox = self.item.bbox.or(bbox);
                }
            }
            Tag::Wgs84Box if path.parent() == Tag::FeatureType => self.corners = Corners::default(),
            Tag::Parameter => {
                self.output_format =
                    element.attr("name").is_some_and(|n| n.eq_ignore_ascii_case("outputFormat"));
            }
            Tag::Other if path.inside(Tag::GetFeature) => {
                // WFS 1.0.0 names formats by elements inside ResultFormat.
                let local = element.local();
                if local.starts_with(b"GML")
                    || local.starts_with(b"SHAPE")
                    || local == b"GEOJSON"
                    || local == b"JSON"
                {
                    let format = String::from_utf8_lossy(local).into_owned();
                    self.draft.add_service_format(&format);
                }
            }
            _ => self.metadata.start(tag, path, element, &mut self.draft),
        }
    }

    fn end(&mut self, tag: Tag, path: &Path, text: &str) {
        match tag {
            Tag::FeatureType if path.parent() == Tag::FeatureTypeList => {
                let mut item = std::mem::take(&mut self.item);
                let crs = self.draft.crs_list(CrsList::default(), &std::mem::take(&mut item.crs));
                self.draft.push(item, crs);
            }
            Tag::LowerCorner if path.parent() == Tag::Wgs84Box => self.corners.lower(text),
            Tag::UpperCorner if path.parent() == Tag::Wgs84Box => self.corners.upper(text),
            Tag::Wgs84Box if path.parent() == Tag::FeatureType => {
                if let Some(written) = self.corners.written() {
                    let bbox = self.draft.take_box(written);
                    self.item.bbox = self.item.bbox.or(bbox);
                }
            }
            Tag::Value if self.output_format && path.inside(Tag::OperationsMetadata) => {
                self.draft.add_service_format(text);
            }
            Tag::Format if path.inside(Tag::FeatureType) => self.draft.add_format(&mut self.item, text),
            Tag::Keyword if path.above(1) == Tag::FeatureType => self.draft.add_keyword(&mut self.item, text),
            _ if path.parent() == Tag::FeatureType => match tag {
                Tag::Name => self.item.set_name(text),
                Tag::Title => self.item.set_title(text),
                Tag::Abstract => self.item.set_abstract(text),
                Tag::Crs => self.draft.add_crs(&mut self.item.crs, text),
                Tag::KeywordList => {
                    for word in text.split([',', '\n']) {
                        self.draft.add_keyword(&mut self.item, word);
                    }
                }
                _ => {}
            },
            _ => self.metadata.end(tag, path, text, &mut self.draft),
        }
    }

    fn comment(&mut self, text: &[u8]) {
        self.metadata.sign(&String::from_utf8_lossy(&text[..text.len().min(1024)]));
    }
}
