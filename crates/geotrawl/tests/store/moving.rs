use crate::ground::{CONCURRENCY, CrawlLab, StoreArgs, run_command};
use geotrawl_testkit::postgres;

fn copy(from: &StoreArgs, to: &StoreArgs) {
    let said = run_command(from.geotrawl().args([
        "store",
        "copy",
        "--from",
        &from.copy_arg(),
        "--to",
        &to.copy_arg(),
    ]));
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.out.contains("equal") && !said.out.contains("DIFFERENT"), "{}", said.out);
    assert!(said.err.contains("everything was read back and is identical"), "{}", said.err);
    println!("{}", said.out);
}

#[test]
fn a_crawl_moves_to_a_database_and_back_and_goes_on_anywhere() {
    let Some(database) = postgres::TestDatabase::new(|_| {}) else { return };
    let places: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let first = StoreArgs::directory(places[0].path());
    let shared = StoreArgs::database(&database.url, places[1].path());
    let last = StoreArgs::directory(places[2].path());

    let web = CrawlLab::start(11, 1_500);
    web.interrupt_crawl(&first, 500);
    let before = web.requests_since(0);
    copy(&first, &shared);
    copy(&shared, &last);

    let (export, stats) = (first.export(), first.stats());
    assert!(export.lines().count() > 5, "something was found before it was stopped");
    for moved in [&shared, &last] {
        assert_eq!(moved.export(), export);
        assert_eq!(moved.stats(), stats);
        assert_eq!(moved.faults(), Vec::<String>::new());
    }
    // Provenance is the same, although the ids of pages may differ.
    let record: serde_json::Value = serde_json::from_str(export.lines().next().unwrap()).unwrap();
    let explained =
        |at: &StoreArgs| run_command(at.geotrawl().args(["explain", record["id"].as_str().unwrap()])).out;
    assert!(explained(&first).contains("found by:"));
    assert_eq!(explained(&shared), explained(&first));
    assert_eq!(explained(&last), explained(&first));

    let mut ends = Vec::new();
    for at in [&first, &shared, &last] {
        let logged = web.log_len();
        web.finish_crawl(at);
        let asked = web.requests_since(logged);
        let again = asked.keys().filter(|page| before.contains_key(*page)).count();
        println!("{}: {} pages were left, {again} of them were asked for before", at.copy_arg(), asked.len());
        ends.push((at.catalogue(), asked));
    }
    let (catalogue, asked) = &ends[0];
    for (other, pages) in &ends[1..] {
        assert_eq!(other, catalogue);
        // A crawl that was never copied requests the same pages, except for those in flight.
        let more: u64 =
            pages.iter().map(|(page, n)| n.saturating_sub(asked.get(page).copied().unwrap_or(0))).sum();
        let less: u64 =
            asked.iter().map(|(page, n)| n.saturating_sub(pages.get(page).copied().unwrap_or(0))).sum();
        let left: Vec<&String> = asked.keys().filter(|page| !pages.contains_key(*page)).take(40).collect();
        assert!(more <= CONCURRENCY && less <= CONCURRENCY, "{more} requests more, {less} less: {left:#?}");
    }
}

#[test]
fn what_cannot_be_copied_is_told_with_the_right_exit_code() {
    let places: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let (one, other) = (StoreArgs::directory(places[0].path()), StoreArgs::directory(places[1].path()));
    for at in [&one, &other] {
        assert_eq!(run_command(at.geotrawl().args(["user", "add", "ada"])).code, 0);
    }
    let copy = |to: &str| run_command(one.geotrawl().args(["store", "copy", "--to", to]));
    let said = copy(&other.copy_arg());
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("already"), "{}", said.err);
    assert_eq!(copy(&one.copy_arg()).code, 2);
    assert_eq!(copy("mysql://x/y").code, 2);
    let said = copy("postgres://me:secret@127.0.0.1:1/none");
    assert_eq!(said.code, 3, "{}", said.err);
    assert!(!said.err.contains("secret"), "{}", said.err);

    // An unfinished copy is reported by every command and by doctor.
    let cut = StoreArgs::directory(places[2].path());
    std::fs::write(cut.data.join("geotrawl.db.incomplete"), b"half").unwrap();
    for command in [["stats"], ["serve"]] {
        let said = run_command(cut.geotrawl().args(command));
        assert_eq!(said.code, 3, "{}", said.err);
        assert!(said.err.contains("geotrawl store` command again"), "{}", said.err);
    }
    assert!(cut.faults().iter().any(|fault| fault.contains("unfinished copy")));
    assert_eq!(copy(&cut.copy_arg()).code, 0);
    let said = run_command(cut.geotrawl().args(["user", "list"]));
    assert!(said.out.contains("ada"), "{}", said.out);

    let json = tempfile::tempdir().unwrap();
    let said =
        run_command(one.geotrawl().args(["--json", "store", "copy", "--to"]).arg(json.path().join("new")));
    assert_eq!(said.code, 0, "{}", said.err);
    let lines: Vec<serde_json::Value> =
        said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() > 60 && lines.iter().all(|line| line["same"] == true), "{}", said.out);
}
