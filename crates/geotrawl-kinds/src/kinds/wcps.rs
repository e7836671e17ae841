//! Web Coverage Processing Service: read from a WCS, needs no request of its own.

use super::{Kind, KindDoc};
use crate::model::Resource;

/// Web Coverage Processing Service, an extension of WCS 2.0.
pub struct Wcps;

/// Kind id.
pub const ID: &str = "wcps";

static DOC: KindDoc = KindDoc {
    id: ID,
    name: "Web Coverage Processing Service",
    what: "Evaluates expressions over coverages on the server: band mathematics, aggregation, slices of cubes.",
    specification: "https://www.ogc.org/standard/wcps/",
    evidence: "A WCS whose capabilities name the processing extension as a profile \
               (http://www.opengis.net/spec/WCS_service-extension_processing/2.0/conf/processing) or offer the \
               operation ProcessCoverages.",
    impostors: "A WPS, which runs named processes; a WCS without the extension. No document has WCPS as its \
                service type.",
};

impl Kind for Wcps {
    fn doc(&self) -> &'static KindDoc {
        &DOC
    }
}

/// Coverages that are listed a second time; above, they are only counted.
const LISTED: usize = 10_000;

/// The WCPS that a WCS is as well.
pub fn of(wcs: &Resource) -> Resource {
    under_another_kind(wcs, ID)
}

/// The same resource under another kind; a list that is very long is not copied.
pub fn under_another_kind(resource: &Resource, kind: &str) -> Resource {
    let long = resource.datasets.len() > LISTED;
    let mut other = if long { clone_without_datasets(resource) } else { resource.clone() };
    kind.clone_into(&mut other.kind);
    other
}

fn clone_without_datasets(r: &Resource) -> Resource {
    Resource {
        kind: r.kind.clone(),
        url: r.url.clone(),
        versions: r.versions.clone(),
        title: r.title.clone(),
        abstract_: r.abstract_.clone(),
        keywords: r.keywords.clone(),
        provider: r.provider.clone(),
        contact: r.contact.clone(),
        licence: r.licence.clone(),
        bbox: r.bbox,
        crs: r.crs.clone(),
        languages: r.languages.clone(),
        software: r.software.clone(),
        formats: r.formats.clone(),
        datasets: Vec::new(),
        dataset_count: r.dataset_count,
        issues: r.issues.clone(),
    }
}

/// Whether a profile is the processing extension.
pub fn is_processing_profile(profile: &str) -> bool {
    let profile = profile.to_ascii_lowercase();
    profile.contains("wcs_service-extension_processing")
        || profile.contains("extension/wcps")
        || profile.contains("processing/2.0/conf/processing")
}
