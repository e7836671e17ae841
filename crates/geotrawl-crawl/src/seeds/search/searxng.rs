//! SearXNG: a metasearch engine that one runs oneself.
//!
//! Its interface is `GET /search` with `format=json`, which an instance must allow (`search.formats`), else it answers
//! 403. Its limiter takes requests for those of a bot unless they accept HTML and name a language, so ours do both.
//! When the engines behind it refuse, it answers 200 with no results and says which did.
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
    note: "run your own instance with `json` among its search.formats; public ones rarely allow it",
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
            vec![format!("engines behind it did not answer: {}", silent.join(", "))]
        };
        Some(ResultPage { hits: parse_hits(results, "url", "title"), more: !results.is_empty(), issues })
    }

    fn parse_refusal(&self, said: &EngineResponse<'_>, body: &Value) -> Option<SearchEngineError> {
        match said.status {
            403 => Some(SearchEngineError::new(
                EngineErrorClass::FormatOff,
                "The instance does not give JSON (HTTP 403); add `json` to `search.formats` in its settings.yml",
            )),
            429 => Some(SearchEngineError::rate_limited(
                "The limiter of the instance takes us for a bot (HTTP 429); let our address pass in its limiter.toml \
                 (`botdetection.ip_lists.pass_ip`), or ask less often",
                requested_wait(said),
                said.now,
            )),
            200 => {
                if let Some(error) = error_message(body) {
                    return Some(SearchEngineError::new(
                        EngineErrorClass::Refused,
                        format!("The instance did not accept the question: \"{}\"", quote_text(error)),
                    ));
                }
                let silent = silent(body);
                let empty = body.get("results").and_then(Value::as_array).is_some_and(Vec::is_empty);
                (empty && !silent.is_empty()).then(|| {
                    SearchEngineError::new(
                        EngineErrorClass::Upstream,
                        format!(
                            "The instance answered, but none of the engines behind it did ({}); try again later, or \
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

/// Engines behind the instance that gave nothing, with the reason.
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
