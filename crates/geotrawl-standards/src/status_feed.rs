//! Atom feed from which a Service Status Checker (as operated by the FGDC) takes the services of a
//! catalogue: `serviceType` and `serviceUrl` in every entry. The feed also contains our status and
//! score.
//!
//! The score follows our rubric (see `/api/v1/scoring`), because the formula of the FGDC was never
//! published. It uses the same range, 0 to 100, and the same four bands.

use crate::described::DescribedRecord;
use crate::records::CatalogueInfo;
use crate::sanitize::{single_line, web_address};
use crate::xml::XmlWriter;

/// A page of the feed.
#[derive(Debug, Clone)]
pub struct StatusFeedPage {
    pub here: String,
    pub next: Option<String>,
    /// Total number of matches.
    pub total: u64,
    /// Update time of an empty feed.
    pub now: jiff::Timestamp,
}

/// Returns the Service Status Checker's name of a kind; for other kinds the id itself.
pub fn service_type(kind: &str) -> &str {
    match kind {
        "arcgis-mapserver" => "agsmapserver",
        "arcgis-featureserver" => "agsfeatureserver",
        "arcgis-imageserver" => "agsimageserver",
        "arcims" => "aims",
        "oai-pmh" => "oai",
        other => other,
    }
}

/// Returns the band of a score, as portals of the FGDC named it.
fn band(score: u8) -> &'static str {
    match score {
        0..=25 => "very bad",
        26..=50 => "bad",
        51..=75 => "good",
        _ => "excellent",
    }
}

/// Renders the feed.
pub fn render_atom(place: &CatalogueInfo, feed: &StatusFeedPage, found: &[DescribedRecord]) -> String {
    let namespaces = [
        ("xmlns", "http://www.w3.org/2005/Atom"),
        ("xmlns:os", "http://a9.com/-/spec/opensearch/1.1/"),
        ("xmlns:georss", "http://www.georss.org/georss"),
        ("xmlns:gt", "urn:geotrawl:status"),
    ];
    let mut out = XmlWriter::with_declaration();
    out.start("feed", &namespaces);
    out.leaf_with("id", &[], &feed.here);
    out.leaf_with("title", &[], &format!("{}: status of services", single_line(&place.title, 200)));
    let updated = found.iter().map(DescribedRecord::modified).max().unwrap_or(feed.now);
    out.leaf_with("updated", &[], &updated.to_string());
    out.start("author", &[]);
    out.leaf_with("name", &[], &single_line(&place.title, 200));
    out.end();
    out.leaf_with("os:totalResults", &[], &feed.total.to_string());
    let media = "application/atom+xml";
    out.empty("link", &[("rel", "self"), ("type", media), ("href", &feed.here)]);
    if let Some(next) = &feed.next {
        out.empty("link", &[("rel", "next"), ("type", media), ("href", next)]);
    }
    for described in found {
        entry(&mut out, place, described);
    }
    out.finish()
}

fn entry(out: &mut XmlWriter, place: &CatalogueInfo, described: &DescribedRecord) {
    let record = &described.record;
    let Some(url) = web_address(&record.resource.url) else { return };
    let page = format!("{}/service/{}", place.base, record.id);
    out.start("entry", &[]);
    out.leaf_with("id", &[], &page);
    out.leaf_with("title", &[], &described.title());
    out.leaf_with("updated", &[], &described.modified().to_string());
    out.empty("link", &[("rel", "alternate"), ("type", "text/html"), ("href", &page)]);
    let reason = single_line(&record.reason, 1_000);
    let said = if reason.is_empty() { record.status.as_str().to_owned() } else { reason };
    out.leaf_with("summary", &[("type", "text")], &said);
    // Without a namespace, as the Service Status Checker expects.
    out.leaf_with("serviceType", &[], service_type(&record.resource.kind));
    out.leaf_with("serviceUrl", &[], &url);
    if let Some(bbox) = described.bbox() {
        out.leaf_with(
            "georss:box",
            &[],
            &format!("{} {} {} {}", bbox.south, bbox.west, bbox.north, bbox.east),
        );
    }
    out.leaf_with("gt:status", &[], record.status.as_str());
    if let Some(score) = record.score {
        out.leaf_with("gt:currentScore", &[("band", band(score))], &score.to_string());
    }
    if let Some(checked) = record.checked {
        out.leaf_with("gt:checked", &[], &checked.to_string());
    }
    out.end();
}
