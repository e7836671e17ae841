//! Why a fetch gave nothing: data that is stored and shown, never an `Err` of the program.

use std::fmt;

/// A failed fetch: a stable class for counting, words for a person, and whether it may pass.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FetchError {
    pub class: FailureClass,
    /// One sentence a person understands, e.g. "The server did not answer within 30 s".
    pub message: String,
    /// The same request may succeed later (a reset, a timeout); `false` for what will stay so.
    pub retry: bool,
}

/// What kind of failure it was. [`FailureClass::as_str`] is what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureClass {
    /// The URL cannot be requested: another scheme, no host, too long.
    BadUrl,
    /// The name has no address.
    Dns,
    /// No connection: refused, unreachable.
    Connect,
    /// No secure connection: certificate, handshake.
    Tls,
    /// A phase or the whole took too long.
    Timeout(RequestPhase),
    /// robots.txt forbids it, or could not be read.
    Robots,
    /// The address is not on the public internet and no operator allowed it.
    BlockedAddress,
    /// The port belongs to another protocol.
    BlockedPort,
    /// More bytes than asked for (body or headers).
    TooLarge,
    /// The compressed body grows beyond all reason.
    Bomb,
    /// The connection broke before an answer came.
    Reset,
    /// The connection ended in the middle of the body.
    Truncated,
    /// The compressed body is damaged or its encoding unknown.
    Decode,
    /// What came back is not HTTP.
    Protocol,
    /// A redirect led back to a URL already asked for.
    RedirectLoop,
    /// More redirects than allowed.
    TooManyRedirects,
    /// A redirect to something that is not an http(s) URL.
    BadRedirect,
    /// The host has asked for a longer rest than anybody waits for.
    Resting,
    /// Our own machine: out of sockets or memory.
    Local,
    /// The host is not on loan to this process any more: another one may be asking it.
    OffLoan,
}

/// The part of a request that took too long.
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
    /// The stable text for storing and counting.
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
    /// A failure that will stay: asking again is of no use.
    pub fn lasting(class: FailureClass, message: impl Into<String>) -> Self {
        Self { class, message: message.into(), retry: false }
    }

    /// A failure that may pass.
    pub fn passing(class: FailureClass, message: impl Into<String>) -> Self {
        Self { class, message: message.into(), retry: true }
    }

    /// The host wants to be left alone for `rest`.
    pub(super) fn backing_off(rest: std::time::Duration) -> Self {
        let message =
            format!("The server is overloaded and asked to be left alone for {}", DisplaySeconds(rest));
        Self::passing(FailureClass::Resting, message)
    }

    /// `phase` took longer than `limit`.
    pub fn timeout(phase: RequestPhase, limit: std::time::Duration) -> Self {
        let seconds = DisplaySeconds(limit);
        let message = match phase {
            RequestPhase::Dns => format!("The name could not be looked up within {seconds}"),
            RequestPhase::Connect => format!("The server did not accept a connection within {seconds}"),
            RequestPhase::Tls => format!("The secure connection was not set up within {seconds}"),
            RequestPhase::FirstByte => format!("The server did not begin its answer within {seconds}"),
            RequestPhase::Idle => {
                format!("The server sent nothing for {seconds} in the middle of its answer")
            }
            RequestPhase::Total => format!("The server did not finish its answer within {seconds}"),
        };
        Self::passing(FailureClass::Timeout(phase), message)
    }
}

/// `30 s`, `1.5 s`, `200 ms`.
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
