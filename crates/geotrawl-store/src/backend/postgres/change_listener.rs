//! Waits for changes with LISTEN on a dedicated connection, which is reopened when it breaks.
//!
//! A notification only says when to look. The changes are in the tables, numbered in commit order,
//! so nothing is missed while no connection listens.

use super::pool::{ConnectionPool, PgConnection};
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio_postgres::AsyncMessage;

/// Delay before reconnecting.
const AGAIN: Duration = Duration::from_secs(1);

/// Waits for notifications about changes.
#[derive(Default)]
pub(super) struct ChangeListener {
    heard: Arc<ChangeSignal>,
    started: OnceLock<()>,
}

#[derive(Default)]
struct ChangeSignal {
    number: Mutex<u64>,
    grown: Condvar,
    /// A connection is listening.
    listening: AtomicBool,
}

impl ChangeSignal {
    fn notify_waiters(&self) {
        *self.number.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.grown.notify_all();
    }
}

impl ChangeListener {
    /// Returns whether changes are currently noticed at once.
    pub fn is_listening(&self) -> bool {
        self.heard.listening.load(Ordering::Acquire)
    }

    /// Waits up to `at_most` until the number of notifications exceeds `seen`, and returns the
    /// current number. The first call starts the listener.
    pub fn wait_for_change(&self, pool: &ConnectionPool, seen: u64, at_most: Duration) -> u64 {
        self.started.get_or_init(|| {
            let (location, heard) = (pool.location().clone(), Arc::clone(&self.heard));
            let tls = pool.tls_connector();
            pool.spawn(async move {
                loop {
                    match location.config.connect(tls.clone()).await {
                        Ok((client, connection)) => {
                            listen(client, connection, &location.schema, &heard).await;
                        }
                        Err(error) => tracing::debug!(%error, "cannot listen for changes, will retry"),
                    }
                    tokio::time::sleep(AGAIN).await;
                }
            });
        });
        let until = Instant::now() + at_most;
        let mut number = self.heard.number.lock().unwrap_or_else(PoisonError::into_inner);
        while *number <= seen {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            number = self.heard.grown.wait_timeout(number, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        *number
    }
}

/// Listens until the connection breaks.
async fn listen(
    client: tokio_postgres::Client,
    mut connection: PgConnection,
    schema: &str,
    heard: &Arc<ChangeSignal>,
) {
    let (own, told) = (schema.to_owned(), Arc::clone(heard));
    let driver = tokio::spawn(async move {
        while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
            if let AsyncMessage::Notification(note) = message
                && note.payload() == own
            {
                told.notify_waiters();
            }
        }
    });
    if client.batch_execute("LISTEN geotrawl_change").await.is_ok() {
        heard.listening.store(true, Ordering::Release);
        // Changes may have been written before listening began.
        heard.notify_waiters();
        let _ended = driver.await;
        heard.listening.store(false, Ordering::Release);
        // Wake waiters so that they look themselves, because nothing is noticed from now on.
        heard.notify_waiters();
    } else {
        driver.abort();
    }
}
