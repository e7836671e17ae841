//! What the generator in `tools/apps` says about the applications it built.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path};

/// The form of `apps.json` that is read here.
const FORMAT: u32 = 1;

/// The whole of `apps.json`.
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
    /// The cheapest level that is expected to find its services; none for one that has no service.
    #[serde(default)]
    pub level: Option<u8>,
    pub host: String,
    /// Path of its page, with a slash at both ends.
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
    /// The cheapest level that is expected to find it, where that is not the application's.
    #[serde(default)]
    pub level: Option<u8>,
    /// A browser asks it as the page stands.
    #[serde(default)]
    pub requested: bool,
    /// It is only asked through a proxy.
    #[serde(default)]
    pub proxied: bool,
    /// Right when found, no miss when not.
    #[serde(default)]
    pub optional: bool,
}

/// An address that must not be claimed.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ForbiddenAddress {
    pub url: String,
    pub reason: String,
    /// A service answers there all the same.
    #[serde(default)]
    pub live: bool,
}

/// A program on the application's host that answers with what it was sent.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct AppProgram {
    pub method: String,
    pub path: String,
    #[serde(default)]
    pub requires: RequiredRequest,
    pub reply: ProgramAnswer,
    /// What a request gets that does not have what is required.
    #[serde(default)]
    pub otherwise: Option<ProgramAnswer>,
}

/// What a request must have.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct RequiredRequest {
    #[serde(default)]
    pub authorization: Option<String>,
    #[serde(default)]
    pub cookie: Option<String>,
    /// A parameter and its value.
    #[serde(default)]
    pub query: Option<(String, String)>,
    /// Text that the body contains.
    #[serde(default)]
    pub body: Option<String>,
}

/// An answer of a program.
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
    /// Reads `apps.json` in `folder`; the error says what to do.
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
