//! Mojeek: a small independent index; requires a key.
//! <https://www.mojeek.com/support/api/search/request_parameters.html>

use super::answer::{parse_hits, quote_text};
use super::config::EngineConfig;
use super::engine::{EngineProfile, EngineResponse, KeyPlace, PageQuery, ResultPage, WebEngine, with_params};
use super::fault::{EngineErrorClass, SearchEngineError};
use serde_json::Value;
use url::Url;

pub(super) static DOC: EngineProfile = EngineProfile {
    kind: "mojeek",
    title: "Mojeek",
    home: "https://www.mojeek.com/services/search/web-search-api/",
    url: Some("https://api.mojeek.com/search"),
    key: KeyPlace::Param("api_key"),
    needs_key: true,
    public_key: None,
    per_page: 20,
    most_pages: 10,
    per_day: Some(100),
    per_month: Some(1_000),
    rate: 30,
    inurl: true,
    note: "",
};

pub(super) struct MojeekEngine;

impl WebEngine for MojeekEngine {
    fn profile(&self) -> &'static EngineProfile {
        &DOC
    }

    fn build_url(
        &self,
        base: Url,
        config: &EngineConfig,
        ask: &PageQuery<'_>,
    ) -> Result<Url, SearchEngineError> {
        let count = DOC.per_page.to_string();
        let start = (u64::from(ask.page.saturating_sub(1)) * u64::from(DOC.per_page) + 1).to_string();
        let language = ask.language.unwrap_or_default().to_ascii_uppercase();
        let ours = [("q", ask.words), ("fmt", "json"), ("s", &start), ("t", &count), ("lb", &language)];
        Ok(with_params(base, config, &ours))
    }

    fn parse_page(&self, body: &Value) -> Option<ResultPage> {
        let response = body.get("response")?;
        let results = match response.get("results") {
            Some(results) => results.as_array()?.as_slice(),
            None if response.get("head").is_some() => &[],
            None => return None,
        };
        let more = results.len() >= DOC.per_page as usize;
        Some(ResultPage { hits: parse_hits(results, "url", "title"), more, issues: Vec::new() })
    }

    /// Detects errors in `status`, which are sent with HTTP 200 as well.
    fn parse_refusal(&self, said: &EngineResponse<'_>, body: &Value) -> Option<SearchEngineError> {
        let status = body.pointer("/response/status").and_then(Value::as_str)?;
        if status.eq_ignore_ascii_case("ok") {
            return None;
        }
        let (told, small) = (quote_text(status), status.to_ascii_lowercase());
        let has = |words: &[&str]| words.iter().any(|word| small.contains(word));
        if has(&["quota", "limit", "exceeded", "credit", "too many"]) {
            return Some(SearchEngineError::quota_exceeded(
                format!(
                    "Mojeek reports that the quota is used up (\"{told}\"); wait, or change the plan of the key"
                ),
                super::answer::requested_wait(said),
                said.now,
            ));
        }
        if has(&["key", "denied", "auth", "forbidden", "ip "]) {
            return Some(SearchEngineError::new(
                EngineErrorClass::Key,
                format!("Mojeek rejected the key (\"{told}\"); check it and the addresses that may use it"),
            ));
        }
        if has(&["no results", "no match"]) {
            return None;
        }
        Some(SearchEngineError::new(
            EngineErrorClass::Refused,
            format!("Mojeek rejected the query (\"{told}\"); use other words or `params`"),
        ))
    }
}
