//! Input and output of the analysis.

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// A map application, as far as it has been fetched.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct MapApp {
    /// Absolute URL of the page.
    pub page: String,
    /// Base of relative URLs: that of `<base>`, else the page.
    pub base: String,
    /// Title of the page.
    pub title: String,
    /// Scripts of the page, inline and fetched, in execution order, followed by their imports.
    pub scripts: Vec<AppScript>,
    /// Fetched documents that the scripts load.
    pub documents: Vec<AppDocument>,
    /// Elements with an id, a name or `data-` attributes, because scripts read settings from them.
    pub elements: Vec<PageElement>,
}

/// A script.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct AppScript {
    /// URL of the script; `None` for inline scripts.
    pub url: Option<String>,
    pub source: Arc<str>,
    /// Whether it is a module: `<script type="module">`, or imported by one.
    pub module: bool,
    /// Line of the page where an inline script starts, from 1; 1 for fetched scripts.
    pub line: u32,
}

/// A document that the code loads: JSON, JSONP, XML or a source map.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct AppDocument {
    pub url: String,
    pub body: Arc<str>,
}

/// An element of the page.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PageElement {
    /// Name in lower case.
    pub tag: String,
    pub attributes: Vec<(String, String)>,
    /// Text of small elements that contain data: `<script type="application/json">`, `<textarea>`.
    pub text: String,
}

/// Level of the analysis that found an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnalysisLevel {
    Paper,
    Fold,
    Run,
    Render,
}

/// Levels to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisLevels {
    pub paper: bool,
    pub fold: bool,
    /// When to use the sandbox.
    pub run: SandboxMode,
}

/// When the sandbox is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxMode {
    Never,
    WhenUndecided,
    Always,
}

impl Default for AnalysisLevels {
    fn default() -> Self {
        Self { paper: false, fold: true, run: SandboxMode::WhenUndecided }
    }
}

/// Limits of the analysis of one application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisLimits {
    /// Maximum length of a script in bytes; longer ones are skipped.
    pub script_bytes: usize,
    /// Maximum number of sightings.
    pub sightings: usize,
    /// Processor time of the sandbox for all scripts.
    pub run_time: Duration,
    /// Heap size of the sandbox in bytes.
    pub run_memory: usize,
}

impl Default for AnalysisLimits {
    fn default() -> Self {
        Self {
            script_bytes: 16 << 20,
            sightings: 2_000,
            run_time: Duration::from_secs(1),
            run_memory: 128 << 20,
        }
    }
}

/// Position in the code: index into [`MapApp::scripts`] and byte offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct ScriptPosition {
    pub script: u32,
    pub offset: u32,
}

/// A URL that the code uses for maps or data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// URL as the code requests it, relative or absolute. Unknown parts are [`HOLE`]s; placeholders
    /// of the library (`{z}`, `{s}`, `{bbox-epsg-3857}`) are kept.
    pub url: String,
    /// What the code uses it as: the id of a kind (`wms`, `wmts`, `wfs`, `arcgis-mapserver`, `xyz`,
    /// ...) or one of the words in [`says`]. Empty if the code only loads it, so that the URL
    /// itself has to identify a service.
    pub says: String,
    /// Layers, feature types or coverages named in the code.
    pub layers: Vec<String>,
    /// Title given in the code.
    pub title: String,
    pub level: AnalysisLevel,
    /// Rule that found it: `openlayers:TileWMS`, `shape:params-layers`, `fetch`.
    pub rule: String,
    /// Human-readable reason.
    pub reason: String,
    pub place: ScriptPosition,
    /// Line of the script (of the page for inline scripts) and column, from 1; set by
    /// [`crate::analyze_app`].
    pub line: u32,
    pub column: u32,
    /// Original file of the position, according to a source map.
    pub original: Option<String>,
}

/// Placeholder for an unknown part of a URL.
pub const HOLE: char = '\u{FFFC}';

/// Values of [`Sighting::says`] besides the ids of kinds.
pub mod says {
    /// An ArcGIS service; the URL tells which.
    pub const ARCGIS: &str = "arcgis";
    /// A data file; its first bytes tell which.
    pub const FILE: &str = "file";
    /// A configuration or style document to parse.
    pub const DOCUMENT: &str = "document";
    /// An item of ArcGIS Online or a portal; `url` is the URL of the item.
    pub const ARCGIS_ITEM: &str = "arcgis-item";
}

/// A script or document that the analysis needs in addition.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NeededResource {
    /// Absolute URL.
    pub url: String,
    pub kind: NeededResourceKind,
}

/// Type of a needed resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NeededResourceKind {
    /// An imported module or a chunk of a bundle; add it to [`MapApp::scripts`].
    Script,
    /// A configuration that the code loads; add it to [`MapApp::documents`].
    Document,
    /// The source map of a script; add it to [`MapApp::documents`].
    SourceMap,
}

/// Result of analyzing an application.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScriptAnalysis {
    pub sightings: Vec<Sighting>,
    /// Needed resources that the application does not contain yet, most promising first.
    pub wants: Vec<NeededResource>,
    /// Whether the code makes maps: it calls or bundles a map library.
    pub makes_maps: bool,
    /// Number of map layers whose URL could not be determined.
    pub undecided: u32,
    /// Bytes of analyzed code, without libraries.
    pub read_bytes: u64,
    /// Human-readable problems: a script that cannot be parsed, a limit that was exceeded.
    pub issues: Vec<String>,
}

impl ScriptAnalysis {
    /// Returns whether a more expensive level may find more: layers without a URL, or no URL with a
    /// certain use.
    pub fn is_undecided(&self) -> bool {
        self.undecided > 0 || self.sightings.iter().all(|sighting| sighting.says.is_empty())
    }
}
