//! The floor: the minimum work of any crawler per page. Fetch (hyper), read the links of `a[href]`
//! (lol_html), join, strip the fragment, hash (xxh3-64), drop known ones. No robots.txt, DNS,
//! redirects, timeouts, charsets, politeness or storage: a lower bound to compare with, not a
//! crawler.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HtmlRewriter, Selector, Settings};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::Write;
use std::rc::Rc;
use tokio::net::TcpStream;
use tokio::task::{JoinSet, LocalSet};
use twox_hash::XxHash3_64;
use url::Url;

/// Options of the bare loop.
#[derive(Debug, clap::Args)]
pub struct FloorOptions {
    /// Page to start from
    pub seed: Url,
    /// Maximum number of concurrent requests
    #[arg(long, default_value_t = 64)]
    pub concurrency: usize,
    /// Maximum number of concurrent requests per host: unneeded connections cost memory and time
    #[arg(long, default_value_t = 64)]
    pub per_host: usize,
}

/// An open connection waiting for its next request.
type IdleConnection = SendRequest<Empty<Bytes>>;

/// A page that was read, with its links and its connection for the next page.
struct ReadPage {
    host: String,
    connection: IdleConnection,
    links: Vec<Url>,
    bytes: u64,
}

/// Pages and connections of one host.
#[derive(Default)]
struct HostLane {
    waiting: VecDeque<Url>,
    idle: Vec<IdleConnection>,
    busy: usize,
    /// Whether the host is in the line of hosts with work.
    in_line: bool,
}

/// All hosts, served in turn.
struct HostLanes {
    lanes: HashMap<String, HostLane>,
    line: VecDeque<String>,
    per_host: usize,
}

impl HostLanes {
    /// Changes a host's lane, then puts the host in line if it has work.
    fn with(&mut self, host: &str, change: impl FnOnce(&mut HostLane)) {
        let lane = match self.lanes.get_mut(host) {
            Some(lane) => lane,
            None => self.lanes.entry(host.to_owned()).or_default(),
        };
        change(lane);
        if !lane.in_line && lane.busy < self.per_host && !lane.waiting.is_empty() {
            lane.in_line = true;
            self.line.push_back(host.to_owned());
        }
    }

    /// Returns the next page to read, with an open connection if there is one.
    fn next(&mut self) -> Option<(String, Url, Option<IdleConnection>)> {
        let host = self.line.pop_front()?;
        let mut next = None;
        self.with(&host, |lane| {
            lane.in_line = false;
            lane.busy += 1;
            next = lane.waiting.pop_front().map(|url| (url, lane.idle.pop()));
        });
        next.map(|(url, connection)| (host, url, connection))
    }
}

/// Crawls everything reachable from the seed and prints the number of pages.
pub fn run(options: &FloorOptions) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (pages, bytes) = LocalSet::new().block_on(&runtime, crawl(options))?;
    writeln!(std::io::stdout(), r#"{{"pages":{pages},"bytes":{bytes}}}"#)?;
    Ok(())
}

async fn crawl(options: &FloorOptions) -> Result<(u64, u64)> {
    let selector: Rc<Selector> = Rc::new("a[href]".parse()?);
    let mut lanes = HostLanes { lanes: HashMap::new(), line: VecDeque::new(), per_host: options.per_host };
    let mut known = HashSet::from([hash(&options.seed)]);
    lanes.with(options.seed.authority(), |lane| lane.waiting.push_back(options.seed.clone()));
    let mut reading = JoinSet::new();
    let (mut pages, mut bytes) = (0, 0);
    loop {
        while reading.len() < options.concurrency {
            let Some((host, url, connection)) = lanes.next() else { break };
            reading.spawn_local(read(host, url, connection, Rc::clone(&selector)));
        }
        let Some(read) = reading.join_next().await else { return Ok((pages, bytes)) };
        let read = read??;
        pages += 1;
        bytes += read.bytes;
        lanes.with(&read.host, |lane| {
            lane.busy -= 1;
            lane.idle.push(read.connection);
        });
        for link in read.links.into_iter().filter(|link| known.insert(hash(link))) {
            let host = link.authority().to_owned();
            lanes.with(&host, |lane| lane.waiting.push_back(link));
        }
    }
}

fn hash(url: &Url) -> u64 {
    XxHash3_64::oneshot(url.as_str().as_bytes())
}

async fn read(
    host: String,
    url: Url,
    connection: Option<IdleConnection>,
    selector: Rc<Selector>,
) -> Result<ReadPage> {
    let mut connection = match connection {
        Some(connection) => connection,
        None => connect(&url).await?,
    };
    let request = Request::get(url.path()).header("host", &host).body(Empty::new())?;
    let response = connection.send_request(request).await.with_context(|| url.to_string())?;
    ensure!(response.status().is_success(), "{url}: {}", response.status());
    let mut body = response.into_body();
    let mut links = Vec::new();
    let mut bytes = 0;
    {
        let found = |element: &mut Element<'_, '_>| {
            if let Some(mut link) = element.get_attribute("href").and_then(|href| url.join(&href).ok()) {
                link.set_fragment(None);
                links.push(link);
            }
            Ok(())
        };
        let handlers = ElementContentHandlers::default().element(found);
        let settings = Settings::new().append_element_content_handler((Cow::Borrowed(&*selector), handlers));
        let mut html = HtmlRewriter::new(settings, |_: &[u8]| ());
        while let Some(frame) = body.frame().await {
            if let Some(data) = frame?.data_ref() {
                bytes += data.len() as u64;
                html.write(data)?;
            }
        }
        html.end()?;
    }
    connection.ready().await?;
    Ok(ReadPage { host, connection, links, bytes })
}

async fn connect(url: &Url) -> Result<IdleConnection> {
    let address = url.socket_addrs(|| None)?;
    let stream = TcpStream::connect(&address[..]).await?;
    stream.set_nodelay(true)?;
    let (connection, driver) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::task::spawn_local(driver);
    Ok(connection)
}
