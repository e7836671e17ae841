//! Queries all engines independently of each other, and merges their results into one list.

use super::config::{ConfiguredEngine, EngineConfig, SetupError, configured_engines, select_engines};
use super::engine::{EngineAccess, EngineHit, PageQuery, ResultPage};
use super::engine_client::{EngineClient, PageBounds, PageError, SearchClock, build_client};
use super::fault::{EngineErrorClass, SearchEngineError};
use super::own::CatalogueLookup;
use super::queries::{self, EngineQuery, QueryBasis};
use super::rank::{MergedSeed, ResultSet, SEEDS_PER_WIDTH, merge_results};
use super::{list, own};
use crate::fetch::{FetchConfig, GuardedClient};
use geotrawl_model::StoreError;
use geotrawl_model::store::SearchEngineStore;
use jiff::Timestamp;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Consecutive failed queries after which no more requests are sent to an engine.
const PATIENCE: u32 = 2;
/// Most failures and issues reported per engine.
const MOST_TOLD: usize = 10;

/// Parameters of a metasearch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetaSearchRequest {
    /// What to search for; each keyword is combined with the service words.
    pub keywords: Vec<String>,
    /// Names of engines; empty means all configured ones and the catalogue of this instance.
    pub engines: Vec<String>,
    /// ISO 639-1 codes; empty means all languages that have service words.
    pub languages: Vec<String>,
    /// Words of productive pages and how often they occurred; new queries are made from them.
    pub terms: Vec<(String, u64)>,
    /// Send the keywords unchanged, without service words.
    pub as_is: bool,
    /// Most seeds to return.
    pub most: usize,
    /// Number of results used per list: `B` of the paper.
    pub top: u32,
    /// Most queries per engine.
    pub questions: usize,
    /// Ignore cached answers.
    pub fresh: bool,
    /// Time limit of the whole search.
    pub within: Duration,
}

impl Default for MetaSearchRequest {
    fn default() -> Self {
        Self {
            keywords: Vec::new(),
            engines: Vec::new(),
            languages: Vec::new(),
            terms: Vec::new(),
            as_is: false,
            most: 100,
            top: 20,
            questions: 12,
            fresh: false,
            within: Duration::from_mins(10),
        }
    }
}

impl MetaSearchRequest {
    /// Returns a request for as many seeds as `width` groups hold; the default number for `None`.
    pub fn with_width(width: Option<u32>) -> Self {
        let usual = Self::default();
        let most = width.map_or(usual.most, |width| (width as usize).saturating_mul(SEEDS_PER_WIDTH));
        Self { most, ..usual }
    }

    /// Returns the queries for web engines, some of which not every engine supports.
    pub fn web_queries(&self) -> Vec<EngineQuery> {
        let basis = QueryBasis {
            keywords: &self.keywords,
            languages: &self.languages,
            terms: &self.terms,
            as_is: self.as_is,
        };
        // Plan more than needed, because engines without operators skip some queries.
        queries::plan_queries(&basis, self.questions.saturating_mul(2))
    }
}

/// A failure, and the query that caused it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedQuery {
    pub query: String,
    #[serde(flatten)]
    pub fault: SearchEngineError,
}

/// What one engine did during a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EngineReport {
    pub engine: String,
    pub kind: String,
    /// Requests that were sent.
    pub asked: u64,
    /// Number of answers from the cache.
    pub kept: u64,
    pub results: u64,
    /// Number of queries that were not sent because of a failure.
    pub unasked: u64,
    /// The first failures.
    pub faults: Vec<FailedQuery>,
    /// Warnings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<String>,
}

/// The result of a metasearch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetaSearchResult {
    /// Best first, in groups of ten.
    pub seeds: Vec<MergedSeed>,
    /// One report per engine, sorted by name.
    pub reports: Vec<EngineReport>,
}

impl MetaSearchResult {
    /// Returns the messages of all failures, each with the name of its engine.
    pub fn error_messages(&self) -> impl Iterator<Item = String> {
        self.reports.iter().flat_map(|report| {
            report.faults.iter().map(|told| format!("{}: {}", report.engine, told.fault.message))
        })
    }

    /// Explains an empty result to a crawl that has no other seeds.
    pub fn empty_reason(&self) -> String {
        let why = self.error_messages().next();
        let why = why.as_deref().unwrap_or("none of them has a result for these keywords");
        format!("the search engines returned no seeds ({why})")
    }
}

/// Why a search failed as a whole: invalid parameters or the store, never an engine.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Searches with the configured engines.
#[derive(Clone)]
pub struct MetaSearch {
    fetch: FetchConfig,
    engines: Vec<ConfiguredEngine>,
    asker: EngineClient,
    own: Option<Arc<dyn CatalogueLookup>>,
}

impl MetaSearch {
    /// Creates a metasearch over these engines, and over the
    /// index of this instance if there is one.
    pub fn new(
        fetch: &FetchConfig,
        engines: &BTreeMap<String, EngineConfig>,
        store: Arc<dyn SearchEngineStore>,
        own: Option<Arc<dyn CatalogueLookup>>,
    ) -> Result<Self, SetupError> {
        let asker = EngineClient { store, clock: Arc::new(Timestamp::now) };
        Ok(Self { fetch: fetch.clone(), engines: configured_engines(engines)?, asker, own })
    }

    /// Replaces the clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<SearchClock>) -> Self {
        self.asker.clock = clock;
        self
    }

    /// Queries all engines at once and ranks their results. Failures of engines are in the reports.
    pub async fn search(&self, wanted: &MetaSearchRequest) -> Result<MetaSearchResult, SearchError> {
        for language in &wanted.languages {
            if language.len() != 2 || !language.bytes().all(|byte| byte.is_ascii_lowercase()) {
                return Err(SetupError(format!(
                    "'{language}' is not a language code of two letters such as de or pt"
                ))
                .into());
            }
        }
        let wanted = Arc::new(wanted.clone());
        let deadline = Instant::now() + wanted.within;
        let engines = select_engines(&self.engines, &wanted.engines)?;
        let mut asking = JoinSet::new();
        for (place, engine) in engines.iter().cloned().enumerate() {
            let (all, wanted) = (self.clone(), wanted.clone());
            asking.spawn(async move { (place, all.one(engine, &wanted, deadline).await) });
        }
        // Kept by position, so that the reports are in the order of the engines.
        let mut done: Vec<Option<(EngineReport, Vec<ResultSet>)>> = engines.iter().map(|_| None).collect();
        let mut broken = None;
        while let Some(ended) = asking.join_next().await {
            match ended {
                Ok((place, Ok(result))) => {
                    if let Some(slot) = done.get_mut(place) {
                        *slot = Some(result);
                    }
                }
                Ok((_, Err(error))) => broken = Some(error),
                // A task that panicked has no result and is reported below.
                Err(_joining) => {}
            }
        }
        if let Some(error) = broken {
            return Err(error.into());
        }
        let (mut reports, mut sets) = (Vec::new(), Vec::new());
        for (engine, ended) in engines.iter().zip(done) {
            let (report, own_sets) = ended.unwrap_or_else(|| {
                let mut report = report_of(engine);
                let fault = SearchEngineError::new(
                    EngineErrorClass::Local,
                    "the query was aborted by an internal error",
                );
                report.faults.push(FailedQuery { query: String::new(), fault });
                (report, Vec::new())
            });
            reports.push(report);
            sets.extend(own_sets);
        }
        Ok(MetaSearchResult { seeds: merge_results(&sets, wanted.top, wanted.most), reports })
    }

    async fn one(
        &self,
        engine: ConfiguredEngine,
        wanted: &MetaSearchRequest,
        deadline: Instant,
    ) -> Result<(EngineReport, Vec<ResultSet>), StoreError> {
        match engine.way {
            EngineAccess::Web(_) => self.web(&engine, wanted, deadline).await,
            EngineAccess::List | EngineAccess::Own => Ok(self.local(&engine, wanted).await),
        }
    }

    async fn web(
        &self,
        engine: &ConfiguredEngine,
        wanted: &MetaSearchRequest,
        deadline: Instant,
    ) -> Result<(EngineReport, Vec<ResultSet>), StoreError> {
        let mut report = report_of(engine);
        let mut sets = Vec::new();
        let client = match build_client(&self.fetch, engine) {
            Ok(client) => client,
            Err(error) => {
                report.fault("", SearchEngineError::new(EngineErrorClass::NotConfigured, error.to_string()));
                return Ok((report, sets));
            }
        };
        let mut bounds = PageBounds { kept: !wanted.fresh, send: true, deadline };
        let mut in_a_row = 0;
        let questions = wanted.web_queries();
        let questions = questions.iter().filter(|query| engine.doc.inurl || !query.operators);
        for query in questions.take(wanted.questions) {
            let (hits, fault) =
                self.question(engine, &client, query, wanted.top, bounds, &mut report).await?;
            match fault {
                None => in_a_row = 0,
                Some(fault) => {
                    in_a_row += 1;
                    // After a failure, cached answers are used even if fresh ones were requested.
                    bounds.send = bounds.send && !fault.class.ends_engine() && in_a_row < PATIENCE;
                    bounds.kept = true;
                    report.fault(&query.words, fault);
                }
            }
            if !hits.is_empty() {
                report.results += hits.iter().flatten().count() as u64;
                sets.push(ResultSet { engine: engine.name.clone(), query: query.words.clone(), hits });
            }
        }
        Ok((report, sets))
    }

    /// Fetches the pages of one query, up to the last rank that counts.
    async fn question(
        &self,
        engine: &ConfiguredEngine,
        client: &GuardedClient,
        query: &EngineQuery,
        top: u32,
        bounds: PageBounds,
        report: &mut EngineReport,
    ) -> Result<(Vec<Option<EngineHit>>, Option<SearchEngineError>), StoreError> {
        let mut hits: Vec<Option<EngineHit>> = Vec::new();
        let EngineAccess::Web(web) = engine.way else { return Ok((hits, None)) };
        let language = query.language.as_deref().or(engine.config.language.as_deref());
        for page in 1..=engine.max_pages() {
            let ask = PageQuery { words: &query.words, language, page };
            match self.asker.fetch_page(engine, web, client, &ask, bounds).await {
                Ok(Some(answered)) => {
                    report.asked += u64::from(!answered.kept);
                    report.kept += u64::from(answered.kept);
                    let ResultPage { hits: of_page, more, issues } = answered.page;
                    for issue in issues {
                        report.issue(issue);
                    }
                    let none = of_page.is_empty();
                    hits.extend(of_page);
                    if none || !more || hits.len() >= top as usize {
                        break;
                    }
                }
                Ok(None) => {
                    report.unasked += 1;
                    break;
                }
                Err(PageError::Unsent(fault)) => return Ok((hits, Some(fault))),
                Err(PageError::Sent(fault)) => {
                    report.asked += 1;
                    return Ok((hits, Some(fault)));
                }
                Err(PageError::Store(error)) => return Err(error),
            }
        }
        Ok((hits, None))
    }

    /// Searches lists and the own catalogue with the keywords alone,
    /// since they hold only geospatial data.
    async fn local(
        &self,
        engine: &ConfiguredEngine,
        wanted: &MetaSearchRequest,
    ) -> (EngineReport, Vec<ResultSet>) {
        let mut report = report_of(engine);
        let mut sets = Vec::new();
        let mut questions = queries::keyword_queries(&wanted.keywords);
        if questions.is_empty() && engine.config.every {
            questions.push(EngineQuery {
                words: String::new(),
                language: None,
                operators: false,
                learned: false,
            });
        }
        for query in questions.into_iter().take(wanted.questions) {
            let (engine, own) = (engine.clone(), self.own.clone());
            let (words, most) = (query.words.clone(), wanted.top as usize);
            // Files and the index block, so read them on the blocking pool.
            let looked = tokio::task::spawn_blocking(move || match (engine.way, &engine.config.file) {
                (EngineAccess::List, Some(file)) => {
                    list::search_list(file, &words, engine.config.every, most)
                }
                (EngineAccess::Own, _) => match own {
                    Some(index) => {
                        own::search_catalogue(&*index, &words, engine.config.language.as_deref(), most)
                    }
                    None => Ok(ResultPage::default()),
                },
                _ => Ok(ResultPage::default()),
            });
            let page = looked.await.unwrap_or_else(|_broken| {
                Err(SearchEngineError::new(
                    EngineErrorClass::Local,
                    "reading was aborted by an internal error",
                ))
            });
            match page {
                Ok(page) => {
                    report.results += page.hits.len() as u64;
                    for issue in page.issues {
                        report.issue(issue);
                    }
                    sets.push(ResultSet {
                        engine: report.engine.clone(),
                        query: query.words,
                        hits: page.hits,
                    });
                }
                Err(fault) => {
                    report.fault(&query.words, fault);
                    break;
                }
            }
        }
        (report, sets)
    }
}

impl EngineReport {
    fn fault(&mut self, query: &str, fault: SearchEngineError) {
        if self.faults.len() < MOST_TOLD {
            self.faults.push(FailedQuery { query: query.to_owned(), fault });
        }
    }

    fn issue(&mut self, issue: String) {
        if self.issues.len() < MOST_TOLD && !self.issues.contains(&issue) {
            self.issues.push(issue);
        }
    }
}

fn report_of(engine: &ConfiguredEngine) -> EngineReport {
    EngineReport { engine: engine.name.clone(), kind: engine.doc.kind.to_owned(), ..EngineReport::default() }
}
