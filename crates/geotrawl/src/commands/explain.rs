//! `explain`: shows the evidence for a record, how it was found, and why a page got its rank.

use crate::cli::{ExplainArgs, GlobalArgs};
use crate::config::Config;
use crate::exit::ExitStatus;
use crate::output::{self, sanitize_line};
use anyhow::Result;
use geotrawl_kinds::urls;
use geotrawl_model::store::CrawlStore;
use geotrawl_model::{ChainLink, ExplainedResource, Explanation, UrlVisit};
use geotrawl_rank::{FrontierRanking, LinkToRank, PageContext, RankExplanation, TaskTopic};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use url::Url;

/// Maximum number of ranking reasons shown as text.
const REASONS: usize = 8;

/// Everything known about an address or record, with the ranks of pages.
#[derive(Serialize)]
struct ExplainReport<'a> {
    resources: &'a [ExplainedResource],
    visits: Vec<RankedVisit<'a>>,
    /// For an address no task has met: the rank it would have as a link of a seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    would_be: Option<RankExplanation>,
}

/// A visit to an address, with the reasons for its rank.
#[derive(Serialize)]
struct RankedVisit<'a> {
    #[serde(flatten)]
    visit: &'a UrlVisit,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<RankExplanation>,
}

/// Prints everything known about an address or a record.
pub fn run(global: &GlobalArgs, args: &ExplainArgs) -> Result<ExitStatus> {
    let store = super::catalogue(global)?;
    let explanation = look_up(&*store, &args.what)?;
    let told = told(global, &*store, &args.what, &explanation)?;
    if global.json {
        output::print_json(&told);
    } else if let Some(why) = &told.would_be {
        print_why("would be", why);
    }
    if explanation.resources.is_empty() && explanation.visits.is_empty() {
        output::print_message(&format!(
            "geotrawl: nothing is known about '{}'; use a URL as printed by `geotrawl export`, or the id of a record",
            args.what
        ));
        return Ok(ExitStatus::Failures);
    }
    if !global.json {
        print(&told);
    }
    Ok(ExitStatus::Done)
}

/// Adds the reasons for ranks.
fn told<'a>(
    global: &GlobalArgs,
    store: &dyn CrawlStore,
    what: &str,
    explanation: &'a Explanation,
) -> Result<ExplainReport<'a>> {
    let mut orderings = LoadedRankings { store, made: BTreeMap::new() };
    let mut visits = Vec::new();
    for visit in &explanation.visits {
        visits.push(RankedVisit { visit, why: orderings.of_visit(visit)? });
    }
    let mut would_be = None;
    if explanation.resources.is_empty()
        && visits.is_empty()
        && let Ok(url) = Url::parse(what)
        && matches!(url.scheme(), "http" | "https")
    {
        let crawl = Config::load(global)?.crawl;
        let url = String::from(urls::canonical_url(&url));
        let link = LinkToRank {
            url: &url,
            words: "",
            way: "href",
            depth: 1,
            width: 1,
            origin: PageContext::default(),
        };
        would_be =
            orderings.get(&crawl.ordering, &crawl.keywords)?.map(|ordering| ordering.explain_rank(&link));
    }
    Ok(ExplainReport { resources: &explanation.resources, visits, would_be })
}

/// Name of a ranking, and keywords.
type RankingName = (String, Vec<String>);

/// Rankings with their learned state, each built once.
struct LoadedRankings<'a> {
    store: &'a dyn CrawlStore,
    made: BTreeMap<RankingName, Option<Arc<dyn FrontierRanking>>>,
}

impl LoadedRankings<'_> {
    /// Returns the ranking of this name, or `None` if this program does not have it.
    fn get(&mut self, name: &str, keywords: &[String]) -> Result<Option<Arc<dyn FrontierRanking>>> {
        let key = (name.to_owned(), keywords.to_vec());
        if let Some(made) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let model = self.store.load_model(name)?;
        let topic = TaskTopic { keywords: keywords.to_vec() };
        let made =
            geotrawl_rank::create_ranking(name, &topic, model.as_ref().map(|model| &model.bytes[..])).ok();
        self.made.insert(key, made.clone());
        Ok(made)
    }

    /// Explains the rank of a page. Returns `None` for services and files, which come first in
    /// every ranking.
    fn of_visit(&mut self, visit: &UrlVisit) -> Result<Option<RankExplanation>> {
        let Some(name) = visit.ordering.as_deref().filter(|_| visit.intent == "page") else {
            return Ok(None);
        };
        let own = visit.chain.last();
        let link = LinkToRank {
            url: &visit.url,
            words: own.map_or("", |link| &link.words),
            way: own.map_or("", |link| &link.way),
            depth: visit.depth,
            width: visit.bearing.width,
            origin: PageContext(visit.bearing.origin),
        };
        Ok(self.get(name, &visit.keywords)?.map(|ordering| ordering.explain_rank(&link)))
    }
}

/// Looks up an address as given, else as a crawl would store it: canonical, or as an endpoint
/// without query.
pub(super) fn look_up(store: &dyn CrawlStore, what: &str) -> Result<Explanation> {
    let mut spellings = vec![what.to_owned()];
    if let Ok(url) = Url::parse(what) {
        spellings.extend([urls::canonical_url(&url), urls::endpoint_url(&url)].map(String::from));
    }
    for spelling in &spellings {
        let explanation = store.explain(spelling)?;
        if !explanation.resources.is_empty() || !explanation.visits.is_empty() {
            return Ok(explanation);
        }
    }
    Ok(Explanation::default())
}

fn print_why(verb: &str, why: &RankExplanation) {
    let expects = why.expects.map(|count| format!(", {count:.3} new services expected")).unwrap_or_default();
    output::print_line(&format!("  {verb} ranked at {} by {}{expects}:", why.place, why.ordering));
    for reason in why.reasons.iter().take(REASONS) {
        output::print_line(&format!("    {:+.3}  {}", reason.adds, sanitize_line(&reason.text, 120)));
    }
}

fn print(told: &ExplainReport<'_>) {
    for known in told.resources {
        let record = &known.record;
        let title = record.resource.title.as_deref().unwrap_or("(no title)");
        output::print_line(&format!("{}  {}", record.resource.kind, record.resource.url));
        output::print_line(&format!("  {}", sanitize_line(title, 100)));
        output::print_line(&format!(
            "  id {}  {}: {}",
            record.id,
            record.status.as_str(),
            sanitize_line(&record.reason, 100)
        ));
        output::print_line(&format!("  first seen {}, last seen {}", record.first_seen, record.last_seen));
        for alias in &record.aliases {
            output::print_line(&format!("  also at {alias}"));
        }
        for issue in &record.resource.issues {
            output::print_line(&format!("  note: {}", sanitize_line(&issue.message, 160)));
        }
        for evidence in &known.evidence {
            output::print_line(&format!("  proof: {}", sanitize_line(&evidence.rule, 160)));
            let range = evidence.range.as_deref().map(|range| format!(", range {range}")).unwrap_or_default();
            output::print_line(&format!("    GET {}{range}", evidence.request));
            output::print_line(&format!(
                "    at {}: HTTP {}, {} bytes in {} ms, sha256 {}",
                evidence.at, evidence.status, evidence.bytes, evidence.millis, evidence.hash
            ));
        }
        for chain in &known.chains {
            output::print_line("  found by:");
            print_chain(chain);
        }
    }
    for RankedVisit { visit, why } in &told.visits {
        output::print_line(&format!("task {}: {} ({})", visit.task, visit.url, visit.intent));
        let at = visit.at.map(|at| format!(" at {at}")).unwrap_or_default();
        output::print_line(&format!("  {}{at}: {}", visit.state, sanitize_line(&visit.reason, 160)));
        if visit.bearing.width > 1 {
            output::print_line(&format!("  group {} of the seeds", visit.bearing.width));
        }
        if let Some(why) = why {
            print_why(if visit.at.is_some() { "is now" } else { "is" }, why);
        }
        print_chain(&visit.chain);
    }
}

fn print_chain(chain: &[ChainLink]) {
    for (depth, link) in chain.iter().enumerate() {
        let words = if link.words.is_empty() {
            String::new()
        } else {
            format!("  \"{}\"", sanitize_line(&link.words, 60))
        };
        output::print_line(&format!("    {}{} [{}]{words}", "  ".repeat(depth.min(12)), link.url, link.way));
    }
}
