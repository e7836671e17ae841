//! What a crawl task is asked to do: everything but its seeds.

use geotrawl_model::Bbox;
use geotrawl_rank::ORDERINGS;
use serde::{Deserialize, Deserializer, Serialize};
use std::str::FromStr;

/// Patience of tasks that open groups of seeds and say nothing else: with the yields that PolarHub reports for the
/// second link (1 %), so many pages in a row without a find would come once in a hundred and fifty times.
const USUAL_PATIENCE: u32 = 500;

/// Limits and choices of a crawl. Stored with the task, so that a resumed crawl goes on as it began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrawlOptions {
    /// Pages at most this many links away from a seed are read; what they point to is still proven.
    pub depth: u32,
    /// Groups of ten seeds that are opened at most, each when the one before is exhausted; `None`: all at once.
    /// Left out of the text when not set, so that tasks keep the names made from it; so are the next ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Links of one page that are followed at most, the best ones; what it shows of services and files is proven
    /// in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links_per_page: Option<u32>,
    /// Pages in other languages (ISO 639-1) are read, but their links to pages are not followed; empty: all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// Seconds after which the crawl ends, all its runs together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_seconds: Option<u64>,
    /// A group of seeds, or a branch of a site, ends after this many pages in a row that gave nothing new; 0: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patience: Option<u32>,
    /// What the task is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// Stop after this many pages; probes of services and files do not count.
    pub max_pages: Option<u64>,
    /// At most this many requests to one host.
    pub max_per_host: u64,
    /// Where pages may be read.
    pub scope: CrawlScope,
    /// Prove services and files also where `scope` does not let pages be read.
    pub prove_outside: bool,
    /// Only pages whose path starts with one of these (seeds excepted); empty = all.
    pub path_prefixes: Vec<String>,
    /// Only these kinds are proven; empty = all.
    pub kinds: Vec<String>,
    /// Only resources that touch this box, or whose place is unknown, are kept.
    pub bbox: Option<Bbox>,
    /// Catalogues are read this many pages deep; 0 = not at all.
    pub harvest_pages: u32,
    /// Prove what the records of catalogues lead to.
    pub prove_records: bool,
    /// Of a catalogue that was harvested before, ask only for what has changed.
    pub incremental: bool,
    /// Ask catalogues for what has changed since this moment (RFC 3339).
    pub since: Option<String>,
    /// Read the scripts of map applications.
    pub scripts: bool,
    /// Let a browser look at map applications whose code shows nothing.
    pub render: bool,
    /// In which order pages are read: one of [`ORDERINGS`].
    #[serde(deserialize_with = "known_ordering")]
    pub ordering: String,
    /// Attempts at a request whose failure may pass.
    pub attempts: u32,
}

impl Default for CrawlOptions {
    fn default() -> Self {
        Self {
            depth: 2,
            width: None,
            links_per_page: None,
            languages: Vec::new(),
            max_seconds: None,
            patience: None,
            keywords: Vec::new(),
            max_pages: None,
            max_per_host: 10_000,
            scope: CrawlScope::Any,
            prove_outside: false,
            path_prefixes: Vec::new(),
            kinds: Vec::new(),
            bbox: None,
            harvest_pages: 1000,
            prove_records: true,
            incremental: false,
            since: None,
            scripts: true,
            render: false,
            ordering: default_ranking().to_owned(),
            attempts: 3,
        }
    }
}

/// How far from the page that shows it a link may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CrawlScope {
    /// The same host name (`www.` aside), any port and scheme.
    Host,
    /// The same registrable domain.
    Domain,
    /// Anywhere.
    Any,
}

impl CrawlOptions {
    /// After how many pages in a row without anything new a group of seeds or a branch of a site is given up.
    pub fn dry_page_limit(&self) -> Option<u32> {
        let unsaid = self.width.map(|_| USUAL_PATIENCE);
        self.patience.or(unsaid).filter(|pages| *pages > 0)
    }
}

/// The ordering of tasks that name none.
pub fn default_ranking() -> &'static str {
    ORDERINGS.first().map_or("fifo", |choice| choice.name)
}

/// The name, when it is that of an ordering.
pub fn parse_ranking_name(text: &str) -> Result<String, UnknownChoiceError> {
    let names: Vec<&str> = ORDERINGS.iter().map(|choice| choice.name).collect();
    if names.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(UnknownChoiceError { given: text.to_owned(), choices: names.join(", ") })
}

fn known_ordering<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    parse_ranking_name(&name).map_err(serde::de::Error::custom)
}

/// A word that names none of the choices.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("'{given}' is not one of: {choices}")]
pub struct UnknownChoiceError {
    given: String,
    choices: String,
}

impl FromStr for CrawlScope {
    type Err = UnknownChoiceError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "host" => Ok(Self::Host),
            "domain" => Ok(Self::Domain),
            "any" => Ok(Self::Any),
            _ => Err(UnknownChoiceError { given: text.to_owned(), choices: "host, domain, any".to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_options_with_a_typo_are_refused() {
        let error = serde_json::from_str::<CrawlOptions>(r#"{"dept": 3}"#).unwrap_err();
        assert!(error.to_string().contains("dept"), "{error}");
    }

    #[test]
    fn an_ordering_that_is_unknown_is_refused_and_named() {
        let error = serde_json::from_str::<CrawlOptions>(r#"{"ordering": "best"}"#).unwrap_err();
        assert!(error.to_string().contains("'best' is not one of"), "{error}");
    }

    #[test]
    fn patience_is_limited_where_groups_of_seeds_are_opened_or_somebody_says_so() {
        let of =
            |width, patience| CrawlOptions { width, patience, ..CrawlOptions::default() }.dry_page_limit();
        assert_eq!(of(None, None), None);
        assert_eq!(of(Some(2), None), Some(USUAL_PATIENCE));
        assert_eq!(of(Some(2), Some(0)), None);
        assert_eq!(of(None, Some(7)), Some(7));
    }

    #[test]
    fn options_survive_storage() {
        let options = CrawlOptions { depth: 5, scope: CrawlScope::Domain, ..CrawlOptions::default() };
        let text = serde_json::to_string(&options).unwrap();
        assert_eq!(serde_json::from_str::<CrawlOptions>(&text).unwrap(), options);
    }
}
