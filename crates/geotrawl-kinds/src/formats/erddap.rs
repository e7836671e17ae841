//! The table of all datasets of an ERDDAP server.

use super::bbox::classify_bbox;
use super::xml::tidy_text;
use geotrawl_model::{CatalogueRecord, Contact, RecordLink};
use serde_json::Value;
use url::Url;

/// Columns to request.
pub const COLUMNS: &str = "datasetID,title,summary,institution,minLongitude,maxLongitude,minLatitude,maxLatitude,\
                           minTime,maxTime,griddap,tabledap,wms,files,iso19115,infoUrl";
/// Number of rows to read.
const MOST: usize = 100_000;
/// Datasets that every ERDDAP ships with.
const DEFAULTS: &[&str] = &["allDatasets", "etopo180", "etopo360"];

/// Returns the base URL of an ERDDAP: the address up to `/erddap/`.
pub fn base_url(url: &Url) -> Option<Url> {
    let path = url.path();
    let lower = path.to_ascii_lowercase();
    let end = match lower.find("/erddap/") {
        Some(start) => start + "/erddap/".len(),
        None if lower.ends_with("/erddap") => path.len(),
        None => return None,
    };
    let mut base = url.clone();
    base.set_query(None);
    base.set_fragment(None);
    base.set_path(&format!("{}/", path[..end].trim_end_matches('/')));
    Some(base)
}

/// Returns the base URL of the ERDDAP that sent a response, also if it is installed at another
/// path.
pub fn base_url_of_response(url: &Url) -> Option<Url> {
    base_url(url).or_else(|| {
        let up = if url.path().contains("/tabledap/") { "../" } else { "./" };
        let mut base = url.join(up).ok()?;
        base.set_query(None);
        Some(base)
    })
}

/// Returns the address of the table of all datasets.
pub fn table_url(base: &Url) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}tabledap/allDatasets.json", base.path()));
    url.set_query(Some(COLUMNS));
    url
}

/// Returns whether a JSON document is a table of datasets.
pub fn is_dataset_table(root: &Value) -> bool {
    let columns = root.pointer("/table/columnNames").and_then(Value::as_array);
    columns.is_some_and(|names| names.iter().any(|name| name == "datasetID"))
        && root.pointer("/table/rows").is_some_and(Value::is_array)
}

/// Reads the records of the table.
pub fn read_records(root: &Value, base: &Url) -> Vec<CatalogueRecord> {
    let names: Vec<&str> = root
        .pointer("/table/columnNames")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let rows = root.pointer("/table/rows").and_then(Value::as_array);
    rows.into_iter()
        .flatten()
        .take(MOST)
        .filter_map(Value::as_array)
        .filter_map(|row| record(&|name| row.get(names.iter().position(|n| *n == name)?), base))
        .collect()
}

fn record<'v>(cell: &dyn Fn(&str) -> Option<&'v Value>, base: &Url) -> Option<CatalogueRecord> {
    let text = |name: &str, cap: usize| cell(name).and_then(Value::as_str).and_then(|t| tidy_text(t, cap));
    let id = text("datasetID", 512).filter(|id| !DEFAULTS.contains(&id.as_str()))?;
    let edge = |name: &str| cell(name).and_then(Value::as_f64);
    let bbox = match (edge("minLongitude"), edge("minLatitude"), edge("maxLongitude"), edge("maxLatitude")) {
        (Some(west), Some(south), Some(east), Some(north)) => {
            classify_bbox([west, south, east, north]).bbox()
        }
        _ => None,
    };
    let time = match (text("minTime", 64), text("maxTime", 64)) {
        (Some(start), Some(end)) => vec![format!("{start}/{end}")],
        (start, end) => start.or(end).into_iter().collect(),
    };
    let mut links = Vec::new();
    for (column, protocol) in [
        ("griddap", "ERDDAP:griddap"),
        ("tabledap", "ERDDAP:tabledap"),
        ("files", "WWW:DOWNLOAD"),
        ("infoUrl", "WWW:LINK"),
    ] {
        if let Some(url) = text(column, 2048) {
            links.push(RecordLink { url, protocol: Some(protocol.to_owned()), ..RecordLink::default() });
        }
    }
    if text("wms", 2048).is_some()
        && let Ok(url) =
            base.join(&format!("wms/{id}/request?service=WMS&version=1.3.0&request=GetCapabilities"))
    {
        // The column holds the documentation page, so link to the service itself.
        links.push(RecordLink {
            url: url.into(),
            protocol: Some("OGC:WMS".to_owned()),
            ..RecordLink::default()
        });
    }
    let institution = text("institution", 512);
    Some(CatalogueRecord {
        title: text("title", 1024),
        abstract_: text("summary", 4096),
        type_: Some("dataset".to_owned()),
        bbox,
        time,
        provider: institution.clone(),
        contact: Contact { organisation: institution, ..Contact::default() },
        links,
        id,
        ..CatalogueRecord::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_becomes_records() {
        let base = base_url(&Url::parse("https://x.org/data/erddap/griddap/a.html?x").expect("a URL"))
            .expect("a base");
        assert_eq!(base.as_str(), "https://x.org/data/erddap/");
        assert!(
            table_url(&base)
                .as_str()
                .starts_with("https://x.org/data/erddap/tabledap/allDatasets.json?datasetID,title")
        );
        let table: Value = serde_json::from_str(
            r#"{"table":{"columnNames":["datasetID","title","minLongitude","maxLongitude","minLatitude","maxLatitude","minTime","wms","griddap"],
            "rows":[["allDatasets","x",null,null,null,null,null,"",""],
            ["sst","Sea surface",0.5,359.5,-80,80,"2000-01-01T00:00:00Z","https://x.org/w","https://x.org/data/erddap/griddap/sst"],
            "rubbish",[],[null]]}}"#,
        )
        .expect("JSON");
        assert!(is_dataset_table(&table));
        let records = read_records(&table, &base);
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].id, "sst");
        assert!(records[0].bbox.is_some());
        assert_eq!(
            records[0].links[1].url,
            "https://x.org/data/erddap/wms/sst/request?service=WMS&version=1.3.0&request=GetCapabilities"
        );
    }
}
