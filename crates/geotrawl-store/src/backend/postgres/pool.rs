//! A bounded connection pool and the small runtime that drives its connections.

use super::location::DatabaseLocation;
use super::tls;
use crate::sql::{PgClient, Result, SqlError};
use geotrawl_model::StoreError;
use geotrawl_model::store::Result as StoreResult;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long a thread waits for a free connection.
const PATIENCE: Duration = Duration::from_secs(30);
/// Maximum number of idle connections.
const KEPT_IDLE: usize = 8;

/// Connections to one database.
pub(crate) struct ConnectionPool {
    location: DatabaseLocation,
    tls: MakeRustlsConnect,
    /// `None` only while being dropped.
    runtime: Option<Runtime>,
    state: Mutex<PoolState>,
    freed: Condvar,
    most: usize,
}

#[derive(Default)]
struct PoolState {
    idle: Vec<PgClient>,
    used: usize,
}

impl ConnectionPool {
    /// Creates a pool of at most `most` connections without opening any.
    pub fn new(location: DatabaseLocation, most: usize) -> StoreResult<Self> {
        let cannot = |cause: String| StoreError::Open { path: location.shown.clone(), cause };
        let tls = tls::build_connector(&location).map_err(cannot)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("geotrawl-pg")
            .enable_all()
            .build()
            .map_err(|error| cannot(error.to_string()))?;
        let (state, freed) = (Mutex::default(), Condvar::new());
        Ok(Self { location, tls, runtime: Some(runtime), state, freed, most: most.max(2) })
    }

    /// Returns the location of the store.
    pub fn location(&self) -> &DatabaseLocation {
        &self.location
    }

    /// Returns a connection, waiting for a free one. A caller must not hold two at a time, which
    /// could deadlock.
    pub fn get(&self) -> Result<PooledClient<'_>> {
        let until = Instant::now() + PATIENCE;
        let mut state = self.state();
        let idle = loop {
            if state.used < self.most {
                state.used += 1;
                // Drop idle connections that broke meanwhile.
                state.idle.retain(PgClient::is_reusable);
                break state.idle.pop();
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(SqlError::Unreachable(format!("all {} connections are in use", self.most)));
            }
            state = self.freed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(state);
        let mut place = PooledClient { pool: self, client: idle };
        if place.client.is_none() {
            place.client = Some(self.connect()?);
        }
        Ok(place)
    }

    /// Returns the TLS connector.
    pub fn tls_connector(&self) -> MakeRustlsConnect {
        self.tls.clone()
    }

    fn connect(&self) -> Result<PgClient> {
        let (client, connection) = self.open_connection()?;
        self.spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection to the database ended");
            }
        });
        self.set_up_session(client)
    }

    /// Opens a connection that the caller drives.
    fn open_connection(&self) -> Result<(tokio_postgres::Client, PgConnection)> {
        let Some(runtime) = &self.runtime else {
            return Err(SqlError::Unreachable("the pool is closed".to_owned()));
        };
        let (config, tls) = (self.location.config.clone(), self.tls.clone());
        // Runs on the runtime, which provides timer and sockets; blocks until done.
        let connecting = runtime.spawn(async move { config.connect(tls).await });
        match pollster::block_on(connecting) {
            Ok(made) => Ok(made?),
            Err(error) => Err(SqlError::Unreachable(error.to_string())),
        }
    }

    /// Applies the session settings to a new connection.
    fn set_up_session(&self, client: tokio_postgres::Client) -> Result<PgClient> {
        let client = PgClient::new(client, &self.location.schema);
        // Our statements are short and many, so JIT compilation costs more than it gains. A
        // transaction whose owner is gone must not hold its locks forever.
        client.execute_batch(&format!(
            "SET search_path TO \"{}\", public; SET TIME ZONE 'UTC'; SET jit = off; SET standard_conforming_strings = on; \
             SET client_min_messages = warning; SET idle_in_transaction_session_timeout = '60s'",
            self.location.schema
        ))?;
        Ok(client)
    }

    /// Spawns a task on the runtime of the connections.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            runtime.spawn(work);
        }
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        // Nothing panics while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Future that drives a connection.
pub(crate) type PgConnection = tokio_postgres::Connection<
    tokio_postgres::Socket,
    <MakeRustlsConnect as tokio_postgres::tls::MakeTlsConnect<tokio_postgres::Socket>>::Stream,
>;

impl Drop for ConnectionPool {
    fn drop(&mut self) {
        self.state().idle.clear();
        // Waiting for it would panic if the store is dropped inside another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A pooled connection, returned to the pool when dropped.
pub(crate) struct PooledClient<'p> {
    pool: &'p ConnectionPool,
    client: Option<PgClient>,
}

impl PooledClient<'_> {
    /// Returns the connection.
    pub fn client(&self) -> Result<&PgClient> {
        self.client.as_ref().ok_or_else(|| SqlError::Unreachable("no connection is open".to_owned()))
    }
}

impl Drop for PooledClient<'_> {
    fn drop(&mut self) {
        let client = self.client.take().filter(PgClient::is_reusable);
        let mut state = self.pool.state();
        state.used -= 1;
        if let Some(client) = client.filter(|_| state.idle.len() < KEPT_IDLE) {
            state.idle.push(client);
        }
        drop(state);
        self.pool.freed.notify_one();
    }
}
