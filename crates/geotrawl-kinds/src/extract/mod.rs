//! Extracts links from documents: HTML, sitemaps, feeds, any XML, plain text and JSON.
//!
//! Every reader takes the requested URL, the head of the response and the whole body, and returns a
//! [`Finding`](crate::probe::Finding) whose targets are cleaned, classified and free of duplicates.
//! Readers never fail, hang or take more than linear time, whatever the input; anything unusual is
//! reported as an issue.
//!
//! `PageFacts::simhash` is computed from pairs of adjacent words, ignoring case and words with
//! digits, so that the pages of a calendar or a pager collide. Pages that differ in one word in a
//! hundred differ in about four of the 64 bits, unrelated pages in about 32. The hash of a page
//! without words is 0.

mod addresses;
pub mod app;
mod charset;
mod collect;
pub mod config;
mod documents;
mod html;
mod ld_json;
mod link_header;
mod simhash;
mod sitemap;
mod text;
mod verdict;
mod vocabulary;
mod words;
mod xml;
mod xml_walk;

pub use addresses::{SchemeMarks, addresses_in, without_js_escapes};
pub use charset::{TextKind, decode_text};
pub use collect::{HtmlOptions, KnownPageLookup, MAX_TARGETS, SCRIPT_TEXT};
pub use documents::identify_document;
pub(crate) use html::parse_tree as html_tree;
pub use html::{read_html, read_html_with_options};
pub use ld_json::{JsonLdDatasets, read_script};
pub use sitemap::read_sitemap;
pub use text::read_text;
pub use verdict::page_verdict;
pub use vocabulary::{terms_of, vocabulary};
pub use xml::read_xml_links;
