//! The fixed work: small enough to be counted in a second or two, large enough that what matters stands out.

mod find;
mod keep;
mod mine;
mod read;
mod web;

use anyhow::Result;
use std::path::Path;

/// Does the work once; says something about what came out, so that work that is not done is noticed.
pub type Pass = dyn FnMut() -> Result<u64>;

/// A piece of work.
pub struct Work {
    pub name: &'static str,
    pub about: &'static str,
    /// It is done by other threads, so everything that the process does is counted.
    pub threads: bool,
    /// Makes files in the folder, in a process that is not counted.
    pub prepare: fn(&Path) -> Result<()>,
    /// Reads them, and gives what is counted.
    pub begin: fn(&Path) -> Result<Box<Pass>>,
}

/// All of them.
pub const WORKS: &[Work] = &[
    Work {
        name: "urls",
        about: "addresses as written: cleaned, made canonical, classified",
        threads: false,
        prepare: web::prepare_addresses,
        begin: web::urls,
    },
    Work {
        name: "links",
        about: "pages: links, words, facts",
        threads: false,
        prepare: web::prepare_pages,
        begin: web::links,
    },
    Work {
        name: "order",
        about: "links weighed and lessons learned by the usual ordering",
        threads: false,
        prepare: web::prepare_pages,
        begin: web::order,
    },
    Work {
        name: "capabilities",
        about: "a WMS document with its layers",
        threads: false,
        prepare: nothing,
        begin: read::capabilities,
    },
    Work {
        name: "script",
        about: "a bundle whose values are followed",
        threads: false,
        prepare: nothing,
        begin: read::script,
    },
    Work {
        name: "commit",
        about: "a batch of pages with links and finds into the embedded store",
        threads: false,
        prepare: keep::prepare,
        begin: keep::commit,
    },
    Work {
        name: "search",
        about: "words, a box and facets",
        threads: false,
        prepare: find::prepare,
        begin: find::search,
    },
    Work {
        name: "records",
        about: "a question by CSW read, and records written as ISO 19139",
        threads: false,
        prepare: nothing,
        begin: find::records,
    },
    Work {
        name: "mine",
        about: "a WARC file: pages, scripts, candidates",
        threads: true,
        prepare: mine::prepare,
        begin: mine::mine,
    },
];

#[expect(clippy::unnecessary_wraps, reason = "one of several of this shape")]
fn nothing(_: &Path) -> Result<()> {
    Ok(())
}
