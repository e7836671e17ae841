//! The client against a server that misbehaves in every way that servers do. All on loopback.

#![expect(clippy::unwrap_used, reason = "a test server that cannot start fails the test")]

mod server;

mod basics;
