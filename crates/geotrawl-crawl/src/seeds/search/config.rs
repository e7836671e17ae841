//! `[engines.<name>]` of the configuration file, alike for all engines.

use super::engine::{ENGINES, EngineAccess, EngineEntry, EngineProfile, KeyPlace};
use geotrawl_model::search_engine::{EngineQuota, EngineUsage};
use geotrawl_model::store::SearchEngineStore;
use ipnet::IpNet;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

/// Days that answers are kept unless set.
const KEEP_DAYS: u32 = 7;
/// Seconds that an answer may take unless set.
const TIMEOUT: u32 = 20;
/// The engine that is there without configuration.
const OWN: &str = "own";

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Hides a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself: only for the request it belongs to.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str("***")
    }
}

/// What the file says about an engine. What is absent is as the engine's own defaults say ([`Doc`]).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineConfig {
    /// Which kind of engine; absent: its name is its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Url>,
    /// The key; better in the environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<Secret>,
    /// Name of the environment variable that holds the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// Requests within 24 hours at most; 0: it is never asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota_per_day: Option<u64>,
    /// Requests within 31 days at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota_per_month: Option<u64>,
    /// Requests a minute at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<u32>,
    /// Language (ISO 639-1) of questions that have none of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Pages of results that are asked for at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    /// Days that its answers are kept and used again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<u32>,
    /// Seconds that an answer may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u32>,
    /// More parameters of its requests, as its own documentation names them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
    /// Networks beyond the public internet where this engine may be; for this engine only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow_net: Vec<IpNet>,
    /// The file of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Take all addresses of a list in their order, whether they name the keywords or not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub every: bool,
}

/// Something in the configuration or the command that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

/// An engine that is ready to be asked, or knows why it is not.
#[derive(Clone)]
pub(super) struct ConfiguredEngine {
    pub name: String,
    pub doc: &'static EngineProfile,
    pub way: EngineAccess,
    pub config: EngineConfig,
    pub key: Option<Secret>,
}

impl ConfiguredEngine {
    fn new(name: &str, config: &EngineConfig) -> Result<Self, SetupError> {
        let wrong = |what: String| SetupError(format!("in [engines.{name}]: {what}"));
        let kind = config.kind.as_deref().unwrap_or(name);
        let EngineEntry { doc, way } =
            ENGINES.iter().find(|entry| entry.doc.kind == kind).ok_or_else(|| {
                let known: Vec<&str> = ENGINES.iter().map(|entry| entry.doc.kind).collect();
                wrong(format!("'{kind}' is no kind of engine; `kind` is one of {}", known.join(", ")))
            })?;
        if name.is_empty() || name.len() > 60 || name.contains(|c: char| c.is_whitespace() || c == ',') {
            return Err(wrong("a name has no spaces and commas, and at most 60 letters".into()));
        }
        if config.key.is_some() && config.key_env.is_some() {
            return Err(wrong("set `key` or `key_env`, not both".into()));
        }
        if let Some(url) = &config.url
            && (!matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty))
        {
            return Err(wrong("`url` is an http or https address".into()));
        }
        if matches!(way, EngineAccess::List) && config.file.is_none() {
            return Err(wrong("a list needs its `file`".into()));
        }
        for (what, value) in [("rate", config.rate), ("pages", config.pages), ("timeout", config.timeout)] {
            if value == Some(0) {
                return Err(wrong(format!(
                    "`{what}` is at least 1; `quota_per_day = 0` switches an engine off"
                )));
            }
        }
        let from_env = config.key_env.as_ref().and_then(|variable| std::env::var(variable).ok());
        let key = config.key.clone().or_else(|| from_env.map(Secret::new));
        let key = key.filter(|key| !key.reveal().trim().is_empty());
        let key = key.or_else(|| doc.public_key.map(Secret::new));
        Ok(Self { name: name.to_owned(), doc, way: *way, config: config.clone(), key })
    }

    /// What it may be asked.
    pub fn allowance(&self) -> EngineQuota {
        let rate = self.config.rate.unwrap_or(self.doc.rate).max(1);
        let set = self.config.quota_per_day.is_some() || self.config.quota_per_month.is_some();
        // Who sets one quota knows the plan: the other default would only stand in the way.
        let or = |own: Option<u64>, default: Option<u64>| if set { own } else { default };
        EngineQuota {
            per_day: or(self.config.quota_per_day, self.doc.per_day),
            per_month: or(self.config.quota_per_month, self.doc.per_month),
            pause: SignedDuration::from_micros(60_000_000 / i64::from(rate)),
        }
    }

    /// It costs nobody anything to ask it.
    pub fn is_local(&self) -> bool {
        !matches!(self.way, EngineAccess::Web(_))
    }

    pub fn max_pages(&self) -> u32 {
        self.config.pages.unwrap_or(1).clamp(1, self.doc.most_pages.max(1))
    }

    pub fn retention(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * i64::from(self.config.keep.unwrap_or(KEEP_DAYS).min(3_650)))
    }

    pub fn timeout(&self) -> Duration {
        Duration::from_secs(u64::from(self.config.timeout.unwrap_or(TIMEOUT).min(180)))
    }

    /// Where it is.
    pub fn base_url(&self) -> Option<Url> {
        self.config.url.clone().or_else(|| self.doc.url.and_then(|url| Url::parse(url).ok()))
    }

    /// What is missing.
    pub fn missing_setting(&self) -> Option<String> {
        let name = &self.name;
        if self.is_local() {
            return None;
        }
        if self.base_url().is_none() {
            return Some(format!("the address is missing: set `url` in [engines.{name}]"));
        }
        if self.doc.needs_key && self.key.is_none() {
            return Some(match &self.config.key_env {
                Some(variable) => format!("the key is missing: the environment has no {variable}"),
                None => format!(
                    "the key is missing: set `key_env` in [engines.{name}] and that variable in the environment \
                     ({})",
                    self.doc.home
                ),
            });
        }
        if self.doc.kind == "google" && !self.config.params.contains_key("cx") {
            return Some(format!(
                "the search engine id is missing: set `params = {{ cx = \"...\" }}` in [engines.{name}]"
            ));
        }
        None
    }
}

/// The engines of a configuration, and our own index, which needs none.
pub(super) fn configured_engines(
    engines: &BTreeMap<String, EngineConfig>,
) -> Result<Vec<ConfiguredEngine>, SetupError> {
    let mut all = Vec::new();
    for (name, config) in engines {
        all.push(ConfiguredEngine::new(name, config)?);
    }
    if !engines.contains_key(OWN) {
        all.push(ConfiguredEngine::new(OWN, &EngineConfig::default())?);
    }
    Ok(all)
}

/// Those of these names; all when there are none.
pub(super) fn select_engines(
    all: &[ConfiguredEngine],
    names: &[String],
) -> Result<Vec<ConfiguredEngine>, SetupError> {
    if names.is_empty() {
        return Ok(all.to_vec());
    }
    let mut chosen: Vec<ConfiguredEngine> = Vec::new();
    for name in names {
        let Some(one) = all.iter().find(|one| one.name == *name) else {
            let known: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
            let known = known.join(", ");
            return Err(SetupError(format!(
                "no engine is called '{name}' (there are {known}); add [engines.{name}] to the configuration"
            )));
        };
        if chosen.iter().all(|other| other.name != one.name) {
            chosen.push(one.clone());
        }
    }
    Ok(chosen)
}

/// An engine as people see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineState {
    pub name: String,
    pub kind: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `set`, `public`, `missing` or `none` (it wants none); never the key itself.
    pub key: &'static str,
    /// It can be asked.
    pub ready: bool,
    /// What is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    pub quota_per_day: Option<u64>,
    pub quota_per_month: Option<u64>,
    /// Requests a minute.
    pub rate: u32,
    /// Requests that are left now; absent: no quota holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    #[serde(flatten)]
    pub used: EngineUsage,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub note: &'static str,
}

/// The engines of a configuration and where they stand; without a store, as if never asked.
pub fn engine_states(
    engines: &BTreeMap<String, EngineConfig>,
    store: Option<&dyn SearchEngineStore>,
    now: Timestamp,
) -> Result<Vec<EngineState>, super::SearchError> {
    let mut states = Vec::new();
    for one in configured_engines(engines)? {
        let used = store.map(|store| store.engine_usage(&one.name, now)).transpose()?.unwrap_or_default();
        let allowance = one.allowance();
        let missing = one.missing_setting();
        let local = one.is_local();
        states.push(EngineState {
            kind: one.doc.kind.to_owned(),
            title: one.doc.title.to_owned(),
            url: match one.way {
                EngineAccess::List => one.config.file.as_ref().map(|file| file.display().to_string()),
                _ => one.base_url().map(|url| shown(&url)),
            },
            key: match (&one.key, one.doc.key) {
                (_, KeyPlace::None) => "none",
                (Some(key), _) if one.doc.public_key == Some(key.reveal()) => "public",
                (Some(_), _) => "set",
                (None, _) if one.doc.needs_key => "missing",
                (None, _) => "none",
            },
            ready: missing.is_none(),
            missing,
            quota_per_day: allowance.per_day.filter(|_| !local),
            quota_per_month: allowance.per_month.filter(|_| !local),
            rate: one.config.rate.unwrap_or(one.doc.rate),
            left: used.remaining_requests(&allowance).filter(|_| !local),
            used,
            note: one.doc.note,
            name: one.name,
        });
    }
    Ok(states)
}

/// An address without what may be secret in it.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // Both fail only for addresses without a host, which are refused when read.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Result<Vec<ConfiguredEngine>, SetupError> {
        let config: EngineConfig =
            serde_json::from_str(text).map_err(|error| SetupError(error.to_string()))?;
        configured_engines(&BTreeMap::from([("brave".to_owned(), config)]))
    }

    #[test]
    fn a_key_is_never_shown() {
        let all = one(r#"{"key": "top-secret-key", "url": "https://u:pw@b.example/x?token=1"}"#).unwrap();
        let told = format!("{:?} {}", all[0].config, serde_json::to_string(&all[0].config).unwrap());
        assert!(!told.contains("top-secret"), "{told}");
        let states = engine_states(
            &BTreeMap::from([("brave".into(), all[0].config.clone())]),
            None,
            Timestamp::UNIX_EPOCH,
        );
        let states = serde_json::to_string(&states.unwrap()).unwrap();
        assert!(
            !states.contains("secret") && !states.contains("token") && !states.contains("pw@"),
            "{states}"
        );
        assert!(states.contains(r#""key":"set""#), "{states}");
    }

    #[test]
    fn the_name_is_the_kind_unless_said_and_mistakes_are_named() {
        assert_eq!(one("{}").unwrap()[0].doc.kind, "brave");
        assert_eq!(one(r#"{"kind": "searxng"}"#).unwrap()[0].doc.kind, "searxng");
        for (text, told) in [
            (r#"{"kind": "bing"}"#, "is one of brave, google"),
            (r#"{"kee": "x"}"#, "kee"),
            (r#"{"key": "x", "key_env": "Y"}"#, "not both"),
            (r#"{"url": "ftp://x.example/"}"#, "http or https"),
            (r#"{"kind": "list"}"#, "its `file`"),
            (r#"{"rate": 0}"#, "`rate` is at least 1"),
        ] {
            let Err(SetupError(error)) = one(text) else { panic!("{text} was taken") };
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn what_is_missing_is_said_with_the_next_step() {
        let all = one("{}").unwrap();
        assert!(all[0].missing_setting().unwrap().contains("`key_env` in [engines.brave]"));
        let all = one(r#"{"key_env": "GEOTRAWL_NO_SUCH_VARIABLE"}"#).unwrap();
        assert!(all[0].missing_setting().unwrap().contains("GEOTRAWL_NO_SUCH_VARIABLE"));
        let all = one(r#"{"kind": "searxng"}"#).unwrap();
        assert!(all[0].missing_setting().unwrap().contains("set `url`"));
        let all = one(r#"{"kind": "google", "key": "x"}"#).unwrap();
        assert!(all[0].missing_setting().unwrap().contains("cx"));
        assert_eq!(all[1].missing_setting(), None, "our own index needs nothing");
    }

    #[test]
    fn one_quota_replaces_both_defaults() {
        let allowance = one(r#"{"quota_per_day": 7}"#).unwrap()[0].allowance();
        assert_eq!((allowance.per_day, allowance.per_month), (Some(7), None));
        let allowance = one(r#"{"rate": 30}"#).unwrap()[0].allowance();
        assert_eq!(allowance.pause, SignedDuration::from_secs(2));
        assert!(allowance.per_month.is_some());
    }
}
