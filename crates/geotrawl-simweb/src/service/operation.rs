//! Operations of the services besides GetCapabilities: enough to look functional to a client.

use super::picture;
use super::{PIXEL, PlannedDataset, PlannedService, escape_xml_text, records_response};
use crate::reply::SiteReply;
use crate::request::QueryParameters;

/// Result of an operation.
pub(super) enum OperationResult {
    Reply(SiteReply),
    /// The request names something that does not exist: code, locator, text.
    Refused(&'static str, &'static str, String),
}

/// Answers an operation other than GetCapabilities.
pub(super) fn answer_operation(
    service: &PlannedService,
    request: &str,
    query: &QueryParameters<'_>,
) -> OperationResult {
    let text = |text: String| OperationResult::Reply(SiteReply::xml(text));
    match request {
        "getmap" | "map" => match unknown(service, query, &["layers"]) {
            Some(name) => {
                OperationResult::Refused("LayerNotDefined", "layers", format!("There is no layer '{name}'"))
            }
            // An incomplete request still gets an image, as from many servers.
            None => image(picture::draw_map(query).unwrap_or_else(|| PIXEL.to_vec())),
        },
        "gettile" => match unknown(service, query, &["layer"]) {
            Some(name) => invalid("layer", &name),
            None => image(tile(query)),
        },
        "getlegendgraphic" => image(PIXEL.to_vec()),
        "getfeatureinfo" => OperationResult::Reply(SiteReply::new(200, "text/plain", "no features were found\n")),
        "getfeature" => match asked(service, query, &["typenames", "typename"]) {
            Ok(dataset) => text(features(dataset)),
            Err(name) => invalid("typename", &name),
        },
        "describefeaturetype" => text(
            "<?xml version=\"1.0\"?>\n<xsd:schema xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" elementFormDefault=\"qualified\"/>\n".to_owned(),
        ),
        "describecoverage" => match asked(service, query, &["coverageid", "coverage", "identifiers"]) {
            Ok(dataset) => text(coverage(dataset, query.get("version").unwrap_or("1.0.0"))),
            Err(name) => OperationResult::Refused("NoSuchCoverage", "coverageid", format!("There is no coverage '{name}'")),
        },
        "describeprocess" => match asked(service, query, &["identifier"]) {
            Ok(dataset) => text(process(dataset, query.get("version").unwrap_or("1.0.0"))),
            Err(name) => invalid("identifier", &name),
        },
        "describesensor" => match query.get("procedure") {
            Some(sensor) if !sensor.starts_with("urn:sensor:") => invalid("procedure", sensor),
            sensor => text(format!(
                "<?xml version=\"1.0\"?>\n<sml:SensorML xmlns:sml=\"http://www.opengis.net/sensorML/1.0.1\" version=\"1.0.1\"><sml:member><sml:System><sml:identification>{}</sml:identification></sml:System></sml:member></sml:SensorML>\n",
                escape_xml_text(sensor.unwrap_or("urn:sensor:0"))
            )),
        },
        "getfeatureofinterest" => text(
            "<?xml version=\"1.0\"?>\n<gml:FeatureCollection xmlns:gml=\"http://www.opengis.net/gml\"><gml:featureMember><gml:Point><gml:pos>50 10</gml:pos></gml:Point></gml:featureMember></gml:FeatureCollection>\n".to_owned(),
        ),
        "getrecords" | "getrecordbyid" => text(records_response(service)),
        _ => OperationResult::Refused(
            "OperationNotSupported",
            "request",
            format!("Operation '{request}' is not supported"),
        ),
    }
}

fn image(bytes: Vec<u8>) -> OperationResult {
    OperationResult::Reply(SiteReply::new(200, "image/png", bytes))
}

fn invalid(locator: &'static str, name: &str) -> OperationResult {
    OperationResult::Refused("InvalidParameterValue", locator, format!("'{name}' is not offered here"))
}

/// Returns the first requested name that the service does not have.
fn unknown(service: &PlannedService, query: &QueryParameters<'_>, keys: &[&str]) -> Option<String> {
    let asked = keys.iter().find_map(|key| query.get(key)).filter(|names| !names.is_empty())?;
    let have = service.dataset_names();
    asked.split(',').find(|name| !have.iter().any(|known| known == name)).map(str::to_owned)
}

/// Returns the requested dataset, or the first one if none is named.
fn asked<'a>(
    service: &'a PlannedService,
    query: &QueryParameters<'_>,
    keys: &[&str],
) -> Result<Option<&'a PlannedDataset>, String> {
    let Some(name) = keys.iter().find_map(|key| query.get(key)).filter(|name| !name.is_empty()) else {
        return Ok(service.datasets.first());
    };
    let local = |name: &str| name.rsplit(':').next().unwrap_or_default().to_owned();
    let is = |dataset: &&PlannedDataset| dataset.name == name || local(&dataset.name) == local(name);
    service.datasets.iter().find(is).map(Some).ok_or_else(|| name.to_owned())
}

/// Returns the tile of a KVP request.
fn tile(query: &QueryParameters<'_>) -> Vec<u8> {
    let number = |key: &str| query.get(key).and_then(|text| text.rsplit(':').next()?.parse::<u32>().ok());
    let (zoom, row, column) = (number("tilematrix"), number("tilerow"), number("tilecol"));
    picture::draw_tile(
        query.get("layer").unwrap_or_default(),
        zoom.unwrap_or_default(),
        row.unwrap_or_default(),
        column.unwrap_or_default(),
    )
}

/// Returns the tile at `.../{layer}/default/WebMercatorQuad/{zoom}/{row}/{column}.png`.
pub(crate) fn tile_at(path: &str) -> Option<Vec<u8>> {
    let (before, place) = path.split_once("/default/WebMercatorQuad/")?;
    let mut parts = place.trim_end_matches(".png").split('/').map(str::parse::<u32>);
    let (zoom, row, column) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    Some(picture::draw_tile(before.rsplit('/').next()?, zoom, row, column))
}

fn features(dataset: Option<&PlannedDataset>) -> String {
    let Some(dataset) = dataset else {
        return "<?xml version=\"1.0\"?>\n<wfs:FeatureCollection xmlns:wfs=\"http://www.opengis.net/wfs\" numberOfFeatures=\"0\"/>\n".to_owned();
    };
    let [west, south, east, north] = dataset.bbox;
    format!(
        "<?xml version=\"1.0\"?>\n<wfs:FeatureCollection xmlns:wfs=\"http://www.opengis.net/wfs\" xmlns:gml=\"http://www.opengis.net/gml\" numberOfFeatures=\"1\"><gml:featureMember><feature gml:id=\"f.1\"><name>{}</name><gml:Point srsName=\"EPSG:4326\"><gml:pos>{} {}</gml:pos></gml:Point></feature></gml:featureMember></wfs:FeatureCollection>\n",
        escape_xml_text(&dataset.title),
        f64::midpoint(south, north),
        f64::midpoint(west, east)
    )
}

fn coverage(dataset: Option<&PlannedDataset>, version: &str) -> String {
    let Some(dataset) = dataset else {
        return "<?xml version=\"1.0\"?>\n<CoverageDescription xmlns=\"http://www.opengis.net/wcs\" version=\"1.0.0\"/>\n".to_owned();
    };
    let (name, [west, south, east, north]) = (escape_xml_text(&dataset.name), dataset.bbox);
    match version {
        "1.0.0" => format!(
            "<?xml version=\"1.0\"?>\n<CoverageDescription xmlns=\"http://www.opengis.net/wcs\" xmlns:gml=\"http://www.opengis.net/gml\" version=\"1.0.0\"><CoverageOffering><name>{name}</name><label>{name}</label><lonLatEnvelope><gml:pos>{west} {south}</gml:pos><gml:pos>{east} {north}</gml:pos></lonLatEnvelope></CoverageOffering></CoverageDescription>\n"
        ),
        _ if version.starts_with("1.1") => format!(
            "<?xml version=\"1.0\"?>\n<CoverageDescriptions xmlns=\"http://www.opengis.net/wcs/1.1\" xmlns:ows=\"http://www.opengis.net/ows/1.1\"><CoverageDescription><Identifier>{name}</Identifier></CoverageDescription></CoverageDescriptions>\n"
        ),
        _ => format!(
            "<?xml version=\"1.0\"?>\n<wcs:CoverageDescriptions xmlns:wcs=\"http://www.opengis.net/wcs/2.0\" xmlns:gml=\"http://www.opengis.net/gml/3.2\"><wcs:CoverageDescription gml:id=\"c1\"><gml:boundedBy><gml:Envelope srsName=\"http://www.opengis.net/def/crs/EPSG/0/4326\" axisLabels=\"Lat Long\"><gml:lowerCorner>{south} {west}</gml:lowerCorner><gml:upperCorner>{north} {east}</gml:upperCorner></gml:Envelope></gml:boundedBy><wcs:CoverageId>{name}</wcs:CoverageId></wcs:CoverageDescription></wcs:CoverageDescriptions>\n"
        ),
    }
}

fn process(dataset: Option<&PlannedDataset>, version: &str) -> String {
    let name = dataset.map(|dataset| escape_xml_text(&dataset.name)).unwrap_or_default();
    if version.starts_with('2') {
        return format!(
            "<?xml version=\"1.0\"?>\n<wps:ProcessOfferings xmlns:wps=\"http://www.opengis.net/wps/2.0\" xmlns:ows=\"http://www.opengis.net/ows/2.0\"><wps:ProcessOffering><wps:Process><ows:Identifier>{name}</ows:Identifier></wps:Process></wps:ProcessOffering></wps:ProcessOfferings>\n"
        );
    }
    format!(
        "<?xml version=\"1.0\"?>\n<wps:ProcessDescriptions xmlns:wps=\"http://www.opengis.net/wps/1.0.0\" xmlns:ows=\"http://www.opengis.net/ows/1.1\" service=\"WPS\" version=\"1.0.0\"><ProcessDescription wps:processVersion=\"1\"><ows:Identifier>{name}</ows:Identifier></ProcessDescription></wps:ProcessDescriptions>\n"
    )
}
