//! Minimal descriptions of services.

/// Returns the capabilities of a WMS with these layers.
pub fn wms(version: &str, layers: &[&str]) -> String {
    let (root, ns, crs) = if version == "1.3.0" {
        ("WMS_Capabilities", " xmlns=\"http://www.opengis.net/wms\"", "CRS")
    } else {
        ("WMT_MS_Capabilities", "", "SRS")
    };
    let bbox = if version == "1.3.0" {
        "<EX_GeographicBoundingBox><westBoundLongitude>10</westBoundLongitude><eastBoundLongitude>20</eastBoundLongitude><southBoundLatitude>40</southBoundLatitude><northBoundLatitude>50</northBoundLatitude></EX_GeographicBoundingBox>"
    } else {
        "<LatLonBoundingBox minx=\"10\" miny=\"40\" maxx=\"20\" maxy=\"50\"/>"
    };
    let layer = |name: &&str| {
        format!("<Layer><Name>{name}</Name><Title>Layer {name}</Title><{crs}>EPSG:4326</{crs}>{bbox}</Layer>")
    };
    let layers = layers.iter().map(layer).collect::<Vec<_>>().concat();
    format!(
        "<?xml version=\"1.0\"?><{root} version=\"{version}\"{ns}><Service><Name>WMS</Name><Title>Maps of the town</Title></Service><Capability><Request><GetMap><Format>image/png</Format></GetMap></Request><Layer><Title>All</Title>{layers}</Layer></Capability></{root}>"
    )
}

/// Returns capabilities in the OWS 1.1 style, with `content` inside the namespace.
pub fn ows(root: &str, namespace: &str, version: &str, content: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><{root} xmlns=\"{namespace}\" xmlns:ows=\"http://www.opengis.net/ows/1.1\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"{version}\"><ows:ServiceIdentification><ows:Title>A service</ows:Title></ows:ServiceIdentification>{content}</{root}>"
    )
}

pub fn wfs() -> String {
    ows(
        "WFS_Capabilities",
        "http://www.opengis.net/wfs/2.0",
        "2.0.0",
        "<FeatureTypeList><FeatureType><Name>town:roads</Name><Title>Roads</Title><ows:WGS84BoundingBox><ows:LowerCorner>10 40</ows:LowerCorner><ows:UpperCorner>20 50</ows:UpperCorner></ows:WGS84BoundingBox></FeatureType></FeatureTypeList>",
    )
}

pub fn wcs() -> String {
    ows(
        "Capabilities",
        "http://www.opengis.net/wcs/2.0",
        "2.0.1",
        "<Contents><CoverageSummary><CoverageId>heights</CoverageId><CoverageSubtype>RectifiedGridCoverage</CoverageSubtype></CoverageSummary></Contents>",
    )
}

pub fn wps() -> String {
    ows(
        "Capabilities",
        "http://www.opengis.net/wps/1.0.0",
        "1.0.0",
        "<ProcessOfferings><Process><ows:Identifier>buffer</ows:Identifier><ows:Title>Buffer</ows:Title></Process></ProcessOfferings>",
    )
}

pub fn csw() -> String {
    ows("Capabilities", "http://www.opengis.net/cat/csw/2.0.2", "2.0.2", "")
}

pub fn sos() -> String {
    ows(
        "Capabilities",
        "http://www.opengis.net/sos/2.0",
        "2.0.0",
        "<contents><Contents xmlns:swes=\"http://www.opengis.net/swes/2.0\"><swes:offering><ObservationOffering><swes:identifier>river</swes:identifier><swes:name>The river</swes:name><swes:procedure>urn:gauge:1</swes:procedure></ObservationOffering></swes:offering></Contents></contents>",
    )
}

pub fn wmts() -> String {
    ows(
        "Capabilities",
        "http://www.opengis.net/wmts/1.0",
        "1.0.0",
        "<Contents><Layer><ows:Title>Base</ows:Title><ows:WGS84BoundingBox><ows:LowerCorner>10 40</ows:LowerCorner><ows:UpperCorner>20 50</ows:UpperCorner></ows:WGS84BoundingBox><ows:Identifier>base</ows:Identifier><Style isDefault=\"true\"><ows:Identifier>normal</ows:Identifier></Style><Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>grid</TileMatrixSet></TileMatrixSetLink></Layer><TileMatrixSet><ows:Identifier>grid</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS><TileMatrix><ows:Identifier>0</ows:Identifier><ScaleDenominator>559082264.028717</ScaleDenominator><TopLeftCorner>-20037508.34 20037508.34</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>1</MatrixWidth><MatrixHeight>1</MatrixHeight></TileMatrix><TileMatrix><ows:Identifier>1</ows:Identifier><ScaleDenominator>279541132.014358</ScaleDenominator><TopLeftCorner>-20037508.34 20037508.34</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>2</MatrixWidth><MatrixHeight>2</MatrixHeight></TileMatrix></TileMatrixSet></Contents>",
    )
}

pub fn tms() -> String {
    "<TileMap version=\"1.0.0\" tilemapservice=\"https://x.org/tms/1.0.0/\"><Title>Base</Title><SRS>EPSG:3857</SRS><BoundingBox minx=\"-20037508\" miny=\"-20037508\" maxx=\"20037508\" maxy=\"20037508\"/><Origin x=\"-20037508\" y=\"-20037508\"/><TileFormat width=\"256\" height=\"256\" mime-type=\"image/png\" extension=\"png\"/><TileSets profile=\"global-mercator\"><TileSet href=\"0\" units-per-pixel=\"156543.0\" order=\"0\"/><TileSet href=\"1\" units-per-pixel=\"78271.5\" order=\"1\"/></TileSets></TileMap>".to_owned()
}

pub fn exception(text: &str) -> String {
    format!(
        "<ows:ExceptionReport xmlns:ows=\"http://www.opengis.net/ows/1.1\" version=\"2.0.0\"><ows:Exception exceptionCode=\"NoApplicableCode\"><ows:ExceptionText>{text}</ows:ExceptionText></ows:Exception></ows:ExceptionReport>"
    )
}

pub const LANDING: &str = r#"{"title":"An API","links":[{"rel":"self","href":"https://x.org/api"},{"rel":"conformance","href":"https://x.org/api/conformance","type":"application/json"},{"rel":"data","href":"https://x.org/api/collections","type":"application/json"},{"rel":"service-desc","href":"https://x.org/api/openapi"}]}"#;

/// Returns the conformance classes of an interface.
pub fn conformance(api: &str) -> String {
    format!(
        r#"{{"conformsTo":["http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core","http://www.opengis.net/spec/ogcapi-{api}-1/1.0/conf/core"]}}"#
    )
}

pub const COLLECTIONS: &str = r#"{"links":[],"collections":[{"id":"roads","title":"Roads","extent":{"spatial":{"bbox":[[10,40,20,50]]}},"links":[{"rel":"items","href":"https://x.org/api/collections/roads/items"}],"data_queries":{"position":{}},"parameter_names":{}}]}"#;

pub const FEATURES: &str = r#"{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"properties":{},"geometry":{"type":"Point","coordinates":[11,41]}}]}"#;
pub const NO_FEATURES: &str = r#"{"type":"FeatureCollection","features":[]}"#;

pub const MAPSERVER: &str = r#"{"currentVersion":10.91,"mapName":"Town","capabilities":"Map,Query","singleFusedMapCache":false,"layers":[{"id":0,"name":"Roads","type":"Feature Layer"},{"id":1,"name":"All","type":"Group Layer","subLayerIds":[0]}],"spatialReference":{"wkid":4326},"fullExtent":{"xmin":10,"ymin":40,"xmax":20,"ymax":50,"spatialReference":{"wkid":4326}},"supportedImageFormatTypes":"PNG32,PNG"}"#;
pub const FEATURESERVER: &str = r#"{"currentVersion":10.91,"layers":[{"id":0,"name":"Roads","type":"Feature Layer","geometryType":"esriGeometryPolyline"}],"tables":[],"maxRecordCount":1000,"capabilities":"Query","supportedQueryFormats":"JSON","hasVersionedData":false}"#;
pub const IMAGESERVER: &str = r#"{"currentVersion":10.91,"name":"Heights","pixelSizeX":1,"pixelSizeY":1,"bandCount":1,"pixelType":"F32","serviceDataType":"esriImageServiceDataTypeElevation","extent":{"xmin":10,"ymin":40,"xmax":20,"ymax":50,"spatialReference":{"wkid":4326}}}"#;
pub const GPSERVER: &str = r#"{"currentVersion":10.91,"serviceDescription":"Tools","tasks":["Buffer"],"executionType":"esriExecutionTypeSynchronous","resultMapServerName":""}"#;
pub const STA_ROOT: &str = r#"{"value":[{"name":"Things","url":"https://x.org/v1.1/Things"},{"name":"Datastreams","url":"https://x.org/v1.1/Datastreams"},{"name":"Sensors","url":"https://x.org/v1.1/Sensors"}],"serverSettings":{"conformance":["http://www.opengis.net/spec/iot_sensing/1.1/req/datamodel"]}}"#;
pub const STA_STREAMS: &str = r#"{"@iot.count":1,"value":[{"@iot.id":7,"name":"Level","description":"Of the river","unitOfMeasurement":{"name":"metre"}}]}"#;
pub const TILEJSON: &str = r#"{"tilejson":"3.0.0","name":"Base","tiles":["https://x.org/tiles/{z}/{x}/{y}.png"],"bounds":[10,40,20,50],"minzoom":0,"maxzoom":6}"#;
pub const OPENSEARCH: &str = r#"<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/" xmlns:geo="http://a9.com/-/opensearch/extensions/geo/1.0/"><ShortName>Search</ShortName><Url type="application/atom+xml" template="https://x.org/find?q={searchTerms?}&amp;bbox={geo:box?}&amp;n={count?}"/></OpenSearchDescription>"#;
pub const DDS: &str =
    "Dataset {\n    Float32 lat[lat = 89];\n    Int16 sst[time = 2][lat = 89];\n} sst.nc;\n";
pub const THREDDS: &str = r#"<catalog xmlns="http://www.unidata.ucar.edu/namespaces/thredds/InvCatalog/v1.0" name="Data" version="1.0.1"><service name="odap" serviceType="OPENDAP" base="/thredds/dodsC/"/><dataset name="Sea surface" ID="sst" urlPath="sst.nc" serviceName="odap"/></catalog>"#;
pub const ERDDAP_TABLE: &str = r#"{"table":{"columnNames":["datasetID","title"],"columnTypes":["String","String"],"columnUnits":[null,null],"rows":[["sst","Sea surface temperature"]]}}"#;
pub const CKAN_STATUS: &str = r#"{"help":"x","success":true,"result":{"ckan_version":"2.9.5","site_title":"Open data","site_url":"https://x.org","extensions":[]}}"#;
pub const STAC: &str = r#"{"type":"Catalog","stac_version":"1.0.0","id":"sat","description":"Scenes","conformsTo":["https://api.stacspec.org/v1.0.0/core","https://api.stacspec.org/v1.0.0/item-search"],"links":[{"rel":"self","href":"https://x.org/stac"},{"rel":"data","href":"https://x.org/stac/collections"},{"rel":"search","href":"https://x.org/stac/search"}]}"#;
pub const STAC_COLLECTIONS: &str = r#"{"collections":[{"type":"Collection","stac_version":"1.0.0","id":"s2","description":"Scenes","license":"CC-BY-4.0","extent":{"spatial":{"bbox":[[-180,-90,180,90]]},"temporal":{"interval":[["2020-01-01T00:00:00Z",null]]}},"links":[]}],"links":[]}"#;
pub const IDENTIFY: &str = r#"<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb="Identify">https://x.org/oai</request><Identify><repositoryName>Records</repositoryName><baseURL>https://x.org/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>a@x.org</adminEmail><earliestDatestamp>2000-01-01</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>YYYY-MM-DD</granularity></Identify></OAI-PMH>"#;

/// Returns an HTML page.
pub fn page(title: &str, body: &str) -> String {
    format!("<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>")
}

/// Encodes a PNG with one colour or many.
pub fn png(many: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 64, 64);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("a header");
    let shade = |n: u32| if many { (n % 251) as u8 } else { 255 };
    let pixels: Vec<u8> = (0..64 * 64).flat_map(|n| [shade(n), shade(n / 64), 9]).collect();
    let pixels = if many { pixels } else { vec![255; 64 * 64 * 3] };
    writer.write_image_data(&pixels).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

/// Encodes a minimal vector tile.
pub fn mvt() -> Vec<u8> {
    let mut layer = vec![0x0A, 5];
    layer.extend(b"roads");
    layer.extend([0x28, 0x80, 0x20, 0x78, 2]);
    let mut tile = vec![0x1A, layer.len() as u8];
    tile.extend(layer);
    tile
}
