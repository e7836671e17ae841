//! Links out of documents: HTML, sitemaps, feeds, any XML, plain text and JSON.
//!
//! Every reader takes the URL that was asked, the head of the answer and the whole body, and gives a
//! [`Finding`](crate::probe::Finding) whose targets are cleaned, classified and free of duplicates. No
//! input makes a reader fail, hang or take more than linear time: what is odd is said as an issue.

mod addresses;
mod charset;
mod collect;
mod html;
mod link_header;
mod simhash;
mod sitemap;
mod text;
mod verdict;
mod words;
mod xml;
mod xml_walk;

pub use charset::{TextKind, decode};
pub use collect::MAX_TARGETS;
pub use html::read_html;
pub use sitemap::read_sitemap;
pub use text::read_text;
pub use verdict::page_verdict;
pub use xml::read_xml_links;
