//! Command line of `archive`.

use super::values::TimeArg;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Commands of `archive`.
#[derive(Debug, Subcommand)]
pub enum ArchiveCommand {
    /// Create a collection: a subject, the search engines to query about it, and pages that belong
    /// to it
    New(Box<ArchiveNewArgs>),
    /// Run a collection: query the engines, fetch the pages, compare with the last run, archive
    /// what changed
    Run {
        /// Acronym of the collection
        acronym: String,
    },
    /// List the collections
    List,
    /// Show the pages of a collection, now or at an earlier time
    Show {
        /// Acronym of the collection
        acronym: String,
        /// Show the state at this time (2026-11-16T10:00:00Z) or at the end of this day (2026-11-16, UTC)
        /// [default: now]
        #[arg(long, value_name = "TIME")]
        as_of: Option<TimeArg>,
    },
    /// Show the ranked results of a run
    Results {
        /// Acronym of the collection
        acronym: String,
        /// Time of the run, or its day for the last run of that day [default: the latest]
        #[arg(long, value_name = "TIME")]
        run: Option<TimeArg>,
    },
    /// Show the history of an archived page
    History {
        /// Acronym of the collection
        acronym: String,
        /// Address of the page
        url: String,
    },
    /// Make another version of a page current
    Rollback {
        /// Acronym of the collection
        acronym: String,
        /// Address of the page
        url: String,
        /// Version number, as shown by `history`
        #[arg(long, value_name = "N")]
        to: u32,
        /// Reason for the rollback
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
    },
    /// Export the complex object of a run as MPEG-21 DIDL
    Didl {
        /// Acronym of the collection
        acronym: String,
        /// Latest object at this time, or at the end of this day [default: now]
        #[arg(long, value_name = "TIME")]
        run: Option<TimeArg>,
        /// File to write [default: stdout]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Write WARC files, pages that open in a browser, the ranked list and the DIDL object to a
    /// folder
    Export {
        /// Acronym of the collection
        acronym: String,
        /// Folder to write to
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
        /// Export the state at this time, or at the end of this day [default: now]
        #[arg(long, value_name = "TIME")]
        as_of: Option<TimeArg>,
    },
    /// Remove a collection and everything archived in it
    Remove {
        /// Acronym of the collection
        acronym: String,
    },
}

/// Arguments of `archive new`.
#[derive(Debug, Args)]
pub struct ArchiveNewArgs {
    /// Acronym of the collection: 1 to 40 letters, digits, `-` or `_`
    pub acronym: String,
    /// Title of the collection
    #[arg(long, value_name = "TEXT")]
    pub title: String,
    /// Description of the collection
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub description: String,
    /// Search query (repeatable) [default: title and acronym]
    #[arg(long = "query", value_name = "WORDS")]
    pub queries: Vec<String>,
    /// Search engines to query, by their names in the configuration
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub engines: Vec<String>,
    /// Number of results used per engine
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: u32,
    /// Page that always belongs to the collection, whatever the engines return (repeatable)
    #[arg(long = "page", value_name = "URL")]
    pub pages: Vec<String>,
    /// Page that describes the subject (repeatable); results that are not similar to it are
    /// rejected
    #[arg(long, value_name = "URL")]
    pub about: Vec<String>,
    /// Number of link levels to follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub depth: u32,
    /// Which links to follow: host, domain or any
    #[arg(long, value_name = "SCOPE", default_value = "domain")]
    pub scope: String,
    /// Similarity (0 to 1) below which a changed page becomes a new item
    #[arg(long, value_name = "SHARE", default_value_t = 0.7)]
    pub likeness: f64,
    /// Relevance (0 to 1) below which a result is rejected
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub aboutness: f64,
    /// Maximum number of pages and documents per run
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub max_pages: u32,
    /// Schedule in UTC: minute, hour, day of month, month, day of week ("30 4 * * 1")
    #[arg(long, value_name = "CRON")]
    pub schedule: Option<String>,
    /// Make the collection visible only to its owner and administrators
    #[arg(long)]
    pub private: bool,
}
