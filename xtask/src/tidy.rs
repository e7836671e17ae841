//! `tidy`: rules that no compiler checks: the layers, the size of files, the links of the documents.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Longest source file; data tables and tests excepted.
const MOST_LINES: usize = 700;

/// Which crates of ours a crate may use. One way only.
const LAYERS: &[(&str, &[&str])] = &[
    ("geotrawl-js", &[]),
    ("geotrawl-kinds", &["geotrawl-js"]),
    ("geotrawl-simweb", &[]),
    ("geotrawl-trust", &["geotrawl-kinds"]),
    ("geotrawl-themes", &[]),
    ("geotrawl-rank", &["geotrawl-kinds"]),
    ("geotrawl-store", &["geotrawl-kinds", "geotrawl-rank", "geotrawl-trust"]),
    (
        "geotrawl-crawl",
        &[
            "geotrawl-archive",
            "geotrawl-js",
            "geotrawl-kinds",
            "geotrawl-rank",
            "geotrawl-trust",
            "geotrawl-themes",
            "geotrawl-store",
        ],
    ),
    ("geotrawl-index", &["geotrawl-kinds", "geotrawl-trust", "geotrawl-store"]),
    ("geotrawl-export", &["geotrawl-kinds", "geotrawl-trust", "geotrawl-store"]),
    ("geotrawl-standards", &["geotrawl-kinds", "geotrawl-store", "geotrawl-index"]),
    ("geotrawl-archive", &["geotrawl-kinds", "geotrawl-store"]),
    (
        "geotrawl-serve",
        &[
            "geotrawl-kinds",
            "geotrawl-rank",
            "geotrawl-trust",
            "geotrawl-themes",
            "geotrawl-store",
            "geotrawl-index",
            "geotrawl-export",
            "geotrawl-standards",
            "geotrawl-archive",
        ],
    ),
    (
        "geotrawl",
        &[
            "geotrawl-kinds",
            "geotrawl-rank",
            "geotrawl-trust",
            "geotrawl-themes",
            "geotrawl-store",
            "geotrawl-index",
            "geotrawl-export",
            "geotrawl-crawl",
            "geotrawl-serve",
            "geotrawl-simweb",
        ],
    ),
];

/// Words that a crate's sources must not hold, with the reason.
const FORBIDDEN: &[(&str, &[&str], &str)] = &[
    ("geotrawl-js", &["std::fs", "std::net", "std::process", "tokio"], "reading code does no I/O"),
    ("geotrawl-kinds", &["std::fs", "std::net", "tokio", "SystemTime", "Instant::now"], "kinds are pure"),
    ("geotrawl-trust", &["std::fs", "std::net", "tokio", "SystemTime", "Instant::now"], "verdicts are pure"),
    ("geotrawl-themes", &["std::net", "tokio", "SystemTime", "Instant::now"], "labels are pure"),
    ("geotrawl-store", &["TcpStream", "hyper::"], "the store does no HTTP"),
    ("geotrawl", &["rusqlite", "SELECT "], "SQL stands only in geotrawl-store"),
    ("geotrawl-crawl", &["rusqlite", "SELECT "], "SQL stands only in geotrawl-store"),
    ("geotrawl-index", &["rusqlite", "SELECT "], "SQL stands only in geotrawl-store"),
    ("geotrawl-serve", &["rusqlite", "SELECT "], "SQL stands only in geotrawl-store"),
];

/// Ways to the network that only the guarded client may take.
const CLIENTS: &[&str] =
    &["TcpStream::connect", "TcpSocket", "hyper_util::client", "lookup_host", "to_socket_addrs"];

/// Checks everything and reports all faults at once.
pub fn run(root: &Path) -> Result<()> {
    let mut faults = Vec::new();
    layers(root, &mut faults)?;
    sources(root, &mut faults)?;
    documents(root, &mut faults)?;
    crate::deploy::check(root, &mut faults)?;
    if faults.is_empty() {
        println!("tidy: layers, file sizes, links and deployment are in order");
        return Ok(());
    }
    for fault in &faults {
        println!("tidy: {fault}");
    }
    bail!("{} faults", faults.len())
}

fn layers(root: &Path, faults: &mut Vec<String>) -> Result<()> {
    for (name, allowed) in LAYERS {
        let manifest = root.join("crates").join(name).join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).with_context(|| manifest.display().to_string())?;
        // Tests may use what the product may not.
        let own = text.split("[dev-dependencies]").next().unwrap_or_default();
        for line in own.lines().filter(|line| line.starts_with("geotrawl")) {
            let used = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if !allowed.contains(&used) {
                faults.push(format!("{name} must not depend on {used} (dependencies go one way only)"));
            }
        }
    }
    Ok(())
}

fn sources(root: &Path, faults: &mut Vec<String>) -> Result<()> {
    let mut files = Vec::new();
    for folder in ["crates", "xtask"] {
        walk(&root.join(folder), &mut files)?;
    }
    for path in files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs")) {
        let shown = path.strip_prefix(root).unwrap_or(path).display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| shown.clone())?;
        let lines = text.lines().count();
        if lines > MOST_LINES && !shown.contains("/tests/") {
            faults.push(format!("{shown} has {lines} lines; split it along a seam (at most {MOST_LINES})"));
        }
        let own_client = shown.starts_with("crates/geotrawl-crawl/src/fetch/")
            || shown.starts_with("crates/geotrawl-simweb/");
        if shown.contains("/src/") && !own_client && !shown.starts_with("xtask/") {
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            for word in CLIENTS.iter().filter(|word| product.contains(*word)) {
                faults.push(format!("{shown} uses {word}: all traffic goes through geotrawl_crawl::fetch"));
            }
        }
        for (name, words, reason) in FORBIDDEN {
            // Tests beside the code may do what the code must not.
            if !shown.starts_with(&format!("crates/{name}/src/")) || shown.contains("/tests/") {
                continue;
            }
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            for word in *words {
                let used =
                    product.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(word));
                if used {
                    faults.push(format!("{shown} uses {word}: {reason}"));
                }
            }
        }
    }
    Ok(())
}

/// Relative links in Markdown must lead somewhere.
fn documents(root: &Path, faults: &mut Vec<String>) -> Result<()> {
    let mut files = Vec::new();
    walk(&root.join("docs"), &mut files)?;
    for entry in std::fs::read_dir(root)? {
        files.push(entry?.path());
    }
    for path in files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "md")) {
        let text = std::fs::read_to_string(path)?;
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next()) {
            let elsewhere = target.is_empty() || target.contains("://") || target.starts_with("mailto:");
            let folder = path.parent().unwrap_or(root);
            if !elsewhere && !folder.join(target).exists() {
                let shown = path.strip_prefix(root).unwrap_or(path).display();
                faults.push(format!("{shown} links to {target}, which is not there"));
            }
        }
    }
    Ok(())
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with("node_modules") {
                walk(&path, files)?;
            }
        } else {
            files.push(path);
        }
    }
    Ok(())
}
