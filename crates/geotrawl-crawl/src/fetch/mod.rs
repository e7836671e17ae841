//! The one door to other people's servers.
//!
//! Everything the product requests goes through [`Client`]: addresses are checked at the moment of
//! connecting ([`guard`]), robots.txt is obeyed ([`robots`]), hosts are asked in turn and with pauses
//! ([`politeness`]), and time and bytes are capped, compressed and decompressed ([`BodyReader`]). None
//! of it can be skipped by a caller, and no other client may be used (a lint forbids it). Redirects are
//! never followed behind the caller's back, no proxy is read from the environment, and neither cookies
//! nor credentials are ever sent.

mod body;
mod client;
pub mod config;
mod connect;
mod decode;
pub mod dns;
mod exchange;
mod failure;
pub(crate) mod gatekeeper;
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
