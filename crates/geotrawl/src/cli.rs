//! Command line definitions. Scripts rely on them: change flags and output only with care.

mod archive;
mod exchange;
mod mine;
mod seeds;
mod store;

pub use archive::{ArchiveCommand, ArchiveNewArgs};
pub use exchange::{ExportArgs, ExportFormat, ImportArgs};
pub use mine::MineArgs;
pub use seeds::{SeedsCommand, SeedsImportArgs, SeedsSearchArgs};
pub use store::{StoreBackupArgs, StoreCommand, StoreCopyArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use geotrawl_crawl::fetch::{AddressPin, IpNet, parse_net};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

/// Find geospatial services and files on the web.
///
/// Geotrawl crawls websites, finds the geospatial services and files on them, verifies that each
/// one works, and stores them in a catalogue.
#[derive(Debug, Parser)]
#[command(name = "geotrawl", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 success; 1 finished with failures listed on stderr; 2 invalid usage or \
configuration; 3 store unavailable or damaged; 130 interrupted (state kept)."
)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// Options shared by all commands.
#[derive(Debug, Args)]
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
    #[arg(long, global = true, value_name = "FORMAT", default_value = "text", env = "GEOTRAWL_LOG_FORMAT")]
    pub log_format: crate::telemetry::LogFormat,
    /// Print only the requested output
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Connect to IP[:PORT] for host names that match PATTERN (`*`, `*.name` or a name); always
    /// allowed
    #[arg(long, global = true, value_name = "PATTERN=IP[:PORT]")]
    pub resolve: Vec<AddressPin>,
    /// Network outside the public internet that may be contacted (repeatable)
    #[arg(long, global = true, value_name = "CIDR", value_parser = parse_net)]
    pub allow_net: Vec<IpNet>,
    /// Minimum time between two requests to one host, in milliseconds
    #[arg(long, global = true, value_name = "MS")]
    pub delay: Option<u64>,
    /// Maximum number of concurrent requests over all hosts
    #[arg(long, global = true, value_name = "N")]
    pub concurrency: Option<usize>,
    /// Maximum number of concurrent requests per host (1 is polite)
    #[arg(long, global = true, value_name = "N")]
    pub host_concurrency: Option<usize>,
    /// User-Agent header sent with every request
    #[arg(long, global = true, value_name = "TEXT")]
    pub user_agent: Option<String>,
    /// File that defines a custom catalogue protocol (repeatable; see docs/guide/connectors.md)
    #[arg(long, global = true, value_name = "FILE")]
    pub connector: Vec<PathBuf>,
    /// File that defines a custom vocabulary of themes (repeatable; see docs/guide/themes.md)
    #[arg(long, global = true, value_name = "FILE")]
    pub vocabulary: Vec<PathBuf>,
    /// Timeout of one request, in seconds
    #[arg(long, global = true, value_name = "S")]
    pub timeout: Option<u64>,
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
    /// Print the manual page (roff)
    Man,
}

/// Arguments of `crawl`.
#[derive(Debug, Args)]
pub struct CrawlArgs {
    /// Addresses to start from: pages, sites, services or files
    #[arg(required_unless_present_any = ["seeds_from", "engines"], value_name = "SEED")]
    pub seeds: Vec<String>,
    /// Start from a list stored by `geotrawl seeds import` (repeatable)
    #[arg(long = "seeds", value_name = "LIST", id = "seeds_from")]
    pub lists: Vec<String>,
    /// Maximum number of links between a seed and a page; resources that those pages link to are
    /// still verified [default: 2]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Stop after reading N pages
    #[arg(long, value_name = "N")]
    pub max_pages: Option<u64>,
    /// Maximum number of requests per host [default: 10000]
    #[arg(long, value_name = "N")]
    pub max_per_host: Option<u64>,
    /// Which links to follow: host, domain or any [default: any]
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<geotrawl_crawl::options::CrawlScope>,
    /// With a narrower scope, still verify services and files outside of it
    #[arg(long)]
    pub prove_outside: bool,
    /// Read only pages whose path starts with PATH (repeatable; does not apply to seeds)
    #[arg(long, value_name = "PATH")]
    pub path_prefix: Vec<String>,
    /// Find only these kinds, e.g. wms,wfs,kml
    #[arg(long, value_delimiter = ',', value_name = "KIND,...")]
    pub kinds: Vec<String>,
    /// Keep only resources that intersect this box or have no known extent: west,south,east,north,
    /// or a place name
    #[arg(long, value_name = "W,S,E,N|PLACE", allow_hyphen_values = true, value_parser = bbox)]
    pub bbox: Option<geotrawl_model::Bbox>,
    /// Open groups of ten seeds one after another, at most N groups, each when the one before is
    /// exhausted [default: all seeds at once]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub width: Option<u32>,
    /// Follow at most N links per page
    #[arg(long, value_name = "N")]
    pub links_per_page: Option<u32>,
    /// Follow only pages in these languages (ISO 639-1), e.g. de,fr
    #[arg(long, value_delimiter = ',', value_name = "CODE,...")]
    pub languages: Vec<String>,
    /// Stop after N seconds
    #[arg(long, value_name = "N")]
    pub max_seconds: Option<u64>,
    /// Give up on a group of seeds or a branch of a site after N pages in a row without a new find;
    /// 0 = never
    #[arg(long, value_name = "N")]
    pub patience: Option<u32>,
    /// Subjects of the crawl, e.g. "flood zones, land cover"
    #[arg(long, value_delimiter = ',', value_name = "WORDS,...")]
    pub keywords: Vec<String>,
    /// Query these configured search engines for seeds, with the keywords (see `geotrawl seeds
    /// engines`)
    #[arg(long, value_delimiter = ',', value_name = "NAME,...", requires = "keywords")]
    pub engines: Vec<String>,
    // The help is a function because it lists the available rankings.
    #[arg(long, value_name = "NAME", help = orderings(), value_parser = geotrawl_crawl::options::parse_ranking_name)]
    pub ordering: Option<String>,
    /// Do not analyze the scripts of map applications
    #[arg(long)]
    pub no_scripts: bool,
    /// Render map applications in a browser (Chromium) when their code reveals nothing
    #[arg(long, conflicts_with = "no_scripts")]
    pub render: bool,
    /// Name of the task; reuse it to resume an interrupted task [default: derived from seeds and
    /// options]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// Accepted for compatibility; has no effect
    #[arg(long)]
    pub no_check: bool,
}

fn orderings() -> String {
    let names: Vec<&str> = geotrawl_rank::ORDERINGS.iter().map(|choice| choice.name).collect();
    let default = geotrawl_crawl::options::default_ranking();
    format!("Order in which pages are read: {} [default: {default}]", names.join(", "))
}

/// Arguments of `harvest`.
#[derive(Debug, Args)]
pub struct HarvestArgs {
    /// Addresses of catalogues, or of pages that link to them
    #[arg(required_unless_present = "seeds_from", value_name = "URL")]
    pub catalogues: Vec<String>,
    /// Harvest the catalogues of a list stored by `geotrawl seeds import` (repeatable)
    #[arg(long = "seeds", value_name = "LIST", id = "seeds_from", conflicts_with = "dry_run")]
    pub lists: Vec<String>,
    /// Show the first pages of the catalogue without storing anything
    #[arg(long)]
    pub dry_run: bool,
    /// With --dry-run, the number of pages to read
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub pages: u32,
    /// Harvest only what changed since TIME (RFC 3339 or a date) [default: since the last complete
    /// harvest]
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub since: Option<String>,
    /// Harvest everything, including records harvested before
    #[arg(long, conflicts_with = "since")]
    pub full: bool,
    /// Store the records, but do not probe the services and files that they name
    #[arg(long)]
    pub records_only: bool,
    /// Name of the task; reuse it to resume an interrupted task [default: derived from the
    /// addresses]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
}

/// Arguments of `probe`.
#[derive(Debug, Args)]
pub struct ProbeArgs {
    /// Addresses or files to identify
    #[arg(required_unless_present = "corpus", value_name = "URL|FILE")]
    pub inputs: Vec<String>,
    /// Compare the results with a labelled set: its manifest (JSON Lines), with the files next to
    /// it
    #[arg(long, value_name = "MANIFEST", conflicts_with = "inputs")]
    pub corpus: Option<PathBuf>,
    /// With --corpus, labels that are known to be wrong (JSON list of id, field, reason)
    #[arg(long, value_name = "FILE", requires = "corpus")]
    pub exceptions: Option<PathBuf>,
    /// For a file, the address it was downloaded from
    #[arg(long, value_name = "URL")]
    pub as_url: Option<url::Url>,
    /// For a file, its content type
    #[arg(long, value_name = "TYPE")]
    pub content_type: Option<String>,
}

/// Arguments of `extract`.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// Addresses or files to read
    #[arg(required = true, value_name = "URL|FILE")]
    pub inputs: Vec<String>,
    /// For a file, the address that relative links are resolved against
    #[arg(long, value_name = "URL")]
    pub base_url: Option<url::Url>,
    /// List only addresses that may be services or files
    #[arg(long)]
    pub services: bool,
    /// Do not analyze the scripts of map applications
    #[arg(long)]
    pub no_scripts: bool,
    /// Render map applications in a browser (Chromium) when their code reveals nothing
    #[arg(long, conflicts_with = "no_scripts")]
    pub render: bool,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// Address, or id of a record
    #[arg(value_name = "URL|ID")]
    pub what: String,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Addresses or ids of records [default: the whole catalogue]
    #[arg(value_name = "URL|ID")]
    pub targets: Vec<String>,
    /// Kind of the resource, if it cannot be detected from the address, e.g. wms
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// Number of layers to test
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub sample: usize,
    /// Obey robots.txt, as scheduled checks do
    #[arg(long)]
    pub robots: bool,
}

/// Arguments of `worker`.
#[derive(Debug, Args)]
pub struct WorkerArgs {
    /// Crawl at most N tasks at once
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub tasks: u16,
    /// Serve health, readiness and metrics on this address (/healthz, /readyz, /metrics)
    #[arg(long, value_name = "IP:PORT")]
    pub listen: Option<SocketAddr>,
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Address that `serve` will listen on
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
}

/// Arguments of `monitor`.
#[derive(Debug, Args)]
pub struct MonitorArgs {
    /// Run the checks that are due now, then exit
    #[arg(long)]
    pub once: bool,
    /// Serve health, readiness and metrics on this address (/healthz, /readyz, /metrics)
    #[arg(long, value_name = "IP:PORT", conflicts_with = "once")]
    pub listen: Option<SocketAddr>,
}

/// Arguments of `themes`.
#[derive(Debug, Args)]
pub struct ThemesArgs {
    /// Texts to label [default: relabel all records of the catalogue]
    #[arg(value_name = "TEXT")]
    pub texts: Vec<String>,
    /// List the vocabularies, or the terms of one
    #[arg(long, value_name = "SCHEME", num_args = 0..=1, default_missing_value = "", conflicts_with = "texts")]
    pub list: Option<String>,
}

/// Arguments of `search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Search words; supports "phrases", wat*, roda~, AND OR NOT, title:, provider: ...
    #[arg(value_name = "WORDS")]
    pub words: Vec<String>,
    /// Only records in this area: west,south,east,north, or a place name
    #[arg(long, value_name = "W,S,E,N|PLACE", allow_hyphen_values = true, value_parser = bbox)]
    pub bbox: Option<geotrawl_model::Bbox>,
    /// How the record's box must relate to --bbox
    #[arg(long, value_enum, default_value_t = RelationArg::Overlaps)]
    pub relation: RelationArg,
    /// Only these kinds
    #[arg(long, value_delimiter = ',', value_name = "KIND,...")]
    pub kind: Vec<String>,
    /// Only these themes
    #[arg(long, value_delimiter = ',', value_name = "THEME,...")]
    pub theme: Vec<String>,
    /// Only records with these statuses, or any [default: usable ones]
    #[arg(long, value_delimiter = ',', value_name = "STATUS,...")]
    pub status: Vec<String>,
    /// Search layers instead of services
    #[arg(long)]
    pub layers: bool,
    /// Maximum number of results
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Number of results to skip
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: usize,
    /// Show how each factor contributed to the ranking
    #[arg(long)]
    pub explain: bool,
}

/// Values of `--relation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RelationArg {
    /// The boxes intersect
    Overlaps,
    /// The record's box contains the given box
    Contains,
    /// The record's box lies within the given box
    Within,
}

impl RelationArg {
    /// Returns the relation as the index defines it.
    pub fn to_relation(self) -> geotrawl_index::SpatialRelation {
        match self {
            Self::Overlaps => geotrawl_index::SpatialRelation::Overlaps,
            Self::Contains => geotrawl_index::SpatialRelation::Contains,
            Self::Within => geotrawl_index::SpatialRelation::Within,
        }
    }
}

/// Commands of `index`.
#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Delete the index and build it again from the catalogue
    Rebuild,
}

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Address to listen on, e.g. 127.0.0.1:8080
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDR")]
    pub listen: SocketAddr,
    /// Run only these parts: web, worker, monitor [default: all]
    #[arg(long, value_delimiter = ',', value_name = "ROLE,...")]
    pub role: Vec<String>,
}

/// Commands of `user`.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a user; without --password-stdin a password is generated and printed
    Add(UserAddArgs),
    /// List all users
    List,
    /// Set a new password
    Password {
        /// Name of the user
        name: String,
        /// Read the password from standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// Change the role of a user
    Role {
        /// Name of the user
        name: String,
        /// New role
        role: RoleArg,
    },
    /// Disable a user account
    Disable {
        /// Name of the user
        name: String,
    },
    /// Enable a disabled user account
    Enable {
        /// Name of the user
        name: String,
    },
    /// Remove a user; what their tasks found is kept
    Remove {
        /// Name of the user
        name: String,
    },
}

/// Arguments of `user add`.
#[derive(Debug, Args)]
pub struct UserAddArgs {
    /// Name to log in with
    pub name: String,
    /// Give the user the admin role
    #[arg(long)]
    pub admin: bool,
    /// E-mail address for notifications
    #[arg(long)]
    pub email: Option<String>,
    /// Maximum number of concurrent tasks
    #[arg(long, value_name = "N")]
    pub max_running: Option<u32>,
    /// Read the password from standard input
    #[arg(long)]
    pub password_stdin: bool,
}

/// Values of `user role`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RoleArg {
    /// Can run tasks and download results
    User,
    /// Can do everything
    Admin,
}

impl RoleArg {
    /// Returns the role as the model defines it.
    pub fn to_role(self) -> geotrawl_model::account::UserRole {
        match self {
            Self::User => geotrawl_model::account::UserRole::User,
            Self::Admin => geotrawl_model::account::UserRole::Admin,
        }
    }
}

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Address to listen on [default: 127.0.0.1:8080, or a free port]
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<SocketAddr>,
    /// Exit when the crawl is finished instead of serving the application
    #[arg(long)]
    pub no_serve: bool,
    /// Seed of the simulated web
    #[arg(long, default_value_t = 7)]
    pub seed: u64,
    /// Number of hosts
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(10..=20_000))]
    pub hosts: u64,
}

/// Arguments of `simweb`.
#[derive(Debug, Args)]
pub struct SimwebArgs {
    /// Seed of the simulated web; the same seed and size always give the same web
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of hosts
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(10..=20_000))]
    pub hosts: u64,
    /// Approximate number of pages [default: 60 per host]
    #[arg(long)]
    pub pages: Option<u64>,
    /// Include all hostile hosts
    #[arg(long)]
    pub hostile: bool,
    /// Address to listen on; loopback only
    #[arg(long, default_value = "127.0.0.1:8090", value_name = "ADDR")]
    pub listen: SocketAddr,
    /// Write the ground truth to this file (JSON)
    #[arg(long, value_name = "FILE")]
    pub truth: Option<PathBuf>,
    /// Log every request to this file (JSON Lines)
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Write the web as archives to this folder instead of serving it (WARC, WAT, WET, CDXJ,
    /// Parquet)
    #[arg(long, value_name = "DIR", conflicts_with = "log")]
    pub archive: Option<PathBuf>,
    /// With --archive, add further webs until the WARC file has N megabytes before compression
    #[arg(long, value_name = "N", requires = "archive")]
    pub archive_megabytes: Option<u64>,
}

/// Parses a date or date and time to RFC 3339; a date is the start of that day in UTC.
fn moment(text: &str) -> Result<String, String> {
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    let at: jiff::Timestamp = whole.parse().map_err(|_invalid| {
        format!("invalid time '{text}'; use a date (2026-01-31) or a date with time (2026-01-31T12:00:00Z)")
    })?;
    Ok(at.to_string())
}

/// Parses a box from its four sides or from a place name.
fn bbox(text: &str) -> Result<geotrawl_model::Bbox, String> {
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return place(text);
    }
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse().map_err(|error| format!("'{part}' is not a number: {error}")))
        .collect::<Result<_, _>>()?;
    let [west, south, east, north] = numbers[..] else {
        return Err("expected four numbers: west,south,east,north in degrees".into());
    };
    if !(-180.0..=180.0).contains(&west) || !(-180.0..=180.0).contains(&east) {
        return Err("west and east must be between -180 and 180".into());
    }
    if !(-90.0..=90.0).contains(&south) || !(-90.0..=90.0).contains(&north) || south > north {
        return Err("south and north must be between -90 and 90, south first".into());
    }
    Ok([west, south, east, north].into())
}

fn place(text: &str) -> Result<geotrawl_model::Bbox, String> {
    let found = geotrawl_serve::assets::gazetteer().find_place(text);
    found.map(|place| place.bbox).ok_or_else(|| {
        format!(
            "unknown place '{text}'; use a town, region, country or sea (`Paris, US` for the one in a \
             given country), or four numbers: west,south,east,north in degrees"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// Collects the help of a command and of all its subcommands, rendered for 80 columns.
    fn add_helps(command: &mut clap::Command, name: &str, helps: &mut Vec<(String, String)>) {
        // Values of environment variables differ between machines.
        let mut shown = command.clone().mut_args(|argument| argument.hide_env_values(true));
        helps.push((name.to_owned(), shown.render_long_help().to_string()));
        for below in command.get_subcommands_mut().filter(|below| below.get_name() != "help") {
            let name = format!("{name}-{}", below.get_name());
            add_helps(below, &name, helps);
        }
    }

    #[test]
    fn every_help_is_as_it_was() {
        let mut command = Cli::command().term_width(80);
        command.build();
        let mut helps = Vec::new();
        add_helps(&mut command, "help", &mut helps);
        for (name, help) in helps {
            insta::assert_snapshot!(name, help);
        }
    }

    #[test]
    fn a_bbox_is_checked() {
        assert!(bbox("5,45,11,48").is_ok());
        assert!(bbox("170,-20,-170,10").is_ok(), "crosses the antimeridian");
        assert!(bbox("5,45,11").unwrap_err().contains("four numbers"));
        assert!(bbox("5,48,11,45").unwrap_err().contains("south first"));
        assert!(bbox("x,45,11,48").unwrap_err().contains("'x'"));
    }

    #[test]
    fn a_place_is_a_bbox() {
        let land: [f64; 4] = bbox("Niederlande").unwrap().into();
        assert!(land[0] > 3.0 && land[2] < 8.0 && land[1] > 50.0 && land[3] < 54.0, "{land:?}");
        assert_ne!(bbox("Georgia, US"), bbox("Georgia, GE"));
        assert!(bbox("Nowhere at all").unwrap_err().contains("unknown place 'Nowhere at all'"));
        assert!(bbox("").is_err());
    }
}
