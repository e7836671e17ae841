//! The command line: stable, scripts rely on it.

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

/// Geotrawl finds the geospatial web.
///
/// Give it a website: it crawls, finds the geospatial services and files there, proves that each one
/// works, and keeps them in a catalogue.
#[derive(Debug, Parser)]
#[command(name = "geotrawl", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 done; 1 finished with failures named on stderr; 2 wrong usage or \
configuration; 3 store unavailable or damaged; 130 interrupted (state kept).")]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub struct GlobalArgs {
    /// Database that several processes share, e.g. postgres://user@host/database; the data directory then holds only
    /// what is made from it here
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "GEOTRAWL_STORE",
        hide_env_values = true,
        value_parser = crate::stores::StoreUrl::from_str
    )]
    pub store: Option<crate::stores::StoreUrl>,
    /// Directory of the embedded store, and of what is made from a catalogue
    #[arg(long, global = true, value_name = "DIR", default_value = "./geotrawl-data", env = "GEOTRAWL_DATA")]
    pub data: PathBuf,
    /// Configuration file (TOML); `docs/geotrawl.default.toml` lists every setting
    #[arg(long, global = true, value_name = "FILE", env = "GEOTRAWL_CONFIG")]
    pub config: Option<PathBuf>,
    /// Machine output on stdout: one JSON object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Say more (repeat for more)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// How log lines on stderr are written
    #[arg(long, global = true, value_name = "FORMAT", default_value = "text", env = "GEOTRAWL_LOG_FORMAT")]
    pub log_format: crate::telemetry::LogFormat,
    /// Say only what was asked for
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Connect to IP[:PORT] for host names that match PATTERN (`*`, `*.name` or a name); always allowed
    #[arg(long, global = true, value_name = "PATTERN=IP[:PORT]")]
    pub resolve: Vec<AddressPin>,
    /// Network beyond the public internet that may be contacted (repeatable)
    #[arg(long, global = true, value_name = "CIDR", value_parser = parse_net)]
    pub allow_net: Vec<IpNet>,
    /// Least time between two requests to one host, in milliseconds
    #[arg(long, global = true, value_name = "MS")]
    pub delay: Option<u64>,
    /// Requests in flight at once, over all hosts
    #[arg(long, global = true, value_name = "N")]
    pub concurrency: Option<usize>,
    /// Requests in flight at once to one host (1 is polite)
    #[arg(long, global = true, value_name = "N")]
    pub host_concurrency: Option<usize>,
    /// How we introduce ourselves
    #[arg(long, global = true, value_name = "TEXT")]
    pub user_agent: Option<String>,
    /// A file that describes a catalogue protocol of your own (repeatable; see docs/guide/connectors.md)
    #[arg(long, global = true, value_name = "FILE")]
    pub connector: Vec<PathBuf>,
    /// A vocabulary of themes of your own (repeatable; see docs/guide/themes.md)
    #[arg(long, global = true, value_name = "FILE")]
    pub vocabulary: Vec<PathBuf>,
    /// Longest time for one request, in seconds
    #[arg(long, global = true, value_name = "S")]
    pub timeout: Option<u64>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Crawl from one or more addresses and print each resource once, when proven
    Crawl(CrawlArgs),
    /// What is this? Look at addresses or files without a crawl
    Probe(ProbeArgs),
    /// List the addresses that a page or file reveals
    Extract(ExtractArgs),
    /// Read everything behind a catalogue: CSW, OGC API Records, STAC, CKAN, DCAT, OAI-PMH, ...
    Harvest(HarvestArgs),
    /// Find services and files in archives of the web: WARC, WAT, WET, CDXJ, Common Crawl's columnar index
    Mine(MineArgs),
    /// Addresses to start from: registries, tables, outlines, sitemaps, search engines
    Seeds {
        #[command(subcommand)]
        what: SeedsCommand,
    },
    /// Collections of pages about a subject, kept as they were: run again and again, looked at as of any day
    Archive {
        #[command(subcommand)]
        what: ArchiveCommand,
    },
    /// Write the catalogue, or a part of it, to a file, a folder or stdout
    Export(ExportArgs),
    /// Take in what another instance found: a dump, or a file of records
    Import(ImportArgs),
    /// All that is known about an address or a record: evidence, and the way it was found
    Explain(ExplainArgs),
    /// Does it work? Asks services and files, shows every request, and compares with the last time
    Check(CheckArgs),
    /// Check the catalogue on its schedule, and tell people what changed
    Monitor(MonitorArgs),
    /// What a text, a file or the catalogue is about
    Themes(ThemesArgs),
    /// Search the catalogue by words and place
    Search(SearchArgs),
    /// The search index, which is made from the catalogue
    Index {
        #[command(subcommand)]
        what: IndexCommand,
    },
    /// Numbers about the catalogue
    Stats,
    /// The store as a whole: copy it to another kind of store, back it up, spread it over nodes
    Store {
        #[command(subcommand)]
        what: StoreCommand,
    },
    /// The web application, the API and the tasks in one process
    Serve(ServeArgs),
    /// Crawl tasks beside others that share a store: joins what is being crawled, and takes what waits
    Worker(WorkerArgs),
    /// Look for what is wrong: configuration, store, ports, browser
    Doctor(DoctorArgs),
    /// People who may log in
    User {
        #[command(subcommand)]
        what: UserCommand,
    },
    /// Crawl a simulated web on this machine, with the application open on it
    Demo(DemoArgs),
    /// Serve a simulated GeoWeb on loopback
    Simweb(SimwebArgs),
    /// Study scripts for another process of this program
    #[command(name = geotrawl_crawl::apps::study::COMMAND, hide = true)]
    StudyScripts,
    /// Read a document for another process of this program
    #[command(name = geotrawl_crawl::archive::COMMAND, hide = true)]
    ReadDocument,
    /// Print shell completions
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page (roff)
    Man,
}

/// `crawl`.
#[derive(Debug, Args)]
pub struct CrawlArgs {
    /// Where to start: addresses of pages, sites, services or files
    #[arg(required_unless_present_any = ["seeds_from", "engines"], value_name = "SEED")]
    pub seeds: Vec<String>,
    /// Start from a list that `geotrawl seeds import` has stored (repeatable)
    #[arg(long = "seeds", value_name = "LIST", id = "seeds_from")]
    pub lists: Vec<String>,
    /// Read pages at most N links away from a seed; what they point to is still proven [default: 2]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Read at most N pages
    #[arg(long, value_name = "N")]
    pub max_pages: Option<u64>,
    /// Make at most N requests to one host [default: 10000]
    #[arg(long, value_name = "N")]
    pub max_per_host: Option<u64>,
    /// How far links may lead: host, domain or any [default: any]
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<geotrawl_crawl::options::CrawlScope>,
    /// With a narrower scope: still prove services and files that lie outside of it
    #[arg(long)]
    pub prove_outside: bool,
    /// Read only pages whose path starts with this (repeatable; seeds excepted)
    #[arg(long, value_name = "PATH")]
    pub path_prefix: Vec<String>,
    /// Only these kinds, e.g. wms,wfs,kml
    #[arg(long, value_delimiter = ',', value_name = "KIND,...")]
    pub kinds: Vec<String>,
    /// Only resources that touch this box (or whose place is unknown): west,south,east,north, or the name of a place
    #[arg(long, value_name = "W,S,E,N|PLACE", allow_hyphen_values = true, value_parser = bbox)]
    pub bbox: Option<geotrawl_model::Bbox>,
    /// Open at most N groups of ten seeds, each when the one before is exhausted [default: all seeds at once]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub width: Option<u32>,
    /// Follow at most N links of one page
    #[arg(long, value_name = "N")]
    pub links_per_page: Option<u32>,
    /// Follow only pages in these languages (ISO 639-1), e.g. de,fr
    #[arg(long, value_delimiter = ',', value_name = "CODE,...")]
    pub languages: Vec<String>,
    /// End after N seconds
    #[arg(long, value_name = "N")]
    pub max_seconds: Option<u64>,
    /// End a group of seeds, or a branch of a site, after N pages in a row without a new find; 0: never
    #[arg(long, value_name = "N")]
    pub patience: Option<u32>,
    /// What the crawl is about, e.g. "flood zones, land cover"
    #[arg(long, value_delimiter = ',', value_name = "WORDS,...")]
    pub keywords: Vec<String>,
    /// Ask these search engines of the configuration for seeds, with the keywords (see `geotrawl seeds engines`)
    #[arg(long, value_delimiter = ',', value_name = "NAME,...", requires = "keywords")]
    pub engines: Vec<String>,
    // The help names the orderings there are.
    #[arg(long, value_name = "NAME", help = orderings(), value_parser = geotrawl_crawl::options::parse_ranking_name)]
    pub ordering: Option<String>,
    /// Do not read the scripts of map applications
    #[arg(long)]
    pub no_scripts: bool,
    /// Let a browser (Chromium) look at map applications whose code shows nothing
    #[arg(long, conflicts_with = "no_scripts")]
    pub render: bool,
    /// Name of the task; the same name continues what was interrupted [default: from seeds and options]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// Accepted for scripts: a crawl proves what it finds and does no further checks
    #[arg(long)]
    pub no_check: bool,
}

fn orderings() -> String {
    let names: Vec<&str> = geotrawl_rank::ORDERINGS.iter().map(|choice| choice.name).collect();
    let default = geotrawl_crawl::options::default_ranking();
    format!("In which order pages are read: {} [default: {default}]", names.join(", "))
}

/// `harvest`.
#[derive(Debug, Args)]
pub struct HarvestArgs {
    /// Addresses of catalogues, or of pages that name them
    #[arg(required_unless_present = "seeds_from", value_name = "URL")]
    pub catalogues: Vec<String>,
    /// Harvest the catalogues of a list that `geotrawl seeds import` has stored (repeatable)
    #[arg(long = "seeds", value_name = "LIST", id = "seeds_from", conflicts_with = "dry_run")]
    pub lists: Vec<String>,
    /// Show what the catalogue says without keeping anything: the first pages only
    #[arg(long)]
    pub dry_run: bool,
    /// With --dry-run: how many pages to read
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub pages: u32,
    /// Only what has changed since then (RFC 3339 or a date) [default: since the last whole harvest]
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub since: Option<String>,
    /// Everything, also what was harvested before
    #[arg(long, conflicts_with = "since")]
    pub full: bool,
    /// Keep the records, but do not ask the services and files that they name
    #[arg(long)]
    pub records_only: bool,
    /// Name of the task; the same name continues what was interrupted [default: from the addresses]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
}

/// `probe`.
#[derive(Debug, Args)]
pub struct ProbeArgs {
    /// Addresses or files
    #[arg(required_unless_present = "corpus", value_name = "URL|FILE")]
    pub inputs: Vec<String>,
    /// Compare a labelled set with what is found: its manifest (JSON Lines), beside which the files lie
    #[arg(long, value_name = "MANIFEST", conflicts_with = "inputs")]
    pub corpus: Option<PathBuf>,
    /// With --corpus: labels that are known to be wrong (JSON list of id, field, reason)
    #[arg(long, value_name = "FILE", requires = "corpus")]
    pub exceptions: Option<PathBuf>,
    /// For a file: the address it came from
    #[arg(long, value_name = "URL")]
    pub as_url: Option<url::Url>,
    /// For a file: the content type it came with
    #[arg(long, value_name = "TYPE")]
    pub content_type: Option<String>,
}

/// `extract`.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// Addresses or files
    #[arg(required = true, value_name = "URL|FILE")]
    pub inputs: Vec<String>,
    /// For a file: the address that relative links start from
    #[arg(long, value_name = "URL")]
    pub base_url: Option<url::Url>,
    /// Only what is worth probing as a service or file
    #[arg(long)]
    pub services: bool,
    /// Do not read the scripts of map applications
    #[arg(long)]
    pub no_scripts: bool,
    /// Let a browser (Chromium) look at map applications whose code shows nothing
    #[arg(long, conflicts_with = "no_scripts")]
    pub render: bool,
}

/// `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// An address, or the id of a record
    #[arg(value_name = "URL|ID")]
    pub what: String,
}

/// `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Addresses or ids of records; none: everything in the catalogue
    #[arg(value_name = "URL|ID")]
    pub targets: Vec<String>,
    /// What it is, where the address does not tell, e.g. wms
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// Layers to try
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub sample: usize,
    /// Obey robots.txt, as the schedule does
    #[arg(long)]
    pub robots: bool,
}

/// `worker`.
#[derive(Debug, Args)]
pub struct WorkerArgs {
    /// Crawl at most N tasks at once
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub tasks: u16,
    /// Answer health, readiness and figures there (/healthz, /readyz, /metrics)
    #[arg(long, value_name = "IP:PORT")]
    pub listen: Option<SocketAddr>,
}

/// `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Where `serve` is to listen
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
}

/// `monitor`.
#[derive(Debug, Args)]
pub struct MonitorArgs {
    /// Check what is due now, then end
    #[arg(long)]
    pub once: bool,
    /// Answer health, readiness and figures there (/healthz, /readyz, /metrics)
    #[arg(long, value_name = "IP:PORT", conflicts_with = "once")]
    pub listen: Option<SocketAddr>,
}

/// `themes`.
#[derive(Debug, Args)]
pub struct ThemesArgs {
    /// Texts to label; none: label the records of the catalogue anew
    #[arg(value_name = "TEXT")]
    pub texts: Vec<String>,
    /// List the vocabularies, or the terms of one
    #[arg(long, value_name = "SCHEME", num_args = 0..=1, default_missing_value = "", conflicts_with = "texts")]
    pub list: Option<String>,
}

/// `search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Words; phrases in quotes, wat*, roda~, AND OR NOT, title:, provider: ...
    #[arg(value_name = "WORDS")]
    pub words: Vec<String>,
    /// Only what lies there: west,south,east,north, or the name of a place
    #[arg(long, value_name = "W,S,E,N|PLACE", allow_hyphen_values = true, value_parser = bbox)]
    pub bbox: Option<geotrawl_model::Bbox>,
    /// How the record's box must lie to --bbox
    #[arg(long, value_enum, default_value_t = RelationArg::Overlaps)]
    pub relation: RelationArg,
    /// Only these kinds
    #[arg(long, value_delimiter = ',', value_name = "KIND,...")]
    pub kind: Vec<String>,
    /// Only these themes
    #[arg(long, value_delimiter = ',', value_name = "THEME,...")]
    pub theme: Vec<String>,
    /// Only these statuses, or any [default: what is usable]
    #[arg(long, value_delimiter = ',', value_name = "STATUS,...")]
    pub status: Vec<String>,
    /// Search layers instead of services
    #[arg(long)]
    pub layers: bool,
    /// Hits at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Hits to leave out before
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: usize,
    /// Say what each signal gave to the rank
    #[arg(long)]
    pub explain: bool,
}

/// Words of `--relation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RelationArg {
    /// They share some place
    Overlaps,
    /// The record's box holds the whole box
    Contains,
    /// The record's box lies within the box
    Within,
}

impl RelationArg {
    /// What it means to the index.
    pub fn to_relation(self) -> geotrawl_index::SpatialRelation {
        match self {
            Self::Overlaps => geotrawl_index::SpatialRelation::Overlaps,
            Self::Contains => geotrawl_index::SpatialRelation::Contains,
            Self::Within => geotrawl_index::SpatialRelation::Within,
        }
    }
}

/// What to do with the index.
#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Throw it away and make it anew
    Rebuild,
}

/// `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDR")]
    pub listen: SocketAddr,
    /// Only these parts: web, worker, monitor [default: all]
    #[arg(long, value_delimiter = ',', value_name = "ROLE,...")]
    pub role: Vec<String>,
}

/// What to do with people.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a person; without --password-stdin a password is made up and printed
    Add(UserAddArgs),
    /// List all
    List,
    /// Set a new password
    Password {
        /// Whose
        name: String,
        /// Read it from standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// Change what a person may do
    Role {
        /// Whose
        name: String,
        /// user or admin
        role: RoleArg,
    },
    /// Keep a person from logging in
    Disable {
        /// Whom
        name: String,
    },
    /// Let a person log in again
    Enable {
        /// Whom
        name: String,
    },
    /// Remove a person; what their tasks found stays
    Remove {
        /// Whom
        name: String,
    },
}

/// `user add`.
#[derive(Debug, Args)]
pub struct UserAddArgs {
    /// Name to log in with
    pub name: String,
    /// May do everything
    #[arg(long)]
    pub admin: bool,
    /// Address for letters
    #[arg(long)]
    pub email: Option<String>,
    /// Tasks that may run at once
    #[arg(long, value_name = "N")]
    pub max_running: Option<u32>,
    /// Read the password from standard input
    #[arg(long)]
    pub password_stdin: bool,
}

/// Words of `user role`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RoleArg {
    /// Own tasks, downloads
    User,
    /// Everything
    Admin,
}

impl RoleArg {
    /// The role.
    pub fn to_role(self) -> geotrawl_model::account::UserRole {
        match self {
            Self::User => geotrawl_model::account::UserRole::User,
            Self::Admin => geotrawl_model::account::UserRole::Admin,
        }
    }
}

/// `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Where the application listens [default: 127.0.0.1:8080, or a free port]
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<SocketAddr>,
    /// End when the crawl is over, without the application
    #[arg(long)]
    pub no_serve: bool,
    /// Which simulated web
    #[arg(long, default_value_t = 7)]
    pub seed: u64,
    /// How many hosts it has
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(10..=20_000))]
    pub hosts: u64,
}

/// `simweb`.
#[derive(Debug, Args)]
pub struct SimwebArgs {
    /// Which simulated web: the same number and size always give the same one
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many hosts it has
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(10..=20_000))]
    pub hosts: u64,
    /// How many pages, about [default: 60 a host]
    #[arg(long)]
    pub pages: Option<u64>,
    /// Include the whole hostile set
    #[arg(long)]
    pub hostile: bool,
    /// Where to listen; loopback only
    #[arg(long, default_value = "127.0.0.1:8090", value_name = "ADDR")]
    pub listen: SocketAddr,
    /// Write the ground truth here (JSON)
    #[arg(long, value_name = "FILE")]
    pub truth: Option<PathBuf>,
    /// Write every request here (JSON Lines)
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Do not serve it: write it as archives to this folder (WARC, WAT, WET, CDXJ, Parquet)
    #[arg(long, value_name = "DIR", conflicts_with = "log")]
    pub archive: Option<PathBuf>,
    /// With --archive: go on with further webs until the WARC file has this many megabytes before compression
    #[arg(long, value_name = "N", requires = "archive")]
    pub archive_megabytes: Option<u64>,
}

/// A moment as RFC 3339 text; a date is its first moment.
fn moment(text: &str) -> Result<String, String> {
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    let at: jiff::Timestamp = whole.parse().map_err(|_invalid| {
        format!("'{text}' is no moment; write a date (2026-01-31) or a date with time (2026-01-31T12:00:00Z)")
    })?;
    Ok(at.to_string())
}

/// A box by its four sides, or by the name of what lies in it.
fn bbox(text: &str) -> Result<geotrawl_model::Bbox, String> {
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return place(text);
    }
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse().map_err(|error| format!("'{part}' is not a number: {error}")))
        .collect::<Result<_, _>>()?;
    let [west, south, east, north] = numbers[..] else {
        return Err("four numbers are needed: west,south,east,north in degrees".into());
    };
    if !(-180.0..=180.0).contains(&west) || !(-180.0..=180.0).contains(&east) {
        return Err("west and east must lie between -180 and 180".into());
    }
    if !(-90.0..=90.0).contains(&south) || !(-90.0..=90.0).contains(&north) || south > north {
        return Err("south and north must lie between -90 and 90, south first".into());
    }
    Ok([west, south, east, north].into())
}

fn place(text: &str) -> Result<geotrawl_model::Bbox, String> {
    let found = geotrawl_serve::assets::gazetteer().find_place(text);
    found.map(|place| place.bbox).ok_or_else(|| {
        format!(
            "no place called '{text}' is known; write a town, region, country or sea (`Paris, US` for the one in a \
             certain country), or four numbers: west,south,east,north in degrees"
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

    /// Adds the help of a command and of all below it, as a terminal of 80 columns shows it.
    fn add_helps(command: &mut clap::Command, name: &str, helps: &mut Vec<(String, String)>) {
        // Variables of the environment would show their values.
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
        assert!(bbox("Nowhere at all").unwrap_err().contains("no place called 'Nowhere at all'"));
        assert!(bbox("").is_err());
    }
}
