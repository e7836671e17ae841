//! End-to-end tests: the built binary against simulated servers on loopback.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and says what it measured"
)]

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
mod manners;
mod mine;
mod seeds;
mod serve;
mod serve_client;
mod serve_ssrf;
mod terminal;
mod trust;
