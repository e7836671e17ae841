//! `audit`: checks the dependency policy of `deny.toml` with cargo-deny, which is installed if it
//! is missing.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs cargo-deny. Advisories are checked only if a database is available.
pub fn run(root: &Path) -> Result<()> {
    let tool = installed(root)?;
    let mut checks = vec!["bans", "licenses", "sources"];
    let database = std::env::var_os("GEOTRAWL_ADVISORY_DB").map(PathBuf::from);
    match &database {
        Some(path) if path.exists() => checks.push("advisories"),
        Some(path) => bail!("GEOTRAWL_ADVISORY_DB is set to {}, which does not exist", path.display()),
        None => {
            println!("audit: advisories are not checked: no advisory database (set GEOTRAWL_ADVISORY_DB)");
        }
    }
    let mut command = Command::new(tool);
    command.current_dir(root).args(["--locked", "check", "--hide-inclusion-graph"]).args(checks);
    if !command.status().context("cannot start cargo-deny")?.success() {
        bail!("the dependency policy (deny.toml) is violated");
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
        // Outside the workspace, whose profile and lock file are not meant for the tool.
        if !install.current_dir(std::env::temp_dir()).status()?.success() {
            bail!("cannot install cargo-deny; install it manually and try again");
        }
    }
    Ok(tool)
}
