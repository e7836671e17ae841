//! What the document kinds of the corpus mean to us: labels declared by kinds, and labels that
//! prove nothing.

use crate::kinds::KINDS;

/// Meaning of a document kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentEntry {
    /// Kinds that the document proves: at least one of them and no other. Empty if it proves
    /// nothing.
    pub kinds: Vec<&'static str>,
    /// Whether the version of the label is the version of the resource.
    pub version: bool,
}

/// Labels of documents that prove nothing. Sorted.
const NOTHING: &[&str] = &[
    "arcgis-rest-error",
    "arcgis-rest-query-result",
    "csw-describerecord",
    "csw-dublin-core-record",
    "csw-getdomain",
    "csw-getrecordbyid-response",
    "csw-getrecords-response",
    "dif-record",
    "fgdc-csdgm-record",
    "gdal-wms-xml",
    "georss-atom-feed",
    "georss-rss",
    "hdf4",
    "html-as-xml",
    "iso19115-3-record",
    "iso19139-record",
    "json-config-ows",
    "negative-not-geospatial",
    "ogc-exception-owsexceptionreport",
    "ogc-exception-serviceexceptionreport",
    "ogcapi-record",
    "openapi-ogcapi",
    "opensearch-atom-response",
    "parquet",
    "qgis-project",
    "robots-txt",
    "sensorml",
    "sitemap-index",
    "sitemap-urlset",
    "sld",
    "sos-getobservation",
    "sqlite",
    "terria-init-json",
    "tiff-plain",
    "wcs-describecoverage",
    "wmc-viewcontext",
    "wms-describelayer",
    "wps-describeprocess",
    "wps-executeresponse",
    "xsd-gml-application-schema",
];

/// Returns the meaning of a document kind, or `None` if the label is unknown.
pub fn find_entry(document: &str) -> Option<DocumentEntry> {
    let profiles = KINDS.iter().map(|kind| kind.profile());
    let labels = profiles.flat_map(|profile| profile.corpus_labels.iter().map(|label| (label, profile.id)));
    let proven: Vec<_> = labels.filter(|(label, _)| label.name == document).collect();
    let known = !proven.is_empty() || NOTHING.binary_search(&document).is_ok();
    known.then(|| DocumentEntry {
        version: proven.iter().any(|(label, _)| label.versioned),
        kinds: proven.into_iter().map(|(_, kind)| kind).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_prove_kinds_or_nothing() {
        assert!(NOTHING.is_sorted());
        let wms = find_entry("wms-capabilities").expect("a label");
        assert_eq!((wms.kinds, wms.version), (vec!["ncwms", "wms", "wms-c"], true));
        assert_eq!(find_entry("hdf4"), Some(DocumentEntry { kinds: Vec::new(), version: false }));
        assert_eq!(find_entry("something"), None);
    }
}
