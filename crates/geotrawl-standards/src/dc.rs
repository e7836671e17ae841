//! Records as Dublin Core, in the elements of CSW: `Record`, `SummaryRecord`, `BriefRecord`.

use crate::csw::{CswVersion, ElementSelection, ElementSet};
use crate::links;
use crate::shared_params::resource_type;
use crate::xml::XmlWriter;
use geotrawl_model::{Bbox, Record};

/// Maximum number of keywords, layers or reference systems per record.
pub const MOST_VALUES: usize = 100;

/// Returns the display title of a record.
pub fn record_title(record: &Record) -> &str {
    let title = record.resource.title.as_deref().map(str::trim).unwrap_or_default();
    if title.is_empty() { &record.resource.url } else { title }
}

/// Returns when a record was last known to work, else when it was last seen.
pub fn last_modified(record: &Record) -> jiff::Timestamp {
    record.last_ok.unwrap_or(record.last_seen)
}

/// Formats a time in whole seconds, because schemas and clients accept no fractions.
pub fn format_seconds(moment: jiff::Timestamp) -> String {
    let whole = jiff::Timestamp::from_second(moment.as_second()).unwrap_or(moment);
    whole.to_string()
}

/// Returns west and east with west below east, as schemas require; a box across the antimeridian
/// becomes the full circle.
pub fn ordered_longitudes(bbox: &Bbox) -> (f64, f64) {
    if bbox.west > bbox.east { (-180.0, 180.0) } else { (bbox.west, bbox.east) }
}

/// Returns the record's box if it is valid.
pub fn valid_bbox(record: &Record) -> Option<Bbox> {
    let bbox = record.resource.bbox?;
    let all = [bbox.west, bbox.south, bbox.east, bbox.north];
    let sound = all.iter().all(|value| value.is_finite() && value.abs() <= 360.0) && bbox.south <= bbox.north;
    sound.then_some(bbox)
}

/// Returns keywords and themes, without duplicates.
pub fn list_subjects(record: &Record) -> Vec<&str> {
    let mut subjects: Vec<&str> = Vec::new();
    let keywords = record.resource.keywords.iter().map(String::as_str);
    // Two-letter theme codes mean nothing to people who read keywords.
    let themes = record.themes.iter().map(|theme| theme.term.as_str()).filter(|term| term.len() > 2);
    for subject in keywords.chain(themes).map(str::trim) {
        if !subject.is_empty() && !subjects.contains(&subject) {
            subjects.push(subject);
        }
        if subjects.len() >= MOST_VALUES {
            break;
        }
    }
    subjects
}

/// Writes a record. `page` is the address of its page for people.
pub fn write_dublin_core(
    xml: &mut XmlWriter,
    record: &Record,
    version: CswVersion,
    elements: &ElementSelection,
    page: &str,
) {
    let names = match version {
        CswVersion::V2 => ["csw:BriefRecord", "csw:SummaryRecord", "csw:Record"],
        CswVersion::V3 => ["csw30:BriefRecord", "csw30:SummaryRecord", "csw30:Record"],
    };
    let (name, set) = match elements {
        ElementSelection::Set(ElementSet::Brief) => (names[0], ElementSet::Brief),
        ElementSelection::Set(ElementSet::Summary) => (names[1], ElementSet::Summary),
        ElementSelection::Set(ElementSet::Full) | ElementSelection::Names(_) => (names[2], ElementSet::Full),
    };
    // Only the requested elements, but always the identifier: clients cannot use a record without
    // one.
    let wanted = |name: &str| match elements {
        ElementSelection::Set(_) => true,
        ElementSelection::Names(names) => {
            let local = |name: &str| name.rsplit([':', '/']).next().unwrap_or_default().to_ascii_lowercase();
            local(name) == "identifier" || names.iter().any(|asked| local(asked) == local(name))
        }
    };
    let resource = &record.resource;
    let full = set == ElementSet::Full;
    xml.start(name, &[]);
    let mut leaf = |name: &'static str, text: &str| {
        if wanted(name) && !text.trim().is_empty() {
            xml.leaf(name, text.trim());
        }
    };
    leaf("dc:identifier", &record.id);
    leaf("dc:title", record_title(record));
    leaf("dc:type", resource_type(&resource.kind));
    if set != ElementSet::Brief {
        for subject in list_subjects(record) {
            leaf("dc:subject", subject);
        }
        leaf("dc:format", links::kind_protocol(&resource.kind).1);
        if full {
            leaf("dc:creator", resource.provider.as_deref().unwrap_or_default());
            leaf("dc:publisher", resource.provider.as_deref().unwrap_or_default());
            leaf("dc:rights", resource.licence.as_deref().unwrap_or_default());
            for language in resource.languages.iter().take(MOST_VALUES) {
                leaf("dc:language", language);
            }
            leaf("dc:source", &resource.url);
        }
        leaf("dct:modified", &format_seconds(last_modified(record)));
        leaf("dct:abstract", resource.abstract_.as_deref().unwrap_or_default());
    }
    if full {
        leaf("dct:created", &format_seconds(record.first_seen));
        if wanted("dct:references") {
            for link in links::access_links(record) {
                xml.leaf_with("dct:references", &[("scheme", link.protocol)], &link.href);
            }
            xml.leaf_with("dct:references", &[("scheme", "WWW:LINK-1.0-http--link")], page);
        }
    }
    if let Some(bbox) = valid_bbox(record).filter(|_| wanted("ows:BoundingBox")) {
        write_box(xml, &bbox, version);
    }
    xml.end();
}

fn write_box(xml: &mut XmlWriter, bbox: &Bbox, version: CswVersion) {
    let (west, east) = ordered_longitudes(bbox);
    let names = match version {
        CswVersion::V2 => ["ows:BoundingBox", "ows:LowerCorner", "ows:UpperCorner"],
        CswVersion::V3 => ["ows20:BoundingBox", "ows20:LowerCorner", "ows20:UpperCorner"],
    };
    let attributes = [("crs", "urn:ogc:def:crs:EPSG::4326"), ("dimensions", "2")];
    xml.start(names[0], &attributes)
        .leaf(names[1], &format!("{} {west}", bbox.south))
        .leaf(names[2], &format!("{} {east}", bbox.north))
        .end();
}
