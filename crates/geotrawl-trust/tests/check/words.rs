//! What a check says to people, what it keeps, and what it asks.

use crate::check::documents::{self, exception, page, png, wms};
use crate::check::server::{Reply, converse, known, site};
use geotrawl_model::{Outcome, Purpose, Resource, Status};
use geotrawl_trust::check::{Checked, Options, Wanted, difference, verdict};

const WMS: &str = "https://x.org/wms";

fn check(pages: Vec<(&'static str, Reply)>) -> (Checked, Vec<Wanted>) {
    converse(&known("wms", WMS), &Options::default(), site(pages))
}

fn wms_with(map: Reply) -> Vec<(&'static str, Reply)> {
    vec![
        ("GetCapabilities", Reply::ok(wms("1.3.0", &["a", "b", "c"]))),
        ("no_such", Reply::ok(exception("no such layer"))),
        ("GetMap", map),
    ]
}

#[test]
fn reasons_have_figures() {
    let reason = |map: Reply| check(wms_with(map)).0.check.reason;
    assert_eq!(reason(Reply::ok(png(true))), "Answered in 70 ms; 3 of 3 maps drawn in 50 ms.");
    assert_eq!(
        reason(Reply::ok(png(true)).after(12_000)),
        "Answered in 70 ms; 3 of 3 maps drawn, but slowly: 12000 ms where 5000 ms is the limit."
    );
    assert_eq!(
        reason(Reply::ok(png(false))),
        "Answered in 70 ms, but 3 of 3 maps are empty: PNG of 64 by 64 pixels of one colour."
    );
    assert_eq!(reason(Reply::status(500, "")), "Answered in 70 ms, but 0 of 3 maps drawn: Status 500.");
    let (checked, _) = check(vec![
        ("GetCapabilities", Reply::ok(wms("1.3.0", &["a", "b"]))),
        ("LAYERS=a", Reply::ok(png(true))),
        ("GetMap", Reply::ok(exception("broken"))),
    ]);
    assert_eq!(
        checked.check.reason,
        "Answered in 70 ms; 1 of 2 maps drawn in 50 ms; 1 of 2 failed: An error report: NoApplicableCode: broken (b)."
    );
    let moved = Reply::ok(wms("1.3.0", &[])).redirected(308, "https://new.org/wms");
    let (checked, _) = check(vec![("GetCapabilities", moved)]);
    assert_eq!(checked.check.reason, "Moved to https://new.org/wms, answered there in 70 ms.");
    let (checked, _) = check(vec![("GetCapabilities", Reply::ok(page("404 Not Found", "")))]);
    assert_eq!(
        checked.check.reason,
        "There is a web page in its place: A page that says that there is nothing, with status 200 (404 Not Found)."
    );
}

#[test]
fn the_fresh_description_comes_out() {
    let (checked, _) = check(wms_with(Reply::ok(png(true))));
    let resource = checked.resource.expect("a resource");
    assert_eq!((resource.kind.as_str(), resource.dataset_count), ("wms", 3));
    let facts = checked.check.facts.expect("facts");
    assert!(facts.well_formed && facts.datasets == 3);
    // What was cut is not taken for what it says now.
    let cut = Reply::ok(wms("1.3.0", &["a", "b", "c"]).into_bytes()).cut().streamed();
    let (checked, _) = check(vec![("GetCapabilities", cut), ("GetMap", Reply::ok(png(true)))]);
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
    assert_eq!(refusal(wms_with(Reply::ok(png(true)))), (Outcome::Exception, Status::Alive));
    let lenient =
        vec![("GetCapabilities", Reply::ok(wms("1.3.0", &["a"]))), ("GetMap", Reply::ok(png(true)))];
    assert_eq!(refusal(lenient), (Outcome::Valid, Status::Alive));
    let broken = vec![
        ("GetCapabilities", Reply::ok(wms("1.3.0", &["a"]))),
        ("no_such", Reply::fails("reset")),
        ("GetMap", Reply::ok(png(true))),
    ];
    assert_eq!(refusal(broken), (Outcome::Reset, Status::Alive));
    let without = Options { refusal: false, ..Options::default() };
    let (checked, _) = converse(&known("wms", WMS), &without, site(wms_with(Reply::ok(png(true)))));
    assert!(checked.check.observations.iter().all(|seen| seen.purpose != Purpose::Refusal));
}

#[test]
fn versions_are_tried_and_all_requests_are_kept() {
    let asks = exception("Parameter version is missing");
    let (checked, asked) = check(vec![
        ("VERSION=1.3.0&GetCapabilities", Reply::ok(wms("1.3.0", &["a"]))),
        ("GetCapabilities", Reply::ok(asks)),
        ("GetMap", Reply::ok(png(true))),
    ]);
    let outcomes: Vec<Outcome> = checked.check.observations.iter().map(|seen| seen.outcome).collect();
    assert_eq!(outcomes, [Outcome::Exception, Outcome::Valid, Outcome::Valid, Outcome::Valid]);
    assert_eq!(checked.check.verdict, Status::Alive);
    assert_eq!(asked.len(), 4);
}

#[test]
fn who_does_not_want_us_is_not_asked_again() {
    for reply in
        [Reply::status(429, ""), Reply::status(401, ""), Reply::fails("robots"), Reply::fails("connect")]
    {
        let (checked, asked) = check(wms_with(reply));
        assert_eq!(asked.len(), 2, "{:?}", checked.check.cause);
    }
}

#[test]
fn endless_lists_end() {
    let endless = documents::COLLECTIONS
        .replace(r#""links":[],"#, r#""links":[{"rel":"next","href":"https://x.org/api/collections?p=N"}],"#);
    let mut n = 0;
    let (checked, asked) =
        converse(&known("ogcapi-features", "https://x.org/api"), &Options::default(), |wanted| {
            n += 1;
            let at = wanted.ask.url.as_str();
            if at.contains("/items") {
                Reply::ok(documents::FEATURES)
            } else if at.contains("conformance") {
                Reply::ok(documents::conformance("features"))
            } else if at.contains("collections") {
                Reply::ok(endless.replace("p=N", &format!("p={n}")))
            } else {
                Reply::ok(documents::LANDING)
            }
        });
    assert_eq!(checked.check.verdict, Status::Alive);
    // The list was not read to its end, and is not told as one.
    assert!(checked.resource.is_none() && asked.len() <= 12);
}

#[test]
fn a_part_that_fails_does_not_spoil_the_rest() {
    let pages = vec![
        ("/collections", Reply::fails("timeout")),
        ("/conformance", Reply::ok(documents::conformance("features"))),
        ("/api", Reply::ok(documents::LANDING)),
    ];
    let (checked, _) =
        converse(&known("ogcapi-features", "https://x.org/api"), &Options::default(), site(pages));
    assert_eq!((checked.check.verdict, checked.check.cause.as_str()), (Status::Alive, "answers"));
    assert!(checked.resource.is_none());
}

#[test]
fn a_check_that_is_repeated_tells_what_differs() {
    let (before, _) = check(wms_with(Reply::ok(png(true))));
    let (same, _) = check(wms_with(Reply::ok(png(true))));
    assert_eq!(difference(&before.check, &same.check), Vec::<String>::new());
    let (after, _) = check(wms_with(Reply::status(500, "").after(5000)));
    let told = difference(&before.check, &after.check);
    assert_eq!(told[0], "The verdict was alive (answers), now it is degraded (server-error).");
    assert!(told.iter().any(|line| line.contains("status 200, now 500")), "{told:?}");
    assert!(told.iter().any(|line| line.contains("took 70 ms, now 5020 ms")), "{told:?}");
    let (gone, _) = check(vec![("GetCapabilities", Reply::fails("dns"))]);
    let told = difference(&before.check, &gone.check);
    assert!(told.iter().any(|line| line.starts_with("The description fails now")), "{told:?}");
    assert!(told.iter().any(|line| line.contains("now it is not")), "{told:?}");
}

#[test]
fn nothing_seen_is_nothing_said() {
    assert_eq!(verdict("wms", &[]).status, Status::Unchecked);
}

#[test]
fn ranges_are_noticed() {
    let facts = |reply: Reply| {
        let known: Resource = known("geojson", "https://x.org/a.geojson");
        let (checked, _) = converse(&known, &Options::default(), move |_| reply.clone());
        checked.check.facts.expect("facts").ranges
    };
    let body = || Reply::ok(format!("{}{}", documents::FEATURES, " ".repeat(2000)));
    assert_eq!(facts(body().header("accept-ranges", "bytes")), Some(true));
    assert_eq!(facts(body()), Some(false));
}
