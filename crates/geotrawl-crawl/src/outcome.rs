//! Turns the result of a visit into what the store keeps, with reasons in plain words.

use crate::apps;
use crate::body;
use crate::fetch::FetchError;
use crate::focus::{self, PageNote};
use crate::options::CrawlOptions;
use crate::scope::{self, LinkPolicy, LinkRelation, LinkSource, MOST_HOPS};
use crate::traps::{BARREN_SITEMAP, PageTraits};
use crate::visit::ActiveVisit;
use geotrawl_kinds::extract::KnownPageLookup;
use geotrawl_kinds::probe::{ByteRange, CrawlTarget, Finding, PageFacts, ResponseClass, ResponseHead};
use geotrawl_kinds::urls;
use geotrawl_model::{
    Bbox, CrawlContext, Evidence, FinishedItem, FoundResource, Intent, NewLink, PageOutcome, Resource, Status,
};
use std::hash::{DefaultHasher, Hash, Hasher};
use url::Url;

/// Result of a visit.
#[derive(Debug)]
pub struct VisitResult {
    /// What the store keeps.
    pub done: FinishedItem,
    /// Page traits for trap detection.
    pub seen: PageTraits,
    /// Note for the ranking.
    pub note: Option<Box<PageNote>>,
}

impl VisitResult {
    /// Creates a result without links or finds.
    pub fn from_outcome(visit: &ActiveVisit, outcome: PageOutcome) -> Self {
        Self { done: FinishedItem::new(visit.item.clone(), outcome), seen: PageTraits::default(), note: None }
    }
}

/// Returns the outcome of an entry that is closed without a request.
pub fn skipped_outcome(class: &str, reason: String) -> PageOutcome {
    PageOutcome { class: class.to_owned(), reason, ..PageOutcome::default() }
}

/// Returns the result of a failed request.
pub fn conclude_failure(visit: &ActiveVisit, failure: &FetchError) -> VisitResult {
    let mut outcome = base_outcome(visit, failure.class.as_str(), failure.message.clone());
    outcome.retry = failure.retry && visit.item.attempts + 1 < visit.options().attempts;
    VisitResult::from_outcome(visit, outcome)
}

/// Returns the result of a 429 or 503 answer: the host gets a pause, and the entry is retried.
pub fn conclude_retry_later(visit: &ActiveVisit, status: u16) -> VisitResult {
    let reason = format!("The server asked us to come back later (HTTP {status})");
    let mut outcome = base_outcome(visit, &format!("http-{status}"), reason);
    outcome.retry = visit.item.attempts + 1 < visit.options().attempts;
    VisitResult::from_outcome(visit, outcome)
}

/// Returns the result of a redirect. Its target becomes a frontier entry, so that nothing is
/// fetched twice.
pub fn conclude_redirect(visit: &ActiveVisit, target: Option<Url>) -> VisitResult {
    let Some(location) = target else {
        let outcome = base_outcome(visit, "bad-redirect", "The redirect has no usable target".into());
        return VisitResult::from_outcome(visit, outcome);
    };
    let mut outcome = base_outcome(visit, "redirect", format!("Redirects to {location}"));
    if visit.item.hops >= MOST_HOPS {
        outcome.class = "too-many-redirects".into();
        outcome.reason = format!("More than {MOST_HOPS} redirects in a row, the last one to {location}");
        return VisitResult::from_outcome(visit, outcome);
    }
    let mut targets = Vec::new();
    match visit.item.intent.clone() {
        // The text of the original link also describes the target of the redirect.
        Intent::Page => urls::append_targets(location, "redirect".into(), &visit.item.words, &mut targets),
        Intent::Ows { kind, siblings } => {
            let endpoint = urls::endpoint_url(&location);
            // The target may offer more service types than the redirecting address.
            let siblings = siblings || urls::service_hint(&endpoint).is_some_and(|hint| hint.siblings);
            targets.push(CrawlTarget::new(endpoint, Intent::Ows { kind, siblings }, "redirect"));
        }
        intent => {
            targets.push(CrawlTarget::new(urls::canonical_url(&location), intent, "redirect"));
        }
    }
    if targets.first().is_some_and(|to| to.url == visit.url && to.intent == visit.item.intent) {
        outcome.class = "redirect-loop".into();
        outcome.reason = "Redirects to itself".into();
        return VisitResult::from_outcome(visit, outcome);
    }
    outcome.redirect_to = targets.first().map(|to| to.url.to_string());
    let links = to_frontier_links(visit, visit.item.bearing, &visit.url, &targets, LinkRelation::Redirect);
    let mut conclusion = VisitResult::from_outcome(visit, outcome);
    conclusion.done.links = links;
    conclusion
}

/// Returns the result of a completed probe.
pub fn conclude_answer(visit: &ActiveVisit, head: &ResponseHead, mut finding: Finding) -> VisitResult {
    if finding.saved {
        finding.resources.clear();
        finding.verdict = ResponseClass::Page;
    }
    let at = head.url.as_ref().unwrap_or(&visit.url);
    let mut outcome = match finding.verdict {
        _ if !finding.resources.is_empty() => base_outcome(visit, "ok", "Answered as expected".into()),
        ResponseClass::Exception => base_outcome(
            visit,
            "exception",
            first_issue(&finding).unwrap_or("Answered with an OGC exception report".into()),
        ),
        ResponseClass::Login => base_outcome(visit, "login", "Asks for a login".into()),
        ResponseClass::Blocked => base_outcome(visit, "waf", "Blocked by a firewall".into()),
        _ if visit.spent.cut.is_some() && finding.verdict != ResponseClass::Resource => {
            let (class, why) =
                visit.spent.cut.as_ref().map_or(("truncated", ""), |cut| (cut.class.as_str(), &cut.message));
            base_outcome(visit, class, format!("{why}; the received part was read"))
        }
        _ if head.status >= 400 => base_outcome(
            visit,
            &format!("http-{}", head.status),
            format!("The server answered HTTP {}", head.status),
        ),
        ResponseClass::Nothing => base_outcome(
            visit,
            "nothing",
            first_issue(&finding).unwrap_or("No geospatial content and no links to follow".into()),
        ),
        ResponseClass::Page | ResponseClass::Resource => base_outcome(visit, "ok", read_reason(&finding)),
    };
    outcome.retry = false;
    let mut seen = PageTraits { found: !finding.resources.is_empty(), ..PageTraits::default() };
    let intent = &visit.item.intent;
    let note = (*intent == Intent::Page).then(|| PageNote::from_finding(&visit.item, &finding));
    let bearing = match &note {
        Some(note) => note.link_context(visit.ordering(), &visit.item, finding.page.as_ref()),
        // Not a page: it takes the context of the page that linked to it.
        None => visit.item.bearing,
    };
    let foreign = is_other_language(visit.options(), finding.page.as_ref());
    if let Some(page) = finding.page {
        outcome.title = page.title;
        outcome.language = page.language;
        if page.words > 0 {
            outcome.simhash = Some(page.simhash);
            seen.simhash = Some((page.simhash, page.words));
        }
    }
    // An error page leads nowhere, but an exception report names its own endpoint.
    let usable = head.status < 400 || finding.verdict == ResponseClass::Exception;
    let mut links = if usable || intent.is_probe() {
        let beside =
            |target: &CrawlTarget| target.way == "sibling" || matches!(target.intent, Intent::Harvest { .. });
        let (aside, mut forward): (Vec<_>, Vec<_>) = finding.targets.into_iter().partition(beside);
        if foreign {
            forward.retain(|target| target.intent != Intent::Page);
        }
        let mut links = to_frontier_links(visit, bearing, at, &forward, LinkRelation::Link);
        keep_best_links(&mut links, visit.options().links_per_page);
        links.extend(to_frontier_links(visit, bearing, at, &aside, LinkRelation::Aside));
        links
    } else {
        Vec::new()
    };
    if visit.first_of_host {
        links.extend(to_frontier_links(visit, bearing, at, &sitemaps(visit), LinkRelation::Aside));
    }
    let found = finding
        .resources
        .into_iter()
        .filter(|found| wanted(visit, &found.resource))
        .map(|found| FoundResource {
            status: Status::Alive,
            reason: format!("Answered in {} ms", visit.spent.millis),
            evidence: evidence(visit, head, found.evidence.rule),
            themes: visit.registry().label_themes(&found.resource),
            resource: found.resource,
            ip: visit.spent.ip.map(|ip| ip.to_string()),
        })
        .collect();
    seen.shows = probe_keys(&links);
    if *intent == Intent::Sitemap {
        let lists = links.iter().any(|link| link.intent != Intent::Sitemap);
        if !lists && outcome.class == "ok" {
            BARREN_SITEMAP.clone_into(&mut outcome.reason);
        }
        seen.sitemap = Some(lists);
    }
    let note = note.filter(|_| usable).map(Box::new);
    let done = FinishedItem { item: visit.item.clone(), outcome, links, found, harvest: finding.harvest };
    VisitResult { done, seen, note }
}

/// Returns whether a page declares a language that the task does not follow.
fn is_other_language(options: &CrawlOptions, page: Option<&PageFacts>) -> bool {
    let language = page.and_then(|page| page.language.as_deref()).map(focus::primary_language);
    !options.languages.is_empty()
        && language.is_some_and(|own| !options.languages.iter().any(|one| one.eq_ignore_ascii_case(own)))
}

fn to_frontier_links(
    visit: &ActiveVisit,
    bearing: CrawlContext,
    at: &Url,
    targets: &[CrawlTarget],
    step: LinkRelation,
) -> Vec<NewLink> {
    // Redirect targets and entries of sitemaps matter even if they are known.
    let all = step == LinkRelation::Redirect || visit.item.intent == Intent::Sitemap;
    let pages = visit.known_pages();
    let known = |to: &CrawlTarget| {
        !all && to.intent == Intent::Page && pages.is_known(pages.page_key(to.url.as_str()))
    };
    let judge = LinkPolicy { options: visit.options(), ordering: visit.ordering() };
    let shower = LinkSource { item: &visit.item, url: at, bearing };
    let of = |target| scope::frontier_link(judge, shower, target, step);
    targets.iter().filter(|target| !known(target)).filter_map(of).collect()
}

/// Keeps the best links to pages, up to the task's limit per page, and all other links.
fn keep_best_links(links: &mut Vec<NewLink>, width: Option<u32>) {
    let Some(width) = width else { return };
    let is_page = |link: &NewLink| link.intent == Intent::Page;
    let mut priorities: Vec<(u32, usize)> = links
        .iter()
        .enumerate()
        .filter(|(_, link)| is_page(link))
        .map(|(place, link)| (link.priority, place))
        .collect();
    priorities.sort_unstable();
    // Priority and position form a total order, so exactly `width` pages stay.
    let Some(&last) = priorities.get((width as usize).saturating_sub(1)) else { return };
    let mut place = 0;
    links.retain(|link| {
        let own = (link.priority, place);
        place += 1;
        !is_page(link) || own <= last
    });
}

/// Returns the keys of the services and files among the links.
fn probe_keys(links: &[NewLink]) -> Vec<u64> {
    let probes = links.iter().filter(|link| link.intent.is_probe());
    let hash = |link: &NewLink| {
        let mut hasher = DefaultHasher::new();
        link.key.hash(&mut hasher);
        hasher.finish()
    };
    probes.map(hash).collect()
}

/// Returns the sitemaps of the host: those in robots.txt, otherwise the conventional location.
fn sitemaps(visit: &ActiveVisit) -> Vec<CrawlTarget> {
    const CUSTOMARY: &str = "/sitemap.xml";
    let named: &[String] = if visit.sitemaps.is_empty() { &[CUSTOMARY.to_owned()] } else { &visit.sitemaps };
    named
        .iter()
        .take(50)
        .filter_map(|text| visit.url.join(text).ok())
        .map(|url| CrawlTarget::new(urls::canonical_url(&url), Intent::Sitemap, "robots"))
        .collect()
}

fn wanted(visit: &ActiveVisit, resource: &Resource) -> bool {
    let options = visit.options();
    let kind = options.kinds.is_empty() || options.kinds.contains(&resource.kind);
    let place = match (options.bbox, resource.bbox) {
        (Some(area), Some(bbox)) => touches(area, bbox),
        _ => true,
    };
    kind && place
}

/// Returns whether two boxes intersect; boxes with west > east cross the antimeridian.
fn touches(a: Bbox, b: Bbox) -> bool {
    let parts = |x: Bbox| {
        if x.west <= x.east { vec![(x.west, x.east)] } else { vec![(x.west, 180.0), (-180.0, x.east)] }
    };
    let across = parts(a).iter().any(|(w, e)| parts(b).iter().any(|(bw, be)| w <= be && bw <= e));
    across && a.south <= b.north && b.south <= a.north
}

fn evidence(visit: &ActiveVisit, head: &ResponseHead, rule: String) -> Evidence {
    let asked = visit.spent.last_request.as_ref();
    Evidence {
        request: asked.map_or_else(|| visit.item.url.clone(), |ask| ask.url.to_string()),
        range: asked.and_then(|ask| ask.range).map(|range| match range {
            ByteRange::Span { from, to } => format!("bytes={from}-{to}"),
            ByteRange::Suffix(n) => format!("bytes=-{n}"),
        }),
        at: jiff::Timestamp::now(),
        status: head.status,
        content_type: head.content_type.clone(),
        bytes: visit.spent.bytes,
        millis: visit.spent.millis as u32,
        hash: body::to_hex(visit.spent.hash.clone()),
        rule,
    }
}

fn base_outcome(visit: &ActiveVisit, class: &str, reason: String) -> PageOutcome {
    PageOutcome {
        class: class.to_owned(),
        reason,
        status: visit.spent.status,
        ip: visit.spent.ip.map(|ip| ip.to_string()),
        bytes: visit.spent.bytes,
        millis: visit.spent.millis as u32,
        requests: visit.spent.requests,
        ..PageOutcome::default()
    }
}

/// Returns the reason for a page that was read, with problems of its application.
fn read_reason(finding: &Finding) -> String {
    const MOST: usize = 500;
    let missed: Vec<&str> = finding
        .issues
        .iter()
        .filter(|issue| issue.code == apps::ISSUE)
        .map(|issue| issue.message.as_str())
        .collect();
    if missed.is_empty() {
        return "Read".to_owned();
    }
    let missed = missed.join("; ");
    format!(
        "Read; problems with its scripts: {}",
        missed.get(..missed.floor_char_boundary(MOST)).unwrap_or_default()
    )
}

fn first_issue(finding: &Finding) -> Option<String> {
    finding.issues.first().map(|issue| issue.message.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(url: &str, intent: &str, priority: u32) -> NewLink {
        NewLink {
            key: url.into(),
            url: url.into(),
            host: "http://a.example".into(),
            intent: intent.parse().unwrap(),
            priority,
            depth: 1,
            parent: None,
            way: "href".into(),
            words: String::new(),
            ..NewLink::default()
        }
    }

    #[test]
    fn links_of_pages_in_other_languages_are_not_followed() {
        let page = |language: &str| PageFacts { language: Some(language.into()), ..PageFacts::default() };
        let options = CrawlOptions { languages: vec!["de".into(), "fr".into()], ..CrawlOptions::default() };
        assert!(!is_other_language(&options, Some(&page("de-AT"))));
        assert!(!is_other_language(&options, Some(&page("FR"))));
        assert!(is_other_language(&options, Some(&page("en"))));
        assert!(!is_other_language(&options, Some(&PageFacts::default())), "it does not say");
        assert!(!is_other_language(&CrawlOptions::default(), Some(&page("en"))));
    }

    #[test]
    fn a_narrow_task_follows_the_best_pages_and_proves_everything() {
        let all =
            [link("a", "page", 9), link("b", "page", 1), link("c", "ows:wms", 50), link("d", "page", 9)];
        let left = |width| {
            let mut links = all.to_vec();
            keep_best_links(&mut links, width);
            links.into_iter().map(|link| link.url).collect::<Vec<_>>()
        };
        assert_eq!(left(None), ["a", "b", "c", "d"]);
        assert_eq!(left(Some(9)), ["a", "b", "c", "d"]);
        assert_eq!(left(Some(2)), ["a", "b", "c"]);
        assert_eq!(left(Some(1)), ["b", "c"]);
    }
}
