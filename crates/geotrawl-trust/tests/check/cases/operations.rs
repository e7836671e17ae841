//! Answers to requests for maps.

use super::*;

pub fn operation_cases() -> Vec<CheckCase> {
    use Status::{Alive, Blocked, Degraded, Restricted};
    let map =
        |name, reply, status, cause| -> CheckCase { (name, "wms", WMS, wms_with(reply), status, cause) };
    let good = || png(true);
    let jpeg = include_bytes!("../stripes.jpg").to_vec();
    let sometimes = vec![
        (CAPS, ok(wms("1.3.0", &["a", "b", "c"]))),
        ("LAYERS=a", ok(good())),
        (MAP, ok(exception("no"))),
    ];
    let bad_then_blank = vec![
        (CAPS, ok(wms("1.3.0", &["a", "b"]))),
        ("LAYERS=a", ok(png(false))),
        (MAP, CannedReply::status(500, "")),
    ];
    vec![
        map("maps are drawn", ok(good()), Alive, "answers"),
        map("maps are slow", ok(good()).with_delay(10_001), Degraded, "slow"),
        map("maps are just in time", ok(good()).with_delay(10_000), Alive, "answers"),
        map("maps of one colour", ok(png(false)), Degraded, "blank"),
        map("maps are refused", ok(exception("Layer not defined")), Degraded, "exception"),
        map("maps fail", CannedReply::status(500, "oops"), Degraded, "server-error"),
        map("maps are absent", CannedReply::status(404, page("404", "")), Degraded, "gone"),
        map("maps are pages", ok(page("Our town", "")), Degraded, "wrong-content"),
        map("maps are cut", ok(&good()[..200]), Degraded, "malformed"),
        map("maps are JPEG", ok(jpeg), Degraded, "wrong-content"),
        map("maps are text", ok("error in line 3"), Degraded, "wrong-content"),
        map("maps are nothing", ok(""), Degraded, "wrong-content"),
        map("maps want a login", CannedReply::status(401, ""), Restricted, "login"),
        map("maps want a key", ok(exception("Invalid token")), Restricted, "key"),
        map("maps are forbidden", CannedReply::status(403, ""), Degraded, "forbidden"),
        map("maps come too often", CannedReply::status(429, ""), Blocked, "rate-limited"),
        map("maps behind a firewall", CannedReply::status(403, page("x", "cf-chl")), Blocked, "firewall"),
        map("maps take too long", CannedReply::failure("timeout"), Degraded, "timeout"),
        map("maps break off", CannedReply::failure("reset"), Degraded, "reset"),
        map("maps are not for robots", CannedReply::failure("robots"), Alive, "answers"),
        map("maps are too large", CannedReply::failure("too-large"), Alive, "answers"),
        ("one map of three", "wms", WMS, sometimes, Alive, "answers"),
        ("half blank, half broken", "wms", WMS, bad_then_blank, Degraded, "server-error"),
        (
            "an ncWMS",
            "ncwms",
            "https://x.org/thredds/wms/a.nc",
            vec![(CAPS, ok(wms("1.3.0", &["a"]))), (MAP, ok(good()))],
            Alive,
            "answers",
        ),
        ("a plain WMS is no ncWMS", "ncwms", WMS, wms_with(ok(good())), Degraded, "wrong-content"),
    ]
}
