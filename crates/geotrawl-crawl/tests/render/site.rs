//! A web site on loopback for the browser, with a request log.

use geotrawl_crawl::fetch::{FetchConfig, GuardedClient};
use geotrawl_crawl::render::{PageRenderer, RenderConfig, RenderedPage, find_browser};
use geotrawl_testkit::require_tool;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

/// A site that answers by path, and with 404 for unknown paths.
pub struct BrowserSite {
    pub address: SocketAddr,
    log: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

type RequestHook = Arc<dyn Fn(&str) + Send + Sync>;

impl BrowserSite {
    pub async fn start(pages: &[(&str, &str, &str)]) -> Self {
        Self::with_hook(pages, Arc::new(|_| {})).await
    }

    /// Calls `hook` with the path of each request before it is answered.
    pub async fn with_hook(pages: &[(&str, &str, &str)], hook: RequestHook) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut answers: HashMap<String, Vec<u8>> = HashMap::new();
        for (path, media_type, body) in pages {
            let head = match media_type.strip_prefix("to:") {
                Some(location) => format!("HTTP/1.1 302 Found\r\nlocation: {location}\r\n"),
                None => format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: {media_type}\r\naccess-control-allow-origin: *\r\n"
                ),
            };
            let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
            answers.insert((*path).to_owned(), answer.into_bytes());
        }
        let (answers, log) = (Arc::new(answers), Arc::new(Mutex::new(Vec::new())));
        let for_task = Arc::clone(&log);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&answers), Arc::clone(&for_task), Arc::clone(&hook)));
            }
        });
        Self { address, log, task }
    }

    /// Returns `METHOD path` of each request so far, in order;
    /// `-` for a connection without a request.
    pub fn requests(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// Returns settings that map `*.test` to this site and block everything else on this machine.
    pub fn fetch_config(&self) -> FetchConfig {
        let mut config = FetchConfig {
            resolve: vec![format!("*.test={}", self.address).parse().unwrap()],
            ..FetchConfig::default()
        };
        config.set_delay(Duration::ZERO);
        config
    }

    /// Returns a renderer for this site with test settings, or `None` if there is no browser.
    pub fn build_renderer(&self, set: impl FnOnce(&mut RenderConfig)) -> Option<PageRenderer> {
        let mut config = quick_config()?;
        set(&mut config);
        Some(PageRenderer::new(config, &GuardedClient::new(self.fetch_config()).unwrap()).unwrap())
    }

    /// Renders a page of this site with the usual settings.
    pub async fn render(&self, path: &str) -> Option<RenderedPage> {
        let rendered = self.build_renderer(|_| {})?.render(&page_url(path)).await;
        Some(rendered.unwrap())
    }
}

impl Drop for BrowserSite {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Returns settings with short delays, but time limits that suit a busy machine.
pub fn quick_config() -> Option<RenderConfig> {
    let browser = require_browser()?;
    Some(RenderConfig {
        browser: Some(browser),
        quiet: Duration::from_millis(700),
        at_least: Duration::from_millis(700),
        ..RenderConfig::default()
    })
}

/// Returns the path of the browser.
pub fn require_browser() -> Option<PathBuf> {
    require_tool("Chromium", find_browser(None), "run `make browser`")
}

/// Writes a script that replaces the browser.
pub fn fake_browser(directory: &Path, script: &str) -> PathBuf {
    let path = directory.join("browser");
    // Let another process write the file: one that this process
    // has open for writing cannot be executed.
    let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod 755 \"$0\"";
    let written = std::process::Command::new("sh").arg("-c").arg(write).arg(&path).arg(script).status();
    assert!(written.unwrap().success());
    path
}

/// Returns the URL of a path on the site `site.test`.
pub fn page_url(path: &str) -> Url {
    Url::parse(&format!("http://site.test{path}")).unwrap()
}

/// Returns the URLs that the page requested.
pub fn requested_urls(rendered: &RenderedPage) -> Vec<&str> {
    rendered.requests.iter().map(|seen| seen.url.as_str()).collect()
}

async fn serve(
    mut stream: TcpStream,
    answers: Arc<HashMap<String, Vec<u8>>>,
    log: Arc<Mutex<Vec<String>>>,
    hook: RequestHook,
) {
    let mut received = Vec::new();
    let mut buffer = [0; 4096];
    let position = {
        let mut log = log.lock().unwrap();
        log.push("-".to_owned());
        log.len() - 1
    };
    // One request per connection is enough for the proxy.
    while !received.windows(4).any(|four| four == b"\r\n\r\n") {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(count) => received.extend_from_slice(&buffer[..count]),
        }
    }
    let head = String::from_utf8_lossy(&received).into_owned();
    let mut words = head.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    log.lock().unwrap()[position] = format!("{method} {path}");
    hook(path);
    let none = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_vec();
    let answer = answers.get(path.split('?').next().unwrap_or_default()).unwrap_or(&none);
    let _ = stream.write_all(answer).await;
    let _ = stream.shutdown().await;
}
