//! Records events, needed resources and issues of the sandbox, with limits on each.

use super::sandbox_values::{SandboxEvent, SandboxValue};
use crate::library;
use crate::model::{HOLE, NeededResource, NeededResourceKind, ScriptPosition};
use crate::signs;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::mpsc::Sender;

const MOST_EVENTS: usize = 5_000;
const MOST_EVENT_BYTES: usize = 16 << 20;
const MOST_WANTS: usize = 64;
const MOST_ISSUES: usize = 20;
/// Maximum number of times that a position in the code is recorded.
const MOST_PASSES: u32 = 300;
/// Maximum number of similar tile requests that are recorded.
const MOST_LIKE_REQUESTS: u32 = 2;

/// Message from the sandbox thread.
#[derive(Debug)]
pub enum SandboxMessage {
    Event(SandboxEvent, ScriptPosition),
    Want(NeededResource),
    Issue(String),
    Done,
}

/// Records events within limits.
pub struct EventRecorder {
    out: Sender<SandboxMessage>,
    events: usize,
    wants: Vec<NeededResource>,
    issues: Vec<String>,
    /// The running script, and the position in it that was passed last.
    pub place: ScriptPosition,
    known: HashSet<u64>,
    bytes: usize,
    requests: HashMap<String, u32>,
    passed: HashMap<ScriptPosition, u32>,
}

impl EventRecorder {
    /// Creates a recorder that sends to this channel.
    pub fn new(out: Sender<SandboxMessage>) -> Self {
        Self {
            out,
            events: 0,
            wants: Vec::new(),
            issues: Vec::new(),
            place: ScriptPosition::default(),
            known: HashSet::new(),
            bytes: 0,
            requests: HashMap::new(),
            passed: HashMap::new(),
        }
    }

    fn send(&self, message: SandboxMessage) {
        // The receiver may have timed out; then nobody needs the message.
        let _ = self.out.send(message);
    }

    /// Reports that no further messages follow.
    pub fn finish(&mut self) {
        self.send(SandboxMessage::Done);
    }

    /// Returns whether a position should be recorded again, and counts the pass.
    pub fn should_record(&mut self, place: ScriptPosition) -> bool {
        self.place = place;
        let count = self.passed.entry(place).or_insert(0);
        *count += 1;
        *count <= MOST_PASSES && !self.is_full()
    }

    /// Returns whether further events are dropped.
    pub fn is_full(&self) -> bool {
        self.events >= MOST_EVENTS || self.bytes >= MOST_EVENT_BYTES
    }

    /// Records a call, if it is relevant.
    pub fn record_call(&mut self, name: Vec<String>, new: bool, args: Vec<SandboxValue>) {
        let parts: Vec<&str> = name.iter().map(String::as_str).collect();
        if !signs::is_relevant_call(&parts) && !args.iter().any(|arg| arg.has_address(4)) {
            return;
        }
        if parts == ["request"] && !self.is_new_request(&args) {
            return;
        }
        self.push(SandboxEvent::Call { name, new, args });
    }

    /// Records an object that the code created.
    pub fn record_object(&mut self, members: Vec<(String, SandboxValue)>) {
        if members.iter().any(|(_, value)| value.has_text()) {
            self.push(SandboxEvent::Object { members });
        }
    }

    /// Records an assignment to a member of a library object.
    pub fn record_assignment(&mut self, mut name: Vec<String>, key: &str, value: SandboxValue) {
        if value.has_text()
            && (signs::is_relevant_assignment(key) || telling_assignment(key) && value.has_address(2))
        {
            name.push(key.to_owned());
            self.push(SandboxEvent::Assign { name, value });
        }
    }

    /// Returns whether a request is new: tile requests of a service differ only in numbers, so a
    /// few suffice.
    fn is_new_request(&mut self, args: &[SandboxValue]) -> bool {
        let Some(SandboxValue::Text(url)) = args.first() else { return true };
        let shape: String =
            url.chars().filter(|one| !matches!(one, '0'..='9' | '.' | '-' | 'e')).take(300).collect();
        let count = self.requests.entry(shape).or_insert(0);
        *count += 1;
        *count <= MOST_LIKE_REQUESTS
    }

    fn push(&mut self, event: SandboxEvent) {
        if self.is_full() {
            return;
        }
        let text = format!("{event:?}");
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        // A call is reported both by its call site and by the stand-in that it calls.
        if self.known.insert(hasher.finish()) {
            self.bytes += text.len();
            self.events += 1;
            self.send(SandboxMessage::Event(event, self.place));
        }
    }

    /// Records a script or document that the code requested.
    pub fn record_needed_resource(&mut self, url: String, kind: NeededResourceKind) {
        let wanted = match kind {
            NeededResourceKind::Script => is_script_to_want(&url),
            _ => reads_like_configuration(&url),
        };
        let want = NeededResource { url, kind };
        if wanted && self.wants.len() < MOST_WANTS && !self.wants.contains(&want) {
            self.wants.push(want.clone());
            self.send(SandboxMessage::Want(want));
        }
    }

    /// Records an issue.
    pub fn record_issue(&mut self, text: String) {
        if self.issues.len() < MOST_ISSUES && !self.issues.contains(&text) {
            self.issues.push(text.clone());
            self.send(SandboxMessage::Issue(text));
        }
    }
}

fn telling_assignment(key: &str) -> bool {
    const NAMES: [&str; 14] = [
        "url",
        "urls",
        "proxyUrl",
        "ProxyHost",
        "proxyHost",
        "src",
        "href",
        "tiles",
        "portalUrl",
        "baseUrl",
        "serviceUrl",
        "wmsUrl",
        "styleUrl",
        "style",
    ];
    NAMES.contains(&key)
}

fn is_fetchable(url: &str) -> bool {
    (url.starts_with("http://") || url.starts_with("https://"))
        && url.len() < 2_000
        && !url.contains([HOLE, '{', '}', ' '])
}

fn is_script_to_want(url: &str) -> bool {
    // Analytics scripts contain no maps.
    const MEASURING: [&str; 14] = [
        "google-analytics",
        "googletagmanager",
        "doubleclick",
        "facebook",
        "hotjar",
        "matomo",
        "piwik",
        "gstatic",
        "recaptcha",
        "twitter",
        "addthis",
        "cookie",
        "sentry",
        "maps.googleapis",
    ];
    if !is_fetchable(url)
        || library::find_by_url(url).is_some()
        || MEASURING.iter().any(|part| url.contains(part))
    {
        return false;
    }
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "js" | "mjs"))
}

fn reads_like_configuration(url: &str) -> bool {
    const WORDS: [&str; 14] = [
        "config", "settings", "layers", "services", "catalog", "context", "viewer", "project", "mapset",
        "style", "init", "map", "conf", "themes",
    ];
    // Data files, not configurations.
    const DATA: [&str; 12] = [
        ".geojson",
        ".topojson",
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".svg",
        ".pbf",
        ".mvt",
        ".csv",
        ".html",
        ".css",
    ];
    if !is_fetchable(url) {
        return false;
    }
    let path = url.splitn(4, '/').nth(3).unwrap_or_default().split(['?', '#']).next().unwrap_or_default();
    let path = path.to_ascii_lowercase();
    if DATA.iter().any(|end| path.ends_with(end)) {
        return false;
    }
    let query = url.split_once('?').map(|(_, query)| query.to_ascii_lowercase()).unwrap_or_default();
    if query.contains("request=get") || query.contains("service=w") {
        return false;
    }
    path.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "json" | "xml"))
        || WORDS.iter().any(|word| path.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_wanted_and_data_are_not() {
        assert!(reads_like_configuration("https://a.b/app/config.json"));
        assert!(reads_like_configuration("https://a.b/api/layers?lang=en"));
        assert!(!reads_like_configuration("https://a.b/data/roads.geojson"));
        assert!(!reads_like_configuration("https://a.b/map/wms?SERVICE=WMS&REQUEST=GetMap"));
        assert!(!reads_like_configuration("/config.json"));
    }

    #[test]
    fn scripts_that_measure_visitors_are_not_wanted() {
        assert!(is_script_to_want("https://a.b/chunk.12ab.js"));
        assert!(!is_script_to_want("https://www.googletagmanager.com/gtag.js"));
        assert!(!is_script_to_want("https://a.b/jsonp?callback=x"));
    }
}
