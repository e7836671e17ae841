//! Hostile redirects.

use super::{CaseForm, case, common, harmless};
use crate::reply::SiteReply;

fn to(location: &str) -> SiteReply {
    SiteReply::redirect(302, location.to_owned())
}

pub(super) static CASES: &[CaseForm] = &[
    common(case("redirect-self", "/", "redirect-loop", |_, _| to("http://redirect-self.hostile.test/"))),
    common(case("redirect-pair", "/a", "redirect-loop", |request, _| {
        to(if request.target == "/a" {
            "http://redirect-pair.hostile.test/b"
        } else {
            "http://redirect-pair.hostile.test/a"
        })
    })),
    case("redirect-hundred", "/0", "redirect-limit", |request, _| {
        let number: u32 = request.path().trim_start_matches('/').parse().unwrap_or(0);
        if number >= 100 { harmless() } else { to(&format!("/{}", number + 1)) }
    }),
    case("redirect-forever", "/", "redirect-limit", |request, _| {
        let number: u64 = request.query().get("n").and_then(|n| n.parse().ok()).unwrap_or(0);
        to(&format!("/?n={}", number.wrapping_add(1)))
    }),
    common(case("redirect-file", "/", "blocked", |_, _| to("file:///etc/passwd"))),
    common(case("redirect-data", "/", "blocked", |_, _| to("data:text/html,<p>x</p>"))),
    common(case("redirect-ftp", "/", "blocked", |_, _| to("ftp://ftp.hostile.test/x.zip"))),
    common(case("redirect-nowhere", "/", "protocol", |_, _| {
        let mut reply = to("/");
        reply.headers.clear();
        reply
    })),
    common(case("redirect-garbage", "/", "protocol", |_, _| to("http://[::bad::]:99999/%%%"))),
    case("redirect-metadata", "/", "blocked", |_, _| to("http://169.254.169.254/latest/meta-data/")),
    case("redirect-loopback", "/", "blocked", |_, _| to("http://127.0.0.1:1/admin")),
    case("redirect-credentials", "/", "ok", |request, _| {
        if request.target == "/" {
            to("http://user:secret@redirect-credentials.hostile.test/in")
        } else {
            harmless()
        }
    }),
    common(case("redirect-long", "/", "bounded", |request, _| {
        if request.target == "/" { to(&format!("/{}", "x".repeat(20_000))) } else { harmless() }
    })),
];
