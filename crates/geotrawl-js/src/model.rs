//! What goes in and what comes out.

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// A map application, as far as it has been gathered.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct MapApp {
    /// Address of the page; absolute.
    pub page: String,
    /// What relative addresses are relative to: the page, or what its `<base>` says.
    pub base: String,
    /// Title of the page.
    pub title: String,
    /// The scripts of the page, inline and fetched, in the order in which they run; then what they import.
    pub scripts: Vec<AppScript>,
    /// Documents that the scripts load, where they were fetched.
    pub documents: Vec<AppDocument>,
    /// Elements with an id, a name or `data-` attributes: scripts read their settings from them.
    pub elements: Vec<PageElement>,
}

/// One script.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct AppScript {
    /// Where it was fetched; none for one that stands in the page.
    pub url: Option<String>,
    pub source: Arc<str>,
    /// `<script type="module">`, or imported by one.
    pub module: bool,
    /// Line of the page on which an inline script begins, from 1; 1 for a fetched one.
    pub line: u32,
}

/// A document that code loads: JSON, JSONP, XML, a source map.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct AppDocument {
    pub url: String,
    pub body: Arc<str>,
}

/// An element of the page.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PageElement {
    /// In lower case.
    pub tag: String,
    pub attributes: Vec<(String, String)>,
    /// Text of small elements that hold data: `<script type="application/json">`, `<textarea>`.
    pub text: String,
}

/// How an address was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnalysisLevel {
    Paper,
    Fold,
    Run,
    Render,
}

/// Which levels work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisLevels {
    pub paper: bool,
    pub fold: bool,
    /// The sandbox: always, or only where folding left something undecided.
    pub run: SandboxMode,
}

/// When the sandbox runs.
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

/// Bounds on the work for one application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisLimits {
    /// Scripts longer than this are cut out.
    pub script_bytes: usize,
    /// Sightings of one application.
    pub sightings: usize,
    /// Time of the sandbox for all scripts together.
    pub run_time: Duration,
    /// Heap of the sandbox.
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

/// Where something stands: a script of [`App::scripts`] and a byte in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct ScriptPosition {
    pub script: u32,
    pub offset: u32,
}

/// An address that the code uses for maps or data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// As the code would ask for it, relative or absolute. What is not known stands as [`HOLE`]; holes that the
    /// library itself fills (`{z}`, `{s}`, `{bbox-epsg-3857}`) stand as written.
    pub url: String,
    /// What the code uses it as: the id of a kind (`wms`, `wmts`, `wfs`, `arcgis-mapserver`, `xyz`, ...), or one
    /// of the words in [`says`]. Empty: it is only loaded, and counts when the address itself says more.
    pub says: String,
    /// Layers, feature types or coverages that the code names.
    pub layers: Vec<String>,
    /// What the code calls it.
    pub title: String,
    pub level: AnalysisLevel,
    /// Which rule found it: `openlayers:TileWMS`, `shape:params-layers`, `fetch`.
    pub rule: String,
    /// Why, in a sentence for people.
    pub reason: String,
    pub place: ScriptPosition,
    /// Line of the script (of the page, for inline scripts) and column, both from 1; `study` fills them in.
    pub line: u32,
    pub column: u32,
    /// The file that the place is in, when a source map says so.
    pub original: Option<String>,
}

/// Stands for a part of an address that is not known.
pub const HOLE: char = '\u{FFFC}';

/// Words for [`Sighting::says`] beside the ids of kinds.
pub mod says {
    /// Some service of ArcGIS; the address says which.
    pub const ARCGIS: &str = "arcgis";
    /// A data file; its first bytes say which.
    pub const FILE: &str = "file";
    /// A configuration or style document to be read.
    pub const DOCUMENT: &str = "document";
    /// The id of an item of ArcGIS Online or a portal; `url` is the item's address.
    pub const ARCGIS_ITEM: &str = "arcgis-item";
}

/// A script or document that would say more.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NeededResource {
    /// Absolute.
    pub url: String,
    pub kind: NeededResourceKind,
}

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NeededResourceKind {
    /// A module that is imported or a chunk that a bundle loads: goes to [`App::scripts`].
    Script,
    /// A configuration that the code loads: goes to [`App::documents`].
    Document,
    /// The source map of a script: goes to [`App::documents`].
    SourceMap,
}

/// What one look at an application gave.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScriptAnalysis {
    pub sightings: Vec<Sighting>,
    /// In the order of their promise; none that the application has already.
    pub wants: Vec<NeededResource>,
    /// The code makes maps: a library is called or bundled.
    pub makes_maps: bool,
    /// Map layers whose address could not be told.
    pub undecided: u32,
    /// Bytes of code that were read, libraries aside.
    pub read_bytes: u64,
    /// What went wrong, for people: a script that does not parse, a limit that was met.
    pub issues: Vec<String>,
}

impl ScriptAnalysis {
    /// Whether a dearer level may find more: layers without an address, or nothing that is surely used as
    /// anything.
    pub fn is_undecided(&self) -> bool {
        self.undecided > 0 || self.sightings.iter().all(|sighting| sighting.says.is_empty())
    }
}
