//! Checks and what they say: stored as they are here, printed as they are here.

use crate::Status;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One visit to a resource: every request with what came of it, and the verdict that follows from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Check {
    /// Kind of the resource.
    pub kind: String,
    /// Its address.
    pub url: String,
    pub at: Timestamp,
    /// In the order they were made; never empty.
    pub observations: Vec<Observation>,
    /// What the description holds, as far as the score asks; absent when it was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    /// Always what the rules say of the observations.
    pub verdict: Status,
    /// Stable class of the reason, for counting and for tests: `answers`, `slow`, `blank`, `exception`,
    /// `server-error`, `gone`, `login`, `key`, `firewall`, `forbidden`, `rate-limited`, `robots`, `dns`,
    /// `connect`, `tls`, `timeout`, `reset`, `wrong-content`, `malformed`, `too-large`, `moved`, ...
    pub cause: String,
    /// The reason in words, one sentence.
    pub reason: String,
}

/// One request of a check and what came of it: enough to repeat it and to argue with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Observation {
    pub purpose: Purpose,
    /// The dataset that it asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    pub request: CheckRequest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<CheckResponse>,
    /// Why there is no (whole) answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<CheckFailure>,
    pub phases: Phases,
    /// What the answer was.
    pub outcome: Outcome,
    /// The same in words: what was seen, not what it means.
    pub seen: String,
}

/// Why a request was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// What the resource says about itself: capabilities, landing page, header of a file.
    Description,
    /// The scored operation on a sampled dataset.
    Operation,
    /// A question that must be refused properly.
    Refusal,
}

/// A request, exactly.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckRequest {
    /// `GET` or `POST`.
    pub method: String,
    pub url: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub accept: String,
    /// Value of the `Range` header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Most bytes that were read of the answer.
    pub limit: u64,
}

/// An answer, as far as it is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckResponse {
    /// The address that answered, after redirects.
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    pub status: u16,
    /// Headers that tell something, names in lower case.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Redirects on the way: where and with which status.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<(u16, String)>,
    pub bytes: u64,
    /// The limit, a reset or a timeout ended the body early.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// SHA-256 (hex) of the bytes as read.
    pub hash: String,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckFailure {
    /// Class of the failure as the client names it: `dns`, `connect`, `tls`, `timeout`, `reset`, `robots`, ...
    pub class: String,
    /// One sentence.
    pub message: String,
}

/// Where the time went, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Phases {
    pub dns: u32,
    pub connect: u32,
    pub tls: u32,
    pub first_byte: u32,
    /// Reading the body.
    pub transfer: u32,
    /// All of it, our own waiting not counted.
    pub total: u32,
}

/// What an answer was. The words are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// As it should be.
    Valid,
    /// As it should be, but with nothing in it: a map of one colour, no feature.
    Blank,
    /// A well-formed report of an error, in the way of the protocol.
    Exception,
    /// Something else than was asked for (a page, another kind, another image type).
    WrongContent,
    /// A web page for people instead of what was asked for: no login, no firewall, perhaps a 404 with status 200.
    Page,
    /// Broken: not readable as what it says it is.
    Malformed,
    /// A login form or a demand for credentials.
    Login,
    /// A demand for a key or token.
    Key,
    /// A firewall's page.
    Firewall,
    /// 403 without more.
    Forbidden,
    /// 429, or 503 with `Retry-After`.
    RateLimited,
    /// robots.txt keeps us away.
    Robots,
    /// 404 or 410.
    Gone,
    /// Another 4xx.
    ClientError,
    /// 5xx.
    ServerError,
    /// The name has no address.
    Dns,
    /// Nobody answers there.
    Connect,
    /// No trustworthy encrypted connection.
    Tls,
    Timeout,
    /// The connection broke.
    Reset,
    /// More bytes than a check may read, before anything could be said.
    TooLarge,
    /// Our own rules forbid the address, or it cannot be asked without parameters that nobody can guess.
    Refused,
}

/// What a description holds, as far as the score asks: the score needs nothing else of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Facts {
    /// The document is well-formed, strictly.
    pub well_formed: bool,
    /// Root, namespace and version are as the standard says.
    pub right_root: bool,
    pub datasets: u64,
    /// Every dataset has a name, and no two the same.
    pub unique_names: bool,
    /// Size of the description in bytes.
    pub bytes: u64,
    /// The title, unless it is a default of the software.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Characters of an abstract that is no default of the software.
    pub abstract_length: u32,
    pub keywords: u32,
    pub organisation: bool,
    pub email: bool,
    pub licence: bool,
    /// Share of the datasets with a valid box, 0 to 1.
    pub placed: f64,
    /// Share of the datasets whose title is more than their name and no number, 0 to 1.
    pub titled: f64,
    /// A link to metadata, or a date.
    pub metadata_or_date: bool,
    /// The media type is right for the document.
    pub media_type: bool,
    /// The encoding is declared, and as declared.
    pub encoding: bool,
    /// Boxes in the service's own system agree with the geographic ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis_order: Option<bool>,
    /// The addresses that it gives for requests have its own scheme and host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advertised: Option<bool>,
    /// The version that was asked for is the one that came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<bool>,
    /// Of a file: ranges are honoured, its reference system is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranges: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crs_known: Option<bool>,
    /// Ids of points that cannot be told from what was read (`metadata.link`): the score leaves them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}
