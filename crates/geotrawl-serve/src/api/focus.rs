//! Where a task looks and why: its groups of seeds, what each depth gave, what was learned, and what is next.

use super::extract::Json;
use super::tasks::{TaskId, require_visible};
use crate::auth::Caller;
use crate::{App, Problem};
use axum::Extension;
use axum::extract::State;
use geotrawl_model::focus::{DepthYield, IndicativeTerm, SeedGroup};
use geotrawl_model::task::{Job, JobCommand};
use geotrawl_model::{FrontierEntry, Intent, RunId};
use geotrawl_rank::{FrontierRanking, LearnedTerm, RankExplanation, RankReason, RankedLink};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Groups of seeds that are told, the latest ones: a long list opens thousands.
const MOST_WIDTHS: usize = 200;
/// Words of each sign.
const MOST_WORDS: usize = 30;
/// Addresses that are told as next.
const MOST_NEXT: usize = 20;
/// Of them at most so many that are no pages, where there are pages: those need no explanation.
const MOST_PROBES: usize = 8;
/// Addresses that are looked at, and weighed again where the ordering has learned since they were found.
const WEIGHED: usize = 200;

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(focus))
}

/// Where the latest run of a task looks and why.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FocusView {
    /// The name of the task's ordering.
    pub ordering: String,
    /// It goes by what it learns.
    pub learns: bool,
    /// Groups of seeds that were opened so far.
    pub opened: u64,
    /// The latest 200 of them, in order.
    pub widths: Vec<SeedGroup>,
    pub depths: Vec<DepthView>,
    /// Words the ordering goes by, learned in all tasks: those that lead to services, and those that lead away.
    pub vocabulary: Vec<LearnedTermView>,
    /// Telling words of the pages of this run that led to something new.
    pub terms: Vec<IndicativeTerm>,
    /// What is asked for next, soonest first, a few of what is no page among them; none when the run is over.
    pub next: Vec<NextView>,
}

/// What one depth gave.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = DepthLevel)]
pub struct DepthView {
    /// Links away from the seed.
    pub depth: u32,
    pub pages: u64,
    pub finds: u64,
}

/// A word that the ordering has learned to go by.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = LearnedTerm)]
pub struct LearnedTermView {
    pub term: String,
    /// Positive: leads to services; negative: leads away.
    pub weight: f64,
    /// Pages it was seen with.
    pub seen: u64,
}

/// An address that is asked for soon.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = NextAddress)]
pub struct NextView {
    pub url: String,
    pub depth: u32,
    pub width: u32,
    /// What is expected there.
    pub expected: Expected,
    pub why: WhyView,
}

/// What an address is expected to be.
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

/// Why an address has its place.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PlaceReasons)]
pub struct WhyView {
    /// Its place in the queue; smaller is sooner.
    pub place: u32,
    /// New services expected of the request, where the ordering estimates that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expects: Option<f64>,
    /// Strongest first.
    pub reasons: Vec<ReasonView>,
}

/// One reason for a place.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PlaceReason)]
pub struct ReasonView {
    /// A short name: `host`, `words:karten`, `depth`, ...
    pub name: String,
    /// What it adds to the expectation; its scale is that of the ordering.
    pub adds: f64,
    /// For people.
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

/// JSON has no other numbers.
fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

/// Where the latest run looks and why.
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
        // Orderings learn from all tasks, also from those that guests do not see.
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
    if job.state.is_active() || job.state.after_command(JobCommand::Resume).is_some() {
        view.next = next(app, run, ordering.as_deref())?;
    }
    Ok(view)
}

/// The next addresses, in the order in which the ordering sees them by now.
fn next(app: &App, run: RunId, ordering: Option<&dyn FrontierRanking>) -> Result<Vec<NextView>, Problem> {
    let learning = ordering.filter(|ordering| ordering.is_learning());
    let items = app.store.next_entries(run, WEIGHED)?;
    let is_page = |item: &FrontierEntry| item.intent == Intent::Page;
    let place = |item: &FrontierEntry| match learning {
        Some(ordering) if is_page(item) => ordering.rank_link(&RankedLink::from(item)),
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
            (None, Some(ordering)) => WhyView::from(ordering.explain_rank(&RankedLink::from(&item))),
            (None, None) => WhyView { place, expects: None, reasons: Vec::new() },
        };
        NextView { url: item.url, depth: item.depth, width: item.bearing.width, expected, why }
    });
    Ok(shown.collect())
}

/// What is expected of a request, and for those that stand before all pages why they do.
fn expected(intent: &Intent) -> (Expected, Option<String>) {
    match intent {
        Intent::Page | Intent::Import => (Expected::Page, None),
        Intent::Sitemap => {
            (Expected::Sitemap, Some("A sitemap tells of many pages in one request".to_owned()))
        }
        Intent::Ows { kind, .. } | Intent::Ask { kind } => {
            (Expected::Service, Some(format!("Looks like a service ({kind}); proven before pages are read")))
        }
        Intent::File => {
            (Expected::File, Some("Looks like a data file; proven before pages are read".to_owned()))
        }
        Intent::Harvest { .. } => {
            (Expected::Catalogue, Some("A page of a catalogue names many services at once".to_owned()))
        }
    }
}
