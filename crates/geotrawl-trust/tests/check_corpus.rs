//! Checks of services that describe themselves and answer like real ones, with the documents of the
//! public corpus. The corpus is not part of the project: the tests print a note if it is missing.

#![expect(clippy::expect_used, reason = "a test that cannot read its documents has failed")]

use crate::check::documents;
use crate::check::server::{CannedReply, known_resource, run_check};
use geotrawl_kinds::corpus;
use geotrawl_model::{Outcome, Purpose};
use geotrawl_trust::check::CheckOptions;
use std::path::PathBuf;

fn documents_of(folder: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let folder = corpus::corpus_folder(env!("CARGO_MANIFEST_DIR"))?.join(folder);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: PathBuf| (path.display().to_string(), std::fs::read(&path).expect("a document"));
    Some(paths.into_iter().map(read).collect())
}

/// Descriptions for which nearly always an operation must be planned: kind, folder, address, and
/// the minimum numbers of described and tested resources.
const DESCRIPTIONS: &[(&str, &str, &str, usize, usize)] = &[
    ("wms", "wms-capabilities", "https://x.org/wms", 108, 91),
    ("wfs", "wfs-capabilities", "https://x.org/wfs", 29, 28),
    ("wcs", "wcs-capabilities", "https://x.org/wcs", 23, 20),
    ("wmts", "wmts-capabilities", "https://x.org/wmts", 52, 47),
    ("wps", "wps-capabilities", "https://x.org/wps", 8, 8),
    ("csw", "csw-capabilities", "https://x.org/csw", 6, 6),
    ("sos", "sos-capabilities", "https://x.org/sos", 11, 11),
    ("thredds", "thredds-catalog", "https://x.org/thredds/catalog.xml", 5, 4),
    ("opendap", "opendap-dds", "https://x.org/dodsC/a.nc", 5, 3),
    ("opensearch", "opensearch-description", "https://x.org/osdd", 3, 3),
    ("tms", "tms-tilemap", "https://x.org/tms/1.0.0/a", 2, 2),
    ("tilejson", "tilejson", "https://x.org/a.json", 7, 5),
    ("arcgis-mapserver", "arcgis-rest-mapserver", "https://x.org/arcgis/rest/services/a/MapServer", 12, 11),
    (
        "arcgis-featureserver",
        "arcgis-rest-featureserver",
        "https://x.org/arcgis/rest/services/a/FeatureServer",
        4,
        4,
    ),
    (
        "arcgis-imageserver",
        "arcgis-rest-imageserver",
        "https://x.org/arcgis/rest/services/a/ImageServer",
        3,
        3,
    ),
];

#[test]
fn real_descriptions_lead_to_operations() {
    for (kind, folder, url, least_described, least_tried) in DESCRIPTIONS {
        let Some(documents) = documents_of(folder) else {
            eprintln!("SKIPPED: no corpus, {folder} is not tested");
            return;
        };
        let (mut described, mut tried) = (0, 0);
        for (name, body) in &documents {
            let mut first = true;
            let (checked, _) = run_check(&known_resource(kind, url), &CheckOptions::default(), |wanted| {
                let answer = std::mem::take(&mut first) || wanted.purpose == Purpose::Description;
                if answer {
                    CannedReply::ok(body.as_slice()).streamed()
                } else {
                    CannedReply::status(404, "")
                }
            });
            let seen = &checked.check.observations;
            let is =
                seen.iter().any(|one| one.purpose == Purpose::Description && one.outcome == Outcome::Valid);
            let has = seen.iter().any(|one| one.purpose == Purpose::Operation);
            described += usize::from(is);
            tried += usize::from(has);
            if !is || !has {
                eprintln!("{kind} {name}: {}", checked.check.reason);
            }
        }
        eprintln!("{kind}: {} documents, {described} described, {tried} tried", documents.len());
        assert!(described >= *least_described && tried >= *least_tried, "{kind}: {described} {tried}");
    }
}

/// Answers to the scored operation: kind, its description, address, folder, and the minimum number
/// judged as right.
#[test]
fn real_answers_are_judged() {
    type AnswerGroup = (&'static str, String, &'static str, &'static str, &'static [Outcome], usize);
    const GOOD: &[Outcome] = &[Outcome::Valid, Outcome::Blank];
    let feature_server = "https://x.org/arcgis/rest/services/a/FeatureServer";
    let groups: Vec<AnswerGroup> = vec![
        ("wfs", documents::wfs(), "https://x.org/wfs", "gml-wfs-featurecollection", GOOD, 13),
        (
            "wfs",
            documents::wfs(),
            "https://x.org/wfs",
            "ogc-exception-owsexceptionreport",
            &[Outcome::Exception],
            16,
        ),
        (
            "wms",
            documents::wms("1.3.0", &["a"]),
            "https://x.org/wms",
            "ogc-exception-serviceexceptionreport",
            &[Outcome::Exception],
            13,
        ),
        ("csw", documents::csw(), "https://x.org/csw", "csw-getrecords-response", GOOD, 16),
        ("wcs", documents::wcs(), "https://x.org/wcs", "wcs-describecoverage", GOOD, 14),
        ("wps", documents::wps(), "https://x.org/wps", "wps-describeprocess", GOOD, 7),
        ("sos", documents::sos(), "https://x.org/sos", "sensorml", GOOD, 10),
        (
            "opensearch",
            documents::OPENSEARCH.to_owned(),
            "https://x.org/osdd",
            "opensearch-atom-response",
            GOOD,
            5,
        ),
        (
            "arcgis-featureserver",
            documents::FEATURESERVER.to_owned(),
            feature_server,
            "arcgis-rest-query-result",
            GOOD,
            16,
        ),
        (
            "wms",
            documents::wms("1.3.0", &["a"]),
            "https://x.org/wms",
            "negative-not-geospatial",
            &[Outcome::WrongContent, Outcome::Page, Outcome::Malformed],
            15,
        ),
    ];
    for (kind, description, url, folder, expected, least) in groups {
        let Some(answers) = documents_of(folder) else {
            eprintln!("SKIPPED: no corpus, {folder} is not tested");
            return;
        };
        let mut right = 0;
        for (name, body) in &answers {
            let (checked, _) = run_check(&known_resource(kind, url), &CheckOptions::default(), |wanted| {
                CannedReply::ok(if wanted.purpose == Purpose::Description {
                    description.as_bytes()
                } else {
                    body
                })
            });
            let seen = checked.check.observations.iter().find(|one| one.purpose == Purpose::Operation);
            let seen = seen.expect("an operation");
            right += usize::from(expected.contains(&seen.outcome));
            if !expected.contains(&seen.outcome) {
                eprintln!("{kind} {name}: {:?} {}", seen.outcome, seen.seen);
            }
        }
        eprintln!("{kind} {folder}: {right} of {} as expected", answers.len());
        assert!(right >= least, "{kind} {folder}: {right}");
    }
}
