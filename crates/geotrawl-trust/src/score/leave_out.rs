//! Points that do not apply to a kind: nobody could fix them, so they do not count.

use geotrawl_kinds::kinds::{self, MetadataDepth};

/// Returns whether descriptions of a kind list no datasets.
pub(super) fn lists_no_datasets(kind: &str) -> bool {
    kinds::kind_profile(kind).is_some_and(|profile| !profile.lists_datasets)
}

/// Returns why a point does not count for a kind, if it does not.
pub(super) fn omission_reason(kind: &str, point: &str) -> Option<&'static str> {
    let profile = kinds::kind_profile(kind)?;
    match point {
        "capabilities.datasets" | "capabilities.names" | "metadata.boxes" | "metadata.titles"
            if !profile.lists_datasets =>
        {
            Some("left out: descriptions of this kind do not list layers")
        }
        "capabilities.size" if profile.is_file() => Some("left out: a file may be as large as its data"),
        "metadata.abstract" | "metadata.keywords" | "metadata.contact" | "metadata.licence"
        | "metadata.link" | "metadata.titles"
            if matches!(profile.metadata, MetadataDepth::Bare | MetadataDepth::Untitled) =>
        {
            Some("left out: the format does not support it")
        }
        "metadata.title" if profile.metadata == MetadataDepth::Untitled => {
            Some("left out: the format does not support it")
        }
        "metadata.keywords" | "metadata.contact" if profile.metadata == MetadataDepth::Terse => {
            Some("left out: descriptions of this kind do not support it")
        }
        "metadata.boxes" if !profile.has_extent => {
            Some("left out: descriptions of this kind do not contain extents")
        }
        "standards.encoding" if !profile.is_text => Some("left out: it is not a text format"),
        _ => None,
    }
}
