//! A few hosts on loopback that answer from a table and log the requests.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Hosts with their pages: URL without scheme to body.
#[derive(Default)]
pub struct FocusSite {
    pages: HashMap<String, (&'static str, String)>,
}

/// A running site.
pub struct RunningSite {
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl FocusSite {
    /// Adds a page with a head and links (URL and text).
    pub fn add_page(&mut self, at: &str, head: &str, links: &[(String, &str)]) {
        let links: Vec<String> =
            links.iter().map(|(to, words)| format!("<p><a href=\"{to}\">{words}</a></p>")).collect();
        let links = links.concat();
        let text = text(at);
        let body = format!("<!doctype html><html {head}</head><body><p>{text}</p>{links}</body></html>");
        self.pages.insert(at.to_owned(), ("text/html; charset=utf-8", body));
    }

    /// Adds a map service.
    pub fn add_service(&mut self, at: &str) {
        let body = format!(
            "<?xml version=\"1.0\"?><WMS_Capabilities version=\"1.3.0\" xmlns=\"http://www.opengis.net/wms\">\
             <Service><Name>WMS</Name><Title>{at}</Title></Service><Capability><Request><GetMap>\
             <Format>image/png</Format></GetMap></Request><Layer><Title>{at}</Title><Layer><Name>{at}</Name>\
             <Title>{at}</Title></Layer></Layer></Capability></WMS_Capabilities>"
        );
        self.pages.insert(at.to_owned(), ("text/xml", body));
    }

    /// Serves the site until the test ends.
    pub fn serve(self) -> RunningSite {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let pages = Arc::new(self.pages);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (pages, log) = (Arc::clone(&pages), Arc::clone(&log));
                std::thread::spawn(move || answer(stream, &pages, &log));
            }
        });
        RunningSite { address, asked }
    }
}

impl RunningSite {
    /// Returns the requested pages in order, without scheme.
    pub fn requested_pages(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        let own = |at: &&String| !at.ends_with("/robots.txt") && !at.ends_with("/sitemap.xml");
        asked.iter().filter(own).cloned().collect()
    }
}

/// Returns distinct text per page, so that no page counts as a copy of another.
fn text(at: &str) -> String {
    let mut state = at.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + (state >> 33) as u8 % 26)
    };
    (0..60).map(|_| (0..6).map(|_| letter()).chain([' ']).collect::<String>()).collect()
}

fn answer(stream: TcpStream, pages: &HashMap<String, (&'static str, String)>, log: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut path, mut host, mut line) = (String::new(), String::new(), String::new());
    loop {
        line.clear();
        match reader.read_line(&mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = line.trim_end();
        if text.is_empty() {
            break;
        }
        if let Some(rest) = text.strip_prefix("GET ") {
            rest.split([' ', '?']).next().unwrap().clone_into(&mut path);
        } else if let Some((name, value)) = text.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            value.trim().clone_into(&mut host);
        }
    }
    let at = format!("{host}{path}");
    let (status, (content, body)) = match pages.get(&at) {
        Some((content, body)) => ("200 OK", (*content, body.as_str())),
        None => ("404 Not Found", ("text/plain", "no")),
    };
    log.lock().unwrap().push(at);
    let mut stream = stream;
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {content}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
}
