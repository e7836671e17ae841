//! Measures the speed of folding:
//! `cargo run --release -p geotrawl-js --example speed -- bundle.js ...`.
//!
//! Libraries are analyzed like other scripts here, so that all input is measured.
#![expect(clippy::print_stdout, reason = "the example prints its results")]

use geotrawl_js::fold::{EventFilter, fold_app_with};
use geotrawl_js::{AnalysisLimits, AppScript, MapApp};
use std::time::Instant;

/// Returns the processor time of this thread in seconds, which other load does not affect, or
/// wall-clock time if the system does not report it.
fn seconds(began: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|line| line.split(' ').next()?.parse::<u64>().ok());
    told.map_or_else(|| began.elapsed().as_secs_f64(), |nanoseconds| nanoseconds as f64 / 1e9)
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

struct EverythingFilter;

impl EventFilter for EverythingFilter {
    fn accepts_call(&self, name: &[&str]) -> bool {
        geotrawl_js::signs::is_relevant_call(name)
            || matches!(name.last(), Some(&("addSource" | "TileWMS" | "wms" | "tileLayer" | "WMS" | "fetch")))
    }

    fn accepts_member(&self, name: &str) -> bool {
        geotrawl_js::signs::is_relevant_member(name)
            || matches!(name, "url" | "urls" | "LAYERS" | "layers" | "params" | "tiles")
    }

    fn accepts_assignment(&self, name: &str) -> bool {
        geotrawl_js::signs::is_relevant_assignment(name) || matches!(name, "url" | "proxyUrl" | "ProxyHost")
    }

    fn is_library(&self, _script: &AppScript) -> bool {
        false
    }
}

fn main() -> std::io::Result<()> {
    let clock = Instant::now();
    let (mut bytes, mut whole) = (0, 0.0);
    for path in std::env::args().skip(1) {
        let source = std::fs::read(&path)?;
        let source = String::from_utf8_lossy(&source).into_owned();
        let page = "https://example.org/app/".to_owned();
        let url = Some(format!("https://example.org/app/{}", path.rsplit('/').next().unwrap_or_default()));
        let script = AppScript { url, source: source.into(), module: false, line: 1 };
        let length = script.source.len();
        let app = MapApp { page: page.clone(), base: page, scripts: vec![script], ..MapApp::default() };
        let limits = AnalysisLimits { script_bytes: usize::MAX, ..AnalysisLimits::default() };
        let began = seconds(clock);
        let folded = fold_app_with(&app, &limits, &EverythingFilter);
        let took = seconds(clock) - began;
        bytes += length;
        whole += took;
        println!(
            "{:7.1} MB/s {:9} bytes {:7.1} ms {:6} events {:4} needed  {path} {:?}",
            length as f64 / took / 1e6,
            length,
            took * 1e3,
            folded.events.len(),
            folded.wants.len(),
            folded.issues
        );
    }
    println!("{:7.1} MB/s in total", f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / whole / 1e6);
    Ok(())
}
