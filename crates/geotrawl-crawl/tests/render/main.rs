//! Tests pages in a real browser, with servers on loopback.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up fails, and says so")]

mod site;

/// Browsers that crash, hang, grow or are missing.
mod accidents;
/// What a page must not do.
mod forbidden;
/// Pages over TLS.
mod secure;
/// Services found from the requests of a page.
mod watching;
