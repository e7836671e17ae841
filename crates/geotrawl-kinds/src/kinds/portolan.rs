//! Portolan: STAC catalogues of cloud-native files that follow the Portolan profile.

use super::members::{ResourceDraft, document_links, title_member};
use super::stac::{self, StacType};
use super::{DescriptionRequest, DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::formats::json::JsonDocument;
use crate::formats::xml::tidy_text;
use crate::urls;
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// A Portolan catalogue.
pub struct PortolanKind;

/// Part of the URL of every version of the profile; the version follows.
const PROFILE_SCHEMA: &str = "schemas.portolan-sdi.org/portolan/v";

static PROFILE: KindProfile = KindProfile {
    id: "portolan",
    name: "Portolan catalogue",
    what: "A spatial data infrastructure without a server: GeoParquet, COG, COPC and PMTiles on a file store, listed by a \
           STAC catalogue. Each collection is a dataset. The contents of collections are read as a STAC catalogue.",
    specification: "https://github.com/portolan-sdi/portolan-spec",
    evidence: "The root catalogue of a STAC catalogue that declares the Portolan profile in stac_extensions.",
    false_positives: "STAC catalogues without the profile; collections and folders inside a Portolan catalogue, which \
                      declare it too.",
    request: DescriptionRequest::Page,
    protocol: Some("STAC:Catalog"),
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for PortolanKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let root = &doc.root;
        let is_root = stac::document_type(root) == Some(StacType::Catalog)
            && !stac::is_landing(root)
            && document_links(root).all(|link| link.rel != "parent");
        let version = Some(profile_version(root)?.to_owned());
        is_root.then_some(DocumentClaim { version, oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, claim: DocumentClaim, at: &Url) -> DocumentReading {
        let root = &doc.root;
        let mut draft = ResourceDraft::new(PROFILE.id, urls::endpoint_url(at));
        stac::describe_resource(&mut draft, doc);
        draft.resource.versions = claim.version.into_iter().collect();
        draft.resource.bbox = stac::first_bbox(&mut draft, root);
        let providers = root.get("providers").and_then(Value::as_array);
        draft.resource.contact.email =
            providers.into_iter().flatten().find_map(|one| title_member(one, "email"));
        for link in document_links(root).filter(|link| link.rel == "child") {
            let name = link.href.chars().take(1000).collect();
            draft.add_dataset(Dataset { name, title: tidy_text(link.title, 1024), ..Dataset::default() });
        }
        DocumentReading {
            resources: vec![draft.finish()],
            document: Some("stac-catalog"),
            ..DocumentReading::default()
        }
    }
}

/// Returns the version of the Portolan profile declared in a document: `0.2.0`.
fn profile_version(root: &Value) -> Option<&str> {
    let extensions = root.get("stac_extensions")?.as_array()?;
    extensions.iter().filter_map(Value::as_str).find_map(|extension| {
        let version = extension.split_once(PROFILE_SCHEMA)?.1.split('/').next()?;
        (version.len() <= 20 && version.starts_with(|c: char| c.is_ascii_digit())).then_some(version)
    })
}
