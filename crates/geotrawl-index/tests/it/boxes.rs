//! Place and time.

use crate::catalogue::{RecordBuilder, hit_ids, index_records, service_record, word_query};
use geotrawl_index::{SearchQuery, SearchTarget, SpatialRelation};
use geotrawl_model::{Bbox, Dataset};

fn around(bbox: [f64; 4], relation: SpatialRelation) -> SearchQuery {
    SearchQuery { bbox: Some(Bbox::from(bbox)), relation, ..word_query("") }
}

fn places() -> Vec<RecordBuilder> {
    vec![
        service_record("world", "wms", "Roads").with_bbox([-180.0, -90.0, 180.0, 90.0]),
        service_record("country", "wms", "Roads").with_bbox([3.3, 50.7, 7.2, 53.6]),
        service_record("city", "wms", "Roads").with_bbox([5.0, 52.0, 5.2, 52.2]),
        service_record("fiji", "wms", "Roads").with_bbox([177.0, -19.0, -179.0, -16.0]),
        service_record("nowhere", "wms", "Roads"),
        service_record("nonsense", "wms", "Roads").with_bbox([f64::NAN, 95.0, 1.0, 2.0]),
    ]
}

#[test]
fn a_city_goes_before_the_world() {
    let index = index_records(places());
    let city = [5.02, 52.02, 5.19, 52.19];
    let mut query = around(city, SpatialRelation::Overlaps);
    query.words = "roads".into();
    assert_eq!(hit_ids(&index.search(&query)), ["city", "country", "world"]);
    query.words.clear();
    assert_eq!(hit_ids(&index.search(&query)), ["city", "country", "world"]);
}

#[test]
fn relations_hold() {
    let index = index_records(places());
    let set = |bbox, relation| {
        let hits = index.search(&around(bbox, relation));
        let mut found: Vec<String> = hits.hits.into_iter().map(|hit| hit.id).collect();
        found.sort();
        found
    };
    assert_eq!(set([4.0, 51.0, 6.0, 53.0], SpatialRelation::Contains), ["country", "world"]);
    assert_eq!(set([4.0, 51.0, 6.0, 53.0], SpatialRelation::Within), ["city"]);
    assert_eq!(set([178.0, -18.0, 179.0, -17.0], SpatialRelation::Overlaps), ["fiji", "world"]);
    assert_eq!(set([-179.9, -18.0, -179.5, -17.0], SpatialRelation::Contains), ["fiji", "world"]);
    assert_eq!(set([170.0, -30.0, -170.0, 0.0], SpatialRelation::Within), ["fiji"]);
    assert_eq!(
        set([-180.0, -90.0, 180.0, 90.0], SpatialRelation::Within),
        ["city", "country", "fiji", "world"]
    );
    assert_eq!(set([0.0, -18.0, 1.0, -17.0], SpatialRelation::Overlaps), ["world"]);
}

#[test]
fn a_box_without_sense_is_refused() {
    let index = index_records(places());
    for bbox in [[0.0, 10.0, 1.0, 5.0], [f64::NAN, 0.0, 1.0, 1.0]] {
        let said = index.index.search(&around(bbox, SpatialRelation::Overlaps)).unwrap_err().to_string();
        assert!(said.contains("west, south, east, north"), "{said}");
    }
}

#[test]
fn layers_have_their_own_places() {
    let index = index_records([service_record("a", "wms", "All")
        .with_layer("north", "Trees north", Some([5.0, 60.0, 6.0, 61.0]))
        .with_layer("south", "Trees south", Some([5.0, 40.0, 6.0, 41.0]))]);
    let mut query = around([5.0, 40.0, 6.0, 41.0], SpatialRelation::Overlaps);
    query.words = "trees".into();
    // The service's own box is the one around its layers.
    let hits = index.search(&query);
    assert_eq!(hits.total, 1);
    assert_eq!((hits.hits[0].layers_matching, hits.hits[0].layers[0].name.as_str()), (1, "south"));
    query.by = SearchTarget::Layers;
    let hits = index.search(&query);
    assert_eq!(hits.total, 1);
    assert_eq!(hits.hits[0].layers[0].bbox, Some(Bbox::from([5.0, 40.0, 6.0, 41.0])));
}

#[test]
fn time_is_asked() {
    let timed = |id: &str, times: &[&str]| {
        service_record(id, "wms", "Timed").with_record(|record| {
            record.resource.datasets.push(Dataset {
                name: "x".into(),
                time: times.iter().map(|time| (*time).to_owned()).collect(),
                ..Dataset::default()
            });
        })
    };
    let index = index_records([
        timed("old", &["1990-01-01/1999-12-31/P1Y"]),
        timed("new", &["2020-01-01T00:00:00Z", "2021"]),
        timed("open", &["2015-01-01/.."]),
        timed("none", &[]),
    ]);
    let during = |from: Option<&str>, to: Option<&str>, by| {
        let time = Some((from.map(str::to_owned), to.map(str::to_owned)));
        let hits = index.search(&SearchQuery { time, by, ..word_query("") });
        let mut found: Vec<String> = hits.hits.into_iter().map(|hit| hit.id).collect();
        found.sort();
        found
    };
    for by in [SearchTarget::Services, SearchTarget::Layers] {
        assert_eq!(during(Some("1995"), Some("1996"), by), ["old"]);
        assert_eq!(during(Some("2021-12-31"), None, by), ["new", "open"]);
        assert_eq!(during(None, Some("2000-01-01"), by), ["old"]);
    }
    let time = Some((Some("soon".to_owned()), None));
    let said = index.index.search(&SearchQuery { time, ..word_query("") }).unwrap_err().to_string();
    assert!(said.contains("soon"), "{said}");
}
