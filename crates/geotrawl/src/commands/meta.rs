//! `completions`, and the hidden commands that analyze scripts and read documents.

use crate::cli::build_command;
use crate::exit::ExitStatus;
use anyhow::Result;

/// Prints shell completions to stdout.
pub fn print_completions(shell: clap_complete::Shell) -> ExitStatus {
    clap_complete::generate(shell, &mut build_command(), "geotrawl", &mut std::io::stdout());
    ExitStatus::Done
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
