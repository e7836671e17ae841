//! Requests as XML, with or without a SOAP envelope.

use super::kvp::{check_service, negotiate_version, parse_version};
use super::{
    CswError, CswException, CswOperation, CswRequest, CswVersion, ExceptionCode, RequestParts, SoapVersion,
    cql_of, filter_of,
};
use crate::tree::XmlElement;

pub(super) const SOAP_11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
pub(super) const SOAP_12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// Parses a document.
pub fn parse_document(body: &[u8]) -> Result<CswRequest, CswError> {
    let refused = |version, soap| move |exception| CswError { version, soap, exception };
    let document = XmlElement::parse(body)
        .map_err(|why| CswException {
            code: ExceptionCode::InvalidParameterValue,
            locator: None,
            text: why.to_string(),
        })
        .map_err(refused(meant_by_bytes(body), None))?;
    let (soap, request) = if document.name == "Envelope" {
        let soap = match document.namespace.as_str() {
            SOAP_12 => SoapVersion::V12,
            _ => SoapVersion::V11,
        };
        let request = document.child("Body").and_then(|body| body.children.first());
        let empty = || CswException::invalid_parameter("Body", "The envelope is empty.");
        (Some(soap), request.ok_or_else(empty).map_err(refused(CswVersion::V2, Some(soap)))?)
    } else {
        (None, &document)
    };
    let meant = if request.namespace.starts_with(CswVersion::V3.namespace()) {
        CswVersion::V3
    } else {
        CswVersion::V2
    };
    let refused = |exception| CswError { version: meant, soap, exception };
    let ours =
        request.namespace.is_empty() || request.namespace.starts_with("http://www.opengis.net/cat/csw");
    if !ours {
        return Err(refused(CswException::invalid_parameter("request", "This is not a CSW request.")));
    }
    // The service attribute may be missing, because the schemas define a default.
    check_service(request.attribute("service").or(Some("CSW"))).map_err(refused)?;
    if request.name == "GetCapabilities" {
        let accepted: Vec<&str> = request
            .child("AcceptVersions")
            .map(|list| list.children_named("Version").map(XmlElement::trimmed_text).collect())
            .unwrap_or_default();
        let version = negotiate_version(&accepted, request.attribute("version").or(Some(meant.as_str())))
            .map_err(refused)?;
        let sections = request
            .child("Sections")
            .map(|list| list.children_named("Section").map(|one| one.trimmed_text().to_owned()).collect());
        let operation = CswOperation::Capabilities {
            sections: sections.unwrap_or_default(),
            update_sequence: request.attribute("updateSequence").map(str::to_owned),
        };
        return Ok(CswRequest { version, soap, operation });
    }
    let version = parse_version(request.attribute("version").or(Some(meant.as_str()))).map_err(refused)?;
    let operation = operation(request, version).map_err(|exception| CswError { version, soap, exception })?;
    Ok(CswRequest { version, soap, operation })
}

/// Guesses the version of a document that cannot be parsed.
fn meant_by_bytes(body: &[u8]) -> CswVersion {
    let beginning = String::from_utf8_lossy(&body[..body.len().min(2_000)]);
    if beginning.contains(CswVersion::V3.namespace()) { CswVersion::V3 } else { CswVersion::V2 }
}

fn operation(request: &XmlElement, version: CswVersion) -> Result<CswOperation, CswException> {
    let attribute = |name: &str| request.attribute(name).map(str::to_owned);
    let texts = |name: &str| -> Vec<String> {
        request
            .children_named(name)
            .map(|node| node.trimmed_text().to_owned())
            .filter(|text| !text.is_empty())
            .collect()
    };
    match request.name.as_str() {
        "DescribeRecord" => Ok(CswOperation::DescribeRecord { type_names: texts("TypeName") }),
        "GetRecords" => {
            let query = request
                .child("Query")
                .or_else(|| request.child("AbstractQuery"))
                .ok_or_else(|| CswException::missing_parameter("Query"))?;
            let parts = RequestParts {
                result_type: attribute("resultType"),
                output_format: attribute("outputFormat"),
                output_schema: attribute("outputSchema"),
                start: attribute("startPosition"),
                most: attribute("maxRecords"),
                type_names: query.attribute("typeNames").map(str::to_owned),
                element_set: query.child("ElementSetName").map(|set| set.trimmed_text().to_owned()),
                element_names: query
                    .children_named("ElementName")
                    .map(|name| name.trimmed_text().to_owned())
                    .collect(),
                constraint: query.child("Constraint").map(constraint).transpose()?.flatten(),
                sort: query.child("SortBy").map(sort).unwrap_or_default(),
                ..RequestParts::default()
            };
            Ok(CswOperation::GetRecords(Box::new(parts.get_records(version)?)))
        }
        "GetRecordById" => {
            let parts = RequestParts {
                output_format: attribute("outputFormat"),
                output_schema: attribute("outputSchema"),
                element_set: request.child("ElementSetName").map(|set| set.trimmed_text().to_owned()),
                ids: texts("Id"),
                ..RequestParts::default()
            };
            parts.get_by_id(version)
        }
        "GetDomain" => {
            let mut properties = texts("PropertyName");
            properties.extend(texts("ValueReference"));
            let split = |names: Vec<String>| -> Vec<String> {
                names.iter().flat_map(|names| names.split(',')).map(|name| name.trim().to_owned()).collect()
            };
            let (properties, parameters) = (split(properties), split(texts("ParameterName")));
            if properties.is_empty() && parameters.is_empty() {
                return Err(CswException::missing_parameter("PropertyName"));
            }
            Ok(CswOperation::GetDomain { properties, parameters })
        }
        name @ ("Transaction" | "Harvest" | "UnHarvest") => Err(CswException {
            code: ExceptionCode::OperationNotSupported,
            locator: Some(name.to_owned()),
            text: "This catalogue is read-only.".to_owned(),
        }),
        name => Err(CswException {
            code: ExceptionCode::OperationNotSupported,
            locator: Some("request".to_owned()),
            text: format!("Unknown operation {}.", super::shorten(name)),
        }),
    }
}

fn constraint(node: &XmlElement) -> Result<Option<geotrawl_index::FilterExpression>, CswException> {
    if let Some(text) = node.child("CqlText") {
        return if text.trimmed_text().is_empty() { Ok(None) } else { cql_of(text.trimmed_text()).map(Some) };
    }
    match node.child("Filter") {
        // Some clients send an empty filter to search for everything.
        Some(filter) if filter.children.is_empty() => Ok(None),
        Some(filter) => filter_of(filter).map(Some),
        None => Err(CswException::invalid_parameter("Constraint", "It must contain a Filter or a CqlText.")),
    }
}

fn sort(node: &XmlElement) -> Vec<(String, bool)> {
    let keys = node.children_named("SortProperty").filter_map(|key| {
        let name =
            key.child("PropertyName").or_else(|| key.child("ValueReference"))?.trimmed_text().to_owned();
        let order =
            key.child("SortOrder").map(|order| order.trimmed_text().to_ascii_uppercase()).unwrap_or_default();
        Some((name, order.starts_with('D')))
    });
    keys.collect()
}
