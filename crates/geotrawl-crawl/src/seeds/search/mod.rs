//! Seeds from search engines: several are asked the same questions, and their answers become one ranked list.
//!
//! In order: [`queries`] makes the questions, [`MetaSearch`] asks every engine on its own (kept answers first, quotas
//! counted before a request is sent), one file per engine says how it is asked and how its answer reads, and
//! [`rank`](merge) merges what came: the weight of an address is the sum over the result lists it stands in of
//! `B - rank + 1`, where `B` is how many results of each list are used (the prototype of the ASDC paper).
//! Ten seeds are a width. An engine that fails is told with its cause and never costs the others.

mod answer;
mod ask;
mod brave;
mod config;
mod engine;
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

/// Reads what an engine might have answered, whatever it is: for tests over strange bytes.
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
