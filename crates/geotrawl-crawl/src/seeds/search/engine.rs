//! Search engines: how to query them and how to parse their answers. One file and one line in
//! [`ENGINES`] per engine.

use super::config::EngineConfig;
use super::fault::SearchEngineError;
use super::{brave, google, list, marginalia, mojeek, own, searxng, yacy};
use http::HeaderMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

/// Where the API key goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPlace {
    /// No key.
    None,
    /// A query parameter.
    Param(&'static str),
    /// A header.
    Header(&'static str),
}

/// Facts about a kind of engine. Quotas and rates are safe
/// defaults that the configuration can change.
#[derive(Debug)]
pub struct EngineProfile {
    /// Name in the configuration.
    pub kind: &'static str,
    pub title: &'static str,
    /// Address of the API documentation.
    pub home: &'static str,
    /// Default address; `None` if the configuration must set it.
    pub url: Option<&'static str>,
    pub key: KeyPlace,
    /// Whether every request needs a key.
    pub needs_key: bool,
    /// Key for everybody.
    pub public_key: Option<&'static str>,
    /// Results per page.
    pub per_page: u32,
    /// Most pages that it returns.
    pub most_pages: u32,
    pub per_day: Option<u64>,
    pub per_month: Option<u64>,
    /// Requests per minute.
    pub rate: u32,
    /// Whether it supports `inurl:`.
    pub inurl: bool,
    /// Note for operators.
    pub note: &'static str,
}

impl EngineProfile {
    /// Base of the local engines: no quota and no key.
    pub(super) const LOCAL: Self = Self {
        kind: "",
        title: "",
        home: "",
        url: None,
        key: KeyPlace::None,
        needs_key: false,
        public_key: None,
        per_page: 100,
        most_pages: 1,
        per_day: None,
        per_month: None,
        rate: 60_000,
        inurl: false,
        note: "",
    };
}

/// A query for one page of results.
#[derive(Debug, Clone, Copy)]
pub struct PageQuery<'a> {
    pub words: &'a str,
    /// Preferred language (ISO 639-1).
    pub language: Option<&'a str>,
    /// Starts at 1.
    pub page: u32,
}

/// One search result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineHit {
    pub url: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
}

/// One page of results in the engine's order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultPage {
    /// `None` marks a result without a web address, which keeps its rank.
    pub hits: Vec<Option<EngineHit>>,
    /// Whether there may be another page.
    pub more: bool,
    /// Warnings of the engine or the parser.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<String>,
}

/// An HTTP response that may be a refusal.
#[derive(Debug, Clone, Copy)]
pub struct EngineResponse<'a> {
    pub status: u16,
    pub headers: &'a HeaderMap,
    /// When it arrived.
    pub now: Timestamp,
}

/// A search engine on the web. Implementations read no clock and send no requests.
pub trait WebEngine: Sync {
    /// Returns the facts about this engine.
    fn profile(&self) -> &'static EngineProfile;

    /// Builds the request URL without the key. `base` comes from the settings or
    /// [`EngineProfile::url`].
    fn build_url(
        &self,
        base: Url,
        config: &EngineConfig,
        ask: &PageQuery<'_>,
    ) -> Result<Url, SearchEngineError>;

    /// Parses a page of results; returns `None` if `body` does not have this engine's structure.
    fn parse_page(&self, body: &Value) -> Option<ResultPage>;

    /// Detects refusals that are specific to this engine, at any
    /// status. `body` is null if it is not JSON.
    fn parse_refusal(&self, said: &EngineResponse<'_>, body: &Value) -> Option<SearchEngineError> {
        let _ = (said, body);
        None
    }
}

/// How an engine is accessed.
#[derive(Clone, Copy)]
pub enum EngineAccess {
    Web(&'static dyn WebEngine),
    /// A local file.
    List,
    /// The catalogue of this instance.
    Own,
}

/// A supported engine.
pub struct EngineEntry {
    pub doc: &'static EngineProfile,
    pub way: EngineAccess,
}

/// All supported engines, sorted by kind.
pub static ENGINES: &[EngineEntry] = &[
    EngineEntry { doc: &brave::DOC, way: EngineAccess::Web(&brave::BraveEngine) },
    EngineEntry { doc: &google::DOC, way: EngineAccess::Web(&google::GoogleEngine) },
    EngineEntry { doc: &list::DOC, way: EngineAccess::List },
    EngineEntry { doc: &marginalia::DOC, way: EngineAccess::Web(&marginalia::MarginaliaEngine) },
    EngineEntry { doc: &mojeek::DOC, way: EngineAccess::Web(&mojeek::MojeekEngine) },
    EngineEntry { doc: &own::DOC, way: EngineAccess::Own },
    EngineEntry { doc: &searxng::DOC, way: EngineAccess::Web(&searxng::SearxngEngine) },
    EngineEntry { doc: &yacy::DOC, way: EngineAccess::Web(&yacy::YacyEngine) },
];

/// Adds parameters to an address, then those of the operator, which cannot replace ours.
pub(super) fn with_params(mut url: Url, config: &EngineConfig, ours: &[(&str, &str)]) -> Url {
    let kept: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| ours.iter().all(|(our, _)| our != name))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    {
        let mut pairs = url.query_pairs_mut();
        pairs.clear().extend_pairs(&kept);
        pairs.extend_pairs(ours.iter().filter(|(_, value)| !value.is_empty()));
        for (name, value) in &config.params {
            if ours.iter().all(|(our, _)| our != name) {
                pairs.append_pair(name, value);
            }
        }
    }
    url
}

/// Appends `path` unless the address already ends with it.
pub(super) fn append_path(mut base: Url, path: &str) -> Url {
    let own = base.path().trim_end_matches('/');
    if !own.ends_with(path) {
        let whole = format!("{own}{path}");
        base.set_path(&whole);
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_documented() {
        for pair in ENGINES.windows(2) {
            assert!(pair[0].doc.kind < pair[1].doc.kind);
        }
        let guide = include_str!("../../../../../docs/guide/seeds.md");
        for EngineEntry { doc, way } in ENGINES {
            assert!(guide.contains(&format!("`{}`", doc.kind)), "{} is not in the guide", doc.kind);
            assert!(!doc.title.is_empty() && !doc.home.is_empty());
            if let EngineAccess::Web(engine) = way {
                assert_eq!(engine.profile().kind, doc.kind);
                assert!(doc.per_page > 0 && doc.most_pages > 0 && doc.rate > 0);
                assert!(doc.per_day.or(doc.per_month).is_some(), "{}: safe defaults need a quota", doc.kind);
                assert!(!doc.needs_key || doc.key != KeyPlace::None);
            }
        }
    }

    #[test]
    fn parameters_of_the_operator_do_not_replace_ours() {
        let mut config = EngineConfig::default();
        config.params.insert("q".into(), "other".into());
        config.params.insert("safesearch".into(), "2".into());
        let base = Url::parse("https://s.example/x/?theme=simple&q=old").unwrap();
        let url = with_params(append_path(base, "/search"), &config, &[("q", "a b&c"), ("none", "")]);
        assert_eq!(url.as_str(), "https://s.example/x/search?theme=simple&q=a+b%26c&safesearch=2");
        assert_eq!(append_path(url.clone(), "/search").path(), "/x/search");
    }
}
