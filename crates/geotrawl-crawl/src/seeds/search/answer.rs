//! Parses an engine's response into a page of results, or into the reason why there is none.

use super::engine::{EngineHit, EngineResponse, KeyPlace, ResultPage, WebEngine};
use super::fault::{EngineErrorClass, SearchEngineError};
use http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use url::Url;

/// Most results used per response; no engine returns more.
const MOST_HITS: usize = 100;
/// Longest address of a result; longer ones are ignored.
const LONGEST_URL: usize = 2_000;
/// Longest title, in characters; longer ones are truncated.
const LONGEST_TITLE: usize = 300;
/// How much of a page is searched for signs of a CAPTCHA, in characters.
const LOOKED_AT: usize = 64 * 1024;
/// Longest quotation of a response, in characters.
const LONGEST_QUOTE: usize = 160;
/// Phrases on pages that ask the visitor to prove that they are human.
const HUMAN: &[&str] = &[
    "captcha",
    "are you a robot",
    "not a robot",
    "unusual traffic",
    "verify you are human",
    "verifying you are human",
    "checking your browser",
    "cf-chl",
    "challenge-platform",
    "turnstile",
    "anubis",
    "bot detection",
];

/// Parses a response.
pub(super) fn parse_response(
    engine: &dyn WebEngine,
    status: u16,
    headers: &HeaderMap,
    body: &[u8],
    now: Timestamp,
) -> Result<ResultPage, SearchEngineError> {
    let said = EngineResponse { status, headers, now };
    // Decode lossily: an invalid byte in one title must not cost the other results.
    let text = String::from_utf8_lossy(body);
    let text = text.trim_start_matches('\u{feff}').trim();
    let parsed = serde_json::from_str::<Value>(text);
    let value = parsed.as_ref().unwrap_or(&Value::Null);
    // Bot protection in front of an engine answers in its place, with any status.
    if parsed.is_err() && is_page(headers, text) && asks_for_a_human(text) {
        return Err(of_page(text));
    }
    if let Some(fault) = engine.parse_refusal(&said, value) {
        return Err(fault);
    }
    if status != 200 {
        return Err(refused(engine, &said, text, value));
    }
    match parsed {
        Ok(value) => {
            let mut page = engine.parse_page(&value).ok_or_else(|| {
                let doc = engine.profile();
                SearchEngineError::new(
                    EngineErrorClass::Shape,
                    format!(
                        "The response is JSON, but not from {}: \"{}\"; check the `url` of the engine",
                        doc.title,
                        quote_text(text)
                    ),
                )
            })?;
            page.hits.truncate(MOST_HITS);
            Ok(page)
        }
        Err(_) if is_page(headers, text) => Err(of_page(text)),
        Err(_) if text.is_empty() => Err(SearchEngineError::new(
            EngineErrorClass::NotJson,
            "The response is empty; check the `url` of the engine",
        )),
        Err(error) if text.starts_with(['{', '[']) => Err(SearchEngineError::new(
            EngineErrorClass::Malformed,
            format!("The response is malformed JSON ({error}); try again later"),
        )),
        Err(_) => Err(SearchEngineError::new(
            EngineErrorClass::NotJson,
            format!("The response is not JSON: \"{}\"; check the `url` of the engine", quote_text(text)),
        )),
    }
}

/// Explains a status other than 200 that the engine does not explain itself.
fn refused(
    engine: &dyn WebEngine,
    said: &EngineResponse<'_>,
    text: &str,
    value: &Value,
) -> SearchEngineError {
    let (doc, status) = (engine.profile(), said.status);
    if (300..400).contains(&status) {
        let to = said.headers.get(http::header::LOCATION).and_then(|value| value.to_str().ok());
        // Drop the parameters, which may contain the key.
        let to = to.map(|to| format!(" to {}", quote_text(to.split(['?', '#']).next().unwrap_or(to))));
        return SearchEngineError::new(
            EngineErrorClass::Moved,
            format!(
                "The address redirects{} (HTTP {status}); set `url` to the current address of the engine",
                to.unwrap_or_default()
            ),
        );
    }
    let told = error_message(value).unwrap_or_else(|| if is_page(said.headers, text) { "" } else { text });
    let told = if told.is_empty() { String::new() } else { format!(": \"{}\"", quote_text(told)) };
    match status {
        401 | 403 | 407 => {
            let next = match doc.key {
                KeyPlace::None => {
                    "requests from here are not allowed: check its own settings for who may use it"
                }
                _ => "check its `key` and what the key may be used for",
            };
            SearchEngineError::new(
                EngineErrorClass::Key,
                format!("{} denied access (HTTP {status}{told}); {next}", doc.title),
            )
        }
        402 => SearchEngineError::quota_exceeded(
            format!("{} requires payment (HTTP 402{told}); check the plan of the key", doc.title),
            None,
            said.now,
        ),
        429 | 503 => SearchEngineError::rate_limited(
            format!(
                "{} got too many requests (HTTP {status}{told}) and is paused for a while; a lower `rate` helps",
                doc.title
            ),
            requested_wait(said),
            said.now,
        ),
        408 | 504 => SearchEngineError::new(
            EngineErrorClass::Timeout,
            format!("{} timed out internally (HTTP {status}{told}); try again later", doc.title),
        ),
        500..=599 => SearchEngineError::new(
            EngineErrorClass::Server,
            format!("{} has an internal error (HTTP {status}{told}); try again later", doc.title),
        ),
        404 | 405 | 410 => SearchEngineError::new(
            EngineErrorClass::NotConfigured,
            format!(
                "{} was not found at its address (HTTP {status}); check the `url` of the engine",
                doc.title
            ),
        ),
        _ => SearchEngineError::new(
            EngineErrorClass::Refused,
            format!("{} rejected the query (HTTP {status}{told}); use other words or `params`", doc.title),
        ),
    }
}

/// Returns how long the engine asks clients to wait.
pub(super) fn requested_wait(said: &EngineResponse<'_>) -> Option<SignedDuration> {
    let value = said.headers.get(http::header::RETRY_AFTER)?.to_str().ok()?;
    let wait = crate::fetch::politeness::parse_retry_after(value, said.now.into())?;
    SignedDuration::try_from(wait).ok()
}

/// Returns the message of an error document in any of the known structures.
pub(super) fn error_message(body: &Value) -> Option<&str> {
    ["/error/message", "/error/detail", "/error", "/message", "/detail", "/response/status"]
        .iter()
        .find_map(|path| body.pointer(path).and_then(Value::as_str))
        .filter(|text| !text.trim().is_empty())
}

fn is_page(headers: &HeaderMap, text: &str) -> bool {
    let content_type = headers.get(http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    text.starts_with('<')
        || (content_type.is_some_and(|told| told.contains("html")) && !text.starts_with('{'))
}

fn asks_for_a_human(text: &str) -> bool {
    let start = text.char_indices().nth(LOOKED_AT).map_or(text, |(end, _)| &text[..end]);
    let start = start.to_ascii_lowercase();
    HUMAN.iter().any(|words| start.contains(words))
}

fn of_page(text: &str) -> SearchEngineError {
    if asks_for_a_human(text) {
        return SearchEngineError::captcha_required(
            "The engine answered with a CAPTCHA instead of results and is paused for an hour, then for \
             longer; use an API with a key, or your own instance",
        );
    }
    SearchEngineError::new(
        EngineErrorClass::NotJson,
        "The engine answered with a web page instead of JSON; check that its `url` is the address of its API",
    )
}

/// Shortens untrusted text to one line for quotation.
pub(super) fn quote_text(text: &str) -> String {
    let mut short: String = text
        .chars()
        .map(|c| if c.is_control() || c == '"' { ' ' } else { c })
        .take(LONGEST_QUOTE + 1)
        .collect();
    if short.chars().count() > LONGEST_QUOTE {
        short = short.chars().take(LONGEST_QUOTE - 1).collect();
        short.push('…');
    }
    short.trim().to_owned()
}

/// Parses an array of results, given the member names of address and title. A result without a
/// valid address becomes `None`, so that it keeps its rank.
pub(super) fn parse_hits(results: &[Value], url: &str, title: &str) -> Vec<Option<EngineHit>> {
    let text = |result: &Value, name: &str| result.get(name).and_then(Value::as_str).map(str::to_owned);
    results
        .iter()
        .take(MOST_HITS)
        .map(|result| parse_hit(&text(result, url)?, &text(result, title).unwrap_or_default()))
        .collect()
}

/// Returns a result if `address` is a web address.
pub(super) fn parse_hit(address: &str, title: &str) -> Option<EngineHit> {
    let address = address.trim();
    if address.len() > LONGEST_URL {
        return None;
    }
    let url = Url::parse(address).ok()?;
    let named = url.host_str().is_some_and(|host| host.contains('.') || host.starts_with('['));
    if !matches!(url.scheme(), "http" | "https") || !named {
        return None;
    }
    Some(EngineHit { url: url.into(), title: plain(title) })
}

/// Strips markup from a title: engines highlight matched words, and some escape the tags.
fn plain(title: &str) -> String {
    // Truncate first, so that the work per title is bounded.
    let mut rest = title.char_indices().nth(8 * LONGEST_TITLE).map_or(title, |(end, _)| &title[..end]);
    let mut text = String::new();
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        text.push_str(before);
        // A tag starts with a letter or a slash, unlike the `<` in "a < b".
        let is_tag = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        if let Some(end) = tag.find('>').filter(|_| is_tag) {
            rest = &tag[end + 1..];
        } else {
            text.push('<');
            rest = &tag[1..];
        }
    }
    text.push_str(rest);
    for (entity, meant) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")]
    {
        if text.contains(entity) {
            text = text.replace(entity, meant);
        }
    }
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let mut plain = String::new();
    for word in words {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    plain.chars().take(LONGEST_TITLE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_lose_their_markup_and_keep_their_words() {
        assert_eq!(plain("<strong>WMS</strong> &amp;\n WFS  &lt;Berlin&gt;"), "WMS & WFS <Berlin>");
        assert_eq!(plain("a < b and <unfinished"), "a < b and <unfinished");
        assert_eq!(plain(&"<".repeat(100_000)).len(), LONGEST_TITLE);
        assert_eq!(plain("&amp;lt;"), "&lt;");
    }

    #[test]
    fn only_addresses_of_the_web_are_results() {
        for bad in
            ["", "ftp://a.example/", "/relative", "javascript:alert(1)", "http://localhost/", "a.example"]
        {
            assert_eq!(parse_hit(bad, "x"), None, "{bad}");
        }
        assert_eq!(parse_hit(&format!("http://a.example/{}", "a".repeat(3_000)), ""), None);
        assert_eq!(parse_hit(" https://a.example ", "").unwrap().url, "https://a.example/");
    }
}
