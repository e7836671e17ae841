//! Loading a map application: what has been fetched, what to fetch next, and when to stop.

use super::draft::AppDraft;
use geotrawl_js::model::{HOLE, SandboxMode, says};
use geotrawl_js::{
    AnalysisLevels, AppDocument, AppScript, MapApp, NeededResource, NeededResourceKind, ScriptAnalysis,
    Sighting,
};
use std::collections::HashSet;
use std::sync::Arc;
use url::Url;

/// Maximum size of all scripts and documents of an application.
const MOST_BYTES: usize = 24 << 20;
/// Maximum number of chunks and modules to fetch besides the page's own scripts.
const MOST_CHUNKS: usize = 40;
/// Maximum number of configurations.
const MOST_DOCUMENTS: usize = 16;
/// Maximum number of source maps, which are large.
const MOST_MAPS: usize = 4;
/// Maximum number of analysis rounds per application.
const MOST_LOOKS: u32 = 6;

/// Script or document to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppAsset {
    pub url: Url,
    pub kind: NeededResourceKind,
    /// Index among the scripts of the page.
    pub slot: Option<usize>,
}

/// Result of reading an application.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AppFacts {
    /// Reason why the page was classified as a map application.
    pub why: &'static str,
    /// Number of fetched scripts and documents; `bytes` is their total size.
    pub fetched: u32,
    pub bytes: u64,
    /// Whether the code creates maps.
    pub makes_maps: bool,
    /// Number of layers whose address the code did not reveal.
    pub undecided: u32,
    /// Number of addresses found in the code.
    pub sightings: u32,
    /// Whether a browser rendered the page.
    pub rendered: bool,
    /// What went wrong.
    pub issues: Vec<String>,
}

/// Application that is being loaded.
#[derive(Debug)]
pub struct AppLoader {
    app: MapApp,
    why: &'static str,
    queue: Vec<AppAsset>,
    known: HashSet<String>,
    counts: [usize; 3],
    bytes: usize,
    fetched: u32,
    looks: u32,
    run: bool,
    /// Restricts the analysis to these levels, whatever they leave undecided.
    only: Option<AnalysisLevels>,
    study: ScriptAnalysis,
    missed: Vec<String>,
}

impl AppLoader {
    /// Starts with the data from the page.
    pub fn new(draft: AppDraft) -> Self {
        let mut known: HashSet<String> = draft.app.scripts.iter().filter_map(|s| s.url.clone()).collect();
        known.insert(draft.app.page.clone());
        Self {
            bytes: draft.app.scripts.iter().map(|script| script.source.len()).sum(),
            app: draft.app,
            why: draft.why,
            queue: draft.pieces,
            known,
            counts: [0; 3],
            fetched: 0,
            looks: 0,
            run: false,
            only: None,
            study: ScriptAnalysis::default(),
            missed: Vec::new(),
        }
    }

    /// Restricts the analysis to these levels, for measurements.
    #[must_use]
    pub fn with_levels(mut self, levels: Option<AnalysisLevels>) -> Self {
        self.only = levels;
        self
    }

    /// Returns and clears the list of assets to fetch.
    pub fn take_pending(&mut self) -> Vec<AppAsset> {
        std::mem::take(&mut self.queue)
    }

    /// Adds a fetched asset.
    pub fn add_fetched(&mut self, piece: &AppAsset, body: &Arc<str>) {
        self.fetched += 1;
        if self.bytes.saturating_add(body.len()) > MOST_BYTES {
            self.missed.push(format!("{} was skipped: the application is too large", piece.url));
            return;
        }
        self.bytes += body.len();
        match piece.kind {
            NeededResourceKind::Script => match piece.slot.and_then(|slot| self.app.scripts.get_mut(slot)) {
                Some(script) => script.source = Arc::clone(body),
                None => self.app.scripts.push(AppScript {
                    url: Some(piece.url.to_string()),
                    source: Arc::clone(body),
                    module: true,
                    line: 1,
                }),
            },
            NeededResourceKind::Document | NeededResourceKind::SourceMap => {
                self.app.documents.push(AppDocument { url: piece.url.to_string(), body: Arc::clone(body) });
            }
        }
    }

    /// Records an asset that could not be fetched.
    pub fn note_missing(&mut self, piece: &AppAsset, why: &str) {
        if self.missed.len() < 20 {
            self.missed.push(format!("{}: {why}", piece.url));
        }
    }

    /// Returns the application as loaded so far.
    pub fn app(&self) -> &MapApp {
        &self.app
    }

    /// Returns the levels of the next analysis. Scripts run only when nothing is left to fetch.
    pub fn levels(&self) -> AnalysisLevels {
        if let Some(levels) = self.only {
            return levels;
        }
        AnalysisLevels {
            run: if self.run { SandboxMode::WhenUndecided } else { SandboxMode::Never },
            ..AnalysisLevels::default()
        }
    }

    /// Applies the result of an analysis. Returns whether to analyse again after the pending assets
    /// are fetched.
    pub fn apply_study(&mut self, study: ScriptAnalysis) -> bool {
        self.looks += 1;
        // A source map repeats the code at length, so it is read only if the code is not
        // understood.
        let undecided = study.is_undecided();
        let documents = study.sightings.iter().filter(|sighting| sighting.says == says::DOCUMENT);
        let documents: Vec<NeededResource> =
            documents.filter_map(|sighting| self.document(&sighting.url)).collect();
        for want in study.wants.iter().chain(&documents) {
            let (kind, most) = match want.kind {
                NeededResourceKind::Script => (0, MOST_CHUNKS),
                NeededResourceKind::Document => (1, MOST_DOCUMENTS),
                NeededResourceKind::SourceMap if undecided => (2, MOST_MAPS),
                NeededResourceKind::SourceMap => continue,
            };
            let Ok(url) = Url::parse(&want.url) else { continue };
            let Some(count) = self.counts.get_mut(kind) else { continue };
            let library = kind == 0 && geotrawl_js::library::find_by_url(url.as_str()).is_some();
            if library || *count >= most || !self.known.insert(url.to_string()) {
                continue;
            }
            *count += 1;
            self.queue.push(AppAsset { url, kind: want.kind, slot: None });
        }
        self.study = study;
        if self.looks >= MOST_LOOKS {
            self.queue.clear();
            return false;
        }
        if !self.queue.is_empty() {
            return true;
        }
        // Everything that could be fetched is here, so run the code once for what is still
        // undecided.
        if undecided && !self.run && self.only.is_none() {
            self.run = true;
            return true;
        }
        false
    }

    /// Returns a document that the code passes to its map, such as a style or a configuration.
    fn document(&self, url: &str) -> Option<NeededResource> {
        let base = Url::parse(&self.app.base).ok()?;
        let url = base.join(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let whole = !url.as_str().contains("%7B") && !url.as_str().contains(HOLE);
        whole.then(|| NeededResource { url: url.into(), kind: NeededResourceKind::Document })
    }

    /// Returns the addresses found by the last analysis.
    pub fn sightings(&self) -> &[Sighting] {
        &self.study.sightings
    }

    /// Returns the result.
    pub fn facts(&self) -> AppFacts {
        let mut issues = self.missed.clone();
        issues.extend(self.study.issues.iter().take(20).cloned());
        AppFacts {
            why: self.why,
            fetched: self.fetched,
            bytes: self.bytes as u64,
            makes_maps: self.study.makes_maps,
            undecided: self.study.undecided,
            sightings: u32::try_from(self.study.sightings.len()).unwrap_or(u32::MAX),
            rendered: false,
            issues,
        }
    }
}
