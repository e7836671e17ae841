//! Chores of the project: `cargo run -p xtask -- <chore>`.
#![expect(clippy::print_stdout, reason = "a chore talks to the person who runs it")]

mod audit;
mod bench;
mod cluster;
mod counts;
mod deploy;
mod docs;
mod experiments;
mod levels;
mod quickness;
mod scale;
mod schemathesis;
mod served;
mod tidy;

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// The program's allocator: what is measured here must hold there.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        Some("tidy") => tidy::run(&root()),
        Some("audit") => audit::run(&root()),
        Some("counts") => counts::run(&root(), args),
        Some("docs") => docs::run(&root(), args),
        Some("levels") => levels::run(&root(), args),
        Some("schemathesis") => schemathesis::run(&root(), args),
        Some("quickness") => quickness::run(&root(), args),
        Some("bench") => bench::run(&root(), args),
        Some("cluster") => cluster::run(&root(), args),
        Some("scale") => scale::run(args),
        Some("experiments") => experiments::run(&root(), args),
        _ => bail!(
            "usage: cargo run -p xtask -- tidy | audit | docs [--check] | counts [--check | --bless] | bench | cluster | experiments | levels | quickness | scale | schemathesis"
        ),
    }
}

/// The root of the checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}
