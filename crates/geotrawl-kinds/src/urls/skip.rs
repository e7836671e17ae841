//! URLs that are never worth fetching as a page, with the reason.

use super::file_hint::{FileType, extension_of, file_type};
use super::filter::NameFilter;
use super::query::{is_listed, query_pairs, with_lowercase};
use super::skip_hosts::{HostClass, host_class};
use url::Url;

/// Extensions of files without links and geodata, by reason. Each list is sorted.
const EXTENSIONS: &[(&str, &[&str])] = &[
    (
        "an image",
        &[
            "apng", "avif", "bmp", "cur", "emf", "eps", "gif", "heic", "ico", "jfif", "jpe", "jpeg", "jpg",
            "pcx", "png", "psd", "svg", "svgz", "tga", "webp", "wmf", "xcf",
        ],
    ),
    (
        "audio or video",
        &[
            "3gp", "aac", "aif", "aiff", "asf", "avi", "flac", "flv", "m3u", "m3u8", "m4a", "m4v", "mid",
            "midi", "mkv", "mov", "mp2", "mp3", "mp4", "mpeg", "mpg", "oga", "ogg", "ogv", "opus", "ra",
            "ram", "rm", "srt", "swf", "ts", "vob", "vtt", "wav", "webm", "wma", "wmv",
        ],
    ),
    ("a font", &["eot", "otf", "ttf", "woff", "woff2"]),
    ("a style sheet or script", &["css", "js", "jsm", "less", "map", "mjs", "sass", "scss", "tsx", "wasm"]),
    (
        "an office document",
        &[
            "doc", "docm", "docx", "dot", "dotx", "epub", "indd", "mdb", "mobi", "mpp", "numbers", "odg",
            "odp", "ods", "odt", "pdf", "pot", "potx", "pps", "ppsx", "ppt", "pptm", "pptx", "ps", "pub",
            "rtf", "tex", "vsd", "vsdx", "xls", "xlsb", "xlsm", "xlsx", "xps",
        ],
    ),
    (
        "an archive or program",
        &[
            "7z", "apk", "appimage", "bin", "bz2", "cab", "class", "deb", "dll", "dmg", "ear", "exe", "gz",
            "img", "ipa", "iso", "jar", "lha", "lz", "lzma", "msi", "msix", "pkg", "rar", "rpm", "tar",
            "tbz", "tbz2", "tgz", "txz", "war", "whl", "xpi", "xz", "z", "zst",
        ],
    ),
    ("a calendar or contact entry", &["ical", "icalendar", "ics", "ifb", "vcard", "vcf", "vcs"]),
    (
        "a torrent, signature or checksum",
        &["asc", "md5", "p7s", "sha1", "sha256", "sha512", "sig", "torrent"],
    ),
];

/// Extensions that servers also use for programs. Sorted.
const SERVER_PROGRAMS: &[&str] = &["dll", "exe", "map", "ts"];

/// Path segments of login, account and shopping pages. Sorted.
#[rustfmt::skip]
const DOORS: &[&str] = &[
    "add-to-cart", "basket", "cart", "checkout", "forgot-password", "lizenzwarenkorb", "log-in", "log-out",
    "login", "login.aspx", "login.jsp", "login.php", "logoff", "logon", "logout", "lost-password",
    "my-account", "oauth", "password-reset", "recover-password", "register", "registration",
    "reset-password", "sign-in", "sign-out", "sign-up", "signin", "signout", "signup", "sso", "warenkorb",
    "wishlist", "wp-admin", "wp-json", "wp-login.php", "xmlrpc.php",
];

/// Parameters that trigger an action or show another view of the same page. Sorted.
#[rustfmt::skip]
const ACTIONS: &[&str] = &[
    "add-to-cart", "add_to_cart", "diff", "oldid", "replytocom", "share", "veaction",
];

/// Returns the reason why a URL is never worth fetching as a page, or `None` if it may be.
pub fn skip_reason(url: &Url) -> Option<&'static str> {
    if !matches!(url.scheme(), "http" | "https") {
        return Some("not a web address");
    }
    let class = host_class(url.host_str().unwrap_or_default());
    class.map(reason_of).or_else(|| page_skip_reason(url, file_type(url)))
}

/// Like [`skip_reason`], for a host that has already been checked and a known file type.
pub(super) fn page_skip_reason(url: &Url, file: Option<FileType>) -> Option<&'static str> {
    let host = url.host_str().unwrap_or_default();
    let path = url.path();
    if is_w3c_namespace(host, path) {
        return Some(reason_of(HostClass::Namespace));
    }
    if let Some(extension) = extension_of(path)
        && let Some(reason) = by_extension(extension, url)
    {
        return Some(reason);
    }
    if file.is_some_and(|f| f.kind.is_none()) {
        return Some("a data file of a format that is not read yet");
    }
    if memchr::memchr(b'%', url.as_str().as_bytes()).is_some() {
        if path.contains("%3C") {
            return Some("the URL contains markup");
        }
        if is_template(url) {
            return Some("a URL template");
        }
    }
    if has_door(path) {
        return Some("a login, account or shopping page");
    }
    url.query().and_then(skip_by_query)
}

/// Returns whether a path segment is one of [`DOORS`].
fn has_door(path: &str) -> bool {
    path.as_bytes()
        .split(|b| *b == b'/')
        .filter(|segment| DOOR_FILTER.may_contain(segment))
        .any(|segment| std::str::from_utf8(segment).is_ok_and(|s| with_lowercase(s, |s| is_listed(DOORS, s))))
}

fn reason_of(class: HostClass) -> &'static str {
    match class {
        HostClass::Social => "a social network or sharing site",
        HostClass::Advertising => "advertising or analytics",
        HostClass::Assets => "a host of scripts, fonts or styles",
        HostClass::Shop => "a shop or app store",
        HostClass::Namespace => "a namespace, not a page",
    }
}

static EXTENSION_FILTER: NameFilter = {
    let mut filter = NameFilter::empty();
    let mut at = 0;
    while at < EXTENSIONS.len() {
        filter = filter.with_names(EXTENSIONS[at].1);
        at += 1;
    }
    filter
};
static DOOR_FILTER: NameFilter = NameFilter::from_names(DOORS);

fn by_extension(extension: &str, url: &Url) -> Option<&'static str> {
    if !EXTENSION_FILTER.may_contain(extension.as_bytes()) {
        return None;
    }
    with_lowercase(extension, |extension| {
        // `mapserv.exe?map=...` is a server program, `setup.exe` is not.
        if url.query().is_some() && is_listed(SERVER_PROGRAMS, extension) {
            return None;
        }
        EXTENSIONS.iter().find(|(_, list)| is_listed(list, extension)).map(|(reason, _)| *reason)
    })
}

/// Returns whether the URL is an XML namespace of the W3C, like `http://www.w3.org/1999/xlink`:
/// they occur in every document and lead nowhere.
fn is_w3c_namespace(host: &str, path: &str) -> bool {
    matches!(host, "www.w3.org" | "w3.org")
        && path.get(1..5).is_some_and(|year| year.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns whether the URL is a template such as `/tiles/{z}/{x}/{y}`, in the parser's encoding. A
/// JSON value in a parameter is not a template.
fn is_template(url: &Url) -> bool {
    let text = url.as_str();
    text.match_indices("%7B").any(|(at, _)| {
        let inside = text.get(at + 3..).unwrap_or_default();
        inside.find("%7D").is_some_and(|end| {
            end > 0
                && end <= 24
                && inside.get(..end).is_some_and(|name| {
                    name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.$".contains(&b))
                })
        })
    })
}

fn skip_by_query(query: &str) -> Option<&'static str> {
    query_pairs(query).find_map(|pair| {
        with_lowercase(pair.key, |key| {
            let action = is_listed(ACTIONS, key)
                || (key == "action"
                    && with_lowercase(pair.value, |v| {
                        matches!(
                            v,
                            "edit"
                                | "history"
                                | "login"
                                | "logout"
                                | "register"
                                | "lostpassword"
                                | "raw"
                                | "info"
                                | "delete"
                                | "print"
                        )
                    }))
                || (key == "do"
                    && with_lowercase(pair.value, |v| {
                        matches!(
                            v,
                            "edit"
                                | "login"
                                | "logout"
                                | "revisions"
                                | "diff"
                                | "media"
                                | "recent"
                                | "backlink"
                        )
                    }));
            action.then_some("an action, not a page")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in EXTENSIONS.iter().map(|(_, list)| *list).chain([SERVER_PROGRAMS, DOORS, ACTIONS]) {
            let mut sorted = table.to_vec();
            sorted.sort_unstable();
            assert_eq!(table, sorted);
        }
    }

    #[test]
    fn what_is_not_worth_fetching_has_a_reason() {
        for (url, reason) in [
            ("https://x.org/a.PNG", "an image"),
            ("https://x.org/a.mp4?t=1", "audio or video"),
            ("https://x.org/a.css", "a style sheet or script"),
            ("https://x.org/a.pdf", "an office document"),
            ("https://x.org/setup.exe", "an archive or program"),
            ("https://x.org/a.tar.gz", "an archive or program"),
            ("https://x.org/a.dwg", "a data file of a format that is not read yet"),
            ("https://www.facebook.com/x", "a social network or sharing site"),
            ("https://www.w3.org/1999/xlink", "a namespace, not a page"),
            ("https://x.org/user/login?next=/", "a login, account or shopping page"),
            ("https://x.org/w/index.php?title=A&action=edit", "an action, not a page"),
            ("https://x.org/tiles/{z}/{x}/{y}", "a URL template"),
            ("ftp://x.org/a", "not a web address"),
        ] {
            assert_eq!(skip_reason(&Url::parse(url).unwrap()), Some(reason), "{url}");
        }
        for url in [
            "https://x.org/",
            "https://x.org/a.html",
            "https://x.org/data.xml",
            "https://x.org/a.json",
            "https://x.org/cgi-bin/mapserv.exe?map=a",
            "https://x.org/blog/login-problems",
            "https://www.w3.org/TR/geolocation/",
        ] {
            assert_eq!(skip_reason(&Url::parse(url).unwrap()), None, "{url}");
        }
    }
}
