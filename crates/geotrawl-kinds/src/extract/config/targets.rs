//! Converts the entries of a configuration to targets: each once, with all layers that were named.

use super::types::RequestKind;
use crate::extract::MAX_TARGETS;
use crate::kinds;
use crate::probe::{CrawlTarget, ScriptEvidence};
use crate::urls;
use geotrawl_model::Intent;
use std::collections::HashMap;
use url::Url;

/// Maximum number of layers per service.
const LAYERS: usize = 1000;
/// Maximum length of the words of a target.
const WORDS: usize = 200;

/// Address in a configuration.
#[derive(Default)]
pub struct ConfigEntry<'v> {
    /// Address as written. Relative addresses are resolved against the document.
    pub url: &'v str,
    /// Type of the service according to the viewer.
    pub way: Option<RequestKind>,
    pub layers: Vec<String>,
    /// Title of the entry.
    pub words: &'v str,
}

/// Collects targets.
pub struct ConfigTargets {
    at: Url,
    way: String,
    targets: Vec<CrawlTarget>,
    seen: HashMap<(String, String), usize>,
}

impl ConfigTargets {
    pub fn new(at: Url, viewer: &str) -> Self {
        Self { at, way: format!("config:{viewer}"), targets: Vec::new(), seen: HashMap::new() }
    }

    /// Sets the discovery method of the targets added from here on.
    pub fn set_way(&mut self, way: String) {
        self.way = way;
    }

    /// Returns the number of targets.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Sets the line and the reason of all targets from index `from` on.
    pub fn annotate(&mut self, from: usize, line: u32, note: &ScriptEvidence) {
        for target in self.targets.iter_mut().skip(from) {
            target.line = Some(line);
            target.note = Some(Box::new(note.clone()));
        }
    }

    /// Returns the address of the document.
    pub fn base_url(&self) -> &Url {
        &self.at
    }

    /// Adds an address. What the address itself reveals has priority over what the viewer says.
    /// Addresses without either are ignored.
    pub fn add(&mut self, entry: ConfigEntry<'_>) {
        // One string may list several hosts of a service: use the first.
        let raw = entry.url.split(",http").next().unwrap_or_default().trim();
        if raw.is_empty() || raw.len() > urls::MAX_RAW || self.targets.len() >= MAX_TARGETS {
            return;
        }
        let filled = without_subdomains(raw);
        let raw = filled.as_deref().unwrap_or(raw);
        let Some(url) = urls::clean_attribute(raw, &self.at) else { return };
        let template = raw.contains('{') && raw.contains('}');
        if let Some(target) = arcgis(&url) {
            return self.push_with(target, &entry);
        }
        let mut found = Vec::new();
        urls::append_targets(url.clone(), self.way.clone().into(), "", &mut found);
        found.retain(|target| target.intent.is_probe());
        if found.is_empty() && template {
            found.extend(behind_template(&url, entry.way));
        } else if found.is_empty()
            && let Some(way) = entry.way
        {
            let inner = urls::unwrap_proxy(&url).unwrap_or(url);
            let at = if matches!(way, RequestKind::Ows(_)) {
                urls::endpoint_url(&inner)
            } else {
                urls::canonical_url(&inner)
            };
            found.push(CrawlTarget::new(at, way.to_intent(), ""));
        }
        for target in found {
            self.push_with(target, &entry);
        }
    }

    fn push_with(&mut self, mut target: CrawlTarget, entry: &ConfigEntry<'_>) {
        target.way = self.way.clone().into();
        target.words = entry.words.chars().take(WORDS).collect();
        if matches!(target.intent, Intent::Ows { .. }) {
            for layer in &entry.layers {
                push_layer(&mut target.layers, layer);
            }
        }
        self.push(target);
    }

    /// Adds another document of the same type, to be read as a page.
    pub fn add_document(&mut self, raw: &str) {
        if let Some(url) = urls::clean_attribute(raw, &self.at) {
            self.push(CrawlTarget::new(urls::canonical_url(&url), Intent::Page, self.way.clone()));
        }
    }

    fn push(&mut self, target: CrawlTarget) {
        let key = (target.url.to_string(), target.intent.request_key());
        if let Some(at) = self.seen.get(&key) {
            if let Some(known) = self.targets.get_mut(*at) {
                target.layers.iter().for_each(|layer| push_layer(&mut known.layers, layer));
            }
        } else if self.targets.len() < MAX_TARGETS {
            self.seen.insert(key, self.targets.len());
            self.targets.push(target);
        }
    }

    pub fn into_targets(self) -> Vec<CrawlTarget> {
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

/// Returns the kind of an ArcGIS service from the name in its address.
pub fn arcgis_kind(url: &str) -> Option<&'static str> {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    path.split('/').find_map(kinds::by_arcgis_type).map(|profile| profile.id)
}

/// Returns the service below `/rest/services`, without anything after its name, or else the
/// directory itself.
fn arcgis(url: &Url) -> Option<CrawlTarget> {
    let path = url.path();
    let lower = path.to_ascii_lowercase();
    let root = lower.find("/rest/services")?;
    let mut at = url.clone();
    at.set_query(None);
    let rest = lower.get(root..)?;
    let service = rest.split('/').find_map(|name| Some((name, kinds::by_arcgis_type(name)?.id)));
    let Some((name, kind)) = service else {
        at.set_path(path.trim_end_matches('/'));
        let folder = rest.trim_end_matches('/').split('/').count() <= 4 && !rest.contains("server");
        return folder.then(|| CrawlTarget::new(at, Intent::Ask { kind: "arcgis-directory".to_owned() }, ""));
    };
    let end = root + rest.find(name)? + name.len();
    // The OGC services below it are separate services.
    if lower
        .get(end..)
        .is_some_and(|tail| tail.contains("wmts") || tail.contains("wmsserver") || tail.contains("wfs"))
    {
        return None;
    }
    at.set_path(path.get(..end)?);
    Some(CrawlTarget::new(at, Intent::Ask { kind: kind.to_owned() }, ""))
}

/// Chooses one host of `https://{s}.tile.org/...` or `https://tile{1-4}.org/`.
fn without_subdomains(raw: &str) -> Option<String> {
    let start = raw.find("://")? + 3;
    let end = raw.get(start..)?.find('/').map_or(raw.len(), |at| start + at);
    let host = raw.get(start..end)?;
    let (before, rest) = host.split_once('{')?;
    let (inside, after) = rest.split_once('}')?;
    let first = inside.chars().next().filter(char::is_ascii_alphanumeric)?;
    // Use the first value of a range, and "a" for a placeholder, as viewers do.
    let fill = if inside.contains('-') && inside.len() <= 5 { first } else { 'a' };
    Some(format!("{}{before}{fill}{after}{}", raw.get(..start)?, raw.get(end..)?))
}

/// Returns the service behind a tile template: a WMTS, if its path contains the name.
fn behind_template(url: &Url, way: Option<RequestKind>) -> Option<CrawlTarget> {
    let path = url.path();
    let lower = path.to_ascii_lowercase();
    let hole = lower.find("%7b").or_else(|| lower.find('{')).unwrap_or(lower.len());
    let named = lower.get(..hole)?.find("/wmts").map(|at| at + 5);
    let end = match (named, way) {
        (Some(end), _) => end + lower.get(end..)?.find('/').unwrap_or(0),
        (None, Some(RequestKind::Ows("wmts"))) => path.get(..hole)?.rfind('/')?,
        _ => return None,
    };
    let mut at = url.clone();
    at.set_query(None);
    at.set_path(path.get(..end)?);
    Some(CrawlTarget::new(urls::endpoint_url(&at), RequestKind::Ows("wmts").to_intent(), ""))
}
