//! What each level of reading code finds, alone and together, and how many addresses it would test for it.

mod apps;
mod hostile;
mod pages;

use anyhow::{Result, bail};
use geotrawl_js::Levels;
use geotrawl_js::model::Run;
use std::path::Path;

/// `levels pages LABELS FOLDER [--misses] [--extras]`, `levels apps [--misses]`,
/// `levels hostile`.
pub fn run(root: &Path, mut args: impl Iterator<Item = String>) -> Result<()> {
    match args.next().as_deref() {
        Some("pages") => pages::run(args),
        Some("apps") => apps::run(root, args.any(|arg| arg == "--misses")),
        Some("hostile") => hostile::run(root),
        _ => bail!(
            "usage: cargo run -p xtask -- levels pages LABELS.jsonl FOLDER [--misses] | apps [--misses] | hostile"
        ),
    }
}

/// The levels that are measured, by name.
pub fn combinations() -> [(&'static str, Option<Levels>); 4] {
    [
        ("1 the published method", Some(Levels { paper: true, fold: false, run: Run::Never })),
        ("2 folding", Some(Levels { paper: false, fold: true, run: Run::Never })),
        ("3 sandbox", Some(Levels { paper: false, fold: false, run: Run::Always })),
        ("2 and 3, as crawled", None),
    ]
}
