use crate::postgres;
use geotrawl_model::store::Store;
use geotrawl_store::{EmbeddedStore, PostgresOptions, PostgresStore};
use std::path::Path;
use std::sync::Arc;

/// Generates a test per function and engine. Functions that are not listed are reported as dead
/// code.
///
/// `on_both_engines! { a b }` for functions of an [`Engine`](crate::Engine); `on_both_engines! {
/// #[tokio::test] a b }` for asynchronous ones.
#[macro_export]
macro_rules! on_both_engines {
    (#[$test:meta] $($name:ident)+) => {
        mod embedded {
            $(#[$test]
            async fn $name() {
                super::$name($crate::Engine::Embedded).await;
            })+
        }
        mod postgres {
            $(#[$test]
            async fn $name() {
                if $crate::postgres::is_available() {
                    super::$name($crate::Engine::Postgres).await;
                }
            })+
        }
    };
    ($($name:ident)+) => {
        mod embedded {
            $(#[test]
            fn $name() {
                super::$name($crate::Engine::Embedded);
            })+
        }
        mod postgres {
            $(#[test]
            fn $name() {
                if $crate::postgres::is_available() {
                    super::$name($crate::Engine::Postgres);
                }
            })+
        }
    };
}

/// The database engine of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Embedded,
    Postgres,
}

/// An empty store: a directory, with PostgreSQL also a database. Removed when dropped.
pub struct TestStore {
    url: Option<String>,
    _database: Option<postgres::TestDatabase>,
    directory: tempfile::TempDir,
}

impl TestStore {
    /// Creates an empty store.
    pub fn new(engine: Engine) -> Self {
        let database = (engine == Engine::Postgres).then(|| {
            let database = postgres::TestDatabase::new(|url| drop(connect(url)));
            database.expect("on_both_engines skips tests without a server")
        });
        let url = database.as_ref().map(|database| database.url.clone());
        Self { url, _database: database, directory: tempfile::tempdir().expect("a temporary directory") }
    }

    /// Uses an existing database, which the caller removes.
    pub fn from_url(url: String) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Self { url: Some(url), _database: None, directory }
    }

    /// Shortens host leases to two seconds, for tests that kill processes.
    pub fn with_short_leases(self) -> Self {
        let url = self.url.map(|url| {
            let mut url = url::Url::parse(&url).expect("an address");
            url.query_pairs_mut().append_pair("loan", "2");
            url.into()
        });
        Self { url, ..self }
    }

    /// Returns the directory: the catalogue itself, or space for other
    /// files if the catalogue is in a database.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Returns the URL of the database, if the store is in one.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// Opens the store in this process.
    pub fn open(&self) -> Arc<dyn Store> {
        match self.url() {
            Some(url) => Arc::new(connect(url)),
            None => Arc::new(EmbeddedStore::open(self.path()).expect("the store opens")),
        }
    }
}

fn connect(url: &str) -> PostgresStore {
    let options = PostgresOptions { connections: 4, ..PostgresOptions::default() };
    PostgresStore::connect(url, &options).expect("the store opens")
}
