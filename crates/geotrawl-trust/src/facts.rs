//! Facts about a description, as needed by the score. Defaults of the software count as missing,
//! since they say nothing about the data.

mod defaults;

use geotrawl_kinds::kinds::{self, DescriptionFormat};
use geotrawl_model::{Bbox, Dataset, Facts, Resource};
use std::collections::HashSet;
use url::Url;

/// Properties of a description as a document, apart from its parsed content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DescriptionDocument {
    /// Whether a strict parser accepts it.
    pub well_formed: bool,
    /// Whether root, namespace and version follow the standard.
    pub right_root: bool,
    pub bytes: u64,
    /// Value of `Content-Type`.
    pub content_type: Option<String>,
    /// Version named in the request.
    pub requested_version: Option<String>,
    /// Address advertised for requests.
    pub advertised: Option<String>,
    /// Encoding declared in the header or the document.
    pub declared_charset: Option<String>,
    /// Whether the bytes are in this encoding.
    pub charset_ok: Option<bool>,
    /// Whether the server supports ranges.
    pub ranges: Option<bool>,
    /// Whether it links to metadata or has a date of change; `None` if not examined.
    pub metadata_link: Option<bool>,
}

/// Returns the facts of a resource and the document that described it.
pub fn build_facts(resource: &Resource, document: &DescriptionDocument) -> Facts {
    let listed = &resource.datasets;
    let text = resource.abstract_.as_deref().filter(|text| !defaults::is_abstract(text));
    let organisation = [&resource.contact.organisation, &resource.provider]
        .into_iter()
        .flatten()
        .any(|name| !defaults::is_contact(name));
    let email = resource.contact.email.as_deref();
    let dated = listed.iter().any(|dataset| dataset.time.iter().any(|time| !time.trim().is_empty()));
    let mut unknown = Vec::new();
    let mut untold = |is_unknown: bool, ids: &[&str]| {
        if is_unknown {
            unknown.extend(ids.iter().map(|&id| id.to_owned()));
        }
    };
    untold(!dated && document.metadata_link.is_none(), &["metadata.link"]);
    untold(listed.is_empty(), &["capabilities.names", "metadata.boxes", "metadata.titles"]);
    Facts {
        well_formed: document.well_formed,
        right_root: document.right_root,
        datasets: resource.dataset_count.max(listed.len() as u64),
        unique_names: has_unique_names(listed),
        bytes: document.bytes,
        title: resource.title.clone().filter(|title| !defaults::is_title(title)),
        abstract_length: text
            .map_or(0, |text| u32::try_from(text.trim().chars().count()).unwrap_or(u32::MAX)),
        keywords: keywords(resource),
        organisation,
        email: email.is_some_and(|email| email.contains('@') && !defaults::is_contact(email)),
        licence: resource.licence.as_deref().is_some_and(|licence| !defaults::says_none(licence)),
        placed: share(listed, |dataset| dataset.bbox.is_some_and(is_valid)),
        titled: share(listed, is_titled),
        metadata_or_date: dated || document.metadata_link == Some(true),
        media_type: has_right_type(&resource.kind, document),
        encoding: encoding(resource, document),
        axis_order: resource
            .issues
            .iter()
            .any(|issue| matches!(issue.code.as_str(), "bbox-swapped" | "axes-swapped"))
            .then_some(false),
        advertised: document.advertised.as_deref().and_then(|given| same_door(&resource.url, given)),
        version: document
            .requested_version
            .as_deref()
            .filter(|_| !resource.versions.is_empty())
            .map(|wanted| resource.versions.iter().any(|version| version == wanted)),
        ranges: document.ranges,
        crs_known: crs_known(resource),
        unknown,
    }
}

/// Returns the share of the datasets for which a condition holds, 0 to 1.
fn share(datasets: &[Dataset], holds: impl Fn(&Dataset) -> bool) -> f64 {
    if datasets.is_empty() {
        return 0.0;
    }
    datasets.iter().filter(|dataset| holds(dataset)).count() as f64 / datasets.len() as f64
}

fn has_unique_names(datasets: &[Dataset]) -> bool {
    let mut seen = HashSet::with_capacity(datasets.len());
    datasets.iter().all(|dataset| !dataset.name.trim().is_empty() && seen.insert(dataset.name.as_str()))
}

fn keywords(resource: &Resource) -> u32 {
    let words = resource.keywords.iter().map(|word| word.trim().to_lowercase());
    let own: HashSet<String> = words.filter(|word| !word.is_empty() && !defaults::is_keyword(word)).collect();
    u32::try_from(own.len()).unwrap_or(u32::MAX)
}

/// Returns whether a box is finite, on the globe, and not all zeros.
fn is_valid(bbox: Bbox) -> bool {
    let sides = [bbox.west, bbox.south, bbox.east, bbox.north];
    sides.iter().all(|side| side.is_finite())
        && sides.iter().any(|side| side.abs() > f64::EPSILON)
        && bbox.south <= bbox.north
        && bbox.south >= -90.0
        && bbox.north <= 90.0
        && bbox.west.abs() <= 180.0
        && bbox.east.abs() <= 180.0
}

/// Returns whether a dataset has a readable title: not just its name or a number.
fn is_titled(dataset: &Dataset) -> bool {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    dataset.title.as_deref().is_some_and(|title| {
        let words = plain(title);
        let same = title.trim() == dataset.name.trim()
            || (!title.contains(' ') && words == plain(dataset.name.rsplit(':').next().unwrap_or_default()));
        words.chars().any(char::is_alphabetic) && !same && !defaults::is_title(title)
    })
}

/// Returns whether an advertised address has the scheme and host of the address that answered.
fn same_door(own: &str, given: &str) -> Option<bool> {
    let own = Url::parse(own).ok()?;
    let Ok(given) = own.join(given.trim()) else { return Some(false) };
    Some(own.scheme() == given.scheme() && own.host_str() == given.host_str())
}

fn encoding(resource: &Resource, document: &DescriptionDocument) -> bool {
    // JSON is always UTF-8, so nothing needs to be declared.
    let declared = document.declared_charset.is_some()
        || kinds::kind_profile(&resource.kind)
            .is_some_and(|profile| profile.description == DescriptionFormat::Json);
    declared && document.charset_ok != Some(false)
}

fn has_right_type(kind: &str, document: &DescriptionDocument) -> bool {
    let (Some(profile), Some(given)) = (kinds::kind_profile(kind), &document.content_type) else {
        return false;
    };
    profile.accepts_type(given)
}

fn crs_known(resource: &Resource) -> Option<bool> {
    let fixed = kinds::kind_profile(&resource.kind).is_some_and(|profile| profile.fixed_crs);
    let doubted = resource.issues.iter().any(|i| matches!(i.code.as_str(), "crs-unknown" | "crs-assumed"));
    let stated = !resource.crs.is_empty() || resource.datasets.iter().any(|d| !d.crs.is_empty());
    match (doubted, stated || fixed) {
        (true, _) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests;
