//! From what happened to an item to what the store keeps of it, in words a person understands.

use crate::apps;
use crate::body;
use crate::fetch::Failure;
use crate::focus::{self, PageNote};
use crate::options::CrawlOptions;
use crate::scope::{self, Judge, MOST_HOPS, Shower, Step};
use crate::traps::{BARREN_SITEMAP, Seen};
use crate::visit::Visit;
use geotrawl_kinds::extract::Known;
use geotrawl_kinds::probe::{Finding, Head, PageFacts, Range, Target, Verdict};
use geotrawl_kinds::urls;
use geotrawl_model::{
    Bbox, Bearing, Done, Evidence, FoundResource, Intent, NewLink, PageOutcome, Resource, Status,
};
use std::hash::{DefaultHasher, Hash, Hasher};
use url::Url;

/// All that an item gave.
#[derive(Debug)]
pub struct Conclusion {
    /// What the store keeps.
    pub done: Done,
    /// What trap detection wants to know.
    pub seen: Seen,
    /// What orderings want to know of a page.
    pub note: Option<Box<PageNote>>,
}

impl Conclusion {
    /// An outcome without links or finds.
    pub fn only(visit: &Visit, outcome: PageOutcome) -> Self {
        Self { done: Done::new(visit.item.clone(), outcome), seen: Seen::default(), note: None }
    }
}

/// An item closed without a request.
pub fn skipped(class: &str, reason: String) -> PageOutcome {
    PageOutcome { class: class.to_owned(), reason, ..PageOutcome::default() }
}

/// The request failed.
pub fn failed(visit: &Visit, failure: &Failure) -> Conclusion {
    let mut outcome = base(visit, failure.class.as_str(), failure.message.clone());
    outcome.retry = failure.retry && visit.item.attempts + 1 < visit.options().attempts;
    Conclusion::only(visit, outcome)
}

/// 429 or 503: the host is left alone for a while, the item is asked for again.
pub fn turned_away(visit: &Visit, status: u16) -> Conclusion {
    let reason = format!("The server asked us to come back later (HTTP {status})");
    let mut outcome = base(visit, &format!("http-{status}"), reason);
    outcome.retry = visit.item.attempts + 1 < visit.options().attempts;
    Conclusion::only(visit, outcome)
}

/// The answer points elsewhere: that place becomes an item of its own, so that nothing is fetched twice.
pub fn redirected(visit: &Visit, target: Option<Url>) -> Conclusion {
    let Some(location) = target else {
        let outcome = base(visit, "bad-redirect", "The redirect names no usable address".into());
        return Conclusion::only(visit, outcome);
    };
    let mut outcome = base(visit, "redirect", format!("Redirects to {location}"));
    if visit.item.hops >= MOST_HOPS {
        outcome.class = "too-many-redirects".into();
        outcome.reason = format!("More than {MOST_HOPS} redirects in a row, the last one to {location}");
        return Conclusion::only(visit, outcome);
    }
    let mut targets = Vec::new();
    match visit.item.intent.clone() {
        // The words that led to the door are true of where it leads.
        Intent::Page => urls::targets(location, "redirect".into(), &visit.item.words, &mut targets),
        Intent::Ows { kind, siblings } => {
            let endpoint = urls::endpoint(&location);
            // Where the redirect leads may offer more than the door that led there.
            let siblings = siblings || urls::service_hint(&endpoint).is_some_and(|hint| hint.siblings);
            targets.push(Target::new(endpoint, Intent::Ows { kind, siblings }, "redirect"));
        }
        intent => {
            targets.push(Target::new(urls::canonical(&location), intent, "redirect"));
        }
    }
    if targets.first().is_some_and(|to| to.url == visit.url && to.intent == visit.item.intent) {
        outcome.class = "redirect-loop".into();
        outcome.reason = "Redirects to itself".into();
        return Conclusion::only(visit, outcome);
    }
    outcome.redirect_to = targets.first().map(|to| to.url.to_string());
    let links = links_of(visit, visit.item.bearing, &visit.url, &targets, Step::Redirect);
    let mut conclusion = Conclusion::only(visit, outcome);
    conclusion.done.links = links;
    conclusion
}

/// The probe is done.
pub fn answered(visit: &Visit, head: &Head, mut finding: Finding) -> Conclusion {
    if finding.saved {
        finding.resources.clear();
        finding.verdict = Verdict::Page;
    }
    let at = head.url.as_ref().unwrap_or(&visit.url);
    let mut outcome = match finding.verdict {
        _ if !finding.resources.is_empty() => base(visit, "ok", "Answered as expected".into()),
        Verdict::Exception => base(
            visit,
            "exception",
            first_issue(&finding).unwrap_or("Answered with an OGC exception report".into()),
        ),
        Verdict::Login => base(visit, "login", "Asks for a login".into()),
        Verdict::Blocked => base(visit, "waf", "A firewall turned us away".into()),
        _ if visit.spent.cut.is_some() && finding.verdict != Verdict::Resource => {
            let (class, why) =
                visit.spent.cut.as_ref().map_or(("truncated", ""), |cut| (cut.class.as_str(), &cut.message));
            base(visit, class, format!("{why}; what had come was read"))
        }
        _ if head.status >= 400 => {
            base(visit, &format!("http-{}", head.status), format!("The server answered HTTP {}", head.status))
        }
        Verdict::Nothing => base(
            visit,
            "nothing",
            first_issue(&finding).unwrap_or("Nothing geospatial and nothing to follow".into()),
        ),
        Verdict::Page | Verdict::Resource => base(visit, "ok", read_reason(&finding)),
    };
    outcome.retry = false;
    let mut seen = Seen { found: !finding.resources.is_empty(), ..Seen::default() };
    let intent = &visit.item.intent;
    let note = (*intent == Intent::Page).then(|| PageNote::of(&visit.item, &finding));
    let bearing = match &note {
        Some(note) => note.bearing(visit.ordering(), &visit.item, finding.page.as_ref()),
        // What is not a page stands for the one that showed it.
        None => visit.item.bearing,
    };
    let foreign = speaks_another(visit.options(), finding.page.as_ref());
    if let Some(page) = finding.page {
        outcome.title = page.title;
        outcome.language = page.language;
        if page.words > 0 {
            outcome.simhash = Some(page.simhash);
            seen.simhash = Some((page.simhash, page.words));
        }
    }
    // An error page leads nowhere, but an exception report names its own endpoint.
    let usable = head.status < 400 || finding.verdict == Verdict::Exception;
    let mut links = if usable || intent.is_probe() {
        let beside =
            |target: &Target| target.way == "sibling" || matches!(target.intent, Intent::Harvest { .. });
        let (aside, mut forward): (Vec<_>, Vec<_>) = finding.targets.into_iter().partition(beside);
        if foreign {
            forward.retain(|target| target.intent != Intent::Page);
        }
        let mut links = links_of(visit, bearing, at, &forward, Step::Link);
        narrow(&mut links, visit.options().links_per_page);
        links.extend(links_of(visit, bearing, at, &aside, Step::Aside));
        links
    } else {
        Vec::new()
    };
    if visit.first_of_host {
        links.extend(links_of(visit, bearing, at, &sitemaps(visit), Step::Aside));
    }
    let found = finding
        .resources
        .into_iter()
        .filter(|found| wanted(visit, &found.resource))
        .map(|found| FoundResource {
            status: Status::Alive,
            reason: format!("Answered in {} ms", visit.spent.millis),
            evidence: evidence(visit, head, found.evidence.rule),
            themes: visit.registry().themes_of(&found.resource),
            resource: found.resource,
            ip: visit.spent.ip.map(|ip| ip.to_string()),
        })
        .collect();
    seen.shows = shows(&links);
    if *intent == Intent::Sitemap {
        let lists = links.iter().any(|link| link.intent != Intent::Sitemap);
        if !lists && outcome.class == "ok" {
            BARREN_SITEMAP.clone_into(&mut outcome.reason);
        }
        seen.sitemap = Some(lists);
    }
    let note = note.filter(|_| usable).map(Box::new);
    let done = Done { item: visit.item.clone(), outcome, links, found, harvest: finding.harvest };
    Conclusion { done, seen, note }
}

/// Whether a page is in none of the languages that the task follows; of one that does not say so nothing is known.
fn speaks_another(options: &CrawlOptions, page: Option<&PageFacts>) -> bool {
    let language = page.and_then(|page| page.language.as_deref()).map(focus::language);
    !options.languages.is_empty()
        && language.is_some_and(|own| !options.languages.iter().any(|one| one.eq_ignore_ascii_case(own)))
}

fn links_of(visit: &Visit, bearing: Bearing, at: &Url, targets: &[Target], step: Step) -> Vec<NewLink> {
    // Where a redirect leads and what a sitemap lists matters also when it is known.
    let all = step == Step::Redirect || visit.item.intent == Intent::Sitemap;
    let pages = visit.known();
    let known = |to: &Target| !all && to.intent == Intent::Page && pages.holds(pages.key(to.url.as_str()));
    let judge = Judge { options: visit.options(), ordering: visit.ordering() };
    let shower = Shower { item: &visit.item, url: at, bearing };
    let of = |target| scope::link(judge, shower, target, step);
    targets.iter().filter(|target| !known(target)).filter_map(of).collect()
}

/// Leaves the best links to pages, as many as the task follows per page, and all others.
fn narrow(links: &mut Vec<NewLink>, width: Option<u32>) {
    let Some(width) = width else { return };
    let is_page = |link: &NewLink| link.intent == Intent::Page;
    let mut priorities: Vec<(u32, usize)> = links
        .iter()
        .enumerate()
        .filter(|(_, link)| is_page(link))
        .map(|(place, link)| (link.priority, place))
        .collect();
    priorities.sort_unstable();
    // Priority and place are a total order, so exactly `width` pages stay.
    let Some(&last) = priorities.get((width as usize).saturating_sub(1)) else { return };
    let mut place = 0;
    links.retain(|link| {
        let own = (link.priority, place);
        place += 1;
        !is_page(link) || own <= last
    });
}

/// Keys of the services and files among the links.
fn shows(links: &[NewLink]) -> Vec<u64> {
    let probes = links.iter().filter(|link| link.intent.is_probe());
    let hash = |link: &NewLink| {
        let mut hasher = DefaultHasher::new();
        link.key.hash(&mut hasher);
        hasher.finish()
    };
    probes.map(hash).collect()
}

/// Where the host's sitemaps are: as robots.txt says, else the customary place.
fn sitemaps(visit: &Visit) -> Vec<Target> {
    const CUSTOMARY: &str = "/sitemap.xml";
    let named: &[String] = if visit.sitemaps.is_empty() { &[CUSTOMARY.to_owned()] } else { &visit.sitemaps };
    named
        .iter()
        .take(50)
        .filter_map(|text| visit.url.join(text).ok())
        .map(|url| Target::new(urls::canonical(&url), Intent::Sitemap, "robots"))
        .collect()
}

fn wanted(visit: &Visit, resource: &Resource) -> bool {
    let options = visit.options();
    let kind = options.kinds.is_empty() || options.kinds.contains(&resource.kind);
    let place = match (options.bbox, resource.bbox) {
        (Some(area), Some(bbox)) => touches(area, bbox),
        _ => true,
    };
    kind && place
}

/// Whether two boxes share a point; boxes with west > east cross the antimeridian.
fn touches(a: Bbox, b: Bbox) -> bool {
    let parts = |x: Bbox| {
        if x.west <= x.east { vec![(x.west, x.east)] } else { vec![(x.west, 180.0), (-180.0, x.east)] }
    };
    let across = parts(a).iter().any(|(w, e)| parts(b).iter().any(|(bw, be)| w <= be && bw <= e));
    across && a.south <= b.north && b.south <= a.north
}

fn evidence(visit: &Visit, head: &Head, rule: String) -> Evidence {
    let asked = visit.spent.last_request.as_ref();
    Evidence {
        request: asked.map_or_else(|| visit.item.url.clone(), |ask| ask.url.to_string()),
        range: asked.and_then(|ask| ask.range).map(|range| match range {
            Range::Span { from, to } => format!("bytes={from}-{to}"),
            Range::Suffix(n) => format!("bytes=-{n}"),
        }),
        at: jiff::Timestamp::now(),
        status: head.status,
        content_type: head.content_type.clone(),
        bytes: visit.spent.bytes,
        millis: visit.spent.millis as u32,
        hash: body::hex(visit.spent.hash.clone()),
        rule,
    }
}

fn base(visit: &Visit, class: &str, reason: String) -> PageOutcome {
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

/// A page that was read, and what could not be had of its application.
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
    format!("Read; of its scripts: {}", missed.get(..missed.floor_char_boundary(MOST)).unwrap_or_default())
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
        assert!(!speaks_another(&options, Some(&page("de-AT"))));
        assert!(!speaks_another(&options, Some(&page("FR"))));
        assert!(speaks_another(&options, Some(&page("en"))));
        assert!(!speaks_another(&options, Some(&PageFacts::default())), "it does not say");
        assert!(!speaks_another(&CrawlOptions::default(), Some(&page("en"))));
    }

    #[test]
    fn a_narrow_task_follows_the_best_pages_and_proves_everything() {
        let all =
            [link("a", "page", 9), link("b", "page", 1), link("c", "ows:wms", 50), link("d", "page", 9)];
        let left = |width| {
            let mut links = all.to_vec();
            narrow(&mut links, width);
            links.into_iter().map(|link| link.url).collect::<Vec<_>>()
        };
        assert_eq!(left(None), ["a", "b", "c", "d"]);
        assert_eq!(left(Some(9)), ["a", "b", "c", "d"]);
        assert_eq!(left(Some(2)), ["a", "b", "c"]);
        assert_eq!(left(Some(1)), ["b", "c"]);
    }
}
