//! GetDomain: the values of properties and parameters.

use super::answer::{begin_document, namespaces};
use super::{CswVersion, SoapVersion};
use crate::iso::GMD;

/// The values of a property or parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum DomainValues {
    /// Values with their number of records; 0: not counted.
    List(Vec<(String, u64)>),
    Range(String, String),
    /// Not known.
    Unknown,
}

/// A property or parameter and its values.
#[derive(Debug, Clone, PartialEq)]
pub struct DomainEntry {
    pub name: String,
    /// Whether it is a parameter rather than a property.
    pub is_parameter: bool,
    pub values: DomainValues,
}

/// Returns the values of a parameter such as `GetRecords.resultType`.
pub fn parameter_values(name: &str, version: CswVersion) -> DomainValues {
    let key = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let values: &[&str] = match key.as_str() {
        "resulttype" => &["hits", "results", "validate"],
        "outputformat" => &["application/xml", "text/xml"],
        "outputschema" => &[version.namespace(), GMD],
        "elementsetname" => &["brief", "summary", "full"],
        "typenames" | "typename" => match version {
            CswVersion::V2 => &["csw:Record", "gmd:MD_Metadata"],
            CswVersion::V3 => &["csw30:Record", "gmd:MD_Metadata"],
        },
        "constraintlanguage" => &["CQL_TEXT", "FILTER"],
        "schemalanguage" => &["http://www.w3.org/XML/Schema", "http://www.w3.org/TR/xmlschema-1/"],
        "sections" => {
            &["ServiceIdentification", "ServiceProvider", "OperationsMetadata", "Filter_Capabilities", "All"]
        }
        "acceptversions" => &["2.0.2", "3.0.0"],
        _ => return DomainValues::Unknown,
    };
    DomainValues::List(values.iter().map(|value| ((*value).to_owned(), 0)).collect())
}

/// Renders the response.
pub fn render_domains(domains: &[DomainEntry], version: CswVersion, soap: Option<SoapVersion>) -> String {
    let tags = match version {
        CswVersion::V2 => [
            "csw:GetDomainResponse",
            "csw:DomainValues",
            "csw:ParameterName",
            "csw:PropertyName",
            "csw:ListOfValues",
            "csw:Value",
            "csw:RangeOfValues",
            "csw:MinValue",
            "csw:MaxValue",
        ],
        CswVersion::V3 => [
            "csw30:GetDomainResponse",
            "csw30:DomainValues",
            "csw30:ParameterName",
            "csw30:ValueReference",
            "csw30:ListOfValues",
            "csw30:Value",
            "csw30:RangeOfValues",
            "csw30:MinValue",
            "csw30:MaxValue",
        ],
    };
    let mut xml = begin_document(soap);
    xml.start(tags[0], namespaces(version));
    let kind = if version == CswVersion::V2 { "csw:Record" } else { "csw30:Record" };
    for domain in domains {
        // Values that occur in records, or values that a request may use.
        let result = if domain.is_parameter { "possible" } else { "available" };
        match version {
            CswVersion::V2 => xml.start(tags[1], &[("type", kind)]),
            CswVersion::V3 => xml.start(tags[1], &[("type", kind), ("resultType", result)]),
        };
        xml.leaf(if domain.is_parameter { tags[2] } else { tags[3] }, &domain.name);
        match &domain.values {
            DomainValues::List(values) => {
                xml.start(tags[4], &[]);
                for (value, count) in values {
                    let count = count.to_string();
                    // The schema of 2.0.2 has no counts.
                    let counted = version == CswVersion::V3 && count != "0";
                    let attributes: &[(&str, &str)] = if counted { &[("count", &count)] } else { &[] };
                    xml.leaf_with(tags[5], attributes, value);
                }
                xml.end();
            }
            DomainValues::Range(least, most) => {
                xml.start(tags[6], &[]).leaf(tags[7], least).leaf(tags[8], most).end();
            }
            DomainValues::Unknown => {}
        }
        xml.end();
    }
    xml.finish()
}
