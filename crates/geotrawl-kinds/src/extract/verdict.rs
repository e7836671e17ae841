//! Detects pages that stand in for the requested page: login pages and firewall block pages.

use super::charset::{TextKind, decode_text};
use crate::probe::{ResponseClass, ResponseHead};
use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use std::sync::LazyLock;

/// Block pages are small, so longer pages are not searched for their marks.
const WALL_WORDS: u32 = 400;
const WALL_BYTES: usize = 96 * 1024;
/// A login page contains little else, unlike a portal with a login form in a corner.
const LOGIN_WORDS: u32 = 250;
const LOGIN_LINKS: usize = 60;

/// Text on challenge and block pages of firewalls, matched case-insensitively.
const WALL_MARKS: &[&str] = &[
    "_incapsula_resource",
    "attention required! | cloudflare",
    "aws-waf-token",
    "awswafcookiedomainlist",
    "captcha-delivery.com",
    "cdn-cgi/challenge-platform",
    "cf-browser-verification",
    "cf-challenge",
    "checking your browser before accessing",
    "checking if the site connection is secure",
    "ddos-guard",
    "enable javascript and cookies to continue",
    "incapsula incident id",
    "perimeterx",
    "px-captcha",
    "request rejected",
    "request unsuccessful. incapsula",
    "sorry, you have been blocked",
    "sucuri website firewall",
    "the requested url was rejected. please consult with your administrator",
    "this request was blocked by our security service",
    "verify you are human",
    "web application firewall",
    "you don't have permission to access this resource.</p><p>reference",
    "/_sec/cp_challenge/",
    "errors.edgesuite.net",
];

/// Words in the titles of login pages.
const LOGIN_TITLES: &[&str] = &[
    "log in",
    "login",
    "log on",
    "logon",
    "sign in",
    "signin",
    "anmeld",
    "connexion",
    "identification",
    "acceder",
    "iniciar sesi",
    "accesso",
    "inloggen",
    "logga in",
    "authentication",
    "authentification",
    "single sign",
    "zaloguj",
    "вход",
    "ログイン",
    "登录",
];

static WALL: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostFirst)
        .build(WALL_MARKS)
        .ok()
});

/// Facts about a page that the verdict depends on.
pub(super) struct PageSigns<'a> {
    /// Whether the page has a password field.
    pub password: bool,
    pub words: u32,
    pub links: usize,
    pub title: &'a str,
    pub source: &'a str,
}

/// Returns the verdict on a page. Cheap for ordinary pages, which have too many words for a block
/// page.
pub(super) fn verdict_of(head: &ResponseHead, signs: &PageSigns<'_>) -> ResponseClass {
    let small = signs.words <= WALL_WORDS && signs.source.len() <= WALL_BYTES;
    if small && WALL.as_ref().is_some_and(|wall| wall.is_match(signs.source)) {
        return ResponseClass::Blocked;
    }
    let named = || {
        let title = signs.title.to_lowercase();
        LOGIN_TITLES.iter().any(|word| title.contains(word))
    };
    let alone = signs.words <= LOGIN_WORDS && signs.links <= LOGIN_LINKS;
    if signs.password && (alone || head.status == 401 || named()) {
        return ResponseClass::Login;
    }
    ResponseClass::Page
}

/// Returns the verdict on an HTML page whose links are not needed: [`Verdict::Login`],
/// [`Verdict::Blocked`] or [`Verdict::Page`].
pub fn page_verdict(head: &ResponseHead, body: &[u8]) -> ResponseClass {
    let (source, _) = decode_text(head, body, TextKind::Html);
    super::html::judge_html(head, &source)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(html: &str) -> ResponseClass {
        page_verdict(&ResponseHead { status: 200, ..ResponseHead::default() }, html.as_bytes())
    }

    #[test]
    fn logins_and_walls_are_told_from_pages() {
        let prose = "word ".repeat(1000);
        for (html, expected) in [
            (
                "<title>Sign in</title><form><input name=u><input type=password></form>".to_owned(),
                ResponseClass::Login,
            ),
            ("<form><input TYPE='Password'></form>".to_owned(), ResponseClass::Login),
            (format!("<title>Portal</title><input type=password>{prose}"), ResponseClass::Page),
            (format!("<title>Portal Login</title><input type=password>{prose}"), ResponseClass::Login),
            (
                "<title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/h/b'></script>"
                    .to_owned(),
                ResponseClass::Blocked,
            ),
            (format!("an article about cf-challenge {prose}"), ResponseClass::Page),
            ("<p>hello".to_owned(), ResponseClass::Page),
            (String::new(), ResponseClass::Page),
        ] {
            assert_eq!(verdict(&html), expected, "{html:.80}");
        }
    }
}
