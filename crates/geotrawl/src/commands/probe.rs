//! `probe`: what is this?

use super::Input;
use crate::cli::{Global, ProbeArgs};
use crate::exit::Exit;
use crate::output::{self, tame, thousands};
use anyhow::Result;
use geotrawl_crawl::inspect::{self, Inspection};
use geotrawl_kinds::model::Resource;
use geotrawl_kinds::probe::{Finding, Verdict};
use serde_json::{Value, json};

/// Looks at each input and says what it is.
pub fn run(global: &Global, args: &ProbeArgs) -> Result<Exit> {
    let mut web = None;
    let mut exit = Exit::Done;
    for text in &args.inputs {
        let inspection = match super::input(text, args.as_url.as_ref()) {
            Ok(Input::File(file, url)) => Inspection {
                findings: vec![inspect::file(file, &url, args.content_type.as_deref())?],
                ..Inspection::default()
            },
            Ok(Input::Web(url)) => {
                if web.is_none() {
                    web = Some(super::client(global)?);
                }
                let Some((client, runtime)) = &web else { continue };
                runtime.block_on(inspect::web(client, inspect::questions(&url)))
            }
            Err(error) => {
                output::error(&error);
                Inspection { failures: vec![error.to_string()], ..Inspection::default() }
            }
        };
        report(global, text, &inspection);
        if !inspection.failures.is_empty()
            && inspection.findings.iter().all(|found| found.resources.is_empty())
        {
            exit = Exit::Failures;
        }
    }
    Ok(exit)
}

fn report(global: &Global, input: &str, inspection: &Inspection) {
    let found: Vec<_> = inspection.findings.iter().flat_map(|finding| &finding.resources).collect();
    for found in &found {
        if global.json {
            output::json(&object(input, &found.resource, &found.rule));
        } else {
            print(&found.resource, &found.rule);
        }
    }
    if !found.is_empty() {
        return;
    }
    let reason = reason(inspection);
    if global.json {
        output::json(&json!({"input": input, "kind": null, "reason": reason}));
    } else {
        output::line(&format!("{input}\n  nothing geospatial: {}", tame(&reason, 300)));
    }
}

/// The record format of the resource, with the input and the rule that decided.
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
    output::line(&format!("{} {versions}  {}", resource.kind, resource.url));
    output::line(&format!("  proof: {}", tame(rule, 160)));
    if let Some(title) = &resource.title {
        output::line(&format!("  title: {}", tame(title, 160)));
    }
    if let Some(provider) = &resource.provider {
        output::line(&format!("  provider: {}", tame(provider, 160)));
    }
    if let Some(b) = resource.bbox {
        output::line(&format!("  box: {}, {}, {}, {}", b.west, b.south, b.east, b.north));
    }
    output::line(&format!("  datasets: {}", thousands(resource.dataset_count)));
    for dataset in resource.datasets.iter().take(10) {
        let title = dataset.title.as_deref().unwrap_or("");
        output::line(&format!("    {}  {}", tame(&dataset.name, 60), tame(title, 80)));
    }
    if resource.datasets.len() > 10 {
        output::line(&format!(
            "    ... and {} more (--json lists all)",
            thousands(resource.datasets.len() as u64 - 10)
        ));
    }
    for issue in &resource.issues {
        output::line(&format!("  note: {}", tame(&issue.message, 160)));
    }
}

fn reason(inspection: &Inspection) -> String {
    let verdict = |finding: &Finding| match finding.verdict {
        Verdict::Exception => "an OGC exception report",
        Verdict::Login => "a login page",
        Verdict::Blocked => "a firewall's page",
        Verdict::Page if finding.page.is_some() => "an ordinary page",
        Verdict::Page | Verdict::Resource => "an ordinary document",
        Verdict::Nothing => "nothing that is understood",
    };
    let mut said: Vec<String> = inspection.failures.clone();
    for finding in &inspection.findings {
        said.push(verdict(finding).to_owned());
        said.extend(finding.issues.iter().map(|issue| issue.message.clone()));
    }
    said.dedup();
    said.join("; ")
}
