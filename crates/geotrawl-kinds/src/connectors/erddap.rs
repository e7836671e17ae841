//! Harvests ERDDAP: one table of all datasets, in one request.

use super::{CataloguePage, Connector, ConnectorDoc};
use crate::formats::erddap::{base_url, is_dataset_table, read_records, table_url};
use crate::probe::{ProbeRequest, ProbeResponse, ResponseBody};
use geotrawl_model::Issue;
use serde_json::Value;
use std::io::Read;
use url::Url;

/// ERDDAP servers.
pub struct ErddapConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "erddap",
    name: "ERDDAP",
    what: "Reads the table of all datasets (tabledap/allDatasets.json); each dataset has its grid, table, WMS \
           and file URLs. There is no paging.",
    specification: "https://erddap.github.io/docs/user/rest",
    kinds: &["erddap"],
    incremental: false,
};

const MAX_BYTES: u64 = 64 << 20;

impl Connector for ErddapConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, _state: &str, _since: Option<&str>) -> ProbeRequest {
        let base = base_url(at).unwrap_or_else(|| at.clone());
        ProbeRequest::get(table_url(&base), "application/json, */*;q=0.5", MAX_BYTES)
    }

    fn parse_page(&self, at: &Url, _state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let base = base_url(at).unwrap_or_else(|| at.clone());
        let table: Option<Value> = match answer.body {
            ResponseBody::Whole(bytes) => serde_json::from_slice(bytes).ok(),
            ResponseBody::Stream(stream) => {
                serde_json::from_reader(std::io::BufReader::new(stream.take(MAX_BYTES))).ok()
            }
        };
        let Some(table) = table.filter(is_dataset_table) else {
            let message = format!("the response (status {}) is not a table of datasets", answer.head.status);
            return CataloguePage {
                failure: Some(Issue::new("erddap-no-table", message)),
                ..CataloguePage::default()
            };
        };
        let records = read_records(&table, &base);
        CataloguePage { total: Some(records.len() as u64), records, ..CataloguePage::default() }
    }
}
