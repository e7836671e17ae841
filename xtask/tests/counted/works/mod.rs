//! The fixed work: small enough to be counted in a second or two, large enough for differences to
//! show.

mod find;
mod keep;
mod mine;
mod read;
mod web;

use anyhow::Result;
use std::path::Path;

/// Does the work once; returns a number that depends on the result, so that missing work is
/// noticed.
pub type WorkPass = dyn FnMut() -> Result<u64>;

/// A piece of work.
pub struct FixedWork {
    pub name: &'static str,
    pub about: &'static str,
    /// Whether other threads do the work, so that the whole process is counted.
    pub threads: bool,
    /// Creates files in the folder, in a process that is not counted.
    pub prepare: fn(&Path) -> Result<()>,
    /// Reads the files and returns the counted work.
    pub begin: fn(&Path) -> Result<Box<WorkPass>>,
}

/// All pieces of work.
pub const WORKS: &[FixedWork] = &[
    FixedWork {
        name: "urls",
        about: "raw addresses: clean, canonicalize, classify",
        threads: false,
        prepare: web::prepare_addresses,
        begin: web::begin_urls,
    },
    FixedWork {
        name: "links",
        about: "pages: extract links, words, facts",
        threads: false,
        prepare: web::prepare_pages,
        begin: web::begin_links,
    },
    FixedWork {
        name: "order",
        about: "rank links and learn with the default ranking",
        threads: false,
        prepare: web::prepare_pages,
        begin: web::begin_ranking,
    },
    FixedWork {
        name: "capabilities",
        about: "parse a WMS document with its layers",
        threads: false,
        prepare: nothing,
        begin: read::begin_capabilities,
    },
    FixedWork {
        name: "script",
        about: "analyze a script bundle",
        threads: false,
        prepare: nothing,
        begin: read::begin_script,
    },
    FixedWork {
        name: "commit",
        about: "commit a batch of pages with links and finds to the embedded store",
        threads: false,
        prepare: keep::prepare,
        begin: keep::begin_commit,
    },
    FixedWork {
        name: "search",
        about: "search with words, a box and facets",
        threads: false,
        prepare: find::prepare,
        begin: find::begin_search,
    },
    FixedWork {
        name: "records",
        about: "parse a CSW request and write records as ISO 19139",
        threads: false,
        prepare: nothing,
        begin: find::begin_records,
    },
    FixedWork {
        name: "mine",
        about: "mine a WARC file: pages, scripts, candidates",
        threads: true,
        prepare: mine::prepare,
        begin: mine::begin_mining,
    },
];

#[expect(clippy::unnecessary_wraps, reason = "one of several of this shape")]
fn nothing(_: &Path) -> Result<()> {
    Ok(())
}
