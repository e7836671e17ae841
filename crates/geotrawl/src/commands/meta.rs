//! `completions`, `man`, and the hidden commands that analyze scripts and read documents.

use crate::cli::Cli;
use crate::exit::ExitStatus;
use anyhow::Result;
use clap::CommandFactory;

/// Prints shell completions to stdout.
pub fn print_completions(shell: clap_complete::Shell) -> ExitStatus {
    clap_complete::generate(shell, &mut Cli::command(), "geotrawl", &mut std::io::stdout());
    ExitStatus::Done
}

/// Prints the manual to stdout: all commands on one page.
pub fn print_manual() -> Result<ExitStatus> {
    let mut command = Cli::command();
    command.build();
    let mut out = std::io::stdout().lock();
    clap_mangen::Man::new(command.clone()).render(&mut out)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let page = clap_mangen::Man::new(sub.clone());
        page.render_name_section(&mut out)?;
        page.render_synopsis_section(&mut out)?;
        page.render_options_section(&mut out)?;
    }
    Ok(ExitStatus::Done)
}

/// Analyzes the scripts received on stdin and writes the results to stdout.
pub fn study_scripts() -> Result<ExitStatus> {
    geotrawl_crawl::apps::analyzer::serve_analyzer(std::io::stdin().lock(), std::io::stdout().lock())?;
    Ok(ExitStatus::Done)
}

/// Reads the document received on stdin and writes its content to stdout.
pub fn read_document() -> Result<ExitStatus> {
    geotrawl_crawl::archive::serve_documents(std::io::stdin().lock(), std::io::stdout().lock())?;
    Ok(ExitStatus::Done)
}
