//! Failures of engines: a class for statistics, and a message with the cause and the next step.

use crate::fetch::{FailureClass, FetchError};
use geotrawl_model::search_engine::EngineBackoff;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use std::fmt;

/// The class of a failure. [`EngineErrorClass::as_str`] is the stored text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineErrorClass {
    /// A required setting is missing.
    NotConfigured,
    /// The key is wrong or not valid for this use.
    Key,
    /// The configured quota is used up.
    Quota,
    /// The engine reports that its quota is used up.
    TheirQuota,
    /// The engine reports too many requests.
    Rate,
    /// The engine is paused after an earlier failure.
    Resting,
    /// SearXNG without `json` in its formats.
    FormatOff,
    /// A CAPTCHA.
    Captcha,
    /// A web page or text instead of JSON.
    NotJson,
    /// Malformed JSON.
    Malformed,
    /// JSON with an unexpected structure.
    Shape,
    /// The request timed out.
    Timeout,
    /// The connection failed: name, network or certificate.
    Unreachable,
    /// The engine's address is not on the public internet and not allowed.
    Blocked,
    /// The response broke off.
    Cut,
    /// The response is larger than any page of results.
    TooLarge,
    /// A server error.
    Server,
    /// The query was rejected.
    Refused,
    /// The address redirects.
    Moved,
    /// A metasearch instance answered, but its engines did not.
    Upstream,
    /// The time for the whole search is over.
    Time,
    /// A local file or the index cannot be read.
    Local,
}

impl EngineErrorClass {
    /// Returns the stable text for storing and counting.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotConfigured => "not-configured",
            Self::Key => "key",
            Self::Quota => "quota",
            Self::TheirQuota => "their-quota",
            Self::Rate => "rate",
            Self::Resting => "resting",
            Self::FormatOff => "format-off",
            Self::Captcha => "captcha",
            Self::NotJson => "not-json",
            Self::Malformed => "malformed",
            Self::Shape => "shape",
            Self::Timeout => "timeout",
            Self::Unreachable => "unreachable",
            Self::Blocked => "blocked",
            Self::Cut => "cut",
            Self::TooLarge => "too-large",
            Self::Server => "server",
            Self::Refused => "refused",
            Self::Moved => "moved",
            Self::Upstream => "upstream",
            Self::Time => "time",
            Self::Local => "local",
        }
    }

    /// Whether further queries to the engine would fail as well.
    pub const fn ends_engine(self) -> bool {
        !matches!(
            self,
            Self::Malformed
                | Self::Shape
                | Self::Timeout
                | Self::Cut
                | Self::TooLarge
                | Self::Server
                | Self::Refused
                | Self::Upstream
        )
    }
}

impl fmt::Display for EngineErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A failure of an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[error("{message}")]
pub struct SearchEngineError {
    pub class: EngineErrorClass,
    /// What happened and what to do about it.
    pub message: String,
    /// How long to pause the engine.
    #[serde(skip)]
    pub rest: EngineBackoff,
}

/// Pause after too many requests, if the engine does not say how long.
const SLOWER: EngineBackoff =
    EngineBackoff::Growing { first: SignedDuration::from_mins(1), most: SignedDuration::from_hours(1) };
/// Pause after a used-up quota or a CAPTCHA.
const MUCH_LATER: EngineBackoff =
    EngineBackoff::Growing { first: SignedDuration::from_hours(1), most: SignedDuration::from_hours(24) };
/// The longest pause, whatever a header says.
const LONGEST_REST: SignedDuration = SignedDuration::from_hours(31 * 24);

impl SearchEngineError {
    /// Creates a failure without a pause.
    pub fn new(class: EngineErrorClass, message: impl Into<String>) -> Self {
        Self { class, message: message.into(), rest: EngineBackoff::None }
    }

    /// Creates the failure for too many requests; `wait` is the time that the engine asks for.
    pub fn rate_limited(message: impl Into<String>, wait: Option<SignedDuration>, now: Timestamp) -> Self {
        Self { rest: until(wait, now).unwrap_or(SLOWER), ..Self::new(EngineErrorClass::Rate, message) }
    }

    /// Creates the failure for a quota that the engine reports as used up.
    pub fn quota_exceeded(message: impl Into<String>, wait: Option<SignedDuration>, now: Timestamp) -> Self {
        Self {
            rest: until(wait, now).unwrap_or(MUCH_LATER),
            ..Self::new(EngineErrorClass::TheirQuota, message)
        }
    }

    /// Creates the failure for a CAPTCHA.
    pub fn captcha_required(message: impl Into<String>) -> Self {
        Self { rest: MUCH_LATER, ..Self::new(EngineErrorClass::Captcha, message) }
    }

    /// Converts a failed fetch.
    pub fn from_fetch_error(failure: &FetchError) -> Self {
        let told = &failure.message;
        match failure.class {
            FailureClass::Timeout(_) => Self::new(
                EngineErrorClass::Timeout,
                format!("{told}; try again later, or set a longer `timeout`"),
            ),
            FailureClass::BlockedAddress | FailureClass::BlockedPort => Self::new(
                EngineErrorClass::Blocked,
                format!(
                    "{told}; if you run this engine yourself, set its `allow_net`, e.g. [\"127.0.0.1/32\"]"
                ),
            ),
            FailureClass::TooLarge | FailureClass::Bomb => Self::new(
                EngineErrorClass::TooLarge,
                format!("{told}, which is too large for a page of results; check the `url` of the engine"),
            ),
            FailureClass::Truncated | FailureClass::Decode => {
                Self::new(EngineErrorClass::Cut, format!("The response broke off ({told}); try again later"))
            }
            FailureClass::BadUrl => {
                Self::new(EngineErrorClass::NotConfigured, format!("{told}; check the `url` of the engine"))
            }
            FailureClass::Resting => Self::new(EngineErrorClass::Resting, format!("{told}; try again later")),
            FailureClass::Tls => Self::new(
                EngineErrorClass::Unreachable,
                format!("{told}; check the `url`, or trust its certificate with `fetch.extra_roots`"),
            ),
            _ => Self::new(
                EngineErrorClass::Unreachable,
                format!("{told}; check the `url` of the engine and that it is running"),
            ),
        }
    }

    /// Replaces the secret in the message, in case the engine echoed it.
    #[must_use]
    pub(super) fn redact(mut self, secret: Option<&str>) -> Self {
        // Replacing a very short key would garble ordinary text.
        if let Some(secret) = secret.filter(|secret| secret.len() >= 4) {
            self.message = self.message.replace(secret, "***");
        }
        self
    }
}

fn until(wait: Option<SignedDuration>, now: Timestamp) -> Option<EngineBackoff> {
    let wait = wait.filter(SignedDuration::is_positive)?.min(LONGEST_REST);
    now.checked_add(wait).ok().map(EngineBackoff::Until)
}
