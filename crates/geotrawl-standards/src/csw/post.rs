//! Requests as XML, bare or in an envelope of SOAP.

use super::kvp::{negotiated, service, version};
use super::{Asked, Code, Exception, Operation, Parts, Refused, Soap, Version, cql_of, filter_of};
use crate::tree::Node;

pub(super) const SOAP_11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
pub(super) const SOAP_12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// Reads a document.
pub fn read(body: &[u8]) -> Result<Asked, Refused> {
    let refused = |version, soap| move |exception| Refused { version, soap, exception };
    let document = Node::read(body)
        .map_err(|why| Exception { code: Code::InvalidParameterValue, locator: None, text: why.to_string() })
        .map_err(refused(meant_by_bytes(body), None))?;
    let (soap, request) = if document.name == "Envelope" {
        let soap = match document.namespace.as_str() {
            SOAP_12 => Soap::V12,
            _ => Soap::V11,
        };
        let request = document.child("Body").and_then(|body| body.children.first());
        let empty = || Exception::invalid("Body", "The envelope is empty.");
        (Some(soap), request.ok_or_else(empty).map_err(refused(Version::V2, Some(soap)))?)
    } else {
        (None, &document)
    };
    let meant =
        if request.namespace.starts_with(Version::V3.namespace()) { Version::V3 } else { Version::V2 };
    let refused = |exception| Refused { version: meant, soap, exception };
    let ours =
        request.namespace.is_empty() || request.namespace.starts_with("http://www.opengis.net/cat/csw");
    if !ours {
        return Err(refused(Exception::invalid("request", "This is no request of CSW.")));
    }
    // The service may be left out in XML: its schemas have a default.
    service(request.attribute("service").or(Some("CSW"))).map_err(refused)?;
    if request.name == "GetCapabilities" {
        let accepted: Vec<&str> = request
            .child("AcceptVersions")
            .map(|list| list.all("Version").map(Node::words).collect())
            .unwrap_or_default();
        let version =
            negotiated(&accepted, request.attribute("version").or(Some(meant.as_str()))).map_err(refused)?;
        let sections = request
            .child("Sections")
            .map(|list| list.all("Section").map(|one| one.words().to_owned()).collect());
        let operation = Operation::Capabilities {
            sections: sections.unwrap_or_default(),
            update_sequence: request.attribute("updateSequence").map(str::to_owned),
        };
        return Ok(Asked { version, soap, operation });
    }
    let version = version(request.attribute("version").or(Some(meant.as_str()))).map_err(refused)?;
    let operation = operation(request, version).map_err(|exception| Refused { version, soap, exception })?;
    Ok(Asked { version, soap, operation })
}

/// The version that a document which cannot be read seems to mean.
fn meant_by_bytes(body: &[u8]) -> Version {
    let beginning = String::from_utf8_lossy(&body[..body.len().min(2_000)]);
    if beginning.contains(Version::V3.namespace()) { Version::V3 } else { Version::V2 }
}

fn operation(request: &Node, version: Version) -> Result<Operation, Exception> {
    let attribute = |name: &str| request.attribute(name).map(str::to_owned);
    let texts = |name: &str| -> Vec<String> {
        request.all(name).map(|node| node.words().to_owned()).filter(|text| !text.is_empty()).collect()
    };
    match request.name.as_str() {
        "DescribeRecord" => Ok(Operation::DescribeRecord { type_names: texts("TypeName") }),
        "GetRecords" => {
            let query = request
                .child("Query")
                .or_else(|| request.child("AbstractQuery"))
                .ok_or_else(|| Exception::missing("Query"))?;
            let parts = Parts {
                result_type: attribute("resultType"),
                output_format: attribute("outputFormat"),
                output_schema: attribute("outputSchema"),
                start: attribute("startPosition"),
                most: attribute("maxRecords"),
                type_names: query.attribute("typeNames").map(str::to_owned),
                element_set: query.child("ElementSetName").map(|set| set.words().to_owned()),
                element_names: query.all("ElementName").map(|name| name.words().to_owned()).collect(),
                constraint: query.child("Constraint").map(constraint).transpose()?.flatten(),
                sort: query.child("SortBy").map(sort).unwrap_or_default(),
                ..Parts::default()
            };
            Ok(Operation::GetRecords(Box::new(parts.get_records(version)?)))
        }
        "GetRecordById" => {
            let parts = Parts {
                output_format: attribute("outputFormat"),
                output_schema: attribute("outputSchema"),
                element_set: request.child("ElementSetName").map(|set| set.words().to_owned()),
                ids: texts("Id"),
                ..Parts::default()
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
                return Err(Exception::missing("PropertyName"));
            }
            Ok(Operation::GetDomain { properties, parameters })
        }
        name @ ("Transaction" | "Harvest" | "UnHarvest") => Err(Exception {
            code: Code::OperationNotSupported,
            locator: Some(name.to_owned()),
            text: "This catalogue is only read here.".to_owned(),
        }),
        name => Err(Exception {
            code: Code::OperationNotSupported,
            locator: Some("request".to_owned()),
            text: format!("There is no operation {}.", super::short(name)),
        }),
    }
}

fn constraint(node: &Node) -> Result<Option<geotrawl_index::Filter>, Exception> {
    if let Some(text) = node.child("CqlText") {
        return if text.words().is_empty() { Ok(None) } else { cql_of(text.words()).map(Some) };
    }
    match node.child("Filter") {
        // Clients send an empty filter where nothing is asked for.
        Some(filter) if filter.children.is_empty() => Ok(None),
        Some(filter) => filter_of(filter).map(Some),
        None => Err(Exception::invalid("Constraint", "It holds a Filter or a CqlText.")),
    }
}

fn sort(node: &Node) -> Vec<(String, bool)> {
    let keys = node.all("SortProperty").filter_map(|key| {
        let name = key.child("PropertyName").or_else(|| key.child("ValueReference"))?.words().to_owned();
        let order =
            key.child("SortOrder").map(|order| order.words().to_ascii_uppercase()).unwrap_or_default();
        Some((name, order.starts_with('D')))
    });
    keys.collect()
}
