//! Tests interrupted runs and truncated files.

use crate::{ArchiveWorld, timestamp_at};
use geotrawl_archive::collection_files;
use geotrawl_crawl::archive::ArchiveEvent;
use geotrawl_model::collection::{CollectionSpec, RunState};
use geotrawl_model::store::CollectionStore;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn an_interrupted_run_is_continued_and_its_torn_tail_cut() {
    let world = ArchiveWorld::start();
    for n in 0..30 {
        let links: String = (0..30).map(|m| format!("<a href=/p{m}>p</a>")).collect::<Vec<_>>().concat();
        world.site.set_page(
            &format!("site.test/p{n}"),
            "text/html",
            format!("<title>P{n}</title>{links}<img src=/i{n}.png>"),
        );
        world.site.set_page(&format!("site.test/i{n}.png"), "image/png", format!("picture {n}"));
    }
    let spec = CollectionSpec {
        title: "Test".into(),
        pages: vec!["http://site.test/p0".into()],
        ..Default::default()
    };
    let collection = world.add_collection(&spec);
    let stop = AtomicBool::new(false);
    let mut visits = 0;
    let stopped = world.runtime.block_on(world.archivist.run_collection(&collection, &stop, &mut |told| {
        visits += u32::from(matches!(told, ArchiveEvent::Visited { .. }));
        stop.store(visits >= 7, Ordering::SeqCst);
    }));
    assert_eq!(stopped.unwrap().state, RunState::Running);
    let folder = world.shelf.folder("TEST");
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let sound = std::fs::metadata(&file).unwrap().len();
    // The start of a gzip member, as left by a killed writer.
    let beginning = std::fs::read(&file).unwrap()[..200].to_vec();
    std::fs::OpenOptions::new().append(true).open(&file).unwrap().write_all(&beginning).unwrap();

    world.site.take_requests();
    let (run, happened) = world.run(&collection, 50);
    assert_eq!((run.state, run.counts.new), (RunState::Finished, 60));
    assert_eq!(happened.len(), 53, "what was noted before is not asked again");
    assert_eq!(world.store.archive_runs(collection.id, 9).unwrap().len(), 1);
    let (items, total) = world.store.pages_as_of(collection.id, timestamp_at(60), 0, 100).unwrap();
    assert_eq!(total, 60);
    for item in items {
        let shown = collection_files::replay_page(
            &*world.store,
            &world.shelf,
            &collection,
            timestamp_at(60),
            &item.url,
            true,
        );
        let place = item.url.trim_start_matches("http://");
        assert_eq!(shown.unwrap().unwrap().bytes, world.site.page_body(place), "{place}");
    }
    let bytes = std::fs::read(&file).unwrap();
    assert!(bytes.len() as u64 > sound);
    let mut cursor = std::io::Cursor::new(&bytes);
    assert_eq!(geotrawl_archive::warc::intact_length(&mut cursor, 0).unwrap(), bytes.len() as u64);
}

#[test]
fn a_server_that_fails_deletes_nothing() {
    let world = ArchiveWorld::start();
    world.site.set_page("site.test/", "text/html", "<a href=/a>a</a>");
    world.site.set_page("site.test/a", "text/html", "<p>here</p>");
    let spec = CollectionSpec {
        title: "Test".into(),
        pages: vec!["http://site.test/".into()],
        ..Default::default()
    };
    let collection = world.add_collection(&spec);
    world.run(&collection, 10);
    world.site.set_redirect("site.test/a", "http://site.test/a");
    let (run, happened) = world.run(&collection, 20);
    assert_eq!(happened["site.test/a"], "failed");
    assert_eq!((run.counts.failed, run.counts.deleted), (1, 0));
    assert_eq!(world.store.pages_as_of(collection.id, timestamp_at(30), 0, 9).unwrap().1, 2);
    // A redirect to unchanged content.
    world.site.set_redirect("site.test/a", "http://site.test/b");
    world.site.set_page("site.test/b", "text/html", "<p>here</p>");
    let (_, happened) = world.run(&collection, 40);
    assert_eq!(happened["site.test/a"], "unchanged");
    let history = world.store.page_history(collection.id, "http://site.test/a").unwrap().unwrap();
    assert_eq!(history.versions[1].final_url.as_deref(), Some("http://site.test/b"));
}
