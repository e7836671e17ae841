//! Answers to the request for the description.

use super::*;

pub fn description_cases() -> Vec<CheckCase> {
    use Status::{Alive, Blocked, Dead, Degraded, Inconclusive, Restricted};
    let one = |name, reply, status, cause| -> CheckCase {
        (name, "wms", WMS, wms_description(reply), status, cause)
    };
    let caps = || wms("1.3.0", &["a"]);
    let esri = |code: u16, text: &str| {
        ok(format!(r#"{{"error":{{"code":{code},"message":"{text}","details":[]}}}}"#))
    };
    let map_server = "https://x.org/arcgis/rest/services/Town/MapServer";
    let arcgis = |name, reply, status, cause| -> CheckCase {
        (name, "arcgis-mapserver", map_server, vec![("MapServer", reply)], status, cause)
    };
    vec![
        one("capabilities of 1.3.0", ok(caps()), Alive, "answers"),
        one("capabilities of 1.1.1", ok(wms("1.1.1", &["a"])), Alive, "answers"),
        one("capabilities as a stream", ok(caps()).streamed(), Alive, "answers"),
        one("capabilities with status 500", CannedReply::status(500, caps()), Alive, "answers"),
        one(
            "capabilities as text/html",
            ok(caps()).with_header("content-type", "text/html"),
            Alive,
            "answers",
        ),
        one("no layers", ok(wms("1.3.0", &[])), Alive, "answers"),
        one("an exception", ok(exception("out of memory")), Degraded, "exception"),
        one(
            "an exception with 500",
            CannedReply::status(500, exception("out of memory")),
            Degraded,
            "exception",
        ),
        one(
            "an exception with 404",
            CannedReply::status(404, exception("no such map")),
            Degraded,
            "exception",
        ),
        one("an exception about a login", ok(exception("Authentication required")), Restricted, "login"),
        one(
            "an exception about a key",
            CannedReply::status(403, exception("Missing API key")),
            Restricted,
            "key",
        ),
        one(
            "an exception with 401",
            CannedReply::status(401, exception("who are you?")),
            Restricted,
            "login",
        ),
        one(
            "401",
            CannedReply::status(401, "").with_header("www-authenticate", "Basic realm=maps"),
            Restricted,
            "login",
        ),
        one(
            "401 and a key",
            CannedReply::status(401, r#"{"message":"Access denied due to missing subscription key."}"#),
            Restricted,
            "key",
        ),
        one("407", CannedReply::status(407, ""), Restricted, "login"),
        one(
            "a login page",
            ok(page("Sign in", "<form><input type=\"password\"></form>")),
            Restricted,
            "login",
        ),
        one(
            "a login page with 403",
            CannedReply::status(403, page("Sign in", "<input type=password>")),
            Restricted,
            "login",
        ),
        one(
            "a redirect to a login",
            ok(page("Welcome", "")).with_redirect(302, "https://id.org/auth/realms/x?next=wms"),
            Restricted,
            "login",
        ),
        one("403", CannedReply::status(403, "no"), Blocked, "forbidden"),
        one("403 page", CannedReply::status(403, page("403 Forbidden", "")), Blocked, "forbidden"),
        one(
            "403 of a firewall",
            CannedReply::status(403, page("Attention Required! | Cloudflare", "cf-chl")),
            Blocked,
            "firewall",
        ),
        one(
            "a challenge with 200",
            ok(page("Just a moment", "checking your browser before accessing")),
            Blocked,
            "firewall",
        ),
        one(
            "a challenge with 503",
            CannedReply::status(503, page("One moment", "cf-chl")),
            Blocked,
            "firewall",
        ),
        one(
            "a challenge by header",
            CannedReply::status(403, page("x", "")).with_header("cf-mitigated", "challenge"),
            Blocked,
            "firewall",
        ),
        one(
            "403 and a key in JSON",
            CannedReply::status(403, r#"{"error":"API key required"}"#),
            Restricted,
            "key",
        ),
        one("200 and a key in text", ok("Error: missing API key"), Restricted, "key"),
        one("200 and a key in JSON", ok(r#"{"message":"No API key found in request"}"#), Restricted, "key"),
        one("429", CannedReply::status(429, "slow down"), Blocked, "rate-limited"),
        one("429 page", CannedReply::status(429, page("Too many requests", "")), Blocked, "rate-limited"),
        one(
            "503 and a wait",
            CannedReply::status(503, "").with_header("retry-after", "120"),
            Blocked,
            "rate-limited",
        ),
        one("503", CannedReply::status(503, page("Unavailable", "")), Dead, "server-error"),
        one("500", CannedReply::status(500, "oops"), Dead, "server-error"),
        one("502 in JSON", CannedReply::status(502, r#"{"message":"Bad gateway"}"#), Dead, "server-error"),
        one("404", CannedReply::status(404, page("Not found", "")), Dead, "gone"),
        one("410", CannedReply::status(410, ""), Dead, "gone"),
        one(
            "a 404 with a login form on it",
            CannedReply::status(404, page("Not found", "<input type=password>")),
            Dead,
            "gone",
        ),
        one("400", CannedReply::status(400, "what?"), Degraded, "client-error"),
        one("a soft 404", ok(page("404 - Page not found", "")), Dead, "wrong-content"),
        one(
            "a parked host",
            ok(page("x.org", "This domain is for sale: buy this domain")),
            Dead,
            "wrong-content",
        ),
        one("a plain page", ok(page("Our town", "Welcome")), Dead, "wrong-content"),
        one("nothing", ok(""), Degraded, "wrong-content"),
        one("a picture", ok(png(true)), Degraded, "wrong-content"),
        one("another document", ok("<a><b/></a>"), Degraded, "wrong-content"),
        one("another service", ok(csw()), Degraded, "wrong-content"),
        one("JSON", ok("{\"a\":1}"), Degraded, "wrong-content"),
        one("half of it", ok(&caps().as_bytes()[..100]), Degraded, "malformed"),
        one("cut before anything came", ok(&caps().as_bytes()[..60]).cut(), Inconclusive, "reset"),
        one("no such name", CannedReply::failure("dns"), Dead, "dns"),
        one("trouble with names", CannedReply::failure("resolver"), Inconclusive, "dns"),
        one("refused", CannedReply::failure("connect"), Dead, "connect"),
        one("certificate", CannedReply::failure("tls"), Inconclusive, "tls"),
        one("timeout", CannedReply::failure("timeout"), Inconclusive, "timeout"),
        one("reset", CannedReply::failure("reset"), Inconclusive, "reset"),
        one("cut off", CannedReply::failure("truncated"), Inconclusive, "reset"),
        one("no HTTP", CannedReply::failure("protocol"), Inconclusive, "reset"),
        one("robots", CannedReply::failure("robots"), Blocked, "robots"),
        one("a private address", CannedReply::failure("blocked-address"), Inconclusive, "refused"),
        one("a loop of redirects", CannedReply::failure("redirect-loop"), Inconclusive, "refused"),
        one("too large", CannedReply::failure("too-large"), Inconclusive, "too-large"),
        one("resting", CannedReply::failure("resting"), Blocked, "rate-limited"),
        one("a failure without a name", CannedReply::failure("cosmic"), Inconclusive, "reset"),
        one("moved", ok(caps()).with_redirect(301, "https://new.org/wms?SERVICE=WMS"), Alive, "moved"),
        one(
            "moved for now",
            ok(caps()).with_redirect(302, "https://new.org/wms?SERVICE=WMS"),
            Alive,
            "answers",
        ),
        one(
            "moved to https",
            ok(caps()).with_redirect(301, "https://www.x.org/wms?SERVICE=WMS"),
            Alive,
            "answers",
        ),
        (
            "an address that is none",
            "wms",
            "no address",
            vec![("about:", CannedReply::failure("bad-url"))],
            Inconclusive,
            "refused",
        ),
        arcgis("499 with 200", esri(499, "Token Required"), Restricted, "key"),
        arcgis("498 with 200", esri(498, "Invalid Token"), Restricted, "key"),
        arcgis(
            "403 with 200",
            esri(403, "You do not have permissions to access this resource"),
            Blocked,
            "forbidden",
        ),
        arcgis("404 with 200", esri(404, "Service not found"), Dead, "gone"),
        arcgis("500 with 200", esri(500, "Service Town/MapServer not started"), Degraded, "exception"),
        arcgis("a directory page", ok(page("Folder: /", "")), Dead, "wrong-content"),
    ]
}
