//! Location of the catalogue. Only this module knows which kinds of stores exist and how each is
//! opened.
//!
//! Without `--store` it is a file in the data directory. With `--store postgres://…` it is a
//! database shared by any number of processes; the data directory then holds only derived files,
//! such as the search index, in one folder per database.

use crate::cli::GlobalArgs;
use crate::exit::UsageError;
use anyhow::Result;
use geotrawl_model::StoreError;
use geotrawl_model::store::Store;
use geotrawl_store::diagnosis::Diagnosis;
use geotrawl_store::geoip::GeoIpDatabases;
use geotrawl_store::{EmbeddedStore, PostgresOptions, PostgresStore};
use sha2::{Digest, Sha256};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Connection URL of a database shared by several processes.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl(String);

impl std::str::FromStr for StoreUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self(text.to_owned()));
        }
        Err("expected a database URL such as postgres://user:password@host:5432/database; use --data for a directory"
            .to_owned())
    }
}

impl StoreUrl {
    /// Returns the URL with its password, for connecting.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the URL without its password, for output and logs.
    pub fn without_password(&self) -> String {
        match url::Url::parse(&self.0) {
            Ok(mut url) => {
                if url.password().is_some() {
                    let _ = url.set_password(Some("***"));
                }
                // The password may also be a query parameter.
                if url.query_pairs().any(|(name, _)| name == "password") {
                    url.set_query(None);
                }
                url.to_string()
            }
            Err(_) => "postgres://…".to_owned(),
        }
    }
}

impl std::fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.without_password())
    }
}

/// Location of a catalogue.
#[derive(Debug, Clone)]
pub enum StoreLocation {
    /// In this directory, with a single writing process.
    Directory(PathBuf),
    /// In this database; derived files go to the directory.
    Database { url: StoreUrl, data: PathBuf },
}

impl StoreLocation {
    /// Returns the location given on the command line.
    pub fn from_args(global: &GlobalArgs) -> Self {
        match &global.store {
            None => Self::Directory(global.data.clone()),
            Some(url) => Self::Database { url: url.clone(), data: global.data.clone() },
        }
    }

    /// Returns the directory of derived files. Every catalogue has its own because an index fits
    /// only one catalogue.
    pub fn derived_dir(&self) -> PathBuf {
        match self {
            Self::Directory(data) => data.clone(),
            Self::Database { url, data } => {
                // Only what identifies the catalogue: a new user or password must not orphan its
                // index.
                let named = match url::Url::parse(url.as_str()) {
                    Ok(url) => {
                        let schema = url.query_pairs().find(|(name, _)| name == "schema");
                        let schema = schema.map(|(_, name)| name.into_owned());
                        format!("{:?} {:?} {} {schema:?}", url.host_str(), url.port(), url.path())
                    }
                    Err(_) => url.as_str().to_owned(),
                };
                let digest = Sha256::digest(named.as_bytes());
                data.join(format!("of-{:02x}{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2], digest[3]))
            }
        }
    }

    /// Opens the store for reading and writing.
    pub fn open(&self) -> Result<OpenStore, StoreError> {
        match self {
            Self::Directory(data) => Ok(OpenStore::Embedded(Arc::new(EmbeddedStore::open(data)?))),
            Self::Database { url, .. } => connect(url),
        }
    }

    /// Opens the store to change user accounts, even while another process writes to it.
    pub fn open_for_accounts(&self) -> Result<OpenStore, StoreError> {
        match self {
            Self::Directory(data) => {
                Ok(OpenStore::Embedded(Arc::new(EmbeddedStore::open_for_accounts(data)?)))
            }
            Self::Database { url, .. } => connect(url),
        }
    }

    /// Opens the store for reading, even while another process writes to it.
    pub fn open_to_read(&self) -> Result<OpenStore, StoreError> {
        match self {
            Self::Directory(data) => Ok(OpenStore::Embedded(Arc::new(EmbeddedStore::open_read_only(data)?))),
            // Readers of a database do not block writers.
            Self::Database { url, .. } => connect(url),
        }
    }
}

/// Connects to a shared store.
fn connect(url: &StoreUrl) -> Result<OpenStore, StoreError> {
    Ok(OpenStore::Postgres(Arc::new(PostgresStore::connect(url.as_str(), &PostgresOptions::default())?)))
}

/// Returns what a shared store reports about its condition.
pub fn diagnose_store(url: &StoreUrl) -> Result<Vec<Diagnosis>, StoreError> {
    PostgresStore::diagnose_database(url.as_str())
}

/// An open store. Dereferences to the operations that all stores have in common.
#[derive(Clone)]
pub enum OpenStore {
    Embedded(Arc<EmbeddedStore>),
    Postgres(Arc<PostgresStore>),
}

impl OpenStore {
    /// Returns the store for sharing between threads.
    pub fn to_shared(&self) -> Arc<dyn Store> {
        match self {
            Self::Embedded(store) => store.clone(),
            Self::Postgres(store) => store.clone(),
        }
    }

    /// Sets the GeoIP data used to locate hosts.
    pub fn set_geoip(&self, places: GeoIpDatabases) {
        match self {
            Self::Embedded(store) => store.set_geoip(places),
            Self::Postgres(store) => store.set_geoip(places),
        }
    }
}

impl Deref for OpenStore {
    type Target = dyn Store;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Embedded(store) => &**store,
            Self::Postgres(store) => &**store,
        }
    }
}

/// Opens the catalogue given on the command line for reading and writing.
pub fn open(global: &GlobalArgs) -> Result<OpenStore> {
    Ok(StoreLocation::from_args(global).open()?)
}

/// Opens the catalogue given on the command line to change user accounts.
pub fn open_for_accounts(global: &GlobalArgs) -> Result<OpenStore> {
    Ok(StoreLocation::from_args(global).open_for_accounts()?)
}

/// Opens the catalogue given on the command line for reading.
pub fn open_to_read(global: &GlobalArgs) -> Result<OpenStore> {
    Ok(StoreLocation::from_args(global).open_to_read()?)
}

/// Returns the local directory of files derived from the catalogue.
pub fn derived_dir(global: &GlobalArgs) -> PathBuf {
    StoreLocation::from_args(global).derived_dir()
}

/// Rejects `--store` for commands that create their own catalogue on this machine.
pub fn reject_shared_store(global: &GlobalArgs, command: &str) -> Result<()> {
    if global.store.is_some() {
        let message = format!(
            "`{command}` cannot use a shared store: it creates its own catalogue in --data; remove --store"
        );
        return Err(UsageError(message).into());
    }
    Ok(())
}

/// Returns the location of an embedded store.
pub fn in_directory(data: &Path) -> StoreLocation {
    StoreLocation::Directory(data.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for text in [
            "postgres://me:secret@db.example/cat",
            "postgresql://db.example/cat?user=me&password=secret",
            "postgres://me:secret@[broken/cat",
        ] {
            let url: StoreUrl = text.parse().unwrap();
            assert!(
                !url.without_password().contains("secret") && !format!("{url:?}").contains("secret"),
                "{}",
                url.without_password()
            );
            assert_eq!(url.as_str(), text);
        }
    }

    #[test]
    fn what_is_no_database_is_refused_with_what_to_write() {
        for text in ["./data", "mysql://a/b", ""] {
            assert!(text.parse::<StoreUrl>().unwrap_err().contains("postgres://"), "{text}");
        }
    }

    #[test]
    fn every_database_has_its_own_folder_and_a_changed_password_keeps_it() {
        let of = |text: &str| {
            StoreLocation::Database { url: text.parse().unwrap(), data: PathBuf::from("d") }.derived_dir()
        };
        assert_ne!(of("postgres://a.example/one"), of("postgres://a.example/two"));
        assert_ne!(of("postgres://a.example/one"), of("postgres://b.example/one"));
        assert_ne!(of("postgres://a.example/one?schema=x"), of("postgres://a.example/one?schema=y"));
        assert_eq!(of("postgres://me:old@a.example/one"), of("postgres://me:new@a.example/one"));
        assert_eq!(in_directory(Path::new("d")).derived_dir(), Path::new("d"));
    }
}
