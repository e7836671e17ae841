//! `explain`: why we believe it, and how it was found.

use crate::cli::{ExplainArgs, Global};
use crate::exit::Exit;
use crate::output::{self, tame};
use anyhow::Result;
use geotrawl_kinds::urls;
use geotrawl_store::{ChainLink, Explanation, Store};
use url::Url;

/// Prints all that is known about an address or a record.
pub fn run(global: &Global, args: &ExplainArgs) -> Result<Exit> {
    let store = super::catalogue(global)?;
    let explanation = look_up(&store, &args.what)?;
    if global.json {
        output::json(&explanation);
    }
    if explanation.resources.is_empty() && explanation.visits.is_empty() {
        output::remark(&format!(
            "geotrawl: nothing is known about '{}'; give a URL as `geotrawl export` shows it, or a record's id",
            args.what
        ));
        return Ok(Exit::Failures);
    }
    if !global.json {
        print(&explanation);
    }
    Ok(Exit::Done)
}

/// As given, else as a crawl would have written it: the canonical page, or the endpoint of a request.
pub(super) fn look_up(store: &dyn Store, what: &str) -> Result<Explanation> {
    let mut spellings = vec![what.to_owned()];
    if let Ok(url) = Url::parse(what) {
        spellings.extend([urls::canonical(&url), urls::endpoint(&url)].map(String::from));
    }
    for spelling in &spellings {
        let explanation = store.explain(spelling)?;
        if !explanation.resources.is_empty() || !explanation.visits.is_empty() {
            return Ok(explanation);
        }
    }
    Ok(Explanation::default())
}

fn print(explanation: &Explanation) {
    for known in &explanation.resources {
        let record = &known.record;
        let title = record.resource.title.as_deref().unwrap_or("(no title)");
        output::line(&format!("{}  {}", record.resource.kind, record.resource.url));
        output::line(&format!("  {}", tame(title, 100)));
        output::line(&format!(
            "  id {}  {}: {}",
            record.id,
            record.status.as_str(),
            tame(&record.reason, 100)
        ));
        output::line(&format!("  first seen {}, last seen {}", record.first_seen, record.last_seen));
        for alias in &record.aliases {
            output::line(&format!("  also at {alias}"));
        }
        for issue in &record.resource.issues {
            output::line(&format!("  note: {}", tame(&issue.message, 160)));
        }
        for evidence in &known.evidence {
            output::line(&format!("  proof: {}", tame(&evidence.rule, 160)));
            let range = evidence.range.as_deref().map(|range| format!(", range {range}")).unwrap_or_default();
            output::line(&format!("    GET {}{range}", evidence.request));
            output::line(&format!(
                "    at {}: HTTP {}, {} bytes in {} ms, sha256 {}",
                evidence.at, evidence.status, evidence.bytes, evidence.millis, evidence.hash
            ));
        }
        for chain in &known.chains {
            output::line("  found by:");
            print_chain(chain);
        }
    }
    for visit in &explanation.visits {
        output::line(&format!("task {}: {} ({})", visit.task, visit.url, visit.intent));
        let at = visit.at.map(|at| format!(" at {at}")).unwrap_or_default();
        output::line(&format!("  {}{at}: {}", visit.state, tame(&visit.reason, 160)));
        print_chain(&visit.chain);
    }
}

fn print_chain(chain: &[ChainLink]) {
    for (depth, link) in chain.iter().enumerate() {
        let words =
            if link.words.is_empty() { String::new() } else { format!("  \"{}\"", tame(&link.words, 60)) };
        output::line(&format!("    {}{} [{}]{words}", "  ".repeat(depth.min(12)), link.url, link.way));
    }
}
