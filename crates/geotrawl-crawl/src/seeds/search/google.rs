//! Google Programmable Search: closed to new customers, and for everyone from 2027-01-01.
//! <https://developers.google.com/custom-search/v1/overview>

use super::answer::{error_message, parse_hits, quote_text, requested_wait};
use super::config::EngineConfig;
use super::engine::{EngineProfile, EngineResponse, KeyPlace, PageQuery, ResultPage, WebEngine, with_params};
use super::fault::{EngineErrorClass, SearchEngineError};
use serde_json::Value;
use url::Url;

pub(super) static DOC: EngineProfile = EngineProfile {
    kind: "google",
    title: "Google Programmable Search",
    home: "https://developers.google.com/custom-search/v1/overview",
    url: Some("https://www.googleapis.com/customsearch/v1"),
    key: KeyPlace::Param("key"),
    needs_key: true,
    public_key: None,
    per_page: 10,
    most_pages: 10,
    per_day: Some(100),
    per_month: None,
    rate: 30,
    inurl: true,
    note: "closed to new customers, and for everyone from 2027-01-01; requires params.cx",
};

pub(super) struct GoogleEngine;

impl WebEngine for GoogleEngine {
    fn profile(&self) -> &'static EngineProfile {
        &DOC
    }

    fn build_url(
        &self,
        base: Url,
        config: &EngineConfig,
        ask: &PageQuery<'_>,
    ) -> Result<Url, SearchEngineError> {
        let start = (u64::from(ask.page.saturating_sub(1)) * u64::from(DOC.per_page) + 1).to_string();
        let language = match ask.language {
            None => String::new(),
            Some("zh") => "lang_zh-CN".to_owned(),
            Some(language) => format!("lang_{language}"),
        };
        let ours = [("q", ask.words), ("num", "10"), ("start", &start), ("lr", &language)];
        Ok(with_params(base, config, &ours))
    }

    fn parse_page(&self, body: &Value) -> Option<ResultPage> {
        let results = match body.get("items") {
            Some(items) => items.as_array()?.as_slice(),
            // Without results, the member is absent.
            None if body.get("searchInformation").or(body.get("queries")).is_some() => &[],
            None => return None,
        };
        let more = body.pointer("/queries/nextPage").is_some_and(|next| !next.is_null());
        Some(ResultPage { hits: parse_hits(results, "link", "title"), more, issues: Vec::new() })
    }

    fn parse_refusal(&self, said: &EngineResponse<'_>, body: &Value) -> Option<SearchEngineError> {
        let error = body.get("error")?;
        let told = quote_text(error_message(body).unwrap_or_default());
        let reason = error.pointer("/errors/0/reason").and_then(Value::as_str).unwrap_or_default();
        let daily = reason == "dailyLimitExceeded" || told.contains("per day") || told.contains("Daily");
        if daily || reason == "quotaExceeded" {
            return Some(SearchEngineError::quota_exceeded(
                format!("The daily quota is used up (\"{told}\"); it resets at midnight Pacific time"),
                requested_wait(said),
                said.now,
            ));
        }
        if said.status == 429 || reason.ends_with("ateLimitExceeded") {
            return Some(SearchEngineError::rate_limited(
                format!("Google got too many requests (\"{told}\"); a lower `rate` helps"),
                requested_wait(said),
                said.now,
            ));
        }
        if matches!(said.status, 401 | 403) || told.contains("API key") {
            return Some(SearchEngineError::new(
                EngineErrorClass::Key,
                format!(
                    "The key was rejected (\"{told}\"); check it, `params.cx` and that the API is enabled"
                ),
            ));
        }
        None
    }
}
