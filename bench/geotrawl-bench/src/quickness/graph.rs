//! A simulated web as seen by the crawler: every page processed by the real extraction, every probe
//! performed.

use geotrawl_js::AnalysisLimits;
use geotrawl_kinds::extract::app::{AppDraft, AppLoader, targets_of_document, targets_of_sightings};
use geotrawl_kinds::extract::{SCRIPT_TEXT, TextKind, decode_text};
use geotrawl_kinds::probe::{
    ByteRange, CrawlTarget, Finding, Probe, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody,
    ResponseHead,
};
use geotrawl_kinds::urls;
use geotrawl_model::Intent;
use geotrawl_simweb::{FilePart, GroundTruth, InMemoryReply, SimWeb};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use url::{Position, Url};

/// Maximum number of pages of a trap: the crawler detects it after about as many.
const TRAP_PAGES: usize = 60;
/// Maximum number of redirects, rejections and the like per probe.
const MOST_STEPS: usize = 12;

/// A link to a page.
pub struct PageLink {
    pub to: u32,
    pub words: Box<str>,
    pub way: Box<str>,
    /// Whether it is a redirect, which does not count as a level.
    pub aside: bool,
}

/// A page.
#[derive(Default)]
pub struct PageNode {
    pub url: String,
    pub host: u32,
    pub title: String,
    pub language: Option<String>,
    pub terms: Vec<(u16, u16)>,
    pub words: u32,
    pub shows: u32,
    pub links: Vec<PageLink>,
    /// Numbers of the services and files that are found when this page is read.
    pub proves: Vec<u32>,
}

/// A host and the links of its sitemap, which are added when the host is first seen.
#[derive(Default)]
pub struct HostNode {
    /// Whether it has services or files, or is a portal of such.
    pub geospatial: bool,
    pub links: Vec<PageLink>,
    pub proves: Vec<u32>,
}

/// Everything reachable.
pub struct WebGraph {
    pub nodes: Vec<PageNode>,
    pub hosts: Vec<HostNode>,
    pub seeds: Vec<u32>,
    /// Number of services and files that are found when everything is read.
    pub services: usize,
    /// Addresses by number, including those that cannot be found.
    pub addresses: Vec<String>,
}

/// Builds the graph of a web from its seeds.
pub fn read_web(web: &SimWeb) -> WebGraph {
    let mut reader = GraphReader::new(web);
    for seed in web.seeds() {
        if let Some(node) = Url::parse(&seed).ok().and_then(|url| reader.node(&urls::canonical_url(&url))) {
            reader.graph.seeds.push(node);
        }
    }
    while let Some(node) = reader.unread.pop_front() {
        reader.read_page(node);
    }
    let found = reader.graph.nodes.iter().flat_map(|node| &node.proves);
    let found = found.chain(reader.graph.hosts.iter().flat_map(|host| &host.proves));
    reader.graph.services = found.collect::<HashSet<_>>().len();
    reader.graph
}

/// Outcome of a probe: resources, and further targets.
type ProbeOutcome = (Vec<u32>, Vec<CrawlTarget>);

struct GraphReader<'w> {
    web: &'w SimWeb,
    graph: WebGraph,
    numbers: HashMap<String, u32>,
    hosts: HashMap<String, u32>,
    unread: VecDeque<u32>,
    /// By kind and address.
    resources: HashMap<(String, String), u32>,
    /// By request.
    proven: HashMap<String, Arc<ProbeOutcome>>,
    traps: HashMap<(String, String), usize>,
}

impl<'w> GraphReader<'w> {
    fn new(web: &'w SimWeb) -> Self {
        let truth = web.truth();
        let mut resources = HashMap::new();
        for (number, resource) in truth.resources.iter().enumerate() {
            for url in std::iter::once(&resource.url).chain(&resource.aliases) {
                let url =
                    Url::parse(url).map_or_else(|_| url.clone(), |url| urls::canonical_url(&url).into());
                resources.insert((resource.kind.clone(), url), number as u32);
            }
        }
        let addresses = truth.resources.iter().map(|resource| resource.url.clone()).collect();
        let graph =
            WebGraph { nodes: Vec::new(), hosts: Vec::new(), seeds: Vec::new(), services: 0, addresses };
        Self {
            web,
            graph,
            numbers: HashMap::new(),
            hosts: HashMap::new(),
            unread: VecDeque::new(),
            resources,
            proven: HashMap::new(),
            traps: HashMap::new(),
        }
    }

    fn truth(&self) -> &'w GroundTruth {
        self.web.truth()
    }

    /// Returns the page at an address; `None` if the crawler would not fetch it.
    fn node(&mut self, url: &Url) -> Option<u32> {
        if let Some(&known) = self.numbers.get(url.as_str()) {
            return Some(known);
        }
        let host = url.host_str()?.to_owned();
        let target = &url[Position::BeforePath..];
        if url.scheme() != "http" || !self.truth().robots.get(&host)?.allows(target) {
            return None;
        }
        if urls::trap_shape(url).is_some() || self.truth().hostile.iter().any(|case| case.url.contains(&host))
        {
            return None;
        }
        let trap =
            self.truth().traps.iter().find(|trap| trap.host == host && target.starts_with(&trap.prefix));
        if let Some(trap) = trap {
            let read = self.traps.entry((host.clone(), trap.prefix.clone())).or_default();
            if *read >= TRAP_PAGES {
                return None;
            }
            *read += 1;
        }
        let host = self.host(&host);
        let number = self.graph.nodes.len() as u32;
        self.graph.nodes.push(PageNode { url: url.to_string(), host, ..PageNode::default() });
        self.numbers.insert(url.to_string(), number);
        self.unread.push_back(number);
        Some(number)
    }

    /// Returns the host with this name; reads its sitemaps on first use.
    fn host(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.hosts.get(name) {
            return known;
        }
        let number = self.graph.hosts.len() as u32;
        self.hosts.insert(name.to_owned(), number);
        let bare = name.strip_prefix("www.").unwrap_or(name);
        let geospatial =
            self.truth().resources.iter().any(|resource| resource.host == name || resource.host == bare)
                || self.truth().seeds.iter().any(|seed| seed.contains(name));
        self.graph.hosts.push(HostNode { geospatial, ..HostNode::default() });
        let mut wanted: Vec<Url> = Vec::new();
        let robots = self.web.get(name, "/robots.txt", None).filter(|robots| robots.status == 200);
        if let Some(robots) = robots {
            let text = String::from_utf8_lossy(&robots.body).into_owned();
            let named = text.lines().filter_map(|line| line.trim().split_once(':'));
            let named = named.filter(|(key, _)| key.trim().eq_ignore_ascii_case("sitemap"));
            wanted.extend(named.filter_map(|(_, value)| Url::parse(value.trim()).ok()));
        }
        if wanted.is_empty() {
            wanted.extend(Url::parse(&format!("http://{name}/sitemap.xml")).ok());
        }
        let (mut links, mut proves) = (Vec::new(), Vec::new());
        let mut seen = 0;
        while let Some(url) = wanted.pop() {
            seen += 1;
            if seen > 20 || !self.allowed(&url) {
                continue;
            }
            let (finding, _) = self.dialogue(Intent::Sitemap, &url);
            let (sitemaps, others): (Vec<CrawlTarget>, Vec<CrawlTarget>) =
                finding.targets.into_iter().partition(|target| target.intent == Intent::Sitemap);
            wanted.extend(sitemaps.into_iter().map(|target| target.url));
            self.take(others, &mut links, &mut proves, false);
        }
        let host = &mut self.graph.hosts[number as usize];
        (host.links, host.proves) = (links, proves);
        number
    }

    fn allowed(&self, url: &Url) -> bool {
        let robots = url.host_str().and_then(|host| self.truth().robots.get(host));
        url.scheme() == "http" && robots.is_some_and(|robots| robots.allows(&url[Position::BeforePath..]))
    }

    fn read_page(&mut self, number: u32) {
        let Ok(url) = Url::parse(&self.graph.nodes[number as usize].url) else { return };
        let (mut links, mut proves) = (Vec::new(), Vec::new());
        let (finding, moved) = self.dialogue(Intent::Page, &url);
        if let Some(location) = moved {
            let mut targets = Vec::new();
            urls::append_targets(location, "redirect".into(), "", &mut targets);
            self.take(targets, &mut links, &mut proves, true);
        }
        let shows = finding.targets.iter().filter(|target| target.intent.is_probe()).count() as u32;
        proves.extend(self.known(&finding));
        self.take(finding.targets, &mut links, &mut proves, false);
        proves.sort_unstable();
        proves.dedup();
        let node = &mut self.graph.nodes[number as usize];
        (node.links, node.proves, node.shows) = (links, proves, shows);
        if let Some(page) = finding.page {
            node.title = page.title.unwrap_or_default();
            node.language = page.language;
            node.words = page.words;
            node.terms = page.terms;
        }
    }

    /// Sorts targets into links to pages and what is found by probing the others.
    fn take(
        &mut self,
        targets: Vec<CrawlTarget>,
        links: &mut Vec<PageLink>,
        proves: &mut Vec<u32>,
        aside: bool,
    ) {
        let mut open: VecDeque<CrawlTarget> = targets.into();
        let mut asked = HashSet::new();
        while let Some(target) = open.pop_front() {
            match &target.intent {
                Intent::Page => {
                    if let Some(to) = self.node(&target.url) {
                        let (words, way) = (target.words.into(), target.way.as_ref().into());
                        links.push(PageLink { to, words, way, aside });
                    }
                }
                Intent::Sitemap => {}
                intent => {
                    let key = format!("{} {}", intent.request_key(), target.url);
                    if asked.insert(key.clone()) {
                        let gave = self.prove(key, &target);
                        proves.extend(&gave.0);
                        open.extend(gave.1.iter().cloned());
                    }
                }
            }
        }
    }

    fn prove(&mut self, key: String, target: &CrawlTarget) -> Arc<ProbeOutcome> {
        if let Some(known) = self.proven.get(&key) {
            return Arc::clone(known);
        }
        let mut url = target.url.clone();
        let mut gave = (Vec::new(), Vec::new());
        for _ in 0..MOST_STEPS {
            let (finding, moved) = self.dialogue(target.intent.clone(), &url);
            gave = (self.known(&finding), finding.targets);
            match moved {
                Some(location) if matches!(target.intent, Intent::Ows { .. }) => {
                    url = urls::endpoint_url(&location);
                }
                Some(location) => url = urls::canonical_url(&location),
                None => break,
            }
        }
        let gave = Arc::new(gave);
        self.proven.insert(key, Arc::clone(&gave));
        gave
    }

    /// Returns the numbers of the resources of a finding that exist in the ground truth.
    fn known(&self, finding: &Finding) -> Vec<u32> {
        let number = |kind: &str, url: &str| self.resources.get(&(kind.to_owned(), url.to_owned())).copied();
        let found = finding.resources.iter().filter(|_| !finding.saved);
        found.filter_map(|found| number(&found.resource.kind, &found.resource.url)).collect()
    }

    /// Processes an item from request to finding; returns the target of a redirect, if any.
    fn dialogue(&self, intent: Intent, url: &Url) -> (Finding, Option<Url>) {
        let (mut probe, mut ask) = Probe::start(intent, url.clone());
        for _ in 0..MOST_STEPS {
            let Some(plain) = self.fetch(&ask) else { return (Finding::default(), None) };
            if let Some(location) = plain.location.as_ref().and_then(|location| ask.url.join(location).ok()) {
                return (Finding::default(), Some(location));
            }
            let truncated = plain.from.is_none() && (plain.body.len() as u64) < plain.total;
            let head = head_of(&ask, &plain);
            match probe.handle_response(ProbeResponse {
                head: &head,
                body: ResponseBody::Whole(&plain.body),
                truncated,
            }) {
                ProbeStep::Ask(next) => ask = *next,
                ProbeStep::Done(mut finding) => {
                    if plain.status >= 400 && finding.resources.is_empty() {
                        finding.targets.retain(|target| target.intent.is_probe());
                    }
                    if let Some(draft) = finding.app.take() {
                        self.study(*draft, &mut finding);
                    }
                    return (*finding, None);
                }
            }
        }
        (Finding::default(), None)
    }

    fn fetch(&self, ask: &ProbeRequest) -> Option<InMemoryReply> {
        if !self.allowed(&ask.url) || ask.post.is_some() {
            return None;
        }
        let part = ask.range.map(|range| match range {
            ByteRange::Span { from, to } => FilePart::Span(from, to),
            ByteRange::Suffix(count) => FilePart::Last(count),
        });
        self.web.get(ask.url.host_str()?, &ask.url[Position::BeforePath..Position::AfterQuery], part)
    }

    /// Analyzes the scripts of a map application like the crawler.
    fn study(&self, draft: AppDraft, finding: &mut Finding) {
        let mut gathering = AppLoader::new(draft);
        loop {
            for piece in gathering.take_pending() {
                let ask = ProbeRequest::get(piece.url.clone(), "*/*", u64::MAX);
                match self.fetch(&ask).filter(|plain| plain.status == 200) {
                    Some(plain) => {
                        let head = head_of(&ask, &plain);
                        let (text, _) = decode_text(&head, &plain.body, TextKind::Plain);
                        gathering.add_fetched(&piece, &Arc::from(&*text));
                    }
                    None => gathering.note_missing(&piece, "not available"),
                }
            }
            let study =
                geotrawl_js::analyze_app(gathering.app(), gathering.levels(), &AnalysisLimits::default());
            if !gathering.apply_study(study) {
                break;
            }
        }
        finding.targets.retain(|target| target.way != SCRIPT_TEXT);
        finding.targets.extend(targets_of_sightings(gathering.app(), gathering.sightings()));
        finding.targets.extend(gathering.app().documents.iter().flat_map(targets_of_document));
    }
}

fn head_of(ask: &ProbeRequest, plain: &InMemoryReply) -> ResponseHead {
    ResponseHead {
        url: Some(ask.url.clone()),
        status: plain.status,
        content_type: (!plain.content_type.is_empty()).then(|| plain.content_type.clone()),
        total_length: Some(plain.total),
        served_from: plain.from,
        links: plain.links.clone(),
        ..ResponseHead::default()
    }
}
