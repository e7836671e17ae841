//! Structured data for search engines: JSON-LD with the schema.org vocabulary, and the HTML head of
//! a record's page.

use crate::described::DescribedRecord;
use crate::links;
use crate::records::CatalogueInfo;
use crate::sanitize::{json_for_html, single_line, web_address};
use crate::shared_params;
use geotrawl_model::Record;
use geotrawl_text::escape::escape_html;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Maximum number of layers listed.
const MOST_LAYERS: usize = 20;
/// Search engines accept descriptions of 50 to 5,000 characters.
const LONGEST: usize = 5_000;

/// Builds the JSON-LD of a record: a `Dataset`, and for services also the `WebAPI` that provides
/// it.
pub fn build_json_ld(place: &CatalogueInfo, described: &DescribedRecord) -> Value {
    let Record { id, resource, .. } = &described.record;
    let page = format!("{}/service/{id}", place.base);
    let mut data = Map::new();
    data.insert("@type".into(), json!("Dataset"));
    data.insert("@id".into(), json!(page));
    add_common_properties(&mut data, described, &page);
    data.insert(
        "includedInDataCatalog".into(),
        json!({ "@type": "DataCatalog", "name": place.title, "url": format!("{}/", place.base) }),
    );
    if let Some(licence) = described.licence() {
        let licence = web_address(&licence).unwrap_or(licence);
        data.insert("license".into(), json!(licence));
    }
    if let Some(bbox) = described.bbox() {
        // South-west, then north-east corner, latitude first.
        let lies = format!("{} {} {} {}", bbox.south, bbox.west, bbox.north, bbox.east);
        let shape = json!({ "@type": "GeoShape", "box": lies });
        data.insert("spatialCoverage".into(), json!({ "@type": "Place", "geo": shape }));
    }
    if let Some(covered) = described.covered_period() {
        let until = covered.until.map_or_else(|| "..".to_owned(), |until| until.to_string());
        data.insert("temporalCoverage".into(), json!(format!("{}/{until}", covered.from)));
    }
    let layers = described.layers.iter().take(MOST_LAYERS).map(|layer| {
        let title = single_line(layer.title.as_deref().unwrap_or(&layer.name), 300);
        json!({ "@type": "PropertyValue", "name": title, "identifier": single_line(&layer.name, 300) })
    });
    let layers: Vec<Value> = layers.collect();
    if !layers.is_empty() {
        data.insert("variableMeasured".into(), json!(layers));
    }
    let doors = links::access_links(&described.record).into_iter().filter_map(|door| {
        let href = web_address(&door.href)?;
        Some(json!({
            "@type": "DataDownload",
            "name": door.protocol,
            "contentUrl": href,
            "encodingFormat": door.media_type,
        }))
    });
    data.insert("distribution".into(), doors.collect());
    let mut graph = vec![Value::Object(data)];
    if shared_params::resource_type(&resource.kind) == "service" {
        let mut service = Map::new();
        service.insert("@type".into(), json!("WebAPI"));
        service.insert("@id".into(), json!(format!("{page}#service")));
        add_common_properties(&mut service, described, &page);
        if let Some(href) = web_address(&resource.url) {
            service.insert("documentation".into(), json!(href));
        }
        service.insert("serviceType".into(), json!(described.kind_name()));
        graph.push(Value::Object(service));
    }
    json!({ "@context": "https://schema.org/", "@graph": graph })
}

fn add_common_properties(node: &mut Map<String, Value>, described: &DescribedRecord, page: &str) {
    node.insert("name".into(), json!(described.title()));
    node.insert("description".into(), json!(summary(described, LONGEST)));
    node.insert("url".into(), json!(page));
    node.insert("identifier".into(), json!(described.id()));
    let keywords = described.keywords();
    if !keywords.is_empty() {
        node.insert("keywords".into(), json!(keywords));
    }
    if let Some(provider) = described.provider() {
        let key = if node.get("@type").is_some_and(|kind| kind == "WebAPI") { "provider" } else { "creator" };
        node.insert(key.into(), json!({ "@type": "Organization", "name": provider }));
    }
    node.insert("dateCreated".into(), json!(described.record.first_seen));
    node.insert("dateModified".into(), json!(described.modified()));
}

/// Returns a description of at least one sentence.
fn summary(described: &DescribedRecord, longest: usize) -> String {
    let kind = described.kind_name();
    let said = described.description().unwrap_or_default();
    if said.chars().count() >= 50 {
        return single_line(&said, longest);
    }
    let count = described.record.resource.dataset_count;
    let (title, url) = (described.title(), single_line(&described.record.resource.url, 500));
    let own =
        format!("{title}: {kind} with {count} layers on {}, at {url}. {said}", described.record.host.name);
    single_line(&own, longest)
}

/// Renders the HTML head of a record's page.
pub fn render_head(place: &CatalogueInfo, described: &DescribedRecord) -> String {
    let (id, page) = (described.id(), format!("{}/service/{}", place.base, described.id()));
    let mut head = format!(
        "<title>{} – {}</title><meta name=\"description\" content=\"{}\"><link rel=\"canonical\" href=\"{}\">",
        escape_html(&described.title()),
        escape_html(&place.title),
        escape_html(&summary(described, 300)),
        escape_html(&page)
    );
    let forms = [
        ("application/geo+json", place.collection_url(&format!("/items/{id}"))),
        ("application/ld+json", format!("{}/dcat/record/{id}?f=jsonld", place.base)),
        ("text/turtle", format!("{}/dcat/record/{id}?f=ttl", place.base)),
        ("application/rdf+xml", format!("{}/dcat/record/{id}?f=rdf", place.base)),
    ];
    for (media, href) in forms {
        let _ = write!(head, "<link rel=\"alternate\" type=\"{media}\" href=\"{}\">", escape_html(&href));
    }
    let description = format!("{}/opensearch", place.base);
    let media = "application/opensearchdescription+xml";
    let _ = write!(
        head,
        "<link rel=\"search\" type=\"{media}\" title=\"{}\" href=\"{}\">",
        escape_html(&place.title),
        escape_html(&description)
    );
    let _ = write!(
        head,
        "<script type=\"application/ld+json\">{}</script>",
        json_for_html(&build_json_ld(place, described))
    );
    head
}

/// Replaces title and description of the application's page with the head of a record. Returns the
/// page unchanged if it does not have the expected structure.
pub fn insert_head(index: &str, place: &CatalogueInfo, described: &DescribedRecord) -> String {
    let without = |text: &str, begin: &str, end: &str| match text.find(begin) {
        Some(at) => match text[at..].find(end) {
            Some(length) => format!("{}{}", &text[..at], &text[at + length + end.len()..]),
            None => text.to_owned(),
        },
        None => text.to_owned(),
    };
    let index = without(index, "<title>", "</title>");
    let index = without(&index, "<meta name=\"description\"", ">");
    match index.find("</head>") {
        Some(at) => format!("{}{}{}", &index[..at], render_head(place, described), &index[at..]),
        None => index,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_model::Resource;

    const INDEX: &str = "<html><head><meta name=\"description\" content=\"Find\" /><title>Geotrawl</title></head><body></body></html>";

    fn described(title: &str) -> DescribedRecord {
        let resource = Resource {
            kind: "wms".into(),
            url: "http://h.example/wms".into(),
            title: Some(title.into()),
            bbox: Some([5.0, 45.0, 11.0, 48.0].into()),
            ..Resource::default()
        };
        DescribedRecord { record: Record { id: "r1".into(), resource, ..Record::default() }, layers: vec![] }
    }

    fn place() -> CatalogueInfo {
        CatalogueInfo { base: "https://maps.example".into(), title: "Maps".into() }
    }

    #[test]
    fn nothing_that_strangers_write_leaves_its_place() {
        let hostile = "</script><script>alert(1)</script></title><!-- \" onload=x";
        let page = insert_head(INDEX, &place(), &described(hostile));
        assert_eq!(page.matches("<script").count(), 1, "{page}");
        assert_eq!(page.matches("</script").count(), 1);
        assert_eq!(page.matches("<title>").count(), 1);
        assert_eq!(page.matches("name=\"description\"").count(), 1);
        assert!(!page.contains("<!--"));
        let begin = page.find("ld+json\">").unwrap() + "ld+json\">".len();
        let json = &page[begin..page[begin..].find("</script").unwrap() + begin];
        let read: Value = serde_json::from_str(json).unwrap();
        assert_eq!(read["@graph"][0]["name"], single_line(hostile, 500));
    }

    #[test]
    fn a_service_is_a_dataset_and_a_web_api() {
        let graph = build_json_ld(&place(), &described("Roads"));
        assert_eq!(graph["@graph"][0]["@type"], "Dataset");
        assert_eq!(graph["@graph"][0]["spatialCoverage"]["geo"]["box"], "45 5 48 11");
        assert_eq!(graph["@graph"][1]["@type"], "WebAPI");
        assert!(graph["@graph"][0]["description"].as_str().unwrap().len() >= 50);
    }

    #[test]
    fn a_page_without_a_head_stays_as_it_is() {
        assert_eq!(insert_head("nothing", &place(), &described("Roads")), "nothing");
    }
}
