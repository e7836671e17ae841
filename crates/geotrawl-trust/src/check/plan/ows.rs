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

/// A map of 64 by 64 pixels in the middle of a layer. When nothing is there, all of the layer is asked for, larger,
/// so that points show; when it is refused, with a style by name and in the commonest system, which some servers
/// insist on.
pub fn map(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let all = Area::of(dataset.bbox.as_ref().or(context.resource.bbox.as_ref()));
    let first = Look { area: all.middle(), side: "64", style: "", plain: false };
    let style = context.document.and_then(|kept| style_of(&kept.bytes, &dataset.name));
    let named = Look { style: style.as_deref().unwrap_or_default(), plain: true, ..first };
    let planned = map_of(context, dataset, first);
    let refused = Some(map_of(context, dataset, named)).filter(|second| second.ask.url != planned.ask.url);
    let whole = Look { area: all.whole(), side: "128", ..first };
    planned.if_empty(Some(map_of(context, dataset, whole))).if_refused(refused)
}

/// How a map is asked for.
#[derive(Clone, Copy)]
struct Look<'l> {
    area: Area,
    side: &'l str,
    style: &'l str,
    /// Not in CRS:84 if there is another.
    plain: bool,
}

/// The name of the first style of a layer.
fn style_of(bytes: &[u8], layer: &str) -> Option<String> {
    // Names of the open layers, and which element has others open inside it.
    let mut path: Vec<String> = Vec::new();
    let (mut current, mut found) = (false, None);
    walk(bytes, |met| {
        match met {
            Met::Begin { name, .. } => {
                current &= name != "Layer";
                path.push(name.to_owned());
                return true;
            }
            Met::Leaf { name: "Name", text } => match path.iter().rev().nth(1).map(String::as_str) {
                Some("Layer") => current = text == layer,
                Some("Style") if current => found = Some(text.to_owned()),
                _ => {}
            },
            Met::End { name: "Layer" } => current = false,
            _ => {}
        }
        path.pop();
        found.is_none()
    });
    found.filter(|style| !style.is_empty() && style.len() <= 200)
}

fn map_of(context: &Context<'_>, dataset: &Dataset, look: Look<'_>) -> Planned {
    let resource = context.resource;
    let version = version(resource, "1.1.1");
    let area = look.area;
    let offers = |code: &str| {
        let known =
            |list: &[geotrawl_kinds::model::Shared]| list.iter().any(|crs| crs.eq_ignore_ascii_case(code));
        known(&dataset.crs) || known(&resource.crs)
    };
    let silent = dataset.crs.is_empty() && resource.crs.is_empty();
    let new = version.starts_with("1.3");
    // Where the axes cannot be mistaken, if the layer is offered there.
    let (crs, bbox) = match () {
        () if look.plain && offers("EPSG:4326") => {
            ("EPSG:4326", if new { area.by_latitude() } else { area.by_longitude() })
        }
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
        ("STYLES", look.style),
        (if new { "CRS" } else { "SRS" }, crs),
        ("BBOX", &bbox),
        ("WIDTH", look.side),
        ("HEIGHT", look.side),
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

/// The description of a process; it is never run. Some servers describe themselves in versions that they do not
/// take: the two that exist are tried when theirs is refused.
pub fn process(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let stated = version(context.resource, "1.0.0");
    let others = ["2.0.0", "1.0.0"].into_iter().filter(|other| *other != stated);
    let chain =
        others.rev().fold(None, |next, version| Some(process_in(context, dataset, version).if_refused(next)));
    process_in(context, dataset, stated).if_refused(chain)
}

fn process_in(context: &Context<'_>, dataset: &Dataset, version: &str) -> Planned {
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
    let procedures = procedures(&document.bytes, &names);
    let formats = sensor_formats(context);
    let known = |name: &&str| procedures.iter().find(|(of, _)| of == name);
    let planned = names.iter().filter_map(known);
    planned.map(|(name, procedure)| sensor(context, Some(name), procedure, &formats)).collect()
}

/// The formats to ask for the description of a sensor in: what the capabilities name, else the usual ones.
pub fn sensor_formats(context: &Context<'_>) -> [String; 2] {
    let usual = if version(context.resource, "2.0.0").starts_with('1') {
        ["text/xml;subtype=\"sensorML/1.0.1\"", "text/xml;subtype=\"sensorML/1.0.0\""]
    } else {
        ["http://www.opengis.net/sensorML/1.0.1", "http://www.opengis.net/sensorml/2.0"]
    };
    let named = context.document.and_then(|kept| sensor_format(&kept.bytes));
    match named {
        // The commonest, if it is not just that one.
        Some(named) => {
            let other = usual.iter().find(|usual| **usual != named).copied().unwrap_or(usual[0]);
            [named, other.to_owned()]
        }
        None => usual.map(str::to_owned),
    }
}

/// The description of one sensor, in the first format or, when that is refused, the second.
pub fn sensor(
    context: &Context<'_>,
    offering: Option<&str>,
    procedure: &str,
    [first, second]: &[String; 2],
) -> Planned {
    let second = sensor_in(context, offering, procedure, second);
    sensor_in(context, offering, procedure, first).if_refused(Some(second))
}

fn sensor_in(context: &Context<'_>, offering: Option<&str>, procedure: &str, format: &str) -> Planned {
    let version = version(context.resource, "2.0.0");
    let name = if version.starts_with('1') { "OUTPUTFORMAT" } else { "PROCEDUREDESCRIPTIONFORMAT" };
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

/// A format in which sensors are described: of an offering, else of the operation.
fn sensor_format(bytes: &[u8]) -> Option<String> {
    let (mut of_offering, mut of_operation) = (None::<String>, None::<String>);
    let (mut operation, mut parameter) = (false, false);
    walk(bytes, |met| {
        match met {
            Met::Begin { name: "Operation", reader } => {
                operation = reader.attr_local("name").is_some_and(|name| &*name == "DescribeSensor");
            }
            Met::Begin { name: "Parameter", reader } => {
                let format = ["outputformat", "proceduredescriptionformat"];
                parameter = reader
                    .attr_local("name")
                    .is_some_and(|name| format.contains(&name.to_ascii_lowercase().as_str()));
            }
            Met::Leaf { name: "Value", text } if operation && parameter && of_operation.is_none() => {
                of_operation = Some(text.to_owned());
            }
            Met::Leaf { name: "procedureDescriptionFormat", text } if of_offering.is_none() => {
                of_offering = Some(text.to_owned()).filter(|text| !text.is_empty());
            }
            Met::End { name: "Operation" } => operation = false,
            _ => {}
        }
        of_offering.is_none()
    });
    of_offering.or(of_operation).filter(|format| !format.is_empty() && format.len() <= 200)
}

/// The first procedure of each named offering.
fn procedures(bytes: &[u8], names: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::<(String, String)>::new();
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
    found
}
