//! Broken, slow and endless HTTP.

use super::{CaseForm, case, common, harmless, repeat, send, unbounded};
use crate::reply::{ReplyAct, SiteReply};
use bytes::Bytes;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// Raw bytes with the status to show in the log.
fn raw(status: u16, acts: Vec<ReplyAct>) -> SiteReply {
    let mut reply = SiteReply::raw(acts);
    reply.status = status;
    reply
}

const fn robots(form: CaseForm) -> CaseForm {
    CaseForm { in_robots: true, ..form }
}

fn unavailable(status: u16, retry_after: &str) -> SiteReply {
    let mut reply = SiteReply::html(status, "<html><body>Too many requests</body></html>".to_owned());
    reply.headers.push(("Retry-After".into(), retry_after.to_owned()));
    reply
}

pub(super) static CASES: &[CaseForm] = &[
    case("endless-body", "/", "too-large", |_, _| {
        unbounded(
            "text/html",
            "",
            vec![send("<!DOCTYPE html><html><body>"), repeat("<p>and on and on</p>\n", u64::MAX)],
        )
    }),
    case("endless-chunked", "/", "too-large", |_, _| {
        let piece = format!("1000\r\n{}\r\n", "x".repeat(4096));
        unbounded("text/html", "Transfer-Encoding: chunked\r\n", vec![repeat(&piece, u64::MAX)])
    }),
    case("endless-chunk-extension", "/", "protocol", |_, _| {
        unbounded("text/html", "Transfer-Encoding: chunked\r\n", vec![send("5;"), repeat("ext=1;", u64::MAX)])
    }),
    case("slow-body", "/", "timeout", |_, _| {
        let body = Bytes::from("<p>slow</p>".repeat(1000));
        unbounded("text/html", "", vec![ReplyAct::Drip(body, SECOND)])
    }),
    case("slow-headers", "/", "timeout", |_, _| {
        raw(
            0,
            vec![ReplyAct::Drip(
                Bytes::from("HTTP/1.1 200 OK\r\n".to_owned() + &"X-Slow: 1\r\n".repeat(500)),
                SECOND,
            )],
        )
    }),
    case("stall-before-headers", "/", "timeout", |_, _| raw(0, vec![ReplyAct::Pause(SECOND * 900)])),
    case("stall-in-body", "/", "timeout", |_, _| {
        unbounded(
            "text/html",
            "",
            vec![send("<!DOCTYPE html><html><body><p>half"), ReplyAct::Pause(SECOND * 900)],
        )
    }),
    common(case("closed", "/", "connection", |_, _| raw(0, Vec::new()))),
    common(case("closed-in-head", "/", "connection", |_, _| {
        raw(0, vec![send("HTTP/1.1 200 OK\r\nContent-Ty")])
    })),
    common(case("short-body", "/", "truncated", |_, _| {
        raw(
            200,
            vec![send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n<!DOCTYPE html><html><body><p>short",
            )],
        )
    })),
    common(case("cut-chunk", "/", "truncated", |_, _| {
        raw(
            200,
            vec![send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n<p>cut",
            )],
        )
    })),
    common(case("bad-chunk", "/", "protocol", |_, _| {
        raw(
            200,
            vec![send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>ab\r\nZZ\r\nnonsense\r\n",
            )],
        )
    })),
    common(case("double-length", "/", "protocol", |_, _| {
        raw(
            200,
            vec![send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\n<p>ab</p>",
            )],
        )
    })),
    common(case("negative-length", "/", "protocol", |_, _| {
        raw(
            200,
            vec![send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: -1\r\n\r\n<p>x</p>")],
        )
    })),
    common(case("bad-status", "/", "protocol", |_, _| {
        raw(0, vec![send("HTP/9.9 two hundred\r\n\r\n<p>x</p>")])
    })),
    common(case("no-status", "/", "protocol", |_, _| {
        raw(0, vec![send("<html><body>no head at all</body></html>")])
    })),
    common(case("nul-header", "/", "protocol", |_, _| {
        raw(200, vec![send(&b"HTTP/1.1 200 OK\r\nX-\0Bad: \0\r\nContent-Length: 2\r\n\r\nok"[..])])
    })),
    case("header-flood", "/", "headers-too-large", |_, _| {
        raw(
            200,
            vec![
                send("HTTP/1.1 200 OK\r\n"),
                repeat("X-Flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", 900_000),
                send("\r\n"),
            ],
        )
    }),
    common(case("many-headers", "/", "headers-too-large", |_, _| {
        raw(
            200,
            vec![
                send("HTTP/1.1 200 OK\r\n"),
                repeat("X-Many: a\r\n", 20_000),
                send("Content-Length: 0\r\n\r\n"),
            ],
        )
    })),
    case("long-header", "/", "headers-too-large", |_, _| {
        raw(
            200,
            vec![send("HTTP/1.1 200 OK\r\nX-Long: "), repeat("aaaaaaaaaaaaaaaa", 500_000), send("\r\n\r\n")],
        )
    }),
    case("informational-flood", "/", "protocol", |_, _| {
        raw(200, vec![repeat("HTTP/1.1 102 Processing\r\n\r\n", 10_000_000)])
    }),
    common(case(
        "retry-429",
        "/",
        "retry-later",
        |_, hit| if hit == 0 { unavailable(429, "1") } else { harmless() },
    )),
    common(case(
        "retry-503",
        "/",
        "retry-later",
        |_, hit| if hit == 0 { unavailable(503, "1") } else { harmless() },
    )),
    case("retry-503-long", "/", "retry-later", |_, _| unavailable(503, "86400")),
    case("retry-429-always", "/", "retry-later", |_, _| unavailable(429, "1")),
    case("retry-bad-date", "/", "retry-later", |_, _| unavailable(503, "Sun, 99 Nov 2099 99:99:99 GMT")),
    common(case("server-error", "/", "http-status", |_, _| SiteReply::new(500, "text/html", "<p>error</p>"))),
    robots(case("robots-loop", "/", "bounded", |request, _| match request.path() {
        "/robots.txt" => SiteReply::redirect(302, "http://robots-loop.hostile.test/robots.txt".to_owned()),
        _ => harmless(),
    })),
    robots(case("robots-closed", "/", "robots", |request, _| match request.path() {
        "/robots.txt" => raw(0, Vec::new()),
        _ => harmless(),
    })),
    robots(case("robots-429", "/", "robots", |request, _| match request.path() {
        "/robots.txt" => unavailable(429, "1"),
        _ => harmless(),
    })),
];
