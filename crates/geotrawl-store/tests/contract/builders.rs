//! Short ways to say what the tests are about.

use geotrawl_kinds::model::{Bbox, Dataset, Resource, Status};
use geotrawl_store::record::Record;
use geotrawl_store::{
    Batch, Committed, Done, Evidence, FoundResource, HostId, Item, NewLink, PageOutcome, RecordFilter, RunId,
    Store, TaskSpec,
};
use jiff::Timestamp;
use url::Url;

/// A moment, in seconds from a fixed one.
pub fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).expect("a time within the calendar")
}

/// A task with this name.
pub fn spec(name: &str) -> TaskSpec {
    TaskSpec { name: name.into(), seeds: vec![], options: serde_json::json!({ "depth": 2 }) }
}

/// A link to a page, of middle priority.
pub fn link(url: &str) -> NewLink {
    let host = Url::parse(url).expect("a URL in a test").origin().ascii_serialization();
    NewLink {
        key: format!("page {url}"),
        url: url.into(),
        host,
        intent: "page".into(),
        priority: 100,
        depth: 0,
        parent: None,
        way: "href".into(),
        words: String::new(),
        ..NewLink::default()
    }
}

/// A link with this priority.
pub fn link_at(url: &str, priority: u32) -> NewLink {
    NewLink { priority, ..link(url) }
}

/// A plain success.
pub fn ok() -> PageOutcome {
    PageOutcome { class: "ok".into(), status: Some(200), requests: 1, bytes: 1000, ..PageOutcome::default() }
}

/// An item that gave nothing but its outcome.
pub fn done(item: Item, outcome: PageOutcome) -> Done {
    Done { item, outcome, links: vec![], found: vec![], harvest: None }
}

/// A layer.
pub fn dataset(name: &str) -> Dataset {
    let bbox = Some(Bbox { west: -10.0, south: 35.5, east: 4.25, north: 44.0 });
    Dataset { name: name.into(), title: Some(format!("Layer {name}")), bbox, ..Dataset::default() }
}

/// A service with these layers.
pub fn service(kind: &str, url: &str, layers: &[&str]) -> FoundResource {
    FoundResource {
        resource: Resource {
            kind: kind.into(),
            url: url.into(),
            title: Some(format!("Service of {}", layers.len())),
            datasets: layers.iter().map(|name| dataset(name)).collect(),
            dataset_count: layers.len() as u64,
            ..Resource::default()
        },
        status: Status::Alive,
        reason: String::new(),
        evidence: Evidence {
            request: format!("{url}?SERVICE={kind}&REQUEST=GetCapabilities"),
            at: at(0),
            status: 200,
            bytes: 5000,
            hash: "00".into(),
            rule: "root element".into(),
            ..Evidence::default()
        },
        ip: Some("192.0.2.1".into()),
        themes: vec![],
    }
}

/// A run of a store, with the moves of a small crawler.
pub struct Crawl<'s> {
    pub store: &'s dyn Store,
    pub run: RunId,
    pub second: i64,
}

impl<'s> Crawl<'s> {
    /// Opens a task.
    pub fn of(store: &'s dyn Store, task: &str) -> Self {
        let run = store.open_task(&spec(task), at(0)).expect("the task opens").run;
        Self { store, run, second: 0 }
    }

    /// Adds links and says how many were new.
    pub fn add(&self, links: &[NewLink]) -> u64 {
        self.store.add_links(self.run, links).expect("links are added").new
    }

    /// Pending items of the host of this URL.
    pub fn pending_beside(&self, url: &str) -> Vec<Item> {
        match self.host_of(url) {
            Some(host) => self.store.pending(self.run, host, 1000, &|_| false).expect("pending items"),
            None => vec![],
        }
    }

    /// Id of the host of this URL, if it has work.
    pub fn host_of(&self, url: &str) -> Option<HostId> {
        let name = link(url).host;
        let hosts = self.store.hosts_with_work(self.run, 1000, &|_| false).expect("hosts with work");
        hosts.into_iter().find(|host| host.name == name).map(|host| host.host)
    }

    /// The pending item with this URL.
    pub fn item(&self, url: &str) -> Item {
        self.pending_beside(url).into_iter().find(|item| item.url == url).expect("the item is pending")
    }

    /// Commits finished items.
    pub fn commit(&mut self, done: Vec<Done>) -> Committed {
        self.second += 1;
        let batch = Batch { run: self.run, done, robots: vec![], now: at(self.second) };
        self.store.commit(&batch).expect("the batch is committed")
    }

    /// Adds a link, and commits it as the item that proved this.
    pub fn prove(&mut self, url: &str, found: FoundResource) -> Committed {
        let found = vec![found];
        self.prove_all(url, found)
    }

    /// Adds a link, and commits it as the item that proved all this.
    pub fn prove_all(&mut self, url: &str, found: Vec<FoundResource>) -> Committed {
        let mut probe = link(url);
        probe.intent = "ows:wms".into();
        probe.key = format!("ows:wms {url} {}", self.second);
        self.add(&[probe]);
        let item =
            self.pending_beside(url).into_iter().rfind(|item| item.url == url).expect("the probe is pending");
        self.commit(vec![Done { item, outcome: ok(), links: vec![], found, harvest: None }])
    }

    /// Adds a link, and commits it as a redirect to another URL, which is added as a link too.
    pub fn redirect(&mut self, from: &str, to: &str) {
        self.add(&[link(from)]);
        let item = self.item(from);
        let outcome =
            PageOutcome { class: "redirect".into(), redirect_to: Some(to.into()), status: Some(301), ..ok() };
        let next = NewLink { parent: Some(item.id), hops: item.hops + 1, way: "redirect".into(), ..link(to) };
        self.commit(vec![Done { item, outcome, links: vec![next], found: vec![], harvest: None }]);
    }
}

/// All records.
pub fn records(store: &dyn Store) -> Vec<Record> {
    filtered(store, &RecordFilter::default())
}

/// Records of a filter.
pub fn filtered(store: &dyn Store, filter: &RecordFilter) -> Vec<Record> {
    let mut all = Vec::new();
    store
        .records(filter, &mut |record| {
            all.push(record);
            true
        })
        .expect("records are read");
    all
}
