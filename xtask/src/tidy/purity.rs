//! Checks restrictions of crates that clippy cannot check. Forbidden calls are listed in
//! `clippy.toml` and `clippy-pure.toml`; this rule checks that every crate enables those lints.

use super::checkout::Checkout;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Crates without I/O and clock.
const PURE: &[&str] = &["js", "kinds", "model", "rank", "standards", "text", "themes", "trust"];

/// Crates that need not enable the lints, because they exist for tests.
const FOR_TESTS: &[&str] = &["geotrawl-simweb", "geotrawl-testkit"];

/// Enables the lints of forbidden calls.
const SWITCH: &str = "#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]";

/// Crates whose sources contain no SQL: it belongs in geotrawl-store.
const WITHOUT_SQL: &[&str] = &["geotrawl", "geotrawl-crawl", "geotrawl-index", "geotrawl-serve"];

/// Runtimes, clients and databases that must not be transitive dependencies, except where allowed.
const HEAVY: &[&str] = &["hyper", "reqwest", "rusqlite", "tokio", "tokio-postgres"];
const LIGHT: &[(&str, &[&str])] = &[
    ("geotrawl-archive", &[]),
    // For writing GeoPackage.
    ("geotrawl-export", &["rusqlite"]),
    ("geotrawl-index", &[]),
    ("geotrawl-js", &[]),
    ("geotrawl-kinds", &[]),
    ("geotrawl-model", &[]),
    ("geotrawl-rank", &[]),
    ("geotrawl-standards", &[]),
    ("geotrawl-text", &[]),
    ("geotrawl-themes", &[]),
    ("geotrawl-trust", &[]),
];

/// Reports crates that do not enable the lints, contain SQL, or have forbidden dependencies.
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    check_lints(checkout, &mut faults)?;
    for name in WITHOUT_SQL {
        for source in checkout.sources.iter().filter(|source| source.is_source_of(name)) {
            if source.uses_word("SELECT ") || source.uses_word("rusqlite") {
                faults.push(format!("{} contains SQL: it belongs in geotrawl-store", source.path));
            }
        }
    }
    for (name, allowed) in LIGHT {
        for dependency in dependencies(&checkout.root, name)? {
            if HEAVY.contains(&dependency.as_str()) && !allowed.contains(&dependency.as_str()) {
                faults.push(format!("{name} depends on {dependency} (cargo tree -e normal -i {dependency})"));
            }
        }
    }
    Ok(faults)
}

fn check_lints(checkout: &Checkout, faults: &mut Vec<String>) -> Result<()> {
    let strict = std::fs::read_to_string(checkout.root.join("clippy-pure.toml"))?;
    for name in PURE {
        let path = format!("crates/geotrawl-{name}/clippy.toml");
        if std::fs::read_to_string(checkout.root.join(&path)).ok().as_ref() != Some(&strict) {
            faults.push(format!("{path} must be a link to clippy-pure.toml"));
        }
    }
    for source in &checkout.sources {
        let parts: Vec<&str> = source.path.split('/').collect();
        if let ["crates", name, "src", "lib.rs" | "main.rs"] = parts[..]
            && !FOR_TESTS.contains(&name)
            && !source.text.contains(SWITCH)
        {
            faults.push(format!("{} lacks {SWITCH}", source.path));
        }
    }
    Ok(())
}

/// Returns the names of all transitive dependencies of a crate.
fn dependencies(root: &Path, name: &str) -> Result<Vec<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "tree",
        "--locked",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--package",
        name,
    ]);
    let output = command.current_dir(root).output().context("cannot start cargo")?;
    ensure!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
}
