//! `import`: imports the records of another instance.

use crate::cli::{GlobalArgs, ImportArgs};
use crate::exit::{ExitStatus, UsageError};
use crate::output::{self, format_count, sanitize_line};
use anyhow::Result;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_export::ExportError;
use geotrawl_export::dump;
use geotrawl_export::import::{ImportOptions, import_records};

/// Maximum length of a source name, in characters.
const LONGEST: usize = 200;

/// Imports a dump or a file of records.
pub fn run(global: &GlobalArgs, args: &ImportArgs) -> Result<ExitStatus> {
    let mut opened = dump::open_dump(&args.what).map_err(usage)?;
    if args.diff {
        opened = opened.only_differences().map_err(usage)?;
    }
    // Verify before importing: half of a damaged dump is worse than none.
    opened.verify_checksums().map_err(usage)?;
    let said = opened.manifest.as_ref().map(|manifest| manifest.instance.clone());
    let name = args.what.file_name().map(|name| name.to_string_lossy().into_owned());
    let source = args.source.clone().or(said).filter(|name| !name.trim().is_empty()).or(name);
    let options = ImportOptions {
        source: sanitize_line(source.as_deref().unwrap_or("import").trim(), LONGEST),
        task: serde_json::to_value(CrawlOptions::default())?,
        now: jiff::Timestamp::now(),
    };
    let store = crate::stores::open(global)?;
    let told = import_records(&*store, &opened, &options).map_err(|error| match error {
        ExportError::Store(error) => anyhow::Error::from(error),
        other => other.into(),
    })?;
    for problem in &told.problems {
        output::print_message(&format!("geotrawl: {}", sanitize_line(problem, 300)));
    }
    if global.json {
        output::print_json(&told);
    } else if !global.quiet {
        output::print_message(&format!(
            "{} from {}: {} new, {} updated, {} already known, {} rejected.",
            format_count(told.read, "record", "records"),
            options.source,
            told.new,
            told.updated,
            told.known,
            told.refused
        ));
    }
    Ok(if told.refused > 0 { ExitStatus::Failures } else { ExitStatus::Done })
}

/// Reports a broken dump as invalid usage, since the user named it.
fn usage(error: ExportError) -> anyhow::Error {
    match error {
        ExportError::Dump(message) => UsageError(message).into(),
        other => other.into(),
    }
}
