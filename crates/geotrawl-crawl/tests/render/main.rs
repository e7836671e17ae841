//! Pages in a real browser, from servers on loopback.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up fails, and says so")]

mod site;

/// Browsers that crash, hang, grow or never were.
mod accidents;
/// What a page may not do.
mod forbidden;
/// Pages over TLS.
mod secure;
/// What the requests of a page show.
mod watching;
