//! Collects what the documents of an API state: its APIs, its collections, its processes.

use super::{LinkedApi, OgcInterface};
use crate::formats::crs::CrsRef;
use crate::formats::json::JsonDocument;
use crate::kinds::members::{
    MAX_DATASETS, ResourceDraft, crs_codes, document_links, identifier_member, parse_corners, parse_keywords,
    prose_member, shared_keywords, short_rel, stated_licence, text_in_any_form, text_member, time_intervals,
    title_member,
};
use geotrawl_model::{Contact, Dataset, Issue, Resource};
use serde_json::Value;
use url::Url;

const MAX_CLASSES: usize = 1000;
/// Maximum number of links kept of a landing page.
const MAX_LINKS: usize = 200;

/// A collection, process, style or tile set, and the APIs through which it is available.
#[derive(Debug)]
struct SurveyEntry {
    dataset: Dataset,
    apis: Vec<OgcInterface>,
}

/// Facts known about an API so far.
#[derive(Debug, Default)]
pub struct ApiSurvey {
    /// Type of the first document that was read.
    pub document: &'static str,
    classes: Vec<String>,
    rels: Vec<OgcInterface>,
    /// Relations and titles of the links on the landing page.
    links: Vec<(String, String)>,
    entries: Vec<SurveyEntry>,
    /// Number of collections, including those not kept.
    collections: u64,
    collections_read: bool,
    /// There are more collections on another page.
    more: bool,
    /// Determine only the APIs, without describing datasets.
    outline: bool,
    about: Resource,
    issues: Vec<Issue>,
}

/// Returns whether a document is an `OpenAPI` description of such an API.
pub fn is_description(doc: &JsonDocument) -> bool {
    let versioned = doc.text_member("openapi").is_some() || doc.text_member("swagger").is_some();
    let paths = doc.get("paths").and_then(Value::as_object);
    let signs =
        ["/conformance", "/collections", "/collections/{collectionId}", "/tileMatrixSets", "/processes"];
    versioned
        && paths.is_some_and(|paths| {
            paths.keys().take(2000).any(|path| signs.iter().any(|sign| path == sign || path.ends_with(sign)))
                || paths.keys().take(2000).any(|path| path.contains("/collections/{"))
        })
}

/// Returns whether a document is one catalogue record: a feature that describes something else.
pub fn is_record(doc: &JsonDocument) -> bool {
    let classes = doc.get("conformsTo").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    doc.text_member("type") == Some("Feature")
        && classes.iter().filter_map(Value::as_str).any(|class| class.contains("ogcapi-records"))
}

impl ApiSurvey {
    /// Reads a document. Returns `None` if it does not belong to such an API.
    pub fn from_document(doc: &JsonDocument) -> Option<Self> {
        let mut survey = Self::default();
        survey.add_document(doc).then_some(survey)
    }

    /// Reads a document only for the APIs that it proves. Returns `None` if it does not belong to
    /// such an API.
    pub fn from_document_outline(doc: &JsonDocument) -> Option<Self> {
        let mut survey = Self { outline: true, ..Self::default() };
        survey.add_document(doc).then_some(survey)
    }

    /// Reads one more document and returns whether it belongs to such an API.
    pub fn add_document(&mut self, doc: &JsonDocument) -> bool {
        let root = &doc.root;
        // STAC and GeoJSON documents share members with these APIs but belong to other kinds.
        if !root.is_object()
            || is_stac(root)
            || doc.text_member("type").is_some_and(|t| t.starts_with("Feature"))
        {
            return false;
        }
        let list = |name: &str| root.get(name).and_then(Value::as_array).map(Vec::as_slice);
        let mut known = "";
        if let Some(collections) = list("collections")
            && collections.iter().take(5).all(is_collection)
            && collections.iter().take(20).any(is_geospatial)
        {
            known = "ogcapi-collections";
            self.collections_read = true;
            self.more = document_links(root).any(|link| link.rel == "next");
            self.collections += doc.array_len("/collections").unwrap_or_default();
            for collection in collections {
                self.add_collection(collection);
            }
            self.take_about(root);
        } else if is_collection(root) && has_collection_members(root) {
            known = "ogcapi-collection";
            self.collections_read = true;
            self.collections += 1;
            self.add_collection(root);
            if self.about.title.is_none() {
                self.about.title = title_member(root, "title");
            }
        } else if let Some(sets) = list("tilesets").filter(|sets| sets.iter().take(5).all(is_tileset)) {
            known = "ogcapi-tilesets";
            self.add_plain(sets, OgcInterface::Tiles);
            self.take_about(root);
        } else if is_tileset(root)
            && (root.get("tileMatrixSetURI").is_some() || root.get("tileMatrixSetDefinition").is_some())
        {
            known = "ogcapi-tilesets";
            self.add_plain(std::slice::from_ref(root), OgcInterface::Tiles);
        } else if let Some(sets) = list("tileMatrixSets")
            && sets
                .iter()
                .take(5)
                .all(|set| identifier_member(set, "id").is_some() || text_member(set, "title").is_some())
        {
            known = "ogcapi-tilematrixsets";
            self.rels.push(OgcInterface::Tiles);
        } else if let Some(processes) = list("processes")
            && processes.iter().take(5).all(is_process)
            && root.get("links").is_some_and(Value::is_array)
        {
            known = "ogcapi-processes";
            self.rels.push(OgcInterface::Processes);
            self.add_plain(processes, OgcInterface::Processes);
        } else if let Some(styles) =
            list("styles").filter(|styles| !styles.is_empty() && styles.iter().take(5).all(is_style))
        {
            known = "ogcapi-styles";
            self.rels.push(OgcInterface::Styles);
            self.add_plain(styles, OgcInterface::Styles);
        }
        // Any of these documents may also contain the conformance classes.
        if let Some(classes) = list("conformsTo") {
            let found: Vec<&str> = classes.iter().filter_map(Value::as_str).take(MAX_CLASSES).collect();
            let ours = found
                .iter()
                .any(|class| class.contains("opengis.net/spec/ogcapi-") || class.contains("/spec/wfs-1/3.0"));
            if ours && known.is_empty() {
                known = if root.get("links").is_some() { "ogcapi-landing" } else { "ogcapi-conformance" };
            }
            self.classes.extend(found.into_iter().map(|class| class.chars().take(200).collect()));
        }
        if known.is_empty() && is_landing(root) {
            known = "ogcapi-landing";
        }
        if known == "ogcapi-landing" {
            self.take_about(root);
            self.take_rels(root);
        }
        if known.is_empty() {
            return false;
        }
        if self.document.is_empty() {
            self.document = known;
        }
        true
    }

    fn take_about(&mut self, root: &Value) {
        let about = &mut self.about;
        about.title = about.title.take().or_else(|| title_member(root, "title"));
        about.abstract_ = about.abstract_.take().or_else(|| prose_member(root, "description"));
        if about.keywords.is_empty() {
            about.keywords = parse_keywords(root.get("keywords"));
        }
        about.licence = about.licence.take().or_else(|| licence_of(root));
        about.provider = about.provider.take().or_else(|| title_member(root, "attribution"));
        if about.contact.is_empty() {
            about.contact = contact_of(root);
        }
    }

    fn take_rels(&mut self, root: &Value) {
        for link in document_links(root) {
            if self.links.len() < MAX_LINKS {
                self.links.push((short_rel(link.rel).to_owned(), link.title.chars().take(200).collect()));
            }
            let api = match short_rel(link.rel) {
                "processes" => OgcInterface::Processes,
                "styles" => OgcInterface::Styles,
                "ogc-catalog" => OgcInterface::Records,
                "map" => OgcInterface::Maps,
                "coverage" => OgcInterface::Coverages,
                rel if rel.starts_with("tilesets-") || rel == "tiles" || rel == "tiling-schemes" => {
                    OgcInterface::Tiles
                }
                "data" | "data-collections" | "collections" => OgcInterface::Features,
                _ => continue,
            };
            if !self.rels.contains(&api) {
                self.rels.push(api);
            }
        }
    }

    fn add_plain(&mut self, list: &[Value], api: OgcInterface) {
        if !self.rels.contains(&api) {
            self.rels.push(api);
        }
        for value in list.iter().take(MAX_DATASETS.saturating_sub(self.entries.len())) {
            let name = identifier_member(value, "id")
                .or_else(|| title_member(value, "title"))
                .or_else(|| title_member(value, "tileMatrixSetURI"))
                .unwrap_or_default();
            let dataset = Dataset {
                name,
                title: title_member(value, "title"),
                abstract_: prose_member(value, "description"),
                keywords: shared_keywords(value.get("keywords")),
                crs: crs_codes(value.get("crs")).into(),
                ..Dataset::default()
            };
            self.entries.push(SurveyEntry { dataset, apis: vec![api] });
        }
    }

    fn add_collection(&mut self, collection: &Value) {
        if self.entries.len() >= MAX_DATASETS {
            return;
        }
        // Folders only contain collections, which are listed as well.
        let apis = apis_of(collection);
        if self.outline {
            self.entries.push(SurveyEntry { dataset: Dataset::default(), apis });
            return;
        }
        let bbox = self.bbox_of(collection);
        let dataset = Dataset {
            name: identifier_member(collection, "id")
                .or_else(|| identifier_member(collection, "name"))
                .unwrap_or_default(),
            title: title_member(collection, "title"),
            abstract_: prose_member(collection, "description"),
            keywords: shared_keywords(collection.get("keywords")),
            bbox,
            crs: crs_codes(collection.get("crs").or_else(|| collection.get("storageCrs"))).into(),
            time: time_intervals(
                collection
                    .pointer("/extent/temporal/interval")
                    .or_else(|| collection.pointer("/extent/temporal")),
            ),
            formats: formats_of(collection),
        };
        self.entries.push(SurveyEntry { dataset, apis });
    }

    fn bbox_of(&mut self, collection: &Value) -> Option<geotrawl_model::Bbox> {
        let spatial = collection.pointer("/extent/spatial")?;
        let list = spatial.get("bbox").or(Some(spatial))?;
        // The first box encloses the others.
        let written = list.as_array()?.first().and_then(parse_corners).or_else(|| parse_corners(list))?;
        let crs = text_member(spatial, "crs").and_then(CrsRef::from_text).unwrap_or(CrsRef::Crs84);
        let mut draft = ResourceDraft::new("", "");
        let bbox = if crs == CrsRef::Epsg(4326) {
            // According to the authority, latitude comes first; hardly anyone writes it that way.
            draft.place_box(written)
        } else {
            draft.place_box_in(&crs, written)
        };
        self.issues.extend(draft.finish().issues);
        self.issues.truncate(100);
        bbox
    }

    /// Returns the APIs that are proven.
    pub fn proven_interfaces(&self) -> Vec<OgcInterface> {
        let by_class = |api: OgcInterface| {
            api.class().iter().any(|part| self.classes.iter().any(|class| class.contains(part)))
        };
        let mut apis: Vec<OgcInterface> =
            OgcInterface::ALL.into_iter().filter(|api| by_class(*api)).collect();
        let offers = |api: OgcInterface| self.entries.iter().any(|entry| entry.apis.contains(&api));
        if apis.is_empty() {
            apis =
                OgcInterface::ALL.into_iter().filter(|api| self.rels.contains(api) || offers(*api)).collect();
            let about_collections =
                self.rels == [OgcInterface::Features] || apis.is_empty() && self.collections_read;
            if self.collections_read && apis.iter().any(|api| offers(*api)) {
                // Collections are more specific than the link to them.
                apis.retain(|api| offers(*api) || *api != OgcInterface::Features);
            } else if about_collections && apis.is_empty() {
                apis.push(OgcInterface::Features);
            }
        } else if self.collections_read && apis.iter().any(|api| offers(*api)) {
            // Some servers declare every class: drop the APIs that no collection offers.
            apis.retain(|api| {
                offers(*api)
                    || matches!(api, OgcInterface::Processes | OgcInterface::Styles)
                    || *api == OgcInterface::Tiles && self.rels.contains(api)
            });
        }
        apis
    }

    /// Returns whether only a request for the collections can determine the APIs.
    pub fn lacks_collections(&self) -> bool {
        !self.collections_read && matches!(self.document, "ogcapi-landing" | "ogcapi-conformance")
    }

    /// Returns whether there is more to read.
    pub fn is_partial(&self) -> bool {
        self.lacks_collections() || self.more
    }

    /// Returns whether the conformance classes are known.
    pub fn has_classes(&self) -> bool {
        !self.classes.is_empty()
    }

    /// Returns whether a conformance class contains this part.
    pub fn has_class(&self, part: &str) -> bool {
        self.classes.iter().any(|class| class.contains(part))
    }

    /// Returns whether the list of processes is known.
    pub fn has_processes(&self) -> bool {
        self.entries.iter().any(|entry| entry.apis == [OgcInterface::Processes])
    }

    /// Returns the number of collections and other entries read.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Builds the resource of one API.
    pub fn build_resource(&mut self, api: OgcInterface, landing: &Url, complete: bool) -> Resource {
        let mut draft = self.draft(api.id(), landing);
        draft.resource.versions = self.version(api.class()).into_iter().collect();
        for entry in self.entries.iter().filter(|entry| entry.apis.contains(&api)) {
            draft.add_dataset(entry.dataset.clone());
        }
        let unkept = self.collections.saturating_sub(self.entries.len() as u64);
        if unkept > 0 && draft.resource.dataset_count > 0 {
            draft.resource.dataset_count += unkept;
        }
        self.finish(draft, complete)
    }

    /// Builds the resource of an API whose datasets are links of the landing page.
    pub fn build_linked_resource(&mut self, api: &LinkedApi, landing: &Url, complete: bool) -> Resource {
        let mut draft = self.draft(api.profile.id, landing);
        // `/ogcapi-joins-1/1.0/conf/core`: the version follows the number of the part.
        let parts = self.classes.iter().filter_map(|class| class.split_once(api.class)?.1.split('/').nth(1));
        let versions = parts.filter(|v| v.starts_with(|c: char| c.is_ascii_digit()) && v.len() <= 12);
        draft.resource.versions = versions.max().map(str::to_owned).into_iter().collect();
        for (rel, title) in &self.links {
            let Some(name) = api.rels.iter().find(|known| known.eq_ignore_ascii_case(rel)) else { continue };
            draft.add_dataset(Dataset {
                name: (*name).to_owned(),
                title: crate::formats::xml::tidy_text(title, 1024),
                ..Dataset::default()
            });
        }
        self.finish(draft, complete)
    }

    /// Starts the resource of one API with the metadata of the landing page.
    fn draft(&self, kind: &'static str, landing: &Url) -> ResourceDraft {
        let mut draft = ResourceDraft::new(kind, landing.clone());
        let about = self.about.clone();
        draft.resource = Resource { kind: draft.resource.kind, url: draft.resource.url, ..about };
        draft
    }

    /// Finishes the resource of one API with the issues of all documents.
    fn finish(&self, mut draft: ResourceDraft, complete: bool) -> Resource {
        for issue in &self.issues {
            draft.add_issue(issue.clone());
        }
        if !complete {
            draft.add_issue(Issue::new("json-broken", "the JSON is incomplete or has an invalid end"));
        }
        draft.finish()
    }

    /// Returns the version in a conformance class: `.../ogcapi-features-1/1.0/conf/core`.
    fn version(&self, parts: &[&str]) -> Option<String> {
        let mut versions: Vec<&str> = self
            .classes
            .iter()
            .filter_map(|class| {
                let part = parts.iter().find(|part| class.contains(**part))?;
                if part.contains("wfs-1") {
                    return Some("3.0");
                }
                class.split_once(part)?.1.split('/').next()
            })
            .filter(|v| v.starts_with(|c: char| c.is_ascii_digit()) && v.len() <= 12)
            .collect();
        versions.sort_unstable();
        versions.last().map(|v| (*v).to_owned())
    }
}

fn is_stac(root: &Value) -> bool {
    root.get("stac_version").is_some()
        || root.pointer("/collections/0/stac_version").is_some()
        || root.get("conformsTo").and_then(Value::as_array).is_some_and(|list| {
            root.get("links").is_some()
                && list.iter().filter_map(Value::as_str).any(|class| class.contains("stacspec.org/"))
        })
}

fn is_collection(value: &Value) -> bool {
    let named = identifier_member(value, "id").is_some() || text_member(value, "name").is_some();
    named && value.get("links").is_some_and(Value::is_array) && value.get("geometry").is_none()
}

/// Returns whether a collection has members that those of other APIs (shops, libraries) lack.
fn is_geospatial(collection: &Value) -> bool {
    let members = ["extent", "itemType", "crs", "storageCrs", "data_queries"];
    let linked = document_links(collection)
        .any(|link| link.rel.contains("opengis.net/") || link.type_.contains("geo+json"));
    linked || members.iter().any(|name| collection.get(*name).is_some())
}

fn is_process(value: &Value) -> bool {
    let described =
        ["links", "jobControlOptions", "outputTransmission"].iter().any(|name| value.get(*name).is_some());
    identifier_member(value, "id").is_some() && value.get("version").is_some() && described
}

/// Returns whether an object has members that only collections have; an id and links are too
/// common.
fn has_collection_members(root: &Value) -> bool {
    let members = ["extent", "itemType", "storageCrs", "data_queries", "dataType", "geometryType"];
    let rels = ["items", "coverage", "map", "tilesets-vector", "tilesets-map", "tilesets-coverage"];
    let linked = document_links(root).any(|link| rels.contains(&short_rel(link.rel)));
    let plain = root.get("type").is_none_or(|t| t.as_str() == Some("Collection"))
        && root.get("tileMatrixSetURI").is_none();
    plain
        && (linked && members.iter().any(|name| root.get(*name).is_some())
            || root.get("data_queries").is_some())
}

fn is_tileset(value: &Value) -> bool {
    let typed =
        text_member(value, "dataType").is_some_and(|t| matches!(t, "vector" | "map" | "coverage" | "tiles"));
    value.is_object()
        && value.get("links").is_some_and(Value::is_array)
        && (typed
            || value.get("tileMatrixSetURI").is_some()
            || value.get("tileMatrixSetId").is_some()
            || value.get("tileMatrixSet").is_some())
}

fn is_style(value: &Value) -> bool {
    identifier_member(value, "id").is_some()
        && document_links(value).any(|link| matches!(short_rel(link.rel), "stylesheet" | "describedby"))
}

/// Returns whether an object is a landing page: it links to at least two of API description,
/// conformance declaration and contents. The first is mandatory, but small servers omit it.
fn is_landing(root: &Value) -> bool {
    let (mut described, mut conforms, mut has) = (false, false, false);
    for link in document_links(root) {
        match short_rel(link.rel) {
            "service-desc" | "service-doc" | "service" => described = true,
            "conformance" => conforms = true,
            "data" | "data-collections" => has |= link.href.contains("collections"),
            _ => {}
        }
    }
    [described, conforms, has].into_iter().filter(|way| *way).count() >= 2 && root.get("geometry").is_none()
}

/// Returns the APIs through which a collection is available.
fn apis_of(collection: &Value) -> Vec<OgcInterface> {
    let mut apis = Vec::new();
    let mut add = |api: OgcInterface| {
        if !apis.contains(&api) {
            apis.push(api);
        }
    };
    let records = text_member(collection, "itemType")
        .is_some_and(|t| matches!(t.to_ascii_lowercase().as_str(), "record" | "catalog" | "records"));
    if collection.get("data_queries").is_some_and(Value::is_object)
        || collection.get("parameter_names").is_some()
    {
        add(OgcInterface::Edr);
    }
    for link in document_links(collection) {
        match short_rel(link.rel) {
            "items" => add(if records { OgcInterface::Records } else { OgcInterface::Features }),
            "coverage" | "coverage-domainset" => add(OgcInterface::Coverages),
            "map" => add(OgcInterface::Maps),
            rel if rel.starts_with("tilesets-") || rel == "tiles" => add(OgcInterface::Tiles),
            // Some servers use the relation `data` for everything related to a collection.
            "data" if is_list_of_tiles(link.href) => add(OgcInterface::Tiles),
            _ => {}
        }
    }
    if records {
        add(OgcInterface::Records);
    }
    if apis.is_empty() {
        apis.push(OgcInterface::Features);
    }
    apis
}

fn is_list_of_tiles(href: &str) -> bool {
    let path = href.split(['?', '#']).next().unwrap_or_default();
    path.trim_end_matches('/').ends_with("/tiles")
}

fn formats_of(collection: &Value) -> Vec<geotrawl_model::SharedText> {
    let mut formats: Vec<geotrawl_model::SharedText> = Vec::new();
    for link in document_links(collection)
        .filter(|link| matches!(short_rel(link.rel), "items" | "coverage" | "map" | "enclosure"))
    {
        let type_: String = link.type_.chars().take(100).collect();
        if !type_.is_empty() && formats.len() < 20 && !formats.iter().any(|f| **f == *type_) {
            formats.push(type_.into());
        }
    }
    formats
}

fn licence_of(root: &Value) -> Option<String> {
    let link = document_links(root).find(|link| link.rel == "license");
    let named = root.get("license").and_then(text_in_any_form);
    stated_licence(
        named.or_else(|| {
            link.map(|link| if link.title.is_empty() { link.href } else { link.title }.to_owned())
        }),
    )
}

fn contact_of(root: &Value) -> Contact {
    let Some(contact) =
        root.pointer("/contacts/0").or_else(|| root.get("contactPoint")).or_else(|| root.get("contact"))
    else {
        return Contact::default();
    };
    Contact {
        person: title_member(contact, "name")
            .or_else(|| contact.as_str().map(|t| t.chars().take(200).collect())),
        organisation: title_member(contact, "organization"),
        email: contact
            .pointer("/emails/0/value")
            .and_then(text_in_any_form)
            .or_else(|| title_member(contact, "email")),
        phone: contact.pointer("/phones/0/value").and_then(text_in_any_form),
        url: title_member(contact, "url"),
    }
}
