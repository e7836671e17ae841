//! `simweb`: serves the simulated web until interrupted.

use crate::cli::SimwebArgs;
use crate::exit::{ExitStatus, UsageError};
use crate::output;
use anyhow::{Context, Result};
use geotrawl_simweb::archive::{ArchiveOptions, write_archive};
use geotrawl_simweb::{LogSink, SimWeb, SimWebConfig};
use std::net::TcpListener;
use std::path::Path;

/// Serves until Ctrl-C.
pub fn run(args: &SimwebArgs) -> Result<ExitStatus> {
    if !args.listen.ip().is_loopback() {
        return Err(UsageError(format!(
            "{} is not a loopback address; the simulated web contains crawler traps and is for this machine only",
            args.listen
        ))
        .into());
    }
    let config = SimWebConfig {
        seed: args.seed,
        hosts: args.hosts as usize,
        pages: args.pages.map(|pages| pages as usize),
        hostile: args.hostile,
        ..SimWebConfig::default()
    };
    if let Some(folder) = &args.archive {
        return archive(folder, &config, args);
    }
    let web = SimWeb::generate(config);
    write_truth(&web, args)?;
    let listener =
        TcpListener::bind(args.listen).with_context(|| format!("cannot listen on {}", args.listen))?;
    let at = listener.local_addr()?;
    let log = match &args.log {
        Some(path) => Some(LogSink::file(path).with_context(|| format!("cannot write {}", path.display()))?),
        None => None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let handle = web.serve(listener, log)?;
        output::print_message(&format!("The simulated web answers on {at}. For example:"));
        let seed = web.seeds().into_iter().next().unwrap_or_default();
        output::print_message(&format!("  geotrawl crawl {seed} --resolve '*={at}' --delay 20 --depth 10"));
        tokio::signal::ctrl_c().await?;
        handle.stop().await;
        Ok(ExitStatus::Interrupted)
    })
}

fn write_truth(web: &SimWeb, args: &SimwebArgs) -> Result<()> {
    if let Some(path) = &args.truth {
        let text = serde_json::to_string_pretty(web.truth())?;
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Writes the web as archives.
fn archive(folder: &Path, config: &SimWebConfig, args: &SimwebArgs) -> Result<ExitStatus> {
    if args.truth.is_some() {
        write_truth(&SimWeb::generate(config.clone()), args)?;
    }
    let bytes = args.archive_megabytes.map(|megabytes| megabytes.saturating_mul(1_000_000));
    let options = ArchiveOptions { bytes, ..ArchiveOptions::default() };
    let done = write_archive(folder, config, &options)
        .with_context(|| format!("cannot write to {}", folder.display()))?;
    output::print_message(&format!(
        "Wrote {} to {}: {} MB of responses, {} MB of metadata, {} MB of text before compression.",
        output::format_count(done.captures, "capture", "captures"),
        folder.display(),
        output::format_thousands(done.warc_bytes / 1_000_000),
        output::format_thousands(done.wat_bytes / 1_000_000),
        output::format_thousands(done.wet_bytes / 1_000_000),
    ));
    Ok(ExitStatus::Done)
}
