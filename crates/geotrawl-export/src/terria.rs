//! Catalog for TerriaJS with the records that it can display, written one at a time.

use crate::{ExportError, RecordSource};
use geotrawl_kinds::kinds;
use geotrawl_model::Record;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Maximum length of a description, in characters.
const LONGEST: usize = 2_000;

pub(crate) fn write_terria(give: &mut RecordSource<'_>, out: &mut dyn Write) -> Result<u64, ExportError> {
    out.write_all(
        b"{\"catalog\":[{\"type\":\"group\",\"name\":\"Geotrawl\",\"id\":\"geotrawl\",\"members\":[\n",
    )?;
    let mut written = 0;
    give(&mut |record| {
        let Some(member) = catalog_member(record) else { return Ok(()) };
        if written > 0 {
            out.write_all(b",\n")?;
        }
        serde_json::to_writer(&mut *out, &member).map_err(io::Error::from)?;
        written += 1;
        Ok(())
    })?;
    out.write_all(b"\n]}],\"workbench\":[]}\n")?;
    Ok(written)
}

fn catalog_member(record: &Record) -> Option<Value> {
    let resource = &record.resource;
    let title = resource.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    // TerriaJS renders descriptions as sanitised Markdown with HTML; strip tag characters anyway.
    let description: String = resource
        .abstract_
        .as_deref()
        .unwrap_or_default()
        .chars()
        .filter(|c| !matches!(c, '<' | '>'))
        .take(LONGEST)
        .collect();
    let mut member = json!({
        "type": kinds::kind_profile(&resource.kind)?.terria_type?,
        "id": format!("geotrawl/{}", record.id),
        "name": title.unwrap_or(&record.host.name),
        "url": resource.url,
        "info": [
            {"name": "Provider", "content": resource.provider.as_deref().unwrap_or(&record.host.name)},
            {"name": "Status", "content": record.status.as_str()},
        ],
    });
    if !description.is_empty() {
        member["description"] = description.into();
    }
    if let Some(b) = resource.bbox {
        member["rectangle"] = json!({"west": b.west, "south": b.south, "east": b.east, "north": b.north});
    }
    Some(member)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_shown_is_in_the_catalog() {
        let mut wms = Record { id: "a".into(), ..Record::default() };
        wms.resource.kind = "wms".into();
        wms.resource.title = Some("\"Roads\"\n".into());
        wms.resource.abstract_ = Some("<script>x</script>".into());
        wms.resource.bbox = Some([1.0, 2.0, 3.0, 4.0].into());
        let mut other = wms.clone();
        other.resource.kind = "oai-pmh".into();
        let mut out = Vec::new();
        let records = [wms.clone(), other, wms];
        assert_eq!(write_terria(&mut |take| records.iter().try_for_each(&mut *take), &mut out).unwrap(), 2);
        let read: Value = serde_json::from_slice(&out).unwrap();
        let first = &read["catalog"][0]["members"][0];
        assert_eq!((&first["type"], &first["name"]), (&json!("wms-group"), &json!("\"Roads\"")));
        assert_eq!(first["rectangle"]["north"], 4.0);
        assert!(!first["description"].as_str().unwrap().contains('<'));
    }
}
