//! Web Coverage Processing Service: identified in the capabilities of a WCS, without a separate
//! request.

use super::{CorpusLabel, Family, Kind, KindProfile, ParentDocument, RubricRow};
use geotrawl_model::Resource;

/// Web Coverage Processing Service, an extension of WCS 2.0.
pub struct WcpsKind;

/// Kind id.
const ID: &str = "wcps";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "Web Coverage Processing Service",
    what: "Evaluates expressions over coverages on the server: band mathematics, aggregation, slices of cubes.",
    specification: "https://www.ogc.org/standard/wcps/",
    evidence: "A WCS whose capabilities name the processing extension as a profile \
               (http://www.opengis.net/spec/WCS_service-extension_processing/2.0/conf/processing) or offer the \
               operation ProcessCoverages.",
    false_positives: "A WPS, which runs named processes; a WCS without the extension. No document has WCPS as its \
                service type.",
    family: Family::Coverage,
    read_from: Some("wcs"),
    protocol: Some("OGC:WCS"),
    lists_datasets: false,
    rubric_row: RubricRow::Coverages,
    operation_words: ("coverages", "described"),
    corpus_labels: &[CorpusLabel::versioned("wcs-capabilities")],
    ..KindProfile::XML_SERVICE
};

impl Kind for WcpsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn derive_resource(&self, parent: &ParentDocument<'_>) -> Option<Resource> {
        let signs = parent.signs;
        let processes = signs.operations.iter().any(|operation| operation == "ProcessCoverages")
            || signs.profiles.iter().any(|profile| is_processing_profile(profile));
        (parent.kind == "wcs" && processes).then(|| parent.resource_as(ID))
    }
}

/// Returns whether a profile is the processing extension.
fn is_processing_profile(profile: &str) -> bool {
    let profile = profile.to_ascii_lowercase();
    profile.contains("wcs_service-extension_processing")
        || profile.contains("extension/wcps")
        || profile.contains("processing/2.0/conf/processing")
}
