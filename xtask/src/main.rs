//! Chores for contributors: `cargo xtask <chore>`. Measurements are in `bench/geotrawl-bench`:
//! `cargo measure <what>`.
#![expect(clippy::print_stdout, reason = "a chore reports to the person who runs it")]

mod audit;
mod counts;
mod docs;
mod kind_facts;
mod new_kind;
mod tidy;

use anyhow::{Result, ensure};
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", about = "Chores of the project")]
enum XtaskCommand {
    /// Check the rules that the compiler does not check
    Tidy,
    /// Generate the pages that list what the program supports
    Docs(docs::DocsOptions),
    /// Create the file, the list entry and the fixtures of a new kind
    NewKind {
        /// Id of the kind, such as `ogcapi-features`
        id: String,
    },
    /// Check the dependency policy of deny.toml
    Audit,
    /// Count instructions and memory of fixed work
    Counts(counts::CountsOptions),
    /// Test the served API against its OpenAPI document
    #[command(disable_help_flag = true)]
    Schemathesis {
        /// Arguments for `cargo measure schemathesis`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

fn main() -> Result<()> {
    let root = root();
    match XtaskCommand::parse() {
        XtaskCommand::Tidy => tidy::run(&root),
        XtaskCommand::Docs(options) => docs::run(&root, &options),
        XtaskCommand::NewKind { id } => new_kind::run(&root, &id),
        XtaskCommand::Audit => audit::run(&root),
        XtaskCommand::Counts(options) => counts::run(&root, &options),
        XtaskCommand::Schemathesis { arguments } => run_measurement(&root, "schemathesis", &arguments),
    }
}

/// Runs a measurement that also checks correctness, and needs no release build.
fn run_measurement(root: &Path, name: &str, arguments: &[String]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--locked", "--package", "geotrawl-bench", "--", name]).args(arguments);
    ensure!(command.current_dir(root).status()?.success(), "{name} failed");
    Ok(())
}

/// Returns the root of the checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}
