//! Real servers on this machine: `GEOTRAWL_LAB` names the folder of a running laboratory with its
//! `truth.json`. Takes many minutes, since its site requires a second between requests.

use crate::harness::{geotrawl_command, lock_machine, run_command};
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

/// Service types of the laboratory and the kinds they correspond to.
const TYPES: &[(&str, &[&str])] = &[
    ("ArcGIS-FeatureServer", &["arcgis-featureserver"]),
    ("OGCAPI", &["ogcapi-features"]),
    ("OGCAPI-EDR-collection", &["ogcapi-edr"]),
    ("OGCAPI-Features", &["ogcapi-features"]),
    ("OGCAPI-Features+Tiles", &["ogcapi-features"]),
    ("OGCAPI-Processes", &["ogcapi-processes"]),
    ("OGCAPI-Tiles", &["ogcapi-tiles"]),
    ("STAC-API", &["stac-api"]),
    ("STAC-catalog", &["stac-catalog", "stac-api"]),
];

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value[name].as_array().into_iter().flatten()
}

/// Normalizes an address. Processes are reported at the landing page of their API.
fn bare(url: &str) -> String {
    url.trim_end_matches(['?', '/']).trim_end_matches("/processes").to_owned()
}

/// Returns whether only map applications refer to the service.
fn hidden_in_scripts(service: &Value) -> bool {
    let ways: Vec<&str> = list(service, "revealed_by").filter_map(Value::as_str).collect();
    let script = |way: &&str| way.contains("/js/") || way.contains("script") || way.contains("/viewer/spa");
    !ways.is_empty() && ways.iter().all(script)
}

#[test]
fn the_servers_of_the_laboratory_are_found_with_all_they_have() {
    let Some(lab) = std::env::var_os("GEOTRAWL_LAB").map(PathBuf::from) else {
        println!("SKIPPED: no laboratory (set GEOTRAWL_LAB to the folder of one that is running)");
        return;
    };
    let _alone = lock_machine();
    let truth: Value =
        serde_json::from_slice(&std::fs::read(lab.join("truth.json")).expect("its truth")).unwrap();
    let data = tempfile::tempdir().unwrap();
    let seed = truth["seeds"][0].as_str().unwrap();
    let said = run_command(
        geotrawl_command(data.path())
            .args(["--allow-net", "127.0.0.0/8", "--delay", "50", "--timeout", "30", "--quiet"])
            .args(["crawl", "--depth", "10", seed]),
    );
    assert!(said.code <= 1, "{}", said.err);
    let records = run_command(geotrawl_command(data.path()).args(["export"])).json_lines();
    let doors = |record: &Value| -> HashSet<String> {
        let aliases = list(record, "aliases").filter_map(Value::as_str);
        std::iter::once(text(record, "url")).chain(aliases).map(bare).collect()
    };
    let mut wrong = Vec::new();
    for service in list(&truth, "services").filter(|s| s["optional"] != true && !hidden_in_scripts(s)) {
        let lower = text(service, "type").to_ascii_lowercase();
        let own = [lower.as_str()];
        let kinds =
            TYPES.iter().find(|(name, _)| *name == text(service, "type")).map_or(&own[..], |(_, k)| k);
        let also = list(service, "same_service_also_at").filter_map(Value::as_str);
        let urls: HashSet<String> = std::iter::once(text(service, "url")).chain(also).map(bare).collect();
        let found: Vec<&Value> = records
            .iter()
            .filter(|record| kinds.contains(&text(record, "kind")) && !doors(record).is_disjoint(&urls))
            .collect();
        let mut counts: BTreeSet<u64> =
            list(service, "versions").filter_map(|version| version["layers_count"].as_u64()).collect();
        counts.extend(service["layers_count"].as_u64());
        // Collections of several interfaces behind one landing page are reported with the interface
        // they belong to.
        let whole = text(service, "type") != "OGCAPI";
        if found.is_empty() {
            wrong.push(format!("missed: {} {}", text(service, "id"), text(service, "url")));
        } else if whole
            && !counts.is_empty()
            && !found.iter().any(|record| counts.contains(&record["dataset_count"].as_u64().unwrap_or(0)))
        {
            let ours: Vec<&Value> = found.iter().map(|record| &record["dataset_count"]).collect();
            wrong.push(format!("{}: {ours:?} datasets instead of {counts:?}", text(service, "id")));
        }
    }
    for never in list(&truth, "must_not_report") {
        let url = bare(text(never, "url"));
        if records.iter().any(|record| bare(text(record, "url")) == url) {
            wrong.push(format!("reported: {url} ({})", text(never, "why")));
        }
    }
    println!("{} records; {} differences", records.len(), wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}
