//! `[engines.<name>]` in the configuration file; the same settings for all engines.

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

/// Default number of days that answers are cached.
const KEEP_DAYS: u32 = 7;
/// Default timeout of a request in seconds.
const TIMEOUT: u32 = 20;
/// The engine that needs no configuration.
const OWN: &str = "own";

/// A string that is never displayed or serialised.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps a string.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the string; only for the request that needs it.
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

/// Settings of an engine. Missing settings default to those of the engine ([`EngineProfile`]).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineConfig {
    /// Kind of engine; defaults to the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Address of the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Url>,
    /// API key; better kept in the environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<Secret>,
    /// Name of the environment variable that holds the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// Most requests per 24 hours; 0 disables the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota_per_day: Option<u64>,
    /// Most requests per 31 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota_per_month: Option<u64>,
    /// Most requests per minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<u32>,
    /// Language (ISO 639-1) of queries without a language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Most pages of results per query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    /// Days that answers are cached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<u32>,
    /// Timeout of a request in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u32>,
    /// Extra request parameters, as documented by the engine.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
    /// Networks beyond the public internet that this engine may be in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow_net: Vec<IpNet>,
    /// File of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Use all addresses of a list in file order, even if they do not match the keywords.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub every: bool,
}

/// Invalid configuration or command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

/// An engine with its settings; some of them may be missing.
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
                wrong(format!("unknown kind of engine '{kind}'; `kind` is one of {}", known.join(", ")))
            })?;
        if name.is_empty() || name.len() > 60 || name.contains(|c: char| c.is_whitespace() || c == ',') {
            return Err(wrong(
                "a name must not contain spaces or commas, and has at most 60 characters".into(),
            ));
        }
        if config.key.is_some() && config.key_env.is_some() {
            return Err(wrong("set `key` or `key_env`, not both".into()));
        }
        if let Some(url) = &config.url
            && (!matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty))
        {
            return Err(wrong("`url` must be an http or https address".into()));
        }
        if matches!(way, EngineAccess::List) && config.file.is_none() {
            return Err(wrong("a list requires `file`".into()));
        }
        for (what, value) in [("rate", config.rate), ("pages", config.pages), ("timeout", config.timeout)] {
            if value == Some(0) {
                return Err(wrong(format!(
                    "`{what}` must be at least 1; `quota_per_day = 0` disables an engine"
                )));
            }
        }
        let from_env = config.key_env.as_ref().and_then(|variable| std::env::var(variable).ok());
        let key = config.key.clone().or_else(|| from_env.map(Secret::new));
        let key = key.filter(|key| !key.reveal().trim().is_empty());
        let key = key.or_else(|| doc.public_key.map(Secret::new));
        Ok(Self { name: name.to_owned(), doc, way: *way, config: config.clone(), key })
    }

    /// Returns the quotas and the delay between requests.
    pub fn allowance(&self) -> EngineQuota {
        let rate = self.config.rate.unwrap_or(self.doc.rate).max(1);
        let set = self.config.quota_per_day.is_some() || self.config.quota_per_month.is_some();
        // Whoever sets one quota knows the limits of their plan, so
        // the default of the other does not apply.
        let or = |own: Option<u64>, default: Option<u64>| if set { own } else { default };
        EngineQuota {
            per_day: or(self.config.quota_per_day, self.doc.per_day),
            per_month: or(self.config.quota_per_month, self.doc.per_month),
            pause: SignedDuration::from_micros(60_000_000 / i64::from(rate)),
        }
    }

    /// Whether the engine runs locally, without network requests.
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

    /// Returns the address of the engine.
    pub fn base_url(&self) -> Option<Url> {
        self.config.url.clone().or_else(|| self.doc.url.and_then(|url| Url::parse(url).ok()))
    }

    /// Returns which required setting is missing, if any.
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
                Some(variable) => {
                    format!("the key is missing: the environment variable {variable} is not set")
                }
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

/// Returns the configured engines, and the catalogue of this
/// instance, which needs no configuration.
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

/// Returns the engines with these names, or all of them if `names` is empty.
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
                "unknown engine '{name}' (configured: {known}); add [engines.{name}] to the configuration"
            )));
        };
        if chosen.iter().all(|other| other.name != one.name) {
            chosen.push(one.clone());
        }
    }
    Ok(chosen)
}

/// State of an engine for display.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineState {
    pub name: String,
    pub kind: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `set`, `public`, `missing` or `none` (needs none); never the key itself.
    pub key: &'static str,
    /// Whether nothing is missing.
    pub ready: bool,
    /// The missing setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    pub quota_per_day: Option<u64>,
    pub quota_per_month: Option<u64>,
    /// Requests per minute.
    pub rate: u32,
    /// Requests left now; absent without a quota.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    #[serde(flatten)]
    pub used: EngineUsage,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub note: &'static str,
}

/// Returns the state of each configured engine; without a store, as if it had never been used.
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

/// Returns an address without the parts that may be secret.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // Both calls fail only for addresses without a host, which the configuration rejects.
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
            (r#"{"kind": "list"}"#, "requires `file`"),
            (r#"{"rate": 0}"#, "`rate` must be at least 1"),
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
