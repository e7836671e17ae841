//! Atom and RSS feeds with GeoRSS locations, as download services and search services write them.

use super::bbox::{classify_bbox, parse_decimal};
use super::xml::{XmlEvent, XmlReader, tidy_text};
use geotrawl_model::{Bbox, CatalogueRecord, Contact, RecordLink};

const ENTRIES: usize = 10_000;
const LINKS: usize = 200;
const TEXT: usize = 32 * 1024;

/// Link of a feed or an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedLink {
    pub rel: Option<String>,
    pub href: String,
    pub media_type: Option<String>,
    pub title: Option<String>,
}

/// Entry of a feed, or the feed itself.
#[derive(Debug, Clone, Default)]
pub struct FeedEntry {
    pub id: Option<String>,
    pub title: Option<String>,
    pub summary: Option<String>,
    pub rights: Option<String>,
    pub updated: Option<String>,
    pub time: Option<String>,
    pub author: Contact,
    /// Terms with their labels.
    pub categories: Vec<(String, Option<String>)>,
    pub links: Vec<FeedLink>,
    pub bbox: Option<Bbox>,
    /// `inspire_dls:spatial_dataset_identifier_code`
    pub dataset_code: Option<String>,
}

/// Feed with its entries.
#[derive(Debug, Default)]
pub struct ParsedFeed {
    /// Metadata of the feed itself.
    pub head: FeedEntry,
    pub entries: Vec<FeedEntry>,
    /// Number of entries, including those that were not kept.
    pub count: u64,
    pub total: Option<u64>,
    pub per_page: Option<u64>,
    /// Whether the feed contains GeoRSS or similar locations.
    pub places: bool,
}

impl FeedEntry {
    /// Returns the first link with this relation.
    pub fn link_with_rel(&self, rel: &str) -> Option<&FeedLink> {
        self.links.iter().find(|link| link.rel.as_deref() == Some(rel))
    }

    /// Converts the entry to a catalogue record.
    pub fn to_record(&self) -> CatalogueRecord {
        let followed = |link: &&FeedLink| {
            !matches!(
                link.rel.as_deref(),
                Some("self" | "search" | "next" | "prev" | "first" | "last" | "icon" | "up")
            )
        };
        let links = self.links.iter().filter(followed).map(|link| RecordLink {
            url: link.href.clone(),
            protocol: link.rel.clone(),
            format: link.media_type.clone(),
            name: link.title.clone(),
        });
        let crs = self.categories.iter().filter(|(term, _)| is_crs(term)).map(|(term, _)| term.clone());
        let words = self.categories.iter().filter(|(term, _)| !is_crs(term));
        CatalogueRecord {
            id: self.dataset_code.clone().or_else(|| self.id.clone()).unwrap_or_default(),
            title: self.title.clone(),
            abstract_: self.summary.clone(),
            keywords: words.map(|(term, label)| label.clone().unwrap_or_else(|| term.clone())).collect(),
            bbox: self.bbox,
            time: self.time.clone().into_iter().collect(),
            crs: crs.collect(),
            provider: self.author.organisation.clone().or_else(|| self.author.person.clone()),
            contact: self.author.clone(),
            licence: self.rights.clone(),
            modified: self.updated.clone(),
            links: links.collect(),
            ..CatalogueRecord::default()
        }
    }
}

/// Returns whether a category names a coordinate reference system.
pub fn is_crs(term: &str) -> bool {
    let lower = term.to_ascii_lowercase();
    lower.contains("/def/crs/") || lower.starts_with("urn:ogc:def:crs") || lower.starts_with("epsg:")
}

#[derive(Default)]
struct PendingLocation {
    lat: Option<f64>,
    lon: Option<f64>,
    lower: Option<String>,
}

/// Reads a feed. The reader must have just started the root element.
pub fn read_feed(reader: &mut XmlReader<'_>) -> ParsedFeed {
    let mut feed = ParsedFeed::default();
    let mut entry: Option<FeedEntry> = None;
    let mut place = PendingLocation::default();
    let mut path: Vec<String> = vec![local(reader)];
    let mut text = String::new();
    loop {
        match reader.next() {
            XmlEvent::Start => {
                let name = local(reader);
                if matches!(name.as_str(), "entry" | "item")
                    && !path.iter().any(|n| n == "entry" || n == "item")
                {
                    entry = Some(FeedEntry::default());
                    place = PendingLocation::default();
                }
                begin(entry.as_mut().unwrap_or(&mut feed.head), &name, reader);
                text.clear();
                path.push(name);
            }
            XmlEvent::Text if text.len() < TEXT => reader.append_text(&mut text, TEXT),
            XmlEvent::End => {
                let Some(name) = path.pop() else { break };
                let parent = path.last().map_or("", String::as_str);
                match name.as_str() {
                    "entry" | "item" => {
                        if let Some(done) = entry.take() {
                            feed.count += 1;
                            if feed.entries.len() < ENTRIES {
                                feed.entries.push(done);
                            }
                        }
                    }
                    "totalResults" => feed.total = text.trim().parse().ok(),
                    "itemsPerPage" => feed.per_page = text.trim().parse().ok(),
                    _ => {
                        let target = entry.as_mut().unwrap_or(&mut feed.head);
                        if let Some(bbox) = placed(&name, parent, &text, &mut place) {
                            feed.places = true;
                            target.bbox = target.bbox.or(Some(bbox));
                        } else {
                            field(target, &name, parent, &text);
                        }
                    }
                }
                text.clear();
            }
            XmlEvent::Eof => break,
            _ => {}
        }
    }
    feed
}

fn local(reader: &XmlReader<'_>) -> String {
    let name = reader.local_name();
    String::from_utf8_lossy(&name[..name.len().min(64)]).into_owned()
}

fn begin(entry: &mut FeedEntry, name: &str, reader: &XmlReader<'_>) {
    let attr = |name: &str| {
        reader
            .attr_by_local_name(name)
            .map(|v| v.trim().to_owned())
            .filter(|v| !v.is_empty() && v.len() <= 4096)
    };
    match name {
        "link" | "enclosure" if entry.links.len() < LINKS => {
            if let Some(href) = attr("href").or_else(|| attr("url")) {
                let rel = attr("rel").or_else(|| (name == "enclosure").then(|| name.to_owned()));
                entry.links.push(FeedLink { rel, href, media_type: attr("type"), title: attr("title") });
            }
        }
        "category" if entry.categories.len() < 200 => {
            if let Some(term) = attr("term") {
                entry.categories.push((term, attr("label")));
            }
        }
        _ => {}
    }
}

fn field(entry: &mut FeedEntry, name: &str, parent: &str, text: &str) {
    let fill = |field: &mut Option<String>, cap: usize| {
        if field.is_none() {
            *field = tidy_text(text, cap);
        }
    };
    match (parent, name) {
        ("author" | "contributor", "name") => fill(&mut entry.author.person, 512),
        ("author" | "contributor", "email") => fill(&mut entry.author.email, 256),
        ("author" | "contributor", "uri") => fill(&mut entry.author.url, 1024),
        (_, "managingEditor") => fill(&mut entry.author.email, 256),
        ("feed" | "entry" | "channel" | "item" | "RDF", _) => match name {
            "identifier" => entry.id = tidy_text(text, 1024).or_else(|| entry.id.take()),
            "id" | "guid" => fill(&mut entry.id, 1024),
            "title" => fill(&mut entry.title, 1024),
            "summary" | "subtitle" | "description" => fill(&mut entry.summary, 4096),
            "rights" | "copyright" => fill(&mut entry.rights, 1024),
            "updated" | "pubDate" | "lastBuildDate" | "published" => fill(&mut entry.updated, 64),
            "date" | "temporal" => fill(&mut entry.time, 128),
            "publisher" => fill(&mut entry.author.organisation, 512),
            "spatial_dataset_identifier_code" => fill(&mut entry.dataset_code, 1024),
            // RSS writes the link as text, Atom as an attribute.
            "link" if !text.trim().is_empty() && text.len() <= 4096 && entry.links.len() < LINKS => {
                entry.links.push(FeedLink { href: text.trim().to_owned(), ..FeedLink::default() });
            }
            "category" if !text.trim().is_empty() && entry.categories.len() < 200 => {
                entry.categories.extend(tidy_text(text, 256).map(|term| (term, None)));
            }
            _ => {}
        },
        _ => {}
    }
}

/// Reads a location. All GeoRSS encodings write latitude first.
fn placed(name: &str, parent: &str, text: &str, place: &mut PendingLocation) -> Option<Bbox> {
    match name {
        "box" | "polygon" | "point" | "line" | "posList" => around(text),
        "pos" => around(text),
        "lowerCorner" => {
            place.lower = Some(text.to_owned());
            None
        }
        "upperCorner" => around(&format!("{} {text}", place.lower.take()?)),
        "lat" => {
            place.lat = parse_decimal(text);
            both(place)
        }
        "long" | "lon" if parent != "box" => {
            place.lon = parse_decimal(text);
            both(place)
        }
        _ => None,
    }
}

fn both(place: &PendingLocation) -> Option<Bbox> {
    let (lat, lon) = (place.lat?, place.lon?);
    classify_bbox([lon, lat, lon, lat]).bbox()
}

/// Returns the box around pairs of latitude and longitude.
fn around(text: &str) -> Option<Bbox> {
    let mut numbers = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .map_while(parse_decimal)
        .take(200_000);
    let mut bounds: Option<[f64; 4]> = None;
    while let (Some(lat), Some(lon)) = (numbers.next(), numbers.next()) {
        let [west, south, east, north] = bounds.unwrap_or([lon, lat, lon, lat]);
        bounds = Some([west.min(lon), south.min(lat), east.max(lon), north.max(lat)]);
    }
    classify_bbox(bounds?).bbox()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(xml: &str) -> ParsedFeed {
        let mut input = xml.as_bytes();
        let mut reader = XmlReader::new(&mut input, None);
        while !matches!(reader.next(), XmlEvent::Start | XmlEvent::Eof) {}
        read_feed(&mut reader)
    }

    #[test]
    fn atom_is_read_with_links_and_places() {
        let feed = read_text(
            "<feed xmlns:georss='g' xmlns:os='o'><title>Search</title><os:totalResults>17</os:totalResults><link rel='next' href='?p=2'/>\
             <author><name>Office</name><email>a@b.org</email></author>\
             <entry><id>e1</id><title>One</title><summary>First</summary><updated>2024-01-01</updated>\
             <link rel='enclosure' type='application/zip' href='https://x.org/1.zip'/><link rel='self' href='x'/>\
             <category term='http://www.opengis.net/def/crs/EPSG/0/25832' label='UTM'/><category term='water'/>\
             <georss:polygon>45 5 48 5 48 11 45 11 45 5</georss:polygon></entry>\
             <entry><id>e2</id><georss:where><gml:Envelope><gml:lowerCorner>45 5</gml:lowerCorner><gml:upperCorner>48 11</gml:upperCorner></gml:Envelope></georss:where></entry></feed>",
        );
        assert_eq!((feed.total, feed.count, feed.head.title.as_deref()), (Some(17), 2, Some("Search")));
        assert_eq!(feed.head.author.email.as_deref(), Some("a@b.org"));
        assert_eq!(feed.head.link_with_rel("next").map(|l| l.href.as_str()), Some("?p=2"));
        let alps = Some(Bbox::from([5.0, 45.0, 11.0, 48.0]));
        assert!(feed.entries.iter().all(|e| e.bbox == alps), "{:?}", feed.entries);
        let record = feed.entries[0].to_record();
        assert_eq!((record.links.len(), record.crs.len(), record.keywords.len()), (1, 1, 1));
    }

    #[test]
    fn rss_is_read_too() {
        let feed = read_text(
            "<rss><channel><title>Quakes</title><link>https://x.org/</link><item><title>M 5</title><link>https://x.org/5</link>\
             <guid>5</guid><geo:lat xmlns:geo='g'>10</geo:lat><geo:long>20</geo:long><enclosure url='https://x.org/5.kml' type='k'/></item></channel></rss>",
        );
        assert_eq!(feed.head.title.as_deref(), Some("Quakes"));
        assert_eq!(feed.entries[0].bbox, Some(Bbox::from([20.0, 10.0, 20.0, 10.0])));
        assert_eq!(feed.entries[0].links.len(), 2);
        assert!(feed.places);
    }
}
