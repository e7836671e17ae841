//! A catalogue of either kind, for tests that are written once and made for both. Shared by path between test targets;
//! beside it stands `mod pg`.

use crate::pg;
use geotrawl_store::{EmbeddedStore, PostgresOptions, PostgresStore, WholeStore};
use std::path::Path;
use std::sync::Arc;

/// Where a test keeps its catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Embedded,
    Postgres,
}

/// An empty catalogue, gone with this value: a directory, and with PostgreSQL a database.
pub struct Place {
    url: Option<String>,
    _database: Option<pg::Database>,
    directory: tempfile::TempDir,
}

impl Place {
    /// A new one.
    pub fn new(engine: Engine) -> Self {
        let database = (engine == Engine::Postgres).then(|| {
            let made = pg::Database::new(|url| drop(connect(url)));
            made.expect("there is a server")
        });
        let url = database.as_ref().map(|database| database.url.clone());
        Self { url, _database: database, directory: tempfile::tempdir().expect("a temporary directory") }
    }

    /// In a database that somebody else looks after.
    pub fn at(url: String) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Self { url: Some(url), _database: None, directory }
    }

    /// The same for processes that are killed: what they had borrowed is free again soon.
    pub fn with_short_loans(self) -> Self {
        let url = self.url.map(|url| {
            let mut url = url::Url::parse(&url).expect("an address");
            url.query_pairs_mut().append_pair("loan", "2");
            url.into()
        });
        Self { url, ..self }
    }

    /// A directory for whatever belongs to it.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The address of the database, if it is in one.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// Opens it in this process.
    pub fn open(&self) -> Opened {
        match self.url() {
            Some(url) => Opened::Postgres(Arc::new(connect(url))),
            None => Opened::Embedded(Arc::new(EmbeddedStore::open(self.path()).expect("the store opens"))),
        }
    }
}

/// An open store.
pub enum Opened {
    Embedded(Arc<EmbeddedStore>),
    Postgres(Arc<PostgresStore>),
}

impl Opened {
    /// With all its sides.
    pub fn whole(self) -> Arc<dyn WholeStore> {
        match self {
            Self::Embedded(store) => store,
            Self::Postgres(store) => store,
        }
    }
}

fn connect(url: &str) -> PostgresStore {
    let options = PostgresOptions { connections: 4, ..PostgresOptions::default() };
    PostgresStore::connect(url, &options).expect("the store opens")
}
