//! What each level of reading code finds, alone and together, and how many addresses it would test for it.

mod apps;
mod hostile;
mod pages;

use anyhow::Result;
use geotrawl_js::AnalysisLevels;
use geotrawl_js::model::SandboxMode;
use std::path::Path;

#[derive(Debug, clap::Subcommand)]
pub enum LevelsCommand {
    /// Pages of real map applications, with labels
    Pages(pages::PagesOptions),
    /// The map applications of the simulated web (`make apps` builds them)
    Apps {
        /// Show what was missed
        #[arg(long)]
        misses: bool,
    },
    /// Scripts that mean harm
    Hostile,
}

pub fn run(root: &Path, subject: &LevelsCommand) -> Result<()> {
    match subject {
        LevelsCommand::Pages(options) => pages::run(options),
        LevelsCommand::Apps { misses } => apps::run(root, *misses),
        LevelsCommand::Hostile => hostile::run(root),
    }
}

/// The levels that are measured, by name.
pub fn level_combinations() -> [(&'static str, Option<AnalysisLevels>); 4] {
    [
        (
            "1 the published method",
            Some(AnalysisLevels { paper: true, fold: false, run: SandboxMode::Never }),
        ),
        ("2 folding", Some(AnalysisLevels { paper: false, fold: true, run: SandboxMode::Never })),
        ("3 sandbox", Some(AnalysisLevels { paper: false, fold: false, run: SandboxMode::Always })),
        ("2 and 3, as crawled", None),
    ]
}
