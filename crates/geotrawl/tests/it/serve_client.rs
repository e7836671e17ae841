//! Client of the served program: starts it, sends requests, follows events.

use crate::harness::{CommandOutput, ServedSimWeb, TestStore, run_command};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub const PASSWORD: &str = "violet-harbour-92-lantern";

/// A running server; killed without shutdown when dropped, as in a power failure.
pub struct ServeProcess {
    child: Child,
    pub address: SocketAddr,
}

impl ServeProcess {
    /// Starts `serve` on an ephemeral port and waits until it answers.
    pub fn start(command: Command) -> Self {
        Self::start_with(command, &[])
    }

    /// Like [`Self::start`], with additional arguments of `serve`.
    pub fn start_with(mut command: Command, further: &[&str]) -> Self {
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(further);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let (mut before, mut line) = (String::new(), String::new());
        let address = loop {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "it ended before it answered: {before}");
            before += &line;
            if let Some((_, address)) = line.trim().split_once("answers on http://") {
                break address.parse().unwrap();
            }
        };
        // Keep reading its output, so that it never blocks on a full pipe.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Self { child, address }
    }

    /// Kills the server with `kill -9`.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Returns a session without login.
    pub fn guest_session(&self) -> ApiSession {
        ApiSession { address: self.address, cookie: String::new(), csrf: String::new() }
    }

    /// Returns a session of a user who has logged in.
    pub fn user_session(&self, name: &str) -> ApiSession {
        let body = json!({ "name": name, "password": PASSWORD });
        let answer = self.guest_session().send_request("POST", "/session", Some(&body));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        let csrf = answer.json()["csrf"].as_str().unwrap().to_owned();
        ApiSession { address: self.address, cookie, csrf }
    }
}

impl Drop for ServeProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Adds a user from the command line.
pub fn add_user(place: &TestStore, args: &[&str]) -> CommandOutput {
    let mut given = tempfile::tempfile().unwrap();
    writeln!(given, "{PASSWORD}").unwrap();
    std::io::Seek::rewind(&mut given).unwrap();
    let mut command = place.geotrawl_command();
    command.args(["user", "add"]).args(args).arg("--password-stdin").stdin(given);
    run_command(&mut command)
}

/// Starts a server on a catalogue that reaches a simulated web without delays.
pub fn start_server(web: &ServedSimWeb, place: &TestStore) -> ServeProcess {
    let mut command = web.geotrawl_command(place);
    let config = place.path().join("server.toml");
    std::fs::write(&config, "[serve]\nguest_rate = 100000\nuser_rate = 100000\n").unwrap();
    command.arg("--config").arg(config);
    command.args(["--delay", "0", "--concurrency", "16", "--timeout", "2"]);
    // The tests compare finds, and scheduled checks would change them.
    ServeProcess::start_with(command, &["--role", "web,worker"])
}

/// A session with the API, as a browser has it.
pub struct ApiSession {
    address: SocketAddr,
    cookie: String,
    csrf: String,
}

pub struct ApiAnswer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl ApiAnswer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value.trim())
    }
}

impl ApiSession {
    /// Adds the cookie set by an answer.
    pub fn with_cookie(self, set: &str) -> Self {
        Self { cookie: set.split(';').next().unwrap_or_default().to_owned(), ..self }
    }

    fn send(&self, method: &str, path: &str, body: Option<&Value>) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let body = body.map(Value::to_string).unwrap_or_default();
        // HTTP 1.0, so that answers are not chunked and end with the connection.
        let mut text = format!("{method} /api/v1{path} HTTP/1.0\r\nhost: {}\r\n", self.address);
        if !self.cookie.is_empty() {
            text = format!("{text}cookie: {}\r\nx-csrf-token: {}\r\n", self.cookie, self.csrf);
        }
        if !body.is_empty() {
            text = format!("{text}content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        }
        (&stream).write_all(format!("{text}\r\n{body}").as_bytes()).unwrap();
        BufReader::new(stream)
    }

    /// Sends a request and waits for the complete answer.
    pub fn send_request(&self, method: &str, path: &str, body: Option<&Value>) -> ApiAnswer {
        let mut stream = self.send(method, path, body);
        let mut head = String::new();
        while stream.read_line(&mut head).unwrap() > 2 {}
        let mut body = Vec::new();
        stream.read_to_end(&mut body).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        ApiAnswer { status, head, body }
    }

    /// Requests a resource that must exist.
    pub fn get_json(&self, path: &str) -> Value {
        let answer = self.send_request("GET", path, None);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// Creates a task and starts it.
    pub fn start_task(&self, web: &ServedSimWeb, title: &str) -> i64 {
        let spec = json!({ "title": title, "seeds": web.sim.seeds(), "depth": 12, "scope": "any",
            "public": true, "start": true });
        let answer = self.send_request("POST", "/tasks", Some(&spec));
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["id"].as_i64().unwrap()
    }

    /// Waits until a condition holds for a task.
    pub fn wait_for_task(&self, task: i64, what: &str, so: impl Fn(&Value) -> bool) -> Value {
        let patience = Instant::now() + Duration::from_mins(2);
        loop {
            let now = self.get_json(&format!("/tasks/{task}"));
            if so(&now) {
                return now;
            }
            assert!(Instant::now() < patience, "waited in vain for {what}: {now:#}");
            std::thread::park_timeout(Duration::from_millis(50));
        }
    }

    /// Returns all finds of a task, page by page.
    pub fn task_finds(&self, task: i64) -> Vec<Value> {
        let (mut finds, mut after) = (Vec::new(), 0);
        loop {
            let page = self.get_json(&format!("/tasks/{task}/finds?after={after}&limit=100"));
            finds.extend(page["results"].as_array().unwrap().iter().cloned());
            match page["next"].as_i64() {
                Some(next) => after = next,
                None => return finds,
            }
        }
    }

    /// Follows events after the given sequence number.
    pub fn watch_events(&self, path: &str, after: i64) -> EventStream {
        let mut stream = self.send("GET", &format!("{path}?after={after}"), None);
        let mut head = String::new();
        while stream.read_line(&mut head).unwrap() > 2 {}
        assert!(head.contains(" 200 "), "{head}");
        EventStream { stream }
    }
}

/// Stream of server-sent events.
pub struct EventStream {
    stream: BufReader<TcpStream>,
}

impl Iterator for EventStream {
    /// Number, kind and data.
    type Item = (Option<i64>, String, Value);

    fn next(&mut self) -> Option<Self::Item> {
        let (mut seq, mut kind) = (None, String::new());
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            if let Some(text) = line.strip_prefix("id: ") {
                seq = text.trim().parse().ok();
            } else if let Some(text) = line.strip_prefix("event: ") {
                text.trim().clone_into(&mut kind);
            } else if let Some(text) = line.strip_prefix("data: ") {
                return Some((seq, kind, serde_json::from_str(text).unwrap()));
            }
        }
    }
}
