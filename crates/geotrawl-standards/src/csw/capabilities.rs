//! GetCapabilities.

use super::answer::{begin_document, namespaces};
use super::{CswException, CswSite, CswVersion, ExceptionCode, SoapVersion};
use crate::iso::GMD;
use crate::xml::XmlWriter;

/// Queryable properties, by their Dublin Core names; [`ISO`] holds the names of the ISO profile.
const CORE: [&str; 13] = [
    "dc:title",
    "dct:abstract",
    "dc:subject",
    "dc:identifier",
    "dct:modified",
    "dc:type",
    "dc:creator",
    "dc:publisher",
    "dc:rights",
    "dc:language",
    "dc:source",
    "csw:AnyText",
    "ows:BoundingBox",
];
const ISO: [&str; 15] = [
    "apiso:Title",
    "apiso:Abstract",
    "apiso:Subject",
    "apiso:Identifier",
    "apiso:Modified",
    "apiso:Type",
    "apiso:OrganisationName",
    "apiso:CreationDate",
    "apiso:Language",
    "apiso:CRS",
    "apiso:ServiceType",
    "apiso:TopicCategory",
    "apiso:TempExtent_begin",
    "apiso:TempExtent_end",
    "apiso:AnyText",
];

struct ElementNames {
    service_identification: &'static str,
    title: &'static str,
    abstract_: &'static str,
    keywords: &'static str,
    keyword: &'static str,
    service_type: &'static str,
    service_type_version: &'static str,
    fees: &'static str,
    access: &'static str,
    service_provider: &'static str,
    provider_name: &'static str,
    provider_site: &'static str,
    service_contact: &'static str,
    operations: &'static str,
    operation: &'static str,
    dcp: &'static str,
    http: &'static str,
    get: &'static str,
    post: &'static str,
    parameter: &'static str,
    constraint: &'static str,
    allowed: &'static str,
    value: &'static str,
}

const OWS_1: ElementNames = ElementNames {
    service_identification: "ows:ServiceIdentification",
    title: "ows:Title",
    abstract_: "ows:Abstract",
    keywords: "ows:Keywords",
    keyword: "ows:Keyword",
    service_type: "ows:ServiceType",
    service_type_version: "ows:ServiceTypeVersion",
    fees: "ows:Fees",
    access: "ows:AccessConstraints",
    service_provider: "ows:ServiceProvider",
    provider_name: "ows:ProviderName",
    provider_site: "ows:ProviderSite",
    service_contact: "ows:ServiceContact",
    operations: "ows:OperationsMetadata",
    operation: "ows:Operation",
    dcp: "ows:DCP",
    http: "ows:HTTP",
    get: "ows:Get",
    post: "ows:Post",
    parameter: "ows:Parameter",
    constraint: "ows:Constraint",
    allowed: "",
    value: "ows:Value",
};

const OWS_2: ElementNames = ElementNames {
    service_identification: "ows20:ServiceIdentification",
    title: "ows20:Title",
    abstract_: "ows20:Abstract",
    keywords: "ows20:Keywords",
    keyword: "ows20:Keyword",
    service_type: "ows20:ServiceType",
    service_type_version: "ows20:ServiceTypeVersion",
    fees: "ows20:Fees",
    access: "ows20:AccessConstraints",
    service_provider: "ows20:ServiceProvider",
    provider_name: "ows20:ProviderName",
    provider_site: "ows20:ProviderSite",
    service_contact: "ows20:ServiceContact",
    operations: "ows20:OperationsMetadata",
    operation: "ows20:Operation",
    dcp: "ows20:DCP",
    http: "ows20:HTTP",
    get: "ows20:Get",
    post: "ows20:Post",
    parameter: "ows20:Parameter",
    constraint: "ows20:Constraint",
    allowed: "ows20:AllowedValues",
    value: "ows20:Value",
};

/// Renders the capabilities document.
pub fn render_capabilities(
    sections: &[String],
    update_sequence: Option<&str>,
    version: CswVersion,
    soap: Option<SoapVersion>,
    site: &CswSite,
) -> Result<String, CswException> {
    let current = site.sequence.to_string();
    let mut unchanged = false;
    if let Some(known) = update_sequence.map(str::trim).filter(|known| !known.is_empty()) {
        unchanged = known == current;
        if known.parse::<i64>().is_ok_and(|known| known > site.sequence) {
            return Err(CswException {
                code: ExceptionCode::InvalidUpdateSequence,
                locator: None,
                text: format!("The current update sequence is {current}."),
            });
        }
    }
    let wanted = |name: &str| {
        !unchanged
            && (sections.is_empty()
                || sections.iter().any(|section| section.eq_ignore_ascii_case(name) || section == "All"))
    };
    let (root, words) = match version {
        CswVersion::V2 => ("csw:Capabilities", &OWS_1),
        CswVersion::V3 => ("csw30:Capabilities", &OWS_2),
    };
    let mut xml = begin_document(soap);
    let mut attributes = namespaces(version).to_vec();
    attributes.extend([("version", version.as_str()), ("updateSequence", current.as_str())]);
    xml.start(root, &attributes);
    if wanted("ServiceIdentification") {
        identification(&mut xml, words, version, site);
    }
    if wanted("ServiceProvider") {
        xml.start(words.service_provider, &[]).leaf(words.provider_name, &site.title);
        xml.empty(words.provider_site, &[("xlink:type", "simple"), ("xlink:href", &site.base)]);
        xml.empty(words.service_contact, &[]);
        xml.end();
    }
    if wanted("OperationsMetadata") {
        operations(&mut xml, words, version, site);
    }
    if !unchanged && (version == CswVersion::V2 || wanted("Filter_Capabilities")) {
        match version {
            CswVersion::V2 => filter_1(&mut xml),
            CswVersion::V3 => filter_2(&mut xml),
        }
    }
    Ok(xml.finish())
}

fn identification(xml: &mut XmlWriter, words: &ElementNames, version: CswVersion, site: &CswSite) {
    xml.start(words.service_identification, &[]).leaf(words.title, &site.title).leaf(
        words.abstract_,
        "Geospatial services and files found on the web, with their status and quality.",
    );
    xml.start(words.keywords, &[]);
    for keyword in ["catalogue", "discovery", "geospatial services"] {
        xml.leaf(words.keyword, keyword);
    }
    xml.end();
    xml.leaf_with(words.service_type, &[("codeSpace", "OGC")], "CSW");
    let versions: &[&str] = match version {
        CswVersion::V2 => &["2.0.2", "3.0.0"],
        CswVersion::V3 => &["3.0.0", "2.0.2"],
    };
    for version in versions {
        xml.leaf(words.service_type_version, version);
    }
    xml.leaf(words.fees, "None").leaf(words.access, "None").end();
}

fn values(xml: &mut XmlWriter, words: &ElementNames, name: &'static str, of: &str, values: &[&str]) {
    xml.start(name, &[("name", of)]);
    if !words.allowed.is_empty() {
        xml.start(words.allowed, &[]);
    }
    for value in values {
        xml.leaf(words.value, value);
    }
    xml.end_many(1 + usize::from(!words.allowed.is_empty()));
}

fn operations(xml: &mut XmlWriter, words: &ElementNames, version: CswVersion, site: &CswSite) {
    let endpoint = site.endpoint();
    let schemas = [version.namespace(), GMD];
    let types = match version {
        CswVersion::V2 => ["csw:Record", "gmd:MD_Metadata"],
        CswVersion::V3 => ["csw30:Record", "gmd:MD_Metadata"],
    };
    let formats = ["application/xml", "text/xml"];
    let sets = ["brief", "summary", "full"];
    xml.start(words.operations, &[]);
    for name in ["GetCapabilities", "DescribeRecord", "GetDomain", "GetRecords", "GetRecordById"] {
        xml.start(words.operation, &[("name", name)]);
        xml.start(words.dcp, &[]).start(words.http, &[]);
        xml.empty(words.get, &[("xlink:type", "simple"), ("xlink:href", &endpoint)]);
        for encoding in ["XML", "SOAP"] {
            xml.start(words.post, &[("xlink:type", "simple"), ("xlink:href", &endpoint)]);
            values(xml, words, words.constraint, "PostEncoding", &[encoding]);
            xml.end();
        }
        xml.end_many(2);
        match name {
            "GetCapabilities" => {
                let sections =
                    ["ServiceIdentification", "ServiceProvider", "OperationsMetadata", "Filter_Capabilities"];
                values(xml, words, words.parameter, "sections", &sections);
            }
            "DescribeRecord" => {
                values(xml, words, words.parameter, "typeName", &types);
                values(xml, words, words.parameter, "schemaLanguage", &["http://www.w3.org/XML/Schema"]);
            }
            "GetDomain" => {
                let parameters =
                    ["GetRecords.outputSchema", "GetRecords.resultType", "GetRecords.ElementSetName"];
                values(xml, words, words.parameter, "ParameterName", &parameters);
            }
            "GetRecords" => {
                if version == CswVersion::V2 {
                    values(xml, words, words.parameter, "resultType", &["hits", "results", "validate"]);
                }
                values(xml, words, words.parameter, "outputSchema", &schemas);
                values(xml, words, words.parameter, "outputFormat", &formats);
                values(xml, words, words.parameter, "typeNames", &types);
                values(xml, words, words.parameter, "ElementSetName", &sets);
                values(xml, words, words.parameter, "CONSTRAINTLANGUAGE", &["CQL_TEXT", "FILTER"]);
                values(xml, words, words.constraint, "SupportedDublinCoreQueryables", &CORE);
                values(xml, words, words.constraint, "SupportedISOQueryables", &ISO);
                let additional = ["kind", "theme", "country", "host", "status", "quality"];
                values(xml, words, words.constraint, "AdditionalQueryables", &additional);
            }
            _ => {
                values(xml, words, words.parameter, "outputSchema", &schemas);
                values(xml, words, words.parameter, "outputFormat", &formats);
                values(xml, words, words.parameter, "ElementSetName", &sets);
            }
        }
        xml.end();
    }
    values(xml, words, words.parameter, "service", &["CSW"]);
    values(xml, words, words.parameter, "version", &["2.0.2", "3.0.0"]);
    if version == CswVersion::V3 {
        let description = format!("{}/opensearch", site.base);
        values(xml, words, words.constraint, "OpenSearchDescriptionDocument", &[&description]);
        values(xml, words, words.constraint, "MaxRecordDefault", &["10"]);
        for class in [
            "GetCapabilities-XML",
            "GetRecords-Basic-KVP",
            "GetRecords-Basic-XML",
            "GetRecords-Filter-XML",
            "GetRecords-Filter-CQL",
            "GetRecordById-XML",
            "GetDomain-KVP",
            "GetDomain-XML",
            "OpenSearch",
        ] {
            values(xml, words, words.constraint, class, &["TRUE"]);
        }
    }
    values(xml, words, words.constraint, "PostEncoding", &["XML", "SOAP"]);
    values(xml, words, words.constraint, "XPathQueryables", &["disallowed"]);
    xml.end();
}

const SPATIAL: [&str; 8] =
    ["BBOX", "Intersects", "Within", "Contains", "Overlaps", "Touches", "Crosses", "Disjoint"];

fn filter_1(xml: &mut XmlWriter) {
    xml.start("ogc:Filter_Capabilities", &[]);
    xml.start("ogc:Spatial_Capabilities", &[]).start("ogc:GeometryOperands", &[]);
    for operand in ["gml:Point", "gml:LineString", "gml:Polygon", "gml:Envelope"] {
        xml.leaf("ogc:GeometryOperand", operand);
    }
    xml.end().start("ogc:SpatialOperators", &[]);
    for operator in SPATIAL {
        xml.empty("ogc:SpatialOperator", &[("name", operator)]);
    }
    xml.end_many(2);
    xml.start("ogc:Scalar_Capabilities", &[])
        .empty("ogc:LogicalOperators", &[])
        .start("ogc:ComparisonOperators", &[]);
    for operator in [
        "EqualTo",
        "NotEqualTo",
        "LessThan",
        "GreaterThan",
        "LessThanEqualTo",
        "GreaterThanEqualTo",
        "Like",
        "Between",
        "NullCheck",
    ] {
        xml.leaf("ogc:ComparisonOperator", operator);
    }
    xml.end_many(2);
    xml.start("ogc:Id_Capabilities", &[]).empty("ogc:EID", &[]).empty("ogc:FID", &[]).end_many(2);
}

fn filter_2(xml: &mut XmlWriter) {
    // CSW 3.0 describes filters with the older OWS 1.1 namespace.
    xml.start("fes20:Filter_Capabilities", &[("xmlns:ows11", "http://www.opengis.net/ows/1.1")]);
    xml.start("fes20:Conformance", &[]);
    for class in [
        "ImplementsQuery",
        "ImplementsAdHocQuery",
        "ImplementsFunctions",
        "ImplementsResourceId",
        "ImplementsMinStandardFilter",
        "ImplementsStandardFilter",
        "ImplementsMinSpatialFilter",
        "ImplementsSpatialFilter",
        "ImplementsMinTemporalFilter",
        "ImplementsTemporalFilter",
        "ImplementsVersionNav",
        "ImplementsSorting",
        "ImplementsExtendedOperators",
    ] {
        let not =
            ["ImplementsFunctions", "ImplementsVersionNav", "ImplementsExtendedOperators"].contains(&class);
        xml.start("fes20:Constraint", &[("name", class)]);
        xml.empty("ows11:NoValues", &[]);
        xml.leaf("ows11:DefaultValue", if not { "FALSE" } else { "TRUE" }).end();
    }
    xml.end();
    xml.start("fes20:Id_Capabilities", &[]).empty("fes20:ResourceIdentifier", &[("name", "csw30:id")]).end();
    xml.start("fes20:Scalar_Capabilities", &[])
        .empty("fes20:LogicalOperators", &[])
        .start("fes20:ComparisonOperators", &[]);
    for operator in [
        "PropertyIsEqualTo",
        "PropertyIsNotEqualTo",
        "PropertyIsLessThan",
        "PropertyIsGreaterThan",
        "PropertyIsLessThanOrEqualTo",
        "PropertyIsGreaterThanOrEqualTo",
        "PropertyIsLike",
        "PropertyIsBetween",
        "PropertyIsNull",
    ] {
        xml.empty("fes20:ComparisonOperator", &[("name", operator)]);
    }
    xml.end_many(2);
    xml.start("fes20:Spatial_Capabilities", &[]).start("fes20:GeometryOperands", &[]);
    for operand in ["gml32:Point", "gml32:LineString", "gml32:Polygon", "gml32:Envelope"] {
        xml.empty("fes20:GeometryOperand", &[("name", operand)]);
    }
    xml.end().start("fes20:SpatialOperators", &[]);
    for operator in SPATIAL {
        xml.empty("fes20:SpatialOperator", &[("name", operator)]);
    }
    xml.end_many(2);
    xml.start("fes20:Temporal_Capabilities", &[]).start("fes20:TemporalOperands", &[]);
    for operand in ["gml32:TimeInstant", "gml32:TimePeriod"] {
        xml.empty("fes20:TemporalOperand", &[("name", operand)]);
    }
    xml.end().start("fes20:TemporalOperators", &[]);
    // Only those that the published schema defines; AnyInteracts and Ends are supported, too.
    for operator in ["After", "Before", "During", "TEquals", "Begins", "BegunBy"] {
        xml.empty("fes20:TemporalOperator", &[("name", operator)]);
    }
    xml.end_many(3);
}
