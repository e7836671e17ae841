//! The queue of a run: pages before embedded files, each address once.

use geotrawl_kinds::urls;
use geotrawl_model::archived_page::ItemRole;
use geotrawl_model::collection::CollectionSpec;
use std::collections::{HashSet, VecDeque};
use url::Url;

/// An address to visit.
#[derive(Debug, Clone)]
pub(super) struct PendingVisit {
    pub url: Url,
    pub role: ItemRole,
    /// Levels of links to follow from it.
    pub levels: u32,
}

/// The addresses that a run still has to visit.
#[derive(Default)]
pub(super) struct VisitQueue {
    pages: VecDeque<PendingVisit>,
    requisites: VecDeque<PendingVisit>,
    seen: HashSet<String>,
    pages_left: u64,
    requisites_left: u64,
}

impl VisitQueue {
    /// Creates a queue with the limits of a collection.
    pub fn from_spec(spec: &CollectionSpec) -> Self {
        Self {
            pages_left: spec.max_pages.into(),
            requisites_left: spec.max_requisites.into(),
            ..Self::default()
        }
    }

    /// Adds an address unless it was added before or the limit is reached.
    pub fn add(&mut self, mut url: Url, role: ItemRole, levels: u32) {
        url.set_fragment(None);
        let left = match role {
            ItemRole::Requisite => &mut self.requisites_left,
            _ => &mut self.pages_left,
        };
        if *left == 0 || url.as_str().len() > 4_000 || !self.seen.insert(url.to_string()) {
            return;
        }
        *left -= 1;
        let errand = PendingVisit { url, role, levels };
        match role {
            ItemRole::Requisite => self.requisites.push_back(errand),
            _ => self.pages.push_back(errand),
        }
    }

    /// Marks an address as visited.
    pub fn skip_url(&mut self, url: &str) {
        self.seen.insert(url.to_owned());
    }

    /// Returns the next page, or the next embedded file if no page is left.
    pub fn next_visit(&mut self) -> Option<PendingVisit> {
        self.pages.pop_front().or_else(|| self.requisites.pop_front())
    }

    /// Adds the links and embedded files of a page.
    pub fn add_links_of(
        &mut self,
        spec: &CollectionSpec,
        page: &Url,
        levels: u32,
        links: Vec<Url>,
        requisites: Vec<Url>,
    ) {
        for url in requisites {
            self.add(url, ItemRole::Requisite, 0);
        }
        if levels == 0 {
            return;
        }
        for url in links {
            if in_scope(&spec.scope, page, &url) {
                self.add(url, ItemRole::Page, levels - 1);
            }
        }
    }
}

fn in_scope(scope: &str, page: &Url, url: &Url) -> bool {
    match scope {
        "any" => true,
        "host" => page.host_str() == url.host_str(),
        _ => urls::registrable_domain(page) == urls::registrable_domain(url),
    }
}
