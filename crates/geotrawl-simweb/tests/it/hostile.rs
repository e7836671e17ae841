use crate::client::{get, serve_web};
use geotrawl_simweb::{SimWebConfig, report};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

fn small() -> SimWebConfig {
    SimWebConfig { seed: 3, hosts: 12, pages: Some(60), ..SimWebConfig::default() }
}

/// Reads up to `cap` bytes of a response, then disconnects; stops early if the server is silent.
fn taste(address: SocketAddr, url: &str, cap: usize, patience: u64) -> (Vec<u8>, bool) {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, target) = rest.split_at(rest.find('/').unwrap());
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(patience))).unwrap();
    let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut out = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    let mut ended = false;
    while out.len() < cap {
        match stream.read(&mut buffer) {
            Ok(0) => {
                ended = true;
                break;
            }
            Ok(n) => out.extend_from_slice(&buffer[..n]),
            Err(_) => break,
        }
    }
    (out, ended)
}

#[test]
fn every_hostile_case_bites_in_its_own_way_and_the_server_goes_on() {
    let running = serve_web(small());
    let cases = running.web.truth().hostile.clone();
    assert!(cases.len() > 50, "{}", cases.len());
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len());
    std::thread::scope(|scope| {
        for part in cases.chunks(cases.len().div_ceil(12)) {
            let address = running.address;
            scope.spawn(move || {
                for case in part {
                    let patience = if case.expect == "timeout" { 300 } else { 20_000 };
                    let (bytes, ended) = taste(address, &case.url, 300_000, patience);
                    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).into_owned();
                    let what = format!("{}: {} bytes, ended {ended}: {text:.200}", case.name, bytes.len());
                    match case.expect.as_str() {
                        "timeout" => assert!(!ended && bytes.len() < 1000, "{what}"),
                        "too-large" => assert!(bytes.len() > 500, "{what}"),
                        "connection" => assert!(ended && bytes.len() < 100, "{what}"),
                        "redirect-loop" | "redirect-limit" | "blocked" => {
                            assert!(text.contains("\r\nLocation: "), "{what}");
                        }
                        "headers-too-large" => assert!(bytes.len() > 100_000, "{what}"),
                        "retry-later" => assert!(text.contains("\r\nRetry-After: "), "{what}"),
                        _ => assert!(!bytes.is_empty(), "{what}"),
                    }
                }
            });
        }
    });
    // The server still works after all hostile responses.
    let seed = running.web.seeds()[0].clone();
    assert_eq!(get(running.address, &seed, "").unwrap().status, 200);
    let truth = running.web.truth().clone();
    let log = running.stop();
    assert!(log.len() >= cases.len());
    assert!(report::canary_hits(&log, &truth).is_empty());
}

#[test]
fn a_request_to_a_canary_is_seen() {
    let running = serve_web(small());
    let truth = running.web.truth().clone();
    let url = format!("http://{}/x.dtd", truth.canaries[0]);
    assert_eq!(get(running.address, &url, "").unwrap().status, 404);
    assert_eq!(report::canary_hits(&running.stop(), &truth).len(), 1);
}

#[test]
fn retries_are_rewarded() {
    let running = serve_web(small());
    let case = running.web.truth().hostile.iter().find(|case| case.name == "retry-429").unwrap().clone();
    assert_eq!(get(running.address, &case.url, "").unwrap().status, 429);
    assert_eq!(get(running.address, &case.url, "").unwrap().status, 200);
}

#[test]
fn a_default_web_links_to_cheap_cases_and_a_hostile_one_to_all() {
    let linked = |hostile: bool| {
        let running = serve_web(SimWebConfig { hostile, ..small() });
        let seed = running.web.seeds()[0].clone();
        let mut text = String::new();
        for page in [String::new(), "directory/1.html".to_owned()] {
            let answer = get(running.address, &format!("{seed}{page}"), "").unwrap();
            text.push_str(&String::from_utf8_lossy(&answer.body).replace("&amp;", "&"));
        }
        let cases = running.web.truth().hostile.clone();
        (cases.iter().filter(|case| text.contains(&format!("\"{}\"", case.url))).count(), cases.len())
    };
    let ((few, all), (every, _)) = (linked(false), linked(true));
    assert_eq!(every, all);
    assert!(few > 10 && few < all, "{few} of {all}");
}

#[test]
fn answers_that_stall_are_logged_when_the_client_or_the_server_gives_up() {
    let running = serve_web(small());
    let case = running.web.truth().hostile.iter().find(|case| case.name == "stall-in-body").unwrap().clone();
    let (bytes, _) = taste(running.address, &case.url, 1000, 300);
    assert!(bytes.ends_with(b"<p>half"));
    // The second client has read everything sent so far and waits until the server stops.
    let mut waiting = TcpStream::connect(running.address).unwrap();
    waiting.write_all(b"GET / HTTP/1.1\r\nHost: stall-in-body.hostile.test\r\n\r\n").unwrap();
    let mut first = [0; 1];
    waiting.read_exact(&mut first).unwrap();
    let log = running.stop();
    assert_eq!(log.len(), 2, "{log:?}");
    let took = log[0].end - log[0].t;
    assert!(took > 0.25 && took < 30.0, "{took}");
    assert!(log.iter().all(|entry| entry.host == "stall-in-body.hostile.test" && entry.bytes > 50));
}

#[test]
fn garbage_and_idle_connections_do_no_harm() {
    let running = serve_web(small());
    let mut garbage = TcpStream::connect(running.address).unwrap();
    garbage.write_all(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03").unwrap();
    let mut end = Vec::new();
    let _ = garbage.read_to_end(&mut end);
    assert!(end.is_empty());
    let _idle = TcpStream::connect(running.address).unwrap();
    let seed = running.web.seeds()[0].clone();
    assert_eq!(get(running.address, &seed, "").unwrap().status, 200);
    assert_eq!(running.stop().len(), 1);
}
