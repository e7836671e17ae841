//! Portolan: STAC catalogues of cloud-native files that follow a profile of their own.

use super::members::{Draft, links, title};
use super::stac::{self, Sort};
use super::{Claim, Kind, KindProfile, Reading, Request};
use crate::formats::json::Doc;
use crate::formats::xml::tidy;
use crate::urls;
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// A Portolan catalogue.
pub struct Portolan;

/// What stands in the address of every version of the profile; the version follows.
const PROFILE_SCHEMA: &str = "schemas.portolan-sdi.org/portolan/v";

static PROFILE: KindProfile = KindProfile {
    id: "portolan",
    name: "Portolan catalogue",
    what: "A spatial data infrastructure without a server: GeoParquet, COG, COPC and PMTiles on a file store, listed by a \
           STAC catalogue. A collection is a dataset. What its collections hold is read as a STAC catalogue.",
    specification: "https://github.com/portolan-sdi/portolan-spec",
    evidence: "The root catalogue of a STAC catalogue that declares the Portolan profile in stac_extensions.",
    false_positives: "STAC catalogues without the profile; collections and folders inside of a Portolan catalogue, which \
                      declare it too.",
    request: Request::Page,
    protocol: Some("STAC:Catalog"),
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for Portolan {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, _at: &Url) -> Option<Claim> {
        let root = &doc.root;
        let is_root = stac::sort(root) == Some(Sort::Catalog)
            && !stac::is_landing(root)
            && links(root).all(|link| link.rel != "parent");
        let version = Some(profile_version(root)?.to_owned());
        is_root.then_some(Claim { version, oddity: None })
    }

    fn read_json(&self, doc: &Doc, claim: Claim, at: &Url) -> Reading {
        let root = &doc.root;
        let mut draft = Draft::new(PROFILE.id, urls::endpoint(at));
        stac::describe(&mut draft, doc);
        draft.resource.versions = claim.version.into_iter().collect();
        draft.resource.bbox = stac::bbox(&mut draft, root);
        let providers = root.get("providers").and_then(Value::as_array);
        draft.resource.contact.email = providers.into_iter().flatten().find_map(|one| title(one, "email"));
        for link in links(root).filter(|link| link.rel == "child") {
            let name = link.href.chars().take(1000).collect();
            draft.push(Dataset { name, title: tidy(link.title, 1024), ..Dataset::default() });
        }
        Reading { resources: vec![draft.finish()], document: Some("stac-catalog"), ..Reading::default() }
    }
}

/// Returns the version of the Portolan profile that a document declares: `0.2.0`.
fn profile_version(root: &Value) -> Option<&str> {
    let extensions = root.get("stac_extensions")?.as_array()?;
    extensions.iter().filter_map(Value::as_str).find_map(|extension| {
        let version = extension.split_once(PROFILE_SCHEMA)?.1.split('/').next()?;
        (version.len() <= 20 && version.starts_with(|c: char| c.is_ascii_digit())).then_some(version)
    })
}
