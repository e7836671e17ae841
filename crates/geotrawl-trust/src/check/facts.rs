//! Facts about a description, as used by the score.

use super::document::DocumentFacts;
use crate::facts::{self, DescriptionDocument};
use geotrawl_model::{Facts, Resource};

/// Returns the facts of a description.
pub fn build_facts(resource: &Resource, document: &DocumentFacts) -> Facts {
    let document = DescriptionDocument {
        well_formed: document.well_formed,
        right_root: document.right_root,
        bytes: document.bytes,
        content_type: document.content_type.clone(),
        requested_version: document.requested_version.clone(),
        advertised: document.advertised.clone(),
        declared_charset: document.declared_charset.clone(),
        charset_ok: document.charset_right,
        ranges: document.ranges,
        metadata_link: document.metadata_link,
    };
    facts::build_facts(resource, &document)
}
