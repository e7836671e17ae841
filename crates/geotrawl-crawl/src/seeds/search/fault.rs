//! Why an engine gave nothing: a class for counting, and a sentence that names the cause and the next step.

use crate::fetch::{FailureClass, FetchError};
use geotrawl_model::search_engine::EngineBackoff;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use std::fmt;

/// What kind of failure it was. [`FaultClass::as_str`] is what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineErrorClass {
    /// Something is missing in the configuration.
    NotConfigured,
    /// The key is wrong, or may not be used for this.
    Key,
    /// What the configuration allows is spent.
    Quota,
    /// The engine says that the quota is spent.
    TheirQuota,
    /// The engine wants to be asked more slowly.
    Rate,
    /// It is left alone after an earlier failure.
    Resting,
    /// SearXNG without `json` among its formats.
    FormatOff,
    /// A page that wants proof of a human.
    Captcha,
    /// A page or text instead of JSON.
    NotJson,
    /// JSON that is damaged.
    Malformed,
    /// JSON of another shape.
    Shape,
    /// It took too long.
    Timeout,
    /// No connection: name, network, certificate.
    Unreachable,
    /// Its address is not on the public internet, and nobody allowed it.
    Blocked,
    /// The answer broke off.
    Cut,
    /// The answer is larger than any page of results.
    TooLarge,
    /// Something is wrong on their side.
    Server,
    /// The question was not accepted.
    Refused,
    /// The address redirects.
    Moved,
    /// The instance answered, but the engines behind it did not.
    Upstream,
    /// The time for the whole search is over.
    Time,
    /// A file or the index here cannot be read.
    Local,
}

impl EngineErrorClass {
    /// The stable text for storing and counting.
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

    /// Whether the next question would fare no better.
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
    /// What happened, and what to do about it.
    pub message: String,
    /// How long to leave it alone.
    #[serde(skip)]
    pub rest: EngineBackoff,
}

/// After too many requests, when the engine does not say how long.
const SLOWER: EngineBackoff =
    EngineBackoff::Growing { first: SignedDuration::from_mins(1), most: SignedDuration::from_hours(1) };
/// After a spent quota or a page for humans.
const MUCH_LATER: EngineBackoff =
    EngineBackoff::Growing { first: SignedDuration::from_hours(1), most: SignedDuration::from_hours(24) };
/// Nobody is left alone longer, whatever a header says.
const LONGEST_REST: SignedDuration = SignedDuration::from_hours(31 * 24);

impl SearchEngineError {
    /// A failure after which nothing has to be waited for.
    pub fn new(class: EngineErrorClass, message: impl Into<String>) -> Self {
        Self { class, message: message.into(), rest: EngineBackoff::None }
    }

    /// Too many requests; `wait` is what the engine asks for.
    pub fn rate_limited(message: impl Into<String>, wait: Option<SignedDuration>, now: Timestamp) -> Self {
        Self { rest: until(wait, now).unwrap_or(SLOWER), ..Self::new(EngineErrorClass::Rate, message) }
    }

    /// The engine's own quota is spent.
    pub fn quota_exceeded(message: impl Into<String>, wait: Option<SignedDuration>, now: Timestamp) -> Self {
        Self {
            rest: until(wait, now).unwrap_or(MUCH_LATER),
            ..Self::new(EngineErrorClass::TheirQuota, message)
        }
    }

    /// A page that wants proof of a human.
    pub fn captcha_required(message: impl Into<String>) -> Self {
        Self { rest: MUCH_LATER, ..Self::new(EngineErrorClass::Captcha, message) }
    }

    /// No answer came.
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
                    "{told}; if this is an engine of your own, set its `allow_net`, e.g. [\"127.0.0.1/32\"]"
                ),
            ),
            FailureClass::TooLarge | FailureClass::Bomb => Self::new(
                EngineErrorClass::TooLarge,
                format!("{told}; that is no page of results: check the address of the engine"),
            ),
            FailureClass::Truncated | FailureClass::Decode => {
                Self::new(EngineErrorClass::Cut, format!("The answer broke off ({told}); try again later"))
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
                format!("{told}; check the `url` of the engine and that it runs"),
            ),
        }
    }

    /// Without a secret that somebody echoed.
    #[must_use]
    pub(super) fn redact(mut self, secret: Option<&str>) -> Self {
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
