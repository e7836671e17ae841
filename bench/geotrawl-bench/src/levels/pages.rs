//! Pages of real map applications, labelled with the service addresses they contain.

use super::level_combinations;
use anyhow::{Context, Result};
use geotrawl_js::{AnalysisLevel, AnalysisLevels, AnalysisLimits};
use geotrawl_kinds::extract::app::{AppDraft, AppLoader, targets_of_sightings};
use geotrawl_kinds::probe::{CrawlTarget, Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use geotrawl_kinds::urls;
use geotrawl_model::Intent;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use url::Url;

#[derive(Deserialize)]
struct PageLabel {
    id: String,
    file: String,
    expected: ExpectedServices,
}

#[derive(Deserialize)]
struct ExpectedServices {
    endpoints: Vec<LabelledEndpoint>,
}

#[derive(Deserialize)]
struct LabelledEndpoint {
    url: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Debug, clap::Args)]
pub struct PagesOptions {
    /// File with one label per line, as JSON
    labels: PathBuf,
    /// Folder of the labelled pages
    folder: PathBuf,
    /// Show misses
    #[arg(long)]
    misses: bool,
    /// Show candidates without a label
    #[arg(long)]
    extras: bool,
}

/// Measures labelled pages. An endpoint counts as found if there is a candidate on the same host
/// with its path or the start of its path.
pub fn run(options: &PagesOptions) -> Result<()> {
    let labels = &options.labels;
    let text =
        std::fs::read_to_string(labels).with_context(|| format!("cannot read {}", labels.display()))?;
    let labels: Vec<PageLabel> =
        text.lines().filter(|l| !l.trim().is_empty()).map(serde_json::from_str).collect::<Result<_, _>>()?;
    let (misses, extras) = (options.misses, options.extras);
    println!("{:<24} {:>9} {:>7} {:>10} {:>11}", "level", "endpoints", "found", "candidates", "per service");
    for (name, levels) in level_combinations() {
        let (mut endpoints, mut found, mut candidates) = (0, 0, 0);
        for label in &labels {
            let Some(draft) = draft(&options.folder, label)? else {
                endpoints += label.expected.endpoints.len();
                if misses && !label.expected.endpoints.is_empty() {
                    println!("  {}: not recognised as a map application", label.file);
                }
                continue;
            };
            let targets = study(draft, levels);
            let urls: BTreeSet<&Url> = targets.iter().map(|target| &target.url).collect();
            candidates += urls.len();
            let mut used = BTreeSet::new();
            for endpoint in &label.expected.endpoints {
                endpoints += 1;
                let by: Vec<&&Url> = urls.iter().filter(|url| stands_for(url, &endpoint.url)).collect();
                found += usize::from(!by.is_empty());
                if by.is_empty() && misses {
                    println!("  miss {} {} {}", label.file, endpoint.kind, endpoint.url);
                }
                used.extend(by.into_iter().copied());
            }
            if extras {
                for target in targets.iter().filter(|target| !used.contains(&target.url)) {
                    println!("  extra {} {} {} {}", label.id, target.intent, target.url, target.way);
                }
            }
        }
        let each = candidates as f64 / f64::max(1.0, endpoints as f64);
        let share = 100.0 * found as f64 / f64::max(1.0, endpoints as f64);
        println!("{name:<24} {endpoints:>9} {share:>6.1}% {candidates:>10} {each:>11.2}");
    }
    Ok(())
}

/// Returns the application in a labelled file.
fn draft(folder: &Path, label: &PageLabel) -> Result<Option<AppDraft>> {
    let path = folder.join(&label.file);
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let url = Url::parse("http://page.invalid/app/")?.join(&label.file)?;
    let (mut probe, _) = Probe::start(Intent::Page, url.clone());
    let head = ResponseHead { url: Some(url), status: 200, ..ResponseHead::default() };
    let ProbeStep::Done(finding) = probe.handle_response(ProbeResponse {
        head: &head,
        body: ResponseBody::Whole(&bytes),
        truncated: false,
    }) else {
        return Ok(None);
    };
    Ok(finding.app.map(|draft| *draft))
}

/// Returns the services and files that the levels find.
fn study(draft: AppDraft, levels: Option<AnalysisLevels>) -> Vec<CrawlTarget> {
    let mut gathering = AppLoader::new(draft).with_levels(levels);
    loop {
        // Only the page itself is available.
        gathering.take_pending();
        let study = geotrawl_js::analyze_app(gathering.app(), gathering.levels(), &AnalysisLimits::default());
        if !gathering.apply_study(study) {
            break;
        }
    }
    let mut targets = targets_of_sightings(gathering.app(), gathering.sightings());
    targets.retain(|target| target.intent.is_probe());
    debug_assert!(
        targets.iter().all(|t| t.note.as_ref().is_none_or(|note| note.level != AnalysisLevel::Render))
    );
    targets
}

/// Returns whether probing `found` probes the labelled endpoint.
fn stands_for(found: &Url, labelled: &str) -> bool {
    let filled = |text: &str| {
        // Labels are raw attribute values, so entities are decoded first.
        let mut out = text.replace("&amp;", "&");
        for (places, first) in
            [("{s}", "a"), ("{a-c}", "a"), ("{a-d}", "a"), ("{1-4}", "1"), ("{0-9}", "0"), ("${s}", "a")]
        {
            out = out.replace(places, first);
        }
        if out.starts_with("//") { format!("http:{out}") } else { out }
    };
    let Ok(label) = Url::parse("http://page.invalid/app/").and_then(|base| base.join(&filled(labelled)))
    else {
        return false;
    };
    let host = |url: &Url| url.host_str().unwrap_or_default().trim_start_matches("www.").to_ascii_lowercase();
    let path = |url: &Url| {
        url.path().trim_end_matches('/').to_ascii_lowercase().replace("%7b", "{").replace("%7d", "}")
    };
    let (a, b) = (path(found), path(&urls::endpoint_url(&label)));
    let begins = |long: &str, short: &str| {
        long == short
            || short.len() > 1 && long.starts_with(short) && long.as_bytes().get(short.len()) == Some(&b'/')
    };
    host(found) == host(&label) && (begins(&b, &a) || begins(&a, &b))
}
