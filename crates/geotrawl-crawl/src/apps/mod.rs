//! Map applications: their scripts and configurations are fetched and studied, from cheap to dear.
//!
//! What an application needs is decided in `geotrawl-kinds` ([`Gathering`]), what its code means in
//! `geotrawl-js`; here it is fetched, like everything else, through the guarded [`Client`], and studied in
//! processes of its own ([`Students`]), because strangers' programs may make a parser run forever.

mod cache;
mod disk;
pub mod study;

use crate::fetch::{FetchRequest, GuardedClient, RedirectPolicy};
use crate::render::classify::classify_requests;
use crate::render::{PageRenderer, RequestHandling};
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
pub use study::ScriptAnalyzer;
use tokio::sync::Semaphore;
use url::Url;

/// Applications gathered at once: each may hold some megabytes of code.
const AT_ONCE: usize = 16;
/// A script longer than this is cut.
const MOST_SCRIPT: u64 = 16 << 20;
const ACCEPT: &str = "text/javascript, application/json, */*;q=0.5";

/// The code of issues that tell what could not be read of an application.
pub const ISSUE: &str = "application";

/// A piece as it was fetched, or why it could not be had.
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

/// Where the pieces of an application come from.
#[derive(Clone, Copy)]
pub enum PieceSource<'a> {
    Web(&'a GuardedClient),
    /// Files beside the page, for a page that is a file.
    Disk(&'a PageFolder),
    /// What an archive holds, for a page that was archived.
    Archive(&'a dyn PieceReader),
}

/// Whoever has pieces of applications at hand.
pub trait PieceReader: Sync {
    /// The text at an address, or why there is none.
    fn read_piece(&self, url: &Url) -> Result<Arc<str>, String>;
}

/// What reading an application gave.
#[derive(Debug, Default)]
pub struct AppAnalysis {
    pub targets: Vec<CrawlTarget>,
    pub facts: AppFacts,
    /// Requests that were made.
    pub requests: u32,
    /// Whether the code was studied; else the finding stands as the page alone gave it.
    pub studied: bool,
}

impl AppReader {
    /// A reader that lets `students` study.
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

    /// A reader for a person who names one page: robots.txt speaks to crawlers, and is not asked.
    pub fn without_robots(students: ScriptAnalyzer) -> Self {
        Self { check_robots: false, ..Self::new(students) }
    }

    /// Lets only these levels look: to measure them.
    #[must_use]
    pub fn with_levels(mut self, levels: AnalysisLevels) -> Self {
        self.levels = Some(levels);
        self
    }

    /// Lets a browser look at applications whose code shows nothing.
    #[must_use]
    pub fn with_renderer(mut self, renderer: Option<PageRenderer>) -> Self {
        self.renderer = renderer;
        self
    }

    /// Reads an application: fetches what matters, studies it, fetches what the study wants, and so on.
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
            // The pages of a site share their scripts, and opening an archive costs more than keeping them.
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
                // What came of it is read.
                Err(_) if !bytes.is_empty() => break,
                Err(failure) => return (Err(failure.message), requests),
            }
        }
        // Servers answer with their start page for what they do not have.
        if bytes.trim_ascii_start().starts_with(b"<") {
            return (Err("the answer is a page".to_owned()), requests);
        }
        let (text, _) = decode_text(&fetched.head, &bytes, TextKind::Plain);
        (Ok(Arc::from(&*text)), requests)
    }
}

/// Lets the browser open the page, and takes the services that it asks.
async fn render(renderer: &PageRenderer, app: &MapApp, read: &mut AppAnalysis) {
    let Ok(page) = Url::parse(&app.page) else { return };
    let seen = match renderer.render(&page).await {
        Ok(rendered) => rendered.requests,
        Err(failure) => {
            read.facts.issues.push(format!("the browser could not show it: {}", failure.message));
            failure.requests
        }
    };
    let passed = seen.iter().filter(|request| request.handling == RequestHandling::Passed).count();
    read.requests += u32::try_from(passed).unwrap_or(u32::MAX);
    read.facts.rendered = true;
    // Where it was asked stands in a script, whose place in the application does not matter.
    let bare = MapApp { scripts: Vec::new(), elements: Vec::new(), ..app.clone() };
    read.targets.extend(targets_of_sightings(&bare, &classify_requests(&seen)));
}

impl AppAnalysis {
    /// Puts what the code shows beside what the page shows. Addresses that were only seen in the text of
    /// scripts have been judged in their context now.
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
