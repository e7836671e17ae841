//! A catalogue, a site and a test clock: days pass as fast as the checks run.

use geotrawl_crawl::alerts::AlertDeliverer;
use geotrawl_crawl::body::BodyPool;
use geotrawl_crawl::check::ResourceChecker;
use geotrawl_crawl::fetch::dns::{DnsAnswer, LookupFuture, NameResolver};
use geotrawl_crawl::fetch::{FetchConfig, GuardedClient};
use geotrawl_crawl::monitor::{Monitor, MonitorClock, MonitorCounts, MonitorSettings};
use geotrawl_model::notice::{Notice, NoticeFilter, NoticeKind};
use geotrawl_model::store::{ChangeStore, MonitoringStore};
use geotrawl_model::{FoundResource, Record, Resource};
use geotrawl_store::EmbeddedStore;
use geotrawl_testkit::TestClock;
use geotrawl_testkit::builders::{add_records, found};
use geotrawl_trust::check::CheckOptions;
use jiff::{SignedDuration, Timestamp};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// Start time of every test, a Monday.
const START: i64 = 1_794_787_200;

/// Resolves no names, so that only pinned hosts exist.
struct EmptyResolver;

impl NameResolver for EmptyResolver {
    fn lookup<'a>(&'a self, _: &'a str) -> LookupFuture<'a> {
        Box::pin(async { Ok(DnsAnswer { addresses: Vec::new(), ttl: Duration::from_secs(1) }) })
    }
}

pub struct MonitorWorld {
    _place: tempfile::TempDir,
    pub store: Arc<EmbeddedStore>,
    pub client: GuardedClient,
    pub examiner: ResourceChecker,
    clock: TestClock,
    monitor: Monitor,
}

/// Builds a client without delays that knows only pinned hosts.
pub fn build_client(pins: &[String]) -> GuardedClient {
    let resolve = pins.iter().map(|pin| pin.parse().unwrap()).collect();
    let mut config = FetchConfig { resolve, retries: 0, ..FetchConfig::default() };
    config.set_delay(Duration::ZERO);
    config.politeness.backoff = Duration::ZERO;
    config.politeness.per_ip = 64;
    config.timeouts.first_byte = Duration::from_secs(4);
    config.timeouts.total = Duration::from_secs(6);
    GuardedClient::builder(config).with_resolver(Arc::new(EmptyResolver)).build().unwrap()
}

impl MonitorWorld {
    /// Creates a world in which everything is served at this address.
    pub fn new(at: SocketAddr) -> Self {
        Self::with_pins(&[format!("*.test={at}")])
    }

    /// Creates a world with these pinned hosts.
    pub fn with_pins(pins: &[String]) -> Self {
        let place = tempfile::tempdir().unwrap();
        let store = Arc::new(EmbeddedStore::open(place.path()).unwrap());
        let ticking = TestClock::starting_at(START);
        let clock: Arc<MonitorClock> = ticking.as_function();
        let client = build_client(pins);
        let examiner = ResourceChecker::new(client.clone(), BodyPool::default()).with_clock(clock.clone());
        let settings = MonitorSettings {
            spread: SignedDuration::from_micros(1),
            concurrency: 32,
            ..MonitorSettings::default()
        };
        let monitor = Monitor::new(store.clone(), Arc::new(examiner.clone()), settings, clock);
        Self { _place: place, store, client, examiner, clock: ticking, monitor }
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub fn advance(&self, time: SignedDuration) {
        self.clock.advance(time);
    }

    /// Reads a service like a crawl would, and adds it to the catalogue. Returns the record's id.
    pub async fn add_live_resource(&self, kind: &str, url: &str) -> String {
        let known = Resource { kind: kind.into(), url: url.into(), ..Resource::default() };
        let read = self.examiner.check_resource(&known, &CheckOptions::default()).await.resource;
        // Keep this URL even if it redirects.
        let resource = Resource { url: url.into(), ..read.unwrap_or(known) };
        self.add_resource(found(kind).with_resource(resource).proven_at(self.now()).build())
    }

    /// Adds a resource to the catalogue.
    pub fn add_resource(&self, found: FoundResource) -> String {
        let task = format!("find {}", found.resource.url);
        add_records(&*self.store, &task, [found], self.now()).remove(0)
    }

    /// Runs the checks that are due, then advances the clock by an hour.
    pub async fn run_hour(&self) -> MonitorCounts {
        let counts = self.monitor.run_once().await.unwrap();
        assert_eq!((counts.broken, counts.troubles), (0, 0));
        self.advance(SignedDuration::from_hours(1));
        counts
    }

    /// Runs this many hours.
    pub async fn run_hours(&self, hours: u32) {
        for _ in 0..hours {
            self.run_hour().await;
        }
    }

    pub fn record(&self, id: &str) -> Record {
        self.store.find_record(id).unwrap().unwrap()
    }

    /// Returns the notices of a record, oldest first.
    pub fn notices(&self, id: &str) -> Vec<Notice> {
        let filter = NoticeFilter { record: Some(id.to_owned()), ..NoticeFilter::default() };
        let mut news = self.store.list_notices(&filter, 500).unwrap();
        news.reverse();
        news
    }

    /// Counts the notices of one kind for a record.
    pub fn notice_count(&self, id: &str, kind: NoticeKind) -> usize {
        self.notices(id).iter().filter(|notice| notice.kind == kind).count()
    }

    /// Builds a deliverer that uses the clock of this world.
    pub fn build_deliverer(&self, mail: Option<&geotrawl_crawl::alerts::MailConfig>) -> AlertDeliverer {
        AlertDeliverer::new(self.client.clone(), mail, None).unwrap().with_clock(self.clock.as_function())
    }
}
