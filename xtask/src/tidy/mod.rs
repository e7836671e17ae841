//! `tidy`: rules that the compiler does not check.
//!
//! One file per rule: `pub fn check(checkout: &Checkout) -> Result<Vec<String>>` returns one sentence per violation.
//! A new rule is a file and a line in [`RULES`].

mod checkout;
mod deploy;
mod kind_tables;
mod language;
mod layers;
mod links;
mod orphans;
mod purity;
mod sizes;

use anyhow::{Result, bail};
use checkout::Checkout;
use std::path::Path;

/// A rule: its subject, and the function that reports violations.
type TidyRule = (&'static str, fn(&Checkout) -> Result<Vec<String>>);

/// All rules.
const RULES: &[TidyRule] = &[
    ("layers", layers::check),
    ("sizes of files and functions", sizes::check),
    ("purity", purity::check),
    ("module declarations", orphans::check),
    ("tables of kinds", kind_tables::check),
    ("links", links::check),
    ("names and language", language::check),
    ("deployment", deploy::check),
];

/// Checks all rules and reports all violations at once.
pub fn run(root: &Path) -> Result<()> {
    let checkout = Checkout::read_files(root)?;
    let mut faults = Vec::new();
    for (_, check) in RULES {
        faults.extend(check(&checkout)?);
    }
    if faults.is_empty() {
        let names: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
        println!("tidy: no violations ({})", names.join(", "));
        return Ok(());
    }
    for fault in &faults {
        println!("tidy: {fault}");
    }
    bail!("tidy: {} violations", faults.len())
}
