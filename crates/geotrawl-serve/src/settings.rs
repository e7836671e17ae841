//! Settings in force: what the configuration file says, and what admins changed since.

use crate::config::BaseMap;
use crate::{App, Problem, ServeConfig};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::Value;
use std::sync::{Arc, PoisonError, RwLock};
use utoipa::ToSchema;

/// How long settings are used before they are read again: another process may have changed them.
const FRESH_FOR: SignedDuration = SignedDuration::from_secs(2);

/// Settings in force.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Settings {
    pub title: String,
    /// Requests a minute for one address without login, and for one person.
    pub guest_rate: u32,
    pub user_rate: u32,
    /// Tasks of one person that run at once.
    pub max_running: u32,
    /// Let people see layers through this server.
    pub proxy: bool,
    pub base_maps: Vec<BaseMap>,
    /// What the first page says to everybody.
    pub welcome: Option<String>,
}

/// Keys that admins may set.
pub const KEYS: &[&str] =
    &["title", "guest_rate", "user_rate", "max_running", "proxy", "base_maps", "welcome"];

impl Settings {
    /// What the configuration says.
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

    /// Takes over a setting; says what is wrong with it and then changes nothing.
    pub fn apply_setting(&mut self, key: &str, value: &Value) -> Result<(), Problem> {
        let wrong = |what: &str| Problem::unprocessable(key, format!("“{key}” must be {what}."));
        match key {
            "title" => {
                let title = value.as_str().map(str::trim).filter(|title| (1..=100).contains(&title.len()));
                title.ok_or_else(|| wrong("a text of 1 to 100 bytes"))?.clone_into(&mut self.title);
            }
            "welcome" => {
                let text = value.as_str().filter(|text| text.len() <= 10_000);
                self.welcome = Some(text.ok_or_else(|| wrong("a text of at most 10000 bytes"))?.to_owned());
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
                    format!("There is no such setting; there are {known}."),
                ));
            }
        }
        Ok(())
    }

    /// What the configuration says, changed by what is stored; a stored value that is no longer acceptable is
    /// left out.
    fn merged(config: &ServeConfig, stored: &[(String, Value)]) -> Self {
        let mut settings = Self::from_config(config);
        for (key, value) in stored {
            if settings.apply_setting(key, value).is_err() {
                tracing::warn!(key, "a stored setting is not acceptable and not used");
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
        return Err(wrong("There can be at most 20 base maps.".into()));
    }
    for map in &maps {
        if !["xyz", "wms", "wmts"].contains(&map.kind.as_str()) {
            return Err(wrong(format!("The kind of “{}” must be xyz, wms or wmts.", map.title)));
        }
        // Templates such as {z} are not part of a URL proper.
        let plain = map.url.replace(['{', '}'], "");
        if !url::Url::parse(&plain).is_ok_and(|url| ["http", "https"].contains(&url.scheme())) {
            return Err(wrong(format!(
                "The address of “{}” must begin with https:// or http://.",
                map.title
            )));
        }
        let texts = [Some(&map.title), Some(&map.url), map.layer.as_ref(), Some(&map.attribution)];
        if texts.into_iter().flatten().any(|text| text.len() > 2_000) {
            return Err(wrong("The texts of a base map have at most 2000 bytes.".into()));
        }
    }
    Ok(maps)
}

/// The settings that were read last.
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

    /// Makes the next reader read again.
    pub fn invalidate(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl App {
    /// The settings in force. When the store fails, the last known ones: to answer is better than not to.
    pub async fn settings(&self) -> Arc<Settings> {
        if let Some(settings) = self.auth.settings.fresh(self.now()) {
            return settings;
        }
        let read = self.blocking(|app| Ok(app.settings_blocking())).await;
        read.unwrap_or_else(|_broken_off| Arc::new(Settings::from_config(&self.config)))
    }

    /// The same, for work inside [`App::blocking`].
    pub fn settings_blocking(&self) -> Arc<Settings> {
        let (cache, now) = (&self.auth.settings, self.now());
        if let Some(settings) = cache.fresh(now) {
            return settings;
        }
        let settings = match self.store.list_settings() {
            Ok(stored) => Arc::new(Settings::merged(&self.config, &stored)),
            Err(error) => {
                tracing::error!("settings cannot be read: {error}");
                cache.get().map_or_else(|| Arc::new(Settings::from_config(&self.config)), |(_, last)| last)
            }
        };
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
