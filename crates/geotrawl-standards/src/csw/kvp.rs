//! Requests as key-value pairs, in a query string or a form.

use super::{CswError, CswException, CswOperation, CswRequest, CswVersion, RequestParts, cql_of, filter_of};
use crate::tree::XmlElement;
use crate::xml::XmlWriter;
use geotrawl_index::FilterExpression;
use std::collections::HashMap;

/// Maximum number of keys.
const MOST_KEYS: usize = 100;

/// Parses a query string.
pub fn parse_query(query: &str) -> Result<CswRequest, CswError> {
    let mut keys: HashMap<String, String> = HashMap::new();
    for (key, value) in url::form_urlencoded::parse(query.as_bytes()).take(MOST_KEYS) {
        // The first of repeated keys counts, as in the examples of the standard.
        keys.entry(key.to_ascii_lowercase()).or_insert_with(|| value.into_owned());
    }
    let get = |key: &str| keys.get(key).map(|value| value.trim()).filter(|value| !value.is_empty());
    // Errors that occur before the version is known use the version that the client seems to mean.
    let meant = get("version").and_then(CswVersion::named).unwrap_or(CswVersion::V3);
    let refused = |version| move |exception| CswError { version, soap: None, exception };
    let request = get("request");
    // A request without parameters asks for the capabilities.
    if get("service").is_none() && request.is_none() && get("version").is_none() {
        let operation = CswOperation::Capabilities { sections: Vec::new(), update_sequence: None };
        return Ok(CswRequest { version: CswVersion::V3, soap: None, operation });
    }
    check_service(get("service")).map_err(refused(meant))?;
    let request = request
        .ok_or_else(|| refused(meant)(CswException::missing_parameter("request")))?
        .to_ascii_lowercase();
    if request == "getcapabilities" {
        let accepted: Vec<&str> =
            get("acceptversions").map(|list| list.split(',').collect()).unwrap_or_default();
        let version = negotiate_version(&accepted, get("version")).map_err(refused(meant))?;
        let sections = get("sections").map(|list| list.split(',').map(|one| one.trim().to_owned()).collect());
        let operation = CswOperation::Capabilities {
            sections: sections.unwrap_or_default(),
            update_sequence: get("updatesequence").map(str::to_owned),
        };
        return Ok(CswRequest { version, soap: None, operation });
    }
    let version = parse_version(get("version")).map_err(refused(meant))?;
    let operation = operation(&request, version, &keys).map_err(refused(version))?;
    Ok(CswRequest { version, soap: None, operation })
}

pub(super) fn check_service(service: Option<&str>) -> Result<(), CswException> {
    match service {
        None => Err(CswException::missing_parameter("service")),
        Some(name) if name.eq_ignore_ascii_case("csw") => Ok(()),
        Some(_) => Err(CswException::invalid_parameter("service", "The service must be CSW.")),
    }
}

pub(super) fn parse_version(version: Option<&str>) -> Result<CswVersion, CswException> {
    let version = version.ok_or_else(|| CswException::missing_parameter("version"))?;
    CswVersion::named(version).ok_or_else(|| {
        CswException::invalid_parameter("version", "The supported versions are 2.0.2 and 3.0.0.")
    })
}

/// Returns the first accepted version that is supported. Without a list: the named version, or the
/// newest.
pub(super) fn negotiate_version(accepted: &[&str], named: Option<&str>) -> Result<CswVersion, CswException> {
    if accepted.is_empty() {
        return Ok(named.and_then(CswVersion::named).unwrap_or(CswVersion::V3));
    }
    accepted.iter().find_map(|version| CswVersion::named(version)).ok_or_else(|| CswException {
        code: super::ExceptionCode::VersionNegotiationFailed,
        locator: None,
        text: "The supported versions are 2.0.2 and 3.0.0.".to_owned(),
    })
}

fn operation(
    request: &str,
    version: CswVersion,
    keys: &HashMap<String, String>,
) -> Result<CswOperation, CswException> {
    let get = |key: &str| keys.get(key).cloned();
    let list = |key: &str| -> Vec<String> {
        let items = keys.get(key).map(|list| list.split(',').map(str::trim)).into_iter().flatten();
        items.filter(|item| !item.is_empty()).map(str::to_owned).collect()
    };
    let parts = || RequestParts {
        result_type: get("resulttype"),
        output_format: get("outputformat"),
        output_schema: get("outputschema"),
        start: get("startposition"),
        most: get("maxrecords"),
        type_names: get("typenames").or_else(|| get("typename")),
        element_set: get("elementsetname"),
        element_names: list("elementname"),
        words: get("q"),
        bbox: get("bbox"),
        time: get("time"),
        sort: list("sortby").iter().map(|one| sort_key(one)).collect(),
        ..RequestParts::default()
    };
    match request {
        "describerecord" => Ok(CswOperation::DescribeRecord { type_names: list("typename") }),
        "getrecords" => {
            let mut parts = parts();
            parts.constraint = constraint(keys)?;
            parts.ids = list("recordids");
            Ok(CswOperation::GetRecords(Box::new(parts.get_records(version)?)))
        }
        "getrecordbyid" => {
            let mut parts = parts();
            parts.ids = list("id");
            parts.get_by_id(version)
        }
        "getdomain" => {
            let mut properties = list("propertyname");
            properties.extend(list("valuereference"));
            let parameters = list("parametername");
            if properties.is_empty() && parameters.is_empty() {
                let name = if version == CswVersion::V2 { "PropertyName" } else { "ValueReference" };
                return Err(CswException::missing_parameter(name));
            }
            Ok(CswOperation::GetDomain { properties, parameters })
        }
        "transaction" | "harvest" | "unharvest" => Err(CswException {
            code: super::ExceptionCode::OperationNotSupported,
            locator: Some(request.to_owned()),
            text: "This catalogue is read-only.".to_owned(),
        }),
        _ => Err(CswException {
            code: super::ExceptionCode::OperationNotSupported,
            locator: Some("request".to_owned()),
            text: format!("Unknown operation {}.", super::shorten(request)),
        }),
    }
}

/// Parses `title:A`, `title:D` or `title ASC`; names contain colons, too.
fn sort_key(text: &str) -> (String, bool) {
    let text = text.trim();
    let ends = |sign: &str| {
        let at = text.len().checked_sub(sign.len())?;
        let (name, end) = (text.get(..at)?, text.get(at..)?);
        end.eq_ignore_ascii_case(sign).then(|| name.trim().to_owned())
    };
    for (sign, down) in
        [(":A", false), (":ASC", false), (" ASC", false), (":D", true), (":DESC", true), (" DESC", true)]
    {
        if let Some(name) = ends(sign) {
            return (name, down);
        }
    }
    (text.to_owned(), false)
}

fn constraint(keys: &HashMap<String, String>) -> Result<Option<FilterExpression>, CswException> {
    let Some(text) = keys.get("constraint").map(|text| text.trim()).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let language = keys.get("constraintlanguage").map(|language| language.trim().to_ascii_uppercase());
    let filter = match language.as_deref() {
        Some("FILTER") => true,
        Some("CQL_TEXT" | "CQL") => false,
        None | Some("") => text.starts_with('<'),
        Some(_) => {
            return Err(CswException::invalid_parameter(
                "constraintLanguage",
                "It must be CQL_TEXT or FILTER.",
            ));
        }
    };
    if !filter {
        return cql_of(text).map(Some);
    }
    let node = XmlElement::parse(text.as_bytes())
        .map_err(|why| CswException::invalid_parameter("constraint", why.to_string()))?;
    filter_of(&node).map(Some)
}

/// Writes the request as understood, for `validate`.
pub(super) fn write_echo(xml: &mut XmlWriter, version: CswVersion) {
    let (tags, types) = match version {
        CswVersion::V2 => (["csw:GetRecords", "csw:Query", "csw:ElementSetName"], "csw:Record"),
        CswVersion::V3 => (["csw30:GetRecords", "csw30:Query", "csw30:ElementSetName"], "csw30:Record"),
    };
    let mut attributes = vec![("service", "CSW"), ("version", version.as_str())];
    if version == CswVersion::V2 {
        attributes.push(("resultType", "validate"));
    }
    xml.start(tags[0], &attributes)
        .start(tags[1], &[("typeNames", types)])
        .leaf(tags[2], "summary")
        .end_many(2);
}
