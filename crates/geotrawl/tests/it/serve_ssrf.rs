//! The server cannot be used to reach this machine or its network: not with a task, the proxy, an
//! alert or an OpenID Connect provider, in any spelling, nor with a redirect.
//!
//! The client uses its own resolver, so names that change their address are tested where the
//! resolver can be replaced: in the tests of the guarded client and of `outbound.rs`.

use crate::harness::{Engine, TestStore};
use crate::serve_client::{ApiSession, ServeProcess, add_user};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Spellings of addresses of this machine or of a private network; `PORT` is the port of the
/// canary.
const SPELLINGS: &[&str] = &[
    "http://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://127.0.1:PORT/",
    "http://2130706433:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://0177.0x0.1:PORT/",
    "http://017700000001:PORT/",
    "http://0x7f.0.0.1:PORT/",
    "http://0x7f000001:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://127.8.9.10:PORT/",
    "http://0:PORT/",
    "http://0.0.0.0:PORT/",
    "http://①②⑦.⓪.⓪.①:PORT/",
    "http://１２７.０.０.１:PORT/",
    "http://127。0。0。1:PORT/",
    "http://%31%32%37.0.0.1:PORT/",
    "http://[::1]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/",
    "http://[::]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[::ffff:0:127.0.0.1]:PORT/",
    "http://[64:ff9b::127.0.0.1]:PORT/",
    "http://[64:ff9b:1::7f00:1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://[2001:0:7f00:1::]:PORT/",
    "http://[2001:db8::5efe:7f00:1]:PORT/",
    "http://[fe80::1]:PORT/",
    "http://[fe80::1%25lo]:PORT/",
    "http://[fd00:ec2::254]:PORT/",
    "http://localhost:PORT/",
    "http://LocalHost.:PORT/",
    "http://a.localhost:PORT/",
    "http://a.b.localhost.:PORT/",
    "http://10.1.2.3:PORT/",
    "http://172.31.0.1:PORT/",
    "http://192.168.1.1:PORT/",
    "http://100.64.0.1:PORT/",
    "http://100.100.100.200/latest/meta-data/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:169.254.169.254]/latest/meta-data/",
    "http://168.63.129.16/",
    "http://user:secret@127.0.0.1:PORT/",
    "http://public.example@127.0.0.1:PORT/",
    "http://public.example:80@127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT\\",
    "http:127.0.0.1:PORT/",
    "https://127.0.0.1:PORT/",
    "127.0.0.1:PORT",
    "2130706433:PORT",
    "localhost:PORT",
    "http://other.example:22/",
    "file:///etc/passwd",
    "ftp://other.example/",
    "gopher://127.0.0.1:PORT/_",
    "javascript:alert(1)",
];

/// Counts connection attempts.
struct CanaryServer {
    port: u16,
    knocks: Arc<AtomicUsize>,
}

impl CanaryServer {
    fn new() -> Self {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = first.local_addr().unwrap().port();
        let knocks = Arc::new(AtomicUsize::new(0));
        // Listen on IPv6 loopback as well, where available.
        for listener in [Some(first), TcpListener::bind(("::1", port)).ok()].into_iter().flatten() {
            let knocks = Arc::clone(&knocks);
            std::thread::spawn(move || {
                for _knock in listener.incoming() {
                    knocks.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        Self { port, knocks }
    }

    fn spelled(&self) -> Vec<String> {
        SPELLINGS.iter().map(|text| text.replace("PORT", &self.port.to_string())).collect()
    }

    fn assert_untouched(&self) {
        assert_eq!(self.knocks.load(Ordering::SeqCst), 0, "somebody knocked");
    }
}

const CAPABILITIES: &str = r#"<?xml version="1.0"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink">
 <Service><Name>WMS</Name><Title>Harbours</Title><OnlineResource xlink:href="http://public.example/wms"/></Service>
 <Capability><Request><GetCapabilities><Format>text/xml</Format></GetCapabilities>
  <GetMap><Format>image/png</Format></GetMap></Request>
  <Layer><Name>harbours</Name><Title>Harbours</Title><CRS>EPSG:4326</CRS>
   <EX_GeographicBoundingBox><westBoundLongitude>1</westBoundLongitude><eastBoundLongitude>2</eastBoundLongitude>
    <southBoundLatitude>3</southBoundLatitude><northBoundLatitude>4</northBoundLatitude></EX_GeographicBoundingBox>
  </Layer></Capability></WMS_Capabilities>"#;

/// Starts a hostile server at `public.example`: everything it returns leads to private addresses.
fn stranger(private: Vec<String>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let private = private.clone();
            std::thread::spawn(move || answer(stream, &private));
        }
    });
    address
}

fn answer(stream: TcpStream, private: &[String]) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|read| read > 2) {}
    let target = head.split(' ').nth(1).unwrap_or("/").to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let leads = |text: &str| text.parse::<usize>().ok().and_then(|n| private.get(n));
    let to = path.strip_prefix("/leads/").and_then(leads);
    let to = to.or_else(|| query.split('&').find_map(|pair| pair.strip_prefix("leads=")).and_then(leads));
    let (status, kind, body) = if to.is_some() {
        ("302 Found", "text/plain", String::new())
    } else if path == "/" {
        let all: Vec<usize> = (0..private.len()).collect();
        let redirects = all.iter().map(|n| format!("<a href='/leads/{n}'>wms {n}</a>"));
        let direct = private.iter().map(|to| format!("<a href='{to}?service=WMS'>map service</a>"));
        let links: String = redirects.chain(direct).collect();
        ("200 OK", "text/html", format!("<title>Maps</title><a href='/wms?'>WMS</a>{links}"))
    } else if path == "/wms" {
        ("200 OK", "text/xml", CAPABILITIES.to_owned())
    } else if path == "/.well-known/openid-configuration" {
        let to = &private[0];
        let body = json!({ "issuer": "http://public.example", "authorization_endpoint": "http://public.example/go",
            "token_endpoint": format!("{to}token"), "jwks_uri": format!("{to}keys") });
        ("200 OK", "application/json", body.to_string())
    } else {
        ("404 Not Found", "text/plain", String::new())
    };
    let location = to.map(|to| format!("location: {to}\r\n")).unwrap_or_default();
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{location}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    let _ = reader.get_mut().write_all(text.as_bytes());
}

struct SsrfLab {
    canary: CanaryServer,
    server: ServeProcess,
    _data: TestStore,
}

/// Starts a server with the default address policy and a hostile server; with an `issuer`, users
/// log in with that provider.
fn lab(issuer: Option<&str>) -> SsrfLab {
    let canary = CanaryServer::new();
    let stranger = stranger(canary.spelled());
    let data = TestStore::new(Engine::Embedded);
    assert_eq!(add_user(&data, &["ann"]).code, 0);
    let config = data.path().join("geotrawl.toml");
    let mut text =
        "[serve]\nproxy = true\nuser_rate = 100000\npublic_url = \"http://maps.example\"\n".to_owned();
    if let Some(issuer) = issuer {
        let secret = data.path().join("secret");
        std::fs::write(&secret, "secret").unwrap();
        let issuer = issuer.replace("PORT", &canary.port.to_string());
        let secret = secret.display();
        text = format!(
            "{text}[serve.oidc]\nissuer = '{issuer}'\nclient_id = 'us'\nlabel = 'Work'\nclient_secret_file = '{secret}'\n"
        );
    }
    std::fs::write(&config, text).unwrap();
    let mut command = data.geotrawl_command();
    command.arg("--config").arg(&config).args(["--delay", "0", "--timeout", "3", "--resolve"]);
    command.arg(format!("public.example={stranger}"));
    SsrfLab { canary, server: ServeProcess::start(command), _data: data }
}

/// Crawls everything on the hostile server.
fn crawl(ann: &ApiSession) -> serde_json::Value {
    let mut seeds = vec!["http://public.example/".to_owned()];
    seeds.extend((0..SPELLINGS.len()).map(|n| format!("http://public.example/leads/{n}")));
    let spec = json!({ "seeds": seeds, "depth": 5, "scope": "any", "start": true });
    let answer = ann.send_request("POST", "/tasks", Some(&spec));
    assert_eq!(answer.status, 201, "{}", answer.text());
    let id = answer.json()["id"].as_i64().unwrap();
    ann.wait_for_task(id, "its end", |task| task["state"] == "finished")
}

#[test]
fn no_task_and_no_proxy_reaches_a_private_address() {
    let lab = lab(None);
    let ann = lab.server.user_session("ann");
    for seed in lab.canary.spelled() {
        for kind in ["crawl", "harvest"] {
            let spec = json!({ "kind": kind, "seeds": [seed], "start": true });
            let answer = ann.send_request("POST", "/tasks", Some(&spec));
            assert_eq!(answer.status, 422, "{seed}: {}", answer.text());
            assert_eq!(answer.json()["parameter"], "seeds", "{seed}");
        }
    }
    assert_eq!(ann.get_json("/tasks?mine=true")["total"], 0, "nothing is left of what was refused");
    lab.canary.assert_untouched();

    let task = crawl(&ann);
    let count = |name: &str| task["counters"][name].as_u64().unwrap();
    let visited = count("pages") + count("probes") + count("skipped");
    assert!(visited > 90 && count("failures") > 30 && count("pending") == 0, "{task:#}");
    lab.canary.assert_untouched();

    let found = ann.task_finds(task["id"].as_i64().unwrap());
    let wms = found.iter().find(|find| find["url"] == "http://public.example/wms").unwrap();
    let proxy = format!("/proxy/{}?url=", wms["id"].as_str().unwrap());
    assert_eq!(ann.send_request("GET", &format!("{proxy}http://public.example/wms"), None).status, 200);
    for (n, to) in lab.canary.spelled().iter().enumerate() {
        let away = ann.send_request("GET", &format!("{proxy}{}", escaped(to)), None).status;
        assert!([400, 403].contains(&away), "{away} {to}");
        // A path below the endpoint, and a redirect from there.
        let led = ann.send_request("GET", &format!("{proxy}http://public.example/wms%3Fleads%3D{n}"), None);
        assert!([403, 502].contains(&led.status), "{} {to}", led.status);
    }
    lab.canary.assert_untouched();
}

#[test]
fn no_alert_is_brought_to_a_private_address() {
    let lab = lab(None);
    let ann = lab.server.user_session("ann");
    let add = |target: &str| {
        ann.send_request(
            "POST",
            "/alerts",
            Some(&json!({ "name": "News", "channel": "webhook", "target": target })),
        )
    };
    let made = add("http://public.example/leads/0");
    assert_eq!(made.status, 201, "{}", made.text());
    let own = format!("/alerts/{}", made.json()["number"]);
    let change = |target: &str| ann.send_request("PATCH", &own, Some(&json!({ "target": target })));
    for target in lab.canary.spelled() {
        for answer in [add(&target), change(&target)] {
            assert_eq!(answer.status, 422, "{target}: {}", answer.text());
            assert_eq!(answer.json()["parameter"], "target", "{target}");
        }
    }
    assert_eq!(ann.get_json("/alerts")["results"].as_array().map(Vec::len), Some(1));
    // Delivered to a server that redirects elsewhere.
    let trial = ann.send_request("POST", &format!("{own}/test"), None);
    assert_eq!(trial.json()["delivered"], false, "{}", trial.text());
    assert!(trial.text().contains("not followed"), "{}", trial.text());
    lab.canary.assert_untouched();
}

#[test]
fn no_provider_of_logins_leads_to_a_private_address() {
    // The issuer set by the operator leads there, directly or by a redirect.
    for issuer in
        ["http://public.example/leads/0?", "http://public.example/leads/17?", "http://127.0.0.1:PORT"]
    {
        let lab = lab(Some(issuer));
        let answer = lab.server.guest_session().send_request("GET", "/oidc/start", None);
        assert_eq!(answer.status, 502, "{issuer}: {}", answer.text());
        lab.canary.assert_untouched();
    }
    // A provider whose document names a private address as its token endpoint.
    let lab = lab(Some("http://public.example"));
    let started = lab.server.guest_session().send_request("GET", "/oidc/start", None);
    assert_eq!(started.status, 302, "{}", started.text());
    let to = url::Url::parse(started.header("location")).unwrap();
    let state = to.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    let browser = lab.server.guest_session().with_cookie(started.header("set-cookie"));
    let back = browser.send_request("GET", &format!("/oidc/callback?code=abc&state={state}"), None);
    assert_eq!(back.status, 502, "{}", back.text());
    lab.canary.assert_untouched();
}

fn escaped(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
