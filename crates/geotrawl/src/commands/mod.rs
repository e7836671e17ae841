//! Implementations of the commands, one file each.

pub mod archive;
pub mod check;
pub mod crawl;
pub mod demo;
pub mod doctor;
pub mod explain;
pub mod export;
pub mod extract;
pub mod harvest;
pub mod import;
pub mod man;
pub mod meta;
pub mod mine;
pub mod monitor;
pub mod probe;
pub mod search;
pub mod seeds;
pub mod serve;
pub mod simweb;
pub mod store;
pub mod themes;
pub mod user;
pub mod worker;

use crate::cli::GlobalArgs;
use crate::exit::UsageError;
use anyhow::{Context, Result};
use geotrawl_crawl::apps::{PageFolder, ScriptAnalyzer};
use geotrawl_crawl::fetch::GuardedClient;
use geotrawl_store::geoip::GeoIpDatabases;
use std::path::Path;
use url::Url;

/// An argument of the user: an address or a file.
enum CommandInput {
    Web(Url),
    File(std::fs::File, Url, PageFolder),
}

/// Parses an argument as a file if it exists, else as an address. `base` is the address that a file
/// stands for.
fn input(text: &str, base: Option<&Url>) -> Result<CommandInput> {
    let path = Path::new(text);
    let is_address = text.starts_with("http://") || text.starts_with("https://");
    if !is_address && path.exists() {
        let file = std::fs::File::open(path).with_context(|| format!("cannot open {text}"))?;
        // Formats are detected from content; the name is only shown to the user.
        let mut url = Url::parse("http://file.invalid/")?;
        url.set_path(&path.file_name().unwrap_or_default().to_string_lossy());
        let url = base.cloned().unwrap_or(url);
        let disk = PageFolder::beside(path, &url);
        return Ok(CommandInput::File(file, url, disk));
    }
    if !is_address && !text.contains("://") && !text.contains('.') {
        return Err(UsageError(format!("'{text}' is neither an existing file nor a web address")).into());
    }
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let url = Url::parse(&with_scheme)
        .map_err(|error| UsageError(format!("'{text}' is not a web address: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(UsageError(format!("'{text}': only http and https addresses are supported")).into());
    }
    Ok(CommandInput::Web(url))
}

/// Returns a client for requests outside of a crawl, and its runtime.
fn client(global: &GlobalArgs) -> Result<(GuardedClient, tokio::runtime::Runtime)> {
    let config = crate::config::Config::load(global)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let client = runtime.block_on(async { GuardedClient::new(config.fetch) })?;
    Ok((client, runtime))
}

/// Returns the script analyzers: child processes of this program, or this process if they cannot be
/// started.
fn students() -> ScriptAnalyzer {
    std::env::current_exe().map_or(ScriptAnalyzer::Here, ScriptAnalyzer::with_processes)
}

/// Opens the catalogue for reading, even while a crawl writes to it.
fn catalogue(global: &GlobalArgs) -> Result<crate::stores::OpenStore> {
    crate::stores::open_to_read(global)
}

/// Serves health, readiness and metrics on an address until stopped.
fn listen(
    runtime: &tokio::runtime::Handle,
    address: std::net::SocketAddr,
    probes: geotrawl_serve::health::HealthState,
    mut stopped: tokio::sync::watch::Receiver<bool>,
    quiet: bool,
) -> Result<()> {
    let listener = runtime.block_on(tokio::net::TcpListener::bind(address)).map_err(|error| {
        UsageError(format!("cannot listen on {address}: {error}; choose another address with --listen"))
    })?;
    if !quiet {
        crate::output::print_message(&format!("Health and metrics on http://{}", listener.local_addr()?));
    }
    runtime.spawn(geotrawl_serve::health::serve_health(probes, listener, async move {
        let _ = stopped.wait_for(|stop| *stop).await;
    }));
    Ok(())
}

/// Loads the GeoIP databases: the operator's first, then the one shipped with the program.
fn places(serve: &geotrawl_serve::ServeConfig) -> Result<GeoIpDatabases> {
    let mut places = GeoIpDatabases::default();
    let usage = |error: geotrawl_store::geoip::GeoIpError| UsageError(error.to_string());
    if let Some(table) = &serve.place_table {
        let text = std::fs::read_to_string(table)
            .map_err(|error| UsageError(format!("cannot read {}: {error}", table.display())))?;
        places = places.with_table(&table.display().to_string(), &text).map_err(usage)?;
    }
    for file in &serve.places {
        places = places.with_mmdb(file).map_err(usage)?;
    }
    if let Some(bytes) = geotrawl_serve::assets::country_database() {
        places = places.with_mmdb_bytes("that ships with the program", bytes)?;
    }
    Ok(places)
}
