//! The client against a server that misbehaves in every way that servers do. All on loopback.

#![expect(clippy::unwrap_used, reason = "a test server that cannot start fails the test")]

mod server;

/// What ordinary servers do.
mod basics;
/// Bodies that are compressed, too long, damaged, endless.
mod bodies;
/// Addresses that must never be contacted, in every disguise.
mod guarding;
/// Servers that do not speak HTTP, or only slowly.
mod malformed;
/// Turns and pauses as the server's own log shows them.
mod politeness;
/// Redirects that lead nowhere good.
mod redirects;
/// robots.txt in all its outcomes.
mod robots;
/// Secure connections and HTTP/2.
mod secure;
