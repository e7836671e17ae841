//! Replays a ranking over a graph with one queue per host and always the best head first, like the
//! crawler.

use super::graph::{PageLink, WebGraph};
use geotrawl_rank::{FrontierRanking, LinkToRank, LinkingPage, PageContext, PageFeedback};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Number of pages of a host after which its pending pages are ranked again, and how many of them.
const AGAIN_AFTER: u32 = 24;
const AGAIN: usize = 300;

/// Outcome of a replay.
#[derive(Default)]
pub struct ReplayOutcome {
    /// Services found after each page.
    pub found: Vec<u32>,
    /// Whether each page was on a geospatial host.
    pub geospatial: Vec<bool>,
    pub services: usize,
    /// Number of links ranked, and of feedback events.
    pub weighed: u64,
}

impl ReplayOutcome {
    /// Returns the area under the curve of shares.
    pub fn mean_share(&self) -> f64 {
        let sum: f64 = self.found.iter().map(|&found| f64::from(found)).sum();
        sum / (self.found.len().max(1) as f64 * self.services.max(1) as f64)
    }

    /// Returns the share of pages after which this share of the services was found.
    pub fn pages_for(&self, share: f64) -> f64 {
        let wanted = (self.services as f64 * share).ceil() as u32;
        let at = self.found.iter().position(|&found| found >= wanted).map_or(self.found.len(), |at| at + 1);
        at as f64 / self.found.len().max(1) as f64
    }

    /// Returns the share of the services found after this share of the pages.
    pub fn share_found_at(&self, share: f64) -> f64 {
        let at = ((self.found.len() as f64 * share) as usize).clamp(1, self.found.len().max(1)) - 1;
        f64::from(self.found.get(at).copied().unwrap_or(0)) / self.services.max(1) as f64
    }

    /// Returns the share of pages on geospatial hosts among the first pages.
    pub fn geospatial_until(&self, share: f64) -> f64 {
        let first = (self.geospatial.len() as f64 * share) as usize;
        let geo = self.geospatial.iter().take(first).filter(|geo| **geo).count();
        geo as f64 / first.max(1) as f64
    }
}

#[derive(Clone, Copy)]
struct PendingPage<'g> {
    node: u32,
    words: &'g str,
    way: &'g str,
    depth: u32,
    origin: PageContext,
    distance: u32,
}

#[derive(Default)]
struct HostQueue {
    /// Rank, order of discovery, page.
    pending: BTreeSet<(u32, u32, u32)>,
    taken: u32,
    stale: bool,
    met: bool,
    /// Rank in the heap.
    listed: Option<u32>,
}

struct ReplayRun<'g, 'o> {
    graph: &'g WebGraph,
    ordering: &'o dyn FrontierRanking,
    pending: Vec<Option<PendingPage<'g>>>,
    hosts: Vec<HostQueue>,
    heads: BinaryHeap<Reverse<(u32, u32, u32)>>,
    order: u32,
    known: Vec<bool>,
    replay: ReplayOutcome,
    found: u32,
}

/// Reads at most `most` pages in the order of `ordering`.
pub fn replay_ranking(graph: &WebGraph, ordering: &dyn FrontierRanking, most: usize) -> ReplayOutcome {
    let mut run = ReplayRun {
        graph,
        ordering,
        pending: vec![None; graph.nodes.len()],
        hosts: graph.hosts.iter().map(|_| HostQueue::default()).collect(),
        heads: BinaryHeap::new(),
        order: 0,
        known: Vec::new(),
        replay: ReplayOutcome { services: graph.services, ..ReplayOutcome::default() },
        found: 0,
    };
    for &seed in &graph.seeds {
        let seed = PendingPage {
            node: seed,
            words: "",
            way: "seed",
            depth: 0,
            origin: PageContext::default(),
            distance: 0,
        };
        run.add(seed);
    }
    while run.replay.found.len() < most
        && let Some(node) = run.next()
    {
        run.visit(node);
    }
    run.replay
}

impl<'g> ReplayRun<'g, '_> {
    fn weigh(&mut self, link: &PendingPage<'g>) -> u32 {
        self.replay.weighed += 1;
        let graph = self.graph;
        self.ordering.rank_link(&as_link(graph, link))
    }

    fn add(&mut self, link: PendingPage<'g>) {
        let slot = &mut self.pending[link.node as usize];
        if slot.is_some() {
            return;
        }
        *slot = Some(link);
        let place = self.weigh(&link);
        self.order += 1;
        let host = self.graph.nodes[link.node as usize].host;
        self.hosts[host as usize].pending.insert((place, self.order, link.node));
        self.list(host);
    }

    /// Adds the head of a host's queue to the heap, if it is better than its entry there.
    fn list(&mut self, host: u32) {
        let queue = &mut self.hosts[host as usize];
        let Some(&(place, order, _)) = queue.pending.first() else { return };
        if queue.listed.is_none_or(|listed| place < listed) {
            queue.listed = Some(place);
            self.heads.push(Reverse((place, order, host)));
        }
    }

    fn next(&mut self) -> Option<u32> {
        loop {
            let Reverse((place, _, host)) = self.heads.pop()?;
            if self.hosts[host as usize].listed != Some(place) {
                continue;
            }
            self.hosts[host as usize].listed = None;
            let learns = self.ordering.is_learning();
            let queue = &mut self.hosts[host as usize];
            if learns && (queue.stale || queue.taken >= AGAIN_AFTER) {
                self.again(host);
            }
            let Some(&head) = self.hosts[host as usize].pending.first() else { continue };
            let now = match self.pending[head.2 as usize] {
                Some(link) if learns => self.weigh(&link),
                _ => head.0,
            };
            let queue = &mut self.hosts[host as usize];
            if now > head.0 {
                // Its rank has dropped; another page may be better by now.
                queue.pending.remove(&head);
                queue.pending.insert((now, head.1, head.2));
                self.list(host);
                continue;
            }
            queue.pending.remove(&head);
            queue.taken += 1;
            self.list(host);
            return Some(head.2);
        }
    }

    /// Ranks the best pending pages of a host again.
    fn again(&mut self, host: u32) {
        let queue = &mut self.hosts[host as usize];
        (queue.taken, queue.stale) = (0, false);
        let first: Vec<_> = queue.pending.iter().take(AGAIN).copied().collect();
        for old in first {
            let Some(link) = self.pending[old.2 as usize] else { continue };
            let place = self.weigh(&link);
            if place != old.0 {
                let queue = &mut self.hosts[host as usize];
                queue.pending.remove(&old);
                queue.pending.insert((place, old.1, old.2));
            }
        }
    }

    fn prove(&mut self, resources: &[u32]) -> u32 {
        let mut gained = 0;
        for &resource in resources {
            let resource = resource as usize;
            if self.known.len() <= resource {
                self.known.resize(resource + 1, false);
            }
            if !std::mem::replace(&mut self.known[resource], true) {
                gained += 1;
                self.ordering.record_service(&self.graph.addresses[resource]);
            }
        }
        self.found += gained;
        gained
    }

    fn visit(&mut self, number: u32) {
        let graph = self.graph;
        let node = &graph.nodes[number as usize];
        let host = &graph.hosts[node.host as usize];
        let Some(link) = self.pending[number as usize] else { return };
        let gained = self.prove(&node.proves);
        let distance = if node.shows > 0 || gained > 0 { 0 } else { link.distance };
        let page = LinkingPage {
            url: &node.url,
            title: &node.title,
            language: node.language.as_deref(),
            terms: &node.terms,
            words: node.words,
            shows: node.shows,
            depth: link.depth,
            distance,
        };
        self.ordering.learn_from(&PageFeedback { link: as_link(graph, &link), page: Some(page), gained });
        if gained > 0 {
            self.hosts[node.host as usize].stale = true;
        }
        let origin = self.ordering.page_context(&page);
        for edge in &node.links {
            self.follow(edge, &link, origin, distance + 1);
        }
        if !std::mem::replace(&mut self.hosts[node.host as usize].met, true) {
            self.prove(&host.proves);
            for edge in &host.links {
                self.follow(edge, &link, PageContext::default(), link.distance + 1);
            }
        }
        self.replay.found.push(self.found);
        self.replay.geospatial.push(host.geospatial);
    }

    fn follow(&mut self, edge: &'g PageLink, from: &PendingPage<'g>, origin: PageContext, distance: u32) {
        let depth = from.depth + u32::from(!edge.aside);
        let (node, words, way) = (edge.to, &*edge.words, &*edge.way);
        self.add(PendingPage { node, words, way, depth, origin, distance });
    }
}

fn as_link<'g>(graph: &'g WebGraph, link: &PendingPage<'g>) -> LinkToRank<'g> {
    let url = graph.nodes[link.node as usize].url.as_str();
    LinkToRank { url, words: link.words, way: link.way, depth: link.depth, width: 1, origin: link.origin }
}
