//! YaCy: peers that share their indexes. The quality varies, but your own peer has no quota.
//! <https://wiki.yacy.net/index.php/Dev:APIyacysearch>

use super::answer::parse_hits;
use super::config::EngineConfig;
use super::engine::{EngineProfile, KeyPlace, PageQuery, ResultPage, WebEngine, append_path, with_params};
use super::fault::SearchEngineError;
use serde_json::Value;
use url::Url;

pub(super) static DOC: EngineProfile = EngineProfile {
    kind: "yacy",
    title: "YaCy",
    home: "https://wiki.yacy.net/index.php/Dev:APIyacysearch",
    url: None,
    key: KeyPlace::None,
    needs_key: false,
    public_key: None,
    per_page: 20,
    most_pages: 10,
    per_day: Some(2_000),
    per_month: None,
    rate: 20,
    inurl: true,
    note: "use your own peer; `params = { resource = \"local\" }` searches that peer alone",
};

pub(super) struct YacyEngine;

impl WebEngine for YacyEngine {
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
        let start = (u64::from(ask.page.saturating_sub(1)) * u64::from(DOC.per_page)).to_string();
        let language = ask.language.map(|language| format!("lang_{language}")).unwrap_or_default();
        let mut ours = vec![
            ("query", ask.words),
            ("startRecord", &start),
            ("maximumRecords", &count),
            ("contentdom", "text"),
            ("lr", &language),
        ];
        if !config.params.contains_key("resource") {
            ours.push(("resource", "global"));
        }
        Ok(with_params(append_path(base, "/yacysearch.json"), config, &ours))
    }

    fn parse_page(&self, body: &Value) -> Option<ResultPage> {
        let channel = body.pointer("/channels/0")?;
        let results = match channel.get("items") {
            Some(items) => items.as_array()?.as_slice(),
            None => &[],
        };
        // A number, or a string with grouped digits.
        let total = channel.get("totalResults").and_then(|total| match total {
            Value::String(text) => {
                text.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u64>().ok()
            }
            other => other.as_u64(),
        });
        let more =
            results.len() >= DOC.per_page as usize && total.is_none_or(|total| total > DOC.per_page.into());
        Some(ResultPage { hits: parse_hits(results, "link", "title"), more, issues: Vec::new() })
    }
}
