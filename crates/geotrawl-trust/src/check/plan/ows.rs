//! Services of the OGC that are asked by parameters.

use super::PICTURE_BYTES;
use super::area::Area;
use super::{ACCEPT_PICTURE, ACCEPT_XML, Context, DOCUMENT_BYTES, Expect, FEATURE_BYTES, NO_SUCH, Planned};
use crate::check::walk::{Met, walk};
use geotrawl_kinds::model::{Dataset, Resource};
use geotrawl_kinds::urls;
use url::Url;

/// The version of a service as it describes itself, else the given one.
pub fn version<'r>(resource: &'r Resource, otherwise: &'r str) -> &'r str {
    let plausible = |version: &&String| {
        version.starts_with(|c: char| c.is_ascii_digit()) && version.len() <= 8 && version.is_ascii()
    };
    resource.versions.iter().find(plausible).map_or(otherwise, String::as_str)
}

/// The picture format that tells most: without loss, if there is one.
fn picture_format(resource: &Resource) -> &str {
    const LIKED: &[&str] =
        &["image/png", "image/png8", "image/png; mode=8bit", "image/gif", "image/jpeg", "image/webp"];
    let offers = |liked: &&&str| resource.formats.iter().any(|format| format.eq_ignore_ascii_case(liked));
    LIKED.iter().find(offers).copied().unwrap_or("image/png")
}

/// A map of 64 by 64 pixels in the middle of a layer.
pub fn map(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let resource = context.resource;
    let version = version(resource, "1.1.1");
    let area = Area::of(dataset.bbox.as_ref().or(resource.bbox.as_ref())).middle();
    let offers = |code: &str| {
        let known =
            |list: &[geotrawl_kinds::model::Shared]| list.iter().any(|crs| crs.eq_ignore_ascii_case(code));
        known(&dataset.crs) || known(&resource.crs)
    };
    let silent = dataset.crs.is_empty() && resource.crs.is_empty();
    let new = version.starts_with("1.3");
    // Where the axes cannot be mistaken, if the layer is offered there.
    let (crs, bbox) = match () {
        () if new && (offers("CRS:84") || silent) => ("CRS:84", area.by_longitude()),
        () if offers("EPSG:4326") || silent => {
            ("EPSG:4326", if new { area.by_latitude() } else { area.by_longitude() })
        }
        () if offers("EPSG:3857") => ("EPSG:3857", area.in_mercator()),
        () if offers("EPSG:900913") => ("EPSG:900913", area.in_mercator()),
        // Servers take it more often than they say.
        () if new => ("CRS:84", area.by_longitude()),
        () => ("EPSG:4326", area.by_longitude()),
    };
    let old = version.starts_with("1.0");
    let format = if old { "PNG" } else { picture_format(resource) };
    let mut params = if old {
        vec![("WMTVER", version), ("REQUEST", "map")]
    } else {
        vec![("SERVICE", "WMS"), ("VERSION", version), ("REQUEST", "GetMap")]
    };
    params.extend([
        ("LAYERS", dataset.name.as_str()),
        ("STYLES", ""),
        (if new { "CRS" } else { "SRS" }, crs),
        ("BBOX", &bbox),
        ("WIDTH", "64"),
        ("HEIGHT", "64"),
        ("FORMAT", format),
    ]);
    // Without it what is outside the data has a colour, too: a transparent picture is surely empty.
    params.push(("TRANSPARENT", "TRUE"));
    params.push((
        "EXCEPTIONS",
        match () {
            () if new => "XML",
            () if old => "WMS_XML",
            () => "application/vnd.ogc.se_xml",
        },
    ));
    let url = urls::with_params(&context.at, &params);
    Planned::new(Some(&dataset.name), url, ACCEPT_PICTURE, PICTURE_BYTES, Expect::Picture)
}

/// One feature of a type. Both spellings of both parameters: servers know one of each.
pub fn feature(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let version = version(context.resource, "2.0.0");
    let params = [
        ("SERVICE", "WFS"),
        ("VERSION", version),
        ("REQUEST", "GetFeature"),
        ("TYPENAMES", &dataset.name),
        ("TYPENAME", &dataset.name),
        ("COUNT", "1"),
        ("MAXFEATURES", "1"),
    ];
    let url = urls::with_params(&context.at, &params);
    Planned::new(Some(&dataset.name), url, ACCEPT_XML, FEATURE_BYTES, Expect::Features)
}

/// The description of a coverage.
pub fn coverage(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let version = version(context.resource, "2.0.1");
    let name = match version.get(..3) {
        Some("1.0") => "COVERAGE",
        Some("1.1") => "IDENTIFIERS",
        _ => "COVERAGEID",
    };
    let params =
        [("SERVICE", "WCS"), ("VERSION", version), ("REQUEST", "DescribeCoverage"), (name, &dataset.name)];
    let url = urls::with_params(&context.at, &params);
    let expect = Expect::Xml(&["CoverageDescriptions", "CoverageDescription"]);
    Planned::new(Some(&dataset.name), url, ACCEPT_XML, DOCUMENT_BYTES, expect)
}

/// The description of a process; it is never run.
pub fn process(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let version = version(context.resource, "1.0.0");
    let params = [
        ("SERVICE", "WPS"),
        ("VERSION", version),
        ("REQUEST", "DescribeProcess"),
        ("IDENTIFIER", &dataset.name),
    ];
    let url = urls::with_params(&context.at, &params);
    let expect = Expect::Xml(&["ProcessDescriptions", "ProcessOfferings"]);
    Planned::new(Some(&dataset.name), url, ACCEPT_XML, DOCUMENT_BYTES, expect)
}

/// How many records a catalogue has, and one of them.
pub fn records(at: &Url, resource: &Resource) -> Vec<Planned> {
    let version = if version(resource, "2.0.2").starts_with('3') { "3.0.0" } else { "2.0.2" };
    let ask = |more: &[(&str, &str)]| {
        let mut params = vec![
            ("SERVICE", "CSW"),
            ("VERSION", version),
            ("REQUEST", "GetRecords"),
            ("TYPENAMES", "csw:Record"),
            ("ELEMENTSETNAME", "brief"),
        ];
        params.extend(more);
        let url = urls::with_params(at, &params);
        Planned::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, Expect::Records)
    };
    vec![ask(&[("RESULTTYPE", "hits")]), ask(&[("RESULTTYPE", "results"), ("MAXRECORDS", "1")])]
}

/// Records of a type that does not exist.
pub fn no_such_record_type(context: &Context<'_>) -> Planned {
    let version = if version(context.resource, "2.0.2").starts_with('3') { "3.0.0" } else { "2.0.2" };
    let params = [
        ("SERVICE", "CSW"),
        ("VERSION", version),
        ("REQUEST", "GetRecords"),
        ("TYPENAMES", NO_SUCH),
        ("RESULTTYPE", "hits"),
    ];
    let url = urls::with_params(&context.at, &params);
    Planned::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, Expect::Records)
}

/// The descriptions of sensors of the chosen offerings: what they observed is not asked for.
pub fn sensors(context: &Context<'_>) -> Vec<Planned> {
    let Some(document) = context.document else { return Vec::new() };
    let names: Vec<&str> = context.chosen.iter().map(|dataset| dataset.name.as_str()).collect();
    let (procedures, format) = procedures(&document.bytes, &names);
    let known = |name: &&str| procedures.iter().find(|(of, _)| of == name);
    let planned = names.iter().filter_map(known);
    planned.map(|(name, procedure)| sensor(context, Some(name), procedure, format.as_deref())).collect()
}

/// The description of one sensor.
pub fn sensor(
    context: &Context<'_>,
    offering: Option<&str>,
    procedure: &str,
    format: Option<&str>,
) -> Planned {
    let version = version(context.resource, "2.0.0");
    let (name, format) = if version.starts_with('1') {
        ("OUTPUTFORMAT", format.unwrap_or("text/xml;subtype=\"sensorML/1.0.1\""))
    } else {
        ("PROCEDUREDESCRIPTIONFORMAT", format.unwrap_or("http://www.opengis.net/sensorML/1.0.1"))
    };
    let params = [
        ("SERVICE", "SOS"),
        ("VERSION", version),
        ("REQUEST", "DescribeSensor"),
        ("PROCEDURE", procedure),
        (name, format),
    ];
    let url = urls::with_params(&context.at, &params);
    let expect =
        Expect::Xml(&["DescribeSensorResponse", "SensorML", "PhysicalSystem", "System", "Component"]);
    Planned::new(offering, url, ACCEPT_XML, DOCUMENT_BYTES, expect)
}

/// The first procedure of each named offering, and a format in which sensors are described.
fn procedures(bytes: &[u8], names: &[&str]) -> (Vec<(String, String)>, Option<String>) {
    let (mut found, mut format) = (Vec::<(String, String)>::new(), None::<String>);
    let (mut offering, mut procedure) = (None::<String>, None::<String>);
    walk(bytes, |met| {
        match met {
            Met::Begin { name: "ObservationOffering", reader } => {
                offering = reader.attr_local("id").map(std::borrow::Cow::into_owned);
                procedure = None;
            }
            Met::Begin { name: "procedure", reader } if procedure.is_none() => {
                procedure = reader.attr_local("href").map(std::borrow::Cow::into_owned);
            }
            Met::Leaf { name: "procedure", text } if procedure.is_none() && !text.is_empty() => {
                procedure = Some(text.to_owned());
            }
            Met::Leaf { name: "procedureDescriptionFormat", text } if format.is_none() => {
                format = Some(text.to_owned()).filter(|text| !text.is_empty());
            }
            // An identifier is the better name of an offering.
            Met::Leaf { name: "identifier" | "name", text } if names.contains(&text) => {
                offering = Some(text.to_owned());
            }
            _ => {}
        }
        if let (Some(of), Some(what)) = (&offering, &procedure)
            && names.contains(&of.as_str())
            && !found.iter().any(|(known, _)| known == of)
        {
            found.push((of.clone(), what.clone()));
        }
        true
    });
    (found, format)
}
