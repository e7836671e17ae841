//! Shared by static STAC catalogues and STAC APIs.

use super::members::{
    ResourceDraft, document_links, identifier_member, parse_corners, parse_keywords, prose_member,
    shared_keywords, stated_licence, text_in_any_form, text_member, time_intervals, title_member,
};
use crate::formats::json::JsonDocument;
use geotrawl_model::{Bbox, Dataset};
use serde_json::Value;
use url::Url;

/// Type of a STAC document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StacType {
    /// A folder.
    Catalog,
    /// A set of items: what people search for.
    Collection,
    /// One scene or product.
    Item,
}

/// Returns the STAC version stated in a document.
pub fn stac_version(value: &Value) -> Option<&str> {
    text_member(value, "stac_version")
        .filter(|v| v.starts_with(|c: char| c.is_ascii_digit()) && v.len() <= 20)
}

/// Returns the type of a document. Before 1.0, catalogues and collections did not state it.
pub fn document_type(value: &Value) -> Option<StacType> {
    stac_version(value)?;
    match text_member(value, "type") {
        Some("Catalog") => Some(StacType::Catalog),
        Some("Collection") => Some(StacType::Collection),
        Some("Feature") => {
            (value.get("assets").is_some() || value.get("geometry").is_some()).then_some(StacType::Item)
        }
        Some(_) => None,
        None => {
            identifier_member(value, "id")?;
            let collection = value.get("extent").is_some_and(Value::is_object);
            Some(if collection { StacType::Collection } else { StacType::Catalog })
        }
    }
}

/// Returns whether a catalogue is the landing page of an API.
pub fn is_landing(value: &Value) -> bool {
    let classes = value.get("conformsTo").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let search = document_links(value).any(|link| link.rel == "search");
    stac_version(value).is_some()
        && text_member(value, "type") != Some("Feature")
        && (classes || search && document_links(value).any(|l| l.rel == "data" || l.rel == "conformance"))
}

/// Builds a dataset from a collection or item.
pub fn build_dataset(draft: &mut ResourceDraft, value: &Value) -> Dataset {
    let properties = value.get("properties").unwrap_or(&Value::Null);
    let bbox = first_bbox(draft, value);
    let instant = text_member(properties, "datetime").map(|t| t.chars().take(64).collect::<String>());
    let span = time_intervals(Some(&serde_json::json!([[
        properties.get("start_datetime"),
        properties.get("end_datetime")
    ]])));
    let mut time = time_intervals(
        value.pointer("/extent/temporal/interval").or_else(|| value.pointer("/extent/temporal")),
    );
    if time.is_empty() {
        time = if span.is_empty() { instant.into_iter().collect() } else { span };
    }
    let assets = value.get("assets").or_else(|| value.get("item_assets")).and_then(Value::as_object);
    let mut formats: Vec<geotrawl_model::SharedText> = Vec::new();
    for type_ in assets
        .into_iter()
        .flat_map(|assets| assets.values())
        .take(200)
        .filter_map(|asset| text_member(asset, "type"))
    {
        if formats.len() < 20 && !formats.iter().any(|f| &**f == type_) && type_.len() <= 100 {
            formats.push(type_.into());
        }
    }
    Dataset {
        name: identifier_member(value, "id").unwrap_or_default(),
        title: title_member(value, "title").or_else(|| title_member(properties, "title")),
        abstract_: prose_member(value, "description").or_else(|| prose_member(properties, "description")),
        keywords: shared_keywords(value.get("keywords").or_else(|| properties.get("keywords"))),
        bbox,
        time,
        formats,
        ..Dataset::default()
    }
}

/// Returns the first box, which encloses the others.
pub fn first_bbox(draft: &mut ResourceDraft, value: &Value) -> Option<Bbox> {
    let list = value
        .pointer("/extent/spatial/bbox")
        .or_else(|| value.pointer("/extent/spatial"))
        .or_else(|| value.get("bbox"))?;
    let written = parse_corners(list).or_else(|| list.as_array()?.first().and_then(parse_corners))?;
    draft.place_box(written)
}

/// Copies the metadata of a document to the resource.
pub fn describe_resource(draft: &mut ResourceDraft, doc: &JsonDocument) {
    let root = &doc.root;
    let properties = root.get("properties").unwrap_or(&Value::Null);
    let resource = &mut draft.resource;
    resource.versions.extend(stac_version(root).map(str::to_owned));
    resource.title = title_member(root, "title")
        .or_else(|| title_member(properties, "title"))
        .or_else(|| identifier_member(root, "id"));
    resource.abstract_ =
        prose_member(root, "description").or_else(|| prose_member(properties, "description"));
    resource.keywords = parse_keywords(root.get("keywords"));
    let named = root.get("license").or_else(|| properties.get("license")).and_then(text_in_any_form);
    let link = document_links(root).find(|link| link.rel == "license").map(|link| link.href.to_owned());
    let vague = named.as_deref().is_none_or(|l| matches!(l, "other" | "proprietary" | "various"));
    resource.licence = stated_licence(if vague { link.or(named) } else { named });
    let providers = root.get("providers").or_else(|| properties.get("providers")).and_then(Value::as_array);
    resource.provider = providers.and_then(|list| {
        let producer =
            list.iter().find(|p| p.get("roles").is_some_and(|r| r.to_string().contains("producer")));
        producer.or_else(|| list.first()).and_then(|p| title_member(p, "name"))
    });
    draft.note_syntax_issues(doc);
}

/// Returns whether a child has another URL than the document itself.
pub fn is_elsewhere(at: &Url, url: &Url) -> bool {
    let mut url = url.clone();
    url.set_fragment(None);
    url != *at
}
