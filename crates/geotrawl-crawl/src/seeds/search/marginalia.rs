//! Marginalia: an index of the small and old web that other engines neglect.
//! <https://about.marginalia-search.com/article/api>

use super::answer::{error_message, parse_hits, quote_text, requested_wait};
use super::config::EngineConfig;
use super::engine::{
    EngineProfile, EngineResponse, KeyPlace, PageQuery, ResultPage, WebEngine, append_path, with_params,
};
use super::fault::{EngineErrorClass, SearchEngineError};
use serde_json::Value;
use url::Url;

pub(super) static DOC: EngineProfile = EngineProfile {
    kind: "marginalia",
    title: "Marginalia Search",
    home: "https://about.marginalia-search.com/article/api",
    url: Some("https://api2.marginalia-search.com/"),
    key: KeyPlace::Header("api-key"),
    needs_key: true,
    public_key: Some("public"),
    per_page: 20,
    most_pages: 10,
    per_day: Some(100),
    per_month: None,
    rate: 6,
    inurl: false,
    note: "results are CC BY-NC-SA 4.0 unless the key is a commercial one; the public key is shared by all users",
};

pub(super) struct MarginaliaEngine;

impl WebEngine for MarginaliaEngine {
    fn profile(&self) -> &'static EngineProfile {
        &DOC
    }

    fn build_url(
        &self,
        base: Url,
        config: &EngineConfig,
        ask: &PageQuery<'_>,
    ) -> Result<Url, SearchEngineError> {
        // The API has no language parameter.
        let (count, page) = (DOC.per_page.to_string(), ask.page.to_string());
        let ours = [("query", ask.words), ("count", &count), ("page", &page)];
        Ok(with_params(append_path(base, "/search"), config, &ours))
    }

    fn parse_page(&self, body: &Value) -> Option<ResultPage> {
        let results = body.get("results")?.as_array()?;
        let more = match (body.get("page").and_then(Value::as_u64), body.get("pages").and_then(Value::as_u64))
        {
            (Some(page), Some(pages)) => page < pages,
            _ => results.len() >= DOC.per_page as usize,
        };
        Some(ResultPage { hits: parse_hits(results, "url", "title"), more, issues: Vec::new() })
    }

    fn parse_refusal(&self, said: &EngineResponse<'_>, body: &Value) -> Option<SearchEngineError> {
        let told = error_message(body).map(|told| format!(", \"{}\"", quote_text(told))).unwrap_or_default();
        match said.status {
            // It sends 503 where other engines send 429.
            429 | 503 => Some(SearchEngineError::rate_limited(
                format!(
                    "Too many requests with this key (HTTP {}{told}); the public key is shared by all users: ask for one of \
                     your own ({})",
                    said.status, DOC.home
                ),
                requested_wait(said),
                said.now,
            )),
            401 | 403 => Some(SearchEngineError::new(
                EngineErrorClass::Key,
                format!(
                    "The key was rejected (HTTP {}{told}); check it, or remove it to use the public key",
                    said.status
                ),
            )),
            _ => None,
        }
    }
}
