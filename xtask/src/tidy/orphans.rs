//! Checks that every source file belongs to a target. A file without a `mod` declaration is not
//! compiled, so its tests never run, without any warning.

use super::checkout::Checkout;
use anyhow::Result;
use std::collections::HashSet;

/// File names that are declared by cargo or a build script, not by a module.
const ROOTS: &[&str] = &["main", "lib", "mod", "build"];
/// Folders whose files are separate cargo targets.
const TARGET_FOLDERS: &[&str] = &["bin", "benches", "examples", "fuzz_targets"];

/// Reports source files without a module declaration or an entry in a manifest.
#[expect(clippy::unnecessary_wraps, reason = "the shape of every rule")]
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let declared: HashSet<(&str, &str)> = checkout
        .sources
        .iter()
        .flat_map(|source| {
            let folder = module_folder(&source.path);
            declared_modules(&source.text).map(move |name| (folder, name))
        })
        .collect();
    let is_orphan = |path: &str| {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.trim_end_matches(".rs");
        let parent = folder.rsplit('/').next().unwrap_or_default();
        !ROOTS.contains(&stem) && !TARGET_FOLDERS.contains(&parent) && !declared.contains(&(folder, stem))
    };
    let named = |path: &str| {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        // A file directly below `tests` is a separate target, unless the manifest disables that.
        let Some(package) = folder.strip_suffix("/tests") else { return false };
        let manifest = std::fs::read_to_string(checkout.root.join(package).join("Cargo.toml"));
        let manifest = manifest.unwrap_or_default();
        !manifest.contains("autotests = false")
            || manifest.contains(&format!("name = \"{}\"", file.trim_end_matches(".rs")))
    };
    let included: String = checkout
        .sources
        .iter()
        .flat_map(|source| source.text.lines())
        .filter(|line| line.contains("#[path") || line.contains("include!"))
        .collect();
    let orphans = checkout.sources.iter().filter(|source| is_orphan(&source.path) && !named(&source.path));
    let orphans = orphans.filter(|source| {
        let file = source.path.rsplit('/').next().unwrap_or_default();
        !included.contains(file)
    });
    Ok(orphans
        .map(|source| format!("{} is not compiled: no module declares it, add `mod` for it", source.path))
        .collect())
}

/// Returns the folder of the modules that a file declares.
fn module_folder(path: &str) -> &str {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.trim_end_matches(".rs");
    if ROOTS.contains(&stem) { folder } else { path.trim_end_matches(".rs") }
}

/// Returns the names of the modules that a file declares without a body.
fn declared_modules(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim();
        let line =
            line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub(super) ")).unwrap_or(line);
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.split(';').next().filter(|_| line.ends_with(';'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_read_from_their_declarations() {
        let text = "mod a;\npub mod b;\npub(crate) mod c;\n    mod d;\nmod e {\n// mod f;\n";
        assert_eq!(declared_modules(text).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    }

    #[test]
    fn modules_lie_beside_a_root_and_below_any_other_file() {
        assert_eq!(module_folder("crates/a/src/lib.rs"), "crates/a/src");
        assert_eq!(module_folder("crates/a/src/b/mod.rs"), "crates/a/src/b");
        assert_eq!(module_folder("crates/a/src/b.rs"), "crates/a/src/b");
    }
}
