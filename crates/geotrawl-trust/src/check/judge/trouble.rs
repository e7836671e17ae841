//! Answers that are wrong whatever was requested: errors, logins, firewalls, pages.

use super::{JudgedAnswer, ObservedAnswer, short};
use geotrawl_kinds::formats::dap::DapText;
use geotrawl_kinds::formats::xml::charset_parameter;
use geotrawl_kinds::kinds;
use geotrawl_kinds::probe::{is_firewall, is_login, may_be_exception, read_exception};
use geotrawl_kinds::sniff::{SniffedType, sniff_type};
use geotrawl_model::Outcome;
use serde_json::Value;

/// Maximum size of an error report; a longer document with status 200 is none.
const REPORT: usize = 64 << 10;
/// Maximum size of a text that only consists of a message.
const MESSAGE: usize = 400;
/// How much of a text is searched.
const LOOK: usize = 4 << 10;

/// Phrases that demand a key, in lower case.
const KEYS: &[&str] = &[
    "api key",
    "apikey",
    "api_key",
    "api-key",
    "subscription key",
    "access token",
    "access_token",
    "token required",
    "missing token",
    "invalid token",
    "no token",
    "authkey",
    "auth key",
    "authentication token",
];
/// Phrases that demand a login.
const LOGINS: &[&str] = &[
    "unauthorized",
    "unauthorised",
    "not authorized",
    "not authorised",
    "authentication required",
    "log in",
    "login required",
    "please login",
    "not authenticated",
    "authentication credentials",
];
/// Parts of the addresses of login pages.
const LOGIN_PATHS: &[&str] = &[
    "/login",
    "/signin",
    "/sign-in",
    "/oauth",
    "/saml",
    "/sso/",
    "/adfs/",
    "/auth/realms/",
    "openid-connect/auth",
    "/authorize?",
    "/cas/login",
    "/idp/",
];
/// Headers of firewalls: name and part of the value.
const FIREWALL_HEADERS: &[(&str, &str)] = &[
    ("cf-mitigated", "challenge"),
    ("x-sucuri-block", ""),
    ("x-datadome", ""),
    ("x-amzn-waf-action", ""),
    ("x-iinfo", ""),
];
/// Titles of placeholder and error pages.
const SOFT_404: &[&str] = &[
    "404",
    "not found",
    "page introuvable",
    "seite nicht gefunden",
    "no encontrada",
    "non trovata",
    "does not exist",
];
const PARKED: &[&str] = &[
    "domain is for sale",
    "buy this domain",
    "domain for sale",
    "parked free",
    "this domain is parked",
    "sedoparking",
    "domain has expired",
    "welcome to nginx",
    "apache2 ubuntu default page",
    "iis windows server",
    "it works!",
];

/// Detects the trouble with an answer; `None` if it may be what was requested.
pub fn detect_trouble(answer: &ObservedAnswer<'_>) -> Option<JudgedAnswer> {
    let sniffed = sniff_type(answer.bytes, answer.content_type);
    let report = answer.status >= 400 || answer.bytes.len() <= REPORT;
    match &sniffed {
        SniffedType::Xml(root) if may_be_exception(root) => {
            let charset = answer.content_type.and_then(charset_parameter);
            if let Some(exception) = read_exception(&mut &*answer.bytes, charset) {
                return Some(said(answer, &exception.message()));
            }
        }
        SniffedType::Json if report => {
            if let Some(judged) = json(answer) {
                return Some(judged);
            }
        }
        SniffedType::Html => return Some(page(answer)),
        SniffedType::Text | SniffedType::Binary if report => {
            let text = String::from_utf8_lossy(&answer.bytes[..answer.bytes.len().min(LOOK)]);
            if DapText::detect(&text) == Some(DapText::Error) {
                return Some(said(answer, &text));
            }
            // Longer texts are data that may mention anything; so are pieces of files.
            let asks = sniffed == SniffedType::Text && answer.bytes.len() <= MESSAGE;
            if answer.status == 200
                && asks
                && !text.contains('{')
                && let Some(demand) = demanded(&text)
            {
                return Some(JudgedAnswer::new(demand, format!("A text: {}", short(&text, 160))));
            }
        }
        _ => {}
    }
    by_status(answer, &sniffed)
}

/// Judges a faultless document that is not what was requested.
pub fn judge_other_document(answer: &ObservedAnswer<'_>, kind: &str) -> JudgedAnswer {
    match sniff_type(answer.bytes, answer.content_type) {
        SniffedType::Empty => {
            JudgedAnswer::new(Outcome::WrongContent, format!("{}An empty answer", prefix(answer.status)))
        }
        SniffedType::Xml(root)
            if kinds::claiming_kind(&root).is_some_and(|(of, _)| of.profile().id == kind) =>
        {
            JudgedAnswer::new(
                Outcome::Malformed,
                format!("A document with the right root ({}) that breaks off before any content", root.local),
            )
        }
        SniffedType::Html => page(answer),
        SniffedType::Json => match serde_json::from_slice::<Value>(answer.bytes) {
            Err(error) if !answer.truncated && answer.bytes.len() < REPORT => JudgedAnswer::new(
                Outcome::Malformed,
                format!("Broken JSON: {}", short(&error.to_string(), 120)),
            ),
            _ => JudgedAnswer::new(Outcome::WrongContent, "A JSON document of another type"),
        },
        sniffed => JudgedAnswer::new(
            Outcome::WrongContent,
            format!("{} instead", describe_bytes(&sniffed, answer.bytes)),
        ),
    }
}

/// Describes bytes in words, with an article.
pub fn describe_bytes(sniffed: &SniffedType, bytes: &[u8]) -> String {
    match sniffed {
        SniffedType::Html => "A web page".to_owned(),
        SniffedType::Xml(root) => format!("An XML document with the root {}", short(&root.local, 60)),
        SniffedType::Json => "A JSON document".to_owned(),
        SniffedType::Image => {
            format!("A picture ({})", super::image::picture_format(bytes).unwrap_or("another format"))
        }
        SniffedType::Text => {
            format!("A text ({})", short(&String::from_utf8_lossy(&bytes[..bytes.len().min(LOOK)]), 80))
        }
        SniffedType::Empty => "An empty answer".to_owned(),
        SniffedType::Zip => "A ZIP archive".to_owned(),
        SniffedType::Gzip => "A gzip archive".to_owned(),
        SniffedType::Pdf => "A PDF".to_owned(),
        SniffedType::ShpHeader | SniffedType::Data => "A data file".to_owned(),
        SniffedType::Binary => "An unknown format".to_owned(),
    }
}

fn prefix(status: u16) -> String {
    if status == 200 { String::new() } else { format!("Status {status}: ") }
}

/// Returns whether a text demands a login or a key.
fn demanded(text: &str) -> Option<Outcome> {
    let lower = text.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has(KEYS) {
        Some(Outcome::Key)
    } else if has(LOGINS) {
        Some(Outcome::Login)
    } else {
        None
    }
}

/// Judges an error report; its text decides whether it demands a login or a key.
fn said(answer: &ObservedAnswer<'_>, message: &str) -> JudgedAnswer {
    let told = format!("{}An error report: {}", prefix(answer.status), short(message, 200));
    let outcome = match (answer.status, demanded(message)) {
        (401 | 407, demand) => demand.unwrap_or(Outcome::Login),
        (_, Some(demand)) => demand,
        (429, None) => Outcome::RateLimited,
        _ => Outcome::Exception,
    };
    JudgedAnswer::new(outcome, told)
}

/// Judges a JSON document that reports an error.
fn json(answer: &ObservedAnswer<'_>) -> Option<JudgedAnswer> {
    let root: Value = serde_json::from_slice(answer.bytes).ok()?;
    let members = root.as_object()?;
    let text = |pointer: &str| root.pointer(pointer).and_then(Value::as_str);
    // ArcGIS sends status 200 and the real status in the document.
    if members.len() <= 4
        && let Some(error) = members.get("error").and_then(Value::as_object)
        && let Some(code) = error.get("code").and_then(Value::as_i64)
    {
        let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
        let told = format!("{}Error {code}: {}", prefix(answer.status), short(message, 200));
        let outcome = match code {
            498 | 499 => Outcome::Key,
            401 => Outcome::Login,
            403 => demanded(message).unwrap_or(Outcome::Forbidden),
            404 => Outcome::Gone,
            429 => Outcome::RateLimited,
            _ => demanded(message).unwrap_or(Outcome::Exception),
        };
        return Some(JudgedAnswer::new(outcome, told));
    }
    let failed = root.get("success") == Some(&Value::Bool(false));
    if answer.status < 400 && !failed {
        let alone = members.len() <= 3 && members.values().all(|value| !value.is_array());
        let message = text("/message").or_else(|| text("/error")).or_else(|| text("/detail"))?;
        return demanded(message)
            .filter(|_| alone)
            .map(|demand| JudgedAnswer::new(demand, format!("A message: {}", short(message, 200))));
    }
    const REASONS: &[&str] = &[
        "/description",
        "/detail",
        "/message",
        "/error/message",
        "/title",
        "/error_description",
        "/error",
        "/msg",
        "/error/__type",
        "/statusText",
    ];
    let Some(reason) = REASONS.iter().find_map(|pointer| text(pointer)) else {
        // Details about single parameters come from the framework, not from the protocol.
        let told = reasons(&root)?;
        let judged = by_status(answer, &SniffedType::Json)?;
        return Some(JudgedAnswer::new(judged.outcome, format!("{}: {}", judged.seen, short(&told, 200))));
    };
    // A rejection by a gateway is not an error report of the protocol.
    if matches!(answer.status, 401 | 403 | 407 | 429 | 502..=504) && !failed {
        let demand = demanded(reason);
        let outcome = match (answer.status, demand) {
            (429, _) => Outcome::RateLimited,
            (503, _) if answer.headers.contains_key("retry-after") => Outcome::RateLimited,
            (502..=504, _) => Outcome::ServerError,
            (_, Some(demand)) => demand,
            (403, None) => Outcome::Forbidden,
            (_, None) => Outcome::Login,
        };
        return Some(JudgedAnswer::new(outcome, format!("{}{}", prefix(answer.status), short(reason, 200))));
    }
    Some(said(answer, reason))
}

/// Returns the messages of a list of errors (`detail` of FastAPI and the like, each with a
/// location).
fn reasons(root: &Value) -> Option<String> {
    let list = root.get("detail").or_else(|| root.get("errors"))?.as_array()?;
    let message = |error: &Value| {
        let text = ["msg", "message", "detail"].iter().find_map(|name| error.get(name)?.as_str())?;
        let place = error.get("loc").and_then(Value::as_array).and_then(|loc| loc.last()?.as_str());
        Some(place.map_or_else(|| text.to_owned(), |place| format!("{place}: {text}")))
    };
    let told: Vec<String> = list.iter().take(4).filter_map(message).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// Judges an HTML page by its origin and purpose.
fn page(answer: &ObservedAnswer<'_>) -> JudgedAnswer {
    let title = title_of(answer.bytes);
    let shown = title.as_deref().map(|title| format!(" ({})", short(title, 80))).unwrap_or_default();
    let prefix = prefix(answer.status);
    if is_firewall(answer.bytes) || by_header(answer) {
        return JudgedAnswer::new(Outcome::Firewall, format!("{prefix}A page of a firewall{shown}"));
    }
    let sent = answer.redirects.iter().map(|(_, to)| to.as_str()).chain([answer.url.as_str()]);
    let sent_to_login = answer.asked != answer.url
        && sent.map(str::to_ascii_lowercase).any(|to| LOGIN_PATHS.iter().any(|path| to.contains(path)));
    if answer.status < 500
        && !matches!(answer.status, 404 | 410 | 429)
        && (is_login(answer.bytes) || sent_to_login)
    {
        return JudgedAnswer::new(Outcome::Login, format!("{prefix}A login page{shown}"));
    }
    if let Some(judged) = by_status(answer, &SniffedType::Html) {
        return judged;
    }
    let lower = String::from_utf8_lossy(&answer.bytes[..answer.bytes.len().min(LOOK)]).to_lowercase();
    let titled = title.unwrap_or_default().to_lowercase();
    let what = if SOFT_404.iter().any(|mark| titled.contains(mark)) {
        "A \"not found\" page with status 200"
    } else if PARKED.iter().any(|mark| lower.contains(mark)) {
        "A placeholder page of a host"
    } else {
        "A web page"
    };
    JudgedAnswer::new(Outcome::Page, format!("{prefix}{what}{shown}"))
}

fn by_header(answer: &ObservedAnswer<'_>) -> bool {
    let refused = matches!(answer.status, 403 | 406 | 429 | 503);
    FIREWALL_HEADERS.iter().any(|(name, part)| {
        (refused || *name == "cf-mitigated")
            && answer.headers.get(*name).is_some_and(|value| value.contains(part))
    })
}

/// Returns the title of a page.
fn title_of(page: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&page[..page.len().min(REPORT)]);
    // Only ASCII letters are converted, so that positions stay valid.
    let lower = text.to_ascii_lowercase();
    let start = lower.find("<title")?;
    let start = start + lower[start..].find('>')? + 1;
    let end = start + lower[start..].find("</title")?;
    Some(short(&text[start..end], 120)).filter(|title| !title.is_empty())
}

/// Judges an answer by its status alone.
fn by_status(answer: &ObservedAnswer<'_>, sniffed: &SniffedType) -> Option<JudgedAnswer> {
    let status = answer.status;
    if (200..300).contains(&status) {
        return None;
    }
    let text = match sniffed {
        SniffedType::Text | SniffedType::Json | SniffedType::Html | SniffedType::Xml(_) => {
            String::from_utf8_lossy(&answer.bytes[..answer.bytes.len().min(LOOK)]).into_owned()
        }
        _ => String::new(),
    };
    let retry = answer.headers.get("retry-after");
    let outcome = match status {
        401 | 407 => {
            let scheme = answer.headers.get("www-authenticate").map(|value| value.to_ascii_lowercase());
            let keyed = scheme.is_some_and(|scheme| scheme.contains("apikey") || scheme.contains("api-key"));
            if keyed || demanded(&text) == Some(Outcome::Key) { Outcome::Key } else { Outcome::Login }
        }
        403 | 406 if is_firewall(answer.bytes) || by_header(answer) => Outcome::Firewall,
        403 => demanded(&text).filter(|demand| *demand == Outcome::Key).unwrap_or(Outcome::Forbidden),
        429 => Outcome::RateLimited,
        503 if by_header(answer) || is_firewall(answer.bytes) => Outcome::Firewall,
        503 if retry.is_some() => Outcome::RateLimited,
        404 | 410 => Outcome::Gone,
        400..=499 => Outcome::ClientError,
        500..=599 => Outcome::ServerError,
        _ => Outcome::WrongContent,
    };
    let wait =
        retry.map(|after| format!(", with a request to wait ({})", short(after, 40))).unwrap_or_default();
    let wants = answer.headers.get("www-authenticate").filter(|_| status == 401);
    let wants = wants.map(|scheme| format!(", requires {}", short(scheme, 60))).unwrap_or_default();
    Some(JudgedAnswer::new(outcome, format!("Status {status}{wait}{wants}")))
}
