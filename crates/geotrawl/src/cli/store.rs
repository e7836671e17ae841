//! `store` on the command line.

use clap::{Args, Subcommand};
use geotrawl_store::moving::CopyEndpoint;
use std::path::PathBuf;

/// What to do with the store as a whole.
#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    /// Copy everything into an empty store of either kind, and compare both
    Copy(StoreCopyArgs),
    /// Copy the embedded store to another directory, also while a process writes it
    Backup(StoreBackupArgs),
    /// Spread the frontier of a shared store over the nodes of Citus; what is spread already stays
    Distribute,
}

/// `store copy`.
#[derive(Debug, Args)]
pub struct StoreCopyArgs {
    /// What to copy: a data directory or postgres://... [default: as --data and --store say]
    #[arg(long, value_name = "DIR|URL", value_parser = place)]
    pub from: Option<CopyEndpoint>,
    /// Where to: an empty data directory or a database without a store, postgres://...
    #[arg(long, value_name = "DIR|URL", env = "GEOTRAWL_COPY_TO", hide_env_values = true, value_parser = place)]
    pub to: CopyEndpoint,
    /// Copy the state of this moment, also when other processes work on the source
    #[arg(long)]
    pub snapshot: bool,
}

/// `store backup`.
#[derive(Debug, Args)]
pub struct StoreBackupArgs {
    /// A directory without a store; it is made when there is none
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,
}

fn place(text: &str) -> Result<CopyEndpoint, String> {
    if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        return Ok(CopyEndpoint::Database(text.to_owned()));
    }
    match text.split_once("://") {
        Some((scheme, _)) => Err(format!("{scheme}:// is no store; name a directory or postgres://...")),
        None if text.is_empty() => Err("name a directory or postgres://...".to_owned()),
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
