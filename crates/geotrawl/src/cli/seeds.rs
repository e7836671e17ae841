//! `seeds` on the command line.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What to do with lists of seeds.
#[derive(Debug, Subcommand)]
pub enum SeedsCommand {
    /// Store the addresses of a file for `crawl --seeds` and `harvest --seeds`
    Import(SeedsImportArgs),
    /// Show the stored lists
    List,
    /// Print the seeds of a list
    Show {
        /// Name of the list
        list: String,
    },
    /// Show the search engines of the configuration, and what is left of their quotas
    Engines,
    /// Ask search engines where to start: one ranked list, in groups of ten
    Search(SeedsSearchArgs),
}

/// `seeds import`.
#[derive(Debug, Args)]
pub struct SeedsImportArgs {
    /// Files, gzip or zstd compressed or not
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Name of the list [default: the first file's name]
    #[arg(long, value_name = "NAME")]
    pub list: Option<String>,
    /// registry, list, opml, csv or sitemap [default: told by the beginning of the file]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<geotrawl_crawl::seeds::SeedFormat>,
    /// Only seeds of these countries (ISO codes)
    #[arg(long, value_delimiter = ',', value_name = "CC,...")]
    pub country: Vec<String>,
    /// Only seeds of these kinds
    #[arg(long, value_delimiter = ',', value_name = "KIND,...")]
    pub kinds: Vec<String>,
    /// Where the list comes from and whom to credit, kept with it
    #[arg(long, value_name = "TEXT")]
    pub source: Option<String>,
}

/// `seeds search`.
#[derive(Debug, Args)]
pub struct SeedsSearchArgs {
    /// What it is about; each is asked together with words for services ("WMS GetCapabilities", "Geoportal", ...)
    #[arg(required = true, value_name = "WORDS")]
    pub keywords: Vec<String>,
    /// Only these engines, by their names in the configuration [default: all, and this catalogue as `own`]
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub engines: Vec<String>,
    /// Ask in these languages (ISO 639-1) [default: en, de, fr, es, pt, it, nl, zh, ja, ru]
    #[arg(long, value_delimiter = ',', value_name = "LL,...")]
    pub languages: Vec<String>,
    /// Seeds at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub most: usize,
    /// Results of each answer that count
    #[arg(long, value_name = "B", default_value_t = 20)]
    pub top: u32,
    /// Questions to each engine at most
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub questions: usize,
    /// Ask the words as they are, without words for services
    #[arg(long)]
    pub as_is: bool,
    /// Ask also what was answered lately and is kept
    #[arg(long)]
    pub fresh: bool,
    /// Only print the questions, ask nobody
    #[arg(long, conflicts_with = "import")]
    pub plan: bool,
    /// Minutes for all of it
    #[arg(long, value_name = "MINUTES", default_value_t = 10)]
    pub within: u64,
    /// Store the seeds as this list, for `crawl --seeds`
    #[arg(long, value_name = "LIST")]
    pub import: Option<String>,
}
