//! Data derived from captures: metadata (WAT), text (WET) and index lines (CDXJ).

use super::capture::Capture;
use super::markup;
use super::warc::{CAPTURED, split_url, status_reason};
use flate2::read::GzDecoder;
use serde_json::{Map, Value, json};
use std::io::Read as _;

/// Returns the body without its content encoding.
fn opened(capture: &Capture) -> Vec<u8> {
    if capture.header("content-encoding") == Some("gzip") {
        let mut open = Vec::new();
        if GzDecoder::new(&capture.body[..]).read_to_end(&mut open).is_ok() {
            return open;
        }
    }
    capture.body.to_vec()
}

fn page(capture: &Capture) -> Option<markup::MarkupSummary> {
    let html = capture.media_type() == "text/html" && capture.status < 300;
    html.then(|| {
        let text = markup::decode_body(&opened(capture), capture.header("content-type").unwrap_or_default());
        markup::parse_markup(&text)
    })
}

/// Renders the metadata of a capture in the format of Common Crawl.
pub(super) fn render_wat(capture: &Capture, file: &str, offset: u64) -> String {
    let headers: Map<String, Value> =
        capture.headers.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let mut response = json!({
        "Headers": headers,
        "Headers-Length": headers.len().to_string(),
        "Entity-Length": capture.body.len().to_string(),
        "Entity-Trailing-Slop-Length": "0",
        "Response-Message": {
            "Status": capture.status.to_string(), "Version": "HTTP/1.1", "Reason": status_reason(capture.status),
        },
    });
    if let Some(page) = page(capture) {
        let link = |link: &markup::MarkupLink| {
            let mut object = json!({"path": link.path, "url": link.url});
            if !link.text.is_empty() {
                object["text"] = json!(link.text);
            }
            object
        };
        let of = |path: &str| -> Vec<Value> {
            page.links.iter().filter(|link| link.path.starts_with(path)).map(link).collect()
        };
        let in_head =
            |link: &&markup::MarkupLink| link.path.starts_with("LINK") || link.path.starts_with("SCRIPT");
        let mut head = json!({"Title": page.title, "Link": of("LINK@"), "Scripts": of("SCRIPT@")});
        if let Some(base) = &page.base {
            head["Base"] = json!(base);
        }
        let links: Vec<Value> = page.links.iter().filter(|one| !in_head(one)).map(link).collect();
        response["HTML-Metadata"] = json!({"Head": head, "Links": links});
    }
    json!({
        "Container": {"Filename": file, "Compressed": true, "Offset": offset.to_string()},
        "Envelope": {
            "Format": "WARC",
            "WARC-Header-Metadata": {
                "WARC-Type": "response", "WARC-Date": CAPTURED, "WARC-Target-URI": capture.url,
                "Content-Type": "application/http; msgtype=response",
            },
            "Payload-Metadata": {
                "Actual-Content-Type": "application/http; msgtype=response",
                "HTTP-Response-Metadata": response,
            },
        },
    })
    .to_string()
}

/// Returns the text of a page.
pub(super) fn render_wet(capture: &Capture) -> Option<String> {
    let read = page(capture)?;
    let lines = std::iter::once(read.title.as_str()).chain(read.text.lines().map(str::trim));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    Some(lines.join("\n") + "\n")
}

/// Renders the index line of a capture.
pub(super) fn render_cdxj(capture: &Capture, (file, offset, length): (&str, u64, u64)) -> String {
    let fields = json!({
        "url": capture.url,
        "mime": capture.media_type(),
        "mime-detected": capture.media_type(),
        "status": capture.status.to_string(),
        "length": length.to_string(),
        "offset": offset.to_string(),
        "filename": file,
    });
    format!("{} 20260131120000 {fields}\n", surt_key(&capture.url))
}

/// Returns the sort key of indexes: `org,example)/path`.
pub(super) fn surt_key(url: &str) -> String {
    let (host, target) = split_url(url);
    let host = host.strip_prefix("www.").unwrap_or(host);
    let mut names: Vec<&str> = host.split('.').collect();
    names.reverse();
    format!("{}){}", names.join(","), target.to_ascii_lowercase())
}
