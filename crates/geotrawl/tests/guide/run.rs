//! Runs the commands of a page against a simulated web.

use crate::compare::{LineOrder, matches_output};
use crate::flags::split_words;
use crate::page::{CommandStep, GuidePage, PageStep};
use crate::site;
use geotrawl_simweb::SimWebConfig;
use geotrawl_testkit::ServedSimWeb;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Commands that print resources or pages in the order in which servers answer.
const UNORDERED: [&str; 5] = ["archive", "crawl", "harvest", "mine", "demo"];

/// A command that runs longer is killed: servers belong into blocks that are not run.
const TIMEOUT: Duration = Duration::from_mins(10);

/// The web that the examples are about.
pub struct ExampleWeb {
    /// Configuration that leads all host names to it.
    config: String,
    _web: ServedSimWeb,
}

impl ExampleWeb {
    /// Starts what `geotrawl simweb --hosts 30` serves, and a small site with a catalogue.
    pub fn start() -> Self {
        let web = ServedSimWeb::start(SimWebConfig { seed: 1, hosts: 30, ..SimWebConfig::default() });
        let site = site::start();
        let config = format!(
            "[fetch]\nresolve = [\"{}={site}\", \"{}\"]\n[fetch.politeness]\ndelay = 0\n",
            site::HOST,
            web.resolve_all()
        );
        Self { config, _web: web }
    }

    /// Runs a page in a fresh directory and returns what differs from it.
    pub fn run_page(&self, page: &GuidePage) -> Vec<String> {
        let steps = page.steps();
        let base = tempfile::tempdir().unwrap();
        let (folder, config) = (base.path().join("guide"), base.path().join("config.toml"));
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&config, &self.config).unwrap();
        let mut faults = Vec::new();
        let mut updates = Vec::new();
        for step in &steps {
            match step {
                PageStep::File { name, text } => std::fs::write(folder.join(name), text).unwrap(),
                PageStep::Command(step) => {
                    let (code, output) = run(&folder, &config, step);
                    let shown = page.lines(step.shown.clone());
                    let Some(fault) = judge(&step.command, shown, code, &output) else { continue };
                    faults.push(format!("{}:{}: {fault}", page.name, step.line));
                    updates.push((step.shown.clone(), output));
                }
            }
        }
        if std::env::var_os("GUIDE").is_some_and(|value| value == "update") && !updates.is_empty() {
            page.update(updates);
        }
        faults
    }
}

/// Runs one command; both of its output streams go through one pipe, as in a terminal.
fn run(folder: &Path, config: &Path, step: &CommandStep) -> (i32, String) {
    let words = split_words(&step.command);
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_geotrawl"));
    command.args(&words[1..]).current_dir(folder).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        let shown = name.to_string_lossy();
        if shown.starts_with("GEOTRAWL_") || shown.starts_with("OTEL_") || shown.ends_with("_KEY") {
            command.env_remove(name);
        }
    }
    command.env("GEOTRAWL_CONFIG", config);
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // The command holds the writing ends, and the output does not end while they are open.
    drop(command);
    let reading = std::thread::spawn(move || {
        let mut output = Vec::new();
        reader.read_to_end(&mut output).map(|_| output)
    });
    let deadline = Instant::now() + TIMEOUT;
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code().unwrap_or(-1);
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            child.wait().unwrap();
            break -1;
        }
        std::thread::park_timeout(Duration::from_millis(20));
    };
    let output = reading.join().unwrap().unwrap();
    let output = String::from_utf8_lossy(&output).into_owned();
    let folder = folder.canonicalize().unwrap();
    (code, output.replace(&format!("{}/", folder.display()), ""))
}

/// Compares the outcome of a command with the page; `None` when they agree.
fn judge(command: &str, shown: &[String], code: i32, output: &str) -> Option<String> {
    let is_failure = |line: &String| line.starts_with("geotrawl: ") || line.starts_with("error: ");
    let expected = if shown.iter().any(is_failure) { 1..=2 } else { 0..=0 };
    let mut fault = String::new();
    if !expected.contains(&code) {
        let _ = match code {
            -1 => write!(fault, "killed, or not finished after {} s", TIMEOUT.as_secs()),
            _ => write!(fault, "exit code {code}"),
        };
    } else if !shown.is_empty() {
        let unordered = split_words(command).iter().any(|word| UNORDERED.contains(&word.as_str()));
        let order = if unordered { LineOrder::Any } else { LineOrder::Fixed };
        if !matches_output(shown, output, order) {
            fault.push_str("the output differs");
        }
    }
    if !fault.is_empty() && output.contains("unknown place") {
        fault
            .push_str(" (towns and regions come with the web application: run `make web`, then build again)");
    }
    (!fault.is_empty())
        .then(|| format!("{fault}\n$ {command}\n--- shown\n{}\n--- actual\n{output}", shown.join("\n")))
}
