//! The built program serving a simulated web, for measurements over HTTP.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const PASSWORD: &str = "violet-harbour-92-lantern";

/// Builds the program and returns its path.
pub fn build_geotrawl(root: &Path, release: bool) -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["build", "--quiet", "--package", "geotrawl", "--bin", "geotrawl"]);
    if release {
        cargo.arg("--release");
    }
    ensure!(cargo.status()?.success(), "cannot build geotrawl");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join(if release { "release" } else { "debug" }).join("geotrawl"))
}

/// A server that runs until it is dropped.
pub struct ServedProgram {
    pub address: SocketAddr,
    child: Child,
}

impl ServedProgram {
    /// Starts `serve` with arguments before and after that word, and waits until it answers.
    pub fn start(binary: &Path, data: &Path, arguments: &[String], serve_arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new(binary);
        command.arg("--data").arg(data).args(arguments).args(["serve", "--listen", "127.0.0.1:0"]);
        command.args(serve_arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot start geotrawl")?;
        let mut said = BufReader::new(child.stderr.take().context("it has no stderr")?);
        let mut all = String::new();
        let address = loop {
            let from = all.len();
            ensure!(said.read_line(&mut all)? > 0, "geotrawl ended before it answered: {all}");
            if let Some((_, address)) = all[from..].trim().split_once("answers on http://") {
                break address.parse()?;
            }
        };
        // Forward its later output, so that faults of the server are visible.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::stderr()));
        Ok(Self { address, child })
    }

    /// Process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request with a session, or as a guest.
    pub fn send_request(
        &self,
        who: Option<&LoginSession>,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Result<(u16, Value)> {
        let (status, _, body) = self.exchange(who, method, path, body)?;
        Ok((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
    }

    fn exchange(
        &self,
        who: Option<&LoginSession>,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Result<(u16, String, Vec<u8>)> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_mins(2)))?;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let login = who.map(|who| format!("cookie: {}\r\nx-csrf-token: {}\r\n", who.cookie, who.csrf));
        // HTTP 1.0, so that answers are not chunked and end with the connection.
        let text = format!(
            "{method} /api/v1{path} HTTP/1.0\r\nhost: {}\r\n{}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            login.unwrap_or_default(),
            body.len()
        );
        stream.write_all(text.as_bytes())?;
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while reader.read_line(&mut head)? > 2 {}
        let mut body = Vec::new();
        reader.read_to_end(&mut body)?;
        let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
        Ok((status.context("no answer")?, head, body))
    }

    /// Logs a user in.
    pub fn log_in(&self, name: &str) -> Result<LoginSession> {
        let body = json!({ "name": name, "password": PASSWORD });
        let (status, head, body) = self.exchange(None, "POST", "/session", &body)?;
        ensure!(status == 200, "{name} cannot log in: {}", String::from_utf8_lossy(&body));
        let mut lines = head.lines().filter_map(|line| line.split_once(':'));
        let cookie = lines.find(|(key, _)| key.eq_ignore_ascii_case("set-cookie")).context("no cookie")?.1;
        let session: Value = serde_json::from_slice(&body)?;
        let csrf = session["csrf"].as_str().context("no CSRF token")?.to_owned();
        Ok(LoginSession { cookie: cookie.trim().split(';').next().unwrap_or_default().to_owned(), csrf })
    }

    /// Creates a token for a user with these scopes.
    pub fn create_token(&self, who: &LoginSession, scopes: &[&str]) -> Result<String> {
        let body = json!({ "name": "a chore", "scopes": scopes, "days": 1 });
        let (status, made) = self.send_request(Some(who), "POST", "/account/tokens", &body)?;
        let secret =
            made["secret"].as_str().with_context(|| format!("cannot create a token: {status} {made}"))?;
        Ok(secret.to_owned())
    }
}

impl Drop for ServedProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Session of a user.
pub struct LoginSession {
    cookie: String,
    csrf: String,
}

/// Adds a user from the command line.
pub fn add_user(binary: &Path, data: &Path, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new(binary);
    command.arg("--data").arg(data).args(["user", "add"]).args(arguments);
    command.arg("--password-stdin").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    writeln!(child.stdin.take().context("it has no stdin")?, "{PASSWORD}")?;
    ensure!(child.wait()?.success(), "cannot add the user {arguments:?}");
    Ok(())
}
