//! Sensors of an SOS.

use super::ScoredOperation;
use super::ows::service_version;
use crate::check::plan::{ACCEPT_XML, DOCUMENT_BYTES, ExpectedAnswer, NO_SUCH, PlanContext, PlannedRequest};
use crate::check::xml_walk::{ElementEvent, walk_xml};
use geotrawl_kinds::urls;

/// Requests the descriptions of sensors.
pub struct SosSensor;

impl ScoredOperation for SosSensor {
    fn kind(&self) -> &'static str {
        "sos"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        sensors(context)
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        Some(sensor(context, None, NO_SUCH, &sensor_formats(context)))
    }
}

/// Plans requests for the sensor descriptions of the chosen offerings, without their observations.
fn sensors(context: &PlanContext<'_>) -> Vec<PlannedRequest> {
    let Some(document) = context.document else { return Vec::new() };
    let names: Vec<&str> = context.chosen.iter().map(|dataset| dataset.name.as_str()).collect();
    let procedures = procedures(&document.bytes, &names);
    let formats = sensor_formats(context);
    let known = |name: &&str| procedures.iter().find(|(of, _)| of == name);
    let planned = names.iter().filter_map(known);
    planned.map(|(name, procedure)| sensor(context, Some(name), procedure, &formats)).collect()
}

/// Returns the two formats to request a sensor description in: as named in the capabilities, else
/// the usual ones.
fn sensor_formats(context: &PlanContext<'_>) -> [String; 2] {
    let usual = if service_version(context.resource, "2.0.0").starts_with('1') {
        ["text/xml;subtype=\"sensorML/1.0.1\"", "text/xml;subtype=\"sensorML/1.0.0\""]
    } else {
        ["http://www.opengis.net/sensorML/1.0.1", "http://www.opengis.net/sensorml/2.0"]
    };
    let named = context.document.and_then(|kept| sensor_format(&kept.bytes));
    match named {
        // The most common format is the second, unless it is also the named one.
        Some(named) => {
            let other = usual.iter().find(|usual| **usual != named).copied().unwrap_or(usual[0]);
            [named, other.to_owned()]
        }
        None => usual.map(str::to_owned),
    }
}

/// Plans a request for one sensor description; the second format is the fallback.
fn sensor(
    context: &PlanContext<'_>,
    offering: Option<&str>,
    procedure: &str,
    [first, second]: &[String; 2],
) -> PlannedRequest {
    let second = sensor_in(context, offering, procedure, second);
    sensor_in(context, offering, procedure, first).fallback_if_refused(Some(second))
}

fn sensor_in(
    context: &PlanContext<'_>,
    offering: Option<&str>,
    procedure: &str,
    format: &str,
) -> PlannedRequest {
    let version = service_version(context.resource, "2.0.0");
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
        ExpectedAnswer::Xml(&["DescribeSensorResponse", "SensorML", "PhysicalSystem", "System", "Component"]);
    PlannedRequest::new(offering, url, ACCEPT_XML, DOCUMENT_BYTES, expect)
}

/// Returns a format for sensor descriptions: that of an offering, else of the operation.
fn sensor_format(bytes: &[u8]) -> Option<String> {
    let (mut of_offering, mut of_operation) = (None::<String>, None::<String>);
    let (mut operation, mut parameter) = (false, false);
    walk_xml(bytes, |met| {
        match met {
            ElementEvent::Begin { name: "Operation", reader } => {
                operation = reader.attr_by_local_name("name").is_some_and(|name| &*name == "DescribeSensor");
            }
            ElementEvent::Begin { name: "Parameter", reader } => {
                let format = ["outputformat", "proceduredescriptionformat"];
                parameter = reader
                    .attr_by_local_name("name")
                    .is_some_and(|name| format.contains(&name.to_ascii_lowercase().as_str()));
            }
            ElementEvent::Leaf { name: "Value", text }
                if operation && parameter && of_operation.is_none() =>
            {
                of_operation = Some(text.to_owned());
            }
            ElementEvent::Leaf { name: "procedureDescriptionFormat", text } if of_offering.is_none() => {
                of_offering = Some(text.to_owned()).filter(|text| !text.is_empty());
            }
            ElementEvent::End { name: "Operation" } => operation = false,
            _ => {}
        }
        of_offering.is_none()
    });
    of_offering.or(of_operation).filter(|format| !format.is_empty() && format.len() <= 200)
}

/// Returns the first procedure of each named offering.
fn procedures(bytes: &[u8], names: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::<(String, String)>::new();
    let (mut offering, mut procedure) = (None::<String>, None::<String>);
    walk_xml(bytes, |met| {
        match met {
            ElementEvent::Begin { name: "ObservationOffering", reader } => {
                offering = reader.attr_by_local_name("id").map(std::borrow::Cow::into_owned);
                procedure = None;
            }
            ElementEvent::Begin { name: "procedure", reader } if procedure.is_none() => {
                procedure = reader.attr_by_local_name("href").map(std::borrow::Cow::into_owned);
            }
            ElementEvent::Leaf { name: "procedure", text } if procedure.is_none() && !text.is_empty() => {
                procedure = Some(text.to_owned());
            }
            // An identifier is preferred over a name.
            ElementEvent::Leaf { name: "identifier" | "name", text } if names.contains(&text) => {
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
