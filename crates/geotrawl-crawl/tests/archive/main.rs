//! Tests collections of a site that changes in known ways: items,
//! changes, deletions, past versions, bytes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod crashes;
mod engines;
mod site;

use geotrawl_archive::collection_files::{self, CollectionFiles};
use geotrawl_archive::{didl, pdf};
use geotrawl_crawl::archive::{ArchiveEvent, ArchiveRunner, DocumentReader};
use geotrawl_crawl::fetch::{FetchConfig, GuardedClient};
use geotrawl_model::archived_page::VersionKind;
use geotrawl_model::collection::{ArchiveRun, Collection, CollectionSpec, ObjectFilter, RunState};
use geotrawl_model::store::CollectionStore;
use geotrawl_store::EmbeddedStore;
use jiff::Timestamp;
use site::ChangingSite;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub struct ArchiveWorld {
    pub site: ChangingSite,
    pub store: Arc<EmbeddedStore>,
    pub archivist: ArchiveRunner,
    pub shelf: CollectionFiles,
    pub data: tempfile::TempDir,
    now: Arc<AtomicI64>,
    pub runtime: tokio::runtime::Runtime,
}

pub fn timestamp_at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

pub fn fetch_config(site: &ChangingSite) -> FetchConfig {
    let mut fetch = FetchConfig {
        resolve: vec![format!("*={}", site.address).parse().unwrap()],
        ..FetchConfig::default()
    };
    fetch.set_delay(Duration::ZERO);
    fetch
}

impl ArchiveWorld {
    pub fn start() -> Self {
        let site = ChangingSite::start();
        let data = tempfile::tempdir().unwrap();
        let store = Arc::new(EmbeddedStore::open(data.path()).unwrap());
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let now = Arc::new(AtomicI64::new(0));
        let clock = now.clone();
        let client = runtime.block_on(async { GuardedClient::new(fetch_config(&site)).unwrap() });
        let shelf = CollectionFiles::in_data_directory(data.path());
        let archivist = ArchiveRunner {
            store: store.clone(),
            client,
            search: None,
            shelf: shelf.clone(),
            documents: DocumentReader::Here,
            clock: Arc::new(move || timestamp_at(clock.load(Ordering::SeqCst))),
        };
        Self { site, store, archivist, shelf, data, now, runtime }
    }

    pub fn add_collection(&self, spec: &CollectionSpec) -> Collection {
        self.store.add_collection("TEST", None, spec, timestamp_at(0)).unwrap().unwrap()
    }

    /// Runs a collection at a moment; returns the outcome of each URL.
    pub fn run(&self, collection: &Collection, moment: i64) -> (ArchiveRun, BTreeMap<String, String>) {
        self.now.store(moment, Ordering::SeqCst);
        let happened = Mutex::new(BTreeMap::new());
        let stop = AtomicBool::new(false);
        let run = self
            .runtime
            .block_on(self.archivist.run_collection(collection, &stop, &mut |told| {
                let (url, what) = match told {
                    ArchiveEvent::Visited { url, kind } => (*url, kind.as_str().to_owned()),
                    ArchiveEvent::Rejected { url, reason } => (*url, format!("rejected: {reason}")),
                    ArchiveEvent::Failed { url, .. } => (*url, "failed".to_owned()),
                    ArchiveEvent::Ranked(_) => return,
                };
                happened.lock().unwrap().insert(url.trim_start_matches("http://").to_owned(), what);
            }))
            .unwrap();
        (run, happened.into_inner().unwrap())
    }
}

/// Returns distinct words.
fn prose(seed: u32, words: u32) -> String {
    (0..words).map(|n| format!("word{} ", n * 7 + seed * 100_000)).collect::<Vec<_>>().concat()
}

fn index(more: &str) -> String {
    format!(
        "<title>Index</title><link rel=stylesheet href=s.css><img src=i.png><p>{}</p>\
         <a href=/a>a</a> <a href=/b>b</a> <a href=/doc.pdf>doc</a> <a href=http://other.test/x>x</a>{more}",
        prose(1, 300)
    )
}

fn document(extra: &str) -> Vec<u8> {
    let words = prose(4, 60);
    let mut lines: Vec<&str> = words.trim().split(' ').collect();
    lines.push("doi:10.1175/BAMS-85-2-167");
    lines.push(extra);
    pdf::sample_pdf("A document", &lines)
}

fn expected<const N: usize>(pairs: [(&str, &str); N]) -> BTreeMap<String, String> {
    pairs.into_iter().map(|(path, what)| (format!("site.test{path}"), what.to_owned())).collect()
}

#[test]
fn five_runs_over_a_changing_site_give_what_the_script_says() {
    let world = ArchiveWorld::start();
    let site = &world.site;
    let a = format!("<title>A</title><p>{}</p>", prose(2, 200));
    site.set_page("site.test/", "text/html", index(""));
    site.set_page("site.test/a", "text/html", a.clone());
    site.set_page(
        "site.test/b",
        "text/html",
        format!("<title>B</title><p>{}</p><a href=/deep>deep</a>", prose(3, 200)),
    );
    site.set_page("site.test/s.css", "text/css", "body { background: url(bg.png) }");
    site.set_page("site.test/i.png", "image/png", b"\x89PNG one".to_vec());
    site.set_page("site.test/bg.png", "image/png", b"\x89PNG background".to_vec());
    site.set_page("site.test/doc.pdf", "application/pdf", document("first"));
    site.set_page("site.test/deep", "text/html", "<p>too deep</p>");
    site.set_page("other.test/x", "text/html", "<p>another domain</p>");
    let spec = CollectionSpec {
        title: "Test".into(),
        pages: vec!["http://site.test/".into()],
        ..Default::default()
    };
    let collection = world.add_collection(&spec);
    let mut truth: Vec<(i64, BTreeMap<String, Vec<u8>>)> = Vec::new();
    let remember = |truth: &mut Vec<_>, moment: i64, paths: &[&str]| {
        let there = paths
            .iter()
            .map(|path| (format!("http://site.test{path}"), site.page_body(&format!("site.test{path}"))));
        truth.push((moment, there.collect()));
    };

    // First run: everything is new. Deeper pages and other domains are not fetched.
    let (run, happened) = world.run(&collection, 100);
    let all_new = ["/", "/a", "/b", "/doc.pdf", "/s.css", "/i.png", "/bg.png"];
    assert_eq!(happened, all_new.iter().map(|path| (format!("site.test{path}"), "new".to_owned())).collect());
    assert_eq!((run.state, run.counts.new, run.counts.fetched), (RunState::Finished, 7, 7));
    assert!(!site.take_requests().iter().any(|asked| asked.contains("deep") || asked.contains("other.test")));
    remember(&mut truth, 100, &all_new);

    // Second run: a small edit, a new page, another image.
    site.set_page("site.test/a", "text/html", a.replace("word200007 ", "changed "));
    site.set_page("site.test/", "text/html", index(" <a href=/c>c</a>"));
    site.set_page("site.test/c", "text/html", format!("<p>{}</p>", prose(5, 50)));
    site.set_page("site.test/i.png", "image/png", b"\x89PNG two".to_vec());
    let (_, happened) = world.run(&collection, 200);
    assert_eq!(
        happened,
        expected([
            ("/", "modified"),
            ("/a", "modified"),
            ("/b", "unchanged"),
            ("/bg.png", "unchanged"),
            ("/c", "new"),
            ("/doc.pdf", "unchanged"),
            ("/i.png", "new"),
            ("/s.css", "unchanged"),
        ])
    );
    let eight = ["/", "/a", "/b", "/c", "/doc.pdf", "/s.css", "/i.png", "/bg.png"];
    remember(&mut truth, 200, &eight);

    // Third run: a page is rewritten, one is deleted, the document is edited.
    let old_a = site.page_body("site.test/a");
    site.set_page("site.test/b", "text/html", format!("<title>B2</title><p>{}</p>", prose(9, 200)));
    site.remove_page("site.test/a");
    site.set_page("site.test/doc.pdf", "application/pdf", document("second"));
    let (_, happened) = world.run(&collection, 300);
    assert_eq!((happened["site.test/a"].as_str(), happened["site.test/b"].as_str()), ("deleted", "new"));
    assert_eq!(
        (happened["site.test/doc.pdf"].as_str(), happened["site.test/"].as_str()),
        ("modified", "unchanged")
    );
    let seven = ["/", "/b", "/c", "/doc.pdf", "/s.css", "/i.png", "/bg.png"];
    remember(&mut truth, 300, &seven);

    // Fourth run: only a small edit.
    site.set_page("site.test/", "text/html", index(" <a href=/c>see</a>"));
    let (run, happened) = world.run(&collection, 400);
    assert_eq!((happened["site.test/"].as_str(), run.counts.modified, run.counts.new), ("modified", 1, 0));
    assert_eq!(happened["site.test/a"], "failed", "it is still linked, and was gone before");
    remember(&mut truth, 400, &seven);

    // Fifth run: the deleted page is back unchanged, another one is deleted.
    site.set_page("site.test/a", "text/html", old_a);
    site.remove_page("site.test/c");
    let (run, happened) = world.run(&collection, 500);
    assert_eq!((happened["site.test/a"].as_str(), happened["site.test/c"].as_str()), ("new", "deleted"));
    assert_eq!((run.counts.new, run.counts.deleted, run.counts.unchanged), (1, 1, 6));
    remember(&mut truth, 500, &["/", "/a", "/b", "/doc.pdf", "/s.css", "/i.png", "/bg.png"]);

    the_past_is_as_it_was(&world, &collection, &truth);
    objects_are_those_of_the_paper(&world, &collection, &truth);
    each_payload_is_kept_once(&world, &collection);
    a_copy_opens_offline(&world, &collection);
}

fn the_past_is_as_it_was(
    world: &ArchiveWorld,
    collection: &Collection,
    truth: &[(i64, BTreeMap<String, Vec<u8>>)],
) {
    let store = &*world.store;
    for (moment, there) in truth {
        for later in [0, 50, 99] {
            let (items, total) =
                store.pages_as_of(collection.id, timestamp_at(moment + later), 0, 100).unwrap();
            assert_eq!(total as usize, there.len(), "at {moment}");
            for item in items {
                let shown = collection_files::replay_page(
                    store,
                    &world.shelf,
                    collection,
                    timestamp_at(moment + later),
                    &item.url,
                    true,
                );
                assert_eq!(shown.unwrap().unwrap().bytes, there[&item.url], "{} at {moment}", item.url);
            }
        }
    }
    let history = store.page_history(collection.id, "http://site.test/a").unwrap().unwrap();
    let kinds: Vec<VersionKind> = history.versions.iter().map(|version| version.kind).collect();
    assert_eq!(kinds, [VersionKind::New, VersionKind::Modified, VersionKind::Deleted, VersionKind::New]);
    assert!(history.versions[1].likeness.unwrap() > 0.9);
    let document =
        store.page_as_of(collection.id, "http://site.test/doc.pdf", timestamp_at(500)).unwrap().unwrap();
    assert_eq!(document.version.title, "A document");
    assert_eq!(document.version.metadata["dois"], serde_json::json!(["10.1175/bams-85-2-167"]));
}

fn objects_are_those_of_the_paper(
    world: &ArchiveWorld,
    collection: &Collection,
    truth: &[(i64, BTreeMap<String, Vec<u8>>)],
) {
    let store = &*world.store;
    let objects = store.list_objects(&ObjectFilter { limit: 10, ..Default::default() }).unwrap();
    let shown: Vec<(Timestamp, Timestamp)> =
        objects.iter().map(|object| (object.run, object.stamp)).collect();
    // The fourth run only modified the page, so it extends the version of the third.
    assert_eq!(
        shown,
        [
            (timestamp_at(100), timestamp_at(100)),
            (timestamp_at(200), timestamp_at(200)),
            (timestamp_at(300), timestamp_at(400)),
            (timestamp_at(500), timestamp_at(500))
        ]
    );
    for object in &objects {
        let bytes = collection_files::write_object(
            store,
            &world.shelf,
            collection,
            object,
            "http://here.example",
            Vec::new(),
        )
        .unwrap();
        let read = didl::read_object(&bytes[..]).unwrap();
        assert_eq!(read.document, didl::object_identifier("TEST", object.run));
        assert_eq!(read.acronym, "TEST");
        let (_, there) = truth.iter().find(|(moment, _)| timestamp_at(*moment) == object.as_of).unwrap();
        assert_eq!(read.items.len(), there.len());
        for item in read.items {
            let url = item.id.strip_prefix("TEST:").unwrap();
            assert_eq!(item.value, there[url], "by value");
            // By reference: the content that the reference points to.
            let rest = item.reference.strip_prefix("http://here.example/replay/TEST/").unwrap();
            let (stamp, referred) = rest.split_once('/').unwrap();
            let (moment, raw) = collection_files::parse_replay_time(stamp).unwrap();
            assert!(raw && referred == url);
            let by_reference =
                collection_files::replay_page(store, &world.shelf, collection, moment, referred, raw)
                    .unwrap()
                    .unwrap();
            assert_eq!(by_reference.bytes, item.value, "by reference");
        }
    }
    let elements =
        collection_files::dublin_core(store, collection, objects.last().unwrap(), "http://here.example")
            .unwrap();
    assert!(elements.contains(&("title", "Test".to_owned())));
    assert!(elements.contains(&("relation", "http://site.test/".to_owned())));
}

fn each_payload_is_kept_once(world: &ArchiveWorld, collection: &Collection) {
    let folder = world.shelf.folder(&collection.acronym);
    let mut plain = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        use std::io::Read;
        let file = std::fs::File::open(entry.unwrap().path()).unwrap();
        flate2::read::MultiGzDecoder::new(file).read_to_end(&mut plain).unwrap();
    }
    let text = String::from_utf8_lossy(&plain);
    let background = b"\x89PNG background";
    assert_eq!(plain.windows(background.len()).filter(|window| window == background).count(), 1);
    assert!(
        text.contains("WARC-Type: revisit")
            && text.contains("WARC-Refers-To-Target-URI: http://site.test/bg.png")
    );
    assert_eq!(text.matches("WARC-Type: warcinfo").count(), 5, "a file per run");
    assert_eq!(text.matches("WARC-Type: resource").count(), 5, "a ranked list per run");
}

fn a_copy_opens_offline(world: &ArchiveWorld, collection: &Collection) {
    let folder = world.data.path().join("copy");
    let exported = collection_files::export_collection(
        &*world.store,
        &world.shelf,
        collection,
        timestamp_at(500),
        "",
        &folder,
    )
    .unwrap();
    assert_eq!((exported.items, exported.warc_files), (7, 5));
    let index = std::fs::read_to_string(folder.join("index.html")).unwrap();
    let pages: Vec<String> = std::fs::read_dir(folder.join("pages"))
        .unwrap()
        .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path()).ok())
        .collect();
    let first = pages.iter().find(|page| page.contains("<title>Index")).unwrap();
    assert!(first.contains(".png\"") && first.contains(".css\"") && !first.contains("src=i.png"), "{first}");
    assert!(first.contains("http://other.test/x"), "what is not archived leads to where it led");
    assert!(index.contains("A document"));
    assert!(std::fs::read_to_string(folder.join("ranked.html")).unwrap().contains("http://site.test/"));
    assert!(folder.join("object.didl.xml").exists());
}
