//! Command line definitions. Scripts rely on them: change flags and output only with care.

mod archive;
mod crawl;
mod examples;
mod exchange;
mod harvest;
mod inspect;
mod mine;
mod parse;
mod search;
mod seeds;
mod server;
mod simulate;
mod store;
mod user;
mod values;

pub use archive::{ArchiveCommand, ArchiveNewArgs};
pub use crawl::CrawlArgs;
pub use examples::{EXAMPLES, Example};
pub use exchange::{ExportArgs, ExportFormat, ImportArgs};
pub use harvest::HarvestArgs;
pub use inspect::{CheckArgs, ExplainArgs, ExtractArgs, ProbeArgs};
pub use mine::MineArgs;
pub use parse::{build_command, parse_command_line};
pub use search::{IndexCommand, SearchArgs, ThemesArgs};
pub use seeds::{SeedsCommand, SeedsImportArgs, SeedsSearchArgs};
pub use server::{DoctorArgs, MonitorArgs, ServeArgs, WorkerArgs};
pub use simulate::{DemoArgs, SimwebArgs};
pub use store::{StoreBackupArgs, StoreCommand, StoreCopyArgs};
pub use user::{UserAddArgs, UserCommand};
pub use values::{TimeArg, find_similar};

use clap::{Args, Parser, Subcommand};
use geotrawl_crawl::fetch::{AddressPin, IpNet, parse_net};
use std::path::PathBuf;
use std::str::FromStr;

/// Find geospatial services and files on the web.
///
/// Geotrawl crawls websites, finds the geospatial services and files on them, verifies that each
/// one works, and stores them in a catalogue.
#[derive(Debug, Parser)]
#[command(name = "geotrawl", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// Exit codes of all commands, for the help and the manual.
pub const EXIT_CODES: &[(&str, &str)] = &[
    ("0", "success"),
    ("1", "finished with failures listed on stderr"),
    ("2", "invalid usage or configuration"),
    ("3", "store unavailable or damaged"),
    ("130", "interrupted (state kept)"),
];

/// Options shared by all commands. `-h` lists only the usual ones.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArgs {
    /// Database shared by several processes, e.g. postgres://user@host/database; the data directory
    /// then holds only files derived from it
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "GEOTRAWL_STORE",
        hide_env_values = true,
        value_parser = crate::stores::StoreUrl::from_str
    )]
    pub store: Option<crate::stores::StoreUrl>,
    /// Directory of the embedded store and of files derived from a catalogue, such as the search
    /// index
    #[arg(long, global = true, value_name = "DIR", default_value = "./geotrawl-data", env = "GEOTRAWL_DATA")]
    pub data: PathBuf,
    /// Configuration file (TOML); see `docs/geotrawl.default.toml` for every setting
    #[arg(long, global = true, value_name = "FILE", env = "GEOTRAWL_CONFIG")]
    pub config: Option<PathBuf>,
    /// Print machine-readable output on stdout: one JSON object per line
    #[arg(long, global = true)]
    pub json: bool,
    /// Increase log verbosity (repeat for more)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Format of log lines on stderr
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        value_name = "FORMAT",
        default_value = "text",
        env = "GEOTRAWL_LOG_FORMAT"
    )]
    pub log_format: crate::telemetry::LogFormat,
    /// Print only the requested output
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Connect to IP[:PORT] for host names that match PATTERN (`*`, `*.name` or a name); always
    /// allowed
    #[arg(long, global = true, hide_short_help = true, value_name = "PATTERN=IP[:PORT]")]
    pub resolve: Vec<AddressPin>,
    /// Network outside the public internet that may be contacted (repeatable)
    #[arg(long, global = true, hide_short_help = true, value_name = "CIDR", value_parser = parse_net)]
    pub allow_net: Vec<IpNet>,
    /// Minimum time between two requests to one host, in milliseconds
    #[arg(long, global = true, hide_short_help = true, value_name = "MS")]
    pub delay: Option<u64>,
    /// Maximum number of concurrent requests over all hosts
    #[arg(long, global = true, hide_short_help = true, value_name = "N")]
    pub concurrency: Option<usize>,
    /// Maximum number of concurrent requests per host (1 is polite)
    #[arg(long, global = true, hide_short_help = true, value_name = "N")]
    pub host_concurrency: Option<usize>,
    /// User-Agent header sent with every request
    #[arg(long, global = true, hide_short_help = true, value_name = "TEXT")]
    pub user_agent: Option<String>,
    /// File that defines a custom catalogue protocol (repeatable; see docs/guide/connectors.md)
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE")]
    pub connector: Vec<PathBuf>,
    /// File that defines a custom vocabulary of themes (repeatable; see docs/guide/themes.md)
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE")]
    pub vocabulary: Vec<PathBuf>,
    /// Timeout of one request, in seconds
    #[arg(long, global = true, hide_short_help = true, value_name = "S")]
    pub timeout: Option<u64>,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Command whose page to print, e.g. `user add` [default: an overview of all commands]
    #[arg(value_name = "COMMAND")]
    pub path: Vec<String>,
    /// Folder to write the pages of all commands to; created if missing
    #[arg(short, long, visible_alias = "output", value_name = "DIR", conflicts_with = "path")]
    pub out: Option<PathBuf>,
}

/// Commands of the program.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Crawl from one or more addresses and print each resource once it is verified
    Crawl(CrawlArgs),
    /// Identify addresses or files without crawling
    Probe(ProbeArgs),
    /// List the addresses found in a page or file
    Extract(ExtractArgs),
    /// Harvest catalogues: CSW, OGC API Records, STAC, CKAN, DCAT, OAI-PMH, ...
    Harvest(HarvestArgs),
    /// Find services and files in web archives: WARC, WAT, WET, CDXJ, Common Crawl's columnar index
    Mine(MineArgs),
    /// Manage starting addresses: registries, tables, outlines, sitemaps, search engines
    Seeds {
        #[command(subcommand)]
        what: SeedsCommand,
    },
    /// Archive collections of pages about a subject, run them again and view them as of any date
    Archive {
        #[command(subcommand)]
        what: ArchiveCommand,
    },
    /// Export the catalogue, or part of it, to a file, a folder or stdout
    Export(ExportArgs),
    /// Import the records of another instance from a dump or a file of records
    Import(ImportArgs),
    /// Show everything known about an address or a record: evidence, and how it was found
    Explain(ExplainArgs),
    /// Check whether services and files work, show every request, and compare with the previous
    /// check
    Check(CheckArgs),
    /// Check the catalogue on its schedule and send alerts about changes
    Monitor(MonitorArgs),
    /// Assign themes to a text, a file or the catalogue
    Themes(ThemesArgs),
    /// Search the catalogue by words and area
    Search(SearchArgs),
    /// Manage the search index, which is derived from the catalogue
    Index {
        #[command(subcommand)]
        what: IndexCommand,
    },
    /// Show statistics about the catalogue
    Stats,
    /// Manage the store: copy it to another kind of store, back it up, distribute it over nodes
    Store {
        #[command(subcommand)]
        what: StoreCommand,
    },
    /// Run the web application, the API and the tasks in one process
    Serve(ServeArgs),
    /// Run crawl tasks alongside other processes on a shared store: join running tasks and start
    /// waiting ones
    Worker(WorkerArgs),
    /// Find problems with the configuration, the store, ports and the browser
    Doctor(DoctorArgs),
    /// Manage user accounts
    User {
        #[command(subcommand)]
        what: UserCommand,
    },
    /// Crawl a simulated web on this machine and open the application on it
    Demo(DemoArgs),
    /// Serve a simulated web of geospatial services on loopback
    Simweb(SimwebArgs),
    /// Analyze scripts for another process of this program
    #[command(name = geotrawl_crawl::apps::analyzer::COMMAND, hide = true)]
    StudyScripts,
    /// Read a document for another process of this program
    #[command(name = geotrawl_crawl::archive::COMMAND, hide = true)]
    ReadDocument,
    /// Print shell completions
    Completions {
        /// Shell to print completions for
        shell: clap_complete::Shell,
    },
    /// Print a manual page (roff), or write the pages of all commands to a folder
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        build_command().debug_assert();
    }

    /// Collects the help of a command and of all its subcommands, rendered for 80 columns.
    fn add_helps(command: &mut clap::Command, name: &str, helps: &mut Vec<(String, String)>) {
        // Values of environment variables differ between machines.
        let mut shown = command.clone().term_width(80).mut_args(|argument| argument.hide_env_values(true));
        helps.push((name.to_owned(), shown.render_long_help().to_string()));
        for below in command.get_subcommands_mut().filter(|below| below.get_name() != "help") {
            let name = format!("{name}-{}", below.get_name());
            add_helps(below, &name, helps);
        }
    }

    #[test]
    fn every_help_is_as_it_was() {
        let mut command = build_command();
        let mut helps = Vec::new();
        add_helps(&mut command, "help", &mut helps);
        for (name, help) in helps {
            insta::assert_snapshot!(name, help);
        }
    }
}
