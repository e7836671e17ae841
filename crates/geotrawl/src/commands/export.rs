//! `export`: the catalogue as a file.

use crate::cli::{ExportArgs, ExportFormat, Global};
use crate::exit::Exit;
use crate::output;
use anyhow::{Context, Result};
use geotrawl_export::{ExportError, Format, Take};
use geotrawl_store::{RecordFilter, Store};
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// Writes the catalogue.
pub fn run(global: &Global, args: &ExportArgs) -> Result<Exit> {
    let store = super::catalogue(global)?;
    let filter = RecordFilter { kinds: args.kinds.clone(), task: args.task.clone(), status: Vec::new() };
    match &args.output {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            match write(&store, &filter, args, &mut out).and_then(|_| Ok(out.flush()?)) {
                // A reader that has gone away (`| head`) is no failure.
                Err(error) if is_broken_pipe(&error) => Ok(Exit::Done),
                other => other.map(|()| Exit::Done),
            }
        }
        Some(path) => {
            // Aside first: a reader never sees half a file, a full disk never costs the old one.
            let mut aside = path.clone().into_os_string();
            aside.push(".part");
            let file = File::create(&aside).with_context(|| format!("cannot write {}", path.display()))?;
            let mut out = BufWriter::new(file);
            let written = write(&store, &filter, args, &mut out)?;
            out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            std::fs::rename(&aside, path).with_context(|| format!("cannot write {}", path.display()))?;
            if !global.quiet {
                let what = output::count(written, "record", "records");
                output::remark(&format!("{what} written to {}", path.display()));
            }
            Ok(Exit::Done)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn write(store: &dyn Store, filter: &RecordFilter, args: &ExportArgs, out: &mut dyn Write) -> Result<u64> {
    if args.records {
        return write_records(store, args.catalogue.as_deref(), out);
    }
    let format = match args.format {
        ExportFormat::Jsonl => Format::Jsonl,
        ExportFormat::Csv => Format::Csv,
        ExportFormat::Geojson => Format::Geojson,
        ExportFormat::Gpkg => Format::Gpkg,
        ExportFormat::Geoparquet => Format::Geoparquet,
        ExportFormat::Qgis => Format::Qgis,
    };
    let mut give = |take: &mut Take<'_>| {
        let mut outcome = Ok(());
        store.records(filter, &mut |record| {
            outcome = take(&record);
            outcome.is_ok()
        })?;
        outcome
    };
    // A full disk or a closed pipe is the output's, not the format's.
    geotrawl_export::write(format, &mut give, out).map_err(|error| match error {
        ExportError::Io(error) => error.into(),
        ExportError::Store(error) => error.into(),
        other => other.into(),
    })
}

/// What catalogues say.
fn write_records(store: &dyn Store, catalogue: Option<&str>, out: &mut dyn Write) -> Result<u64> {
    let (mut written, mut outcome) = (0, Ok(()));
    store.harvested(catalogue, &mut |record| {
        outcome = serde_json::to_writer(&mut *out, &record)
            .map_err(io::Error::from)
            .and_then(|()| out.write_all(b"\n"));
        written += u64::from(outcome.is_ok());
        outcome.is_ok()
    })?;
    outcome?;
    Ok(written)
}
