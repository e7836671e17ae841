//! What a task visits next and why: its groups of seeds, the yield per depth, what was learned, and
//! the next URLs.

use super::extract::Json;
use super::tasks::{TaskId, require_visible};
use crate::auth::Caller;
use crate::{App, Problem};
use axum::Extension;
use axum::extract::State;
use geotrawl_model::focus::{DepthYield, IndicativeTerm, SeedGroup};
use geotrawl_model::task::{Job, JobCommand};
use geotrawl_model::{FrontierEntry, Intent, RunId};
use geotrawl_rank::{FrontierRanking, LearnedTerm, LinkToRank, RankExplanation, RankReason};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Groups of seeds returned, the latest ones: a long list opens thousands.
const MOST_WIDTHS: usize = 200;
/// Words returned per list.
const MOST_WORDS: usize = 30;
/// Next URLs returned.
const MOST_NEXT: usize = 20;
/// Of these, the maximum number of probes while there are pages: probes need no explanation.
const MOST_PROBES: usize = 8;
/// URLs read from the frontier, ranked again with what has been learned since they were found.
const WEIGHED: usize = 200;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(focus))
}

/// What the latest run of a task visits next and why.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FocusView {
    /// Name of the task's ranking.
    pub ordering: String,
    /// Whether the ranking learns.
    pub learns: bool,
    /// Number of groups of seeds opened so far.
    pub opened: u64,
    /// The latest 200 groups, in order.
    pub widths: Vec<SeedGroup>,
    pub depths: Vec<DepthView>,
    /// Words used by the ranking, learned from all tasks: positive ones lead to services, negative
    /// ones lead away.
    pub vocabulary: Vec<LearnedTermView>,
    /// Indicative words of the pages of this run that led to something new.
    pub terms: Vec<IndicativeTerm>,
    /// URLs to be requested next, soonest first, a few probes among them; empty when the run is
    /// over.
    pub next: Vec<NextView>,
}

/// Yield of one depth.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = DepthLevel)]
pub struct DepthView {
    /// Number of links from a seed.
    pub depth: u32,
    pub pages: u64,
    pub finds: u64,
}

/// A word that the ranking has learned.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = LearnedTerm)]
pub struct LearnedTermView {
    pub term: String,
    /// Positive: leads to services; negative: leads away.
    pub weight: f64,
    /// Number of pages with this word.
    pub seen: u64,
}

/// A URL that will be requested soon.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = NextAddress)]
pub struct NextView {
    pub url: String,
    pub depth: u32,
    pub width: u32,
    /// Expected content.
    pub expected: Expected,
    pub why: WhyView,
}

/// Expected content of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    Page,
    Sitemap,
    Service,
    File,
    Catalogue,
}

impl Expected {
    fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Sitemap => "sitemap",
            Self::Service => "service",
            Self::File => "file",
            Self::Catalogue => "catalogue",
        }
    }
}

/// Why a URL has its position in the queue.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PlaceReasons)]
pub struct WhyView {
    /// Position in the queue; smaller is sooner.
    pub place: u32,
    /// Expected number of new services, if the ranking estimates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expects: Option<f64>,
    /// Strongest first.
    pub reasons: Vec<ReasonView>,
}

/// A reason for a position.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PlaceReason)]
pub struct ReasonView {
    /// A short name: `host`, `words:karten`, `depth`, ...
    pub name: String,
    /// Contribution to the expected value; the scale depends on the ranking.
    pub adds: f64,
    /// Description for users.
    pub text: String,
}

impl From<DepthYield> for DepthView {
    fn from(level: DepthYield) -> Self {
        Self { depth: level.depth, pages: level.pages, finds: level.finds }
    }
}

impl From<LearnedTerm> for LearnedTermView {
    fn from(term: LearnedTerm) -> Self {
        Self { term: term.term, weight: finite(term.weight), seen: term.seen }
    }
}

impl From<RankReason> for ReasonView {
    fn from(reason: RankReason) -> Self {
        Self { name: reason.name, adds: finite(reason.adds), text: reason.text }
    }
}

impl From<RankExplanation> for WhyView {
    fn from(why: RankExplanation) -> Self {
        Self {
            place: why.place,
            expects: why.expects.filter(|expects| expects.is_finite()),
            reasons: why.reasons.into_iter().map(ReasonView::from).collect(),
        }
    }
}

/// Replaces infinity and NaN, which JSON cannot express.
fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

/// What the latest run visits next and why
#[utoipa::path(get, path = "/tasks/{id}/focus", tag = "tasks", params(("id" = i64, Path)),
    responses((status = 200, body = FocusView), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn focus(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    TaskId(id): TaskId,
) -> Result<Json<FocusView>, Problem> {
    let view = app.blocking(move |app| {
        let mut view = view(app, &require_visible(app, &caller, id)?)?;
        // Rankings learn from all tasks, including those that guests cannot see.
        if caller.user.is_none() {
            view.vocabulary.clear();
        }
        Ok(view)
    });
    view.await.map(Json)
}

fn view(app: &App, job: &Job) -> Result<FocusView, Problem> {
    let ordering = app.orderings.get_or_load(&*app.store, &job.spec.ordering, &job.spec.keywords)?;
    let vocabulary = ordering.as_ref().map(|ordering| ordering.learned_terms(MOST_WORDS)).unwrap_or_default();
    let mut view = FocusView {
        ordering: job.spec.ordering.clone(),
        learns: ordering.as_ref().is_some_and(|ordering| ordering.is_learning()),
        opened: 0,
        widths: Vec::new(),
        depths: Vec::new(),
        vocabulary: vocabulary.into_iter().map(LearnedTermView::from).collect(),
        terms: Vec::new(),
        next: Vec::new(),
    };
    let Some(run) = job.run else {
        return Ok(view);
    };
    let mut widths = app.store.list_seed_groups(run)?;
    view.opened = widths.len() as u64;
    let latest = widths.split_off(widths.len().saturating_sub(MOST_WIDTHS));
    view.widths = latest;
    view.depths = app.store.yield_by_depth(run)?.into_iter().map(DepthView::from).collect();
    view.terms = app.store.indicative_terms(run, MOST_WORDS)?;
    // Only runs that can still continue have next URLs.
    if job.state.is_active() || job.state.after_command(JobCommand::Resume).is_some() {
        view.next = next(app, run, ordering.as_deref())?;
    }
    Ok(view)
}

/// Returns the next URLs in the current order of the ranking.
fn next(app: &App, run: RunId, ordering: Option<&dyn FrontierRanking>) -> Result<Vec<NextView>, Problem> {
    let learning = ordering.filter(|ordering| ordering.is_learning());
    let items = app.store.next_entries(run, WEIGHED)?;
    let is_page = |item: &FrontierEntry| item.intent == Intent::Page;
    let place = |item: &FrontierEntry| match learning {
        // Other requests keep the fixed priority with which they were added; only pages are ranked.
        Some(ordering) if is_page(item) => ordering.rank_link(&LinkToRank::from(item)),
        _ => item.priority,
    };
    let mut placed: Vec<_> = items.into_iter().map(|item| (place(&item), item)).collect();
    placed.sort_by_key(|(place, _)| *place);
    let pages = placed.iter().filter(|(_, item)| is_page(item)).count();
    let mut probes = MOST_PROBES.max(MOST_NEXT.saturating_sub(pages));
    placed.retain(|(_, item)| {
        let stays = is_page(item) || probes > 0;
        probes = probes.saturating_sub(usize::from(!is_page(item)));
        stays
    });
    let shown = placed.into_iter().take(MOST_NEXT).map(|(place, item)| {
        let (expected, what) = expected(&item.intent);
        let why = match (what, ordering) {
            (Some(what), _) => {
                let reason = ReasonView { name: expected.as_str().to_owned(), adds: 0.0, text: what };
                WhyView { place, expects: None, reasons: vec![reason] }
            }
            (None, Some(ordering)) => WhyView::from(ordering.explain_rank(&LinkToRank::from(&item))),
            (None, None) => WhyView { place, expects: None, reasons: Vec::new() },
        };
        NextView { url: item.url, depth: item.depth, width: item.bearing.width, expected, why }
    });
    Ok(shown.collect())
}

/// Returns what a request is expected to find and, for requests that precede all pages, the reason.
fn expected(intent: &Intent) -> (Expected, Option<String>) {
    match intent {
        Intent::Page | Intent::Import => (Expected::Page, None),
        Intent::Sitemap => (Expected::Sitemap, Some("A sitemap lists many pages in one request".to_owned())),
        Intent::Ows { kind, .. } | Intent::Ask { kind } => {
            (Expected::Service, Some(format!("Looks like a service ({kind}); probed before pages are read")))
        }
        Intent::File => {
            (Expected::File, Some("Looks like a data file; probed before pages are read".to_owned()))
        }
        Intent::Harvest { .. } => {
            (Expected::Catalogue, Some("A catalogue page lists many services at once".to_owned()))
        }
    }
}
