//! Harvests THREDDS catalogue by catalogue, down the tree.
//!
//! State: `at` (URL of the catalogue), `depth` below the first, `left` (number of catalogues that
//! this branch may still request). The budget is divided among the branches, so the whole tree
//! never exceeds it, whatever its shape, and loops end with it.

use super::state::StateFields;
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::formats::thredds::groups::digit_pattern;
use crate::formats::thredds::{CatalogReference, ThreddsCatalog};
use crate::formats::xml::{XmlEvent, XmlReader, charset_parameter};
use crate::probe::{ProbeRequest, ProbeResponse, ResponseBody};
use geotrawl_model::Issue;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use url::Url;

/// THREDDS catalogues.
pub struct ThreddsConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "thredds",
    name: "THREDDS",
    what: "Follows the references from a catalogue to those below it, six levels deep and two hundred \
           catalogues at most. Files and catalogues that differ only by a date or number form a series, of \
           which only the last is read.",
    specification: "https://docs.unidata.ucar.edu/tds/current/userguide/client_side_catalog_specification.html",
    kinds: &["thredds"],
    incremental: false,
};

const DEPTH: u64 = 6;
const CATALOGUES: u64 = 200;
const MAX_BYTES: u64 = 64 << 20;

impl Connector for ThreddsConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, _since: Option<&str>) -> ProbeRequest {
        ProbeRequest::get(address(at, state), "application/xml, text/xml, */*;q=0.5", MAX_BYTES)
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let here = address(at, state);
        let status = answer.head.status;
        let charset = answer.head.content_type.as_deref().and_then(charset_parameter);
        let catalog = match answer.body {
            ResponseBody::Whole(mut bytes) => read_catalog(&mut bytes, charset),
            ResponseBody::Stream(stream) => read_catalog(stream, charset),
        };
        let Some(catalog) = catalog else {
            let message = format!("{here} (status {status}) is not a catalogue");
            // Only the first catalogue decides whether the harvest fails.
            return if state.is_empty() {
                CataloguePage {
                    failure: Some(Issue::new("thredds-no-catalogue", message)),
                    ..CataloguePage::default()
                }
            } else {
                CataloguePage {
                    issues: vec![Issue::new("thredds-no-catalogue", message)],
                    ..CataloguePage::default()
                }
            };
        };
        let here = answer.head.url.clone().unwrap_or(here);
        let mut page = CataloguePage { records: catalog.to_records(&here), ..CataloguePage::default() };
        let fields = StateFields::parse(state);
        let depth = fields.number_value("depth").unwrap_or(0);
        let left = fields.number_value("left").unwrap_or(CATALOGUES).min(CATALOGUES).saturating_sub(1);
        if depth < DEPTH {
            page.next = below(&here, at, &catalog.references, depth + 1, left);
        } else if !catalog.references.is_empty() {
            page.issues
                .push(Issue::new("thredds-too-deep", "catalogues more than six levels down are skipped"));
        }
        if catalog.dropped > 0 || catalog.cut {
            page.issues.push(Issue::new("catalogue-cut", "the catalogue is too long or ends early"));
        }
        page
    }
}

fn address(at: &Url, state: &str) -> Url {
    let below = StateFields::parse(state).get("at").and_then(|there| at.join(there).ok());
    below.unwrap_or_else(|| at.clone())
}

fn read_catalog(stream: &mut dyn Read, charset: Option<&str>) -> Option<ThreddsCatalog> {
    let mut reader = XmlReader::new(stream, charset);
    loop {
        match reader.next() {
            XmlEvent::Start if reader.local_name() == b"catalog" => {
                return Some(ThreddsCatalog::from_xml(&mut reader));
            }
            XmlEvent::Start | XmlEvent::Eof => return None,
            _ => {}
        }
    }
}

/// Returns the states of the catalogues below: only the last of each series, and within the budget.
fn below(here: &Url, first: &Url, references: &[CatalogReference], depth: u64, left: u64) -> Vec<String> {
    let mut series: BTreeMap<(u64, String), Url> = BTreeMap::new();
    let mut order: Vec<(u64, String)> = Vec::new();
    for reference in references {
        let Ok(mut url) = here.join(&reference.href) else { continue };
        url.set_fragment(None);
        // Catalogues of other servers are found through links to them.
        if url.host_str() != first.host_str() || !matches!(url.scheme(), "http" | "https") || url == *here {
            continue;
        }
        if let Some(stem) = url.path().strip_suffix(".html").map(str::to_owned) {
            url.set_path(&format!("{stem}.xml"));
        }
        let key = (reference.level, digit_pattern(url.as_str()));
        if series.insert(key.clone(), url).is_none() {
            order.push(key);
        }
    }
    let taken = (order.len() as u64).min(left);
    if taken == 0 {
        return Vec::new();
    }
    let share = left / taken;
    let mut seen = BTreeSet::new();
    let urls = order.iter().take(taken as usize).filter_map(|key| series.get(key));
    urls.filter(|url| seen.insert(url.as_str()))
        .map(|url| {
            let mut fields = StateFields::default();
            fields.put_value("depth", depth);
            fields.put_value("left", share);
            fields.put_value("at", url);
            fields.to_string()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::ResponseHead;

    fn read(at: &str, state: &str, body: &str) -> CataloguePage {
        let at = Url::parse(at).expect("a URL");
        let head = ResponseHead { status: 200, ..ResponseHead::default() };
        ThreddsConnector.parse_page(
            &at,
            state,
            ProbeResponse { head: &head, body: ResponseBody::Whole(body.as_bytes()), truncated: false },
        )
    }

    #[test]
    fn references_are_followed_within_the_budget() {
        let body = "<catalog xmlns:xlink='x'><catalogRef xlink:href='a/catalog.xml'/>\
            <catalogRef xlink:href='b/catalog.html'/><catalogRef xlink:href='http://other.org/catalog.xml'/>\
            <dataset name='Years'><catalogRef xlink:href='y/2001/catalog.xml'/><catalogRef xlink:href='y/2002/catalog.xml'/></dataset></catalog>";
        let page = read("https://x.org/thredds/catalog.xml", "", body);
        assert_eq!(
            page.next,
            [
                "depth=1 left=66 at=https://x.org/thredds/a/catalog.xml",
                "depth=1 left=66 at=https://x.org/thredds/b/catalog.xml",
                "depth=1 left=66 at=https://x.org/thredds/y/2002/catalog.xml"
            ]
        );
        let at = Url::parse("https://x.org/thredds/catalog.xml").expect("a URL");
        assert_eq!(
            ThreddsConnector.page_request(&at, &page.next[0], None).url.as_str(),
            "https://x.org/thredds/a/catalog.xml"
        );
    }

    #[test]
    fn an_endless_tree_ends() {
        let mut states = vec![String::new()];
        let mut asked = 0u64;
        while let Some(state) = states.pop() {
            asked += 1;
            let body: Vec<String> = (0..30)
                .map(|i| format!("<catalogRef href='{asked}{}/catalog.xml'/>", "x".repeat(i)))
                .collect();
            let body = body.concat();
            states.extend(
                read("https://x.org/c/catalog.xml", &state, &format!("<catalog>{body}</catalog>")).next,
            );
        }
        assert!(asked <= CATALOGUES, "{asked}");
        let page =
            read("https://x.org/c/catalog.xml", "", "<catalog><catalogRef href='catalog.xml'/></catalog>");
        assert!(page.next.is_empty(), "itself");
        assert!(read("https://x.org/c", "", "<html/>").failure.is_some());
    }
}
