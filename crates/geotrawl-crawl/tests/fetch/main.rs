//! Tests the client with servers that misbehave in every known way, all on loopback.

#![expect(clippy::unwrap_used, reason = "a test server that cannot start fails the test")]

mod server;

/// Ordinary servers.
mod basics;
/// Bodies that are compressed, too long, damaged or endless.
mod bodies;
/// Addresses that must never be contacted, in all their forms.
mod guarding;
/// Servers that do not speak HTTP, or speak it slowly.
mod malformed;
/// Concurrency and delays, as seen in the server's log.
mod politeness;
/// Invalid, blocked and endless redirects.
mod redirects;
/// All outcomes of robots.txt.
mod robots;
/// TLS and HTTP/2.
mod secure;
