//! Wires the monitor to the alerts that follow from its checks.

use crate::config::Config;
use crate::outbound;
use anyhow::Result;
use geotrawl_crawl::alerts::deliver::AlertDeliverer;
use geotrawl_crawl::alerts::outbox::AlertOutbox;
use geotrawl_crawl::body::BodyPool;
use geotrawl_crawl::check::ResourceChecker;
use geotrawl_crawl::fetch::GuardedClient;
use geotrawl_crawl::monitor::{Monitor, MonitorCounts, MonitorSettings, RecordChecker};
use geotrawl_crawl::registry::Registry;
use geotrawl_model::StoreError;
use geotrawl_model::monitoring::{CheckResult, DueCheck};
use geotrawl_model::store::MonitoringStore;
use geotrawl_serve::metrics::CheckCounter;
use geotrawl_trust::check::CheckOptions;
use jiff::SignedDuration;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// Time between two attempts to send queued notifications.
const MAIL_ROUND: Duration = Duration::from_secs(15);

/// Runs scheduled checks and sends notifications.
pub struct MonitorService {
    monitor: Monitor,
    outbox: AlertOutbox,
    registry: Registry,
}

impl MonitorService {
    /// Creates the service. Checks use `client` and share its crawl delays with its other users.
    pub fn new(
        store: Arc<dyn MonitoringStore>,
        client: GuardedClient,
        lanes: BodyPool,
        config: &Config,
        registry: Registry,
        counts: Arc<CheckCounter>,
    ) -> Result<Self> {
        let deliverer = build_deliverer(config)?;
        let options = CheckOptions { sample: config.monitor.sample, ..CheckOptions::default() };
        let settings = MonitorSettings {
            limits: config.monitor.limits(),
            concurrency: config.monitor.at_once.max(1),
            per_host_day: config.monitor.per_host_day,
            spread: SignedDuration::from_mins(i64::from(config.monitor.first_minutes)),
            ..MonitorSettings::default()
        };
        let examiner =
            ResourceChecker::new(client, lanes).with_options(options).with_registry(registry.clone());
        let examiner = Arc::new(CountingChecker { examiner, counts });
        let clock = Arc::new(jiff::Timestamp::now);
        let monitor = Monitor::new(Arc::clone(&store), examiner, settings, clock);
        Ok(Self { monitor, outbox: AlertOutbox::new(store, deliverer), registry })
    }

    /// Returns the signal that wakes the monitor when a user has requested a check.
    pub fn wake_signal(&self) -> Arc<Notify> {
        self.monitor.wake_signal()
    }

    /// Runs until stopped.
    pub async fn run(&self, stop: watch::Receiver<bool>) -> Result<(), StoreError> {
        let mut stopped = stop.clone();
        let messages = async {
            loop {
                tokio::select! {
                    () = tokio::time::sleep(MAIL_ROUND) => {}
                    _ = stopped.wait_for(|stop| *stop) => return,
                }
                if let Err(error) = self.outbox.deliver_due(jiff::Timestamp::now()).await {
                    tracing::error!("cannot send notifications: {error}");
                }
            }
        };
        self.warm_up().await;
        tokio::join!(self.monitor.run(stop), messages).0
    }

    /// Runs the checks that are due and sends the queued notifications once.
    pub async fn run_once(&self) -> Result<(MonitorCounts, u64), StoreError> {
        self.warm_up().await;
        let counts = self.monitor.run_once().await?;
        let messages = self.outbox.deliver_due(jiff::Timestamp::now()).await?;
        Ok((counts, messages))
    }

    /// Builds the lazily created tables before the first check, so that they do not add to measured
    /// response times.
    async fn warm_up(&self) {
        let registry = self.registry.clone();
        let _ = tokio::task::spawn_blocking(move || registry.warm_up()).await;
    }
}

/// Checker that counts checks for the metrics.
struct CountingChecker {
    examiner: ResourceChecker,
    counts: Arc<CheckCounter>,
}

impl RecordChecker for CountingChecker {
    fn check_due<'a>(&'a self, due: &'a DueCheck) -> Pin<Box<dyn Future<Output = CheckResult> + Send + 'a>> {
        Box::pin(async move {
            let result = RecordChecker::check_due(&self.examiner, due).await;
            let millis: u64 = result.check.observations.iter().map(|seen| u64::from(seen.phases.total)).sum();
            self.counts.count_check(result.check.verdict.as_str(), millis as f64 / 1_000.0);
            result
        })
    }
}

/// Builds the client that sends notifications: guarded like all outgoing requests, but without
/// crawl delays.
pub fn build_deliverer(config: &Config) -> Result<AlertDeliverer> {
    let client = GuardedClient::new(outbound::interactive_config(&config.fetch))?;
    let base = url::Url::parse(&config.serve.public_url).ok();
    Ok(AlertDeliverer::new(client, config.mail.as_ref(), base)?)
}
