//! `audit`: the dependency policy of `deny.toml`, by cargo-deny, which is installed when it is missing.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs cargo-deny; advisories only where a database is at hand, and says so otherwise.
pub fn run(root: &Path) -> Result<()> {
    let tool = installed(root)?;
    let mut checks = vec!["bans", "licenses", "sources"];
    let database = std::env::var_os("GEOTRAWL_ADVISORY_DB").map(PathBuf::from);
    match &database {
        Some(path) if path.exists() => checks.push("advisories"),
        Some(path) => bail!("GEOTRAWL_ADVISORY_DB names {}, which is not there", path.display()),
        None => {
            println!(
                "audit: no advisory database at hand (GEOTRAWL_ADVISORY_DB): advisories are not checked"
            );
        }
    }
    let mut command = Command::new(tool);
    command.current_dir(root).args(["--locked", "check", "--hide-inclusion-graph"]).args(checks);
    if !command.status().context("cargo-deny did not start")?.success() {
        bail!("the dependency policy (deny.toml) is not met");
    }
    Ok(())
}

fn installed(root: &Path) -> Result<PathBuf> {
    let home = root.join("target").join("tools");
    let tool = home.join("bin").join("cargo-deny");
    if Command::new("cargo-deny").arg("--version").output().is_ok_and(|out| out.status.success()) {
        return Ok("cargo-deny".into());
    }
    if !tool.exists() {
        println!("audit: installing cargo-deny (once, a few minutes) ...");
        let mut install = Command::new("cargo");
        install.args(["install", "--locked", "--quiet", "cargo-deny", "--root"]).arg(&home);
        // Not into the workspace's build: its profile and lock file are not the tool's.
        if !install.current_dir(std::env::temp_dir()).status()?.success() {
            bail!("cargo-deny could not be installed; install it yourself and run this again");
        }
    }
    Ok(tool)
}
