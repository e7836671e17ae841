//! Dependencies between our crates are those that ARCHITECTURE.md draws.

use super::checkout::Checkout;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::Path;

/// The line before the graph in ARCHITECTURE.md.
const MARKER: &str = "<!-- dependencies: checked by cargo xtask tidy -->";

/// A crate and one that it uses, without the prefix `geotrawl-`.
type Edge = (String, String);

/// Reports dependencies that the graph lacks, and those that it shows though no manifest has them.
///
/// A new dependency therefore has to be drawn: that is the moment to ask whether it points the right way.
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let document = std::fs::read_to_string(checkout.root.join("ARCHITECTURE.md"))?;
    let drawn = drawn_edges(&document)?;
    let real = manifest_edges(&checkout.root.join("crates"))?;
    let missing = real.difference(&drawn).map(|(from, to)| {
        format!(
            "{from} depends on {to}, which the graph in ARCHITECTURE.md does not show: add `{from} --> {to}`"
        )
    });
    let stale = drawn.difference(&real).map(|(from, to)| {
        format!("the graph in ARCHITECTURE.md shows `{from} --> {to}`, but {from} does not depend on {to}")
    });
    Ok(missing.chain(stale).collect())
}

/// Returns the edges of the Mermaid graph after the marker.
fn drawn_edges(document: &str) -> Result<BTreeSet<Edge>> {
    let (_, rest) = document.split_once(MARKER).context("ARCHITECTURE.md has no dependency graph")?;
    let graph =
        rest.split("```").nth(1).context("the dependency graph of ARCHITECTURE.md has no code block")?;
    let edges = graph.lines().filter_map(|line| line.split_once("-->"));
    Ok(edges.map(|(from, to)| (from.trim().to_owned(), to.trim().to_owned())).collect())
}

/// Returns the normal dependencies between the crates of a folder.
fn manifest_edges(folder: &Path) -> Result<BTreeSet<Edge>> {
    let mut edges = BTreeSet::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let manifest = path.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).with_context(|| manifest.display().to_string())?;
        let from = short_name(&path.file_name().unwrap_or_default().to_string_lossy());
        // Tests may use what the product may not.
        let product = text.split("[dev-dependencies]").next().unwrap_or_default();
        for line in product.lines().filter(|line| line.starts_with("geotrawl")) {
            let used = line.split(['.', ' ', '=']).next().unwrap_or_default();
            edges.insert((from.clone(), short_name(used)));
        }
    }
    Ok(edges)
}

/// Returns the name of a crate without our prefix.
fn short_name(name: &str) -> String {
    name.strip_prefix("geotrawl-").unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_edges_of_the_graph() {
        let document = format!(
            "# A\n```mermaid\ngraph TD\n    a --> b\n```\n{MARKER}\n```mermaid\ngraph TD\n    serve --> model\n    x --> y\n```\n"
        );
        let expected = [("serve", "model"), ("x", "y")].map(|(from, to)| (from.to_owned(), to.to_owned()));
        assert_eq!(drawn_edges(&document).unwrap(), BTreeSet::from(expected));
    }
}
