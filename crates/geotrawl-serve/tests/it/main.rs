//! End-to-end tests of the server over both kinds of stores.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

/// Users, tokens, settings, the audit log.
mod accounts;
/// One real response of every endpoint against the OpenAPI document.
mod answers;
/// Archive collections and replayed pages.
mod collections;
mod common;
/// Documents of every standard.
mod documents;
/// Focus of a task; the available rankings and search engines.
mod focus;
/// Every operation of the document with every kind of caller.
mod matrix;
/// OAI-PMH.
mod oai;
/// Login with an OpenID Connect provider.
mod oidc;
/// Login, cookies, cross-site requests.
mod sessions;
/// Catalogue standards: formats, paging, errors, rate limits.
mod standards;
/// Tasks: routes, visibility, event streams.
mod tasks;
/// Quality, history, notifications and alerts of records over time.
mod trust;
/// What all requests have in common: headers, limits, errors.
mod wire;
