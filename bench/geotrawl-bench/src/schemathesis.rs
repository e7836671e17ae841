//! `schemathesis`: tests the served API against its own OpenAPI document, as a guest, a user and an
//! admin.
//!
//! The tool is installed once below `target/`. Event streams are excluded because they never end.
//! Operations that could lock the admin out (removing users, rate limits) are excluded from the
//! admin's long run and tested last.

use crate::served::{self, ServedProgram};
use anyhow::{Context, Result, bail, ensure};
use geotrawl_simweb::{SimWeb, SimWebConfig};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Version to install.
const PACKAGE: &str = "schemathesis==4.32.5";
/// Checks to run on every answer.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance,unsupported_method,allow_header_conformance";
/// Paths with endless answers.
const STREAMS: &str = "/events$";
/// Paths with which an admin could lock out this test.
const DANGEROUS: &str = "^/api/v1/(users/\\{id\\}|settings|session|account/tokens/\\{id\\})$";

#[derive(Debug, clap::Args)]
pub struct SchemathesisOptions {
    /// Number of requests of each kind per operation
    #[arg(long, default_value_t = 12)]
    examples: u32,
    /// Seed of the generated requests
    #[arg(long, default_value_t = 5)]
    seed: u32,
    /// Test a release build
    #[arg(long)]
    release: bool,
    /// Further arguments for schemathesis
    #[arg(last = true)]
    further: Vec<String>,
}

/// One part of the test.
struct SchemathesisPart {
    title: &'static str,
    token: Option<String>,
    filters: Vec<String>,
    /// Values for some parameters.
    values: PathBuf,
}

/// Runs all parts; fails if there are findings.
pub fn run(root: &Path, options: &SchemathesisOptions) -> Result<()> {
    let tool = installed(root)?;
    let binary = served::build_geotrawl(root, options.release)?;
    let scratch = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let web = SimWeb::generate(SimWebConfig { hosts: 20, pages: Some(400), ..SimWebConfig::default() });
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let pin = format!("*={}", listener.local_addr()?);
    let serving = runtime.block_on(async { web.serve(listener, None) })?;
    let server = populated(&binary, scratch.path(), &pin, &web)?;
    let parts = parts(&server, scratch.path())?;
    let (started, mut failed) = (Instant::now(), Vec::new());
    for part in &parts {
        println!("schemathesis: {} ...", part.title);
        if !test(&tool, scratch.path(), &server, part, options)? {
            failed.push(part.title);
        }
    }
    drop(serving);
    let seconds = started.elapsed().as_secs();
    if !failed.is_empty() {
        bail!("schemathesis: findings in {} of {} parts: {}", failed.len(), parts.len(), failed.join(", "));
    }
    println!("schemathesis: no findings in {} parts, {seconds} s, seed {}", parts.len(), options.seed);
    Ok(())
}

fn installed(root: &Path) -> Result<PathBuf> {
    let home = root.join("target").join("tools").join("schemathesis");
    let (python, tool) = (home.join("bin/python"), home.join("bin/schemathesis"));
    let quietly = |command: &mut Command| -> Result<()> {
        let output = command.output().with_context(|| format!("{command:?}"))?;
        ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    };
    if !tool.exists() {
        println!("schemathesis: installing {PACKAGE} (once) ...");
        quietly(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
        quietly(Command::new(python).args(["-m", "pip", "install", "--quiet", PACKAGE]))?;
    }
    Ok(tool)
}

/// Starts a server with users, a catalogue and a finished task.
fn populated(binary: &Path, data: &Path, pin: &str, web: &SimWeb) -> Result<ServedProgram> {
    for person in [&["first"][..], &["second"], &["boss", "--admin"], &["ann"]] {
        served::add_user(binary, data, person)?;
    }
    let config = data.join("schemathesis-server.toml");
    std::fs::write(&config, "[serve]\nguest_rate = 1000000\nuser_rate = 1000000\nproxy = true\n")?;
    let mut arguments: Vec<String> =
        ["--delay", "0", "--timeout", "2", "--resolve", pin, "--config"].map(str::to_owned).to_vec();
    arguments.push(config.display().to_string());
    let server = ServedProgram::start(binary, data, &arguments, &[])?;
    let ann = server.log_in("ann")?;
    let spec = json!({ "seeds": web.seeds(), "scope": "any", "depth": 9, "public": true, "start": true });
    let (status, task) = server.send_request(Some(&ann), "POST", "/tasks", &spec)?;
    ensure!(status == 201, "cannot create a task: {task}");
    let path = format!("/tasks/{}", task["id"]);
    let patience = Instant::now() + Duration::from_mins(2);
    while server.send_request(Some(&ann), "GET", &path, &Value::Null)?.1["state"] != "finished" {
        ensure!(Instant::now() < patience, "the task did not end in time");
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(server)
}

fn parts(server: &ServedProgram, scratch: &Path) -> Result<Vec<SchemathesisPart>> {
    let (ann, boss) = (server.log_in("ann")?, server.log_in("boss")?);
    let user = server.create_token(&ann, &["read", "download", "tasks"])?;
    let admin = server.create_token(&boss, &["read", "download", "tasks", "admin"])?;
    let found = server.send_request(None, "GET", "/search?q=wms&limit=1&facets=false", &Value::Null)?.1;
    let record = found["results"][0]["id"].as_str().context("the catalogue is empty")?;
    // Long polls return at once, since nothing happens here.
    let brief = "[[operations]]\ninclude-path-regex = '/events/poll'\nparameters = { \"query.wait\" = 0 }\n";
    let (usual, known) = (scratch.join("usual.toml"), scratch.join("known.toml"));
    std::fs::write(&usual, brief)?;
    std::fs::write(
        &known,
        format!(
            "{brief}[[operations]]\ninclude-path-regex = '/(records|proxy)/'\nparameters = {{ \"path.id\" = '{record}' }}\n\
             [[operations]]\ninclude-path-regex = '/tasks/'\nparameters = {{ \"path.id\" = 1 }}\n"
        ),
    )?;
    // One pattern, because the tool only uses the last of several.
    let without = |patterns: &[&str]| vec!["--exclude-path-regex".to_owned(), patterns.join("|")];
    let with = |pattern: &str| {
        vec!["--include-path-regex".into(), pattern.to_owned(), "--exclude-path-regex".into(), STREAMS.into()]
    };
    let all = || Some(user.clone());
    let boss = || Some(admin.clone());
    Ok(vec![
        SchemathesisPart {
            title: "a guest",
            token: None,
            filters: without(&[STREAMS]),
            values: usual.clone(),
        },
        SchemathesisPart {
            title: "a user",
            token: all(),
            filters: without(&[STREAMS]),
            values: usual.clone(),
        },
        SchemathesisPart {
            title: "a user, with existing ids",
            token: all(),
            filters: with("^/api/v1/(records|proxy|tasks)/"),
            values: known,
        },
        SchemathesisPart {
            title: "an admin",
            token: boss(),
            filters: without(&[STREAMS, DANGEROUS]),
            values: usual.clone(),
        },
        SchemathesisPart {
            title: "an admin, dangerous operations",
            token: boss(),
            filters: with(DANGEROUS),
            values: usual.clone(),
        },
    ])
}

/// Runs the tool; returns whether there were no findings.
fn test(
    tool: &Path,
    scratch: &Path,
    server: &ServedProgram,
    part: &SchemathesisPart,
    options: &SchemathesisOptions,
) -> Result<bool> {
    let mut command = Command::new(tool);
    command.current_dir(scratch).env("PYTHONWARNINGS", "ignore");
    command.arg("--config-file").arg(&part.values);
    command.args(["run", &format!("http://{}/api/v1/openapi.json", server.address)]);
    command.args(["--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--continue-on-failure"]);
    command.args(["--seed", &options.seed.to_string(), "--max-examples", &options.examples.to_string()]);
    command.args(["--suppress-health-check", "all", "--warnings", "off", "--request-timeout", "60"]);
    command.args(&part.filters).args(&options.further);
    if let Some(token) = &part.token {
        command.args(["--header", &format!("Authorization: Bearer {token}")]);
    }
    let output = command.output().context("cannot start schemathesis")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let shown = if output.status.success() {
        text.lines().rev().filter(|line| line.contains("generated") || line.contains("passed")).collect()
    } else {
        text.lines().collect::<Vec<_>>()
    };
    for line in shown {
        println!("  {line}");
    }
    if !output.status.success() {
        println!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.status.success())
}
