//! The ground truth of the applications.

use super::manifest::{AppManifest, ManifestApp};
use super::place::url_spellings;
use crate::robots::{RobotsPathRule, RobotsSummary};
use crate::truth::{GroundTruth, LookAlike, TruthResource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The ground truth of all map applications.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AppTruth {
    /// Start URLs for a crawl.
    pub seeds: Vec<String>,
    /// All applications, including those without a service.
    pub apps: Vec<AppPage>,
    /// All services and files used by applications.
    pub services: Vec<AppService>,
    /// Addresses that must not be claimed.
    pub must_not_find: Vec<MustNotFind>,
    /// Meaning of robots.txt per host name.
    pub robots: BTreeMap<String, RobotsSummary>,
}

/// An application.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AppPage {
    pub id: String,
    pub title: String,
    /// Address of its page.
    pub page: String,
    /// `leaflet`, `openlayers10`, `none`, ...
    pub library: String,
    /// `esbuild`, `webpack`, `vite`, `terser`, `plain`, ...
    pub build: String,
    /// Techniques that hide its addresses: `template-literal`, `atob`, `session-token`, ...
    pub techniques: Vec<String>,
    /// The cheapest level expected to find its services (2, 3 or 4); absent if it has none.
    pub level: Option<u8>,
    /// Number of links from the seed to its page.
    pub depth: u32,
}

/// A service or file that only an application reveals.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AppService {
    pub kind: String,
    /// Canonical endpoint; for tiles the template.
    pub url: String,
    /// Other addresses that are also correct.
    pub aliases: Vec<String>,
    /// Layer names used in the code.
    pub layers: Vec<String>,
    /// Id of the application.
    pub app: String,
    /// The cheapest level expected to find it.
    pub level: u8,
    /// `js:<library>`, `build:<tool>`, `via:<technique>`.
    pub tags: Vec<String>,
    /// A browser requests it when the page loads; otherwise it is in another branch of the code.
    pub requested: bool,
    /// A browser requests it through a proxy on the application's host.
    pub proxied: bool,
    /// Finding it is correct, missing it does not count: the style that names tiles, the tiles
    /// behind a TileJSON.
    pub optional: bool,
}

/// An address that must not be claimed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MustNotFind {
    pub url: String,
    /// `comment`, `base-map`, `web-shop`, `example-in-text`, ...
    pub reason: String,
    /// Id of the application.
    pub app: String,
    /// A service answers at this address nevertheless, but only a comment leads to it.
    pub live: bool,
}

impl AppTruth {
    pub(super) fn from_manifest(manifest: &AppManifest, seeds: Vec<String>) -> Self {
        let mut truth = Self { seeds, ..Self::default() };
        for app in &manifest.apps {
            truth.apps.push(AppPage {
                id: app.id.clone(),
                title: app.title.clone(),
                page: page_url(app),
                library: app.library.clone(),
                build: app.build.clone(),
                techniques: app.techniques.clone(),
                level: app.level,
                depth: if app.base == "/" { 2 } else { 3 },
            });
            truth.services.extend(services(app));
            truth.must_not_find.extend(app.must_not_find.iter().map(|address| MustNotFind {
                url: address.url.clone(),
                reason: address.reason.clone(),
                app: app.id.clone(),
                live: address.live,
            }));
            truth.robots.insert(app.host.clone(), robots_rules(&app.id));
        }
        truth
    }

    /// Converts this into the ground truth of a simulated web, for the functions of
    /// [`crate::report`]: what levels up to `level` must find counts as surface, the rest is
    /// optional.
    pub fn up_to_level(&self, level: u8) -> GroundTruth {
        let depth_of: BTreeMap<&str, u32> =
            self.apps.iter().map(|app| (app.id.as_str(), app.depth)).collect();
        let resources = self.services.iter().map(|service| TruthResource {
            kind: service.kind.clone(),
            url: service.url.clone(),
            aliases: service.aliases.clone(),
            names: service.layers.clone(),
            ways: service.tags.clone(),
            surface: service.level <= level && !service.optional,
            level: Some(service.level),
            depth: depth_of.get(service.app.as_str()).copied(),
            host: host_of(&service.url).to_owned(),
            robots_allowed: true,
            wellformed: true,
            profile_of: service.optional.then(|| "application".to_owned()),
            ..TruthResource::default()
        });
        let negatives = self.must_not_find.iter().map(|address| LookAlike {
            url: address.url.clone(),
            reason: address.reason.clone(),
            host: host_of(&address.url).to_owned(),
            robots_allowed: true,
        });
        GroundTruth {
            hosts: self.robots.len(),
            pages: self.apps.len(),
            seeds: self.seeds.clone(),
            resources: resources.collect(),
            negatives: negatives.collect(),
            robots: self.robots.clone(),
            max_depth: 3,
            reachable_pages: self.apps.len(),
            ..GroundTruth::default()
        }
    }
}

pub(super) fn page_url(app: &ManifestApp) -> String {
    format!("http://{}{}", app.host, app.base)
}

/// Returns the rules of an application's host; some hosts have none.
pub(super) fn robots_rules(id: &str) -> RobotsSummary {
    if id.len().is_multiple_of(3) {
        return RobotsSummary { shape: "missing".to_owned(), ..RobotsSummary::default() };
    }
    let rules = vec![RobotsPathRule { allow: false, path: "/intern/".to_owned() }];
    RobotsSummary { shape: "plain".to_owned(), rules, ..RobotsSummary::default() }
}

fn services(app: &ManifestApp) -> impl Iterator<Item = AppService> {
    let mut tags = vec![format!("js:{}", app.library), format!("build:{}", app.build)];
    tags.extend(app.techniques.iter().map(|technique| format!("via:{technique}")));
    app.services.iter().map(move |service| AppService {
        kind: service.kind.clone(),
        url: service.url.clone(),
        aliases: url_spellings(&service.kind, &service.url),
        layers: service.layers.clone(),
        app: app.id.clone(),
        level: service.level.or(app.level).unwrap_or(4),
        tags: tags.clone(),
        requested: service.requested,
        proxied: service.proxied,
        optional: service.optional,
    })
}

pub(super) fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', ':', '?']).next().unwrap_or("")
}
