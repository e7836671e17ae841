//! `docs`: the pages that list what the program knows, made from the lists themselves.

use anyhow::{Result, bail};
use geotrawl_kinds::connectors::CONNECTORS;
use geotrawl_kinds::kinds::KINDS;
use std::fmt::Write as _;
use std::path::Path;

/// A generated page: its file, and what makes it.
type Page = (&'static str, fn() -> String);

/// The generated pages.
const PAGES: &[Page] = &[("docs/guide/kinds.md", kinds), ("docs/guide/catalogues.md", catalogues)];

/// Writes the pages; with `--check`, only looks whether they are as they should be.
pub fn run(root: &Path, mut args: impl Iterator<Item = String>) -> Result<()> {
    let check = args.next().as_deref() == Some("--check");
    for (file, make) in PAGES {
        let path = root.join(file);
        let text = make();
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if check {
            bail!("{file} is not up to date: run `cargo run -p xtask -- docs`");
        }
        std::fs::write(&path, text)?;
        println!("written: {file}");
    }
    Ok(())
}

fn kinds() -> String {
    let mut out = format!(
        "# Kinds of resources\n\nGeotrawl recognises {} kinds of services and files. A kind is proven by what a server answers, never by\nan address or a file name. This page is made from the program: `cargo run -p xtask -- docs`.\n",
        KINDS.len()
    );
    for kind in KINDS {
        let doc = kind.doc();
        let behind: Vec<&str> = CONNECTORS
            .iter()
            .filter(|connector| connector.doc().kinds.contains(&doc.id))
            .map(|connector| connector.doc().id)
            .collect();
        let _ = write!(
            out,
            "\n## {} (`{}`)\n\n{}\n\n- Proof: {}\n- Not to be taken for it: {}\n- Specification: <{}>\n",
            doc.name, doc.id, doc.what, doc.evidence, doc.impostors, doc.specification
        );
        if !behind.is_empty() {
            let _ = writeln!(out, "- What is behind it is read by: {}", behind.join(", "));
        }
    }
    out
}

fn catalogues() -> String {
    let mut out = format!(
        "# Catalogues\n\nGeotrawl goes behind {} catalogue protocols. `geotrawl harvest URL` reads all that one has; a crawl reads\nthe catalogues that it meets. A protocol of your own is added by a file, without a program: see\n[connectors.md](connectors.md). This page is made from the program: `cargo run -p xtask -- docs`.\n",
        CONNECTORS.len()
    );
    for connector in CONNECTORS {
        let doc = connector.doc();
        let again = if doc.incremental { "asks only for what has changed" } else { "reads everything again" };
        let _ = write!(
            out,
            "\n## {} (`{}`)\n\n{}\n\n- Behind: {}\n- A second harvest {again}\n- Specification: <{}>\n",
            doc.name,
            doc.id,
            doc.what,
            doc.kinds.join(", "),
            doc.specification
        );
    }
    out
}
