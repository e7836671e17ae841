//! Fixtures of the kinds that are read from XML and from the text formats of scientific servers,
//! through the same steps as a page from the web: `is-*` proves its kind, `not-*` does not.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its fixtures has failed")]

use geotrawl_kinds::probe::{
    Finding, Probe, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody, ResponseHead,
};
use geotrawl_model::Intent;
use std::path::Path;
use url::Url;

/// Positive fixture: its file, the number of datasets, the title.
type PositiveFixture = (&'static str, u64, &'static str);

/// Kinds with the expected content of their positive fixtures.
const KINDS: &[(&str, &[PositiveFixture])] = &[
    ("arcims", &[("is-services.xml", 2, "")]),
    (
        "erddap",
        &[
            ("is-all-datasets.json", 2, "ERDDAP of example.org"),
            ("is-version.txt", 0, "ERDDAP of example.org"),
        ],
    ),
    (
        "inspire-atom",
        &[
            ("is-dataset-feed.xml", 1, "Rivers"),
            ("is-service-feed.xml", 2, "Download service of the water office"),
        ],
    ),
    ("ncwms", &[("is-edal.xml", 1, "Ocean model output")]),
    ("oai-pmh", &[("is-error.xml", 0, ""), ("is-identify.xml", 0, "Geoscience data repository")]),
    (
        "opendap",
        &[
            ("is-attributes.das", 1, "Sea surface temperature, monthly"),
            ("is-dap4.xml", 1, "Sea surface temperature, monthly"),
            ("is-structure.dds", 1, "ocean/sst_monthly.nc"),
        ],
    ),
    ("opensearch", &[("is-geo.xml", 0, "Archive of satellite scenes")]),
    ("thredds", &[("is-catalog.xml", 2, "Ocean models")]),
    ("tms", &[("is-service.xml", 2, "Tiles of the survey office"), ("is-tile-map.xml", 1, "island.tif")]),
    ("wms-c", &[("is-cache.xml", 1, "Tile cache")]),
];

fn read(at: &str, bytes: &[u8]) -> Finding {
    let url = Url::parse(at).expect("a URL");
    let (mut probe, _) = Probe::start(Intent::Page, url.clone());
    let head = ResponseHead { url: Some(url), status: 200, ..ResponseHead::default() };
    match probe.handle_response(ProbeResponse {
        head: &head,
        body: ResponseBody::Whole(bytes),
        truncated: false,
    }) {
        ProbeStep::Done(finding) => *finding,
        ProbeStep::Ask(ask) => panic!("{ask:?}"),
    }
}

#[test]
fn fixtures_prove_their_kinds() {
    for (kind, positives) in KINDS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(kind);
        let mut files: Vec<String> = std::fs::read_dir(&folder)
            .expect("a folder")
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        files.sort();
        let named: Vec<&str> = positives.iter().map(|(file, ..)| *file).collect();
        assert_eq!(files.iter().filter(|f| f.starts_with("is-")).collect::<Vec<_>>(), named, "{kind}");
        assert!(files.iter().any(|file| file.starts_with("not-")), "{kind}");
        for file in &files {
            let bytes = std::fs::read(folder.join(file)).expect("a fixture");
            let finding = read("https://example.org/erddap/version", &bytes);
            let found = finding.resources.iter().find(|found| found.resource.kind == *kind);
            let Some((_, datasets, title)) = positives.iter().find(|(positive, ..)| positive == file) else {
                assert!(found.is_none(), "{kind}/{file}");
                continue;
            };
            let resource = &found.unwrap_or_else(|| panic!("{kind}/{file}")).resource;
            assert_eq!(resource.dataset_count, *datasets, "{kind}/{file}");
            assert_eq!(resource.title.as_deref().unwrap_or_default(), *title, "{kind}/{file}");
        }
    }
}

/// Runs a dialogue with the given responses.
fn play(kind: &str, at: &str, answers: &[(&str, u16, &str)]) -> Finding {
    let (mut probe, mut ask): (Probe, ProbeRequest) =
        Probe::start(Intent::Ask { kind: kind.to_owned() }, Url::parse(at).expect("a URL"));
    let mut answers = answers.iter();
    loop {
        let (asked, status, body) = answers.next().unwrap_or_else(|| panic!("nobody answers {}", ask.url));
        assert_eq!(ask.url.as_str(), *asked);
        let head = ResponseHead { url: Some(ask.url.clone()), status: *status, ..ResponseHead::default() };
        match probe.handle_response(ProbeResponse {
            head: &head,
            body: ResponseBody::Whole(body.as_bytes()),
            truncated: false,
        }) {
            ProbeStep::Ask(next) => ask = *next,
            ProbeStep::Done(finding) => {
                assert!(answers.next().is_none(), "questions that were not asked");
                return *finding;
            }
        }
    }
}

#[test]
fn services_are_asked_in_their_own_ways() {
    let table = include_str!("kinds/erddap/is-all-datasets.json");
    let columns = "datasetID,title,summary,institution,minLongitude,maxLongitude,minLatitude,maxLatitude,minTime,maxTime,griddap,tabledap,wms,files,iso19115,infoUrl";
    let finding = play(
        "erddap",
        "https://x.org/erddap/griddap/a.html",
        &[
            ("https://x.org/erddap/version", 200, "ERDDAP_version=2.23\n"),
            (&format!("https://x.org/erddap/tabledap/allDatasets.json?{columns}"), 200, table),
        ],
    );
    assert_eq!(finding.resources[0].resource.dataset_count, 2);
    assert!(finding.targets.iter().any(|t| t.intent.to_string() == "harvest:erddap 0 "));
    assert!(
        play("erddap", "https://x.org/erddap/", &[("https://x.org/erddap/version", 404, "no")])
            .resources
            .is_empty()
    );

    let (dds, das) =
        (include_str!("kinds/opendap/is-structure.dds"), include_str!("kinds/opendap/is-attributes.das"));
    let finding = play(
        "opendap",
        "https://x.org/dodsC/sst.nc.html",
        &[("https://x.org/dodsC/sst.nc.dds", 200, dds), ("https://x.org/dodsC/sst.nc.das", 200, das)],
    );
    let resource = &finding.resources[0].resource;
    assert_eq!(resource.url, "https://x.org/dodsC/sst.nc");
    assert_eq!(resource.title.as_deref(), Some("Sea surface temperature, monthly"));
    assert!(resource.bbox.is_some());
    let dmr = include_str!("kinds/opendap/is-dap4.xml");
    let finding = play(
        "opendap",
        "https://x.org/opendap/sst.nc",
        &[
            ("https://x.org/opendap/sst.nc.dds", 400, "no"),
            ("https://x.org/opendap/sst.nc.dmr.xml", 200, dmr),
        ],
    );
    assert_eq!(finding.resources[0].resource.versions, ["4.0"]);
    let error = include_str!("kinds/opendap/not-an-error.txt");
    let finding =
        play("opendap", "https://x.org/dodsC/gone.nc", &[("https://x.org/dodsC/gone.nc.dds", 200, error)]);
    assert!(finding.resources.is_empty());

    let services = include_str!("kinds/arcims/is-services.xml");
    let finding = play(
        "arcims",
        "https://x.org/servlet/com.esri.esrimap.Esrimap",
        &[
            ("https://x.org/servlet/com.esri.esrimap.Esrimap?cmd=ping", 200, "IMS v9.3.0"),
            ("https://x.org/servlet/com.esri.esrimap.Esrimap?ServiceName=catalog", 200, services),
        ],
    );
    assert_eq!(
        (finding.resources[0].resource.dataset_count, finding.resources[0].resource.versions[0].as_str()),
        (2, "9.3.0")
    );

    let identify = include_str!("kinds/oai-pmh/is-identify.xml");
    let finding = play(
        "oai-pmh",
        "https://x.org/oai?set=a&verb=ListRecords",
        &[("https://x.org/oai?verb=Identify", 200, identify)],
    );
    assert_eq!(finding.resources[0].resource.url, "https://x.org/oai");
    let catalog = include_str!("kinds/thredds/is-catalog.xml");
    let finding = play(
        "thredds",
        "https://x.org/thredds/catalog.xml",
        &[("https://x.org/thredds/catalog.xml", 200, catalog)],
    );
    assert_eq!(finding.resources[0].resource.url, "https://x.org/thredds/catalog.xml");
}

#[test]
fn addresses_hint_at_what_to_ask() {
    let hints = |url: &str| -> Vec<String> {
        let url = Url::parse(url).expect("a URL");
        geotrawl_kinds::urls::probe_hints(&url).into_iter().map(|(kind, at)| format!("{kind} {at}")).collect()
    };
    for (url, expected) in [
        (
            "https://x.org/thredds/catalog/a/catalog.html?dataset=b",
            vec!["thredds https://x.org/thredds/catalog/a/catalog.xml"],
        ),
        (
            "https://x.org/thredds/dodsC/a/b.nc.html",
            vec!["opendap https://x.org/thredds/dodsC/a/b.nc", "thredds https://x.org/thredds/catalog.xml"],
        ),
        ("https://x.org/erddap/tabledap/b.html", vec!["erddap https://x.org/erddap/"]),
        ("https://x.org/oai/request?verb=Identify", vec!["oai-pmh https://x.org/oai/request"]),
        ("https://x.org/tms/1.0.0/base/3/2/1.png", vec!["tms https://x.org/tms/1.0.0/"]),
        (
            "https://x.org/servlet/com.esri.esrimap.Esrimap?ServiceName=a",
            vec!["arcims https://x.org/servlet/com.esri.esrimap.Esrimap"],
        ),
        ("https://x.org/opendap/", vec![]),
        ("https://x.org/koai/about", vec![]),
        ("https://x.org/atms/about.html", vec![]),
        ("https://x.org/docs/erddap-guide.html", vec![]),
    ] {
        assert_eq!(hints(url), expected, "{url}");
    }
}
