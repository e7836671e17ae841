//! The fixed work: small enough to be counted in a second or two, large enough that what matters stands out.

mod find;
mod keep;
mod mine;
mod read;
mod web;

use anyhow::Result;
use std::path::Path;

/// Does the work once; says something about what came out, so that work that is not done is noticed.
pub type WorkPass = dyn FnMut() -> Result<u64>;

/// A piece of work.
pub struct FixedWork {
    pub name: &'static str,
    pub about: &'static str,
    /// It is done by other threads, so everything that the process does is counted.
    pub threads: bool,
    /// Makes files in the folder, in a process that is not counted.
    pub prepare: fn(&Path) -> Result<()>,
    /// Reads them, and gives what is counted.
    pub begin: fn(&Path) -> Result<Box<WorkPass>>,
}

/// All of them.
pub const WORKS: &[FixedWork] = &[
    FixedWork {
        name: "urls",
        about: "addresses as written: cleaned, made canonical, classified",
        threads: false,
        prepare: web::prepare_addresses,
        begin: web::begin_urls,
    },
    FixedWork {
        name: "links",
        about: "pages: links, words, facts",
        threads: false,
        prepare: web::prepare_pages,
        begin: web::begin_links,
    },
    FixedWork {
        name: "order",
        about: "links weighed and lessons learned by the usual ordering",
        threads: false,
        prepare: web::prepare_pages,
        begin: web::begin_ranking,
    },
    FixedWork {
        name: "capabilities",
        about: "a WMS document with its layers",
        threads: false,
        prepare: nothing,
        begin: read::begin_capabilities,
    },
    FixedWork {
        name: "script",
        about: "a bundle whose values are followed",
        threads: false,
        prepare: nothing,
        begin: read::begin_script,
    },
    FixedWork {
        name: "commit",
        about: "a batch of pages with links and finds into the embedded store",
        threads: false,
        prepare: keep::prepare,
        begin: keep::begin_commit,
    },
    FixedWork {
        name: "search",
        about: "words, a box and facets",
        threads: false,
        prepare: find::prepare,
        begin: find::begin_search,
    },
    FixedWork {
        name: "records",
        about: "a question by CSW read, and records written as ISO 19139",
        threads: false,
        prepare: nothing,
        begin: find::begin_records,
    },
    FixedWork {
        name: "mine",
        about: "a WARC file: pages, scripts, candidates",
        threads: true,
        prepare: mine::prepare,
        begin: mine::begin_mining,
    },
];

#[expect(clippy::unnecessary_wraps, reason = "one of several of this shape")]
fn nothing(_: &Path) -> Result<()> {
    Ok(())
}
