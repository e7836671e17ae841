//! Turns targets of a page into frontier links: scope, depth, kinds and priority.
//!
//! Scope is checked against the page that contains the link, so nothing has to be remembered: by
//! induction, every page belongs to the host or domain of its seed. If a seed redirects elsewhere,
//! the target takes its place.

use crate::options::{CrawlOptions, CrawlScope};
use crate::rank;
use geotrawl_kinds::probe::CrawlTarget;
use geotrawl_kinds::urls;
use geotrawl_model::{CrawlContext, FrontierEntry, FrontierEntryId, Intent, NewLink};
use geotrawl_rank::{FrontierRanking, LinkToRank, PageContext};
use url::Url;

/// Levels of catalogues inside catalogues that are followed.
const MOST_CASCADES: u32 = 3;
/// Maximum length of a redirect chain.
pub const MOST_HOPS: u32 = 10;

/// How a target is related to the page that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkRelation {
    /// A link on a page: one level deeper.
    Link,
    /// The redirect of the page itself: the same level, one hop more.
    Redirect,
    /// Belongs to the page itself (siblings of an endpoint, sitemaps of the host): the same level.
    Aside,
}

/// Decides about links: the limits of the task, and its ranking.
#[derive(Clone, Copy)]
pub struct LinkPolicy<'a> {
    pub options: &'a CrawlOptions,
    pub ordering: &'a dyn FrontierRanking,
}

/// A page, or another answer, that contains links.
#[derive(Clone, Copy)]
pub struct LinkSource<'a> {
    pub item: &'a FrontierEntry,
    /// Its URL after redirects within the visit.
    pub url: &'a Url,
    /// Context for its links.
    pub bearing: CrawlContext,
}

/// Returns the frontier link for a target, or `None` if the task excludes it.
pub fn frontier_link(
    judge: LinkPolicy<'_>,
    shower: LinkSource<'_>,
    target: &CrawlTarget,
    step: LinkRelation,
) -> Option<NewLink> {
    let (options, parent) = (judge.options, shower.item);
    let (depth, hops) = match step {
        LinkRelation::Link => (parent.depth + 1, 0),
        LinkRelation::Redirect => (parent.depth, parent.hops + 1),
        LinkRelation::Aside => (parent.depth, 0),
    };
    if hops > MOST_HOPS || depth > deepest_level(options, target) || !wanted_kind(options, &target.intent) {
        return None;
    }
    let leads_on = matches!(target.intent, Intent::Harvest { .. });
    if !options.prove_records && !leads_on && target.way.starts_with("catalogue:") {
        return None;
    }
    let seed_moved = step == LinkRelation::Redirect && parent.depth == 0;
    let free = seed_moved || (options.prove_outside && target.intent.is_probe());
    if !free && !is_in_scope(options.scope, shower.url, &target.url) {
        return None;
    }
    let prefixes = &options.path_prefixes;
    if target.intent == Intent::Page
        && !prefixes.is_empty()
        && !prefixes.iter().any(|prefix| target.url.path().starts_with(prefix.as_str()))
    {
        return None;
    }
    if target.intent == Intent::Page && urls::trap_shape(&target.url).is_some() {
        return None;
    }
    // A redirect target takes the context of the page that linked to the redirect.
    let bearing = if step == LinkRelation::Redirect { parent.bearing } else { shower.bearing };
    let place = LinkPosition { depth, hops, parent: Some(parent.id), bearing };
    Some(new_link(judge.ordering, target, place))
}

/// Returns the frontier link for a seed of this group.
pub fn seed_link(ordering: &dyn FrontierRanking, target: &CrawlTarget, width: u32) -> NewLink {
    let bearing = CrawlContext { width, ..CrawlContext::default() };
    new_link(ordering, target, LinkPosition { depth: 0, hops: 0, parent: None, bearing })
}

/// Position of a link in the run.
struct LinkPosition {
    depth: u32,
    hops: u32,
    parent: Option<FrontierEntryId>,
    bearing: CrawlContext,
}

fn new_link(ordering: &dyn FrontierRanking, target: &CrawlTarget, place: LinkPosition) -> NewLink {
    let LinkPosition { depth, hops, parent, bearing } = place;
    let url = String::from(target.url.clone());
    let key = NewLink::key_of(&target.intent, &url);
    let link = LinkToRank {
        url: &url,
        words: &target.words,
        way: &target.way,
        depth,
        width: bearing.width,
        origin: PageContext(bearing.origin),
    };
    let priority = rank::link_priority(ordering, &target.intent, &link);
    NewLink {
        key,
        host: urls::host_key(&target.url),
        intent: target.intent.clone(),
        priority,
        depth,
        parent,
        way: target.way.clone(),
        words: target.words.clone(),
        hops,
        bearing,
        url,
    }
}

/// Returns the maximum depth of a target. Pages are read down to the task's depth. Services and
/// files on the deepest pages are still proven, and so are the contents of catalogues found there,
/// and of the catalogues inside them.
fn deepest_level(options: &CrawlOptions, target: &CrawlTarget) -> u32 {
    let more = match &target.intent {
        Intent::Page | Intent::Sitemap | Intent::Import => 0,
        _ if target.way.starts_with("catalogue:") => 1 + MOST_CASCADES,
        _ => 1,
    };
    options.depth.saturating_add(more)
}

fn wanted_kind(options: &CrawlOptions, intent: &Intent) -> bool {
    match intent {
        // With siblings the endpoint may turn out to be any of the wanted kinds.
        Intent::Ows { kind, siblings } if !options.kinds.is_empty() => {
            *siblings || options.kinds.iter().any(|wanted| wanted == kind)
        }
        Intent::Harvest { page, .. } => *page < options.harvest_pages,
        _ => true,
    }
}

fn is_in_scope(scope: CrawlScope, from: &Url, to: &Url) -> bool {
    match scope {
        CrawlScope::Any => true,
        CrawlScope::Domain => urls::registrable_domain(from) == urls::registrable_domain(to),
        CrawlScope::Host => bare_host(from) == bare_host(to),
    }
}

fn bare_host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(depth: u32) -> FrontierEntry {
        FrontierEntry {
            id: 7,
            host: 1,
            url: "http://www.a.example/".into(),
            intent: Intent::Page,
            priority: 0,
            depth,
            parent: None,
            way: "seed".into(),
            words: String::new(),
            hops: 0,
            ..FrontierEntry::default()
        }
    }

    fn target(url: &str, intent: Intent) -> CrawlTarget {
        CrawlTarget::new(Url::parse(url).unwrap(), intent, "href")
    }

    fn wms(url: &str) -> CrawlTarget {
        target(url, Intent::Ows { kind: "wms".into(), siblings: false })
    }

    fn from(options: &CrawlOptions, depth: u32, t: &CrawlTarget, step: LinkRelation) -> Option<NewLink> {
        of(options, &page(depth), t, step)
    }

    fn of(
        options: &CrawlOptions,
        item: &FrontierEntry,
        t: &CrawlTarget,
        step: LinkRelation,
    ) -> Option<NewLink> {
        let at = Url::parse(&item.url).unwrap();
        let ordering =
            geotrawl_rank::create_ranking("hints", &geotrawl_rank::TaskTopic::default(), None).unwrap();
        let bearing = CrawlContext { origin: 5, distance: 1, ..item.bearing };
        frontier_link(
            LinkPolicy { options, ordering: &*ordering },
            LinkSource { item, url: &at, bearing },
            t,
            step,
        )
    }

    #[test]
    fn links_descend_from_the_group_of_their_page_and_a_redirect_stands_for_what_led_to_it() {
        let options = CrawlOptions::default();
        let own = CrawlContext { width: 3, origin: 9, distance: 7 };
        let item = FrontierEntry { bearing: own, ..page(0) };
        let next = target("http://b.example/x", Intent::Page);
        let link = of(&options, &item, &next, LinkRelation::Link).unwrap();
        assert_eq!(link.bearing, CrawlContext { width: 3, origin: 5, distance: 1 });
        assert_eq!(of(&options, &item, &next, LinkRelation::Redirect).unwrap().bearing, own);
    }

    #[test]
    fn pages_end_at_the_depth_and_probes_one_link_later() {
        let options = CrawlOptions { depth: 1, ..CrawlOptions::default() };
        let next = target("http://b.example/x", Intent::Page);
        assert!(from(&options, 0, &next, LinkRelation::Link).is_some());
        assert!(from(&options, 1, &next, LinkRelation::Link).is_none());
        assert!(from(&options, 1, &wms("http://b.example/wms"), LinkRelation::Link).is_some());
        assert!(from(&options, 2, &wms("http://b.example/wms"), LinkRelation::Link).is_none());
    }

    #[test]
    fn host_scope_forgives_www_and_keeps_others_out() {
        let options = CrawlOptions { scope: CrawlScope::Host, ..CrawlOptions::default() };
        assert!(
            from(&options, 0, &target("https://a.example/p", Intent::Page), LinkRelation::Link).is_some()
        );
        assert!(
            from(&options, 0, &target("http://b.a.example/p", Intent::Page), LinkRelation::Link).is_none()
        );
        assert!(from(&options, 0, &wms("http://c.example/wms"), LinkRelation::Link).is_none());
        let outside = CrawlOptions { prove_outside: true, ..options };
        assert!(from(&outside, 0, &wms("http://c.example/wms"), LinkRelation::Link).is_some());
        assert!(from(&outside, 0, &target("http://c.example/", Intent::Page), LinkRelation::Link).is_none());
    }

    #[test]
    fn a_seed_that_moved_takes_the_scope_along() {
        let options = CrawlOptions { scope: CrawlScope::Host, ..CrawlOptions::default() };
        let moved = target("https://new.example/", Intent::Page);
        assert!(from(&options, 0, &moved, LinkRelation::Redirect).is_some());
        assert!(from(&options, 1, &moved, LinkRelation::Redirect).is_none());
    }

    #[test]
    fn a_chain_of_redirects_ends() {
        let options = CrawlOptions::default();
        let mut item = page(0);
        item.hops = MOST_HOPS;
        assert!(
            of(&options, &item, &target("http://b.example/", Intent::Page), LinkRelation::Redirect).is_none()
        );
    }

    #[test]
    fn the_same_endpoint_with_and_without_siblings_is_one_request() {
        let options = CrawlOptions::default();
        let plus = target("http://b.example/ows", Intent::Ows { kind: "wms".into(), siblings: true });
        let plain = wms("http://b.example/ows");
        assert_eq!(
            from(&options, 0, &plus, LinkRelation::Link).unwrap().key,
            from(&options, 0, &plain, LinkRelation::Link).unwrap().key
        );
    }
}
