//! Single metadata records, and catalogue responses that were linked as pages.

use super::DocumentTargets;
use crate::formats::records::{RecordFormat, read_record};
use crate::formats::xml::{XmlEvent, XmlReader, tidy_text};
use crate::probe::CrawlTarget;
use crate::urls;
use geotrawl_model::{CatalogueRecord, Intent};

const WAY: &str = "catalogue:record";

/// Reads the links of a single record.
pub fn read_single_record(reader: &mut XmlReader<'_>, named: &mut DocumentTargets<'_>) {
    named.way = WAY;
    let Some(format) = RecordFormat::from_element(reader.local_name(), reader.namespace()) else { return };
    let record = read_record(reader, format).record;
    named.title = record.title.as_deref().and_then(|title| tidy_text(title, 300));
    links(&record, named);
}

fn links(record: &CatalogueRecord, named: &mut DocumentTargets<'_>) {
    let words = record.title.as_deref().unwrap_or_default();
    for link in &record.links {
        named.add_link(link, words);
    }
}

/// Reads a search response: the links of its records, and the catalogue that sent it.
pub fn read_search_response(reader: &mut XmlReader<'_>, named: &mut DocumentTargets<'_>) {
    named.way = WAY;
    loop {
        match reader.next() {
            XmlEvent::Start => {
                if let Some(format) = RecordFormat::from_element(reader.local_name(), reader.namespace()) {
                    links(&read_record(reader, format).record, named);
                }
            }
            XmlEvent::Eof => break,
            _ => {}
        }
    }
    // A stored response has no catalogue behind its address.
    let endpoint = urls::endpoint_url(named.base);
    if endpoint != *named.base
        || urls::service_hint(named.base).is_some_and(|hint| hint.kinds.contains(&"csw"))
    {
        let intent = Intent::Ows { kind: "csw".to_owned(), siblings: false };
        named.targets.push(CrawlTarget::new(endpoint, intent, WAY));
    }
}
