//! Checks that dependencies between crates go one way only.

use super::checkout::Checkout;
use anyhow::{Context, Result};

/// The workspace crates that each crate may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("geotrawl-js", &[]),
    ("geotrawl-text", &[]),
    ("geotrawl-model", &[]),
    ("geotrawl-kinds", &["geotrawl-js", "geotrawl-model"]),
    ("geotrawl-simweb", &[]),
    // For tests only: no crate may depend on it outside its dev-dependencies.
    ("geotrawl-testkit", &["geotrawl-model", "geotrawl-simweb", "geotrawl-store"]),
    ("geotrawl-trust", &["geotrawl-kinds", "geotrawl-model"]),
    ("geotrawl-themes", &["geotrawl-text"]),
    ("geotrawl-rank", &["geotrawl-kinds", "geotrawl-model"]),
    ("geotrawl-store", &["geotrawl-kinds", "geotrawl-model", "geotrawl-rank", "geotrawl-trust"]),
    (
        "geotrawl-crawl",
        &[
            "geotrawl-archive",
            "geotrawl-js",
            "geotrawl-kinds",
            "geotrawl-model",
            "geotrawl-rank",
            "geotrawl-text",
            "geotrawl-trust",
            "geotrawl-themes",
        ],
    ),
    ("geotrawl-index", &["geotrawl-kinds", "geotrawl-model", "geotrawl-text", "geotrawl-trust"]),
    ("geotrawl-export", &["geotrawl-kinds", "geotrawl-model", "geotrawl-trust"]),
    ("geotrawl-standards", &["geotrawl-index", "geotrawl-kinds", "geotrawl-model", "geotrawl-text"]),
    ("geotrawl-archive", &["geotrawl-kinds", "geotrawl-model", "geotrawl-text"]),
    (
        "geotrawl-serve",
        &[
            "geotrawl-kinds",
            "geotrawl-model",
            "geotrawl-rank",
            "geotrawl-trust",
            "geotrawl-themes",
            "geotrawl-store",
            "geotrawl-index",
            "geotrawl-export",
            "geotrawl-standards",
            "geotrawl-archive",
        ],
    ),
    (
        "geotrawl",
        &[
            "geotrawl-kinds",
            "geotrawl-model",
            "geotrawl-rank",
            "geotrawl-trust",
            "geotrawl-themes",
            "geotrawl-store",
            "geotrawl-index",
            "geotrawl-export",
            "geotrawl-crawl",
            "geotrawl-serve",
            "geotrawl-simweb",
        ],
    ),
];

/// Reports dependencies that `LAYERS` does not allow, and crates that it does not list.
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for entry in std::fs::read_dir(checkout.root.join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if LAYERS.iter().all(|(known, _)| *known != name) {
            faults.push(format!("{name} is not in LAYERS (xtask/src/tidy/layers.rs)"));
        }
    }
    for (name, allowed) in LAYERS {
        let manifest = checkout.root.join("crates").join(name).join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).with_context(|| manifest.display().to_string())?;
        // Tests may use more crates than the product.
        let product = text.split("[dev-dependencies]").next().unwrap_or_default();
        for line in product.lines().filter(|line| line.starts_with("geotrawl")) {
            let used = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if !allowed.contains(&used) {
                faults.push(format!("{name} must not depend on {used} (dependencies go one way only)"));
            }
        }
    }
    Ok(faults)
}
