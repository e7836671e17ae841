//! CSW 2.0.2 and 3.0: requests in three forms (keys and values, XML, SOAP) become one [`Asked`]; answers are written in
//! the words of the version that was asked.

mod answer;
mod capabilities;
mod describe;
mod domain;
mod exception;
mod kvp;
mod post;

pub use answer::{Page, by_id, needs_layers, records};
pub use capabilities::capabilities;
pub use describe::describe;
pub use domain::{Domain, Values, domains, parameter};
pub use exception::{Code, Exception};
pub use kvp::read as read_kvp;
pub use post::read as read_post;

use crate::iso::GMD;
use crate::{fes, place, queryables, tree};
use geotrawl_index::{Filter, Property, Query, Relation, Sort};

/// Most records of one answer.
pub const MOST_RECORDS: usize = 500;
/// Records of an answer where nothing is said.
const USUAL_RECORDS: usize = 10;
/// Most identifiers asked for at once.
const MOST_IDS: usize = 500;

/// Version of the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// 2.0.2
    V2,
    /// 3.0.0
    V3,
}

impl Version {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2 => "2.0.2",
            Self::V3 => "3.0.0",
        }
    }

    /// Namespace of its elements.
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

/// Version of the envelope of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soap {
    V11,
    V12,
}

/// How much of a record is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementSet {
    Brief,
    Summary,
    Full,
}

impl ElementSet {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Brief => "brief",
            Self::Summary => "summary",
            Self::Full => "full",
        }
    }
}

/// What of a record is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Elements {
    Set(ElementSet),
    Names(Vec<String>),
}

/// In what records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schema {
    DublinCore,
    Iso,
}

impl Schema {
    /// Its address.
    pub fn uri(self, version: Version) -> &'static str {
        match self {
            Self::DublinCore => version.namespace(),
            Self::Iso => GMD,
        }
    }
}

/// How records are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    pub schema: Schema,
    pub elements: Elements,
}

/// What a search gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultType {
    Hits,
    Results,
    Validate,
}

/// A search.
#[derive(Debug, Clone, PartialEq)]
pub struct GetRecords {
    pub result: ResultType,
    /// Its offset and limit are those of the page.
    pub query: Query,
    pub output: Output,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    Capabilities {
        /// Empty: all.
        sections: Vec<String>,
        update_sequence: Option<String>,
    },
    DescribeRecord {
        /// Empty: all.
        type_names: Vec<String>,
    },
    GetRecords(Box<GetRecords>),
    GetRecordById {
        ids: Vec<String>,
        output: Output,
    },
    GetDomain {
        properties: Vec<String>,
        parameters: Vec<String>,
    },
}

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub version: Version,
    pub soap: Option<Soap>,
    pub operation: Operation,
}

/// Why a request is refused, in the words of this version and form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub version: Version,
    pub soap: Option<Soap>,
    pub exception: Exception,
}

/// What every answer says of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Address of the server, without a slash at the end.
    pub base: String,
    pub title: String,
    pub now: jiff::Timestamp,
    /// Sequence number of the last change.
    pub sequence: i64,
}

impl Site {
    /// Where requests go.
    pub fn endpoint(&self) -> String {
        format!("{}/csw", self.base)
    }

    /// Where people read about a record.
    pub fn page(&self, id: &str) -> String {
        format!(
            "{}/service/{}",
            self.base,
            url::form_urlencoded::byte_serialize(id.as_bytes()).collect::<String>()
        )
    }
}

/// Parts of requests that both forms have, before they are understood.
#[derive(Debug, Default)]
struct Parts {
    result_type: Option<String>,
    output_format: Option<String>,
    output_schema: Option<String>,
    start: Option<String>,
    most: Option<String>,
    type_names: Option<String>,
    element_set: Option<String>,
    element_names: Vec<String>,
    constraint: Option<Filter>,
    /// Name, and whether it goes down.
    sort: Vec<(String, bool)>,
    words: Option<String>,
    bbox: Option<String>,
    time: Option<String>,
    ids: Vec<String>,
}

fn filled(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

impl Parts {
    fn output(&self, version: Version) -> Result<Output, Exception> {
        if let Some(format) = filled(self.output_format.as_ref()) {
            let media = format.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            if !matches!(media.as_str(), "application/xml" | "text/xml") {
                return Err(Exception::invalid("outputFormat", "Records are given as application/xml."));
            }
        }
        let schema = match filled(self.output_schema.as_ref()) {
            None => Schema::DublinCore,
            Some(asked) if asked == version.namespace() => Schema::DublinCore,
            Some("csw:Record" | "Record" | "csw30:Record") => Schema::DublinCore,
            Some(GMD | "csw:IsoRecord" | "IsoRecord") => Schema::Iso,
            Some(other) => {
                return Err(Exception::invalid(
                    "outputSchema",
                    format!(
                        "Records are given by {} and {GMD}, not by {}.",
                        version.namespace(),
                        short(other)
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
        let elements = match filled(self.element_set.as_ref()) {
            Some(_) if !names.is_empty() => {
                return Err(Exception::invalid(
                    "ElementName",
                    "Either ElementSetName or ElementName is given.",
                ));
            }
            None if !names.is_empty() => Elements::Names(names),
            None => Elements::Set(ElementSet::Summary),
            Some(name) => Elements::Set(match name.to_ascii_lowercase().as_str() {
                "brief" => ElementSet::Brief,
                "summary" => ElementSet::Summary,
                "full" => ElementSet::Full,
                _ => {
                    return Err(Exception::invalid("ElementSetName", "It is brief, summary or full."));
                }
            }),
        };
        Ok(Output { schema, elements })
    }

    fn check_types(&self, version: Version) -> Result<(), Exception> {
        let Some(names) = filled(self.type_names.as_ref()) else {
            return match version {
                Version::V2 => Err(Exception::missing("typeNames")),
                Version::V3 => Ok(()),
            };
        };
        for name in names.split([',', ' ']).filter(|name| !name.is_empty()) {
            let local = name.rsplit(':').next().unwrap_or_default();
            if !matches!(local, "Record" | "MD_Metadata" | "BriefRecord" | "SummaryRecord") {
                return Err(Exception::invalid(
                    "typeNames",
                    format!("There are csw:Record and gmd:MD_Metadata, and no {}.", short(name)),
                ));
            }
        }
        Ok(())
    }

    fn get_records(mut self, version: Version) -> Result<GetRecords, Exception> {
        self.check_types(version)?;
        let output = self.output(version)?;
        let result =
            match (version, filled(self.result_type.as_ref()).map(str::to_ascii_lowercase).as_deref()) {
                (Version::V2, None) | (_, Some("hits")) => ResultType::Hits,
                (_, Some("results")) | (Version::V3, None) => ResultType::Results,
                (_, Some("validate")) => ResultType::Validate,
                (_, Some(_)) => {
                    return Err(Exception::invalid("resultType", "It is hits, results or validate."));
                }
            };
        let start = match filled(self.start.as_ref()) {
            None => 1,
            Some(text) => text
                .parse::<usize>()
                .map_err(|_no_number| Exception::invalid("startPosition", "It is a number from 1 on."))?,
        };
        let most = match filled(self.most.as_ref()) {
            None => USUAL_RECORDS,
            Some("unlimited") => MOST_RECORDS,
            Some(text) => text
                .parse::<usize>()
                .map_err(|_no_number| Exception::invalid("maxRecords", "It is a number from 0 on."))?,
        };
        let mut conditions: Vec<Filter> = self.constraint.take().into_iter().collect();
        if let Some(text) = filled(self.bbox.as_ref()) {
            let bbox = place::bbox(text).ok_or_else(|| {
                Exception::invalid(
                    "bbox",
                    "It is west, south, east, north in degrees, and maybe a reference system.",
                )
            })?;
            conditions.push(Filter::Place { relation: Relation::Overlaps, bbox });
        }
        if let Some(text) = filled(self.time.as_ref()) {
            let open = |text: &str| (!matches!(text, "" | "..")).then(|| text.to_owned());
            let (from, until) = text.split_once('/').unwrap_or((text, text));
            conditions.push(Filter::Time { property: Property::Time, from: open(from), until: open(until) });
        }
        if !self.ids.is_empty() {
            conditions.push(Filter::Ids(bounded(std::mem::take(&mut self.ids))?));
        }
        let words = self.words.take().unwrap_or_default();
        let sort = match self.sort.first() {
            Some((name, down)) => {
                queryables::sort(name, *down).map_err(|why| Exception::invalid("SortBy", why))?
            }
            // By rank where there is something to rank by; else so that a harvest by pages misses nothing.
            None if !words.trim().is_empty() || conditions.iter().any(has_text) => Sort::Best,
            None => Sort::Oldest,
        };
        let filter = match conditions.len() {
            0 => None,
            1 => conditions.pop(),
            _ => Some(Filter::All(conditions)),
        };
        let limit = if result == ResultType::Results { most.min(MOST_RECORDS) } else { 0 };
        let query = Query { words, filter, sort, offset: start.max(1) - 1, limit, ..Query::default() };
        Ok(GetRecords { result, query, output })
    }

    fn get_by_id(mut self, version: Version) -> Result<Operation, Exception> {
        let output = self.output(version)?;
        let ids = bounded(std::mem::take(&mut self.ids))?;
        if ids.is_empty() {
            return Err(Exception::missing("id"));
        }
        Ok(Operation::GetRecordById { ids, output })
    }
}

fn bounded(ids: Vec<String>) -> Result<Vec<String>, Exception> {
    if ids.len() > MOST_IDS {
        return Err(Exception::invalid("id", format!("At most {MOST_IDS} records are asked for at once.")));
    }
    Ok(ids)
}

fn has_text(filter: &Filter) -> bool {
    match filter {
        Filter::All(inside) | Filter::Any(inside) => inside.iter().any(has_text),
        Filter::Words(_) | Filter::Like { property: Property::Any, .. } => true,
        _ => false,
    }
}

/// A filter in XML.
fn filter_of(node: &tree::Node) -> Result<Filter, Exception> {
    fes::read(node).map_err(|why| Exception::invalid("Constraint", why))
}

fn cql_of(text: &str) -> Result<Filter, Exception> {
    crate::cql::read(text).map_err(|why| Exception::invalid("Constraint", why))
}

fn short(text: &str) -> String {
    text.chars().take(100).collect()
}

#[cfg(test)]
mod tests;
