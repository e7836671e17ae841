//! The configuration file. Unknown keys are errors; `docs/geotrawl.default.toml` documents all
//! defaults.

use crate::cli::GlobalArgs;
use crate::exit::UsageError;
use anyhow::{Context, Result};
use geotrawl_crawl::alerts::mail::MailConfig;
use geotrawl_crawl::fetch::FetchConfig;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::registry::Registry;
use geotrawl_crawl::resources::ResourceOptions;
use geotrawl_crawl::seeds::search::EngineConfig;
use geotrawl_kinds::connectors::DeclarativeConnector;
use geotrawl_model::schedule::ScheduleLimits;
use geotrawl_serve::ServeConfig;
use geotrawl_themes::ThemeVocabulary;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Settings of the configuration file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// How servers are contacted.
    pub fetch: FetchConfig,
    /// Defaults for crawls.
    pub crawl: CrawlOptions,
    /// Settings of the web application and the API.
    pub serve: ServeConfig,
    /// Files that define custom catalogue protocols (`docs/guide/connectors.md`).
    pub connectors: Vec<PathBuf>,
    /// Files that define custom vocabularies of themes (`docs/guide/themes.md`).
    pub vocabularies: Vec<PathBuf>,
    /// Settings of the monitor.
    pub monitor: MonitorConfig,
    /// Mail server for alerts; without one, no e-mail is sent.
    pub mail: Option<MailConfig>,
    /// Search engines to query for seeds, by name (`docs/guide/seeds.md`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub engines: BTreeMap<String, EngineConfig>,
}

/// Settings of the monitor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MonitorConfig {
    /// Shortest and longest time between two checks of a record, in hours.
    pub shortest_hours: u32,
    pub longest_hours: u32,
    /// Time until the first check of a new record, in minutes.
    pub first_minutes: u32,
    /// Maximum number of checks per host and day.
    pub per_host_day: u32,
    /// Maximum number of concurrent checks.
    pub at_once: usize,
    /// Number of layers tested per check.
    pub sample: usize,
}

impl Default for MonitorConfig {
    fn default() -> Self {
        Self {
            shortest_hours: 1,
            longest_hours: 30 * 24,
            first_minutes: 15,
            per_host_day: 500,
            at_once: 64,
            sample: 3,
        }
    }
}

impl MonitorConfig {
    /// Returns the limits for the check schedule.
    pub fn limits(&self) -> ScheduleLimits {
        let hours = |hours: u32| SignedDuration::from_hours(i64::from(hours.max(1)));
        let shortest = hours(self.shortest_hours);
        ScheduleLimits { shortest, longest: hours(self.longest_hours).max(shortest) }
    }
}

impl Config {
    /// Loads the defaults, overridden by the file, overridden by the command line.
    pub fn load(global: &GlobalArgs) -> Result<Self> {
        let mut config = match &global.config {
            None => Self::default(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|error| UsageError(format!("cannot read {}: {error}", path.display())))?;
                toml::from_str(&text)
                    .map_err(|error| UsageError(error.to_string()))
                    .with_context(|| format!("in the configuration file {}", path.display()))?
            }
        };
        let fetch = &mut config.fetch;
        fetch.resolve.extend(global.resolve.iter().cloned());
        fetch.allow_nets.extend(global.allow_net.iter().copied());
        if let Some(delay) = global.delay {
            fetch.set_delay(Duration::from_millis(delay));
        }
        if let Some(n) = global.concurrency {
            fetch.concurrency = at_least_one("--concurrency", n)?;
        }
        if let Some(n) = global.host_concurrency {
            fetch.politeness.per_host = at_least_one("--host-concurrency", n)?;
            // The limit per IP address would otherwise keep the one per host from taking effect.
            fetch.politeness.per_ip = n;
        }
        if let Some(agent) = &global.user_agent {
            fetch.user_agent.clone_from(agent);
        }
        if let Some(seconds) = global.timeout {
            fetch.timeouts.total = Duration::from_secs(at_least_one("--timeout", seconds as usize)? as u64);
        }
        config.connectors.extend(global.connector.iter().cloned());
        config.vocabularies.extend(global.vocabulary.iter().cloned());
        // Read the files now so that every command reports a broken one.
        read_connectors(&config.connectors)?;
        read_vocabularies(&config.vocabularies)?;
        Ok(config)
    }

    /// Returns the registry of connectors and vocabularies.
    pub fn registry(&self) -> Result<Registry, UsageError> {
        Ok(Registry::new(read_connectors(&self.connectors)?, read_vocabularies(&self.vocabularies)?))
    }

    /// Returns the options for the resources that crawls share.
    pub fn resource_options(&self) -> Result<ResourceOptions, UsageError> {
        Ok(ResourceOptions { registry: self.registry()?, ..ResourceOptions::default() })
    }
}

/// Reads the connectors named in the configuration.
fn read_connectors(files: &[PathBuf]) -> Result<Vec<DeclarativeConnector>, UsageError> {
    let mut connectors = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(path)
            .map_err(|error| UsageError(format!("cannot read {}: {error}", path.display())))?;
        let connector = DeclarativeConnector::parse(&text)
            .map_err(|problem| UsageError(problem.in_file(&path.display().to_string()).to_string()))?;
        connectors.push(connector);
    }
    Ok(connectors)
}

/// Reads the vocabularies named in the configuration.
fn read_vocabularies(files: &[PathBuf]) -> Result<Vec<ThemeVocabulary>, UsageError> {
    let mut vocabularies = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(path)
            .map_err(|error| UsageError(format!("cannot read {}: {error}", path.display())))?;
        let parsed = ThemeVocabulary::parse(&text);
        if let Some(issue) = parsed.issues.first() {
            return Err(UsageError(format!("in the vocabulary {}, {issue}", path.display())));
        }
        vocabularies.push(parsed.vocabulary);
    }
    Ok(vocabularies)
}

fn at_least_one(option: &str, n: usize) -> Result<usize, UsageError> {
    if n == 0 { Err(UsageError(format!("{option} must be at least 1"))) } else { Ok(n) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_defaults_are_the_defaults() {
        let text = include_str!("../../../docs/geotrawl.default.toml");
        assert_eq!(toml::from_str::<Config>(text).unwrap(), Config::default());
        // The file documents every setting that has a value.
        let written: toml::Table = toml::from_str(&toml::to_string(&Config::default()).unwrap()).unwrap();
        let documented: toml::Table = toml::from_str(text).unwrap();
        assert_eq!(documented, written);
    }

    #[test]
    fn the_engines_of_the_guide_can_be_configured() {
        let guide = include_str!("../../../docs/guide/seeds.md");
        let mut read = 0;
        for block in guide.split("```toml").skip(1) {
            let text = block.split("```").next().unwrap_or_default();
            let config: Config = toml::from_str(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
            let states = geotrawl_crawl::seeds::search::engine_states(
                &config.engines,
                None,
                jiff::Timestamp::UNIX_EPOCH,
            );
            read += states.unwrap().len();
        }
        assert!(read >= 8, "{read} engines");
        let error = toml::from_str::<Config>("[engines.brave]\nkee = 'x'\n").unwrap_err().to_string();
        assert!(error.contains("kee") && error.contains("line 2"), "{error}");
        let shown =
            format!("{:?}", toml::from_str::<Config>("[engines.brave]\nkey = 'topsecret'\n").unwrap());
        assert!(!shown.contains("topsecret"));
    }

    #[test]
    fn a_typo_is_an_error_that_names_the_key() {
        let error = toml::from_str::<Config>("[fetch]\nretrys = 3\n").unwrap_err().to_string();
        assert!(error.contains("retrys") && error.contains("line 2"), "{error}");
    }
}
