use geotrawl_simweb::SimWebConfig;
pub use geotrawl_testkit::ServedSimWeb;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Timeout for everything in these tests.
pub const PATIENCE: Duration = Duration::from_mins(2);
const PASSWORD: &str = "violet-harbour-92-lantern";

/// Serves a small simulated web.
pub fn small_web(seed: u64, hosts: usize, pages: usize) -> ServedSimWeb {
    ServedSimWeb::start(SimWebConfig { seed, hosts, pages: Some(pages), ..SimWebConfig::default() })
}

/// Returns a command without delays that resolves all names to this web.
pub fn geotrawl_on(web: &ServedSimWeb, data: &Path) -> Command {
    let mut command = geotrawl(data);
    command.args(["--delay", "0", "--concurrency", "16", "--timeout", "5", "--resolve"]);
    command.arg(web.resolve_all());
    command
}

/// Returns a quiet command with a data directory.
pub fn geotrawl(data: &Path) -> Command {
    let mut command = geotrawl_testkit::geotrawl_command(data);
    command.stdout(Stdio::null());
    command
}

/// Adds an administrator.
pub fn add_admin(mut command: Command) {
    let mut given = tempfile::tempfile().unwrap();
    writeln!(given, "{PASSWORD}").unwrap();
    std::io::Seek::rewind(&mut given).unwrap();
    let done =
        command.args(["user", "add", "boss", "--admin", "--password-stdin"]).stdin(given).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[derive(Default)]
struct ProcessOutput {
    lines: Mutex<(Vec<String>, bool)>,
    more: Condvar,
}

/// A process of the program; killed when dropped.
pub struct ProgramProcess {
    child: Child,
    said: Arc<ProcessOutput>,
}

impl ProgramProcess {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let said = Arc::new(ProcessOutput::default());
        let (reader, told) = (BufReader::new(child.stderr.take().unwrap()), Arc::clone(&said));
        std::thread::spawn(move || {
            for line in reader.lines().map_while(Result::ok) {
                told.lines.lock().unwrap().0.push(line);
                told.more.notify_all();
            }
            told.lines.lock().unwrap().1 = true;
            told.more.notify_all();
        });
        Self { child, said }
    }

    /// Waits for the first matching line.
    pub fn wait_for_line(&self, wanted: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        let mut lines = self.said.lines.lock().unwrap();
        loop {
            if let Some(line) = lines.0.iter().find(|line| wanted(line)) {
                return line.clone();
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!lines.1 && !left.is_zero(), "it never said it, but {:#?}", lines.0);
            lines = self.said.more.wait_timeout(lines, left).unwrap().0;
        }
    }

    /// Waits for the address printed after these words.
    pub fn wait_for_address(&self, words: &str) -> SocketAddr {
        let line = self.wait_for_line(|line| line.contains(words));
        line.split_once(words).unwrap().1.trim().parse().unwrap()
    }

    /// Stops the process and returns its output.
    pub fn stop(mut self) -> Vec<String> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap();
        self.rest()
    }

    /// Waits for the process to exit and returns its output.
    pub fn wait_for_exit(mut self) -> Vec<String> {
        self.child.wait().unwrap();
        self.rest()
    }

    fn rest(&self) -> Vec<String> {
        let mut lines = self.said.lines.lock().unwrap();
        while !lines.1 {
            lines = self.said.more.wait(lines).unwrap();
        }
        lines.0.clone()
    }
}

impl Drop for ProgramProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct HttpAnswer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl HttpAnswer {
    pub fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value.trim())
    }
}

fn send(
    address: SocketAddr,
    what: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (String, BufReader<TcpStream>) {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // HTTP 1.0, so that answers are not chunked and end with the connection.
    let mut text = format!("{what} HTTP/1.0\r\nhost: {address}\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        text = format!("{text}{name}: {value}\r\n");
    }
    (&stream).write_all(format!("{text}\r\n{body}").as_bytes()).unwrap();
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while stream.read_line(&mut head).unwrap() > 2 {}
    (head, stream)
}

/// Sends a request and waits for the complete answer.
pub fn send_request(address: SocketAddr, what: &str, headers: &[(&str, &str)], body: &str) -> HttpAnswer {
    let (head, mut stream) = send(address, what, headers, body);
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    HttpAnswer { status, head, body: String::from_utf8_lossy(&bytes).into_owned() }
}

/// An administrator logged in on a node.
pub struct AdminSession {
    address: SocketAddr,
    cookie: String,
    csrf: String,
}

impl AdminSession {
    pub fn log_in(address: SocketAddr) -> Self {
        let body = json!({ "name": "boss", "password": PASSWORD }).to_string();
        let answer =
            send_request(address, "POST /api/v1/session", &[("content-type", "application/json")], &body);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        let said: Value = serde_json::from_str(&answer.body).unwrap();
        Self { address, cookie, csrf: said["csrf"].as_str().unwrap().to_owned() }
    }

    /// Starts a public task.
    pub fn start_task(&self, title: &str, seeds: &[String], depth: u32) -> i64 {
        let spec = json!({ "title": title, "seeds": seeds, "depth": depth, "scope": "any", "public": true, "start": true });
        let headers =
            [("content-type", "application/json"), ("cookie", &self.cookie), ("x-csrf-token", &self.csrf)];
        let answer = send_request(self.address, "POST /api/v1/tasks", &headers, &spec.to_string());
        assert_eq!(answer.status, 201, "{}", answer.body);
        serde_json::from_str::<Value>(&answer.body).unwrap()["id"].as_i64().unwrap()
    }
}

/// Follows the events of a task until it is finished; returns the ids of its finds, with the delay
/// between the commit and the event of each.
pub fn watch_finds(address: SocketAddr, task: i64) -> Vec<String> {
    let (head, stream) = send(address, &format!("GET /api/v1/tasks/{task}/events?after=0"), &[], "");
    assert!(head.contains(" 200 "), "{head}");
    let (mut kind, mut finds) = (String::new(), Vec::new());
    for line in stream.lines().map_while(Result::ok) {
        if let Some(text) = line.strip_prefix("event: ") {
            text.clone_into(&mut kind);
        } else if let Some(data) = line.strip_prefix("data: ") {
            let data: Value = serde_json::from_str(data).unwrap();
            match kind.as_str() {
                "find" => finds.push(data["id"].as_str().unwrap().to_owned()),
                "state" if data["state"] == "finished" => return finds,
                "state" => assert_ne!(data["state"], "failed", "{data}"),
                _ => {}
            }
        }
    }
    panic!("the stream ended before the task");
}

/// Returns the number of records that search finds on a node.
pub fn count_search_results(address: SocketAddr) -> u64 {
    let answer = send_request(address, "GET /api/v1/search?status=any&limit=0&facets=false", &[], "");
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str::<Value>(&answer.body).unwrap()["total"].as_u64().unwrap()
}

/// Waits until a condition holds.
pub fn wait_until(what: &str, so: impl Fn() -> bool) -> Duration {
    let began = Instant::now();
    while !so() {
        assert!(began.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
    began.elapsed()
}
