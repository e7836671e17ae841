//! The HTTP client for all outbound requests.
//!
//! Every request goes through [`GuardedClient`], which enforces these rules for all callers:
//!
//! - Addresses are checked at connect time ([`guard`]).
//! - robots.txt is obeyed ([`robots`]).
//! - Requests to one host are queued and delayed ([`politeness`]).
//! - Time, compressed bytes and decompressed bytes are limited ([`BodyReader`]).
//!
//! A lint forbids other HTTP clients. The client never follows a redirect unless asked to, reads no
//! proxy from the environment, and sends neither cookies nor credentials from URLs.

mod body;
mod client;
pub mod config;
mod connect;
mod decode;
pub(crate) mod dialer;
pub mod dns;
mod exchange;
mod failure;
pub mod guard;
mod head;
mod pin;
pub mod politeness;
mod request;
pub mod robots;
mod tls;

pub use body::{BodyReader, CollectedBody};
pub use client::{ClientBuilder, GuardedClient};
pub use config::FetchConfig;
pub use failure::{FailureClass, FetchError, RequestPhase};
pub(crate) use head::{encoding as content_encoding, parse_head as read_head};
pub use ipnet::IpNet;
pub use pin::{AddressPin, HostPattern, SettingError, parse_net};
pub use request::{FetchRequest, FetchResponse, RedirectHop, RedirectPolicy, RequestTiming};
pub use tls::TlsSetupError;
