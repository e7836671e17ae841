//! Command line of `seeds`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Commands of `seeds`.
#[derive(Debug, Subcommand)]
pub enum SeedsCommand {
    /// Store the addresses of a file for `crawl --seeds` and `harvest --seeds`
    Import(SeedsImportArgs),
    /// List the stored lists
    List,
    /// Print the seeds of a list
    Show {
        /// Name of the list
        list: String,
    },
    /// Show the configured search engines and their remaining quotas
    Engines,
    /// Query search engines for seeds: one ranked list, in groups of ten
    Search(SeedsSearchArgs),
}

/// Arguments of `seeds import`.
#[derive(Debug, Args)]
pub struct SeedsImportArgs {
    /// Files to import, optionally compressed (gzip or zstd)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Name of the list [default: name of the first file]
    #[arg(long, value_name = "NAME")]
    pub list: Option<String>,
    /// registry, list, opml, csv or sitemap [default: detected from the content]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<geotrawl_crawl::seeds::SeedFormat>,
    /// Only seeds in these countries (ISO codes)
    #[arg(long, value_delimiter = ',', value_name = "CC,...")]
    pub country: Vec<String>,
    /// Only seeds of these kinds, e.g. csw,ckan (repeatable)
    #[arg(long = "kind", visible_alias = "kinds", value_name = "KIND,...", value_delimiter = ',', value_parser = super::values::KindParser)]
    #[arg(hide_possible_values = true)]
    pub kinds: Vec<String>,
    /// Source of the list and credit, stored with it
    #[arg(long, value_name = "TEXT")]
    pub source: Option<String>,
}

/// Arguments of `seeds search`.
#[derive(Debug, Args)]
pub struct SeedsSearchArgs {
    /// Subjects; each is queried together with words for services ("WMS GetCapabilities",
    /// "Geoportal", ...)
    #[arg(required = true, value_name = "WORDS")]
    pub keywords: Vec<String>,
    /// Only these engines, by their names in the configuration [default: all, and this catalogue as
    /// `own`]
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub engines: Vec<String>,
    /// Query in these languages (ISO 639-1) [default: en, de, fr, es, pt, it, nl, zh, ja, ru]
    #[arg(long, value_delimiter = ',', value_name = "LL,...")]
    pub languages: Vec<String>,
    /// Maximum number of seeds
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub most: usize,
    /// Number of results used per query
    #[arg(long, value_name = "B", default_value_t = 20)]
    pub top: u32,
    /// Maximum number of queries per engine
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub questions: usize,
    /// Query the keywords as written, without words for services
    #[arg(long)]
    pub as_is: bool,
    /// Repeat queries whose answers are still cached
    #[arg(long)]
    pub fresh: bool,
    /// Print the queries without running them
    #[arg(long, conflicts_with = "import")]
    pub plan: bool,
    /// Time limit for all queries, in minutes
    #[arg(long, value_name = "MINUTES", default_value_t = 10)]
    pub within: u64,
    /// Store the seeds as this list, for `crawl --seeds`
    #[arg(long, value_name = "LIST")]
    pub import: Option<String>,
}
