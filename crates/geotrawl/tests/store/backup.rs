use crate::ground::{CrawlLab, StoreArgs, run_command};
use geotrawl_testkit::postgres;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the newest installed version of a PostgreSQL program, which must not be older than the
/// server.
fn program(name: &str) -> PathBuf {
    let mut found: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin").join(name)))
        })
        .filter(|(_, path)| path.is_file())
        .collect();
    found.sort();
    found.pop().map_or_else(|| name.into(), |(_, path)| path)
}

fn shell(command: &mut Command) {
    let said = run_command(command);
    assert_eq!(said.code, 0, "{command:?}: {}", said.err);
}

/// Continues a crawl from a backup made in its middle, and compares the result with that of the
/// original.
fn goes_on(web: &CrawlLab, backup: &StoreArgs, original: &StoreArgs) {
    assert_eq!(backup.faults(), Vec::<String>::new());
    let kept = backup.export().lines().count();
    assert!(kept > 0, "something had been found");
    web.finish_crawl(backup);
    let (restored, whole) = (backup.catalogue(), original.catalogue());
    println!("{kept} records were in the backup, {} at the end", restored.len());
    assert_eq!(restored, whole);
}

#[test]
fn a_directory_is_backed_up_while_it_is_crawled_into() {
    let web = CrawlLab::start(12, 1_500);
    let places: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let original = StoreArgs::directory(places[0].path());
    // Files of collections are part of the backup.
    let page = Path::new("archive/water/1.warc.gz");
    std::fs::create_dir_all(original.data.join("archive/water")).unwrap();
    std::fs::write(original.data.join(page), b"a page").unwrap();

    let mut crawl = web.start_crawl(&original, 400);
    let backup = places[1].path().join("monday");
    let said = run_command(original.geotrawl().args(["store", "backup", "--to"]).arg(&backup));
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(crawl.try_wait().unwrap().is_none(), "the crawl went on meanwhile");
    assert_eq!(std::fs::read(backup.join(page)).unwrap(), b"a page");
    let again = run_command(original.geotrawl().args(["store", "backup", "--to"]).arg(&backup));
    assert_eq!(again.code, 2, "a backup is never overwritten: {}", again.err);
    assert!(crawl.wait().unwrap().code().is_some_and(|code| code <= 1));

    shell(Command::new("cp").arg("-r").arg(backup.join(".")).arg(places[2].path()));
    goes_on(&web, &StoreArgs::directory(places[2].path()), &original);
}

#[test]
fn a_database_is_backed_up_while_it_is_crawled_into() {
    let (Some(database), Some(restored)) =
        (postgres::TestDatabase::new(|_| {}), postgres::TestDatabase::new(|_| {}))
    else {
        return;
    };
    let web = CrawlLab::start(13, 1_500);
    let places: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    let original = StoreArgs::database(&database.url, places[0].path());
    let dump = places[0].path().join("geotrawl.dump");

    let mut crawl = web.start_crawl(&original, 400);
    let mut file = std::ffi::OsString::from("--file=");
    file.push(&dump);
    shell(Command::new(program("pg_dump")).arg("--format=custom").arg(file).arg(&database.url));
    assert!(crawl.try_wait().unwrap().is_none(), "the crawl went on meanwhile");
    assert!(crawl.wait().unwrap().code().is_some_and(|code| code <= 1));

    let mut target = std::ffi::OsString::from("--dbname=");
    target.push(&restored.url);
    shell(Command::new(program("pg_restore")).arg(target).arg("--no-owner").arg(&dump));
    // The backup contains leases of processes that no longer exist; they expire by themselves.
    postgres::execute_sql(
        &restored.url,
        "UPDATE geotrawl.host SET expires = now() - interval '1 hour' WHERE owner IS NOT NULL",
    );
    goes_on(&web, &StoreArgs::database(&restored.url, places[1].path()), &original);

    let said = run_command(original.geotrawl().args(["store", "backup", "--to"]).arg(places[1].path()));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("pg_dump"), "{}", said.err);
}
