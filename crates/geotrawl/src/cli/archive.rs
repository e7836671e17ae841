//! `archive` on the command line.

use clap::{Args, Subcommand};
use jiff::Timestamp;
use std::path::PathBuf;

/// What to do with archive collections.
#[derive(Debug, Subcommand)]
pub enum ArchiveCommand {
    /// Make a collection: a subject, the engines that are asked about it, and pages that belong to it
    New(Box<ArchiveNewArgs>),
    /// Run a collection: ask the engines, fetch, compare with the last time, keep
    Run {
        /// Its acronym
        acronym: String,
    },
    /// Show the collections
    List,
    /// Show the items of a collection, also as they were
    Show {
        /// Its acronym
        acronym: String,
        /// As they were at this moment (2026-11-16T10:00:00Z) [default: now]
        #[arg(long, value_name = "TIME")]
        as_of: Option<Timestamp>,
    },
    /// Show the ranked results of a run
    Results {
        /// Its acronym
        acronym: String,
        /// Timestamp of the run [default: the latest]
        #[arg(long, value_name = "TIME")]
        run: Option<Timestamp>,
    },
    /// Show all that happened to an item
    History {
        /// Acronym of the collection
        acronym: String,
        /// Address of the item
        url: String,
    },
    /// Make another version of an item current
    Rollback {
        /// Acronym of the collection
        acronym: String,
        /// Address of the item
        url: String,
        /// Number of the version, as `history` tells it
        #[arg(long, value_name = "N")]
        to: u32,
        /// Why
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
    },
    /// Write the complex object of a run as MPEG-21 DIDL
    Didl {
        /// Acronym of the collection
        acronym: String,
        /// Timestamp of the run [default: the latest object]
        #[arg(long, value_name = "TIME")]
        run: Option<Timestamp>,
        /// File to write [default: stdout]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Write WARC files, pages that open in a browser, the ranked list and the object into a folder
    Export {
        /// Acronym of the collection
        acronym: String,
        /// Folder to write
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
        /// As it was at this moment [default: now]
        #[arg(long, value_name = "TIME")]
        as_of: Option<Timestamp>,
    },
    /// Remove a collection with everything that is archived in it
    Remove {
        /// Its acronym
        acronym: String,
    },
}

/// `archive new`.
#[derive(Debug, Args)]
pub struct ArchiveNewArgs {
    /// 1 to 40 letters, digits, `-` or `_`
    pub acronym: String,
    /// What it is called
    #[arg(long, value_name = "TEXT")]
    pub title: String,
    /// What it is
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub description: String,
    /// What the engines are asked (repeatable) [default: title and acronym]
    #[arg(long = "query", value_name = "WORDS")]
    pub queries: Vec<String>,
    /// Engines that are asked, by their names in the configuration
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub engines: Vec<String>,
    /// Results of each engine that count
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: u32,
    /// A page that belongs to it whatever engines say (repeatable)
    #[arg(long = "page", value_name = "URL")]
    pub pages: Vec<String>,
    /// A page that says what it is about (repeatable): results unlike these are rejected
    #[arg(long, value_name = "URL")]
    pub about: Vec<String>,
    /// Levels of links that are followed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub depth: u32,
    /// Where followed links may lead: host, domain or any
    #[arg(long, value_name = "SCOPE", default_value = "domain")]
    pub scope: String,
    /// Below this likeness (0 to 1) a changed page is a new item
    #[arg(long, value_name = "SHARE", default_value_t = 0.7)]
    pub likeness: f64,
    /// Below this aboutness (0 to 1) a result is rejected
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub aboutness: f64,
    /// Pages and documents of one run at most
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub max_pages: u32,
    /// Run it again and again: minute, hour, day of month, month, day of week, in UTC ("30 4 * * 1")
    #[arg(long, value_name = "CRON")]
    pub schedule: Option<String>,
    /// Only its owner and admins may look at it
    #[arg(long)]
    pub private: bool,
}
