//! Harvests INSPIRE download services: the feed of the service, then the feed of each dataset.
//!
//! State: `feed` (URL of a dataset's feed), `id` (the dataset's identifier in the service feed, so
//! that both feeds describe the same record).

use super::state::StateFields;
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::formats::feed::{self, FeedEntry, ParsedFeed};
use crate::formats::records::ensure_id;
use crate::formats::xml::{XmlEvent, XmlReader, charset_parameter};
use crate::probe::{CrawlTarget, ProbeRequest, ProbeResponse, ResponseBody};
use geotrawl_model::{CatalogueRecord, Intent, Issue, RecordLink};
use std::io::Read;
use url::Url;

/// INSPIRE download services by Atom feeds.
pub struct InspireAtomConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "inspire-atom",
    name: "INSPIRE Atom",
    what: "Reads the feed of a download service and, for every dataset in it, the feed of its files. Up to 2,000 \
           datasets.",
    specification: "https://knowledge-base.inspire.ec.europa.eu/publications/technical-guidance-implementation-inspire-download-services_en",
    kinds: &["inspire-atom"],
    incremental: false,
};

const DATASETS: usize = 2_000;
const MAX_BYTES: u64 = 32 << 20;

impl Connector for InspireAtomConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, _since: Option<&str>) -> ProbeRequest {
        let feed = StateFields::parse(state).get("feed").and_then(|feed| at.join(feed).ok());
        let url = feed.unwrap_or_else(|| at.clone());
        ProbeRequest::get(url, "application/atom+xml, application/xml, text/xml, */*;q=0.5", MAX_BYTES)
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let charset = answer.head.content_type.as_deref().and_then(charset_parameter);
        let here = answer.head.url.clone().unwrap_or_else(|| self.page_request(at, state, None).url);
        let feed = match answer.body {
            ResponseBody::Whole(mut bytes) => read_feed(&mut bytes, charset),
            ResponseBody::Stream(stream) => read_feed(stream, charset),
        };
        let Some(feed) = feed else {
            let issue = Issue::new(
                "inspire-no-feed",
                format!("the answer (status {}) is not a feed", answer.head.status),
            );
            return if state.is_empty() {
                CataloguePage { failure: Some(issue), ..CataloguePage::default() }
            } else {
                CataloguePage { issues: vec![issue], ..CataloguePage::default() }
            };
        };
        let fields = StateFields::parse(state);
        if state.is_empty() && feed.entries.iter().any(|entry| entry.dataset_code.is_some()) {
            service(&here, at, &feed)
        } else {
            let mut record = files(&here, &feed);
            if let Some(id) = fields.get("id") {
                id.clone_into(&mut record.id);
            }
            ensure_id(&mut record);
            CataloguePage { records: vec![record], ..CataloguePage::default() }
        }
    }
}

fn read_feed(stream: &mut dyn Read, charset: Option<&str>) -> Option<ParsedFeed> {
    let mut reader = XmlReader::new(stream, charset);
    loop {
        match reader.next() {
            XmlEvent::Start if reader.local_name() == b"feed" => return Some(feed::read_feed(&mut reader)),
            XmlEvent::Start | XmlEvent::Eof => return None,
            _ => {}
        }
    }
}

/// Reads the feed of a service: its datasets and the URLs of their feeds.
fn service(here: &Url, at: &Url, feed: &ParsedFeed) -> CataloguePage {
    let mut page = CataloguePage { total: Some(feed.count), ..CataloguePage::default() };
    for entry in feed.entries.iter().take(DATASETS) {
        let mut record = entry.to_record();
        ensure_id(&mut record);
        absolute(here, &mut record);
        if let Some(url) = dataset_feed(entry).and_then(|href| here.join(href).ok())
            && matches!(url.scheme(), "http" | "https")
            && url.as_str().len() <= 2048
        {
            record.links.retain(|link| link.url != url.as_str());
            if url.host_str() == at.host_str() {
                let mut state = StateFields::default();
                state.put_value("id", &record.id);
                state.put_value("feed", &url);
                page.next.push(state.to_string());
            } else {
                page.targets.push(CrawlTarget::new(url, Intent::Page, "catalogue"));
            }
        }
        page.records.push(record);
    }
    page
}

/// Returns the feed of a dataset: the alternate link with the media type of a feed.
fn dataset_feed(entry: &FeedEntry) -> Option<&str> {
    let feed = |link: &&feed::FeedLink| {
        let media = link.media_type.as_deref().unwrap_or_default();
        let relation = link.rel.as_deref().unwrap_or("alternate");
        relation == "alternate" && (media.contains("atom") || media.contains("text/xml"))
    };
    entry.links.iter().find(feed).map(|link| link.href.as_str())
}

/// Reads the feed of a dataset: one record, whose links are its files.
fn files(here: &Url, feed: &ParsedFeed) -> CatalogueRecord {
    let mut record = feed.head.to_record();
    record.links.retain(|link| link.protocol.as_deref() == Some("describedby"));
    for entry in &feed.entries {
        let file = entry.to_record();
        record.bbox = record.bbox.or(file.bbox);
        for crs in file.crs {
            if !record.crs.contains(&crs) {
                record.crs.push(crs);
            }
        }
        for link in file.links {
            let name = link.name.or_else(|| file.title.clone());
            if record.links.len() < 500 {
                record.links.push(RecordLink { protocol: Some("WWW:DOWNLOAD".to_owned()), name, ..link });
            }
        }
    }
    absolute(here, &mut record);
    record
}

fn absolute(here: &Url, record: &mut CatalogueRecord) {
    for link in &mut record.links {
        if let Ok(url) = here.join(&link.url) {
            link.url = url.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::ResponseHead;

    fn read(state: &str, body: &str) -> CataloguePage {
        let at = Url::parse("https://x.org/dls/service.xml").expect("a URL");
        let head = ResponseHead { status: 200, ..ResponseHead::default() };
        InspireAtomConnector.parse_page(
            &at,
            state,
            ProbeResponse { head: &head, body: ResponseBody::Whole(body.as_bytes()), truncated: false },
        )
    }

    #[test]
    fn a_service_leads_to_its_datasets_and_these_to_their_files() {
        let page = read(
            "",
            "<feed xmlns:i='inspire_dls'><title>Downloads</title><entry><title>Rivers</title><id>https://x.org/r</id>\
             <i:spatial_dataset_identifier_code>r-1</i:spatial_dataset_identifier_code>\
             <link rel='describedby' href='md.xml' type='application/xml'/><link rel='alternate' href='r.xml' type='application/atom+xml'/>\
             <g:polygon xmlns:g='g'>45 5 48 5 48 11 45 5</g:polygon></entry></feed>",
        );
        assert_eq!(page.next, ["id=r-1 feed=https://x.org/dls/r.xml"]);
        assert_eq!(page.records[0].links.len(), 1);
        assert_eq!(page.records[0].bbox, Some([5.0, 45.0, 11.0, 48.0].into()));
        let page = read(
            &page.next[0],
            "<feed><title>Rivers</title><entry><title>GML in UTM</title><category term='http://www.opengis.net/def/crs/EPSG/0/25832'/>\
             <link rel='alternate' href='r.gml' type='application/gml+xml'/></entry></feed>",
        );
        assert!(page.next.is_empty());
        let record = &page.records[0];
        assert_eq!((record.id.as_str(), record.crs.len()), ("r-1", 1));
        assert_eq!(record.links[0].url, "https://x.org/dls/r.gml");
        assert!(read("", "<html/>").failure.is_some());
    }
}
