//! Part of `tidy`: checks that the files of `deploy/` and the operations guide only use existing
//! commands and metrics.

mod cli;
#[cfg(test)]
mod tests;

use super::checkout::Checkout;
use anyhow::{Context, Result};
use cli::CommandLine;
use std::collections::BTreeSet;
use yaml_rust2::{Yaml, YamlLoader};

/// Required settings of every unit: sandbox, shutdown, restart.
const UNIT_KEYS: &[(&str, &[&str])] = &[
    ("Unit", &["Description", "After", "StartLimitIntervalSec"]),
    (
        "Service",
        &[
            "Type",
            "ExecStart",
            "EnvironmentFile",
            "DynamicUser",
            "StateDirectory",
            "ProtectSystem",
            "NoNewPrivileges",
            "CapabilityBoundingSet",
            "SystemCallFilter",
            "KillMode",
            "TimeoutStopSec",
            "Restart",
            "RestartSec",
            "RestartPreventExitStatus",
            "LimitNOFILE",
        ],
    ),
    ("Install", &["WantedBy"]),
];

/// The guide about these files.
const PAGE: &str = "docs/guide/operations.md";

/// Reports commands, options and metrics in these files that the program does not have.
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let root = &checkout.root;
    let mut faults = Vec::new();
    let read = |name: &str| std::fs::read_to_string(root.join(name)).with_context(|| name.to_owned());
    let commands = CommandLine::read_sources(root)?;
    for entry in std::fs::read_dir(root.join("deploy/systemd"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ext| ext == "service") {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            unit(&name, &read(&name)?, &commands, &mut faults);
        }
    }
    container("deploy/Containerfile", &read("deploy/Containerfile")?, &commands, &mut faults);
    compose("deploy/compose.yaml", &read("deploy/compose.yaml")?, &commands, &mut faults);
    let exported = exported(&read("crates/geotrawl-serve/src/metrics.rs")?);
    let dashboard: serde_json::Value =
        serde_json::from_str(&read("deploy/grafana.json")?).context("deploy/grafana.json")?;
    let mut asked = Vec::new();
    json_texts(&dashboard, "expr", &mut asked);
    metrics("deploy/grafana.json", &asked, &exported, &mut faults);
    for name in ["deploy/prometheus.yaml", "deploy/alerts.yaml"] {
        let mut asked = Vec::new();
        for document in &yaml(name, &read(name)?)? {
            yaml_texts(document, "expr", &mut asked);
        }
        metrics(name, &asked, &exported, &mut faults);
    }
    page(PAGE, &read(PAGE)?, &commands, &mut faults);
    Ok(faults)
}

/// Checks a systemd unit: sections in brackets, then `Key=value`.
fn unit(name: &str, text: &str, commands: &CommandLine, faults: &mut Vec<String>) {
    let mut section = "";
    let mut settings: Vec<(&str, &str, &str)> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(title) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = title;
        } else if let Some((key, value)) = line.split_once('=') {
            settings.push((section, key.trim(), value.trim()));
        } else {
            faults.push(format!("{name}: invalid setting '{line}'"));
        }
    }
    for (section, keys) in UNIT_KEYS {
        for key in *keys {
            if !settings.iter().any(|(of, is, _)| of == section && is == key) {
                faults.push(format!("{name} has no {key} in [{section}]"));
            }
        }
    }
    for (_, _, value) in settings.iter().filter(|(_, key, _)| *key == "ExecStart") {
        let words: Vec<&str> = value.split_whitespace().skip(1).collect();
        commands.check_words(name, &words, faults);
    }
}

/// Checks that a container runs as an ordinary user, has a health check, and starts an existing
/// command.
fn container(name: &str, text: &str, commands: &CommandLine, faults: &mut Vec<String>) {
    let last = |instruction: &str| {
        text.lines().rev().find_map(|line| line.strip_prefix(instruction)?.strip_prefix(' ').map(str::trim))
    };
    if last("USER").is_none_or(|user| user == "root" || user == "0") {
        faults.push(format!("{name} runs as root"));
    }
    if last("HEALTHCHECK").is_none() {
        faults.push(format!("{name} has no HEALTHCHECK"));
    }
    let words: Vec<String> = last("CMD").and_then(|cmd| serde_json::from_str(cmd).ok()).unwrap_or_default();
    commands.check_words(name, &words.iter().map(String::as_str).collect::<Vec<_>>(), faults);
}

/// Checks that services only use declared names, that each has a health check, and that only the
/// web publishes a port.
fn compose(name: &str, text: &str, commands: &CommandLine, faults: &mut Vec<String>) {
    let documents = match yaml(name, text) {
        Ok(documents) => documents,
        Err(error) => return faults.push(format!("{error:#}")),
    };
    let Some(whole) = documents.first() else { return faults.push(format!("{name} is empty")) };
    let services = whole["services"].as_hash().cloned().unwrap_or_default();
    for wanted in ["database", "worker", "web"] {
        if !services.contains_key(&Yaml::String(wanted.to_owned())) {
            faults.push(format!("{name} has no service {wanted}"));
        }
    }
    for (key, service) in &services {
        let of = key.as_str().unwrap_or_default();
        for other in names(&service["depends_on"]) {
            if !services.contains_key(&Yaml::String(other.clone())) {
                faults.push(format!("{name}: {of} depends on {other}, which is not a service"));
            }
        }
        for list in ["secrets", "networks"] {
            for one in names(&service[list]).iter().filter(|one| whole[list][one.as_str()].is_badvalue()) {
                faults.push(format!("{name}: {of} uses '{one}' of {list}, which is not declared"));
            }
        }
        for volume in names(&service["volumes"]) {
            let source = volume.split(':').next().unwrap_or_default();
            if !source.starts_with(['.', '/']) && whole["volumes"][source].is_badvalue() {
                faults.push(format!("{name}: {of} uses the volume {source}, which is not declared"));
            }
        }
        // Containers that we build have their health check in the container file.
        let ours = !service["build"].is_badvalue();
        if !ours && service["healthcheck"].is_badvalue() {
            faults.push(format!("{name}: {of} has no healthcheck"));
        }
        if of != "web" && !service["ports"].is_badvalue() {
            faults.push(format!("{name}: {of} must have no port on the host"));
        }
        if ours {
            let words = names(&service["command"]);
            commands.check_words(name, &words.iter().map(String::as_str).collect::<Vec<_>>(), faults);
        }
    }
}

/// Returns the texts of a list, or the keys of a table.
fn names(of: &Yaml) -> Vec<String> {
    match of {
        Yaml::Array(list) => list.iter().filter_map(Yaml::as_str).map(str::to_owned).collect(),
        Yaml::Hash(table) => table.keys().filter_map(Yaml::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn yaml(name: &str, text: &str) -> Result<Vec<Yaml>> {
    YamlLoader::load_from_str(text).with_context(|| name.to_owned())
}

/// Returns the names of exported metrics: every string in the source that looks like one.
/// Histograms have three forms.
fn exported(source: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for text in source.split('"').skip(1).step_by(2).filter(|text| is_metric(text)) {
        names.insert(text.to_owned());
        for ending in ["bucket", "sum", "count"] {
            let histogram = source.contains(&format!("histogram(\"{text}\""));
            if histogram {
                names.insert(format!("{text}_{ending}"));
            }
        }
    }
    names
}

fn is_metric(text: &str) -> bool {
    (text.starts_with("geotrawl_") || text.starts_with("process_"))
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn metrics(name: &str, asked: &[String], exported: &BTreeSet<String>, faults: &mut Vec<String>) {
    for expression in asked {
        // Texts in quotes are values of labels.
        let bare: String = expression.split('"').step_by(2).collect::<Vec<_>>().join(" ");
        for word in
            bare.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| is_metric(word))
        {
            if !exported.contains(word) {
                faults.push(format!("{name} uses {word}, which metrics.rs does not export"));
            }
        }
    }
}

fn json_texts(value: &serde_json::Value, key: &str, texts: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(table) => {
            for (is, inner) in table {
                match inner.as_str() {
                    Some(text) if is == key => texts.push(text.to_owned()),
                    _ => json_texts(inner, key, texts),
                }
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|inner| json_texts(inner, key, texts)),
        _ => {}
    }
}

fn yaml_texts(value: &Yaml, key: &str, texts: &mut Vec<String>) {
    match value {
        Yaml::Hash(table) => {
            for (is, inner) in table {
                match inner.as_str() {
                    Some(text) if is.as_str() == Some(key) => texts.push(text.to_owned()),
                    _ => yaml_texts(inner, key, texts),
                }
            }
        }
        Yaml::Array(list) => list.iter().for_each(|inner| yaml_texts(inner, key, texts)),
        _ => {}
    }
}

/// Checks the commands on a page: in backticks, or in indented or fenced lines.
fn page(name: &str, text: &str, commands: &CommandLine, faults: &mut Vec<String>) {
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        let pieces: Vec<&str> = if fenced || line.starts_with("    ") {
            line.split(" | ").collect()
        } else {
            line.split('`').skip(1).step_by(2).collect()
        };
        for piece in pieces {
            let piece = piece.split(" #").next().unwrap_or_default();
            let mut words = piece.split_whitespace().skip_while(|word| *word == "sudo" || *word == "$");
            if words.next() == Some("geotrawl") {
                commands.check_words(name, &words.collect::<Vec<_>>(), faults);
            }
        }
    }
}
