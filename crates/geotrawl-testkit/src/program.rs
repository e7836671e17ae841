use crate::TestStore;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Returns a command for the built binary with a data directory, without input, and without
/// environment variables that affect it.
///
/// Only for integration tests of the package `geotrawl`, because Cargo builds the binary only for
/// those.
pub fn geotrawl_command(data: &Path) -> Command {
    let mut command = Command::new(find_program());
    command.arg("--data").arg(data).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        let shown = name.to_string_lossy();
        if shown.starts_with("GEOTRAWL_") || shown.starts_with("OTEL_") {
            command.env_remove(name);
        }
    }
    command
}

impl TestStore {
    /// Returns a command for the built binary on this store, see [`geotrawl_command`].
    pub fn geotrawl_command(&self) -> Command {
        let mut command = geotrawl_command(self.path());
        command.envs(self.url().map(|url| ("GEOTRAWL_STORE", url)));
        command
    }
}

/// Returns the path of the built binary: Cargo sets it, otherwise
/// it is next to the directory of the tests.
fn find_program() -> PathBuf {
    if let Some(path) = std::env::var_os("CARGO_BIN_EXE_geotrawl") {
        return path.into();
    }
    let test = std::env::current_exe().expect("the test's own path");
    let profile = test.parent().and_then(Path::parent).expect("tests are in target/<profile>/deps");
    profile.join("geotrawl")
}

/// The output of a command and its exit code.
#[derive(Debug)]
pub struct CommandOutput {
    /// The exit code, or -1 if a signal ended the process.
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl CommandOutput {
    /// Parses each line of standard output as JSON.
    pub fn json_lines(&self) -> Vec<Value> {
        let parse =
            |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}\n{}", self.err));
        self.out.lines().map(parse).collect()
    }
}

impl From<Output> for CommandOutput {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Runs a command until it exits.
pub fn run_command(command: &mut Command) -> CommandOutput {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}")).into()
}
