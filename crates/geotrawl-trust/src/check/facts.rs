//! What a description holds, as far as the score asks.

use super::document::DocumentFacts;
use crate::model::Facts;
use geotrawl_kinds::model::Resource;

/// The facts of a description.
pub fn build(resource: &Resource, document: &DocumentFacts) -> Facts {
    Facts {
        well_formed: document.well_formed,
        right_root: document.right_root,
        datasets: resource.dataset_count.max(resource.datasets.len() as u64),
        bytes: document.bytes,
        title: resource.title.clone(),
        ranges: document.ranges,
        ..Facts::default()
    }
}
