//! Checks and their observations, in the form in which they are stored and displayed.

use crate::Status;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One test of a resource: every request with its result, and the verdict that follows from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Check {
    /// Kind of the resource.
    pub kind: String,
    /// Its address.
    pub url: String,
    pub at: Timestamp,
    /// In the order of the requests; never empty.
    pub observations: Vec<Observation>,
    /// Facts about the description that the score needs; absent if the description was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    /// Derived from the observations alone.
    pub verdict: Status,
    /// Stable class of the reason, for counting and for tests: `answers`, `slow`, `blank`, `exception`,
    /// `server-error`, `gone`, `login`, `key`, `firewall`, `forbidden`, `rate-limited`, `robots`, `dns`,
    /// `connect`, `tls`, `timeout`, `reset`, `wrong-content`, `malformed`, `too-large`, `moved`, ...
    pub cause: String,
    /// The reason in one sentence.
    pub reason: String,
}

/// One request of a check with its result: enough to repeat it and to dispute it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Observation {
    pub purpose: Purpose,
    /// The dataset that was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    pub request: CheckRequest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<CheckResponse>,
    /// Why there is no complete answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<CheckFailure>,
    pub phases: Phases,
    /// Classification of the answer.
    pub outcome: Outcome,
    /// What was observed, in words, without interpretation.
    pub seen: String,
}

/// Why a request was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// The self-description of the resource: capabilities, landing page, file header.
    Description,
    /// The scored operation on a sampled dataset.
    Operation,
    /// An invalid request that the server should reject with a proper error.
    Refusal,
}

/// A request exactly as it was sent.
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
    /// Maximum number of bytes to read of the answer.
    pub limit: u64,
}

/// The stored part of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckResponse {
    /// The address that answered, after redirects.
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    pub status: u16,
    /// Headers kept as evidence, names in lower case.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Redirects that were followed: status and target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<(u16, String)>,
    pub bytes: u64,
    /// Whether the limit, a reset or a timeout cut the body short.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// SHA-256 (hex) of the bytes that were read.
    pub hash: String,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckFailure {
    /// Failure class as the client names it: `dns`, `connect`, `tls`, `timeout`, `reset`, `robots`,
    /// ...
    pub class: String,
    /// One sentence.
    pub message: String,
}

/// Duration of each phase of a request, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Phases {
    pub dns: u32,
    pub connect: u32,
    pub tls: u32,
    pub first_byte: u32,
    /// Reading the body.
    pub transfer: u32,
    /// Total, without the time spent waiting for the crawl delay.
    pub total: u32,
}

/// Classification of an answer. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// As expected.
    Valid,
    /// Well-formed but empty: a map of one colour, or no features.
    Blank,
    /// A well-formed error report of the protocol.
    Exception,
    /// Something other than what was requested: a page, another kind, another image type.
    WrongContent,
    /// A web page instead of the requested content; neither a login nor a firewall page.
    Page,
    /// Cannot be parsed as the declared type.
    Malformed,
    /// A login form or a request for credentials.
    Login,
    /// A request for a key or token.
    Key,
    /// A firewall's page.
    Firewall,
    /// 403 without a further explanation.
    Forbidden,
    /// 429, or 503 with `Retry-After`.
    RateLimited,
    /// Disallowed by robots.txt.
    Robots,
    /// 404 or 410.
    Gone,
    /// Another 4xx.
    ClientError,
    /// 5xx.
    ServerError,
    /// The host name does not resolve.
    Dns,
    /// The connection was refused or not answered.
    Connect,
    /// No trusted encrypted connection.
    Tls,
    Timeout,
    /// The connection was reset.
    Reset,
    /// The answer exceeded the byte limit before it could be classified.
    TooLarge,
    /// Not sent: our own rules forbid the address, or it requires parameters that cannot be
    /// guessed.
    Refused,
}

/// Facts about a description; the score uses nothing else of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Facts {
    /// Whether the document is strictly well-formed.
    pub well_formed: bool,
    /// Whether root element, namespace and version match the standard.
    pub right_root: bool,
    pub datasets: u64,
    /// Whether every dataset has a name and all names differ.
    pub unique_names: bool,
    /// Size of the description in bytes.
    pub bytes: u64,
    /// The title, unless it is a software default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Length of the abstract in characters; 0 for a software default.
    pub abstract_length: u32,
    pub keywords: u32,
    pub organisation: bool,
    pub email: bool,
    pub licence: bool,
    /// Share of the datasets with a valid bounding box, 0 to 1.
    pub placed: f64,
    /// Share of the datasets whose title is neither their name nor a number, 0 to 1.
    pub titled: f64,
    /// Whether there is a link to metadata, or a date.
    pub metadata_or_date: bool,
    /// Whether the media type matches the document.
    pub media_type: bool,
    /// Whether an encoding is declared and correct.
    pub encoding: bool,
    /// Whether bounding boxes in the native reference system agree with the geographic ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis_order: Option<bool>,
    /// Whether the advertised request URLs use the service's own scheme and host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advertised: Option<bool>,
    /// Whether the response has the requested version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<bool>,
    /// For files: whether range requests work, and whether the reference system is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranges: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crs_known: Option<bool>,
    /// Ids of points that cannot be judged from what was read (`metadata.link`); the score skips
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}
