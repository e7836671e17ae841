//! From the bytes of an answer to a page of results, or to the reason why there is none.

use super::engine::{EngineHit, EngineResponse, KeyPlace, ResultPage, WebEngine};
use super::fault::{EngineErrorClass, SearchEngineError};
use http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use url::Url;

/// Results of one answer that are looked at; no engine gives more.
const MOST_HITS: usize = 100;
/// Longest address of a result.
const LONGEST_URL: usize = 2_000;
/// Longest title that is kept, in characters.
const LONGEST_TITLE: usize = 300;
/// Of a page, so much is looked at for words that ask for a human.
const LOOKED_AT: usize = 64 * 1024;
/// Longest piece of an answer that is shown.
const LONGEST_QUOTE: usize = 160;
/// What pages say that want proof of a human.
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

/// Reads an answer.
pub(super) fn parse_response(
    engine: &dyn WebEngine,
    status: u16,
    headers: &HeaderMap,
    body: &[u8],
    now: Timestamp,
) -> Result<ResultPage, SearchEngineError> {
    let said = EngineResponse { status, headers, now };
    // A byte that is not UTF-8 in one title must not cost the other results.
    let text = String::from_utf8_lossy(body);
    let text = text.trim_start_matches('\u{feff}').trim();
    let parsed = serde_json::from_str::<Value>(text);
    let value = parsed.as_ref().unwrap_or(&Value::Null);
    // Whoever guards the door of an engine answers in its place, with any status.
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
                        "The answer is JSON, but not that of {}: \"{}\"; check the `url` of the engine",
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
            "The answer is empty; check the `url` of the engine",
        )),
        Err(error) if text.starts_with(['{', '[']) => Err(SearchEngineError::new(
            EngineErrorClass::Malformed,
            format!("The answer is damaged JSON ({error}); try again later"),
        )),
        Err(_) => Err(SearchEngineError::new(
            EngineErrorClass::NotJson,
            format!("The answer is not JSON: \"{}\"; check the `url` of the engine", quote_text(text)),
        )),
    }
}

/// What a status other than 200 means, when the engine has no words of its own for it.
fn refused(
    engine: &dyn WebEngine,
    said: &EngineResponse<'_>,
    text: &str,
    value: &Value,
) -> SearchEngineError {
    let (doc, status) = (engine.profile(), said.status);
    if (300..400).contains(&status) {
        let to = said.headers.get(http::header::LOCATION).and_then(|value| value.to_str().ok());
        // Without its parameters, among which may be the key.
        let to = to.map(|to| format!(" to {}", quote_text(to.split(['?', '#']).next().unwrap_or(to))));
        return SearchEngineError::new(
            EngineErrorClass::Moved,
            format!(
                "The address redirects{} (HTTP {status}); put the address where the engine is now into its `url`",
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
                    "it does not want to be asked from here: check who may use it in its own settings"
                }
                _ => "check its `key` and what the key may be used for",
            };
            SearchEngineError::new(
                EngineErrorClass::Key,
                format!("{} refused (HTTP {status}{told}); {next}", doc.title),
            )
        }
        402 => SearchEngineError::quota_exceeded(
            format!("{} wants to be paid (HTTP 402{told}); check the plan of the key", doc.title),
            None,
            said.now,
        ),
        429 | 503 => SearchEngineError::rate_limited(
            format!(
                "{} was asked too often (HTTP {status}{told}); it is left alone for a while, a lower `rate` helps",
                doc.title
            ),
            requested_wait(said),
            said.now,
        ),
        408 | 504 => SearchEngineError::new(
            EngineErrorClass::Timeout,
            format!("{} took too long itself (HTTP {status}{told}); try again later", doc.title),
        ),
        500..=599 => SearchEngineError::new(
            EngineErrorClass::Server,
            format!("{} has trouble of its own (HTTP {status}{told}); try again later", doc.title),
        ),
        404 | 405 | 410 => SearchEngineError::new(
            EngineErrorClass::NotConfigured,
            format!(
                "There is no {} at its address (HTTP {status}); check the `url` of the engine",
                doc.title
            ),
        ),
        _ => SearchEngineError::new(
            EngineErrorClass::Refused,
            format!(
                "{} did not accept the question (HTTP {status}{told}); use other words or `params`",
                doc.title
            ),
        ),
    }
}

/// How long the engine wants to be left alone.
pub(super) fn requested_wait(said: &EngineResponse<'_>) -> Option<SignedDuration> {
    let value = said.headers.get(http::header::RETRY_AFTER)?.to_str().ok()?;
    let wait = crate::fetch::politeness::parse_retry_after(value, said.now.into())?;
    SignedDuration::try_from(wait).ok()
}

/// The sentence of an error document, in the shapes that occur.
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
            "The engine wants proof of a human (a captcha) instead of answering; it is left alone for an hour, \
             then longer: use an interface with a key, or an instance of your own",
        );
    }
    SearchEngineError::new(
        EngineErrorClass::NotJson,
        "The engine answered with a web page instead of JSON; check that its `url` is that of its interface",
    )
}

/// Strangers' text on one line, short.
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

/// Results of an array, each with the names of its address and its title; what is no result keeps its rank.
pub(super) fn parse_hits(results: &[Value], url: &str, title: &str) -> Vec<Option<EngineHit>> {
    let text = |result: &Value, name: &str| result.get(name).and_then(Value::as_str).map(str::to_owned);
    results
        .iter()
        .take(MOST_HITS)
        .map(|result| parse_hit(&text(result, url)?, &text(result, title).unwrap_or_default()))
        .collect()
}

/// A result, if it is an address of the web.
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

/// A title without markup: engines mark the words they found, and some escape them.
fn plain(title: &str) -> String {
    // Clipped first, so that whatever stands there is read once only.
    let mut rest = title.char_indices().nth(8 * LONGEST_TITLE).map_or(title, |(end, _)| &title[..end]);
    let mut text = String::new();
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        text.push_str(before);
        // A tag begins with a letter or a slash; "a < b" is no tag.
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
