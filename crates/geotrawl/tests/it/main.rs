//! End-to-end tests: the built binary against simulated servers on loopback.

mod commands;
mod crash;
mod crawl_bars;
mod harness;
mod hostile;
