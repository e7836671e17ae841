//! A server with scripted answers that records the requests.

use geotrawl_crawl::fetch::FetchConfig;
use geotrawl_crawl::seeds::search::{CatalogueLookup, EngineConfig, MetaSearch, MetaSearchRequest, Secret};
use geotrawl_store::EmbeddedStore;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// The key that must never appear in any output.
pub const KEY: &str = "k3y-that-nobody-sees";

/// How to respond.
#[derive(Clone)]
pub enum ScriptedReply {
    /// Send these bytes, then close.
    Bytes(Vec<u8>),
    /// Send nothing until the client disconnects.
    Silence,
    /// Send these bytes over and over.
    Endless(Vec<u8>),
}

/// Builds an ordinary response.
pub fn build_reply(status: u16, content_type: &str, extra: &str, body: &[u8]) -> ScriptedReply {
    let mut bytes = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\nconnection: close\r\n{extra}\r\n",
        body.len()
    )
    .into_bytes();
    bytes.extend_from_slice(body);
    ScriptedReply::Bytes(bytes)
}

/// Builds a JSON response with status 200.
pub fn json_reply(body: &[u8]) -> ScriptedReply {
    build_reply(200, "application/json", "", body)
}

type RecordedRequests = Arc<Mutex<Vec<(Instant, String)>>>;

/// A running server.
pub struct ScriptedServer {
    pub address: SocketAddr,
    requests: RecordedRequests,
}

impl ScriptedServer {
    pub async fn start(answer: impl Fn(&str) -> ScriptedReply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = RecordedRequests::default();
        let (seen, answer) = (requests.clone(), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (seen, answer) = (seen.clone(), answer.clone());
                tokio::spawn(async move {
                    let mut head = Vec::new();
                    let mut piece = [0; 4_096];
                    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
                        match stream.read(&mut piece).await {
                            Ok(0) | Err(_) => return,
                            Ok(n) => head.extend_from_slice(&piece[..n]),
                        }
                    }
                    let head = String::from_utf8_lossy(&head).into_owned();
                    seen.lock().unwrap().push((Instant::now(), head.clone()));
                    match answer(&head) {
                        ScriptedReply::Bytes(bytes) => {
                            let _ = stream.write_all(&bytes).await;
                        }
                        ScriptedReply::Silence => while stream.read(&mut piece).await.is_ok_and(|n| n > 0) {},
                        ScriptedReply::Endless(bytes) => while stream.write_all(&bytes).await.is_ok() {},
                    }
                });
            }
        });
        Self { address, requests }
    }

    /// Returns the heads of the requests so far.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().iter().map(|(_, head)| head.clone()).collect()
    }

    /// Returns the arrival times of the requests.
    pub fn times(&self) -> Vec<Instant> {
        self.requests.lock().unwrap().iter().map(|(at, _)| *at).collect()
    }

    /// Returns the settings of an engine of this kind at this server, under `/<name>`.
    pub fn engine(&self, kind: &str, name: &str) -> EngineConfig {
        let mut config = EngineConfig {
            kind: Some(kind.into()),
            url: Some(format!("http://{}/{name}", self.address).parse().unwrap()),
            key: Some(Secret::new(KEY)),
            rate: Some(60_000),
            timeout: Some(20),
            allow_net: vec!["127.0.0.1/32".parse().unwrap()],
            ..EngineConfig::default()
        };
        if kind == "google" {
            config.params.insert("cx".into(), "012:abc".into());
        }
        config
    }
}

/// The kinds of web engines.
pub const KINDS: [&str; 6] = ["brave", "google", "marginalia", "mojeek", "searxng", "yacy"];

/// Returns the folder with recorded answers.
pub fn answers_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/search/answers")
}

/// Reads a recorded answer.
pub fn recorded_answer(kind: &str, file: &str) -> Vec<u8> {
    std::fs::read(answers_folder().join(kind).join(file)).unwrap()
}

/// Returns the engine that a request is for: the first segment of its path.
pub fn engine_of(head: &str) -> &str {
    head.split(['/', '?', ' ']).nth(2).unwrap_or_default()
}

/// Returns client settings without crawl delay.
pub fn fetch_config() -> FetchConfig {
    let mut fetch = FetchConfig::default();
    fetch.set_delay(Duration::ZERO);
    fetch
}

/// A store in a temporary folder.
pub struct SearchFixture(pub tempfile::TempDir);

impl SearchFixture {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn search(
        &self,
        engines: &[(&str, EngineConfig)],
        own: Option<Arc<dyn CatalogueLookup>>,
    ) -> MetaSearch {
        let engines: BTreeMap<String, EngineConfig> =
            engines.iter().map(|(name, config)| ((*name).to_owned(), config.clone())).collect();
        let store = Arc::new(EmbeddedStore::open(self.0.path()).unwrap());
        MetaSearch::new(&fetch_config(), &engines, store, own).unwrap()
    }
}

/// Returns a search request for `words`, unchanged.
pub fn keyword_request(words: &str) -> MetaSearchRequest {
    MetaSearchRequest { keywords: vec![words.into()], as_is: true, ..MetaSearchRequest::default() }
}
