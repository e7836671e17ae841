//! Limits tables of kinds: facts about a kind belong in the kind's own file, so few other files may
//! name many kinds.

use super::checkout::Checkout;
use anyhow::Result;
use geotrawl_kinds::kinds::KINDS;
use std::collections::HashSet;

/// Number of kinds that a file may name before it counts as a table of kinds.
const MOST_NAMED: usize = 8;
/// Maximum number of tables of kinds; they translate names of other programs and lists.
const MOST_TABLES: usize = 8;
/// The declarations of kinds, and the simulated web, which has a site for many of them.
const EXCEPTED: &[&str] = &["crates/geotrawl-kinds/src/kinds/", "crates/geotrawl-simweb/"];

/// Reports the tables of kinds if there are more than allowed.
#[expect(clippy::unnecessary_wraps, reason = "the shape of every rule")]
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let ids: HashSet<&str> = KINDS.iter().map(|kind| kind.profile().id).collect();
    let sources = checkout.sources.iter().filter(|source| {
        source.path.contains("/src/")
            && !source.is_test()
            && !EXCEPTED.iter().any(|folder| source.path.starts_with(folder))
    });
    let tables: Vec<String> = sources
        .filter_map(|source| {
            let named = named_kinds(source.product_text(), &ids);
            (named > MOST_NAMED).then(|| format!("{} names {named} kinds", source.path))
        })
        .collect();
    if tables.len() <= MOST_TABLES {
        return Ok(Vec::new());
    }
    let sum = format!(
        "{} files name more than {MOST_NAMED} kinds (at most {MOST_TABLES} may): declare the fact in the kind profiles",
        tables.len()
    );
    Ok(tables.into_iter().chain([sum]).collect())
}

/// Returns how many different kinds occur in a text as whole string literals.
fn named_kinds(text: &str, ids: &HashSet<&str>) -> usize {
    // Ids contain no quotes, so every id between two quotes is found, whichever of them starts the
    // literal.
    text.split('"').filter(|piece| ids.contains(piece)).collect::<HashSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted_once() {
        let ids = HashSet::from(["wms", "wfs"]);
        assert_eq!(
            named_kinds("match kind { \"wms\" | \"wfs\" => 1, \"wms\" => 2, \"wmsx\" => 3 }", &ids),
            2
        );
        assert_eq!(named_kinds("wms wfs", &ids), 0);
    }
}
