//! `extract`: which addresses a page or file reveals, and how.

use super::Input;
use crate::cli::{ExtractArgs, Global};
use crate::exit::Exit;
use crate::output::{self, tame};
use anyhow::Result;
use geotrawl_crawl::inspect;
use geotrawl_kinds::probe::Target;
use serde_json::json;

/// Lists what each input reveals.
pub fn run(global: &Global, args: &ExtractArgs) -> Result<Exit> {
    let mut web = None;
    let mut exit = Exit::Done;
    for text in &args.inputs {
        let (targets, failures) = match super::input(text, args.base_url.as_ref()) {
            Ok(Input::File(file, url)) => (inspect::file(file, &url, None)?.targets, Vec::new()),
            Ok(Input::Web(url)) => {
                if web.is_none() {
                    web = Some(super::client(global)?);
                }
                let Some((client, runtime)) = &web else { continue };
                let seen = runtime.block_on(inspect::web(client, vec![inspect::page(&url)]));
                (seen.findings.into_iter().flat_map(|finding| finding.targets).collect(), seen.failures)
            }
            Err(error) => (Vec::new(), vec![error.to_string()]),
        };
        for failure in &failures {
            output::remark(&format!("geotrawl: {failure}"));
            exit = Exit::Failures;
        }
        report(global, args, text, &targets);
    }
    Ok(exit)
}

fn report(global: &Global, args: &ExtractArgs, input: &str, targets: &[Target]) {
    let mut shown = 0;
    for target in targets.iter().filter(|target| !args.services || target.intent.is_probe()) {
        shown += 1;
        if global.json {
            output::json(&json!({
                "input": input,
                "url": target.url,
                "way": target.way,
                "rule": target.intent.to_string(),
                "line": target.line,
                "service": target.intent.is_probe(),
                "layers": target.layers,
            }));
        } else {
            let mark = if target.intent.is_probe() { "*" } else { " " };
            output::line(&format!(
                "{mark} {:<12} {:<12} {}  {}",
                target.intent.to_string(),
                target.way,
                target.url,
                tame(&target.words, 50)
            ));
        }
    }
    if shown == 0 {
        if global.json {
            output::json(&json!({"input": input, "kind": null, "url": null}));
        } else {
            output::line(&format!("{input}: reveals no address"));
        }
    }
}
