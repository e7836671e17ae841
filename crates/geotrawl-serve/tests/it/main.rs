//! The server as others see it: requests in, answers out, over stores of both kinds.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a test that is left out says so")]

/// Makes a test of each function for each kind of store; those that are not named here are dead code.
macro_rules! on_both {
    (#[$test:meta] $($name:ident)+) => {
        mod embedded {
            $(#[$test]
            async fn $name() {
                super::$name(crate::place::Engine::Embedded).await;
            })+
        }
        mod postgres {
            $(#[$test]
            async fn $name() {
                if crate::pg::is_there() {
                    super::$name(crate::place::Engine::Postgres).await;
                }
            })+
        }
    };
}

/// People, tokens, settings, the audit log.
mod accounts;
/// Archive collections and pages shown again.
mod collections;
mod common;
/// Where a task looks and why; orderings and search engines to choose from.
mod focus;
/// Every operation of the document and every kind of caller.
mod matrix;
/// OAI-PMH.
mod oai;
/// Logging in with a provider.
mod oidc;
#[path = "../../../geotrawl-store/tests/pg/mod.rs"]
#[expect(dead_code, reason = "shared with other test targets")]
mod pg;
#[path = "../../../geotrawl-store/tests/pg/place.rs"]
#[expect(dead_code, reason = "shared with other test targets")]
mod place;
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
