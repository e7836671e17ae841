//! What an engine is: how it is asked, and how its answers read. One file each, one line in [`ENGINES`].

use super::config::EngineConfig;
use super::fault::SearchEngineError;
use super::{brave, google, list, marginalia, mojeek, own, searxng, yacy};
use http::HeaderMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

/// Where a key goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPlace {
    /// There is none.
    None,
    /// A parameter of the address.
    Param(&'static str),
    /// A header.
    Header(&'static str),
}

/// What everybody should know of an engine. Quotas and rates are safe defaults, the configuration has the last word.
#[derive(Debug)]
pub struct EngineProfile {
    /// Its name in the configuration.
    pub kind: &'static str,
    pub title: &'static str,
    /// Where its interface is described.
    pub home: &'static str,
    /// Where it is; `None`: the configuration must say.
    pub url: Option<&'static str>,
    pub key: KeyPlace,
    /// It answers nobody without a key.
    pub needs_key: bool,
    /// The key that anybody may use.
    pub public_key: Option<&'static str>,
    /// Results of one page of answers.
    pub per_page: u32,
    /// Pages that it gives at most.
    pub most_pages: u32,
    pub per_day: Option<u64>,
    pub per_month: Option<u64>,
    /// Requests a minute.
    pub rate: u32,
    /// It understands `inurl:`.
    pub inurl: bool,
    /// What an operator should know.
    pub note: &'static str,
}

impl EngineProfile {
    /// One that is asked on this machine: nobody's quota, no key.
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

/// One question.
#[derive(Debug, Clone, Copy)]
pub struct PageQuery<'a> {
    pub words: &'a str,
    /// ISO 639-1 code of the language wanted.
    pub language: Option<&'a str>,
    /// From 1.
    pub page: u32,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineHit {
    pub url: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
}

/// One page of results, in the order of the engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultPage {
    /// `None` is a result that is no address of the web: it keeps its rank.
    pub hits: Vec<Option<EngineHit>>,
    /// There may be another page.
    pub more: bool,
    /// What the engine or the reader has to say about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<String>,
}

/// An answer that is not a page of results, or not certainly.
#[derive(Debug, Clone, Copy)]
pub struct EngineResponse<'a> {
    pub status: u16,
    pub headers: &'a HeaderMap,
    /// When it came.
    pub now: Timestamp,
}

/// An engine on the web. Pure: no clock, no requests.
pub trait WebEngine: Sync {
    /// What everybody should know of it.
    fn profile(&self) -> &'static EngineProfile;

    /// The address to ask, without the key. `base` is what the configuration or [`Doc::url`] says.
    fn build_url(
        &self,
        base: Url,
        config: &EngineConfig,
        ask: &PageQuery<'_>,
    ) -> Result<Url, SearchEngineError>;

    /// Reads a page of results; `None` when the answer is not of the shape of this engine.
    fn parse_page(&self, body: &Value) -> Option<ResultPage>;

    /// What an answer means that this engine words in its own way, whatever its status; `None`: nothing special.
    /// `body` is null when it is not JSON.
    fn parse_refusal(&self, said: &EngineResponse<'_>, body: &Value) -> Option<SearchEngineError> {
        let _ = (said, body);
        None
    }
}

/// How an engine is asked.
#[derive(Clone, Copy)]
pub enum EngineAccess {
    Web(&'static dyn WebEngine),
    /// A file here.
    List,
    /// Our own catalogue.
    Own,
}

/// A known engine.
pub struct EngineEntry {
    pub doc: &'static EngineProfile,
    pub way: EngineAccess,
}

/// All that are known, by kind.
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

/// Puts parameters into an address, and the operator's own behind them, which never replace ours.
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

/// Appends the path of the interface unless the address ends with it already.
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
