//! Current settings: the configuration file, overridden by what admins have changed since.

use crate::config::BaseMap;
use crate::{App, Problem, ServeConfig};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::Value;
use std::sync::{Arc, PoisonError, RwLock};
use utoipa::ToSchema;

/// How long cached settings are used; another process may change them.
const FRESH_FOR: SignedDuration = SignedDuration::from_secs(2);

/// The current settings.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Settings {
    pub title: String,
    /// Requests per minute for each address without login, and for each user.
    pub guest_rate: u32,
    pub user_rate: u32,
    /// Tasks that each user may run at once.
    pub max_running: u32,
    /// Let users load layers through this server.
    pub proxy: bool,
    pub base_maps: Vec<BaseMap>,
    /// Text shown to all visitors on the front page.
    pub welcome: Option<String>,
}

/// Settings that admins can change.
pub const KEYS: &[&str] =
    &["title", "guest_rate", "user_rate", "max_running", "proxy", "base_maps", "welcome"];

impl Settings {
    /// Returns the settings of the configuration file.
    pub fn from_config(config: &ServeConfig) -> Self {
        Self {
            title: config.title.clone(),
            guest_rate: config.guest_rate,
            user_rate: config.user_rate,
            max_running: config.max_running,
            proxy: config.proxy,
            base_maps: config.base_maps.clone(),
            welcome: None,
        }
    }

    /// Changes a setting; on error nothing changes.
    pub fn apply_setting(&mut self, key: &str, value: &Value) -> Result<(), Problem> {
        let wrong = |what: &str| Problem::unprocessable(key, format!("“{key}” must be {what}."));
        match key {
            "title" => {
                let title = value.as_str().map(str::trim).filter(|title| (1..=100).contains(&title.len()));
                title.ok_or_else(|| wrong("a text of 1 to 100 bytes"))?.clone_into(&mut self.title);
            }
            "welcome" => {
                let text = value.as_str().filter(|text| text.len() <= 10_000);
                self.welcome = Some(text.ok_or_else(|| wrong("a text of up to 10000 bytes"))?.to_owned());
            }
            "guest_rate" => {
                self.guest_rate = whole(value, 10).ok_or_else(|| wrong("a number from 10 to 1000000"))?;
            }
            "user_rate" => {
                self.user_rate = whole(value, 10).ok_or_else(|| wrong("a number from 10 to 1000000"))?;
            }
            "max_running" => {
                self.max_running = whole(value, 0)
                    .filter(|many| *many <= 1_000)
                    .ok_or_else(|| wrong("a number from 0 to 1000"))?;
            }
            "proxy" => self.proxy = value.as_bool().ok_or_else(|| wrong("true or false"))?,
            "base_maps" => self.base_maps = base_maps(value)?,
            _ => {
                let known = KEYS.join(", ");
                return Err(Problem::unprocessable(
                    key,
                    format!("Unknown setting; the settings are {known}."),
                ));
            }
        }
        Ok(())
    }

    /// Returns the configuration overridden by the stored settings. Stored values that are no
    /// longer valid are skipped.
    fn merged(config: &ServeConfig, stored: &[(String, Value)]) -> Self {
        let mut settings = Self::from_config(config);
        for (key, value) in stored {
            if settings.apply_setting(key, value).is_err() {
                tracing::warn!(key, "ignoring an invalid stored setting");
            }
        }
        settings
    }
}

fn whole(value: &Value, least: u32) -> Option<u32> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok())?;
    (least..=1_000_000).contains(&number).then_some(number)
}

fn base_maps(value: &Value) -> Result<Vec<BaseMap>, Problem> {
    let wrong = |what: String| Problem::unprocessable("base_maps", what);
    let maps: Vec<BaseMap> = serde_json::from_value(value.clone())
        .map_err(|error| wrong(format!("“base_maps” must be a list of base maps: {error}")))?;
    if maps.len() > 20 {
        return Err(wrong("There can be up to 20 base maps.".into()));
    }
    for map in &maps {
        if !["xyz", "wms", "wmts"].contains(&map.kind.as_str()) {
            return Err(wrong(format!("The kind of “{}” must be xyz, wms or wmts.", map.title)));
        }
        // Templates such as {z} are not valid in a URL.
        let plain = map.url.replace(['{', '}'], "");
        if !url::Url::parse(&plain).is_ok_and(|url| ["http", "https"].contains(&url.scheme())) {
            return Err(wrong(format!(
                "The address of “{}” must start with https:// or http://.",
                map.title
            )));
        }
        let texts = [Some(&map.title), Some(&map.url), map.layer.as_ref(), Some(&map.attribution)];
        if texts.into_iter().flatten().any(|text| text.len() > 2_000) {
            return Err(wrong("The texts of a base map can have up to 2000 bytes.".into()));
        }
    }
    Ok(maps)
}

/// Cache of the current settings.
#[derive(Default)]
pub struct SettingsCache(RwLock<Option<(Timestamp, Arc<Settings>)>>);

impl SettingsCache {
    fn get(&self) -> Option<(Timestamp, Arc<Settings>)> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn fresh(&self, now: Timestamp) -> Option<Arc<Settings>> {
        let (at, settings) = self.get()?;
        (now.duration_since(at).abs() < FRESH_FOR).then_some(settings)
    }

    /// Drops the cached settings, so that the next call reads the store.
    pub fn invalidate(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl App {
    /// Returns the current settings. If the store fails, returns the last known ones, so that
    /// requests still work.
    pub async fn settings(&self) -> Arc<Settings> {
        if let Some(settings) = self.auth.settings.fresh(self.now()) {
            return settings;
        }
        let read = self.blocking(|app| Ok(app.settings_blocking())).await;
        read.unwrap_or_else(|_broken_off| Arc::new(Settings::from_config(&self.config)))
    }

    /// Like [`App::settings`], for blocking work.
    pub fn settings_blocking(&self) -> Arc<Settings> {
        let (cache, now) = (&self.auth.settings, self.now());
        if let Some(settings) = cache.fresh(now) {
            return settings;
        }
        let settings = match self.store.list_settings() {
            Ok(stored) => Arc::new(Settings::merged(&self.config, &stored)),
            Err(error) => {
                tracing::error!("cannot read settings: {error}");
                cache.get().map_or_else(|| Arc::new(Settings::from_config(&self.config)), |(_, last)| last)
            }
        };
        // Cached after a failure as well, so that a broken store is not queried by every request.
        *cache.0.write().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(&settings)));
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn stored_settings_win_and_bad_ones_are_left_out() {
        let stored = [("title".to_owned(), json!("Maps")), ("guest_rate".to_owned(), json!("many"))];
        let settings = Settings::merged(&ServeConfig::default(), &stored);
        assert_eq!((settings.title.as_str(), settings.guest_rate), ("Maps", 600));
    }

    #[test]
    fn settings_have_types() {
        let mut settings = Settings::from_config(&ServeConfig::default());
        let map =
            |kind: &str, url: &str| json!([{"title": "t", "kind": kind, "url": url, "attribution": "a"}]);
        settings.apply_setting("base_maps", &map("xyz", "https://tiles.example/{z}/{x}/{y}.png")).unwrap();
        for (key, value) in [
            ("title", json!("")),
            ("title", json!(7)),
            ("guest_rate", json!(-1)),
            ("guest_rate", json!(1.5)),
            ("user_rate", json!(5_000_000_000_u64)),
            ("max_running", json!(1_001)),
            ("proxy", json!("yes")),
            ("base_maps", map("xyz", "javascript:alert(1)")),
            ("base_maps", map("magic", "https://tiles.example/")),
            ("base_maps", json!([{"title": "t", "extra": 1}])),
            ("colour", json!("red")),
        ] {
            let before = settings.clone();
            let problem = settings.apply_setting(key, &value).unwrap_err();
            assert_eq!((problem.status, problem.parameter.as_deref()), (422, Some(key)), "{value}");
            assert_eq!(settings, before);
        }
    }
}
