//! Command line of `store`.

use clap::{Args, Subcommand};
use geotrawl_store::store_copy::CopyEndpoint;
use std::path::PathBuf;

/// Commands of `store`.
#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    /// Copy everything to an empty store of either kind and compare both
    Copy(StoreCopyArgs),
    /// Copy the embedded store to another directory, even while a process writes to it
    Backup(StoreBackupArgs),
    /// Distribute the frontier of a shared store over Citus nodes; tables already distributed are
    /// left as they are
    Distribute,
}

/// Arguments of `store copy`.
#[derive(Debug, Args)]
pub struct StoreCopyArgs {
    /// Store to copy: a data directory or postgres://... [default: the store given by --data or
    /// --store]
    #[arg(long, value_name = "DIR|URL", value_parser = place)]
    pub from: Option<CopyEndpoint>,
    /// Destination: an empty data directory, or a database without a store (postgres://...)
    #[arg(long, value_name = "DIR|URL", env = "GEOTRAWL_COPY_TO", hide_env_values = true, value_parser = place)]
    pub to: CopyEndpoint,
    /// Copy the state at this moment, even while other processes use the source
    #[arg(long)]
    pub snapshot: bool,
}

/// Arguments of `store backup`.
#[derive(Debug, Args)]
pub struct StoreBackupArgs {
    /// Directory without a store; created if missing
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,
}

fn place(text: &str) -> Result<CopyEndpoint, String> {
    if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        return Ok(CopyEndpoint::Database(text.to_owned()));
    }
    match text.split_once("://") {
        Some((scheme, _)) => {
            Err(format!("cannot open a store at {scheme}://; use a directory or postgres://..."))
        }
        None if text.is_empty() => Err("expected a directory or postgres://...".to_owned()),
        None => Ok(CopyEndpoint::Directory(text.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_directory_or_a_database() {
        assert_eq!(place("./data"), Ok(CopyEndpoint::Directory("./data".into())));
        assert!(matches!(place("postgres://a/b"), Ok(CopyEndpoint::Database(_))));
        assert!(place("mysql://a/b").is_err_and(|said| said.contains("postgres://")));
        assert!(place("").is_err());
    }
}
