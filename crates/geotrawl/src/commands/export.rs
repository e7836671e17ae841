//! `export`: writes the catalogue to a file.

use crate::cli::{ExportArgs, ExportFormat, GlobalArgs};
use crate::config::Config;
use crate::exit::{ExitStatus, UsageError};
use crate::output;
use anyhow::{Context, Result};
use clap::ValueEnum;
use geotrawl_export::dump::{self, DumpOptions};
use geotrawl_export::{ExportError, FileFormat, RecordSink, RecordSource};
use geotrawl_index::{IndexError, SearchQuery};
use geotrawl_model::RecordFilter;
use geotrawl_model::store::{CrawlStore, Store};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

/// Number of records per file of a dump.
const RECORDS_PER_FILE: u64 = 50_000;

/// Exports the catalogue.
pub fn run(global: &GlobalArgs, args: &ExportArgs) -> Result<ExitStatus> {
    let store = super::catalogue(global)?;
    let config = Config::load(global)?;
    store.set_geoip(super::places(&config.serve)?);
    if args.since.is_some() && args.format != ExportFormat::Dump {
        return Err(UsageError("--since requires --format dump".into()).into());
    }
    let chosen = ExportSelection::of(global, &*store, args)?;
    if args.format == ExportFormat::Dump && !args.records {
        let folder = args.output.as_deref();
        let folder = folder.ok_or_else(|| UsageError("a dump requires a folder: -o DIR".into()))?;
        return write_dump(global, &config, &chosen, args, folder);
    }
    match &args.output {
        None => {
            if is_binary(args) && io::stdout().is_terminal() {
                let format = args.format.to_possible_value();
                return Err(UsageError(format!(
                    "{} is a binary format and is not written to a terminal; use -o FILE",
                    format.as_ref().map_or("this", |format| format.get_name())
                ))
                .into());
            }
            let mut out = BufWriter::new(io::stdout().lock());
            match write(&chosen, args, &mut out).and_then(|_| Ok(out.flush()?)) {
                // The reader has closed the pipe (`| head`), which is not a failure.
                Err(error) if is_broken_pipe(&error) => Ok(ExitStatus::Done),
                other => other.map(|()| ExitStatus::Done),
            }
        }
        Some(path) => {
            // Write to a temporary file and rename it: readers never see half a file, and a full
            // disk does not destroy the old one.
            let mut aside = path.clone().into_os_string();
            aside.push(".part");
            let file = File::create(&aside).with_context(|| format!("cannot write {}", path.display()))?;
            let mut out = BufWriter::new(file);
            let written = write(&chosen, args, &mut out)?;
            out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            std::fs::rename(&aside, path).with_context(|| format!("cannot write {}", path.display()))?;
            tell(global, written, path);
            Ok(ExitStatus::Done)
        }
    }
}

/// Returns whether a terminal cannot show the format.
fn is_binary(args: &ExportArgs) -> bool {
    let binary = [ExportFormat::Gpkg, ExportFormat::Geoparquet, ExportFormat::Xlsx, ExportFormat::Qgis];
    !args.records && binary.contains(&args.format)
}

fn tell(global: &GlobalArgs, written: u64, path: &Path) {
    if !global.quiet {
        let what = output::format_count(written, "record", "records");
        output::print_message(&format!("{what} written to {}", path.display()));
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The records to export.
struct ExportSelection<'a> {
    store: &'a dyn Store,
    filter: RecordFilter,
    /// Ids of the search results, best first.
    ids: Option<Vec<String>>,
}

impl<'a> ExportSelection<'a> {
    fn of(global: &GlobalArgs, store: &'a dyn Store, args: &ExportArgs) -> Result<Self> {
        let filter = RecordFilter { kinds: args.kinds.clone(), task: args.task.clone(), status: Vec::new() };
        let mut ids = None;
        if args.query.is_some() || args.bbox.is_some() {
            let mut query = SearchQuery {
                words: args.query.clone().unwrap_or_default(),
                bbox: args.bbox,
                ..SearchQuery::default()
            };
            if !args.kinds.is_empty() {
                query.facets.insert("kind".to_owned(), args.kinds.clone());
            }
            let index = super::search::open_index(global, store)?;
            ids = Some(index.find_ids(&query).map_err(|error| match error {
                IndexError::Query(message) => anyhow::Error::from(UsageError(message)),
                other => other.into(),
            })?);
        }
        Ok(Self { store, filter, ids })
    }

    fn give(&self, take: &mut RecordSink<'_>) -> Result<(), ExportError> {
        let Some(ids) = &self.ids else {
            let mut outcome = Ok(());
            self.store.visit_records(&self.filter, &mut |record| {
                outcome = take(&record);
                outcome.is_ok()
            })?;
            return outcome;
        };
        for id in ids {
            // The index may still contain records that were removed.
            let Some(record) = self.store.find_record(id)? else { continue };
            let of_task = |task: &String| record.provenance.iter().any(|one| one.task == *task);
            if self.filter.task.as_ref().is_none_or(of_task) {
                take(&record)?;
            }
        }
        Ok(())
    }
}

/// Converts the error so that a full disk or a closed pipe is reported as such.
fn told(error: ExportError) -> anyhow::Error {
    match error {
        ExportError::Io(error) => error.into(),
        ExportError::Store(error) => error.into(),
        ExportError::Dump(message) => UsageError(message).into(),
        other => other.into(),
    }
}

fn write(chosen: &ExportSelection<'_>, args: &ExportArgs, out: &mut dyn Write) -> Result<u64> {
    if args.records {
        return write_records(chosen.store, args.catalogue.as_deref(), out);
    }
    let format = match args.format {
        // Without a folder, a dump is written as its records.
        ExportFormat::Jsonl | ExportFormat::Dump => FileFormat::Jsonl,
        ExportFormat::Csv => FileFormat::Csv,
        ExportFormat::Geojson => FileFormat::Geojson,
        ExportFormat::Gpkg => FileFormat::Gpkg,
        ExportFormat::Geoparquet => FileFormat::Geoparquet,
        ExportFormat::Xlsx => FileFormat::Xlsx,
        ExportFormat::Qgis => FileFormat::Qgis,
        ExportFormat::Terria => FileFormat::Terria,
    };
    let give: &mut RecordSource<'_> = &mut |take| chosen.give(take);
    geotrawl_export::write_records(format, give, out).map_err(told)
}

fn write_dump(
    global: &GlobalArgs,
    config: &Config,
    chosen: &ExportSelection<'_>,
    args: &ExportArgs,
    folder: &Path,
) -> Result<ExitStatus> {
    let address = config.serve.public_url.trim();
    let options = DumpOptions {
        folder,
        instance: if address.is_empty() { config.serve.title.clone() } else { address.to_owned() },
        generator: concat!("geotrawl ", env!("CARGO_PKG_VERSION")).to_owned(),
        // Read before the records: changes made while the dump is written are part of the next one
        // as well.
        sequence: chosen.store.last_change()?,
        created: jiff::Timestamp::now(),
        since: args.since.as_deref(),
        records_per_file: RECORDS_PER_FILE,
    };
    let manifest = dump::write_dump(&mut |take| chosen.give(take), &options).map_err(told)?;
    if global.json {
        output::print_json(&manifest);
    } else {
        tell(global, manifest.records, folder);
        if let Some(diff) = manifest.diff.filter(|_| !global.quiet) {
            let (added, changed, removed) = (diff.added.records, diff.changed.records, diff.removed.records);
            output::print_message(&format!(
                "Since the previous dump: {added} added, {changed} changed, {removed} removed."
            ));
        }
    }
    Ok(ExitStatus::Done)
}

/// Writes harvested catalogue records.
fn write_records(store: &dyn CrawlStore, catalogue: Option<&str>, out: &mut dyn Write) -> Result<u64> {
    let (mut written, mut outcome) = (0, Ok(()));
    store.visit_harvested_records(catalogue, &mut |record| {
        outcome = serde_json::to_writer(&mut *out, &record)
            .map_err(io::Error::from)
            .and_then(|()| out.write_all(b"\n"));
        written += u64::from(outcome.is_ok());
        outcome.is_ok()
    })?;
    outcome?;
    Ok(written)
}
