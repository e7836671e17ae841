//! CSW 2.0.2 and 3.0. Requests in three encodings (key-value pairs, XML, SOAP) become one
//! [`CswRequest`]; responses use the version of the request.

mod answer;
mod capabilities;
mod describe;
mod domain;
mod exception;
mod kvp;
mod post;

pub use answer::{CswPage, needs_layers, render_by_id, render_records};
pub use capabilities::render_capabilities;
pub use describe::describe_record;
pub use domain::{DomainEntry, DomainValues, parameter_values, render_domains};
pub use exception::{CswException, ExceptionCode};
pub use kvp::parse_query as read_kvp;
pub use post::parse_document as read_post;

use crate::iso::GMD;
use crate::{fes, place, queryables, tree};
use geotrawl_index::{FilterExpression, FilterProperty, SearchQuery, SortOrder, SpatialRelation};

/// Maximum number of records per response.
pub const MOST_RECORDS: usize = 500;
/// Default number of records per response.
const USUAL_RECORDS: usize = 10;
/// Maximum number of identifiers per request.
const MOST_IDS: usize = 500;

/// Version of CSW.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CswVersion {
    /// 2.0.2
    V2,
    /// 3.0.0
    V3,
}

impl CswVersion {
    /// Returns the version as written in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2 => "2.0.2",
            Self::V3 => "3.0.0",
        }
    }

    /// Returns the namespace of its elements.
    pub fn namespace(self) -> &'static str {
        match self {
            Self::V2 => "http://www.opengis.net/cat/csw/2.0.2",
            Self::V3 => "http://www.opengis.net/cat/csw/3.0",
        }
    }

    fn named(text: &str) -> Option<Self> {
        match text.trim() {
            "2.0.2" => Some(Self::V2),
            "3.0" | "3.0.0" => Some(Self::V3),
            _ => None,
        }
    }
}

/// SOAP version of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoapVersion {
    V11,
    V12,
}

/// Level of detail of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementSet {
    Brief,
    Summary,
    Full,
}

impl ElementSet {
    /// Returns the name as written in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Brief => "brief",
            Self::Summary => "summary",
            Self::Full => "full",
        }
    }
}

/// Selection of elements of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ElementSelection {
    Set(ElementSet),
    Names(Vec<String>),
}

/// Metadata schema of the returned records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputSchema {
    DublinCore,
    Iso,
}

impl OutputSchema {
    /// Returns its URI.
    pub fn uri(self, version: CswVersion) -> &'static str {
        match self {
            Self::DublinCore => version.namespace(),
            Self::Iso => GMD,
        }
    }
}

/// How records are encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordOutput {
    pub schema: OutputSchema,
    pub elements: ElementSelection,
}

/// What a search returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultType {
    Hits,
    Results,
    Validate,
}

/// A GetRecords request.
#[derive(Debug, Clone, PartialEq)]
pub struct GetRecords {
    pub result: ResultType,
    /// Query for the index; its offset and limit are those of the page.
    pub query: SearchQuery,
    pub output: RecordOutput,
}

/// The operation of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum CswOperation {
    Capabilities {
        /// Empty: all sections.
        sections: Vec<String>,
        update_sequence: Option<String>,
    },
    DescribeRecord {
        /// Empty: all types.
        type_names: Vec<String>,
    },
    GetRecords(Box<GetRecords>),
    GetRecordById {
        ids: Vec<String>,
        output: RecordOutput,
    },
    GetDomain {
        properties: Vec<String>,
        parameters: Vec<String>,
    },
}

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct CswRequest {
    pub version: CswVersion,
    pub soap: Option<SoapVersion>,
    pub operation: CswOperation,
}

/// Why a request was refused, with the version and encoding of the response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CswError {
    pub version: CswVersion,
    pub soap: Option<SoapVersion>,
    pub exception: CswException,
}

/// The catalogue, as all responses describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CswSite {
    /// Public address of the server, without a trailing slash.
    pub base: String,
    pub title: String,
    pub now: jiff::Timestamp,
    /// Sequence number of the last change.
    pub sequence: i64,
}

impl CswSite {
    /// Returns the address of the CSW endpoint.
    pub fn endpoint(&self) -> String {
        format!("{}/csw", self.base)
    }

    /// Returns the address of the page of a record.
    pub fn record_page(&self, id: &str) -> String {
        format!(
            "{}/service/{}",
            self.base,
            url::form_urlencoded::byte_serialize(id.as_bytes()).collect::<String>()
        )
    }
}

/// Raw values of a request, common to all encodings.
#[derive(Debug, Default)]
struct RequestParts {
    result_type: Option<String>,
    output_format: Option<String>,
    output_schema: Option<String>,
    start: Option<String>,
    most: Option<String>,
    type_names: Option<String>,
    element_set: Option<String>,
    element_names: Vec<String>,
    constraint: Option<FilterExpression>,
    /// Property names, and whether the order is descending.
    sort: Vec<(String, bool)>,
    words: Option<String>,
    bbox: Option<String>,
    time: Option<String>,
    ids: Vec<String>,
}

fn non_blank(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

impl RequestParts {
    fn output(&self, version: CswVersion) -> Result<RecordOutput, CswException> {
        if let Some(format) = non_blank(self.output_format.as_ref()) {
            let media = format.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            if !matches!(media.as_str(), "application/xml" | "text/xml") {
                return Err(CswException::invalid_parameter(
                    "outputFormat",
                    "The only format is application/xml.",
                ));
            }
        }
        let schema = match non_blank(self.output_schema.as_ref()) {
            None => OutputSchema::DublinCore,
            Some(asked) if asked == version.namespace() => OutputSchema::DublinCore,
            Some("csw:Record" | "Record" | "csw30:Record") => OutputSchema::DublinCore,
            Some(GMD | "csw:IsoRecord" | "IsoRecord") => OutputSchema::Iso,
            Some(other) => {
                return Err(CswException::invalid_parameter(
                    "outputSchema",
                    format!(
                        "The supported schemas are {} and {GMD}, not {}.",
                        version.namespace(),
                        shorten(other)
                    ),
                ));
            }
        };
        let names: Vec<String> = self
            .element_names
            .iter()
            .flat_map(|names| names.split([',', ' ']))
            .filter(|name| !name.is_empty())
            .take(100)
            .map(str::to_owned)
            .collect();
        let elements = match non_blank(self.element_set.as_ref()) {
            Some(_) if !names.is_empty() => {
                return Err(CswException::invalid_parameter(
                    "ElementName",
                    "Use either ElementSetName or ElementName, not both.",
                ));
            }
            None if !names.is_empty() => ElementSelection::Names(names),
            None => ElementSelection::Set(ElementSet::Summary),
            Some(name) => ElementSelection::Set(match name.to_ascii_lowercase().as_str() {
                "brief" => ElementSet::Brief,
                "summary" => ElementSet::Summary,
                "full" => ElementSet::Full,
                _ => {
                    return Err(CswException::invalid_parameter(
                        "ElementSetName",
                        "It must be brief, summary or full.",
                    ));
                }
            }),
        };
        Ok(RecordOutput { schema, elements })
    }

    fn check_types(&self, version: CswVersion) -> Result<(), CswException> {
        let Some(names) = non_blank(self.type_names.as_ref()) else {
            // CSW 2.0.2 requires typeNames; 3.0 has a default.
            return match version {
                CswVersion::V2 => Err(CswException::missing_parameter("typeNames")),
                CswVersion::V3 => Ok(()),
            };
        };
        for name in names.split([',', ' ']).filter(|name| !name.is_empty()) {
            let local = name.rsplit(':').next().unwrap_or_default();
            if !matches!(local, "Record" | "MD_Metadata" | "BriefRecord" | "SummaryRecord") {
                return Err(CswException::invalid_parameter(
                    "typeNames",
                    format!("Unknown type {}; the types are csw:Record and gmd:MD_Metadata.", shorten(name)),
                ));
            }
        }
        Ok(())
    }

    fn get_records(mut self, version: CswVersion) -> Result<GetRecords, CswException> {
        self.check_types(version)?;
        let output = self.output(version)?;
        let result =
            match (version, non_blank(self.result_type.as_ref()).map(str::to_ascii_lowercase).as_deref()) {
                (CswVersion::V2, None) | (_, Some("hits")) => ResultType::Hits,
                (_, Some("results")) | (CswVersion::V3, None) => ResultType::Results,
                (_, Some("validate")) => ResultType::Validate,
                (_, Some(_)) => {
                    return Err(CswException::invalid_parameter(
                        "resultType",
                        "It must be hits, results or validate.",
                    ));
                }
            };
        let start = match non_blank(self.start.as_ref()) {
            None => 1,
            Some(text) => text.parse::<usize>().map_err(|_no_number| {
                CswException::invalid_parameter("startPosition", "It must be a number of at least 1.")
            })?,
        };
        let most = match non_blank(self.most.as_ref()) {
            None => USUAL_RECORDS,
            Some("unlimited") => MOST_RECORDS,
            Some(text) => text.parse::<usize>().map_err(|_no_number| {
                CswException::invalid_parameter("maxRecords", "It must be a number of at least 0.")
            })?,
        };
        let mut conditions: Vec<FilterExpression> = self.constraint.take().into_iter().collect();
        if let Some(text) = non_blank(self.bbox.as_ref()) {
            let bbox = place::parse_bbox(text).ok_or_else(|| {
                CswException::invalid_parameter(
                    "bbox",
                    "It must be west, south, east, north in degrees, with an optional reference system.",
                )
            })?;
            conditions.push(FilterExpression::Place { relation: SpatialRelation::Overlaps, bbox });
        }
        if let Some(text) = non_blank(self.time.as_ref()) {
            let open = |text: &str| (!matches!(text, "" | "..")).then(|| text.to_owned());
            let (from, until) = text.split_once('/').unwrap_or((text, text));
            conditions.push(FilterExpression::Time {
                property: FilterProperty::Time,
                from: open(from),
                until: open(until),
            });
        }
        if !self.ids.is_empty() {
            conditions.push(FilterExpression::Ids(limit_ids(std::mem::take(&mut self.ids))?));
        }
        let words = self.words.take().unwrap_or_default();
        let sort = match self.sort.first() {
            Some((name, down)) => queryables::parse_sort(name, *down)
                .map_err(|why| CswException::invalid_parameter("SortBy", why))?,
            // By rank if there is text to rank by, else in an order in which a harvest by pages
            // misses nothing.
            None if !words.trim().is_empty() || conditions.iter().any(has_text) => SortOrder::Best,
            None => SortOrder::Oldest,
        };
        let filter = match conditions.len() {
            0 => None,
            1 => conditions.pop(),
            _ => Some(FilterExpression::All(conditions)),
        };
        // Only `results` returns records; for the other types a count is enough.
        let limit = if result == ResultType::Results { most.min(MOST_RECORDS) } else { 0 };
        let query =
            SearchQuery { words, filter, sort, offset: start.max(1) - 1, limit, ..SearchQuery::default() };
        Ok(GetRecords { result, query, output })
    }

    fn get_by_id(mut self, version: CswVersion) -> Result<CswOperation, CswException> {
        let output = self.output(version)?;
        let ids = limit_ids(std::mem::take(&mut self.ids))?;
        if ids.is_empty() {
            return Err(CswException::missing_parameter("id"));
        }
        Ok(CswOperation::GetRecordById { ids, output })
    }
}

fn limit_ids(ids: Vec<String>) -> Result<Vec<String>, CswException> {
    if ids.len() > MOST_IDS {
        return Err(CswException::invalid_parameter(
            "id",
            format!("A request can ask for up to {MOST_IDS} records."),
        ));
    }
    Ok(ids)
}

fn has_text(filter: &FilterExpression) -> bool {
    // Conditions below a negation do not contribute to the rank, so they are ignored.
    match filter {
        FilterExpression::All(inside) | FilterExpression::Any(inside) => inside.iter().any(has_text),
        FilterExpression::Words(_) | FilterExpression::Like { property: FilterProperty::Any, .. } => true,
        _ => false,
    }
}

/// Parses a filter in XML.
fn filter_of(node: &tree::XmlElement) -> Result<FilterExpression, CswException> {
    fes::parse_filter(node).map_err(|why| CswException::invalid_parameter("Constraint", why))
}

fn cql_of(text: &str) -> Result<FilterExpression, CswException> {
    crate::cql::parse_constraint(text).map_err(|why| CswException::invalid_parameter("Constraint", why))
}

fn shorten(text: &str) -> String {
    text.chars().take(100).collect()
}

#[cfg(test)]
mod tests;
