//! Tests archives on a server: reading in ranges, and resuming after a broken connection.

use super::job::{MiningObserver, MiningTask};
use super::run::MineOptions;
use super::source::WebArchive;
use crate::apps::ScriptAnalyzer;
use crate::fetch::{FetchConfig, GuardedClient};
use crate::registry::Registry;
use geotrawl_model::Record;
use geotrawl_model::web_archive::{ArchiveId, ArchiveTotals};
use geotrawl_simweb::archive::{ArchiveOptions, ArchivePaths};
use geotrawl_simweb::{SimWeb, SimWebConfig};
use geotrawl_store::EmbeddedStore;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::runtime::Runtime;
use url::Url;

#[derive(Default)]
struct RecordingObserver {
    found: BTreeSet<String>,
    finished: Vec<ArchiveTotals>,
    failed: Vec<String>,
    problems: Vec<String>,
}

impl MiningObserver for RecordingObserver {
    fn on_problem(&mut self, _: &ArchiveId, what: &str) {
        self.problems.push(what.to_owned());
    }
    fn on_finished(&mut self, _: &ArchiveId, totals: &ArchiveTotals) {
        self.finished.push(*totals);
    }
    fn on_failed(&mut self, _: &ArchiveId, why: &str) {
        self.failed.push(why.to_owned());
    }
    fn on_listed(&mut self, record: &Record) {
        self.found.insert(format!("{} {}", record.resource.kind, record.resource.url));
    }
}

/// How a test server behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ServerBehavior {
    Ranges,
    /// Closes the connection after some bytes, every time.
    BreaksOff,
    /// Ignores ranges and sends everything.
    Whole,
}

/// Serves one file; returns its URL and the request counter.
fn serve(bytes: Vec<u8>, manners: ServerBehavior) -> (Url, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = Url::parse(&format!("http://{}/a.warc.gz", listener.local_addr().unwrap())).unwrap();
    let requests = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&requests);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            count.fetch_add(1, Ordering::Relaxed);
            let _ = answer(stream, &bytes, manners);
        }
    });
    (url, requests)
}

fn answer(mut stream: TcpStream, bytes: &[u8], manners: ServerBehavior) -> std::io::Result<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte)? > 0 {
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
    let range = head
        .lines()
        .find_map(|line| line.strip_prefix("range: bytes="))
        .and_then(|span| span.split_once('-'));
    let close = "Connection: close\r\nETag: \"one\"";
    let Some((from, to)) = range.filter(|_| manners != ServerBehavior::Whole) else {
        write!(stream, "HTTP/1.1 200 OK\r\n{close}\r\nContent-Length: {}\r\n\r\n", bytes.len())?;
        return stream.write_all(bytes);
    };
    let (from, to): (usize, usize) = (from.parse().unwrap(), to.trim().parse().unwrap());
    let to = to.min(bytes.len() - 1);
    let part = &bytes[from..=to];
    let total = bytes.len();
    write!(
        stream,
        "HTTP/1.1 206 Partial Content\r\n{close}\r\nContent-Range: bytes {from}-{to}/{total}\r\nContent-Length: {}\r\n\r\n",
        part.len()
    )?;
    let sent = if manners == ServerBehavior::BreaksOff { part.len().min(20_000) } else { part.len() };
    stream.write_all(&part[..sent])
}

fn mine(
    archive: WebArchive,
    data: &std::path::Path,
    runtime: &Runtime,
    options: MineOptions,
) -> RecordingObserver {
    let store = EmbeddedStore::open(data).unwrap();
    let mine = MiningTask {
        task: "test".into(),
        archives: vec![archive],
        options,
        kinds: Vec::new(),
        students: ScriptAnalyzer::Here,
        runtime: runtime.handle().clone(),
        registry: Registry::default(),
        token: "geotrawl".into(),
    };
    let mut heard = RecordingObserver::default();
    mine.list_candidates(&store, &AtomicBool::new(false), &mut heard).unwrap();
    heard
}

fn archive(folder: &std::path::Path) -> PathBuf {
    let web =
        SimWeb::generate(SimWebConfig { seed: 3, hosts: 6, pages: Some(60), ..SimWebConfig::default() });
    let options = ArchiveOptions { wat: false, wet: false, indexes: false, ..ArchiveOptions::default() };
    web.write_captures(folder, web.archived_urls(), &options).unwrap();
    ArchivePaths::in_folder(folder, true).warc
}

#[test]
fn a_servers_archive_is_read_like_a_file_however_the_server_behaves() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let options = MineOptions { threads: 2, ..MineOptions::default() };
    let here = mine(WebArchive::open_file(&path).unwrap(), &folder.path().join("here"), &runtime, options);
    assert!(
        here.found.len() > 5 && here.failed.is_empty() && here.problems.is_empty(),
        "{:?}",
        here.problems
    );
    let bytes = std::fs::read(&path).unwrap();
    let mut config =
        FetchConfig { allow_nets: vec!["127.0.0.0/8".parse().unwrap()], ..FetchConfig::default() };
    config.set_delay(std::time::Duration::ZERO);
    let client = runtime.block_on(async { GuardedClient::new(config) }).unwrap();
    for manners in [ServerBehavior::Ranges, ServerBehavior::BreaksOff, ServerBehavior::Whole] {
        let (url, requests) = serve(bytes.clone(), manners);
        let there = WebArchive::open_url(&url, &client, runtime.handle()).unwrap();
        assert_eq!((there.id.length, there.id.version.as_str()), (Some(bytes.len() as u64), "\"one\""));
        let data = folder.path().join(format!("{manners:?}"));
        let heard = mine(there, &data, &runtime, options);
        assert_eq!(heard.found, here.found, "{manners:?}: {:?}", heard.failed);
        assert_eq!(heard.finished, here.finished, "{manners:?}");
        let asked = requests.load(Ordering::Relaxed);
        assert!(
            asked >= if manners == ServerBehavior::BreaksOff { bytes.len() / 20_000 } else { 2 },
            "{asked}"
        );
    }
}

#[test]
fn a_task_that_is_stopped_has_read_nothing_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = EmbeddedStore::open(&folder.path().join("data")).unwrap();
    let mut mine = MiningTask {
        task: "test".into(),
        archives: vec![WebArchive::open_file(&path).unwrap()],
        options: MineOptions { threads: 1, scripts: false, ..MineOptions::default() },
        kinds: vec!["wms".into()],
        students: ScriptAnalyzer::Here,
        runtime: runtime.handle().clone(),
        registry: Registry::default(),
        token: "geotrawl".into(),
    };
    let stopped =
        mine.list_candidates(&store, &AtomicBool::new(true), &mut RecordingObserver::default()).unwrap();
    assert!(stopped.interrupted && stopped.read == 0);
    assert_eq!(mine.remove_mined(&store).unwrap(), 0);
    let mut heard = RecordingObserver::default();
    let summary = mine.list_candidates(&store, &AtomicBool::new(false), &mut heard).unwrap();
    assert_eq!((summary.interrupted, summary.read), (false, 1));
    assert!(
        !heard.found.is_empty() && heard.found.iter().all(|one| one.starts_with("wms ")),
        "{:?}",
        heard.found
    );
    assert_eq!(mine.remove_mined(&store).unwrap(), 1);
    assert!(mine.archives.is_empty());
}
