use crate::{ask, open};
use geotrawl_model::Bbox;
use geotrawl_testkit::builders::{TestCrawl, service};

#[test]
fn records_and_datasets_open_on_a_map() {
    let Some(database) = crate::database() else { return };
    let store = open(&database.url);
    let mut crawl = TestCrawl::open(&store, "a");
    let boxes = [
        ("land", Some((-10.0, 35.5, 4.25, 44.0)), "ST_Polygon|-10 35.5,4.25 44"),
        ("pacific", Some((170.0, -20.0, -170.0, 10.0)), "ST_MultiPolygon|-180 -20,180 10"),
        ("point", Some((5.0, 6.0, 5.0, 6.0)), "ST_Point|5 6,5 6"),
        ("line", Some((5.0, 6.0, 7.0, 6.0)), "ST_LineString|5 6,7 6"),
        ("nowhere", None, ""),
        ("nonsense", Some((0.0, 0.0, 1.0, 1e300)), ""),
    ];
    for (name, bbox, _) in boxes {
        let url = format!("http://{name}.example/wms");
        let mut found = service("wms", &url, &[name]);
        found.resource.bbox = bbox.map(|(west, south, east, north)| Bbox { west, south, east, north });
        found.resource.datasets[0].bbox = found.resource.bbox;
        crawl.add_resource(&url, found);
    }
    for (name, _, shown) in boxes {
        let shape = "coalesce(ST_GeometryType(geom) || '|' || replace(trim(both 'BOX()' from Box2D(geom)::text), ' ', ' '), '')";
        let of_record = ask(
            &database.url,
            &format!("SELECT {shape} FROM geotrawl.services WHERE host = '{name}.example'"),
        );
        assert_eq!(of_record, [shown], "{name}");
        let of_dataset =
            ask(&database.url, &format!("SELECT {shape} FROM geotrawl.datasets WHERE name = '{name}'"));
        assert_eq!(of_dataset, [shown], "{name}");
    }
    let within = ask(
        &database.url,
        "SELECT host FROM geotrawl.services WHERE geom && ST_MakeEnvelope(175, -1, 179, 1, 4326)",
    );
    assert_eq!(within, ["pacific.example"]);
    let registered = ask(
        &database.url,
        "SELECT type || ' ' || srid FROM geometry_columns WHERE f_table_schema = 'geotrawl' AND f_table_name = 'services'",
    );
    assert_eq!(registered, ["GEOMETRY 4326"], "QGIS lists it");
}
