//! ERDDAP: one table of all datasets, in one request.

use super::{Connector, ConnectorDoc, Page};
use crate::formats::erddap::{base, is_table, records, table_url};
use crate::probe::{Answer, Ask, Body};
use geotrawl_model::Issue;
use serde_json::Value;
use std::io::Read;
use url::Url;

/// ERDDAP servers.
pub struct Erddap;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "erddap",
    name: "ERDDAP",
    what: "Reads the table of all datasets (tabledap/allDatasets.json); each dataset with its grid, table, WMS \
           and file addresses. No paging: it is one answer.",
    specification: "https://erddap.github.io/docs/user/rest",
    kinds: &["erddap"],
    incremental: false,
};

const MAX_BYTES: u64 = 64 << 20;

impl Connector for Erddap {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn ask(&self, at: &Url, _state: &str, _since: Option<&str>) -> Ask {
        let base = base(at).unwrap_or_else(|| at.clone());
        Ask::get(table_url(&base), "application/json, */*;q=0.5", MAX_BYTES)
    }

    fn read(&self, at: &Url, _state: &str, answer: Answer<'_>) -> Page {
        let base = base(at).unwrap_or_else(|| at.clone());
        let table: Option<Value> = match answer.body {
            Body::Whole(bytes) => serde_json::from_slice(bytes).ok(),
            Body::Stream(stream) => {
                serde_json::from_reader(std::io::BufReader::new(stream.take(MAX_BYTES))).ok()
            }
        };
        let Some(table) = table.filter(is_table) else {
            let message = format!("the answer (status {}) is no table of datasets", answer.head.status);
            return Page { failure: Some(Issue::new("erddap-no-table", message)), ..Page::default() };
        };
        let records = records(&table, &base);
        Page { total: Some(records.len() as u64), records, ..Page::default() }
    }
}
