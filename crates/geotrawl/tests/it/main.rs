//! End-to-end tests: the built binary against simulated servers on loopback.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and says what it measured"
)]

/// Makes a test of each function for each kind of store; those that are not named are dead code.
macro_rules! on_both {
    ($($name:ident)+) => {
        mod embedded {
            $(#[test]
            fn $name() {
                super::$name(crate::place::Engine::Embedded);
            })+
        }
        mod postgres {
            $(#[test]
            fn $name() {
                if crate::pg::is_there() {
                    super::$name(crate::place::Engine::Postgres);
                }
            })+
        }
    };
}

mod alerts;
mod apps;
mod clients;
mod commands;
mod crash;
mod crawl_bars;
mod give_back;
mod harness;
mod harvest;
mod hostile;
mod lab;
mod mine;
#[path = "../../../geotrawl-store/tests/pg/mod.rs"]
#[expect(dead_code, reason = "shared with other test targets")]
mod pg;
#[path = "../../../geotrawl-store/tests/pg/place.rs"]
mod place;
mod seeds;
mod serve;
mod serve_client;
mod serve_ssrf;
mod trust;
