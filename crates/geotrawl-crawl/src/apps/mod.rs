//! Map applications: fetches and analyzes their scripts and configurations, cheapest first.
//!
//! `geotrawl-kinds` decides what an application needs ([`Gathering`]), and `geotrawl-js` what its
//! code means. This module fetches it through the guarded [`Client`] and analyzes it in separate
//! processes ([`ScriptAnalyzer`]), because third-party code may make a parser run forever.

pub mod analyzer;
mod cache;
mod disk;

use crate::fetch::{FetchRequest, GuardedClient, RedirectPolicy};
use crate::render::classify::classify_requests;
use crate::render::{PageRenderer, RequestHandling};
pub use analyzer::ScriptAnalyzer;
use cache::ScriptCache;
pub use disk::PageFolder;
use geotrawl_js::{AnalysisLevels, MapApp};
use geotrawl_kinds::extract::app::{
    AppAsset, AppDraft, AppFacts, AppLoader, targets_of_document, targets_of_sightings,
};
use geotrawl_kinds::extract::{SCRIPT_TEXT, TextKind, decode_text};
use geotrawl_kinds::probe::{CrawlTarget, Finding};
use geotrawl_model::Issue;
use std::sync::Arc;
use tokio::sync::Semaphore;
use url::Url;

/// Applications that are read at once: each may hold some megabytes of code.
const AT_ONCE: usize = 16;
/// Longer scripts are truncated to this size.
const MOST_SCRIPT: u64 = 16 << 20;
const ACCEPT: &str = "text/javascript, application/json, */*;q=0.5";

/// Code of issues about parts of an application that could not be read.
pub const ISSUE: &str = "application";

/// A fetched piece of an application, or why it could not be fetched.
pub(crate) type FetchedText = Result<Arc<str>, String>;

/// Reads map applications.
pub struct AppReader {
    students: ScriptAnalyzer,
    cache: ScriptCache,
    turns: Semaphore,
    check_robots: bool,
    levels: Option<AnalysisLevels>,
    renderer: Option<PageRenderer>,
}

/// Source of the pieces of an application.
#[derive(Clone, Copy)]
pub enum PieceSource<'a> {
    Web(&'a GuardedClient),
    /// Files next to the page, for a page that is a local file.
    Disk(&'a PageFolder),
    /// Contents of a web archive, for an archived page.
    Archive(&'a dyn PieceReader),
}

/// Provides stored pieces of applications.
pub trait PieceReader: Sync {
    /// Returns the text at a URL, or why there is none.
    fn read_piece(&self, url: &Url) -> Result<Arc<str>, String>;
}

/// Result of reading an application.
#[derive(Debug, Default)]
pub struct AppAnalysis {
    pub targets: Vec<CrawlTarget>,
    pub facts: AppFacts,
    /// Number of requests sent.
    pub requests: u32,
    /// Whether the code was analyzed; if not, only what the page itself showed is known.
    pub studied: bool,
}

impl AppReader {
    /// Creates a reader that uses `students` to analyze code.
    pub fn new(students: ScriptAnalyzer) -> Self {
        Self {
            students,
            cache: ScriptCache::default(),
            turns: Semaphore::new(AT_ONCE),
            check_robots: true,
            levels: None,
            renderer: None,
        }
    }

    /// Creates a reader that ignores robots.txt, for a page that a person named.
    pub fn without_robots(students: ScriptAnalyzer) -> Self {
        Self { check_robots: false, ..Self::new(students) }
    }

    /// Restricts the analysis to these levels, for measurements.
    #[must_use]
    pub fn with_levels(mut self, levels: AnalysisLevels) -> Self {
        self.levels = Some(levels);
        self
    }

    /// Renders applications in a browser if their code shows nothing.
    #[must_use]
    pub fn with_renderer(mut self, renderer: Option<PageRenderer>) -> Self {
        self.renderer = renderer;
        self
    }

    /// Reads an application: fetches the most important pieces, analyzes them, fetches what the
    /// analysis asks for, and repeats.
    pub async fn read_app(&self, draft: AppDraft, source: PieceSource<'_>) -> AppAnalysis {
        let mut read = AppAnalysis::default();
        let Ok(_turn) = self.turns.acquire().await else { return read };
        let mut gathering = AppLoader::new(draft).with_levels(self.levels);
        loop {
            for piece in gathering.take_pending() {
                match self.fetch(&piece, source, &mut read.requests).await {
                    Ok(body) => gathering.add_fetched(&piece, &body),
                    Err(why) => gathering.note_missing(&piece, &why),
                }
            }
            match self.students.analyze_app(gathering.app(), gathering.levels()).await {
                Ok(study) => {
                    read.studied = true;
                    if !gathering.apply_study(study) {
                        break;
                    }
                }
                Err(why) => {
                    read.facts.issues.push(why);
                    break;
                }
            }
        }
        let failures = std::mem::take(&mut read.facts.issues);
        read.facts = gathering.facts();
        read.facts.issues.extend(failures);
        read.targets = targets_of_sightings(gathering.app(), gathering.sightings());
        read.targets.extend(gathering.app().documents.iter().flat_map(targets_of_document));
        let found = read.targets.iter().any(|target| target.intent.is_probe());
        if let (Some(renderer), PieceSource::Web(_), false) = (&self.renderer, source, found) {
            render(renderer, gathering.app(), &mut read).await;
        }
        read
    }

    async fn fetch(&self, piece: &AppAsset, source: PieceSource<'_>, requests: &mut u32) -> FetchedText {
        let client = match source {
            PieceSource::Disk(disk) => return disk.read_file(&piece.url),
            // The pages of a site share their scripts, and opening an archive is expensive.
            PieceSource::Archive(pieces) => {
                return self.cache.get(&piece.url, || async { pieces.read_piece(&piece.url) }).await;
            }
            PieceSource::Web(client) => client,
        };
        let mut made = 0;
        let body = self.cache.get(&piece.url, || async {
            let (body, requests) = self.request(piece, client).await;
            made = requests;
            body
        });
        let body = body.await;
        *requests += made;
        body
    }

    async fn request(&self, piece: &AppAsset, client: &GuardedClient) -> (FetchedText, u32) {
        let fetched = client
            .fetch(FetchRequest {
                url: piece.url.clone(),
                accept: ACCEPT,
                range: None,
                post: None,
                authorization: None,
                extra_headers: Vec::new(),
                max_bytes: MOST_SCRIPT,
                redirects: RedirectPolicy::Follow(5),
                check_robots: self.check_robots,
                deadline: None,
            })
            .await;
        let requests = fetched.requests;
        let mut body = match fetched.outcome {
            Ok(body) => body,
            Err(failure) => return (Err(failure.message), requests),
        };
        if fetched.head.status != 200 {
            return (Err(format!("the server answered HTTP {}", fetched.head.status)), requests);
        }
        let mut bytes = Vec::new();
        loop {
            match body.next_chunk().await {
                Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
                Ok(None) => break,
                // A partial script is better than none.
                Err(_) if !bytes.is_empty() => break,
                Err(failure) => return (Err(failure.message), requests),
            }
        }
        // Many servers answer with their home page instead of a 404.
        if bytes.trim_ascii_start().starts_with(b"<") {
            return (Err("the server returned a page".to_owned()), requests);
        }
        let (text, _) = decode_text(&fetched.head, &bytes, TextKind::Plain);
        (Ok(Arc::from(&*text)), requests)
    }
}

/// Opens the page in a browser and adds the services that it requests.
async fn render(renderer: &PageRenderer, app: &MapApp, read: &mut AppAnalysis) {
    let Ok(page) = Url::parse(&app.page) else { return };
    let seen = match renderer.render(&page).await {
        Ok(rendered) => rendered.requests,
        Err(failure) => {
            read.facts.issues.push(format!("the browser could not render it: {}", failure.message));
            failure.requests
        }
    };
    let passed = seen.iter().filter(|request| request.handling == RequestHandling::Passed).count();
    read.requests += u32::try_from(passed).unwrap_or(u32::MAX);
    read.facts.rendered = true;
    // The observed requests have no position in a script.
    let bare = MapApp { scripts: Vec::new(), elements: Vec::new(), ..app.clone() };
    read.targets.extend(targets_of_sightings(&bare, &classify_requests(&seen)));
}

impl AppAnalysis {
    /// Merges what the code shows into the finding. URLs that were only found in the text of
    /// scripts are replaced, because the analysis has seen them in context.
    pub fn merge_into(self, finding: &mut Finding) {
        if self.studied {
            finding.targets.retain(|target| target.way != SCRIPT_TEXT);
        }
        let known = |target: &CrawlTarget, all: &[CrawlTarget]| {
            all.iter().any(|other| {
                other.url == target.url && other.intent.request_key() == target.intent.request_key()
            })
        };
        for target in self.targets {
            if !known(&target, &finding.targets) {
                finding.targets.push(target);
            }
        }
        finding.issues.extend(self.facts.issues.into_iter().map(|text| Issue::new(ISSUE, text)));
    }
}
