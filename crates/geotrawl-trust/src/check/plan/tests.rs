//! For every kind, only read requests within the limits are planned.

use super::*;
use crate::check::operations::follow_tile_sets;
use geotrawl_kinds::kinds::KINDS;

/// Kinds whose operation needs more of a description than is given here.
const NEEDS_MORE: [&str; 5] = ["i3s", "opensearch", "thredds", "tms", "zarr"];

/// Lower-case words in requests that would change something or be expensive.
const FORBIDDEN: &[&str] = &[
    "execute",
    "transaction",
    "insert",
    "update",
    "delete",
    "lockfeature",
    "getobservation",
    "getresult",
    "addfeatures",
    "applyedits",
    "submitjob",
    "harvest",
    "createstored",
    "dropstored",
    "setstate",
    "register",
    "processcoverages",
    "getcoverage&",
    "calculate",
];

const WMTS: &str = "<Capabilities xmlns='http://www.opengis.net/wmts/1.0'><Contents><Layer><Identifier>one</Identifier><Style><Identifier>s</Identifier></Style><Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>g</TileMatrixSet></TileMatrixSetLink><ResourceURL format='image/png' resourceType='tile' template='https://x.org/t/{Style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png'/></Layer><TileMatrixSet><Identifier>g</Identifier><SupportedCRS>urn:ogc:def:crs:OGC:1.3:CRS84</SupportedCRS><TileMatrix><Identifier>a</Identifier><ScaleDenominator>279541132.01</ScaleDenominator><TopLeftCorner>-180 90</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>2</MatrixWidth><MatrixHeight>1</MatrixHeight></TileMatrix></TileMatrixSet></Contents></Capabilities>";
const SOS: &str = "<Capabilities><ObservationOffering id='one'><procedure href='urn:p'/></ObservationOffering></Capabilities>";
const WMS_C: &str = "<WMT_MS_Capabilities><TileSet><SRS>EPSG:4326</SRS><BoundingBox minx='-180' miny='-90' maxx='180' maxy='90'/><Resolutions>0.703125 0.3515625</Resolutions><Width>256</Width><Height>256</Height><Format>image/png</Format><Layers>one</Layers><Styles/></TileSet></WMT_MS_Capabilities>";

/// Returns a request with all its fallbacks.
fn chain(planned: PlannedRequest) -> Vec<PlannedRequest> {
    let FallbackRequests { if_empty, if_refused } = planned.again.clone();
    let seconds = [if_empty, if_refused].into_iter().flatten();
    std::iter::once(planned).chain(seconds.flat_map(|second| chain(*second))).collect()
}

fn context<'c>(
    resource: &'c Resource,
    document: &'c KeptDescription,
    ask: &'c ProbeRequest,
) -> PlanContext<'c> {
    PlanContext {
        resource,
        at: Url::parse(&resource.url).expect("a URL"),
        document: Some(document),
        chosen: choose_datasets(resource, 3, 1),
        described_by: Some(ask),
        total: Some(10),
    }
}

fn with<T>(kind: &str, version: &str, document: &str, url: &str, plan: impl Fn(&PlanContext<'_>) -> T) -> T {
    let bbox = Some(Bbox { west: 10.0, south: 40.0, east: 20.0, north: 50.0 });
    let resource = Resource {
        kind: kind.to_owned(),
        url: url.to_owned(),
        versions: vec![version.to_owned()],
        datasets: vec![Dataset { name: "one".to_owned(), bbox, ..Dataset::default() }],
        dataset_count: 1,
        bbox,
        ..Resource::default()
    };
    let url = Url::parse(url).expect("a URL");
    let ask = ProbeRequest::get(url.clone(), "*/*", 100);
    let kept = KeptDescription { url, bytes: document.as_bytes().to_vec() };
    plan(&context(&resource, &kept, &ask))
}

#[test]
fn nothing_is_ever_run_or_changed() {
    let mut without = Vec::new();
    for kind in KINDS {
        let id = kind.profile().id;
        let document = match id {
            "wmts" => WMTS,
            "sos" => SOS,
            "wms-c" => WMS_C,
            "tilejson" => r#"{"tilejson":"3.0.0","tiles":["https://x.org/{z}/{x}/{y}.png"]}"#,
            "opendap" => "Dataset {\n Float32 lat[lat = 3];\n} a;",
            _ => "<a/>",
        };
        let mut any = false;
        for version in ["1.0.0", "1.1.0", "1.1.1", "1.3.0", "2.0.0", "2.0.1", "3.0.0", "nonsense"] {
            let planned = with(id, version, document, "https://x.org/maps/one", |context| {
                let all = plan_operations(context).into_iter().chain(plan_refusal(context));
                all.map(chain).collect::<Vec<_>>()
            });
            any |= !planned.is_empty();
            // One fallback, or two for other versions.
            assert!(planned.iter().all(|chain| chain.len() <= 3), "{id}");
            for chain in &planned {
                assert!(chain.iter().all(|second| second.dataset == chain[0].dataset), "{id}");
            }
            let planned: Vec<PlannedRequest> = planned.into_iter().flatten().collect();
            for planned in planned {
                let address = format!("{}&", planned.ask.url.as_str().to_ascii_lowercase());
                for word in FORBIDDEN {
                    assert!(!address.contains(word), "{id}: {address}");
                }
                // Binary values, but of a single variable.
                assert!(!address.contains(".dods") || address.contains(".dods?lat"), "{id}: {address}");
                assert!(planned.ask.post.is_none(), "{id}: {address}");
                let limit = if matches!(planned.expect, ExpectedAnswer::Picture | ExpectedAnswer::Tile) {
                    PICTURE_BYTES
                } else {
                    FEATURE_BYTES
                };
                assert!(planned.ask.max_bytes <= limit, "{id}: {}", planned.ask.max_bytes);
                assert!(matches!(planned.ask.url.scheme(), "http" | "https"));
            }
        }
        if !any {
            without.push(id);
        }
    }
    // Kinds without an operation have only a description.
    let ids = KINDS.iter().map(|kind| kind.profile().id);
    let expected: Vec<&str> =
        ids.filter(|id| operations::operation_of(id).is_none() || NEEDS_MORE.contains(id)).collect();
    assert_eq!(without, expected);
}

fn first(kind: &str, version: &str, document: &str) -> String {
    with(kind, version, document, "https://x.org/ows?map=a", |context| {
        plan_operations(context).first().map(|planned| planned.ask.url.to_string()).unwrap_or_default()
    })
}

#[test]
fn requests_respect_versions_and_axes() {
    for (kind, version, document, expected) in [
        (
            "wms",
            "1.3.0",
            "",
            "https://x.org/ows?map=a&SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=one&STYLES=&CRS=CRS:84&BBOX=14,44,16,46&WIDTH=64&HEIGHT=64&FORMAT=image/png&TRANSPARENT=TRUE&EXCEPTIONS=XML",
        ),
        (
            "wms",
            "1.1.1",
            "",
            "https://x.org/ows?map=a&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=one&STYLES=&SRS=EPSG:4326&BBOX=14,44,16,46&WIDTH=64&HEIGHT=64&FORMAT=image/png&TRANSPARENT=TRUE&EXCEPTIONS=application/vnd.ogc.se_xml",
        ),
        (
            "wcs",
            "1.0.0",
            "",
            "https://x.org/ows?map=a&SERVICE=WCS&VERSION=1.0.0&REQUEST=DescribeCoverage&COVERAGE=one",
        ),
        (
            "wcs",
            "1.1.1",
            "",
            "https://x.org/ows?map=a&SERVICE=WCS&VERSION=1.1.1&REQUEST=DescribeCoverage&IDENTIFIERS=one",
        ),
        ("wmts", "1.0.0", WMTS, "https://x.org/t/s/g/a/0/1.png"),
        (
            "wms-c",
            "1.1.1",
            WMS_C,
            "https://x.org/ows?map=a&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&TILED=true&LAYERS=one&STYLES=&SRS=EPSG:4326&BBOX=0,0,90,90&WIDTH=256&HEIGHT=256&FORMAT=image/png",
        ),
        (
            "sos",
            "2.0.0",
            SOS,
            "https://x.org/ows?map=a&SERVICE=SOS&VERSION=2.0.0&REQUEST=DescribeSensor&PROCEDURE=urn:p&PROCEDUREDESCRIPTIONFORMAT=http://www.opengis.net/sensorML/1.0.1",
        ),
    ] {
        assert_eq!(first(kind, version, document), expected, "{kind} {version}");
    }
    // Latitude first, if no other system is offered.
    let resource = Resource {
        kind: "wms".into(),
        url: "https://x.org/wms".into(),
        versions: vec!["1.3.0".into()],
        ..Resource::default()
    };
    let crs: std::sync::Arc<[geotrawl_model::SharedText]> = ["EPSG:4326".into()].into();
    let dataset = Dataset {
        name: "a".into(),
        crs,
        bbox: Some(Bbox { west: 10.0, south: 40.0, east: 20.0, north: 50.0 }),
        ..Dataset::default()
    };
    let url = Url::parse("https://x.org/wms").expect("a URL");
    let (ask, kept) = (ProbeRequest::get(url.clone(), "*/*", 1), KeptDescription { url, bytes: Vec::new() });
    let wms = operations::operation_of("wms").expect("an operation");
    let planned = wms.plan_dataset(&context(&resource, &kept, &ask), &dataset).expect("a map");
    assert!(planned.ask.url.as_str().contains("CRS=EPSG:4326&BBOX=44,14,46,16"), "{}", planned.ask.url);
}

/// Returns the addresses of the fallbacks of the first operation: if it is empty, and if it is
/// rejected.
fn seconds(kind: &str, version: &str, document: &str) -> [Vec<String>; 2] {
    with(kind, version, document, "https://x.org/ows?map=a", |context| {
        let planned = plan_operations(context).into_iter().next().expect("an operation");
        let addresses = |second: Option<Box<PlannedRequest>>| {
            let all = second.map(|second| chain(*second)).unwrap_or_default();
            all.into_iter().map(|planned| planned.ask.url.to_string()).collect()
        };
        [addresses(planned.again.if_empty), addresses(planned.again.if_refused)]
    })
}

#[test]
fn second_questions_ask_for_the_same_in_another_way() {
    let layer = "<WMS_Capabilities><Layer><Name>all</Name><Style><Name>no</Name></Style><Layer><Name>one</Name><Style><Name>raster/default</Name></Style><Style><Name>second</Name></Style></Layer></Layer></WMS_Capabilities>";
    let [empty, refused] = seconds("wms", "1.3.0", layer);
    assert!(empty[0].contains("BBOX=10,40,20,50&WIDTH=128&HEIGHT=128"), "{empty:?}");
    assert!(refused[0].contains("STYLES=raster/default"), "{refused:?}");
    // Without an alternative there is no fallback.
    assert_eq!(seconds("wms", "1.1.1", "<a/>")[1], Vec::<String>::new());
    let [_, versions] = seconds("wps", "2.0.1", "");
    assert!(versions[0].contains("VERSION=2.0.0") && versions[1].contains("VERSION=1.0.0"), "{versions:?}");
    assert_eq!(seconds("wps", "1.0.0", "")[1].len(), 1);
    let [_, items] = seconds("ogcapi-features", "1.0", "");
    assert_eq!(items, ["https://x.org/ows/collections/one/items?map=a&limit=1&f=json"]);
    let [empty, refused] = seconds("opendap", "2.0", "Dataset {\n Float32 lat[lat = 3];\n} a;");
    assert_eq!(empty, ["https://x.org/ows.dods?lat"]);
    assert_eq!(empty, refused);
    let [empty, _] = seconds("opendap", "2.0", "Dataset {\n Float32 lat[lat = 3000][lon = 3000];\n} a;");
    assert_eq!(empty, ["https://x.org/ows.dods?lat[0:1:0][0:1:0]"]);
    let [empty, _] = seconds("tilejson", "3.0.0", r#"{"tiles":["https://x.org/{z}/{x}/{y}.png"]}"#);
    assert_eq!(empty, ["https://x.org/4/8/5.png"]);
    let [empty, _] = seconds("wmts", "1.0.0", WMTS);
    assert_eq!(empty, Vec::<String>::new());
    let [empty, _] = seconds("wms-c", "1.1.1", WMS_C);
    assert!(empty.len() == 1 && empty[0].contains("BBOX=0,-90,180,90"), "{empty:?}");
    let [empty, _] = seconds("ogcapi-maps", "1.0", "");
    assert!(empty[0].contains("bbox=10,40,20,50&width=128"), "{empty:?}");
    let [empty, _] = seconds("arcgis-mapserver", "10.9", "");
    assert!(empty[0].contains("size=128,128"), "{empty:?}");
}

#[test]
fn sensors_are_described_in_the_format_that_is_offered() {
    let offered = "<Capabilities><OperationsMetadata><Operation name='GetObservation'><Parameter name='outputFormat'><Value>no</Value></Parameter></Operation><Operation name='DescribeSensor'><Parameter name='version'><Value>1.0.0</Value></Parameter><Parameter name='outputFormat'><AllowedValues><Value>text/xml; subtype=\"sensorML/1.0.0\"</Value></AllowedValues></Parameter></Operation></OperationsMetadata><ObservationOffering id='one'><procedure href='urn:p'/></ObservationOffering></Capabilities>";
    let address = first("sos", "1.0.0", offered);
    assert!(address.ends_with("OUTPUTFORMAT=text/xml%3B%20subtype%3D%22sensorML/1.0.0%22"), "{address}");
    let [_, refused] = seconds("sos", "1.0.0", SOS);
    assert!(refused[0].ends_with("OUTPUTFORMAT=text/xml%3Bsubtype%3D%22sensorML/1.0.0%22"), "{refused:?}");
}

#[test]
fn a_landing_page_that_is_the_collection_answers_for_it() {
    let count = |document: &str| {
        with("ogcapi-edr", "1.0", document, "https://x.org/edr", |context| plan_operations(context).len())
    };
    assert_eq!(count(r#"{"id":"one","data_queries":{}}"#), 0);
    assert_eq!(count(r#"{"collections":[{"id":"one","data_queries":{}}]}"#), 1);
}

#[test]
fn tile_sets_lead_to_tiles() {
    let at = Url::parse("https://x.org/collections/a/tiles?f=json").expect("a URL");
    let list = r#"{"tilesets":[{"tileMatrixSetURI":"http://x/other","links":[]},{"tileMatrixSetURI":"http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad","links":[{"rel":"self","type":"application/json","href":"https://x.org/collections/a/tiles/WebMercatorQuad"}]}]}"#;
    let next = follow_tile_sets(list.as_bytes(), &at, 1, None, Some("a")).expect("a tile set");
    assert_eq!(next.ask.url.as_str(), "https://x.org/collections/a/tiles/WebMercatorQuad");
    assert_eq!(next.expect, ExpectedAnswer::TileSets { steps: 0, bbox: None });
    let set = r#"{"links":[{"rel":"item","href":"https://x.org/collections/a/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}?f=mvt"}]}"#;
    let tile = follow_tile_sets(set.as_bytes(), &next.ask.url, 0, None, Some("a")).expect("a tile");
    assert_eq!(tile.ask.url.as_str(), "https://x.org/collections/a/tiles/WebMercatorQuad/0/0/0?f=mvt");
    assert!(follow_tile_sets(list.as_bytes(), &at, 0, None, None).is_none());
}

#[test]
fn tiles_in_other_systems_are_found_by_boxes_and_limits() {
    let tile = |more: &str, limits: &str, crs: &str| {
        let document = format!(
            "<Capabilities xmlns='http://www.opengis.net/wmts/1.0'><Contents><Layer>{more}<Identifier>one</Identifier><Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>g</TileMatrixSet>{limits}</TileMatrixSetLink></Layer><TileMatrixSet><Identifier>g</Identifier><SupportedCRS>{crs}</SupportedCRS><TileMatrix><Identifier>a</Identifier><ScaleDenominator>14285714.2857</ScaleDenominator><TopLeftCorner>2000000 2000000</TopLeftCorner><TileWidth>250</TileWidth><TileHeight>250</TileHeight><MatrixWidth>100</MatrixWidth><MatrixHeight>100</MatrixHeight></TileMatrix></TileMatrixSet></Contents></Capabilities>"
        );
        let url = first("wmts", "1.0.0", &document);
        url.split_once("&TILEMATRIX=a&").map(|(_, place)| place.to_owned())
    };
    // One tile is 1,000 km wide.
    let here = "<BoundingBox crs='urn:ogc:def:crs:EPSG::2056'><LowerCorner>2485000 1075000</LowerCorner><UpperCorner>2833000 1295000</UpperCorner></BoundingBox>";
    let swiss = "urn:ogc:def:crs:EPSG::2056";
    assert_eq!(tile(here, "", swiss).as_deref(), Some("TILEROW=0&TILECOL=0"));
    let far =
        here.replace("2485000 1075000", "7485000 -1900000").replace("2833000 1295000", "7833000 -1800000");
    assert_eq!(tile(&far, "", swiss).as_deref(), Some("TILEROW=3&TILECOL=5"));
    let limits = "<TileMatrixSetLimits><TileMatrixLimits><TileMatrix>a</TileMatrix><MinTileRow>7</MinTileRow><MaxTileRow>9</MaxTileRow><MinTileCol>20</MinTileCol><MaxTileCol>30</MaxTileCol></TileMatrixLimits></TileMatrixSetLimits>";
    assert_eq!(tile("", limits, swiss).as_deref(), Some("TILEROW=8&TILECOL=25"));
    assert_eq!(tile(here, limits, swiss).as_deref(), Some("TILEROW=7&TILECOL=20"));
    // A hundred by a hundred tiles, and no information about where the data is: no tile is guessed.
    assert_eq!(tile("", "", swiss), None);
}
