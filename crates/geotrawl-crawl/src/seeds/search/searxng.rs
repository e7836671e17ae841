//! SearXNG: a self-hosted metasearch engine.
//!
//! The API is `GET /search` with `format=json`. The instance must allow that format
//! (`search.formats`), otherwise it responds with 403. Its limiter blocks clients as bots unless
//! they accept HTML and send a language, so our requests do both. If its engines refuse, it
//! responds with 200, no results and the names of those engines.
//! <https://docs.searxng.org/dev/search_api.html>

use super::answer::{error_message, parse_hits, quote_text, requested_wait};
use super::config::EngineConfig;
use super::engine::{
    EngineProfile, EngineResponse, KeyPlace, PageQuery, ResultPage, WebEngine, append_path, with_params,
};
use super::fault::{EngineErrorClass, SearchEngineError};
use serde_json::Value;
use url::Url;

pub(super) static DOC: EngineProfile = EngineProfile {
    kind: "searxng",
    title: "SearXNG",
    home: "https://docs.searxng.org/dev/search_api.html",
    url: None,
    key: KeyPlace::None,
    needs_key: false,
    public_key: None,
    per_page: 20,
    most_pages: 10,
    per_day: Some(1_000),
    per_month: None,
    rate: 12,
    inurl: false,
    note: "run your own instance with `json` in its search.formats; public ones rarely allow it",
};

pub(super) struct SearxngEngine;

impl WebEngine for SearxngEngine {
    fn profile(&self) -> &'static EngineProfile {
        &DOC
    }

    fn build_url(
        &self,
        base: Url,
        config: &EngineConfig,
        ask: &PageQuery<'_>,
    ) -> Result<Url, SearchEngineError> {
        let page = ask.page.to_string();
        let mut ours = vec![("q", ask.words), ("format", "json"), ("pageno", &page)];
        if let Some(language) = ask.language {
            ours.push(("language", language));
        }
        if !config.params.contains_key("categories") && !config.params.contains_key("engines") {
            ours.push(("categories", "general"));
        }
        Ok(with_params(append_path(base, "/search"), config, &ours))
    }

    fn parse_page(&self, body: &Value) -> Option<ResultPage> {
        let results = body.get("results")?.as_array()?;
        let silent = silent(body);
        let issues = if silent.is_empty() {
            Vec::new()
        } else {
            vec![format!("engines of the instance did not answer: {}", silent.join(", "))]
        };
        Some(ResultPage { hits: parse_hits(results, "url", "title"), more: !results.is_empty(), issues })
    }

    fn parse_refusal(&self, said: &EngineResponse<'_>, body: &Value) -> Option<SearchEngineError> {
        match said.status {
            403 => Some(SearchEngineError::new(
                EngineErrorClass::FormatOff,
                "The instance does not allow JSON (HTTP 403); add `json` to `search.formats` in its settings.yml",
            )),
            429 => Some(SearchEngineError::rate_limited(
                "The limiter of the instance blocks this client as a bot (HTTP 429); allow its address in limiter.toml \
                 (`botdetection.ip_lists.pass_ip`), or lower the `rate`",
                requested_wait(said),
                said.now,
            )),
            200 => {
                if let Some(error) = error_message(body) {
                    return Some(SearchEngineError::new(
                        EngineErrorClass::Refused,
                        format!("The instance rejected the query: \"{}\"", quote_text(error)),
                    ));
                }
                let silent = silent(body);
                let empty = body.get("results").and_then(Value::as_array).is_some_and(Vec::is_empty);
                (empty && !silent.is_empty()).then(|| {
                    SearchEngineError::new(
                        EngineErrorClass::Upstream,
                        format!(
                            "The instance answered, but none of its engines did ({}); try again later, or \
                             choose others with `params = {{ engines = \"...\" }}`",
                            silent.join(", ")
                        ),
                    )
                })
            }
            _ => None,
        }
    }
}

/// Returns the instance's engines that did not answer, with the reason.
fn silent(body: &Value) -> Vec<String> {
    let engines = body.get("unresponsive_engines").and_then(Value::as_array);
    let told = engines.into_iter().flatten().take(10).filter_map(|engine| match engine {
        Value::Array(pair) => {
            let text = |n: usize| pair.get(n).and_then(Value::as_str).map(quote_text);
            let name = text(0)?;
            Some(text(1).map_or_else(|| name.clone(), |why| format!("{name}: {why}")))
        }
        Value::String(name) => Some(quote_text(name)),
        _ => None,
    });
    told.collect()
}
