//! Manifest of the applications built by the generator in `tools/apps`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path};

/// Supported version of the `apps.json` format.
const FORMAT: u32 = 1;

/// The content of `apps.json`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct AppManifest {
    format: u32,
    /// Host that serves the library files.
    pub library_host: String,
    #[serde(default)]
    pub library_files: Vec<String>,
    pub apps: Vec<ManifestApp>,
}

/// One application.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ManifestApp {
    pub id: String,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub build: String,
    #[serde(default)]
    pub library: String,
    #[serde(default)]
    pub techniques: Vec<String>,
    /// The cheapest level expected to find its services; absent if it has none.
    #[serde(default)]
    pub level: Option<u8>,
    pub host: String,
    /// Path of its page, with leading and trailing slash.
    pub base: String,
    #[serde(default)]
    pub services: Vec<ManifestService>,
    #[serde(default)]
    pub endpoints: Vec<AppProgram>,
    #[serde(default)]
    pub must_not_find: Vec<ForbiddenAddress>,
    #[serde(default)]
    pub files: Vec<String>,
}

/// A service or file that an application uses.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ManifestService {
    pub kind: String,
    pub url: String,
    #[serde(default)]
    pub layers: Vec<String>,
    /// The cheapest level expected to find it, if different from that of the application.
    #[serde(default)]
    pub level: Option<u8>,
    /// A browser requests it when the page loads.
    #[serde(default)]
    pub requested: bool,
    /// It is only requested through a proxy.
    #[serde(default)]
    pub proxied: bool,
    /// Finding it is correct, missing it does not count.
    #[serde(default)]
    pub optional: bool,
}

/// An address that must not be claimed.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ForbiddenAddress {
    pub url: String,
    pub reason: String,
    /// A service answers at this address nevertheless.
    #[serde(default)]
    pub live: bool,
}

/// A program on the application's host that answers a request.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct AppProgram {
    pub method: String,
    pub path: String,
    #[serde(default)]
    pub requires: RequiredRequest,
    pub reply: ProgramAnswer,
    /// Response to requests that lack what is required.
    #[serde(default)]
    pub otherwise: Option<ProgramAnswer>,
}

/// What a request must contain.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct RequiredRequest {
    #[serde(default)]
    pub authorization: Option<String>,
    #[serde(default)]
    pub cookie: Option<String>,
    /// A query parameter and its value.
    #[serde(default)]
    pub query: Option<(String, String)>,
    /// Text in the body.
    #[serde(default)]
    pub body: Option<String>,
}

/// Response of a program.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ProgramAnswer {
    pub status: u16,
    pub content_type: String,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    #[serde(default)]
    pub body: String,
}

impl AppManifest {
    /// Reads `apps.json` in `folder`; the error says how to build it.
    pub(super) fn read(folder: &Path) -> io::Result<Self> {
        let file = folder.join("apps.json");
        let bytes = std::fs::read(&file).map_err(|error| {
            let built = "build them with `npm ci && node build.mjs FOLDER` in tools/apps";
            io::Error::new(
                error.kind(),
                format!("no map applications at {}: {error}; {built}", file.display()),
            )
        })?;
        let manifest: Self =
            serde_json::from_slice(&bytes).map_err(|error| invalid(&file, &error.to_string()))?;
        if manifest.format != FORMAT {
            return Err(invalid(&file, &format!("format {} instead of {FORMAT}", manifest.format)));
        }
        manifest.check().map_err(|what| invalid(&file, &what))?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), String> {
        for app in &self.apps {
            if !(app.base.starts_with('/') && app.base.ends_with('/')) {
                return Err(format!("{}: base {:?} is no folder", app.id, app.base));
            }
            if !stays_inside(&app.id) {
                return Err(format!("{:?} is no name of a folder", app.id));
            }
        }
        let files = self.apps.iter().flat_map(|app| &app.files).chain(&self.library_files);
        files
            .into_iter()
            .find(|file| !stays_inside(file))
            .map_or(Ok(()), |file| Err(format!("{file:?} leaves its folder")))
    }
}

fn invalid(file: &Path, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{}: {what}", file.display()))
}

fn stays_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}
