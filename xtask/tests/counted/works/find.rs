//! Searching, and answering in the format of a standard.

use super::WorkPass;
use anyhow::{Result, bail};
use geotrawl_index::{CatalogueIndex, IndexOptions, SearchQuery, SearchTarget};
use geotrawl_model::Record;
use geotrawl_standards::csw::{self, CswOperation, CswPage, CswSite};
use geotrawl_testkit::documents::GeneratedCatalogue;
use std::path::Path;

const SERVICES: usize = 400;
const LAYERS: usize = 4_000;
const QUESTIONS: usize = 6;
const RECORDS: usize = 12;

fn catalogue() -> GeneratedCatalogue {
    GeneratedCatalogue::new(SERVICES, LAYERS)
}

pub fn prepare(folder: &Path) -> Result<()> {
    let index = CatalogueIndex::open(&folder.join("index"), &IndexOptions::default())?;
    index.apply_changes(&catalogue())?;
    Ok(())
}

pub fn begin_search(folder: &Path) -> Result<Box<WorkPass>> {
    let index = CatalogueIndex::open(&folder.join("index"), &IndexOptions::default())?;
    let catalogue = catalogue();
    let questions: Vec<SearchQuery> = (0..QUESTIONS)
        .map(|number| {
            let (words, bbox) = catalogue.search_query(number);
            SearchQuery {
                // Words alone have results in a catalogue of this size, words and a box rarely.
                bbox: (number % 2 == 0).then_some(bbox),
                words: words.split(' ').next().unwrap_or_default().to_owned(),
                by: if number % 3 == 0 { SearchTarget::Layers } else { SearchTarget::Services },
                limit: 20,
                count_facets: true,
                ..SearchQuery::default()
            }
        })
        .collect();
    Ok(Box::new(move || {
        let mut found = 0;
        for question in &questions {
            found += index.search(question)?.total;
        }
        Ok(found)
    }))
}

#[expect(clippy::unnecessary_wraps, reason = "one of several of this shape")]
pub fn begin_records(_: &Path) -> Result<Box<WorkPass>> {
    let catalogue = catalogue();
    let records: Vec<Record> = (0..RECORDS).map(|number| catalogue.document(number).record).collect();
    let page = CswPage { total: SERVICES as u64, ids: RECORDS, records };
    let site = CswSite {
        base: "https://geo.example".to_owned(),
        title: "Counted".to_owned(),
        now: jiff::Timestamp::UNIX_EPOCH,
        sequence: 7,
    };
    Ok(Box::new(move || {
        let asked = csw::read_kvp(
            "SERVICE=CSW&VERSION=2.0.2&REQUEST=GetRecords&typeNames=gmd:MD_Metadata&resultType=results&maxRecords=12\
             &constraint=AnyText+LIKE+'%25water%25'+AND+BBOX(ows:BoundingBox,5,50,6,51)&constraintLanguage=CQL_TEXT\
             &outputSchema=http://www.isotc211.org/2005/gmd&elementSetName=full",
        );
        let Ok(asked) = asked else { bail!("the request was rejected") };
        let CswOperation::GetRecords(wanted) = &asked.operation else { bail!("unexpected operation") };
        Ok(csw::render_records(wanted, csw::CswVersion::V2, None, &page, &site).len() as u64)
    }))
}
