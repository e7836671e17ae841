//! Datasets described in JSON-LD scripts of a page: schema.org Dataset and DataCatalog, and DCAT.

use crate::connectors::{dcat_record, fields, link_targets};
use crate::formats::bbox::{BboxUnion, BoxClass, classify_bbox};
use crate::probe::{CrawlTarget, Finding, Found, ResponseClass};
use crate::urls;
use fields::{LINE, PROSE, address_member, first_member, push_link, text_member, text_value, word_list};
use geotrawl_model::{Bbox, Contact, Dataset, Intent, Issue, RecordLink, Resource};
use memchr::memmem;
use serde_json::Value;
use std::collections::HashSet;
use url::Url;

/// Maximum length of a script.
const MAX_SCRIPT: usize = 2 << 20;
/// Number of scripts to read per page.
const MAX_SCRIPTS: usize = 50;
/// Maximum number of nodes to visit per script, and of datasets to keep.
const NODES: usize = 20_000;
const DATASETS: usize = 10_000;

/// Datasets described in the scripts of a page.
#[derive(Debug, Default)]
pub struct JsonLdDatasets {
    /// The page as a resource of kind `schemaorg-dataset`, if it describes a dataset.
    pub resource: Option<Resource>,
    /// Downloads of the datasets, and the catalogues that contain them.
    pub targets: Vec<CrawlTarget>,
}

/// Adds the datasets in the JSON-LD scripts of a page. A page without such scripts costs one
/// search.
pub(super) fn add_datasets(source: &str, url: &Url, nofollow: bool, finding: &mut Finding) {
    let bytes = source.as_bytes();
    let mut described = JsonLdDatasets::default();
    for mark in memmem::find_iter(bytes, b"ld+json").take(MAX_SCRIPTS) {
        let Some(from) = memchr::memchr(b'>', bytes.get(mark..).unwrap_or_default()) else { break };
        let rest = source.get(mark + from + 1..).unwrap_or_default();
        let end =
            memmem::find(rest.as_bytes(), b"</script").or_else(|| memmem::find(rest.as_bytes(), b"</SCRIPT"));
        let script = rest.get(..end.unwrap_or(0)).unwrap_or_default();
        read_into(script, url, &mut described);
    }
    let Some(resource) = described.resource else { return };
    let rule = "a Dataset in a JSON-LD script of the page".to_owned();
    finding.resources.push(Found::new(resource, rule));
    if finding.verdict == ResponseClass::Page {
        finding.verdict = ResponseClass::Resource;
    }
    if !nofollow {
        let mut known: HashSet<(String, String)> = finding.targets.iter().map(key).collect();
        finding.targets.extend(described.targets.into_iter().filter(|target| known.insert(key(target))));
    }
}

/// Returns the part of a target that identifies its request.
fn key(target: &CrawlTarget) -> (String, String) {
    (target.url.to_string(), target.intent.request_key())
}

/// Reads the datasets of one script, given its text.
pub fn read_script(script: &str, page: &Url) -> JsonLdDatasets {
    let mut described = JsonLdDatasets::default();
    read_into(script, page, &mut described);
    described
}

fn read_into(script: &str, page: &Url, out: &mut JsonLdDatasets) {
    let speaks = |word: &[u8]| memmem::find(script.as_bytes(), word).is_some();
    if script.len() > MAX_SCRIPT || !(speaks(b"Dataset") || speaks(b"DataCatalog")) {
        return;
    }
    let Some(doc) = parse(script) else { return };
    let mut union = BboxUnion::default();
    let mut stack = vec![&doc];
    let mut left = NODES;
    while let Some(node) = stack.pop() {
        left = left.saturating_sub(1);
        if left == 0 {
            break;
        }
        match node {
            Value::Array(list) => stack.extend(list.iter().rev()),
            Value::Object(object) => {
                if is_a(node, "Dataset") {
                    add_dataset(node, page, &mut union, out);
                } else if is_a(node, "Distribution") || is_a(node, "DataDownload") {
                    continue;
                }
                let inner =
                    ["@graph", "dataset", "dcat:dataset", "mainEntity", "hasPart", "itemListElement", "item"];
                stack.extend(
                    inner.iter().rev().filter_map(|name| object.get(*name)).filter(|v| !v.is_string()),
                );
            }
            _ => {}
        }
    }
    if let (Some(resource), Some(bbox)) = (&mut out.resource, union.bbox()) {
        let mut whole = BboxUnion::default();
        whole.add(bbox);
        if let Some(known) = resource.bbox {
            whole.add(known);
        }
        resource.bbox = whole.bbox();
    }
}

/// Parses JSON as found in pages: inside a comment or CDATA, followed by a semicolon, with raw line
/// breaks in strings.
fn parse(script: &str) -> Option<Value> {
    let mut text = script.trim();
    for (open, close) in
        [("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>"), ("/*<![CDATA[*/", "/*]]>*/")]
    {
        if let Some(inner) = text.strip_prefix(open) {
            text = inner.trim().strip_suffix(close).unwrap_or(inner).trim();
        }
    }
    let text = text.trim_end_matches(';');
    serde_json::from_str(text).ok().or_else(|| {
        let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        serde_json::from_str(&plain).ok()
    })
}

fn is_a(node: &Value, class: &str) -> bool {
    let is = |v: &Value| v.as_str().is_some_and(|t| t.rsplit(['/', '#', ':']).next() == Some(class));
    match node.get("@type") {
        Some(Value::Array(list)) => list.iter().any(is),
        Some(value) => is(value),
        None => false,
    }
}

/// Returns whether a name is a placeholder that a template should have filled in.
fn is_placeholder(name: &str) -> bool {
    ["{{", "${", "<%", "[[", "%%"].iter().any(|mark| name.contains(mark))
}

fn add_dataset(node: &Value, page: &Url, union: &mut BboxUnion, out: &mut JsonLdDatasets) {
    let dcat = dcat_record(node);
    let title = text_member(node, &["name", "headline"], LINE)
        .or_else(|| dcat.as_ref().and_then(|r| r.title.clone()));
    if title.as_deref().is_some_and(is_placeholder) {
        return;
    }
    let mut issues = Vec::new();
    let bbox = first_member(node, &["spatialCoverage", "spatial"])
        .and_then(|v| coverage(v, &mut issues, 0))
        .or_else(|| dcat.as_ref().and_then(|r| r.bbox));
    if let Some(bbox) = bbox {
        union.add(bbox);
    }
    let mut links: Vec<RecordLink> = dcat.as_ref().map(|r| r.links.clone()).unwrap_or_default();
    links.retain(|link| link.format.is_some() || link.protocol.is_some() || link.url.starts_with("http"));
    add_distributions(node, &mut links);
    let before = out.targets.len();
    for link in links.iter().filter(|_| before < super::MAX_TARGETS) {
        link_targets(page, link, title.as_deref().unwrap_or_default(), &mut out.targets);
    }
    if let Some(catalogue) =
        node.get("includedInDataCatalog").and_then(|c| address_member(first(c), &["url", "@id"]))
        && let Some(url) = urls::clean_attribute(&catalogue, page)
        && url != *page
    {
        out.targets.push(CrawlTarget::new(urls::canonical_url(&url), Intent::Page, "ld-json"));
    }
    for target in out.targets.iter_mut().skip(before) {
        target.way = "ld-json".into();
    }
    let formats: Vec<_> = links.iter().filter_map(|l| l.format.as_deref().map(Into::into)).take(50).collect();
    let dataset = Dataset {
        name: text_member(node, &["identifier", "@id", "url"], LINE)
            .or_else(|| title.clone())
            .unwrap_or_default(),
        title: title.clone(),
        abstract_: text_member(node, &["description"], PROSE)
            .or_else(|| dcat.as_ref().and_then(|r| r.abstract_.clone())),
        keywords: first_member(node, &["keywords", "keyword"])
            .map(word_list)
            .unwrap_or_default()
            .iter()
            .map(|k| k.as_str().into())
            .collect(),
        bbox,
        time: first_member(node, &["temporalCoverage"]).map(word_list).unwrap_or_default(),
        formats,
        ..Dataset::default()
    };
    let resource = out.resource.get_or_insert_with(|| describe(node, page, &dataset));
    resource.dataset_count += 1;
    for issue in issues {
        if !resource.issues.contains(&issue) {
            resource.issues.push(issue);
        }
    }
    if resource.datasets.len() < DATASETS {
        resource.datasets.push(dataset);
    }
}

/// Describes the page by its first dataset.
fn describe(node: &Value, page: &Url, dataset: &Dataset) -> Resource {
    let maker = first_member(node, &["publisher", "creator", "provider", "sourceOrganization"]).map(first);
    Resource {
        kind: "schemaorg-dataset".to_owned(),
        url: urls::canonical_url(page).to_string(),
        title: dataset.title.clone(),
        abstract_: dataset.abstract_.clone(),
        keywords: dataset.keywords.iter().map(ToString::to_string).collect(),
        provider: maker
            .and_then(|m| text_member(m, &["name", "legalName"], LINE).or_else(|| text_value(m, LINE))),
        contact: Contact {
            email: maker.and_then(|m| text_member(m, &["email"], LINE)),
            url: maker.and_then(|m| address_member(m, &["url"])),
            ..Contact::default()
        },
        licence: text_member(node, &["license"], LINE),
        languages: text_member(node, &["inLanguage"], 32).into_iter().collect(),
        formats: dataset.formats.clone(),
        ..Resource::default()
    }
}

fn first(value: &Value) -> &Value {
    value.as_array().and_then(|list| list.first()).unwrap_or(value)
}

fn add_distributions(node: &Value, links: &mut Vec<RecordLink>) {
    let list: Vec<&Value> = match node.get("distribution") {
        Some(Value::Array(list)) => list.iter().take(500).collect(),
        Some(value) => vec![value],
        None => Vec::new(),
    };
    for entry in list {
        let format = text_member(entry, &["encodingFormat", "fileFormat"], 128);
        let url = address_member(entry, &["contentUrl", "contentURL", "url"]);
        if let Some(url) = url.filter(|u| !is_placeholder(u)) {
            push_link(links, RecordLink { url, format, ..RecordLink::default() });
        }
    }
    // The interface of a service, following science-on-schema.org.
    for action in node
        .get("potentialAction")
        .into_iter()
        .flat_map(|v| v.as_array().map_or(std::slice::from_ref(v), Vec::as_slice))
    {
        let target = action.get("target").map(first);
        if let Some(url) = target.and_then(|t| address_member(t, &["urlTemplate", "url"])) {
            let url = url.split('{').next().unwrap_or_default().to_owned();
            push_link(links, RecordLink { url, ..RecordLink::default() });
        }
    }
}

/// Returns the box of a place: a shape, a point, or a list of places.
fn coverage(value: &Value, issues: &mut Vec<Issue>, depth: usize) -> Option<Bbox> {
    if depth > 5 {
        return None;
    }
    match value {
        Value::Array(list) => {
            let mut union = BboxUnion::default();
            list.iter().take(200).filter_map(|v| coverage(v, issues, depth + 1)).for_each(|b| union.add(b));
            union.bbox()
        }
        Value::Object(object) => {
            if let Some(shape) = object.get("box").and_then(|b| text_value(b, 512)) {
                return corners(&shape, issues);
            }
            for name in ["polygon", "line"] {
                if let Some(shape) = object.get(name).and_then(|p| text_value(p, 65_536)) {
                    return around(&shape);
                }
            }
            if let (Some(lat), Some(lon)) = (number(object.get("latitude")), number(object.get("longitude")))
            {
                return classify_bbox([lon, lat, lon, lat]).bbox();
            }
            object
                .get("geo")
                .or_else(|| object.get("geoContains"))
                .and_then(|geo| coverage(geo, issues, depth + 1))
                .or_else(|| fields::parse_bbox(value))
        }
        _ => fields::parse_bbox(value),
    }
}

fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Number(n) => n.as_f64(),
        other => text_value(other, 64)?.trim().parse().ok(),
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter_map(|n| n.parse().ok()).take(100_000).collect()
}

/// Parses `"south west north east"`. Some writers put west first, which shows only if a latitude is
/// impossible.
fn corners(text: &str, issues: &mut Vec<Issue>) -> Option<Bbox> {
    let [a, b, c, d] = numbers(text)[..] else { return None };
    match classify_bbox([b, a, d, c]) {
        BoxClass::Good(bbox) => Some(bbox),
        other => {
            issues.push(Issue::new("bbox-swapped", "latitude and longitude are swapped in a geographic box"));
            other.bbox().or_else(|| classify_bbox([a, b, c, d]).bbox())
        }
    }
}

/// Returns the box around `"lat lon lat lon ..."`.
fn around(text: &str) -> Option<Bbox> {
    let numbers = numbers(text);
    let mut pairs = numbers.chunks_exact(2).map(|p| (p[1], p[0]));
    let (x, y) = pairs.next()?;
    let around = pairs.fold([x, y, x, y], |[w, s, e, n], (x, y)| [w.min(x), s.min(y), e.max(x), n.max(y)]);
    classify_bbox(around).bbox()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn page() -> Url {
        Url::parse("https://x.org/data/roads").unwrap()
    }

    const ROADS: &str = r#"{"@context": "https://schema.org/", "@type": "Dataset", "name": "Roads &amp; paths",
        "description": "Words", "keywords": "roads, paths", "license": "https://creativecommons.org/licenses/by/4.0/",
        "creator": {"@type": "Organization", "name": "Town", "url": "https://town.example"}, "dateModified": "2026-01-01",
        "temporalCoverage": "2001/2005", "spatialCoverage": {"@type": "Place", "geo": {"@type": "GeoShape", "box": "45 5 48 11"}},
        "includedInDataCatalog": {"@type": "DataCatalog", "url": "https://town.example/catalogue"},
        "distribution": [{"@type": "DataDownload", "encodingFormat": "KML", "contentUrl": "/data/roads.kml"},
            {"@type": "DataDownload", "contentUrl": "https://gis.town.example/wms?service=WMS&request=GetCapabilities"}]}"#;

    #[test]
    fn a_dataset_is_read() {
        let described = read_script(ROADS, &page());
        let resource = described.resource.unwrap();
        assert_eq!(resource.kind, "schemaorg-dataset");
        assert_eq!(resource.title.as_deref(), Some("Roads & paths"));
        assert_eq!(resource.provider.as_deref(), Some("Town"));
        assert_eq!(resource.keywords, ["roads", "paths"]);
        assert_eq!(resource.bbox, Some([5.0, 45.0, 11.0, 48.0].into()));
        assert_eq!(resource.datasets[0].time, ["2001/2005"]);
        let targets: Vec<String> =
            described.targets.iter().map(|t| format!("{} {}", t.intent, t.url)).collect();
        assert_eq!(
            targets,
            [
                "file https://x.org/data/roads.kml",
                "ows:wms https://gis.town.example/wms",
                "page https://town.example/catalogue"
            ]
        );
    }

    #[test]
    fn datasets_hide_in_graphs_and_catalogues() {
        for script in [
            format!(r#"{{"@context": "http://schema.org", "@graph": [{{"@type": "WebPage"}}, {ROADS}]}}"#),
            format!(r#"[{{"@type": "Organization"}}, {ROADS}]"#),
            format!(r#"{{"@type": "DataCatalog", "dataset": [{ROADS}]}}"#),
            format!("//<![CDATA[\n{}\n//]]>", ROADS.replace("\"Words\"", "\"Wo\nrds\"")),
            ROADS.replace("\"Dataset\"", "[\"schema:Dataset\", \"dcat:Dataset\"]"),
        ] {
            let resource = read_script(&script, &page()).resource.unwrap_or_else(|| panic!("{script}"));
            assert_eq!(resource.dataset_count, 1);
        }
    }

    #[test]
    fn dcat_in_a_page_is_read_too() {
        let script = r#"{"@context": {"dcat": "http://www.w3.org/ns/dcat#"}, "@type": "dcat:Dataset", "dct:title": "Rivers",
            "dcat:distribution": {"@type": "dcat:Distribution", "dcat:accessURL": {"@id": "https://gis.x.org/wfs"}}}"#;
        let described = read_script(script, &page());
        assert_eq!(described.resource.unwrap().title.as_deref(), Some("Rivers"));
        assert_eq!(described.targets[0].url.as_str(), "https://gis.x.org/wfs");
    }

    #[test]
    fn templates_and_other_things_are_nothing() {
        for script in [
            r#"{"@type": "Dataset", "name": "{{ dataset.title }}"}"#,
            r#"{"@type": "Article", "name": "Dataset"}"#,
            r#"{"@type": "Dataset", "#,
            "Dataset",
        ] {
            assert!(read_script(script, &page()).resource.is_none(), "{script}");
        }
    }

    #[test]
    fn boxes_in_the_wrong_order_are_repaired() {
        let mut issues = Vec::new();
        let place = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let west_first = place(r#"{"geo": {"box": "-124.2 46 -123.3 46.4"}}"#);
        assert_eq!(coverage(&west_first, &mut issues, 0), Some([-124.2, 46.0, -123.3, 46.4].into()));
        assert_eq!(issues.len(), 1);
        let polygon = place(r#"{"geo": {"polygon": "45,5 45,11 48,11 45,5"}}"#);
        assert_eq!(coverage(&polygon, &mut issues, 0), Some([5.0, 45.0, 11.0, 48.0].into()));
        let point = place(r#"{"geo": {"@type": "GeoCoordinates", "latitude": "47.5", "longitude": 8.5}}"#);
        assert_eq!(coverage(&point, &mut issues, 0), Some([8.5, 47.5, 8.5, 47.5].into()));
    }

    #[test]
    fn pages_give_their_datasets() {
        let html =
            format!("<html><script type=\"application/ld+json\">{ROADS}</script><body>Roads</body></html>");
        let finding =
            crate::extract::read_html(&page(), &crate::probe::ResponseHead::default(), html.as_bytes());
        assert_eq!(finding.resources[0].resource.kind, "schemaorg-dataset");
        assert!(
            finding
                .targets
                .iter()
                .any(|t| t.way == "ld-json" && t.url.as_str() == "https://x.org/data/roads.kml")
        );
        let html = "<html><script type=\"application/ld+json\">{\"@type\":\"WebSite\"}</script></html>";
        let finding =
            crate::extract::read_html(&page(), &crate::probe::ResponseHead::default(), html.as_bytes());
        assert!(finding.resources.is_empty());
    }

    proptest! {
        #[test]
        fn any_script_is_read(tail in "[ -~\n]{0,60}", value in "[ -~]{0,20}") {
            read_script(&format!("{{\"@type\": \"Dataset\", {tail}"), &page());
            let node = serde_json::json!({"@type": "Dataset", "name": value, "spatialCoverage": {"geo": {"box": value, "polygon": value}},
                "distribution": {"contentUrl": value}, "temporalCoverage": value});
            read_script(&node.to_string(), &page());
        }
    }
}
