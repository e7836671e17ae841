//! `geotrawl`: configuration, command line and wiring of the other crates.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod cli;
mod commands;
mod config;
mod exit;
mod interrupt;
mod monitor_service;
mod outbound;
mod output;
mod own_index;
mod progress;
mod stores;
mod telemetry;

use cli::{Cli, Command};
use exit::ExitStatus;

/// A page consists of hundreds of short-lived strings that one thread allocates and another frees.
/// With the system allocator this took a sixth of a crawl's processor time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    let cli = cli::parse_command_line();
    let outcome = telemetry::start(&cli.global).and_then(|telemetry| {
        let outcome = run(cli);
        drop(telemetry);
        outcome
    });
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = ExitStatus::from_error(&error);
            output::print_error(&error);
            exit.into()
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitStatus> {
    match cli.command {
        Command::Crawl(args) => commands::crawl::run(&cli.global, args),
        Command::Probe(args) => commands::probe::run(&cli.global, &args),
        Command::Extract(args) => commands::extract::run(&cli.global, &args),
        Command::Harvest(args) => commands::harvest::run(&cli.global, args),
        Command::Mine(args) => commands::mine::run(&cli.global, &args),
        Command::Seeds { what } => commands::seeds::run(&cli.global, &what),
        Command::Archive { what } => commands::archive::run(&cli.global, &what),
        Command::Export(args) => commands::export::run(&cli.global, &args),
        Command::Import(args) => commands::import::run(&cli.global, &args),
        Command::Explain(args) => commands::explain::run(&cli.global, &args),
        Command::Check(args) => commands::check::run(&cli.global, &args),
        Command::Monitor(args) => commands::monitor::run(&cli.global, &args),
        Command::Themes(args) => commands::themes::run(&cli.global, &args),
        Command::Search(args) => commands::search::run(&cli.global, &args),
        Command::Index { what: cli::IndexCommand::Rebuild } => commands::search::rebuild_index(&cli.global),
        Command::Stats => commands::search::print_statistics(&cli.global),
        Command::Store { what } => commands::store::run(&cli.global, &what),
        Command::Serve(args) => commands::serve::run(&cli.global, &args),
        Command::Worker(args) => commands::worker::run(&cli.global, &args),
        Command::Doctor(args) => Ok(commands::doctor::run(&cli.global, &args)),
        Command::User { what } => commands::user::run(&cli.global, &what),
        Command::Demo(args) => commands::demo::run(&cli.global, &args),
        Command::Simweb(args) => commands::simweb::run(&args),
        Command::StudyScripts => commands::meta::study_scripts(),
        Command::ReadDocument => commands::meta::read_document(),
        Command::Completions { shell } => Ok(commands::meta::print_completions(shell)),
        Command::Man(args) => commands::man::run(cli.global.quiet, &args),
    }
}
