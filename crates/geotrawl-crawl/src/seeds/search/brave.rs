//! Brave Search: an independent index; requires a key.
//! <https://api-dashboard.search.brave.com/app/documentation/web-search>

use super::answer::{error_message, parse_hits, quote_text};
use super::config::EngineConfig;
use super::engine::{EngineProfile, EngineResponse, KeyPlace, PageQuery, ResultPage, WebEngine, with_params};
use super::fault::{EngineErrorClass, SearchEngineError};
use jiff::SignedDuration;
use serde_json::Value;
use url::Url;

pub(super) static DOC: EngineProfile = EngineProfile {
    kind: "brave",
    title: "Brave Search",
    home: "https://brave.com/search/api/",
    url: Some("https://api.search.brave.com/res/v1/web/search"),
    key: KeyPlace::Header("x-subscription-token"),
    needs_key: true,
    public_key: None,
    per_page: 20,
    most_pages: 10,
    per_day: None,
    per_month: Some(1_000),
    rate: 50,
    inurl: false,
    note: "",
};

pub(super) struct BraveEngine;

impl WebEngine for BraveEngine {
    fn profile(&self) -> &'static EngineProfile {
        &DOC
    }

    fn build_url(
        &self,
        base: Url,
        config: &EngineConfig,
        ask: &PageQuery<'_>,
    ) -> Result<Url, SearchEngineError> {
        // The offset counts pages from 0, not results.
        let offset = ask.page.saturating_sub(1).to_string();
        let mut ours = vec![("q", ask.words), ("count", "20"), ("offset", &offset), ("result_filter", "web")];
        // Without this, the matched words are highlighted in titles.
        ours.push(("text_decorations", "false"));
        if let Some(language) = ask.language {
            ours.push(("search_lang", its_name(language)));
        }
        Ok(with_params(base, config, &ours))
    }

    fn parse_page(&self, body: &Value) -> Option<ResultPage> {
        let of_brave =
            body.get("query").is_some() || body.get("type").and_then(Value::as_str) == Some("search");
        let results = match body.pointer("/web/results") {
            Some(results) => results.as_array()?.as_slice(),
            // Without results, the member is absent.
            None if of_brave && body.get("web").is_none_or(Value::is_null) => &[],
            None => return None,
        };
        let more = body.pointer("/query/more_results_available").and_then(Value::as_bool);
        Some(ResultPage {
            hits: parse_hits(results, "url", "title"),
            more: more.unwrap_or(!results.is_empty()),
            issues: Vec::new(),
        })
    }

    fn parse_refusal(&self, said: &EngineResponse<'_>, body: &Value) -> Option<SearchEngineError> {
        let code = body.pointer("/error/code").and_then(Value::as_str).unwrap_or_default();
        let told = quote_text(error_message(body).unwrap_or(code));
        match (said.status, code) {
            (_, "QUOTA_LIMITED" | "USAGE_LIMIT_EXCEEDED") => Some(SearchEngineError::quota_exceeded(
                format!(
                    "The quota of the key is used up (\"{told}\"); wait for the next month or change the plan"
                ),
                reset(said, true),
                said.now,
            )),
            (429, _) => Some(SearchEngineError::rate_limited(
                format!(
                    "Brave got too many requests (\"{told}\"); a lower `rate` helps, free plans allow one per second"
                ),
                super::answer::requested_wait(said).or_else(|| reset(said, false)),
                said.now,
            )),
            (
                _,
                "SUBSCRIPTION_TOKEN_INVALID"
                | "SUBSCRIPTION_NOT_FOUND"
                | "OPTION_NOT_IN_PLAN"
                | "RESOURCE_NOT_ALLOWED",
            ) => Some(SearchEngineError::new(
                EngineErrorClass::Key,
                format!("The key was rejected (\"{told}\"); check it and its plan at {}", DOC.home),
            )),
            _ => None,
        }
    }
}

/// Parses the seconds until the plan's windows reset, e.g. `1, 1419704`: the shortest window first,
/// the month last.
fn reset(said: &EngineResponse<'_>, month: bool) -> Option<SignedDuration> {
    let value = said.headers.get("x-ratelimit-reset")?.to_str().ok()?;
    let mut windows = value.split(',').filter_map(|text| text.trim().parse::<i64>().ok());
    let seconds = if month { windows.next_back() } else { windows.next() };
    seconds.filter(|seconds| *seconds > 0).map(SignedDuration::from_secs)
}

/// Returns the engine's language code where it differs from ISO 639-1.
fn its_name(language: &str) -> &str {
    match language {
        "zh" => "zh-hans",
        "ja" => "jp",
        "pt" => "pt-pt",
        other => other,
    }
}
