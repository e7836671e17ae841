//! Scrapy, from `bench/scrapy`, in a virtual environment created by the benchmark.

use super::{CrawlPeer, PeerSetup, SiteInfo, SiteLayout};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Configuration in `crawl.py`, name in the JSON, name in the table.
const CONFIGURATIONS: &[(&str, &str, &str)] = &[
    ("stripped", "scrapy-stripped", "Scrapy 2.19, stripped, c16"),
    ("asyncio", "scrapy-asyncio", "Scrapy 2.19, stripped, asyncio, c16"),
    ("default", "scrapy-default", "Scrapy 2.19, as it comes, c32"),
];

pub fn prepare(setting: &PeerSetup) -> Result<Vec<CrawlPeer>> {
    let python = environment(setting)?;
    let script = setting.root.join("bench/scrapy/crawl.py");
    let peer = |(configuration, id, title): &(&'static str, &'static str, &'static str)| {
        let (python, script, configuration) = (python.clone(), script.clone(), *configuration);
        let start = Box::new(move |setting: &PeerSetup, site: &SiteInfo, scratch: &Path| {
            let mut command = setting.cores.measured_command(&python);
            command.arg(&script).arg(&site.seed).arg(configuration).current_dir(scratch);
            command
        });
        CrawlPeer {
            id,
            title: (*title).to_owned(),
            layouts: &[SiteLayout::ManyHosts],
            start,
            keeps: None,
            once: configuration == "default",
        }
    };
    Ok(CONFIGURATIONS.iter().map(peer).collect())
}

/// Returns the interpreter of the environment, which is recreated if the list of packages changes.
fn environment(setting: &PeerSetup) -> Result<PathBuf> {
    let home = setting.work.join("scrapy");
    let python = home.join("bin/python");
    let wanted = std::fs::read_to_string(setting.root.join("bench/scrapy/requirements.txt"))?;
    let stamp = home.join("installed.txt");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    if !setting.install {
        bail!("not installed, and --no-install is set");
    }
    println!("bench: installing Scrapy into {} ...", home.display());
    let made =
        Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home).stdout(Stdio::null()).status();
    if !made.context("python3 is not installed")?.success() {
        bail!("python3 cannot create a virtual environment (on Debian: install python3-venv)");
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]);
    install.arg(setting.root.join("bench/scrapy/requirements.txt"));
    if !install.status()?.success() {
        bail!("pip cannot install Scrapy");
    }
    std::fs::write(&stamp, wanted)?;
    Ok(python)
}
