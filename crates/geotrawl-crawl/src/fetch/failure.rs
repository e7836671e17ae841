//! Failed fetches, as data that is stored and displayed.

use std::fmt;

/// Why a fetch failed: a stable class for statistics, a message, and whether a retry can help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FetchError {
    pub class: FailureClass,
    /// One sentence for the user, e.g. "The server did not respond within 30 s".
    pub message: String,
    /// Whether the same request may succeed later (a reset, a timeout).
    pub retry: bool,
}

/// The class of a failure. [`FailureClass::as_str`] is the stored text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureClass {
    /// The URL cannot be requested: unsupported scheme, no host, too long.
    BadUrl,
    /// The host name has no address.
    Dns,
    /// No connection: refused or unreachable.
    Connect,
    /// No TLS connection: certificate or handshake.
    Tls,
    /// A phase or the whole request timed out.
    Timeout(RequestPhase),
    /// robots.txt forbids the request or could not be read.
    Robots,
    /// The address is not on the public internet and the operator has not allowed it.
    BlockedAddress,
    /// The port belongs to a protocol other than HTTP.
    BlockedPort,
    /// The body or the headers are larger than allowed.
    TooLarge,
    /// The body is a decompression bomb.
    Bomb,
    /// The connection broke before a response arrived.
    Reset,
    /// The connection broke in the middle of the body.
    Truncated,
    /// The compressed body is damaged or nested too deeply.
    Decode,
    /// The response is not HTTP.
    Protocol,
    /// A redirect leads back to a URL that was already requested.
    RedirectLoop,
    /// More redirects than allowed.
    TooManyRedirects,
    /// A redirect leads to something other than an http(s) URL.
    BadRedirect,
    /// The host is backing off for longer than a request may wait.
    Resting,
    /// This machine is out of sockets or memory.
    Local,
    /// This process no longer holds the lease for the host; another one may be using it.
    OffLoan,
}

/// The part of a request that timed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequestPhase {
    Dns,
    Connect,
    Tls,
    FirstByte,
    /// Between two pieces of the body.
    Idle,
    Total,
}

impl FailureClass {
    /// Returns the stable text for storing and counting.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadUrl => "bad-url",
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Timeout(_) => "timeout",
            Self::Robots => "robots",
            Self::BlockedAddress => "blocked-address",
            Self::BlockedPort => "blocked-port",
            Self::TooLarge => "too-large",
            Self::Bomb => "bomb",
            Self::Reset => "reset",
            Self::Truncated => "truncated",
            Self::Decode => "decode",
            Self::Protocol => "protocol",
            Self::RedirectLoop => "redirect-loop",
            Self::TooManyRedirects => "too-many-redirects",
            Self::BadRedirect => "bad-redirect",
            Self::Resting => "resting",
            Self::Local => "local",
            Self::OffLoan => "off-loan",
        }
    }
}

impl fmt::Display for FailureClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for RequestPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::FirstByte => "first-byte",
            Self::Idle => "idle",
            Self::Total => "total",
        })
    }
}

impl FetchError {
    /// Creates a failure that a retry cannot fix.
    pub fn lasting(class: FailureClass, message: impl Into<String>) -> Self {
        Self { class, message: message.into(), retry: false }
    }

    /// Creates a failure that a retry may fix.
    pub fn passing(class: FailureClass, message: impl Into<String>) -> Self {
        Self { class, message: message.into(), retry: true }
    }

    /// Creates the failure for a host that must not be contacted for another `rest`.
    pub(super) fn backing_off(rest: std::time::Duration) -> Self {
        let message =
            format!("The server is overloaded; no requests to it for another {}", DisplaySeconds(rest));
        Self::passing(FailureClass::Resting, message)
    }

    /// Creates the failure for a `phase` that took longer than `limit`.
    pub fn timeout(phase: RequestPhase, limit: std::time::Duration) -> Self {
        let seconds = DisplaySeconds(limit);
        let message = match phase {
            RequestPhase::Dns => format!("The name could not be looked up within {seconds}"),
            RequestPhase::Connect => format!("The server did not accept a connection within {seconds}"),
            RequestPhase::Tls => format!("The secure connection was not set up within {seconds}"),
            RequestPhase::FirstByte => format!("The server did not start to respond within {seconds}"),
            RequestPhase::Idle => {
                format!("The server sent nothing for {seconds} in the middle of its response")
            }
            RequestPhase::Total => format!("The server did not finish its answer within {seconds}"),
        };
        Self::passing(FailureClass::Timeout(phase), message)
    }
}

/// Displays `30 s`, `1.5 s` or `200 ms`.
struct DisplaySeconds(std::time::Duration);

impl fmt::Display for DisplaySeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.as_millis() < 1000 {
            write!(f, "{} ms", self.0.as_millis())
        } else if self.0.subsec_millis() < 50 {
            write!(f, "{} s", self.0.as_secs())
        } else {
            write!(f, "{:.1} s", self.0.as_secs_f64())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_timeout_names_its_phase_and_limit_in_words() {
        let failure = FetchError::timeout(RequestPhase::Total, Duration::from_mins(1));
        assert_eq!(failure.message, "The server did not finish its answer within 60 s");
        assert_eq!(failure.class.as_str(), "timeout");
        assert!(failure.retry);
        assert!(
            FetchError::timeout(RequestPhase::Dns, Duration::from_millis(200)).message.ends_with("200 ms")
        );
        assert!(
            FetchError::timeout(RequestPhase::Tls, Duration::from_millis(1500)).message.ends_with("1.5 s")
        );
    }
}
