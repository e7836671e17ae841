//! How fast capabilities are read, and in how much memory: `read_speed wms|wmts MEGABYTES [memory|stream]`
//! for generated documents, `read_speed FILE...` for files, `read_speed --seconds FILE` for datasets and seconds. Everything is kept, everything is checked.

#[path = "../tests/support/generated.rs"]
mod generated;
#[path = "../tests/support/large.rs"]
mod large;

use geotrawl_kinds::formats::xml::{XmlEvent, XmlReader};
use geotrawl_kinds::kinds::read_document;
use std::io::{Read, Write as _};

/// Bytes of one generated layer, about.
const WMS_LAYER: u64 = 1276;
const WMTS_LAYER: u64 = 20 * 22 * 190;

fn generated(kind: &str, megabytes: u64) -> Box<dyn Read> {
    match kind {
        "wms" => Box::new(large::large_wms(megabytes * 1_000_000 / WMS_LAYER)),
        _ => Box::new(large::large_wmts((megabytes * 1_000_000 / WMTS_LAYER).max(1), 20)),
    }
}

/// Counts what passes through.
struct Counted<'r>(&'r mut dyn Read, u64);

impl Read for Counted<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.0.read(buf)?;
        self.1 += n as u64;
        Ok(n)
    }
}

fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or("VmHWM: unknown");
    line.trim_start_matches("VmHWM:").trim().to_owned()
}

/// Processor time of this thread, in seconds: other work on the machine does not count.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e9
}

/// Mean seconds of one run. The clock ticks coarsely, so the runs are timed together.
fn mean_of(times: u32, mut work: impl FnMut()) -> f64 {
    work();
    let start = processor_time();
    for _ in 0..times {
        work();
    }
    (processor_time() - start) / f64::from(times)
}

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::stdout().lock();
    if let [flag, file] = args.as_slice()
        && flag == "--seconds"
    {
        let document = std::fs::read(file)?;
        let read = || read_document(&mut document.as_slice(), None, "http://example.org/");
        let count =
            read().and_then(|(_, _, read)| Some(read.resources.first()?.dataset_count)).unwrap_or_default();
        let seconds = mean_of(20, || drop(std::hint::black_box(read())));
        return writeln!(out, "{count} {seconds}");
    }
    if let [kind, megabytes, rest @ ..] = args.as_slice()
        && let Ok(megabytes) = megabytes.parse::<u64>()
    {
        if rest.first().is_some_and(|r| r == "stream") {
            let mut document = generated(kind, megabytes);
            let mut counted = Counted(&mut *document, 0);
            let read = read_document(&mut counted, None, "http://example.org/");
            let found = read.and_then(|(_, _, r)| r.resources.into_iter().next());
            let (kept, count) = found.map_or((0, 0), |r| (r.datasets.len(), r.dataset_count));
            return writeln!(
                out,
                "{} bytes, {count} datasets ({kept} kept), peak memory {}",
                counted.1,
                peak_memory()
            );
        }
        let mut document = Vec::new();
        generated(kind, megabytes).read_to_end(&mut document)?;
        return report(&mut out, kind, &document);
    }
    for path in &args {
        let document = std::fs::read(path)?;
        report(&mut out, path, &document)?;
    }
    Ok(())
}

fn report(out: &mut dyn std::io::Write, name: &str, document: &[u8]) -> std::io::Result<()> {
    let megabytes = document.len() as f64 / 1e6;
    let times = (400.0 / megabytes.max(0.1)).clamp(5.0, 2000.0) as u32;
    let tokens = mean_of(times, || {
        let mut input = document;
        let mut reader = XmlReader::new(&mut input, None);
        while reader.next() != XmlEvent::Eof {}
    });
    let mut datasets = 0;
    let whole = mean_of(times, || {
        let read = read_document(&mut &*document, None, "http://example.org/");
        datasets = read.map_or(0, |(_, _, r)| r.resources[0].dataset_count);
    });
    writeln!(
        out,
        "{name}: {megabytes:.1} MB, {datasets} datasets; reading and checking {:.0} MB/s, all fields kept {:.0} MB/s",
        megabytes / tokens,
        megabytes / whole
    )
}
