//! Reads a catalogue as a stream.

use super::groups::{GranuleGroup, GranuleGroups};
use crate::formats::bbox::{classify_bbox, parse_decimal};
use crate::formats::xml::{XmlEvent, XmlReader, tidy_text};
use geotrawl_model::{Bbox, Contact};
use std::rc::Rc;

const SERVICES: usize = 500;
const REFERENCES: usize = 5_000;
const TEXT: usize = 16 * 1024;

/// Parsed THREDDS catalogue.
#[derive(Debug, Default)]
pub struct ThreddsCatalog {
    pub name: Option<String>,
    pub version: Option<String>,
    /// Services in document order. The members of a compound service follow it.
    pub services: Vec<ThreddsService>,
    pub groups: Vec<GranuleGroup>,
    pub references: Vec<CatalogReference>,
    /// Number of datasets with access, including granules.
    pub accessible: u64,
    /// Number of `dataset` elements.
    pub datasets: u64,
    /// Metadata of the outermost dataset.
    pub meta: DatasetMetadata,
    /// Number of datasets that were counted but not kept.
    pub dropped: u64,
    /// Whether the document ended early.
    pub cut: bool,
}

/// Service that gives access to datasets.
#[derive(Debug, Clone, Default)]
pub struct ThreddsService {
    pub name: String,
    /// `serviceType` as written.
    pub kind: String,
    pub base: String,
    pub suffix: String,
    /// Index after the last service inside this one.
    pub end: usize,
}

/// Reference to another catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogReference {
    pub title: String,
    pub href: String,
    /// Level of the catalogue that contains the reference.
    pub level: u64,
}

/// Dataset with access.
#[derive(Debug, Clone, Default)]
pub struct ThreddsDataset {
    pub name: String,
    pub id: Option<String>,
    pub access: Vec<DatasetAccess>,
    pub meta: Rc<DatasetMetadata>,
}

/// One way to access a dataset.
#[derive(Debug, Clone, Default)]
pub struct DatasetAccess {
    pub service: Option<String>,
    pub path: String,
    pub format: Option<String>,
}

/// Metadata of a dataset, or inherited by all datasets below it.
#[derive(Debug, Clone, Default)]
pub struct DatasetMetadata {
    pub service: Option<String>,
    pub summary: Option<String>,
    pub rights: Option<String>,
    pub bbox: Option<Bbox>,
    pub time: Option<String>,
    pub modified: Option<String>,
    pub format: Option<String>,
    pub keywords: Vec<String>,
    pub contact: Contact,
}

impl DatasetMetadata {
    /// Returns these metadata, with missing values taken from the level above.
    fn over(&self, above: &Self) -> Self {
        let text = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
        Self {
            service: text(&self.service, &above.service),
            summary: text(&self.summary, &above.summary),
            rights: text(&self.rights, &above.rights),
            bbox: self.bbox.or(above.bbox),
            time: text(&self.time, &above.time),
            modified: self.modified.clone(),
            format: text(&self.format, &above.format),
            keywords: if self.keywords.is_empty() { above.keywords.clone() } else { self.keywords.clone() },
            contact: if self.contact.is_empty() { above.contact.clone() } else { self.contact.clone() },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ThreddsTag {
    Catalog,
    Service,
    Dataset,
    Reference,
    Metadata,
    ServiceName,
    DataFormat,
    Documentation,
    Keyword,
    Creator,
    NameOf,
    Contact,
    Geospatial,
    NorthSouth,
    EastWest,
    Start,
    Size,
    TimeCoverage,
    End,
    Duration,
    Date,
    Access,
    Other,
}

fn name(local: &[u8]) -> ThreddsTag {
    match local {
        b"catalog" => ThreddsTag::Catalog,
        b"service" => ThreddsTag::Service,
        b"dataset" | b"datasetScan" | b"featureCollection" | b"collection" => ThreddsTag::Dataset,
        b"catalogRef" => ThreddsTag::Reference,
        b"metadata" => ThreddsTag::Metadata,
        b"serviceName" => ThreddsTag::ServiceName,
        b"dataFormat" => ThreddsTag::DataFormat,
        b"documentation" => ThreddsTag::Documentation,
        b"keyword" => ThreddsTag::Keyword,
        b"creator" | b"publisher" => ThreddsTag::Creator,
        b"name" => ThreddsTag::NameOf,
        b"contact" => ThreddsTag::Contact,
        b"geospatialCoverage" => ThreddsTag::Geospatial,
        b"northsouth" => ThreddsTag::NorthSouth,
        b"eastwest" => ThreddsTag::EastWest,
        b"start" => ThreddsTag::Start,
        b"size" => ThreddsTag::Size,
        b"timeCoverage" => ThreddsTag::TimeCoverage,
        b"end" => ThreddsTag::End,
        b"duration" => ThreddsTag::Duration,
        b"date" => ThreddsTag::Date,
        b"access" => ThreddsTag::Access,
        _ => ThreddsTag::Other,
    }
}

/// Open dataset. The catalogue itself is the outermost.
#[derive(Default)]
struct OpenDataset {
    level: u64,
    name: String,
    id: Option<String>,
    access: Vec<DatasetAccess>,
    own: DatasetMetadata,
    /// Metadata inherited by all datasets below.
    inherited: Rc<DatasetMetadata>,
}

#[derive(Default)]
struct CatalogReader {
    catalog: ThreddsCatalog,
    groups: GranuleGroups,
    frames: Vec<OpenDataset>,
    levels: u64,
    open_services: Vec<usize>,
    /// Whether the metadata being read are inherited by all datasets below.
    inherits: bool,
    documentation: Option<String>,
    date_type: Option<String>,
    contact: Contact,
    /// Start and size, first north-south, then east-west.
    spans: [[Option<f64>; 2]; 2],
    times: [Option<String>; 3],
}

/// Reads a catalogue. The reader must have just started the root element.
pub fn read_catalog(reader: &mut XmlReader<'_>) -> ThreddsCatalog {
    let mut walk = CatalogReader::default();
    walk.catalog.name = reader.attr_by_local_name("name").and_then(|v| tidy_text(&v, 1024));
    walk.catalog.version = reader.attr("version").and_then(|v| tidy_text(&v, 32));
    walk.frames.push(OpenDataset::default());
    let mut path = vec![ThreddsTag::Catalog];
    let mut text = String::new();
    loop {
        match reader.next() {
            XmlEvent::Start => {
                text.clear();
                let name = name(reader.local_name());
                walk.start(name, &path, reader);
                path.push(name);
            }
            XmlEvent::Text if text.len() < TEXT => reader.append_text(&mut text, TEXT),
            XmlEvent::End => {
                let Some(name) = path.pop() else { break };
                if reader.is_at_end() {
                    walk.catalog.cut = true;
                }
                walk.end(name, &path, &text);
                text.clear();
            }
            XmlEvent::Eof => break,
            _ => {}
        }
    }
    walk.catalog.dropped = walk.groups.dropped;
    walk.catalog.groups = walk.groups.finish();
    walk.catalog
}

impl CatalogReader {
    fn frame(&mut self) -> Option<&mut OpenDataset> {
        self.frames.last_mut()
    }

    fn start(&mut self, name: ThreddsTag, path: &[ThreddsTag], element: &XmlReader<'_>) {
        let attr = |name: &str| {
            element
                .attr_by_local_name(name)
                .map(|v| v.trim().to_owned())
                .filter(|v| !v.is_empty() && v.len() <= 2048)
        };
        match name {
            ThreddsTag::Service if self.catalog.services.len() < SERVICES => {
                let at = self.catalog.services.len();
                self.open_services.push(at);
                self.catalog.services.push(ThreddsService {
                    name: attr("name").unwrap_or_default(),
                    kind: attr("serviceType").unwrap_or_default(),
                    base: attr("base").unwrap_or_default(),
                    suffix: attr("suffix").unwrap_or_default(),
                    end: at + 1,
                });
            }
            ThreddsTag::Dataset => {
                self.catalog.datasets += 1;
                self.levels += 1;
                let inherited = self.frames.last().map(|f| f.inherited.clone()).unwrap_or_default();
                let path = attr("urlPath");
                let service = attr("serviceName");
                let access = path.map(|path| DatasetAccess { service: service.clone(), path, format: None });
                self.frames.push(OpenDataset {
                    level: self.levels,
                    name: attr("name").unwrap_or_default(),
                    id: attr("ID"),
                    access: access.into_iter().collect(),
                    own: DatasetMetadata { service, ..DatasetMetadata::default() },
                    inherited,
                });
            }
            ThreddsTag::Reference => {
                let level = self.frames.last().map_or(0, |frame| frame.level);
                let title = attr("title").or_else(|| attr("name")).unwrap_or_default();
                if let Some(href) = attr("href")
                    && self.catalog.references.len() < REFERENCES
                {
                    self.catalog.references.push(CatalogReference { title, href, level });
                }
            }
            ThreddsTag::Metadata => {
                self.inherits = attr("inherited").is_some_and(|v| v.eq_ignore_ascii_case("true"));
            }
            ThreddsTag::Documentation => {
                self.documentation = attr("type");
                if self.documentation.as_deref() == Some("rights")
                    && let Some(href) = attr("href")
                {
                    self.set(|meta| meta.rights = meta.rights.take().or_else(|| Some(href.clone())));
                }
            }
            ThreddsTag::Date => self.date_type = attr("type"),
            ThreddsTag::Creator => self.contact = Contact::default(),
            ThreddsTag::Contact if path.last() == Some(&ThreddsTag::Creator) => {
                self.contact.email = attr("email");
                self.contact.url = attr("url");
            }
            ThreddsTag::Access => {
                let access = attr("urlPath").map(|path| DatasetAccess {
                    service: attr("serviceName"),
                    path,
                    format: attr("dataFormat"),
                });
                if let Some(frame) = self.frame()
                    && frame.access.len() < 50
                {
                    frame.access.extend(access);
                }
            }
            ThreddsTag::Geospatial => self.spans = Default::default(),
            ThreddsTag::TimeCoverage => self.times = Default::default(),
            _ => {}
        }
    }

    /// Sets metadata of the dataset and, if they are inherited, of all datasets below.
    fn set(&mut self, set: impl Fn(&mut DatasetMetadata)) {
        let inherits = self.inherits;
        if let Some(frame) = self.frames.last_mut() {
            set(&mut frame.own);
            if inherits {
                set(Rc::make_mut(&mut frame.inherited));
            }
        }
    }

    fn end(&mut self, name: ThreddsTag, path: &[ThreddsTag], text: &str) {
        let parent = path.last().copied().unwrap_or(ThreddsTag::Other);
        match name {
            ThreddsTag::Service => {
                if let Some(at) = self.open_services.pop() {
                    self.catalog.services[at].end = self.catalog.services.len();
                }
            }
            ThreddsTag::Dataset => self.close(),
            ThreddsTag::Metadata => self.inherits = false,
            ThreddsTag::ServiceName => {
                let service = tidy_text(text, 256);
                self.set(|meta| meta.service.clone_from(&service));
            }
            ThreddsTag::DataFormat => {
                let format = tidy_text(text, 128);
                self.set(|meta| meta.format = meta.format.take().or_else(|| format.clone()));
            }
            ThreddsTag::Documentation => self.document(text),
            ThreddsTag::Keyword => {
                if let Some(word) = tidy_text(text, 256) {
                    self.set(|meta| {
                        if meta.keywords.len() < 100 && !meta.keywords.contains(&word) {
                            meta.keywords.push(word.clone());
                        }
                    });
                }
            }
            ThreddsTag::NameOf if parent == ThreddsTag::Creator => {
                self.contact.organisation = tidy_text(text, 512);
            }
            ThreddsTag::Creator => {
                let contact = std::mem::take(&mut self.contact);
                self.set(|meta| {
                    if meta.contact.is_empty() {
                        meta.contact = contact.clone();
                    }
                });
            }
            ThreddsTag::Start | ThreddsTag::Size
                if matches!(parent, ThreddsTag::NorthSouth | ThreddsTag::EastWest) =>
            {
                self.spans[usize::from(parent == ThreddsTag::EastWest)]
                    [usize::from(name == ThreddsTag::Size)] = parse_decimal(text);
            }
            ThreddsTag::Geospatial => self.close_place(),
            ThreddsTag::Start | ThreddsTag::End | ThreddsTag::Duration
                if parent == ThreddsTag::TimeCoverage =>
            {
                let at = [ThreddsTag::Start, ThreddsTag::End, ThreddsTag::Duration]
                    .iter()
                    .position(|n| *n == name);
                self.times[at.unwrap_or(0)] = tidy_text(text, 64);
            }
            ThreddsTag::TimeCoverage => {
                let time = match std::mem::take(&mut self.times) {
                    [Some(start), Some(end), _] => Some(format!("{start}/{end}")),
                    [Some(start), None, Some(duration)] => Some(format!("{start}/{duration}")),
                    [None, Some(end), Some(duration)] => Some(format!("{duration}/{end}")),
                    [start, end, _] => start.or(end),
                };
                self.set(|meta| meta.time = meta.time.take().or_else(|| time.clone()));
            }
            ThreddsTag::Date if self.date_type.as_deref() == Some("modified") => {
                let date = tidy_text(text, 64);
                self.set(|meta| meta.modified = meta.modified.take().or_else(|| date.clone()));
            }
            _ => {}
        }
    }

    fn document(&mut self, text: &str) {
        let Some(text) = tidy_text(text, 4096) else { return };
        match self.documentation.take().as_deref() {
            Some("rights") => self.set(|meta| meta.rights = Some(text.clone())),
            Some("summary") => self.set(|meta| meta.summary = Some(text.clone())),
            None => self.set(|meta| meta.summary = meta.summary.take().or_else(|| Some(text.clone()))),
            Some(_) => {}
        }
    }

    fn close_place(&mut self) {
        let [north_south, east_west] = std::mem::take(&mut self.spans);
        let ([Some(south), height], [Some(west), width]) = (north_south, east_west) else { return };
        let (height, width) = (height.unwrap_or(0.0), width.unwrap_or(0.0));
        // Sizes may be negative, for example from north to south.
        let latitudes = [south.min(south + height), south.max(south + height)];
        let longitudes = [west.min(west + width), west.max(west + width)];
        let bbox = classify_bbox([longitudes[0], latitudes[0], longitudes[1], latitudes[1]]).bbox();
        self.set(|meta| meta.bbox = meta.bbox.or(bbox));
    }

    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let Some(parent) = self.frames.last_mut() else {
            self.frames.push(frame);
            return;
        };
        let meta = Rc::new(frame.own.over(&frame.inherited));
        if parent.level == 0 {
            self.catalog.meta = (*meta).clone();
        }
        if frame.access.is_empty() {
            return;
        }
        self.catalog.accessible += 1;
        let entry = ThreddsDataset { name: frame.name, id: frame.id, access: frame.access, meta };
        self.groups.add(parent.level, &parent.name, entry);
    }
}
