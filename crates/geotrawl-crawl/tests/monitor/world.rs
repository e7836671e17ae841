//! A catalogue, a site and a clock that tests drive: days pass as fast as the checks are made.

use geotrawl_crawl::alerts::Deliverer;
use geotrawl_crawl::body::Lanes;
use geotrawl_crawl::check::Examiner;
use geotrawl_crawl::fetch::dns::{Answer, Lookup, Resolve};
use geotrawl_crawl::fetch::{Client, FetchConfig};
use geotrawl_crawl::monitor::{Clock, Counts, Monitor, Settings};
use geotrawl_kinds::model::{Resource, Status};
use geotrawl_store::changes::Changes;
use geotrawl_store::monitoring::{Monitoring, Notice, NoticeFilter, NoticeKind};
use geotrawl_store::record::Record;
use geotrawl_store::{
    Batch, Done, EmbeddedStore, Evidence, FoundResource, NewLink, PageOutcome, Store, TaskSpec,
};
use geotrawl_trust::check::Options;
use jiff::{SignedDuration, Timestamp};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// When every test begins: a Monday.
const START: i64 = 1_794_787_200;

/// A resolver that knows no name: what is not pinned does not exist.
struct Nowhere;

impl Resolve for Nowhere {
    fn lookup<'a>(&'a self, _: &'a str) -> Lookup<'a> {
        Box::pin(async { Ok(Answer { addresses: Vec::new(), ttl: Duration::from_secs(1) }) })
    }
}

pub struct World {
    _place: tempfile::TempDir,
    pub store: Arc<EmbeddedStore>,
    pub client: Client,
    pub examiner: Examiner,
    seconds: Arc<AtomicI64>,
    monitor: Monitor,
    finds: AtomicI64,
}

/// The client without pauses: names are found as pinned, or not at all.
pub fn client(pins: &[String]) -> Client {
    let resolve = pins.iter().map(|pin| pin.parse().unwrap()).collect();
    let mut config = FetchConfig { resolve, retries: 0, ..FetchConfig::default() };
    config.set_delay(Duration::ZERO);
    config.politeness.backoff = Duration::ZERO;
    config.politeness.per_ip = 64;
    config.timeouts.first_byte = Duration::from_secs(4);
    config.timeouts.total = Duration::from_secs(6);
    Client::builder(config).resolver(Arc::new(Nowhere)).build().unwrap()
}

impl World {
    /// Everything is served at this address.
    pub fn new(at: SocketAddr) -> Self {
        Self::with(&[format!("*.test={at}")])
    }

    /// Names are found as pinned.
    pub fn with(pins: &[String]) -> Self {
        let place = tempfile::tempdir().unwrap();
        let store = Arc::new(EmbeddedStore::open(place.path()).unwrap());
        let seconds = Arc::new(AtomicI64::new(START));
        let told = seconds.clone();
        let clock: Arc<Clock> =
            Arc::new(move || Timestamp::from_second(told.load(Ordering::Relaxed)).unwrap());
        let client = client(pins);
        let examiner = Examiner::new(client.clone(), Lanes::default()).clock(clock.clone());
        let settings =
            Settings { spread: SignedDuration::from_micros(1), concurrency: 32, ..Settings::default() };
        let monitor = Monitor::new(store.clone(), Arc::new(examiner.clone()), settings, clock);
        Self { _place: place, store, client, examiner, seconds, monitor, finds: AtomicI64::new(0) }
    }

    pub fn now(&self) -> Timestamp {
        Timestamp::from_second(self.seconds.load(Ordering::Relaxed)).unwrap()
    }

    pub fn pass(&self, time: SignedDuration) {
        self.seconds.fetch_add(time.as_secs(), Ordering::Relaxed);
    }

    /// Reads what is served there as a crawl does, and puts it into the catalogue. Gives the id.
    pub async fn find(&self, kind: &str, url: &str) -> String {
        let known = Resource { kind: kind.into(), url: url.into(), ..Resource::default() };
        let read = self.examiner.check(&known, &Options::default()).await.resource;
        self.found(FoundResource {
            // Found at this address, wherever that led.
            resource: Resource { url: url.into(), ..read.unwrap_or(known) },
            status: Status::Alive,
            reason: String::new(),
            evidence: Evidence {
                request: format!("{url}?SERVICE={kind}&REQUEST=GetCapabilities"),
                at: self.now(),
                ..Evidence::default()
            },
            ip: None,
            themes: vec![],
        })
    }

    /// Puts a find into the catalogue.
    pub fn found(&self, found: FoundResource) -> String {
        let url = found.resource.url.clone();
        let nth = self.finds.fetch_add(1, Ordering::Relaxed);
        let spec = TaskSpec { name: format!("find {nth}"), seeds: vec![], options: serde_json::json!({}) };
        let run = self.store.open_task(&spec, self.now()).unwrap().run;
        let link = NewLink {
            key: format!("page {url}"),
            url: url.clone(),
            host: "http://a.example".into(),
            intent: "page".into(),
            priority: 1,
            depth: 0,
            parent: None,
            way: "seed".into(),
            words: String::new(),
            ..NewLink::default()
        };
        self.store.add_links(run, &[link]).unwrap();
        let host = self.store.hosts_with_work(run, 1, &|_| false).unwrap().remove(0).host;
        let item = self.store.pending(run, host, 1, &|_| false).unwrap().remove(0);
        let outcome = PageOutcome { class: "ok".into(), ..PageOutcome::default() };
        let done = vec![Done { item, outcome, links: vec![], found: vec![found], harvest: None }];
        self.store.commit(&Batch { run, done, robots: vec![], now: self.now() }).unwrap();
        self.store.explain(&url).unwrap().resources[0].record.id.clone()
    }

    /// Makes the checks that are due, then lets an hour pass.
    pub async fn hour(&self) -> Counts {
        let counts = self.monitor.run_once().await.unwrap();
        assert_eq!((counts.broken, counts.troubles), (0, 0));
        self.pass(SignedDuration::from_hours(1));
        counts
    }

    /// So many hours.
    pub async fn hours(&self, hours: u32) {
        for _ in 0..hours {
            self.hour().await;
        }
    }

    pub fn record(&self, id: &str) -> Record {
        self.store.record(id).unwrap().unwrap()
    }

    /// News of a record, the oldest first.
    pub fn news(&self, id: &str) -> Vec<Notice> {
        let filter = NoticeFilter { record: Some(id.to_owned()), ..NoticeFilter::default() };
        let mut news = self.store.notices(&filter, 500).unwrap();
        news.reverse();
        news
    }

    /// How often a kind of news came of a record.
    pub fn told(&self, id: &str, kind: NoticeKind) -> usize {
        self.news(id).iter().filter(|notice| notice.kind == kind).count()
    }

    /// Who brings messages, by the clock of this world.
    pub fn deliverer(&self, mail: Option<&geotrawl_crawl::alerts::MailConfig>) -> Deliverer {
        let seconds = self.seconds.clone();
        let clock = Arc::new(move || Timestamp::from_second(seconds.load(Ordering::Relaxed)).unwrap());
        Deliverer::new(self.client.clone(), mail, None).unwrap().clock(clock)
    }
}
