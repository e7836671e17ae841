//! `store`: copies, backups and distribution over nodes.

use crate::cli::{GlobalArgs, StoreBackupArgs, StoreCommand, StoreCopyArgs};
use crate::exit::{ExitStatus, UsageError};
use crate::output;
use crate::stores::StoreLocation;
use anyhow::{Context, Result};
use geotrawl_store::store_copy::{self, CopyEndpoint, CopyError, CopyProgress, CopyReport, TableComparison};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::time::Duration;

/// Folder with the files of collections, next to an embedded store.
const ARCHIVE: &str = "archive";

/// Runs a `store` subcommand.
pub fn run(global: &GlobalArgs, what: &StoreCommand) -> Result<ExitStatus> {
    match what {
        StoreCommand::Copy(args) => copy(global, args),
        StoreCommand::Backup(args) => back_up(global, args),
        StoreCommand::Distribute => distribute(global),
    }
}

fn copy(global: &GlobalArgs, args: &StoreCopyArgs) -> Result<ExitStatus> {
    let from = args.from.clone().unwrap_or_else(|| match StoreLocation::from_args(global) {
        StoreLocation::Directory(data) => CopyEndpoint::Directory(data),
        StoreLocation::Database { url, .. } => CopyEndpoint::Database(url.as_str().to_owned()),
    });
    if from == args.to {
        return Err(UsageError("source and destination are the same".to_owned()).into());
    }
    if !global.quiet {
        output::print_message(&format!("Copying {} to {}.", from.redacted(), args.to.redacted()));
    }
    let bar = spinner(global);
    let copied = store_copy::copy_store(&from, &args.to, args.snapshot, &mut |step| show(&bar, step));
    bar.finish_and_clear();
    let copied = copied.map_err(told)?;
    print(global, &copied);
    if !copied.is_same() {
        output::print_message(
            "The copy differs from its source as the table shows, and cannot be used. Repeat the copy; if it differs again, \
             please report it with this table.",
        );
        return Ok(ExitStatus::Failures);
    }
    if !global.quiet {
        remarks(global, &from, &args.to, &copied);
    }
    Ok(ExitStatus::Done)
}

fn spinner(global: &GlobalArgs) -> ProgressBar {
    if global.quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn show(bar: &ProgressBar, step: CopyProgress) {
    bar.set_message(format!("{} {}: {}", step.doing, step.table, output::format_thousands(step.rows)));
}

/// Separates invalid usage from store failures.
fn told(error: CopyError) -> anyhow::Error {
    match error {
        CopyError::Refused(why) => UsageError(why).into(),
        CopyError::Store(error) => error.into(),
    }
}

fn print(global: &GlobalArgs, copied: &CopyReport) {
    if global.json {
        for one in &copied.tables {
            let mut line = serde_json::to_value(one).unwrap_or_default();
            line["same"] = one.is_same().into();
            output::print_json(&line);
        }
        return;
    }
    output::print_line(&format!("{:<18} {:>14} {:>14}  compared", "table", "source rows", "copied rows"));
    for one in copied.tables.iter().filter(|one| one.from > 0 || one.to > 0 || !one.is_same()) {
        output::print_line(&row(one));
    }
}

fn row(one: &TableComparison) -> String {
    let verdict = if one.is_same() {
        format!("equal      {}", one.to_sum)
    } else {
        format!("DIFFERENT  {} instead of {}", one.to_sum, one.from_sum)
    };
    format!(
        "{:<18} {:>14} {:>14}  {verdict}",
        one.table,
        output::format_thousands(one.from),
        output::format_thousands(one.to)
    )
}

/// Prints what is not part of a store, and the next step.
fn remarks(global: &GlobalArgs, from: &CopyEndpoint, to: &CopyEndpoint, copied: &CopyReport) {
    if copied.altered > 0 {
        let texts = output::format_count(copied.altered, "text contains", "texts contain");
        output::print_message(&format!(
            "{texts} NUL characters, which PostgreSQL cannot store; they were replaced by U+FFFD."
        ));
    }
    let files = match from {
        CopyEndpoint::Directory(data) => data.join(ARCHIVE),
        CopyEndpoint::Database(_) => global.data.join(ARCHIVE),
    };
    if copied.tables.iter().any(|one| one.table == "collection" && one.to > 0) {
        let target = match to {
            CopyEndpoint::Directory(data) => data.join(ARCHIVE),
            CopyEndpoint::Database(_) => Path::new("DATA").join(ARCHIVE),
        };
        output::print_message(&format!(
            "Archived pages are files and were not copied: copy {} to {}, where DATA is the --data directory of the process \
             that runs collections.",
            files.display(),
            target.display()
        ));
    }
    output::print_message("The search index is not copied: it is rebuilt from the catalogue on first use.");
    let option = match to {
        CopyEndpoint::Directory(data) => format!("--data {}", data.display()),
        CopyEndpoint::Database(_) => format!("--store {}", to.redacted()),
    };
    output::print_message(&format!(
        "Done: everything was read back and is identical. Continue with {option}."
    ));
}

fn back_up(global: &GlobalArgs, args: &StoreBackupArgs) -> Result<ExitStatus> {
    let StoreLocation::Directory(data) = StoreLocation::from_args(global) else {
        return Err(UsageError(
            "cannot back up a shared store: use the tools of PostgreSQL, pg_dump --format=custom --file=geotrawl.dump URL \
             (see docs/guide/operations.md); or copy it to a directory with `geotrawl store copy --snapshot --to DIR`"
                .to_owned(),
        )
        .into());
    };
    let bar = spinner(global);
    bar.set_message("copying the catalogue");
    store_copy::back_up(&data, &args.to).map_err(told)?;
    // After the catalogue, because the files it refers to only grow.
    let files = data.join(ARCHIVE);
    let mut copied = 0;
    if files.is_dir() {
        bar.set_message("copying archived pages");
        copied = copy_files(&files, &args.to.join(ARCHIVE))
            .with_context(|| format!("cannot copy {} to {}", files.display(), args.to.display()))?;
    }
    bar.finish_and_clear();
    if !global.quiet {
        let more = match copied {
            0 => String::new(),
            some => format!(" and {} of archived pages", output::format_count(some, "file", "files")),
        };
        output::print_message(&format!(
            "{} contains the catalogue{more}. To restore it, copy it to its new location and use that with --data.",
            args.to.display()
        ));
    }
    Ok(ExitStatus::Done)
}

/// Copies a folder and overwrites existing files.
fn copy_files(from: &Path, to: &Path) -> std::io::Result<u64> {
    std::fs::create_dir_all(to)?;
    let mut copied = 0;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copied += copy_files(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target)?;
            std::fs::File::open(&target)?.sync_all()?;
            copied += 1;
        }
    }
    Ok(copied)
}

fn distribute(global: &GlobalArgs) -> Result<ExitStatus> {
    let Some(url) = &global.store else {
        return Err(UsageError(
            "only a shared store can be distributed over nodes: set it with --store".to_owned(),
        )
        .into());
    };
    let done = store_copy::distribute_frontier(url.as_str()).map_err(told)?;
    if global.json {
        output::print_json(&done);
        return Ok(ExitStatus::Done);
    }
    let list = |tables: &[&str]| tables.join(", ");
    output::print_line(&match (done.made.is_empty(), done.already.is_empty()) {
        (true, _) => format!("Nothing to do: {} are already distributed.", list(&done.already)),
        (false, true) => format!("Distributed: {}.", list(&done.made)),
        (false, false) => {
            format!("Distributed: {}; already distributed: {}.", list(&done.made), list(&done.already))
        }
    });
    output::print_line(&format!(
        "Citus {}, {} with shards; everything else stays on the coordinator.",
        done.citus,
        output::format_count(done.nodes.unsigned_abs(), "node", "nodes")
    ));
    Ok(ExitStatus::Done)
}
