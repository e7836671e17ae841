//! `probe`: identifies addresses and files.

use super::CommandInput;
use crate::cli::{GlobalArgs, ProbeArgs};
use crate::exit::{ExitStatus, UsageError};
use crate::output::{self, format_thousands, sanitize_line};
use anyhow::{Context, Result};
use geotrawl_crawl::inspect::{self, Inspection};
use geotrawl_kinds::corpus::{CorpusReport, LabelExceptions, ManifestLabel, check_file};
use geotrawl_kinds::probe::{Finding, Found, ResponseClass};
use geotrawl_model::Resource;
use serde_json::{Value, json};
use std::path::Path;

/// Identifies each input.
pub fn run(global: &GlobalArgs, args: &ProbeArgs) -> Result<ExitStatus> {
    if let Some(manifest) = &args.corpus {
        return corpus(global, manifest, args.exceptions.as_deref());
    }
    let mut web = None;
    let mut exit = ExitStatus::Done;
    for text in &args.inputs {
        let inspection = match super::input(text, args.as_url.as_ref()) {
            Ok(CommandInput::File(file, url, _)) => Inspection {
                findings: vec![inspect::inspect_file(file, &url, args.content_type.as_deref())?],
                ..Inspection::default()
            },
            Ok(CommandInput::Web(url)) => {
                if web.is_none() {
                    web = Some(super::client(global)?);
                }
                let Some((client, runtime)) = &web else { continue };
                runtime.block_on(inspect::inspect_url(client, &url))
            }
            Err(error) => {
                output::print_error(&error);
                Inspection { failures: vec![error.to_string()], ..Inspection::default() }
            }
        };
        report(global, text, &inspection);
        if !inspection.failures.is_empty()
            && inspection.findings.iter().all(|found| found.resources.is_empty())
        {
            exit = ExitStatus::Failures;
        }
    }
    Ok(exit)
}

/// Compares a labelled set with the results of identification.
fn corpus(global: &GlobalArgs, manifest: &Path, exceptions: Option<&Path>) -> Result<ExitStatus> {
    let read = |path: &Path| {
        std::fs::read_to_string(path)
            .map_err(|error| UsageError(format!("cannot read {}: {error}", path.display())))
    };
    let exceptions = match exceptions {
        None => LabelExceptions::default(),
        Some(path) => LabelExceptions::parse(&read(path)?).ok_or_else(|| {
            UsageError(format!(
                "invalid exceptions in {}: expected a JSON list of objects with id, field and reason",
                path.display()
            ))
        })?,
    };
    let folder = manifest.parent().unwrap_or(Path::new("."));
    let mut report = CorpusReport::default();
    for (number, line) in read(manifest)?.lines().enumerate() {
        let label = ManifestLabel::parse(line).ok_or_else(|| {
            UsageError(format!("{}, line {}: invalid label", manifest.display(), number + 1))
        })?;
        let file = folder.join(&label.file);
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let row = check_file(&label, &bytes, &exceptions);
        if global.json {
            let wrong = row.checks.iter().filter_map(|check| {
                let difference = check.difference.as_ref()?;
                Some(json!({"field": check.field, "difference": difference, "excuse": check.excuse}))
            });
            output::print_json(&json!({
                "input": label.file, "id": row.id, "document": row.document, "kind": row.kinds.first(),
                "kinds": row.kinds, "differences": wrong.collect::<Vec<_>>(),
            }));
        }
        report.add_file(&row);
    }
    if !global.json {
        output::print_line(&report.to_string());
        for failure in report.failures() {
            output::print_line(failure);
        }
    }
    for missed in report.missed_thresholds() {
        output::print_message(&format!("geotrawl: below the threshold: {missed}"));
    }
    Ok(if report.missed_thresholds().is_empty() { ExitStatus::Done } else { ExitStatus::Failures })
}

fn report(global: &GlobalArgs, input: &str, inspection: &Inspection) {
    // Several probes may find the same resource: keep the one with the most layers.
    let mut found: Vec<&Found> = Vec::new();
    for one in inspection.findings.iter().flat_map(|finding| &finding.resources) {
        let same = |other: &&mut &Found| {
            (&other.resource.kind, &other.resource.url) == (&one.resource.kind, &one.resource.url)
        };
        match found.iter_mut().find(same) {
            Some(other) if other.resource.dataset_count < one.resource.dataset_count => *other = one,
            Some(_) => {}
            None => found.push(one),
        }
    }
    for found in &found {
        if global.json {
            output::print_json(&object(input, &found.resource, &found.evidence.rule));
        } else {
            print(&found.resource, &found.evidence.rule);
        }
    }
    if !found.is_empty() {
        return;
    }
    let reason = reason(inspection);
    if global.json {
        let document = inspection.findings.iter().find_map(|finding| finding.document);
        output::print_json(&json!({"input": input, "kind": null, "reason": reason, "document": document}));
    } else {
        output::print_line(&format!("{input}\n  nothing geospatial: {}", sanitize_line(&reason, 300)));
    }
}

/// Returns the resource in the record format, with the input and the matching rule.
fn object(input: &str, resource: &Resource, rule: &str) -> Value {
    let mut value = serde_json::to_value(resource).unwrap_or_default();
    if let Some(members) = value.as_object_mut() {
        members.insert("input".into(), input.into());
        members.insert("rule".into(), rule.into());
        members.insert("status".into(), "alive".into());
    }
    value
}

fn print(resource: &Resource, rule: &str) {
    let versions = resource.versions.join(", ");
    output::print_line(&format!("{} {versions}  {}", resource.kind, resource.url));
    output::print_line(&format!("  proof: {}", sanitize_line(rule, 160)));
    if let Some(title) = &resource.title {
        output::print_line(&format!("  title: {}", sanitize_line(title, 160)));
    }
    if let Some(provider) = &resource.provider {
        output::print_line(&format!("  provider: {}", sanitize_line(provider, 160)));
    }
    if let Some(b) = resource.bbox {
        output::print_line(&format!("  box: {}, {}, {}, {}", b.west, b.south, b.east, b.north));
    }
    output::print_line(&format!("  datasets: {}", format_thousands(resource.dataset_count)));
    for dataset in resource.datasets.iter().take(10) {
        let title = dataset.title.as_deref().unwrap_or("");
        output::print_line(&format!(
            "    {}  {}",
            sanitize_line(&dataset.name, 60),
            sanitize_line(title, 80)
        ));
    }
    if resource.datasets.len() > 10 {
        output::print_line(&format!(
            "    ... and {} more (--json lists all)",
            format_thousands(resource.datasets.len() as u64 - 10)
        ));
    }
    for issue in &resource.issues {
        output::print_line(&format!("  note: {}", sanitize_line(&issue.message, 160)));
    }
}

fn reason(inspection: &Inspection) -> String {
    let verdict = |finding: &Finding| match finding.verdict {
        ResponseClass::Exception => "an OGC exception report",
        ResponseClass::Login => "a login page",
        ResponseClass::Blocked => "a page of a firewall",
        ResponseClass::Page if finding.page.is_some() => "an ordinary page",
        ResponseClass::Page | ResponseClass::Resource => "an ordinary document",
        ResponseClass::Nothing => "an unknown format",
    };
    let mut said: Vec<String> = inspection.failures.clone();
    for finding in &inspection.findings {
        said.push(verdict(finding).to_owned());
        said.extend(finding.issues.iter().map(|issue| issue.message.clone()));
    }
    said.dedup();
    said.join("; ")
}
