//! The server as others see it: requests in, answers out, over stores of both kinds.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

/// People, tokens, settings, the audit log.
mod accounts;
/// One real answer of every endpoint against the OpenAPI document.
mod answers;
/// Archive collections and pages shown again.
mod collections;
mod common;
/// Documents of every standard.
mod documents;
/// Where a task looks and why; orderings and search engines to choose from.
mod focus;
/// Every operation of the document and every kind of caller.
mod matrix;
/// OAI-PMH.
mod oai;
/// Logging in with a provider.
mod oidc;
/// Logging in, cookies, changes that other sites ask for.
mod sessions;
/// The standards of catalogues: forms, paging, refusals, rates.
mod standards;
/// Tasks and what happens in them: routes, who may see what, streams.
mod tasks;
/// Quality, history, news, alerts: what is told of records over time.
mod trust;
/// What is the same for every request: headers, limits, refusals.
mod wire;
