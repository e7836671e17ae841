//! Where the catalogue is: the one place that knows which kinds of stores there are and how each is opened.
//!
//! Without `--store` it is a file in the data directory. With `--store postgres://…` it is a database that any number
//! of processes share; the data directory then holds only what is made from it here, such as the search index, in a
//! folder of its own for every database.

use crate::cli::GlobalArgs;
use crate::exit::UsageError;
use anyhow::Result;
use geotrawl_model::StoreError;
use geotrawl_model::store::Store;
use geotrawl_store::diagnosis::Diagnosis;
use geotrawl_store::places::GeoIpDatabases;
use geotrawl_store::{EmbeddedStore, PostgresOptions, PostgresStore};
use sha2::{Digest, Sha256};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A database that several processes share.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl(String);

impl std::str::FromStr for StoreUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self(text.to_owned()));
        }
        Err("a shared store is named as in postgres://user:password@host:5432/database; a directory is given by --data"
            .to_owned())
    }
}

impl StoreUrl {
    /// As it is given to whoever connects.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Without its password, for people and logs.
    pub fn without_password(&self) -> String {
        match url::Url::parse(&self.0) {
            Ok(mut url) => {
                if url.password().is_some() {
                    let _ = url.set_password(Some("***"));
                }
                // Passwords may stand among the parameters, too.
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

/// Where a catalogue is.
#[derive(Debug, Clone)]
pub enum StoreLocation {
    /// In this directory, for one process that writes.
    Directory(PathBuf),
    /// In this database; what is made from it here goes into the directory.
    Database { url: StoreUrl, data: PathBuf },
}

impl StoreLocation {
    /// As the command line says.
    pub fn from_args(global: &GlobalArgs) -> Self {
        match &global.store {
            None => Self::Directory(global.data.clone()),
            Some(url) => Self::Database { url: url.clone(), data: global.data.clone() },
        }
    }

    /// Where what is made from the catalogue is kept: an index of one catalogue is wrong for every other.
    pub fn derived_dir(&self) -> PathBuf {
        match self {
            Self::Directory(data) => data.clone(),
            Self::Database { url, data } => {
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

    /// Opens it for reading and writing.
    pub fn open(&self) -> Result<OpenStore, StoreError> {
        match self {
            Self::Directory(data) => Ok(OpenStore::Embedded(Arc::new(EmbeddedStore::open(data)?))),
            Self::Database { url, .. } => connect(url),
        }
    }

    /// Opens it for reading, also while another process writes.
    pub fn open_to_read(&self) -> Result<OpenStore, StoreError> {
        match self {
            Self::Directory(data) => Ok(OpenStore::Embedded(Arc::new(EmbeddedStore::open_read_only(data)?))),
            // Whoever reads does not keep others from writing.
            Self::Database { url, .. } => connect(url),
        }
    }
}

/// Connects to a shared store.
fn connect(url: &StoreUrl) -> Result<OpenStore, StoreError> {
    Ok(OpenStore::Postgres(Arc::new(PostgresStore::connect(url.as_str(), &PostgresOptions::default())?)))
}

/// What a shared store says of itself.
pub fn diagnose_store(url: &StoreUrl) -> Result<Vec<Diagnosis>, StoreError> {
    PostgresStore::diagnose_database(url.as_str())
}

/// An open store. Whatever all stores can do is asked of it directly.
#[derive(Clone)]
pub enum OpenStore {
    Embedded(Arc<EmbeddedStore>),
    Postgres(Arc<PostgresStore>),
}

impl OpenStore {
    /// Returns the store, to be shared by threads.
    pub fn to_shared(&self) -> Arc<dyn Store> {
        match self {
            Self::Embedded(store) => store.clone(),
            Self::Postgres(store) => store.clone(),
        }
    }

    /// Where hosts are is looked up there from now on.
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

/// Opens the catalogue of the command line for reading and writing.
pub fn open(global: &GlobalArgs) -> Result<OpenStore> {
    Ok(StoreLocation::from_args(global).open()?)
}

/// Opens the catalogue of the command line for reading.
pub fn open_to_read(global: &GlobalArgs) -> Result<OpenStore> {
    Ok(StoreLocation::from_args(global).open_to_read()?)
}

/// Where what is made from the catalogue is kept, on this machine.
pub fn derived_dir(global: &GlobalArgs) -> PathBuf {
    StoreLocation::from_args(global).derived_dir()
}

/// For commands that have a catalogue of their own on this machine.
pub fn reject_shared_store(global: &GlobalArgs, command: &str) -> Result<()> {
    if global.store.is_some() {
        let message = format!("`{command}` makes a catalogue of its own in --data; leave out --store");
        return Err(UsageError(message).into());
    }
    Ok(())
}

/// The embedded store's place.
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
