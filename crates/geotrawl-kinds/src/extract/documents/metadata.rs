//! Metadata records that stand alone, and answers of catalogues that were linked as pages.

use super::Named;
use crate::formats::records::{RecordFormat, read_record};
use crate::formats::xml::{Event, Reader, tidy};
use crate::probe::CrawlTarget;
use crate::urls;
use geotrawl_model::{CatalogueRecord, Intent};

const WAY: &str = "catalogue:record";

/// One record: its links.
pub fn record(reader: &mut Reader<'_>, named: &mut Named<'_>) {
    named.way = WAY;
    let Some(format) = RecordFormat::of(reader.local(), reader.namespace()) else { return };
    let record = read_record(reader, format).record;
    named.title = record.title.as_deref().and_then(|title| tidy(title, 300));
    links(&record, named);
}

fn links(record: &CatalogueRecord, named: &mut Named<'_>) {
    let words = record.title.as_deref().unwrap_or_default();
    for link in &record.links {
        named.add_link(link, words);
    }
}

/// An answer to a search: the links of its records, and the catalogue that gave it.
pub fn answer(reader: &mut Reader<'_>, named: &mut Named<'_>) {
    named.way = WAY;
    loop {
        match reader.next() {
            Event::Start => {
                if let Some(format) = RecordFormat::of(reader.local(), reader.namespace()) {
                    links(&read_record(reader, format).record, named);
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    // A stored answer has no catalogue behind its address.
    let endpoint = urls::endpoint_url(named.base);
    if endpoint != *named.base
        || urls::service_hint(named.base).is_some_and(|hint| hint.kinds.contains(&"csw"))
    {
        let intent = Intent::Ows { kind: "csw".to_owned(), siblings: false };
        named.targets.push(CrawlTarget::new(endpoint, intent, WAY));
    }
}
