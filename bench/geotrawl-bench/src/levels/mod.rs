//! What each level of script analysis finds, alone and combined, and how many addresses it would
//! probe.

mod apps;
mod hostile;
mod pages;

use anyhow::Result;
use geotrawl_js::AnalysisLevels;
use geotrawl_js::model::SandboxMode;
use std::path::Path;

#[derive(Debug, clap::Subcommand)]
pub enum LevelsCommand {
    /// Measure pages of real map applications, with labels
    Pages(pages::PagesOptions),
    /// Measure the map applications of the simulated web (`make apps` builds them)
    Apps {
        /// Show misses
        #[arg(long)]
        misses: bool,
    },
    /// Measure hostile scripts
    Hostile,
}

pub fn run(root: &Path, subject: &LevelsCommand) -> Result<()> {
    match subject {
        LevelsCommand::Pages(options) => pages::run(options),
        LevelsCommand::Apps { misses } => apps::run(root, *misses),
        LevelsCommand::Hostile => hostile::run(root),
    }
}

/// Returns the combinations of levels, by name.
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
