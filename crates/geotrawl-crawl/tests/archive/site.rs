//! A site whose pages the test changes between runs.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A page with its status.
#[derive(Clone)]
pub struct ServedPage {
    pub status: u16,
    pub media_type: &'static str,
    pub body: Vec<u8>,
}

/// A site with its pages by `host/path`.
#[derive(Clone)]
pub struct ChangingSite {
    pub address: SocketAddr,
    pages: Arc<Mutex<HashMap<String, ServedPage>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl ChangingSite {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let site =
            Self { address: listener.local_addr().unwrap(), pages: Arc::default(), asked: Arc::default() };
        let own = site.clone();
        // The thread ends with the test process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = own.clone();
                std::thread::spawn(move || own.answer(stream));
            }
        });
        site
    }

    pub fn set_page(&self, place: &str, media_type: &'static str, body: impl Into<Vec<u8>>) {
        let served = ServedPage { status: 200, media_type, body: body.into() };
        self.pages.lock().unwrap().insert(place.to_owned(), served);
    }

    pub fn set_redirect(&self, place: &str, to: &str) {
        let served = ServedPage { status: 301, media_type: "text/plain", body: to.as_bytes().to_vec() };
        self.pages.lock().unwrap().insert(place.to_owned(), served);
    }

    pub fn remove_page(&self, place: &str) {
        self.pages.lock().unwrap().remove(place);
    }

    pub fn page_body(&self, place: &str) -> Vec<u8> {
        self.pages.lock().unwrap()[place].body.clone()
    }

    /// Returns the requests since the last call.
    pub fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    fn answer(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut path, mut host, mut line) = (String::new(), String::new(), String::new());
        while reader.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {
            if path.is_empty() {
                line.split(' ').nth(1).unwrap_or_default().clone_into(&mut path);
            } else if let Some(value) = line.to_ascii_lowercase().strip_prefix("host:") {
                value.trim().clone_into(&mut host);
            }
            line.clear();
        }
        let place = format!("{host}{path}");
        self.asked.lock().unwrap().push(place.clone());
        let served = self.pages.lock().unwrap().get(&place).cloned();
        let served = served.unwrap_or(ServedPage {
            status: 404,
            media_type: "text/html",
            body: b"<p>no</p>".to_vec(),
        });
        let more = if served.status == 301 {
            format!("Location: {}\r\n", String::from_utf8_lossy(&served.body))
        } else {
            String::new()
        };
        let head = format!(
            "HTTP/1.1 {} X\r\nContent-Type: {}\r\nContent-Length: {}\r\n{more}Connection: close\r\n\r\n",
            served.status,
            served.media_type,
            served.body.len()
        );
        let mut stream = stream;
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&served.body));
    }
}
