//! Seeds from search engines: several engines get the same queries, and their results are merged
//! into one ranked list.
//!
//! [`queries`] plans the queries. [`MetaSearch`] sends them to each engine separately; it uses
//! cached answers first and counts quotas before it sends a request. One file per engine builds its
//! requests and parses its answers. [`merge_results`] merges the results: the weight of an address
//! is the sum of `B - rank + 1` over all result lists that contain it, where `B` is the number of
//! results used per list (the prototype of the ASDC paper). Ten seeds are one width. An engine that
//! fails is reported with the cause and does not affect the others.

mod answer;
mod brave;
mod config;
mod engine;
mod engine_client;
mod fault;
mod google;
mod list;
mod marginalia;
mod meta;
mod mojeek;
mod own;
pub mod queries;
mod rank;
mod searxng;
mod words;
mod yacy;

pub use config::{EngineConfig, EngineState, Secret, SetupError, engine_states};
pub use engine::{
    ENGINES, EngineAccess, EngineEntry, EngineHit, EngineProfile, EngineResponse, KeyPlace, PageQuery,
    ResultPage, WebEngine,
};
pub use fault::{EngineErrorClass, SearchEngineError};
pub use meta::{EngineReport, FailedQuery, MetaSearch, MetaSearchRequest, MetaSearchResult, SearchError};
pub use own::CatalogueLookup;
pub use rank::{MergedSeed, ResultRank, ResultSet, SEEDS_PER_WIDTH, merge_results};
pub use words::LANGUAGES;

/// Parses bytes as an answer of the engine `kind`. For tests with arbitrary bytes.
pub fn read_response(
    kind: &str,
    status: u16,
    content_type: &str,
    body: &[u8],
) -> Option<Result<ResultPage, SearchEngineError>> {
    let EngineAccess::Web(engine) = ENGINES.iter().find(|entry| entry.doc.kind == kind)?.way else {
        return None;
    };
    let mut headers = http::HeaderMap::new();
    if let Ok(value) = http::HeaderValue::from_str(content_type) {
        headers.insert(http::header::CONTENT_TYPE, value);
    }
    Some(answer::parse_response(engine, status, &headers, body, jiff::Timestamp::UNIX_EPOCH))
}
