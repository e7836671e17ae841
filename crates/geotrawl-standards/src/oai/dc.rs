//! `oai_dc`: records as unqualified Dublin Core.

use super::MetadataFormat;
use crate::links;
use crate::xml::XmlWriter;
use geotrawl_model::Record;

/// The format that every repository must support.
pub const FORMAT: MetadataFormat = MetadataFormat {
    prefix: "oai_dc",
    schema: "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
    namespace: "http://www.openarchives.org/OAI/2.0/oai_dc/",
};
/// Maximum number of keywords and layer names per record.
const MOST_WORDS: usize = 100;
/// Longest text of an element, in characters.
const LONGEST: usize = 10_000;

/// Encodes a record; `page` is its address in the application. Includes the first hundred of the
/// datasets that the record holds.
pub fn encode_record(record: &Record, page: &str) -> String {
    let resource = &record.resource;
    let mut elements: Vec<(&str, String)> = Vec::new();
    let mut add = |name, text: &str| elements.push((name, text.to_owned()));
    add("title", resource.title.as_deref().unwrap_or(&resource.url));
    add("creator", resource.provider.as_deref().unwrap_or_default());
    for word in resource.keywords.iter().take(MOST_WORDS) {
        add("subject", word);
    }
    let mut terms: Vec<&str> = record.themes.iter().map(|theme| theme.term.as_str()).collect();
    terms.sort_unstable();
    terms.dedup();
    for term in terms {
        add("subject", term);
    }
    add("description", resource.abstract_.as_deref().unwrap_or_default());
    add("publisher", resource.provider.as_deref().unwrap_or_default());
    add("date", &super::dates::format_date(record.last_seen));
    add("type", "Service");
    add("format", &resource.kind);
    add("identifier", page);
    for link in links::access_links(record) {
        add("identifier", &link.href);
    }
    for layer in resource.datasets.iter().take(MOST_WORDS) {
        add("relation", layer.title.as_deref().filter(|title| !title.is_empty()).unwrap_or(&layer.name));
    }
    for language in &resource.languages {
        add("language", language);
    }
    if let Some(b) = resource.bbox {
        let (west, south, east, north) = (b.west, b.south, b.east, b.north);
        // DCMI Box encoding.
        add(
            "coverage",
            &format!(
                "northlimit={north}; southlimit={south}; westlimit={west}; eastlimit={east}; units=signed decimal degrees"
            ),
        );
    }
    add("rights", resource.licence.as_deref().unwrap_or_default());
    encode_elements(elements.iter().map(|(name, text)| (*name, text.as_str())))
}

/// Encodes a document from element names and texts, leaving out empty texts.
pub fn encode_elements<'a>(elements: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut xml = XmlWriter::fragment();
    let schema = format!("{} {}", FORMAT.namespace, FORMAT.schema);
    xml.start(
        "oai_dc:dc",
        &[
            ("xmlns:oai_dc", FORMAT.namespace),
            ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
            ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
            ("xsi:schemaLocation", &schema),
        ],
    );
    for (name, text) in elements {
        let text: String = text.trim().chars().take(LONGEST).collect();
        if !text.is_empty() {
            xml.leaf(&format!("dc:{name}"), &text);
        }
    }
    xml.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_text_is_told_and_harmless() {
        let mut record = Record::default();
        record.resource.title = Some("Roads\u{1} <b>&\u{fffe}".into());
        record.resource.url = "http://m.example/wms?map=a&b=1".into();
        record.resource.kind = "wms".into();
        record.resource.keywords = vec!["x".into(), "  ".into()];
        record.resource.bbox = Some([1.0, 2.0, 3.0, 4.5].into());
        let xml = encode_record(&record, "http://h.example/service/r");
        assert!(xml.contains("<dc:title>Roads &lt;b&gt;&amp;</dc:title>"), "{xml}");
        assert!(xml.contains("<dc:identifier>http://m.example/wms?map=a&amp;b=1</dc:identifier>"), "{xml}");
        assert!(xml.contains("northlimit=4.5"), "{xml}");
        assert_eq!(xml.matches("<dc:subject>").count(), 1);
    }
}
