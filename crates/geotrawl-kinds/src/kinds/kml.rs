//! KML, Keyhole Markup Language: places, lines, areas, images and links in one XML file.
//!
//! - **Specification**: OGC KML 2.2 (07-147r2) and 2.3 (12-007r2); before that, Google's own 2.0 to
//!   2.2.
//! - **Recognised by**: root element `kml` in a KML namespace (`http://www.opengis.net/kml/2.x`,
//!   `http://earth.google.com/kml/2.x`), or without namespace if its first child occurs only in
//!   KML.
//! - **Dataset**: the document is one dataset, whatever its folders.
//! - **False positives**: XML that merely mentions KML, HTML pages about it, `.kml` URLs that
//!   return a login page.

mod coordinates;
mod tokens;

use super::{ClaimCertainty, CorpusLabel, Kind, KindProfile, MapRenderer, MetadataDepth, QgisLayer};
use crate::files::{FileExamination, FileRequest, MAX_DOCUMENT, TextFile, TextStart};
use crate::probe::{CrawlTarget, Finding, Found, ResponseClass};
use coordinates::{KmlExtent, TupleReader};
use geotrawl_model::{Bbox, Dataset, Intent, Issue, Resource};
use std::io::Read;
use tokens::{KmlToken, KmlTokenizer};
use url::Url;

/// The `kml` kind.
pub struct KmlKind;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "KML",
    what: "Keyhole Markup Language: places, lines, areas, images and links in one XML file. The document is one dataset.",
    specification: "https://www.ogc.org/standards/kml/",
    evidence: "Root element kml in a KML namespace, or without namespace if its first child occurs only in KML.",
    false_positives: "XML that merely mentions KML, pages about it, .kml URLs that return a login page.",
    media_types: &["application/vnd.google-earth.kml+xml"],
    extensions: &["kml"],
    protocol: Some("WWW:DOWNLOAD-KML"),
    fixed_crs: true,
    metadata: MetadataDepth::Terse,
    corpus_labels: &[CorpusLabel::plain("kml")],
    drawer: Some(MapRenderer::Files),
    terria_type: Some("kml"),
    qgis_layer: Some(QgisLayer::Vector),
    ..KindProfile::TEXT_FILE
};

impl Kind for KmlKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_text_file(&self, start: &TextStart<'_>) -> Option<ClaimCertainty> {
        // Checked with the KML tokenizer, since the general XML reader rejects some broken
        // documents.
        (may_be_kml(start.bytes) && proves(start.bytes)).then_some(ClaimCertainty::Yes)
    }

    fn read_text_file(&self, file: TextFile<'_>) -> Option<FileExamination> {
        let document = read_kml(file.stream, file.whole)?;
        let (found, targets) = build_resource(file.url, document, |_| false);
        let wants = vec![FileRequest::Document(MAX_DOCUMENT)];
        Some(FileExamination { wants, finding: build_finding(found, targets) })
    }
}

/// Kind id.
pub const ID: &str = "kml";
/// Registered media type of KML.
pub const MEDIA_TYPE: &str = "application/vnd.google-earth.kml+xml";

/// Maximum number of links kept of one document.
const MAX_LINKS: usize = 1000;
/// Elements nested deeper are counted but not read.
const MAX_DEPTH: usize = 64;
/// Maximum length of a name, a link or a number.
const MAX_FIELD: usize = 2048;
/// Maximum length of a description, including its markup.
const MAX_DESCRIPTION: usize = 16 * 1024;

/// Contents of a KML document, as far as it was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KmlDocument {
    /// From the namespace, e.g. `2.2`; `None` without a namespace.
    pub version: Option<String>,
    /// Name of the outermost feature.
    pub name: Option<String>,
    /// Description without markup.
    pub description: Option<String>,
    /// Name of the first author.
    pub author: Option<String>,
    /// Number of `Placemark` elements.
    pub placemarks: u64,
    /// Number of `GroundOverlay` elements.
    pub ground_overlays: u64,
    /// URLs of `NetworkLink` elements as written, each with the name of the link.
    pub network_links: Vec<(String, String)>,
    /// Image URLs of overlays as written.
    pub overlay_images: Vec<String>,
    /// Box around all coordinates, overlays and regions.
    pub bbox: Option<Bbox>,
    /// Issues found while reading.
    pub issues: Vec<Issue>,
    /// Namespace and root element, as evidence.
    pub rule: String,
}

fn partial() -> Issue {
    Issue::new("read-partly", "only the start of the document was read; counts and extent may be larger")
}

/// Returns whether the start of a document may be KML; cheap, and `false` is certain.
///
/// The root must start within the first 16 KiB, preceded only by markup: text that merely shows a
/// piece of KML is not a document.
pub fn may_be_kml(head: &[u8]) -> bool {
    let start = &head[..head.len().min(16 * 1024)];
    // In UTF-16, every other byte of ASCII text is zero.
    let narrow: Vec<u8>;
    let text = if start.iter().take(4).any(|b| *b == 0) {
        narrow = start.iter().copied().filter(|b| *b != 0).collect();
        &narrow
    } else {
        start
    };
    let mark = |b: &u8| b.is_ascii_whitespace() || matches!(b, 0xef | 0xbb | 0xbf | 0xfe | 0xff);
    text.iter().find(|b| !mark(b)) == Some(&b'<') && memchr::memmem::find(text, b"kml").is_some()
}

/// Returns whether the root of a document is the root of KML.
fn proves(mut start: &[u8]) -> bool {
    let mut tokens = KmlTokenizer::new(&mut start);
    let Some(KmlToken::Start("kml", namespace)) = tokens.next() else { return false };
    if let Some(namespace) = namespace.filter(|namespace| !namespace.is_empty()) {
        return version_of(namespace).is_some();
    }
    loop {
        match tokens.next() {
            Some(KmlToken::Start(name, _)) => return FEATURES.contains(&name),
            Some(_) => {}
            None => return false,
        }
    }
}

/// Builds the finding from a document's resource and links.
pub(super) fn build_finding(found: Found, targets: Vec<CrawlTarget>) -> Finding {
    Finding { resources: vec![found], targets, verdict: ResponseClass::Resource, ..Finding::default() }
}

/// Reads a document. Returns `None` if its root is not KML. `whole` says whether `source` ends
/// where the document does; if not, a missing end is not reported as an error.
pub fn read_kml(mut source: impl Read, whole: bool) -> Option<KmlDocument> {
    KmlReader::default().run(&mut source, whole)
}

/// Elements that identify a `kml` root without namespace.
const FEATURES: &[&str] = &[
    "Document",
    "Folder",
    "Placemark",
    "NetworkLink",
    "NetworkLinkControl",
    "GroundOverlay",
    "ScreenOverlay",
    "PhotoOverlay",
    "Tour",
    "Style",
    "StyleMap",
];

/// State of reading one document.
#[derive(Default)]
struct KmlReader {
    document: KmlDocument,
    /// Local names of the open elements, root first, at most `MAX_DEPTH`.
    path: Vec<String>,
    /// Number of open elements below `path`.
    deeper: usize,
    /// Text of the innermost open element.
    text: String,
    extent: KmlExtent,
    tuples: TupleReader,
    /// `north`, `south`, `east`, `west` of the open box.
    sides: [Option<f64>; 4],
    /// `longitude`, `latitude` of a model's location.
    location: [Option<f64>; 2],
    link_name: String,
    broken_boxes: u64,
}

impl KmlReader {
    fn run(mut self, source: &mut dyn Read, whole: bool) -> Option<KmlDocument> {
        let mut tokens = KmlTokenizer::new(source);
        let KmlToken::Start("kml", namespace) = tokens.next()? else { return None };
        let proven = match namespace {
            Some(namespace) if !namespace.is_empty() => {
                self.document.version = Some(version_of(namespace)?);
                self.document.rule = format!("root {{{namespace}}}kml");
                true
            }
            _ => false,
        };
        self.path.push("kml".to_owned());
        let mut first_child = true;
        while let Some(token) = tokens.next() {
            match token {
                KmlToken::Start(name, _) => {
                    if std::mem::take(&mut first_child) && !proven {
                        if !FEATURES.contains(&name) {
                            return None;
                        }
                        self.document.rule = format!("root kml without namespace, holding {name}");
                    }
                    self.start(name);
                }
                KmlToken::Text(text) => self.text(text),
                KmlToken::End => self.end(),
            }
        }
        if first_child && !proven {
            return None;
        }
        let problem = tokens.syntax_error();
        Some(self.finish(problem, whole))
    }

    fn parent(&self, levels: usize) -> &str {
        self.path.len().checked_sub(1 + levels).and_then(|i| self.path.get(i)).map_or("", String::as_str)
    }

    fn start(&mut self, name: &str) {
        self.text.clear();
        if self.path.len() >= MAX_DEPTH {
            self.deeper += 1;
            return;
        }
        match name {
            "Placemark" => self.document.placemarks += 1,
            "GroundOverlay" => self.document.ground_overlays += 1,
            "NetworkLink" => self.link_name.clear(),
            "LatLonBox" | "LatLonAltBox" => self.sides = [None; 4],
            "Location" => self.location = [None; 2],
            _ => {}
        }
        self.path.push(name.to_owned());
    }

    fn text(&mut self, text: &str) {
        if self.deeper > 0 {
            return;
        }
        let limit = match self.parent(0) {
            // Coordinates are the bulk of most documents, so they are parsed as they arrive and
            // never stored.
            "coordinates" => return self.tuples.feed_text(text, ',', &mut self.extent),
            "coord" => return self.tuples.feed_text(text, ' ', &mut self.extent),
            "description" | "Snippet" if self.path.len() == 3 => MAX_DESCRIPTION,
            "name" | "href" | "north" | "south" | "east" | "west" | "longitude" | "latitude" => MAX_FIELD,
            _ => return,
        };
        let room = limit.saturating_sub(self.text.len());
        self.text.push_str(&text[..text.floor_char_boundary(room)]);
    }

    fn end(&mut self) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(name) = self.path.pop() else { return };
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        // `path` now ends with the parent.
        match name.as_str() {
            "coordinates" => self.tuples.finish(',', &mut self.extent),
            "coord" => self.tuples.finish(' ', &mut self.extent),
            "name" if self.parent(0) == "author" => keep_first(&mut self.document.author, text),
            "name" if self.parent(0) == "NetworkLink" => text.clone_into(&mut self.link_name),
            "name" if self.path.len() == 2 => keep_first(&mut self.document.name, text),
            "description" | "Snippet" if self.path.len() == 2 => {
                keep_first(&mut self.document.description, &without_markup(text));
            }
            "href" => self.href(text),
            "north" => self.sides[0] = number(text),
            "south" => self.sides[1] = number(text),
            "east" => self.sides[2] = number(text),
            "west" => self.sides[3] = number(text),
            "longitude" => self.location[0] = number(text),
            "latitude" => self.location[1] = number(text),
            "LatLonBox" | "LatLonAltBox" => match self.sides {
                [Some(north), Some(south), Some(east), Some(west)]
                    if self.extent.add_box(west, south, east, north) => {}
                _ => self.broken_boxes += 1,
            },
            "Location" => {
                if let [Some(longitude), Some(latitude)] = self.location {
                    self.extent.add_point(longitude, latitude);
                }
            }
            _ => {}
        }
    }

    fn href(&mut self, address: &str) {
        if address.is_empty() {
            return;
        }
        // Versions 2.0 and 2.1 call `Link` `Url`.
        match (self.parent(0), self.parent(1)) {
            ("Link" | "Url", "NetworkLink") if self.document.network_links.len() < MAX_LINKS => {
                self.document.network_links.push((address.to_owned(), self.link_name.clone()));
            }
            ("Icon", "GroundOverlay") if self.document.overlay_images.len() < MAX_LINKS => {
                self.document.overlay_images.push(address.to_owned());
            }
            _ => {}
        }
    }

    fn finish(mut self, problem: Option<String>, whole: bool) -> KmlDocument {
        let broken = self.extent.broken_count();
        let issues = &mut self.document.issues;
        if !whole {
            issues.push(partial());
        } else if let Some(problem) = problem {
            issues.push(Issue::new("xml-not-well-formed", problem));
        }
        if broken > 0 {
            let message = format!("{broken} coordinates are not valid longitudes and latitudes");
            issues.push(Issue::new("coordinates-broken", message));
        }
        if self.broken_boxes > 0 {
            let message = format!("{} boxes are incomplete or impossible", self.broken_boxes);
            issues.push(Issue::new("bbox-broken", message));
        }
        self.document.bbox = self.extent.bbox();
        self.document
    }
}

/// Returns the version in a KML namespace, or `None` if it is another namespace.
fn version_of(namespace: &str) -> Option<String> {
    let rest = namespace.strip_prefix("http://").or_else(|| namespace.strip_prefix("https://"))?;
    let version = ["www.opengis.net/kml/", "earth.google.com/kml/", "www.google.com/kml/"]
        .iter()
        .find_map(|host| rest.strip_prefix(host))?;
    let version = version.trim_end_matches('/');
    let plausible = version.len() <= 8 && version.starts_with(|c: char| c.is_ascii_digit());
    plausible.then(|| version.to_owned())
}

fn keep_first(slot: &mut Option<String>, text: &str) {
    if slot.is_none() && !text.is_empty() {
        *slot = Some(text.to_owned());
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|n: &f64| n.is_finite())
}

/// Strips HTML tags from a description and collapses white space; at most 2,000 characters. Not an
/// HTML parser: a `<` that starts no tag ends the text, which is the worst that can happen.
fn without_markup(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        plain.push(' ');
        rest = after.split_once('>').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    let plain = plain.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let mut words = String::new();
    for word in plain.split_whitespace() {
        if words.len() + word.len() > 2000 {
            break;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

/// Builds the resource of a document at `url`, and the targets for its links.
///
/// `holds` returns whether a URL is inside the same archive and needs no request.
pub fn build_resource(
    url: &Url,
    document: KmlDocument,
    holds: impl Fn(&str) -> bool,
) -> (Found, Vec<CrawlTarget>) {
    let mut targets: Vec<CrawlTarget> = Vec::new();
    let mut add = |address: &str, words: &str, intent: Intent, way: &'static str| {
        if holds(address) {
            return;
        }
        if let Ok(mut target) = url.join(address)
            && matches!(target.scheme(), "http" | "https")
        {
            target.set_fragment(None);
            let words = words.chars().take(200).collect();
            if !targets.iter().any(|t| t.url == target) {
                targets.push(CrawlTarget { words, ..CrawlTarget::new(target, intent, way) });
            }
        }
    };
    for (address, name) in &document.network_links {
        add(address, name, Intent::File, "kml:networklink");
    }
    for address in document.overlay_images.iter().filter(|a| asks_a_map_service(a)) {
        let intent = Intent::Ows { kind: "wms".to_owned(), siblings: false };
        add(address, document.name.as_deref().unwrap_or_default(), intent, "kml:groundoverlay");
    }
    let name = document.name.clone().unwrap_or_else(|| file_stem(url));
    let dataset = Dataset {
        name,
        title: document.name.clone(),
        abstract_: document.description.clone(),
        bbox: document.bbox,
        crs: [crate::formats::crs::wgs84_code()].into(),
        ..Dataset::default()
    };
    let resource = Resource {
        kind: ID.to_owned(),
        url: url.to_string(),
        versions: document.version.into_iter().collect(),
        title: document.name,
        abstract_: document.description,
        provider: document.author,
        bbox: document.bbox,
        crs: vec![crate::formats::crs::wgs84_code()],
        formats: vec![MEDIA_TYPE.into()],
        datasets: vec![dataset],
        dataset_count: 1,
        issues: document.issues,
        ..Resource::default()
    };
    (Found::new(resource, document.rule), targets)
}

/// Returns whether the image of an overlay is drawn by a WMS, which reveals the service.
fn asks_a_map_service(address: &str) -> bool {
    let address = address.to_ascii_lowercase();
    address.contains("request=getmap") || address.contains("service=wms")
}

/// Returns the file name without its extension, as a fallback title.
pub(crate) fn file_stem(url: &Url) -> String {
    let name = url.path_segments().and_then(|mut s| s.rfind(|s| !s.is_empty())).unwrap_or_default();
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned()
}
