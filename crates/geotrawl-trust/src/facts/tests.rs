use super::*;
use geotrawl_model::Issue;

fn dataset(name: &str, title: Option<&str>, bbox: Option<[f64; 4]>) -> Dataset {
    Dataset {
        name: name.into(),
        title: title.map(str::to_owned),
        bbox: bbox.map(Bbox::from),
        ..Dataset::default()
    }
}

fn wms() -> Resource {
    Resource {
        kind: "wms".into(),
        url: "https://maps.example.org/wms".into(),
        versions: vec!["1.3.0".into()],
        datasets: vec![
            dataset("ws:roads", Some("Roads of the county"), Some([5.0, 45.0, 6.0, 46.0])),
            dataset("ws:Rivers_2", Some("rivers 2"), Some([5.0, 45.0, 6.0, 46.0])),
            dataset("2", Some("2"), Some([0.0, 0.0, 0.0, 0.0])),
            dataset("lakes", Some("lakes"), None),
        ],
        dataset_count: 4,
        ..Resource::default()
    }
}

#[test]
fn defaults_count_as_missing() {
    let mut resource = wms();
    resource.title = Some("GeoServer Web Map Service".into());
    resource.abstract_ = Some("A compliant implementation of WMS plus most of the SLD extension.".into());
    resource.keywords = vec!["WFS".into(), "WMS".into(), "GEOSERVER".into(), "roads".into(), "Roads ".into()];
    resource.contact.organisation = Some("The Ancient Geographes INC".into());
    resource.contact.email = Some("claudius.ptolomaeus@gmail.com".into());
    resource.licence = Some("NONE".into());
    let facts = build_facts(&resource, &DescriptionDocument::default());
    assert_eq!(facts.title, None);
    assert_eq!(facts.abstract_length, 0);
    assert_eq!(facts.keywords, 1);
    assert!(!facts.organisation && !facts.email && !facts.licence);
}

#[test]
fn datasets_are_counted_by_what_they_show() {
    let facts = build_facts(&wms(), &DescriptionDocument::default());
    assert!((facts.placed - 0.5).abs() < 1e-9);
    assert!((facts.titled - 0.5).abs() < 1e-9, "{}", facts.titled);
    assert!(facts.unique_names);
    assert_eq!(facts.datasets, 4);
    let mut twice = wms();
    twice.datasets[1].name = "ws:roads".into();
    assert!(!build_facts(&twice, &DescriptionDocument::default()).unique_names);
}

#[test]
fn what_nobody_looked_at_is_unknown() {
    let facts = build_facts(&wms(), &DescriptionDocument::default());
    assert_eq!(facts.unknown, ["metadata.link"]);
    assert_eq!((facts.axis_order, facts.advertised, facts.version, facts.ranges), (None, None, None, None));
    let mut dated = wms();
    dated.datasets[0].time.push("2020-01-01".into());
    let facts = build_facts(
        &dated,
        &DescriptionDocument { metadata_link: Some(false), ..DescriptionDocument::default() },
    );
    assert!(facts.unknown.is_empty() && facts.metadata_or_date);
    let silent = Resource { kind: "csw".into(), dataset_count: 10, ..Resource::default() };
    assert!(
        build_facts(&silent, &DescriptionDocument::default()).unknown.contains(&"metadata.boxes".to_owned())
    );
}

#[test]
fn a_document_is_compared_with_what_was_asked() {
    let document = DescriptionDocument {
        content_type: Some("text/xml".into()),
        requested_version: Some("1.1.1".into()),
        advertised: Some("http://maps.example.org/wms?".into()),
        declared_charset: Some("utf-8".into()),
        charset_ok: Some(true),
        ..DescriptionDocument::default()
    };
    let mut resource = wms();
    resource.issues.push(Issue::new("bbox-swapped", ""));
    let facts = build_facts(&resource, &document);
    assert!(facts.media_type && facts.encoding);
    assert_eq!(facts.version, Some(false));
    assert_eq!(facts.advertised, Some(false));
    assert_eq!(facts.axis_order, Some(false));
    let document =
        DescriptionDocument { advertised: Some("https://maps.example.org/ows".into()), ..document };
    assert_eq!(build_facts(&resource, &document).advertised, Some(true));
}

#[test]
fn the_system_of_a_file_is_known_or_not() {
    let mut file = Resource { kind: "shapefile".into(), ..Resource::default() };
    assert_eq!(build_facts(&file, &DescriptionDocument::default()).crs_known, None);
    file.crs.push("EPSG:4326".into());
    assert_eq!(build_facts(&file, &DescriptionDocument::default()).crs_known, Some(true));
    file.issues.push(Issue::new("crs-assumed", ""));
    assert_eq!(build_facts(&file, &DescriptionDocument::default()).crs_known, Some(false));
    let kml = Resource { kind: "kml".into(), ..Resource::default() };
    assert_eq!(build_facts(&kml, &DescriptionDocument::default()).crs_known, Some(true));
}
