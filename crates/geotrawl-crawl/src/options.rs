//! Options of a crawl task: everything except its seeds.

use geotrawl_model::Bbox;
use geotrawl_rank::ORDERINGS;
use serde::{Deserialize, Deserializer, Serialize};
use std::str::FromStr;

/// Default page limit of the stop rule for tasks that open seed groups. With the yield that
/// PolarHub reports for the second link (1 %), this many consecutive pages without a find occur
/// once in 150 times.
const USUAL_PATIENCE: u32 = 500;

/// Limits and settings of a crawl. Stored with the task, so that a resumed crawl continues as it
/// began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrawlOptions {
    /// Reads pages up to this many links away from a seed; services and files that they link to are
    /// still proven.
    pub depth: u32,
    /// Maximum number of groups of ten seeds to open, each when the one before is exhausted; `None`
    /// for all seeds at once. Not serialised if unset, because task names derive from the text; the
    /// same holds for the following options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Maximum number of links to follow per page, best first; services and files are proven in any
    /// case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links_per_page: Option<u32>,
    /// Languages (ISO 639-1) to follow. Pages in other languages are read, but not their links;
    /// empty for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// Seconds after which the crawl ends, over all sessions of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_seconds: Option<u64>,
    /// Ends a seed group or a site section after this many consecutive pages without a find; 0 for
    /// never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patience: Option<u32>,
    /// Keywords of the task.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// Maximum number of pages; probes of services and files do not count.
    pub max_pages: Option<u64>,
    /// Maximum number of requests per host.
    pub max_per_host: u64,
    /// Where links to pages may lead.
    pub scope: CrawlScope,
    /// Proves services and files outside `scope` as well.
    pub prove_outside: bool,
    /// Reads only pages whose path starts with one of these, seeds excepted; empty for all.
    pub path_prefixes: Vec<String>,
    /// Kinds to prove; empty for all.
    pub kinds: Vec<String>,
    /// Keeps only resources that intersect this box, or whose extent is unknown.
    pub bbox: Option<Bbox>,
    /// Maximum number of pages to read per catalogue; 0 for none.
    pub harvest_pages: u32,
    /// Proves the links of catalogue records.
    pub prove_records: bool,
    /// Asks catalogues that were harvested before only for changes.
    pub incremental: bool,
    /// Asks catalogues only for changes since this moment (RFC 3339).
    pub since: Option<String>,
    /// Reads the scripts of map applications.
    pub scripts: bool,
    /// Renders map applications in a browser if their code shows nothing.
    pub render: bool,
    /// Ranking of the frontier: one of [`ORDERINGS`].
    #[serde(deserialize_with = "known_ordering")]
    pub ordering: String,
    /// Attempts per request if the failure may be temporary.
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

/// How far links may lead from the page that contains them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CrawlScope {
    /// The same host name (ignoring `www.`), any port and scheme.
    Host,
    /// The same registrable domain.
    Domain,
    /// Anywhere.
    Any,
}

impl CrawlOptions {
    /// Returns the number of consecutive pages without a find after which a seed group or site
    /// section ends.
    pub fn dry_page_limit(&self) -> Option<u32> {
        let unsaid = self.width.map(|_| USUAL_PATIENCE);
        self.patience.or(unsaid).filter(|pages| *pages > 0)
    }
}

/// Returns the ranking of tasks that do not name one.
pub fn default_ranking() -> &'static str {
    ORDERINGS.first().map_or("fifo", |choice| choice.name)
}

/// Checks that a text is the name of a ranking.
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

/// Error for a text that is none of the choices.
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
