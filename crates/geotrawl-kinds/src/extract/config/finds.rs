//! What a configuration names, on its way to targets: each once, with all layers that were named.

use super::types::Way;
use crate::extract::MAX_TARGETS;
use crate::probe::{Intent, Target};
use crate::urls;
use std::collections::HashMap;
use url::Url;

/// Layers of one service that are kept.
const LAYERS: usize = 1000;
/// Words of one target.
const WORDS: usize = 200;

/// One address in a configuration.
#[derive(Default)]
pub struct Entry<'v> {
    /// As written; relative ones are relative to the document.
    pub url: &'v str,
    /// What the viewer says it is.
    pub way: Option<Way>,
    pub layers: Vec<String>,
    /// Its title.
    pub words: &'v str,
}

/// Gathers targets.
pub struct Finds {
    at: Url,
    way: String,
    targets: Vec<Target>,
    seen: HashMap<(String, String), usize>,
}

impl Finds {
    pub fn new(at: Url, viewer: &str) -> Self {
        Self { at, way: format!("config:{viewer}"), targets: Vec::new(), seen: HashMap::new() }
    }

    /// The document's address.
    pub fn at(&self) -> &Url {
        &self.at
    }

    /// Adds an address. What it surely is counts first, then what the viewer says; an address that is
    /// neither is nothing.
    pub fn add(&mut self, entry: Entry<'_>) {
        let raw = entry.url.trim();
        if raw.is_empty() || raw.len() > urls::MAX_RAW || self.targets.len() >= MAX_TARGETS {
            return;
        }
        let filled = without_subdomains(raw);
        let raw = filled.as_deref().unwrap_or(raw);
        let Some(url) = urls::clean_attribute(raw, &self.at) else { return };
        let template = raw.contains('{') && raw.contains('}');
        let mut found = Vec::new();
        urls::targets(url.clone(), self.way.clone().into(), "", &mut found);
        found.retain(|target| target.intent.is_probe());
        if found.is_empty() && template {
            found.extend(behind_template(&url, entry.way));
        } else if found.is_empty()
            && let Some(way) = entry.way
        {
            let inner = urls::unwrap_proxy(&url).unwrap_or(url);
            let at =
                if matches!(way, Way::Ows(_)) { urls::endpoint(&inner) } else { urls::canonical(&inner) };
            found.push(Target::new(at, way.intent(), ""));
        }
        let words: String = entry.words.chars().take(WORDS).collect();
        for mut target in found {
            target.way = self.way.clone().into();
            target.words.clone_from(&words);
            if matches!(target.intent, Intent::Ows { .. }) {
                for layer in &entry.layers {
                    push_layer(&mut target.layers, layer);
                }
            }
            self.push(target);
        }
    }

    /// Adds another document of the same sort, to be read as a page.
    pub fn add_document(&mut self, raw: &str) {
        if let Some(url) = urls::clean_attribute(raw, &self.at) {
            self.push(Target::new(urls::canonical(&url), Intent::Page, self.way.clone()));
        }
    }

    fn push(&mut self, target: Target) {
        let key = (target.url.to_string(), target.intent.key());
        if let Some(at) = self.seen.get(&key) {
            if let Some(known) = self.targets.get_mut(*at) {
                target.layers.iter().for_each(|layer| push_layer(&mut known.layers, layer));
            }
        } else if self.targets.len() < MAX_TARGETS {
            self.seen.insert(key, self.targets.len());
            self.targets.push(target);
        }
    }

    pub fn into_targets(self) -> Vec<Target> {
        self.targets
    }
}

fn push_layer(layers: &mut Vec<String>, layer: &str) {
    let layer = layer.trim();
    if !layer.is_empty() && layer.len() <= 200 && layers.len() < LAYERS && !layers.iter().any(|l| l == layer)
    {
        layers.push(layer.to_owned());
    }
}

/// `https://{s}.tile.org/...`, `https://tile{1-4}.org/`: one of the hosts.
fn without_subdomains(raw: &str) -> Option<String> {
    let start = raw.find("://")? + 3;
    let end = raw.get(start..)?.find('/').map_or(raw.len(), |at| start + at);
    let host = raw.get(start..end)?;
    let (before, rest) = host.split_once('{')?;
    let (inside, after) = rest.split_once('}')?;
    let first = inside.chars().next().filter(char::is_ascii_alphanumeric)?;
    // A range names its first member; a name stands for what every viewer tries first.
    let fill = if inside.contains('-') && inside.len() <= 5 { first } else { 'a' };
    Some(format!("{}{before}{fill}{after}{}", raw.get(..start)?, raw.get(end..)?))
}

/// The service behind a template of tiles: a WMTS by the name in its path.
fn behind_template(url: &Url, way: Option<Way>) -> Option<Target> {
    let path = url.path();
    let lower = path.to_ascii_lowercase();
    let hole = lower.find("%7b").or_else(|| lower.find('{')).unwrap_or(lower.len());
    let named = lower.get(..hole)?.find("/wmts").map(|at| at + 5);
    let end = match (named, way) {
        (Some(end), _) => end + lower.get(end..)?.find('/').unwrap_or(0),
        (None, Some(Way::Ows("wmts"))) => path.get(..hole)?.rfind('/')?,
        _ => return None,
    };
    let mut at = url.clone();
    at.set_query(None);
    at.set_path(path.get(..end)?);
    Some(Target::new(urls::endpoint(&at), Way::Ows("wmts").intent(), ""))
}
