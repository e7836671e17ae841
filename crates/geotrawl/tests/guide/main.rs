//! The commands of the user guide: they run, print what the guide shows, and use flags that exist.
//!
//! A block marked `console` holds commands (`$ geotrawl ...`), each followed by its output. The
//! commands of a page run in order, in a fresh directory, against one simulated web:
//! `geotrawl simweb --hosts 30`, as docs/guide/simweb.md tells readers to start it. A comment
//! `<!-- file: NAME -->` before a block stores the block in that directory under this name. Blocks
//! with other programs (`$ curl ...`) are not run.
//!
//! `...` alone on a line matches any number of lines; `...` or `[..]` within a line matches any
//! text. Durations and times are not compared. Long JSON objects may be wrapped.
//!
//! `GUIDE=update cargo test -p geotrawl --test guide` writes the actual output into blocks that
//! differ. Review the result: it has no wildcards.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod compare;
mod flags;
mod page;
mod run;
mod site;

use page::GuidePage;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

/// Returns all pages of the guide, sorted by name.
fn read_pages() -> Vec<GuidePage> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.iter().map(|path| GuidePage::read(path)).collect()
}

/// Joins faults into the message of a failed test.
fn report(faults: &[String]) -> String {
    faults.iter().fold(String::new(), |mut text, fault| {
        let _ = write!(text, "\n{fault}\n");
        text
    })
}

#[test]
fn the_commands_of_the_guide_print_what_it_shows() {
    let world = run::ExampleWeb::start();
    // Pages are taken from the end: the longest one, archives.md, is among the first.
    let queue = Mutex::new(read_pages().into_iter().rev().collect::<Vec<_>>());
    let faults = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let Some(page) = queue.lock().unwrap().pop() else { break };
                    let found = world.run_page(&page);
                    faults.lock().unwrap().extend(found);
                }
            });
        }
    });
    let mut faults = faults.into_inner().unwrap();
    faults.sort();
    assert!(faults.is_empty(), "{}", report(&faults));
}

#[test]
fn every_command_line_of_the_guide_uses_existing_commands_and_flags() {
    let mut help = flags::ProgramHelp::default();
    let mut faults = Vec::new();
    let mut lines = 0;
    for page in read_pages() {
        for (number, line) in page.code_lines() {
            for words in flags::find_commands(&line) {
                lines += 1;
                if let Err(fault) = help.check(&words) {
                    faults.push(format!("{}:{number}: {fault}: {line}", page.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", report(&faults));
    assert!(lines > 100, "only {lines} command lines found: is the guide still parsed?");
}

#[test]
fn links_between_pages_lead_to_existing_headings() {
    let pages = read_pages();
    let anchors: HashMap<&str, Vec<String>> =
        pages.iter().map(|page| (page.name.as_str(), page.anchors())).collect();
    let mut faults = Vec::new();
    for page in &pages {
        for (line, target) in page.links() {
            let Some((file, anchor)) = target.split_once('#') else { continue };
            let file = if file.is_empty() { page.name.as_str() } else { file };
            // Links that leave the guide are checked by `cargo xtask tidy`.
            if anchors.get(file).is_some_and(|known| !known.iter().any(|name| name == anchor)) {
                faults.push(format!("{}:{line}: {file} has no heading #{anchor}", page.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", report(&faults));
}
