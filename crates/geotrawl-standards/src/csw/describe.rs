//! DescribeRecord: XML schemas of the record types.

use super::answer::{begin_document, namespaces};
use super::{CswException, CswVersion, SoapVersion};
use crate::iso::GMD;

/// Elements of a Dublin Core record as returned by this catalogue.
const ELEMENTS: [(&str, &str); 15] = [
    ("dc", "identifier"),
    ("dc", "title"),
    ("dc", "type"),
    ("dc", "subject"),
    ("dc", "format"),
    ("dc", "creator"),
    ("dc", "publisher"),
    ("dc", "rights"),
    ("dc", "language"),
    ("dc", "source"),
    ("dct", "modified"),
    ("dct", "abstract"),
    ("dct", "created"),
    ("dct", "references"),
    ("ows", "BoundingBox"),
];

/// Renders the response; refuses unknown types.
pub fn describe_record(
    type_names: &[String],
    version: CswVersion,
    soap: Option<SoapVersion>,
) -> Result<String, CswException> {
    let (mut core, mut iso) = (type_names.is_empty(), type_names.is_empty());
    for name in type_names {
        match name.rsplit(':').next().unwrap_or_default() {
            "Record" | "BriefRecord" | "SummaryRecord" => core = true,
            "MD_Metadata" => iso = true,
            _ => {
                return Err(CswException::invalid_parameter(
                    "TypeName",
                    "The types are csw:Record and gmd:MD_Metadata.",
                ));
            }
        }
    }
    let tags = match version {
        CswVersion::V2 => ["csw:DescribeRecordResponse", "csw:SchemaComponent"],
        CswVersion::V3 => ["csw30:DescribeRecordResponse", "csw30:SchemaComponent"],
    };
    let mut xml = begin_document(soap);
    xml.start(tags[0], namespaces(version));
    let mut component = |namespace: &str, root: &str, inside: &[(&str, &str)]| {
        xml.start(
            tags[1],
            &[("targetNamespace", namespace), ("schemaLanguage", "http://www.w3.org/XML/Schema")],
        );
        xml.start(
            "xs:schema",
            &[
                ("xmlns:xs", "http://www.w3.org/2001/XMLSchema"),
                ("targetNamespace", namespace),
                ("elementFormDefault", "qualified"),
            ],
        );
        xml.start("xs:element", &[("name", root)]);
        if !inside.is_empty() {
            xml.start("xs:complexType", &[]).start("xs:sequence", &[]);
            for (prefix, name) in inside {
                let name = format!("{prefix}:{name}");
                xml.empty("xs:element", &[("ref", &name), ("minOccurs", "0"), ("maxOccurs", "unbounded")]);
            }
            xml.end_many(2);
        }
        xml.end_many(3);
    };
    if core {
        component(version.namespace(), "Record", &ELEMENTS);
    }
    if iso {
        component(GMD, "MD_Metadata", &[]);
    }
    Ok(xml.finish())
}
