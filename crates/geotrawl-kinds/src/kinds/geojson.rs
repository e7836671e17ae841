//! GeoJSON: features and geometries, including text sequences and JSON-FG.

use super::members::{ResourceDraft, extent_of, parse_corners, prose_member, title_member};
use super::{
    CorpusLabel, DescriptionFormat, DocumentClaim, DocumentReading, Kind, KindProfile, MapRenderer, QgisLayer,
};
use crate::formats::bbox::{BoxClass, classify_bbox};
use crate::formats::crs::CrsRef;
use crate::formats::json::JsonDocument;
use crate::urls;
use geotrawl_model::{Bbox, Dataset, Issue};
use serde_json::Value;
use url::Url;

/// A GeoJSON document.
pub struct GeoJsonKind;

const ID: &str = "geojson";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "GeoJSON",
    what: "Features or geometries in one document, a text sequence or lines; JSON-FG and responses of feature services are GeoJSON, too. The document is one dataset.",
    specification: "https://www.rfc-editor.org/rfc/rfc7946",
    evidence: "A JSON object whose type is FeatureCollection with features, Feature with a geometry, or a geometry with coordinates; or several of them, one after another.",
    false_positives: "Esri's features have attributes and no type, TopoJSON has type Topology, STAC items and catalogue records are features with another purpose.",
    description: DescriptionFormat::Json,
    media_types: &["application/geo+json", "application/vnd.geo+json"],
    extensions: &["geojson", "geojsonl", "geojsons"],
    protocol: Some("WWW:DOWNLOAD-GeoJSON"),
    fixed_crs: true,
    corpus_labels: &[
        CorpusLabel::plain("geojson"),
        CorpusLabel::plain("json-fg"),
        CorpusLabel::plain("ogcapi-features-items"),
        CorpusLabel::plain("stac-itemcollection"),
    ],
    drawer: Some(MapRenderer::Files),
    terria_type: Some("geojson"),
    qgis_layer: Some(QgisLayer::Vector),
    ..KindProfile::TEXT_FILE
};

const GEOMETRIES: &[&str] = &[
    "Point",
    "MultiPoint",
    "LineString",
    "MultiLineString",
    "Polygon",
    "MultiPolygon",
    "GeometryCollection",
];

/// Returns the type of a GeoJSON value.
fn sort_of(value: &Value) -> Option<&'static str> {
    match value.get("type")?.as_str()? {
        "FeatureCollection" => value.get("features").filter(|f| f.is_array()).map(|_| "FeatureCollection"),
        "Feature" => value.get("geometry").filter(|g| g.is_object() || g.is_null()).map(|_| "Feature"),
        geometry => {
            let shape = value.get("coordinates").is_some_and(Value::is_array)
                || value.get("geometries").is_some_and(Value::is_array);
            (GEOMETRIES.contains(&geometry) && shape).then_some("Geometry")
        }
    }
}

/// Returns whether a feature describes something else: a catalogue record, or an item of one.
fn describes_something_else(value: &Value) -> bool {
    let record = value.get("conformsTo").and_then(Value::as_array).is_some_and(|list| {
        list.iter().filter_map(Value::as_str).any(|class| class.contains("ogcapi-records"))
    });
    let item =
        value.get("stac_version").is_some() && value.get("type").and_then(Value::as_str) == Some("Feature");
    record || item
}

impl Kind for GeoJsonKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let root = &doc.root;
        if doc.sequence {
            let values = root.as_array()?;
            let all = values.iter().take(100).all(|value| sort_of(value).is_some());
            return all.then(DocumentClaim::default);
        }
        // A truncated document may end before its features.
        let cut = !doc.complete
            && doc.text_member("type") == Some("FeatureCollection")
            && !doc.has_member("features");
        let claimed = (sort_of(root).is_some() || cut) && !describes_something_else(root);
        claimed.then(DocumentClaim::default)
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let root = &doc.root;
        if doc.sequence && root.as_array().is_some_and(|list| list.iter().all(describes_something_else)) {
            return DocumentReading::default();
        }
        let mut draft = ResourceDraft::new(ID, urls::endpoint_url(at));
        draft.resource.url = file_url(at).to_string();
        draft.resource.title = title_member(root, "name").or_else(|| title_member(root, "title"));
        draft.resource.abstract_ = prose_member(root, "description");
        let bbox = bbox(&mut draft, doc);
        draft.resource.bbox = bbox;
        let dataset = Dataset {
            name: draft.resource.title.clone().unwrap_or_else(|| file_name(at)),
            title: draft.resource.title.clone(),
            bbox,
            crs: draft.resource.crs.clone().into(),
            ..Dataset::default()
        };
        draft.add_dataset(dataset);
        draft.note_syntax_issues(doc);
        let document = document(doc);
        let targets = if document == "stac-itemcollection" { stac_root(doc, at) } else { Vec::new() };
        DocumentReading {
            resources: vec![draft.finish()],
            targets,
            document: Some(document),
            ..DocumentReading::default()
        }
    }
}

/// Returns the URL of a document without keys and tokens. All else is kept, since it selects the
/// features.
fn file_url(at: &Url) -> Url {
    let endpoint = urls::endpoint_url(at);
    // Requests of services are kept as they are: they are not endpoints.
    if at.query().is_some_and(|q| !q.is_empty()) && endpoint.query() != at.query() {
        let mut url = urls::canonical_url(at);
        let kept: Vec<(String, String)> = at
            .query_pairs()
            .filter(|(name, _)| {
                !matches!(
                    name.to_ascii_lowercase().as_str(),
                    "token" | "access_token" | "key" | "apikey" | "api_key"
                )
            })
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        url.set_query(None);
        if !kept.is_empty() {
            let pairs: Vec<(&str, &str)> = kept.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
            url = urls::with_params(&url, &pairs);
        }
        return url;
    }
    endpoint
}

fn file_name(at: &Url) -> String {
    let last = at.path_segments().and_then(|mut s| s.rfind(|s| !s.is_empty())).unwrap_or_default();
    percent_encoding::percent_decode_str(last).decode_utf8_lossy().chars().take(200).collect()
}

/// Returns the type of document.
fn document(doc: &JsonDocument) -> &'static str {
    let root = &doc.root;
    let conforms =
        root.get("conformsTo").is_some() || root.get("coordRefSys").is_some() || root.get("place").is_some();
    let first = root.pointer("/features/0").unwrap_or(&Value::Null);
    if root.get("stac_version").is_some() || first.get("stac_version").is_some() {
        "stac-itemcollection"
    } else if conforms {
        "json-fg"
    } else if root.get("links").is_some() && root.get("features").is_some() {
        "ogcapi-features-items"
    } else {
        "geojson"
    }
}

fn stac_root(doc: &JsonDocument, at: &Url) -> Vec<crate::probe::CrawlTarget> {
    let mut targets = Vec::new();
    for link in super::members::document_links(&doc.root).filter(|link| link.rel == "root").take(1) {
        super::members::add_target(link.href, at, &"catalogue:stac".into(), link.title, &mut targets);
    }
    targets
}

/// Returns the coordinate system of the document, in the notation of the old specification or of
/// JSON-FG.
fn crs(doc: &JsonDocument) -> Option<CrsRef> {
    let root = &doc.root;
    let named = root.pointer("/crs/properties/name").or_else(|| root.pointer("/crs/properties/code"));
    match named {
        Some(Value::String(name)) => CrsRef::from_text(name).or_else(|| CrsRef::from_authority("EPSG", name)),
        Some(Value::Number(code)) => CrsRef::from_authority("EPSG", &code.to_string()),
        _ => None,
    }
}

/// Returns the box stated in the document, or the one around its coordinates.
fn bbox(draft: &mut ResourceDraft, doc: &JsonDocument) -> Option<Bbox> {
    let crs = crs(doc);
    if let Some(label) = crs.as_ref().and_then(CrsRef::label) {
        draft.resource.crs = vec![label.into()];
    }
    let crs = crs.unwrap_or(CrsRef::Crs84);
    let stated = doc.get("bbox").and_then(parse_corners);
    // The coordinates of a truncated document cover only its beginning.
    let measured = if doc.complete { doc.coordinates.or_else(|| extent_of(&doc.root)) } else { None };
    if !doc.complete && stated.is_none() {
        let issue =
            Issue::new("read-partly", "only the beginning of the document was read; its extent is unknown");
        draft.add_issue(issue);
    }
    if let Some(placed) = stated.and_then(|written| draft.place_box_in(&crs, written)) {
        return Some(placed);
    }
    if let Some(written) = measured {
        let degrees = matches!(crs, CrsRef::Crs84 | CrsRef::Epsg(4326));
        if degrees && matches!(classify_bbox(written), BoxClass::Swapped(_)) {
            let message = "the coordinates seem to have latitude before longitude";
            draft.add_issue(Issue::new("axes-swapped", message));
            return classify_bbox(written).bbox();
        }
        return draft.place_box_in(&crs, written);
    }
    // JSON-FG keeps geometries in other coordinate systems in a separate member.
    let place = doc.place.filter(|_| doc.complete)?;
    let reference = doc.get("coordRefSys").or_else(|| doc.root.pointer("/features/0/coordRefSys"));
    let name = reference.and_then(|r| r.as_str().or_else(|| r.get("href").and_then(Value::as_str)))?;
    let name = name.trim_matches(['[', ']']);
    let crs = CrsRef::from_text(name)?;
    let written = if crs.north_first() { [place[1], place[0], place[3], place[2]] } else { place };
    draft.resource.crs = crs.label().into_iter().map(Into::into).collect();
    draft.place_box_in(&crs, written)
}
