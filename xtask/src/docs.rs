//! `docs`: generates the pages that list what the program supports.

use anyhow::{Result, bail};
use geotrawl_kinds::connectors::CONNECTORS;
use geotrawl_kinds::kinds::KINDS;
use std::fmt::Write as _;
use std::path::Path;

/// A generated page: its file and the function that generates it.
type GeneratedPage = (&'static str, fn() -> String);

/// The generated pages.
const PAGES: &[GeneratedPage] = &[
    ("docs/guide/kinds.md", kinds),
    ("docs/guide/catalogues.md", catalogues),
    ("web/src/lib/kind-facts.ts", crate::kind_facts::render_module),
];

#[derive(Debug, clap::Args)]
pub struct DocsOptions {
    /// Write nothing; fail if a page is not up to date
    #[arg(long)]
    check: bool,
}

/// Writes the pages; with `--check`, only compares them.
pub fn run(root: &Path, options: &DocsOptions) -> Result<()> {
    for (file, make) in PAGES {
        let path = root.join(file);
        let text = make();
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if options.check {
            bail!("{file} is not up to date: run `cargo xtask docs`");
        }
        std::fs::write(&path, text)?;
        println!("written: {file}");
    }
    Ok(())
}

fn kinds() -> String {
    let mut out = format!(
        "# Kinds of resources\n\nGeotrawl recognises {} kinds of services and files. A kind is verified by what a server answers, never by\nan address or a file name. This page is generated: `cargo xtask docs`.\n",
        KINDS.len()
    );
    for kind in KINDS {
        let profile = kind.profile();
        let behind: Vec<&str> = CONNECTORS
            .iter()
            .filter(|connector| connector.doc().kinds.contains(&profile.id))
            .map(|connector| connector.doc().id)
            .collect();
        let _ = write!(
            out,
            "\n## {} (`{}`)\n\n{}\n\n- Verified by: {}\n- False positives: {}\n- Specification: <{}>\n",
            profile.name,
            profile.id,
            profile.what,
            profile.evidence,
            profile.false_positives,
            profile.specification
        );
        if !behind.is_empty() {
            let _ = writeln!(out, "- Harvested by: {}", behind.join(", "));
        }
    }
    out
}

fn catalogues() -> String {
    let mut out = format!(
        "# Catalogues\n\nGeotrawl supports {} catalogue protocols. `geotrawl harvest URL` reads a whole catalogue; a crawl harvests\nthe catalogues that it finds. A configuration file can add further protocols: see\n[connectors.md](connectors.md). This page is generated: `cargo xtask docs`.\n",
        CONNECTORS.len()
    );
    for connector in CONNECTORS {
        let doc = connector.doc();
        let again = if doc.incremental { "reads only changes" } else { "reads everything again" };
        let _ = write!(
            out,
            "\n## {} (`{}`)\n\n{}\n\n- Kinds: {}\n- A second harvest {again}\n- Specification: <{}>\n",
            doc.name,
            doc.id,
            doc.what,
            doc.kinds.join(", "),
            doc.specification
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_up_to_date() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        run(root, &DocsOptions { check: true }).expect("current files");
    }
}
