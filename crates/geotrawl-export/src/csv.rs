//! CSV (RFC 4180), one record per row.

use crate::{ExportError, RecordSource};
use geotrawl_model::{Bbox, Record};
use std::io::Write;

pub(crate) const COLUMNS: &[&str] = &[
    "id",
    "kind",
    "url",
    "title",
    "provider",
    "versions",
    "dataset_count",
    "west",
    "south",
    "east",
    "north",
    "status",
    "reason",
    "host",
    "ip",
    "first_seen",
    "last_seen",
    "licence",
    "keywords",
    "aliases",
    "page",
    "way",
    "depth",
    "country",
    "score",
];

pub(crate) fn write_csv(give: &mut RecordSource<'_>, out: &mut dyn Write) -> Result<u64, ExportError> {
    let mut table = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
    table.write_record(COLUMNS).map_err(std::io::Error::from)?;
    let mut written = 0;
    give(&mut |record| {
        table
            .write_record(record_row(record).iter().map(|field| defuse_formula(field)))
            .map_err(std::io::Error::from)?;
        written += 1;
        Ok(())
    })?;
    table.flush()?;
    Ok(written)
}

pub(crate) fn record_row(record: &Record) -> [String; 25] {
    let resource = &record.resource;
    let side = |pick: fn(Bbox) -> f64| resource.bbox.map(|bbox| pick(bbox).to_string()).unwrap_or_default();
    let found = record.provenance.first();
    [
        record.id.clone(),
        resource.kind.clone(),
        resource.url.clone(),
        resource.title.clone().unwrap_or_default(),
        resource.provider.clone().unwrap_or_default(),
        resource.versions.join(" "),
        resource.dataset_count.to_string(),
        side(|b| b.west),
        side(|b| b.south),
        side(|b| b.east),
        side(|b| b.north),
        record.status.as_str().to_owned(),
        record.reason.clone(),
        record.host.name.clone(),
        record.host.ip.clone().unwrap_or_default(),
        record.first_seen.to_string(),
        record.last_seen.to_string(),
        resource.licence.clone().unwrap_or_default(),
        resource.keywords.join("; "),
        record.aliases.join(" "),
        found.map(|found| found.page.clone()).unwrap_or_default(),
        found.map(|found| found.way.clone()).unwrap_or_default(),
        found.map(|found| found.depth.to_string()).unwrap_or_default(),
        record.host.country.clone().unwrap_or_default(),
        record.score.map(|score| score.to_string()).unwrap_or_default(),
    ]
}

/// Prefixes text that a spreadsheet would execute as a formula with an apostrophe. Numbers stay
/// unchanged.
fn defuse_formula(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_defused_and_numbers_stay() {
        assert_eq!(defuse_formula("plain"), "plain");
        assert_eq!(defuse_formula("=HYPERLINK(1)"), "'=HYPERLINK(1)");
        assert_eq!(defuse_formula("-12.5"), "-12.5");
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let mut record = Record::default();
        record.resource.title = Some("a,\"b\"\nc".into());
        let mut out = Vec::new();
        write_csv(&mut |take| take(&record), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("id,kind,url,title,"), "{text}");
        assert!(text.contains("\"a,\"\"b\"\"\nc\""), "{text}");
    }
}
