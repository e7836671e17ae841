//! `extract`: lists the addresses in a page or file, and how they were found.

use super::CommandInput;
use crate::cli::{ExtractArgs, GlobalArgs};
use crate::exit::ExitStatus;
use crate::output::{self, sanitize_line};
use anyhow::Result;
use geotrawl_crawl::apps::{AppReader, PieceSource};
use geotrawl_crawl::inspect;
use geotrawl_crawl::render::{PageRenderer, RenderConfig};
use geotrawl_kinds::extract::app::AppFacts;
use geotrawl_kinds::probe::CrawlTarget;
use serde_json::json;

/// Lists the addresses of each input.
pub fn run(global: &GlobalArgs, args: &ExtractArgs) -> Result<ExitStatus> {
    let (client, runtime) = super::client(global)?;
    let renderer = args.render.then(|| PageRenderer::new(RenderConfig::default(), &client)).transpose()?;
    let reader = AppReader::without_robots(super::students()).with_renderer(renderer);
    let mut exit = ExitStatus::Done;
    for text in &args.inputs {
        let (mut findings, failures, disk) = match super::input(text, args.base_url.as_ref()) {
            Ok(CommandInput::File(file, url, disk)) => {
                (vec![inspect::inspect_file(file, &url, None)?], Vec::new(), Some(disk))
            }
            Ok(CommandInput::Web(url)) => {
                let seen =
                    runtime.block_on(inspect::inspect_targets(&client, vec![inspect::page_target(&url)]));
                (seen.findings, seen.failures, None)
            }
            Err(error) => (Vec::new(), vec![error.to_string()], None),
        };
        for failure in &failures {
            output::print_message(&format!("geotrawl: {failure}"));
            exit = ExitStatus::Failures;
        }
        if args.render && disk.is_some() {
            output::print_message(&format!(
                "geotrawl: {text}: --render does not apply to files; use its web address instead"
            ));
        }
        if !args.no_scripts {
            let source = disk.as_ref().map_or(PieceSource::Web(&client), PieceSource::Disk);
            for facts in runtime.block_on(inspect::read_apps(&mut findings, &reader, source)) {
                tell(text, &facts);
            }
        }
        let targets: Vec<CrawlTarget> = findings.into_iter().flat_map(|finding| finding.targets).collect();
        report(global, args, text, &targets);
    }
    Ok(exit)
}

/// Logs what reading an application cost and which problems it had.
fn tell(input: &str, facts: &AppFacts) {
    let AppFacts { why, fetched, bytes, undecided, .. } = facts;
    tracing::info!(
        "{input}: map application ({why}): {fetched} scripts and documents fetched, {bytes} bytes read, {undecided} layers without a known address"
    );
    for issue in &facts.issues {
        tracing::info!("{input}: {issue}");
    }
}

fn report(global: &GlobalArgs, args: &ExtractArgs, input: &str, targets: &[CrawlTarget]) {
    let mut shown = 0;
    for target in targets.iter().filter(|target| !args.services || target.intent.is_probe()) {
        shown += 1;
        if global.json {
            output::print_json(&json!({
                "input": input,
                "url": target.url,
                "way": target.way,
                "rule": target.note.as_ref().map_or_else(|| target.intent.to_string(), |note| note.rule.clone()),
                "ask": target.intent.to_string(),
                "line": target.line,
                "service": target.intent.is_probe(),
                "layers": target.layers,
                "level": target.note.as_ref().map(|note| note.level),
                "reason": target.note.as_ref().map(|note| &note.reason),
                "script": target.note.as_ref().and_then(|note| note.script.as_ref()),
                "column": target.note.as_ref().map(|note| note.column),
                "title": target.words,
            }));
        } else {
            let mark = if target.intent.is_probe() { "*" } else { " " };
            output::print_line(&format!(
                "{mark} {:<12} {:<12} {}  {}",
                target.intent.to_string(),
                target.way,
                target.url,
                sanitize_line(&target.words, 50)
            ));
        }
    }
    if shown == 0 {
        if global.json {
            output::print_json(&json!({"input": input, "kind": null, "url": null}));
        } else {
            output::print_line(&format!("{input}: no addresses found"));
        }
    }
}
