//! `new-kind <id>`: creates the file of a kind, its entry in the list, and its folder of fixtures.

use anyhow::{Context as _, Result, bail};
use geotrawl_kinds::kinds::KINDS;
use std::fs;
use std::path::Path;

const KINDS_DIR: &str = "crates/geotrawl-kinds/src/kinds";
const FIXTURES_DIR: &str = "crates/geotrawl-kinds/tests/kinds";
const TEMPLATE: &str = include_str!("new_kind.template");
/// First and last line of the list of kinds.
const LIST: (&str, &str) = ("pub static KINDS: &[&dyn Kind] = &[", "];");

/// Creates a kind that recognises nothing but its own example.
pub fn run(root: &Path, id: &str) -> Result<()> {
    let is_id = id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if !is_id {
        bail!(
            "`{id}` is not a valid kind id: start with a lower-case letter, then use lower-case letters, digits and hyphens"
        );
    }
    let module = id.replace('-', "_");
    let file = root.join(KINDS_DIR).join(format!("{module}.rs"));
    let is_taken = file.exists() || file.with_extension("").exists();
    if geotrawl_kinds::kinds::by_id(id).is_some() || is_taken {
        bail!("the kind `{id}` already exists: {}", file.display());
    }
    let list = root.join(KINDS_DIR).join("mod.rs");
    let old = fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?;
    let ids: Vec<&str> = KINDS.iter().map(|kind| kind.profile().id).collect();
    let position = ids.partition_point(|known| *known < id);
    let new =
        with_module(&old, &module).and_then(|text| with_entry(&text, position, &module, &type_name(id)));
    let new = new.with_context(|| format!("unexpected layout of {}", list.display()))?;
    let fixtures = root.join(FIXTURES_DIR).join(id);
    fs::create_dir_all(&fixtures)?;
    fs::write(fixtures.join("is-example.json"), format!("{{\"kind\": \"{id}\", \"title\": \"Example\"}}\n"))?;
    fs::write(fixtures.join("not-example.json"), "{\"title\": \"Look-alike\"}\n")?;
    fs::write(&file, TEMPLATE.replace("{ID}", id).replace("{TYPE}", &type_name(id)))?;
    fs::write(&list, new)?;
    println!(
        "written: {}\nnext: fill in its profile and recognition, and replace the two files in {}",
        file.display(),
        fixtures.display()
    );
    Ok(())
}

/// Returns the name of a kind's type: `stac-api` is `StacApi`.
fn type_name(id: &str) -> String {
    let words = id.split('-').map(|word| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    });
    words.collect()
}

/// Returns the text with a module declared in alphabetical order.
fn with_module(text: &str, module: &str) -> Option<String> {
    let name =
        |line: &str| line.rsplit_once("mod ").and_then(|(_, rest)| rest.strip_suffix(';')).map(str::to_owned);
    let start_of = |line: &str| text.find(&format!("{line}\n"));
    let next = text.lines().find(|line| name(line).is_some_and(|name| name.as_str() > module));
    let last = || text.lines().rfind(|line| name(line).is_some());
    let at = match next {
        Some(next) => start_of(next)?,
        None => last().and_then(|last| Some(start_of(last)? + last.len() + 1))?,
    };
    Some(format!("{}mod {module};\n{}", text.get(..at)?, text.get(at..)?))
}

/// Returns the text with an entry at a position of the list.
fn with_entry(text: &str, position: usize, module: &str, type_name: &str) -> Option<String> {
    let start = text.find(LIST.0)? + LIST.0.len() + 1;
    let (before, rest) = text.split_at_checked(start)?;
    let (entries, after) = rest.split_at_checked(rest.find(LIST.1)?)?;
    let mut lines: Vec<&str> = entries.lines().collect();
    let entry = format!("    &{module}::{type_name}Kind,");
    lines.insert(position.min(lines.len()), &entry);
    Some(format!("{before}{}\n{after}", lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join(KINDS_DIR);
        fs::create_dir_all(root.path().join(KINDS_DIR)).expect("a folder");
        let to = root.path().join(KINDS_DIR).join("mod.rs");
        fs::copy(own.join("mod.rs"), to).expect("the list");
        root
    }

    #[test]
    fn a_kind_is_a_file_an_entry_and_fixtures() {
        let root = workspace();
        run(root.path(), "ogcapi-quilts").expect("a new kind");
        let read = |path: &str| fs::read_to_string(root.path().join(path)).expect("a file");
        let file = read(&format!("{KINDS_DIR}/ogcapi_quilts.rs"));
        assert!(
            file.contains("pub struct OgcapiQuiltsKind;") && file.contains("\"ogcapi-quilts\""),
            "{file}"
        );
        assert!(!file.contains("{ID}") && !file.contains("{TYPE}"));
        let list = read(&format!("{KINDS_DIR}/mod.rs"));
        assert!(list.contains("mod ogcapi;\nmod ogcapi_quilts;\n"), "{list}");
        let at = |entry: &str| list.find(entry).unwrap_or_else(|| panic!("{entry} is not in the list"));
        let entry = at("    &ogcapi_quilts::OgcapiQuiltsKind,\n");
        assert!(at("&ogcapi::processes::PROCESSES") < entry && entry < at("&ogcapi::records::RECORDS"));
        for fixture in ["is-example.json", "not-example.json"] {
            assert!(read(&format!("{FIXTURES_DIR}/ogcapi-quilts/{fixture}")).starts_with('{'));
        }
        assert!(run(root.path(), "ogcapi-quilts").is_err(), "a kind is created once");
    }

    #[test]
    fn the_last_kind_of_all_follows_the_others() {
        let root = workspace();
        run(root.path(), "zz-quilts").expect("a new kind");
        let list = fs::read_to_string(root.path().join(KINDS_DIR).join("mod.rs")).expect("the list");
        assert!(list.contains("mod zarr;\nmod zz_quilts;\n"), "{list}");
        assert!(list.contains("    &zarr::ZarrKind,\n    &zz_quilts::ZzQuiltsKind,\n];"), "{list}");
    }

    #[test]
    fn ids_are_checked() {
        let root = workspace();
        fs::create_dir(root.path().join(KINDS_DIR).join("ogcapi")).expect("a folder");
        for id in ["", "Quilts", "3d", "wms", "a b", "../a", "ogcapi"] {
            assert!(run(root.path(), id).is_err(), "{id:?}");
        }
    }
}
