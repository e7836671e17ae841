use super::test_time;
use geotrawl_model::store::CrawlStore;
use geotrawl_model::{
    CommitSummary, CrawlBatch, FinishedItem, FoundResource, FrontierEntry, HostId, Intent, NewLink,
    PageOutcome, Record, RecordFilter, RunId, TaskSpec,
};
use jiff::Timestamp;
use url::Url;

/// Returns a task with this name.
pub fn task_spec(name: &str) -> TaskSpec {
    TaskSpec { name: name.into(), seeds: vec![], options: serde_json::json!({ "depth": 2 }) }
}

/// Returns a link to a page with medium priority.
pub fn new_link(url: &str) -> NewLink {
    let host = Url::parse(url).expect("a URL in a test").origin().ascii_serialization();
    NewLink {
        key: format!("page {url}"),
        url: url.into(),
        host,
        priority: 100,
        way: "href".into(),
        ..NewLink::default()
    }
}

/// Returns a link with this priority.
pub fn new_link_at(url: &str, priority: u32) -> NewLink {
    NewLink { priority, ..new_link(url) }
}

/// Returns the outcome of a successful request.
pub fn ok_outcome() -> PageOutcome {
    PageOutcome { class: "ok".into(), status: Some(200), requests: 1, bytes: 1000, ..PageOutcome::default() }
}

/// Returns an item with its outcome and no results.
pub fn finished_item(item: FrontierEntry, outcome: PageOutcome) -> FinishedItem {
    FinishedItem::new(item, outcome)
}

fn wms() -> Intent {
    Intent::Ows { kind: "wms".into(), siblings: false }
}

/// A run of a store with the steps of a small crawler. Its clock advances by a second per batch.
pub struct TestCrawl<'s> {
    pub store: &'s dyn CrawlStore,
    pub run: RunId,
    pub second: i64,
}

impl<'s> TestCrawl<'s> {
    /// Opens a task.
    pub fn open(store: &'s dyn CrawlStore, task: &str) -> Self {
        let run = store.open_task(&task_spec(task), test_time(0)).expect("the task opens").run;
        Self { store, run, second: 0 }
    }

    /// Adds links and returns how many were new.
    pub fn add_links(&self, links: &[NewLink]) -> u64 {
        self.store.add_links(self.run, links).expect("links are added").new
    }

    /// Returns the pending items of the host of this URL.
    pub fn pending_on_host(&self, url: &str) -> Vec<FrontierEntry> {
        match self.host_of(url) {
            Some(host) => {
                self.store.pending_entries(self.run, host, 1000, &|_| false).expect("pending items")
            }
            None => vec![],
        }
    }

    /// Returns the id of the host of this URL, if it has pending items.
    pub fn host_of(&self, url: &str) -> Option<HostId> {
        let name = new_link(url).host;
        let hosts = self.store.hosts_with_work(self.run, 1000, &|_| false).expect("hosts with work");
        hosts.into_iter().find(|host| host.name == name).map(|host| host.host)
    }

    /// Returns the pending item with this URL.
    pub fn pending_item(&self, url: &str) -> FrontierEntry {
        self.pending_on_host(url).into_iter().find(|item| item.url == url).expect("the item is pending")
    }

    /// Commits finished items.
    pub fn commit(&mut self, done: Vec<FinishedItem>) -> CommitSummary {
        self.second += 1;
        let batch = CrawlBatch { run: self.run, done, robots: vec![], now: test_time(self.second) };
        self.store.commit(&batch).expect("the batch is committed")
    }

    /// Adds a link, and commits it as the item that confirmed this resource.
    pub fn add_resource(&mut self, url: &str, found: impl Into<FoundResource>) -> CommitSummary {
        self.add_resources(url, vec![found.into()])
    }

    /// Adds a link, and commits it as the item that confirmed these resources.
    pub fn add_resources(&mut self, url: &str, found: Vec<FoundResource>) -> CommitSummary {
        let mut probe = new_link(url);
        probe.intent = wms();
        probe.key = format!("ows:wms {url} {}", self.second);
        self.add_links(&[probe]);
        let item = self
            .pending_on_host(url)
            .into_iter()
            .rfind(|item| item.url == url)
            .expect("the probe is pending");
        self.commit(vec![FinishedItem { found, ..finished_item(item, ok_outcome()) }])
    }

    /// Adds a link, and commits it as a redirect to another URL, which is added as a link as well.
    pub fn add_redirect(&mut self, from: &str, to: &str) {
        self.add_links(&[new_link(from)]);
        let item = self.pending_item(from);
        let outcome = PageOutcome {
            class: "redirect".into(),
            redirect_to: Some(to.into()),
            status: Some(301),
            ..ok_outcome()
        };
        let next =
            NewLink { parent: Some(item.id), hops: item.hops + 1, way: "redirect".into(), ..new_link(to) };
        self.commit(vec![FinishedItem { links: vec![next], ..finished_item(item, outcome) }]);
    }
}

/// Adds found services to the catalogue in one batch of a task. Returns the ids of their records.
pub fn add_records(
    store: &dyn CrawlStore,
    task: &str,
    found: impl IntoIterator<Item = FoundResource>,
    now: Timestamp,
) -> Vec<String> {
    let mut found: Vec<FoundResource> = found.into_iter().collect();
    let urls: Vec<String> = found.iter().map(|found| found.resource.url.clone()).collect();
    let run = store.open_task(&task_spec(task), now).expect("the task opens").run;
    let probe = |url: &String| NewLink {
        key: format!("ows:wms {url} {now}"),
        host: "http://all.example".into(),
        intent: wms(),
        ..new_link(url)
    };
    let probes: Vec<NewLink> = urls.iter().map(probe).collect();
    let host = store.add_links(run, &probes).expect("links are added").hosts[0];
    let items = store.pending_entries(run, host, probes.len(), &|_| false).expect("pending items");
    let proven = items.into_iter().map(|item| {
        let position = found.iter().position(|found| found.resource.url == item.url).expect("its service");
        FinishedItem { found: vec![found.swap_remove(position)], ..finished_item(item, ok_outcome()) }
    });
    let batch = CrawlBatch { run, done: proven.collect(), robots: vec![], now };
    store.commit(&batch).expect("the batch is committed");
    let id = |url: &String| {
        let explained = store.explain(url).expect("the record is explained");
        explained.resources.into_iter().next().expect("its record").record.id
    };
    urls.iter().map(id).collect()
}

/// Returns all records.
pub fn all_records(store: &dyn CrawlStore) -> Vec<Record> {
    matching_records(store, &RecordFilter::default())
}

/// Returns the records that match a filter.
pub fn matching_records(store: &dyn CrawlStore, filter: &RecordFilter) -> Vec<Record> {
    let mut all = Vec::new();
    store
        .visit_records(filter, &mut |record| {
            all.push(record);
            true
        })
        .expect("records are read");
    all
}
