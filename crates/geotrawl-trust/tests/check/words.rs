//! Texts of checks, what they keep, and which requests they send.

use crate::check::documents::{self, exception, page, png, wms};
use crate::check::server::{CannedReply, known_resource, run_check, serve_pages};
use geotrawl_model::{Outcome, Purpose, Resource, Status};
use geotrawl_trust::check::{CheckOptions, CheckOutcome, PendingRequest, derive_verdict, list_differences};

const WMS: &str = "https://x.org/wms";

fn check(pages: Vec<(&'static str, CannedReply)>) -> (CheckOutcome, Vec<PendingRequest>) {
    run_check(&known_resource("wms", WMS), &CheckOptions::default(), serve_pages(pages))
}

fn wms_with(map: CannedReply) -> Vec<(&'static str, CannedReply)> {
    vec![
        ("GetCapabilities", CannedReply::ok(wms("1.3.0", &["a", "b", "c"]))),
        ("no_such", CannedReply::ok(exception("no such layer"))),
        ("GetMap", map),
    ]
}

#[test]
fn reasons_have_figures() {
    let reason = |map: CannedReply| check(wms_with(map)).0.check.reason;
    assert_eq!(reason(CannedReply::ok(png(true))), "Answered in 70 ms; 3 of 3 maps drawn in 50 ms.");
    assert_eq!(
        reason(CannedReply::ok(png(true)).with_delay(12_000)),
        "Answered in 70 ms; 3 of 3 maps drawn, but slowly: 12000 ms (limit 5000 ms)."
    );
    assert_eq!(
        reason(CannedReply::ok(png(false))),
        "Answered in 70 ms, but 3 of 3 maps are empty: PNG of 64 by 64 pixels of one colour."
    );
    assert_eq!(reason(CannedReply::status(500, "")), "Answered in 70 ms, but 0 of 3 maps drawn: Status 500.");
    let (checked, _) = check(vec![
        ("GetCapabilities", CannedReply::ok(wms("1.3.0", &["a", "b"]))),
        ("LAYERS=a", CannedReply::ok(png(true))),
        ("GetMap", CannedReply::ok(exception("broken"))),
    ]);
    assert_eq!(
        checked.check.reason,
        "Answered in 70 ms; 1 of 2 maps drawn in 50 ms; 1 of 2 failed: An error report: NoApplicableCode: broken (b)."
    );
    let moved = CannedReply::ok(wms("1.3.0", &[])).with_redirect(308, "https://new.org/wms");
    let (checked, _) = check(vec![("GetCapabilities", moved)]);
    assert_eq!(checked.check.reason, "Moved to https://new.org/wms, which answered in 70 ms.");
    let (checked, _) = check(vec![("GetCapabilities", CannedReply::ok(page("404 Not Found", "")))]);
    assert_eq!(
        checked.check.reason,
        "It returned a web page instead of its description: A \"not found\" page with status 200 (404 Not Found)."
    );
}

#[test]
fn the_fresh_description_comes_out() {
    let (checked, _) = check(wms_with(CannedReply::ok(png(true))));
    let resource = checked.resource.expect("a resource");
    assert_eq!((resource.kind.as_str(), resource.dataset_count), ("wms", 3));
    let facts = checked.check.facts.expect("facts");
    assert!(facts.well_formed && facts.datasets == 3);
    // A truncated description does not replace the known one.
    let cut = CannedReply::ok(wms("1.3.0", &["a", "b", "c"]).into_bytes()).cut().streamed();
    let (checked, _) = check(vec![("GetCapabilities", cut), ("GetMap", CannedReply::ok(png(true)))]);
    assert_eq!(checked.check.verdict, Status::Alive);
    assert!(checked.resource.is_none() && checked.check.facts.is_some());
}

#[test]
fn a_refusal_is_asked_for_and_never_counts() {
    let refusal = |pages| {
        let (checked, _) = check(pages);
        let last = checked.check.observations.last().cloned().expect("an observation");
        assert_eq!(last.purpose, Purpose::Refusal);
        (last.outcome, checked.check.verdict)
    };
    assert_eq!(refusal(wms_with(CannedReply::ok(png(true)))), (Outcome::Exception, Status::Alive));
    let lenient = vec![
        ("GetCapabilities", CannedReply::ok(wms("1.3.0", &["a"]))),
        ("GetMap", CannedReply::ok(png(true))),
    ];
    assert_eq!(refusal(lenient), (Outcome::Valid, Status::Alive));
    let broken = vec![
        ("GetCapabilities", CannedReply::ok(wms("1.3.0", &["a"]))),
        ("no_such", CannedReply::failure("reset")),
        ("GetMap", CannedReply::ok(png(true))),
    ];
    assert_eq!(refusal(broken), (Outcome::Reset, Status::Alive));
    let without = CheckOptions { refusal: false, ..CheckOptions::default() };
    let (checked, _) =
        run_check(&known_resource("wms", WMS), &without, serve_pages(wms_with(CannedReply::ok(png(true)))));
    assert!(checked.check.observations.iter().all(|seen| seen.purpose != Purpose::Refusal));
}

#[test]
fn versions_are_tried_and_all_requests_are_kept() {
    let asks = exception("Parameter version is missing");
    let (checked, asked) = check(vec![
        ("VERSION=1.3.0&GetCapabilities", CannedReply::ok(wms("1.3.0", &["a"]))),
        ("GetCapabilities", CannedReply::ok(asks)),
        ("GetMap", CannedReply::ok(png(true))),
    ]);
    let outcomes: Vec<Outcome> = checked.check.observations.iter().map(|seen| seen.outcome).collect();
    assert_eq!(outcomes, [Outcome::Exception, Outcome::Valid, Outcome::Valid, Outcome::Valid]);
    assert_eq!(checked.check.verdict, Status::Alive);
    assert_eq!(asked.len(), 4);
}

#[test]
fn who_does_not_want_us_is_not_asked_again() {
    for reply in [
        CannedReply::status(429, ""),
        CannedReply::status(401, ""),
        CannedReply::failure("robots"),
        CannedReply::failure("connect"),
    ] {
        let (checked, asked) = check(wms_with(reply));
        assert_eq!(asked.len(), 2, "{:?}", checked.check.cause);
    }
}

#[test]
fn endless_lists_end() {
    let endless = documents::COLLECTIONS
        .replace(r#""links":[],"#, r#""links":[{"rel":"next","href":"https://x.org/api/collections?p=N"}],"#);
    let mut n = 0;
    let (checked, asked) = run_check(
        &known_resource("ogcapi-features", "https://x.org/api"),
        &CheckOptions::default(),
        |wanted| {
            n += 1;
            let at = wanted.ask.url.as_str();
            if at.contains("/items") {
                CannedReply::ok(documents::FEATURES)
            } else if at.contains("conformance") {
                CannedReply::ok(documents::conformance("features"))
            } else if at.contains("collections") {
                CannedReply::ok(endless.replace("p=N", &format!("p={n}")))
            } else {
                CannedReply::ok(documents::LANDING)
            }
        },
    );
    assert_eq!(checked.check.verdict, Status::Alive);
    // The list was not read to its end, so the resource is not returned.
    assert!(checked.resource.is_none() && asked.len() <= 12);
}

#[test]
fn a_part_that_fails_does_not_spoil_the_rest() {
    let pages = vec![
        ("/collections", CannedReply::failure("timeout")),
        ("/conformance", CannedReply::ok(documents::conformance("features"))),
        ("/api", CannedReply::ok(documents::LANDING)),
    ];
    let (checked, _) = run_check(
        &known_resource("ogcapi-features", "https://x.org/api"),
        &CheckOptions::default(),
        serve_pages(pages),
    );
    assert_eq!((checked.check.verdict, checked.check.cause.as_str()), (Status::Alive, "answers"));
    assert!(checked.resource.is_none());
}

#[test]
fn a_check_that_is_repeated_tells_what_differs() {
    let (before, _) = check(wms_with(CannedReply::ok(png(true))));
    let (same, _) = check(wms_with(CannedReply::ok(png(true))));
    assert_eq!(list_differences(&before.check, &same.check), Vec::<String>::new());
    let (after, _) = check(wms_with(CannedReply::status(500, "").with_delay(5000)));
    let told = list_differences(&before.check, &after.check);
    assert_eq!(told[0], "The verdict changed from alive (answers) to degraded (server-error).");
    assert!(told.iter().any(|line| line.contains("status 200, now 500")), "{told:?}");
    assert!(told.iter().any(|line| line.contains("took 70 ms, now 5020 ms")), "{told:?}");
    let (gone, _) = check(vec![("GetCapabilities", CannedReply::failure("dns"))]);
    let told = list_differences(&before.check, &gone.check);
    assert!(told.iter().any(|line| line.starts_with("The description now fails")), "{told:?}");
    assert!(told.iter().any(|line| line.contains("but is not any more")), "{told:?}");
}

#[test]
fn nothing_seen_is_nothing_said() {
    assert_eq!(derive_verdict("wms", &[]).status, Status::Unchecked);
}

#[test]
fn ranges_are_noticed() {
    let facts = |reply: CannedReply| {
        let known: Resource = known_resource("geojson", "https://x.org/a.geojson");
        let (checked, _) = run_check(&known, &CheckOptions::default(), move |_| reply.clone());
        checked.check.facts.expect("facts").ranges
    };
    let body = || CannedReply::ok(format!("{}{}", documents::FEATURES, " ".repeat(2000)));
    assert_eq!(facts(body().with_header("accept-ranges", "bytes")), Some(true));
    assert_eq!(facts(body()), Some(false));
}
