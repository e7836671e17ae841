//! What of an application has been fetched, what is to be fetched next, and when it is enough.

use super::draft::AppDraft;
use geotrawl_js::model::{HOLE, SandboxMode, says};
use geotrawl_js::{
    AnalysisLevels, AppDocument, AppScript, MapApp, NeededResource, NeededResourceKind, ScriptAnalysis,
    Sighting,
};
use std::collections::HashSet;
use std::sync::Arc;
use url::Url;

/// Bytes of all scripts and documents of one application.
const MOST_BYTES: usize = 24 << 20;
/// Chunks and modules that are fetched beside the page's own scripts.
const MOST_CHUNKS: usize = 40;
/// Configurations.
const MOST_DOCUMENTS: usize = 16;
/// Source maps: large, so few.
const MOST_MAPS: usize = 4;
/// Looks at one application.
const MOST_LOOKS: u32 = 6;

/// A script or document to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppAsset {
    pub url: Url,
    pub kind: NeededResourceKind,
    /// Its place among the scripts of the page.
    pub slot: Option<usize>,
}

/// What reading an application came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AppFacts {
    /// Why the page was taken for a map application.
    pub why: &'static str,
    /// Scripts and documents that were fetched, and how many bytes.
    pub fetched: u32,
    pub bytes: u64,
    /// Whether the code makes maps.
    pub makes_maps: bool,
    /// Layers whose address the code did not tell.
    pub undecided: u32,
    /// Addresses that the code shows.
    pub sightings: u32,
    /// A browser looked at it.
    pub rendered: bool,
    /// What went wrong.
    pub issues: Vec<String>,
}

/// An application being gathered.
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
    /// Only these levels, whatever they leave undecided.
    only: Option<AnalysisLevels>,
    study: ScriptAnalysis,
    missed: Vec<String>,
}

impl AppLoader {
    /// Begins with what the page tells.
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

    /// Lets only these levels look: to measure them.
    #[must_use]
    pub fn with_levels(mut self, levels: Option<AnalysisLevels>) -> Self {
        self.only = levels;
        self
    }

    /// What is to be fetched now.
    pub fn take_pending(&mut self) -> Vec<AppAsset> {
        std::mem::take(&mut self.queue)
    }

    /// Takes a piece that was fetched.
    pub fn add_fetched(&mut self, piece: &AppAsset, body: &Arc<str>) {
        self.fetched += 1;
        if self.bytes.saturating_add(body.len()) > MOST_BYTES {
            self.missed.push(format!("{} was left out: the application is too large", piece.url));
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

    /// Notes a piece that cannot be had.
    pub fn note_missing(&mut self, piece: &AppAsset, why: &str) {
        if self.missed.len() < 20 {
            self.missed.push(format!("{}: {why}", piece.url));
        }
    }

    /// The application so far.
    pub fn app(&self) -> &MapApp {
        &self.app
    }

    /// The levels that look next: scripts run only when nothing more is to be fetched.
    pub fn levels(&self) -> AnalysisLevels {
        if let Some(levels) = self.only {
            return levels;
        }
        AnalysisLevels {
            run: if self.run { SandboxMode::WhenUndecided } else { SandboxMode::Never },
            ..AnalysisLevels::default()
        }
    }

    /// Takes what a look gave; says whether another one is due, after what is wanted was fetched.
    pub fn apply_study(&mut self, study: ScriptAnalysis) -> bool {
        self.looks += 1;
        // A source map says the same as the code, at length: it is read where the code is not understood.
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
        // All that could be fetched is here: what is still undecided is run, once.
        if undecided && !self.run && self.only.is_none() {
            self.run = true;
            return true;
        }
        false
    }

    /// A document that the code hands to its map: a style, a configuration.
    fn document(&self, url: &str) -> Option<NeededResource> {
        let base = Url::parse(&self.app.base).ok()?;
        let url = base.join(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let whole = !url.as_str().contains("%7B") && !url.as_str().contains(HOLE);
        whole.then(|| NeededResource { url: url.into(), kind: NeededResourceKind::Document })
    }

    /// What the last look showed.
    pub fn sightings(&self) -> &[Sighting] {
        &self.study.sightings
    }

    /// What it came to.
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
