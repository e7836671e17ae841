//! Marginalia: an index of the small and old web, which other engines have forgotten.
//! <https://about.marginalia-search.com/article/api>

use super::answer::{hits, message_of, quote, retry_after};
use super::config::EngineConfig;
use super::engine::{Ask, Doc, KeyPlace, Page, Said, WebEngine, at_path, with_params};
use super::fault::{Fault, FaultClass};
use serde_json::Value;
use url::Url;

pub(super) static DOC: Doc = Doc {
    kind: "marginalia",
    title: "Marginalia Search",
    home: "https://about.marginalia-search.com/article/api",
    url: Some("https://api2.marginalia-search.com/"),
    key: KeyPlace::Header("api-key"),
    needs_key: true,
    public_key: Some("public"),
    per_page: 20,
    most_pages: 10,
    per_day: Some(100),
    per_month: None,
    rate: 6,
    inurl: false,
    note: "results are CC BY-NC-SA 4.0 unless the key is a commercial one; the public key is shared by everybody",
};

pub(super) struct Marginalia;

impl WebEngine for Marginalia {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn request(&self, base: Url, config: &EngineConfig, ask: &Ask<'_>) -> Result<Url, Fault> {
        // It has no choice of languages.
        let (count, page) = (DOC.per_page.to_string(), ask.page.to_string());
        let ours = [("query", ask.words), ("count", &count), ("page", &page)];
        Ok(with_params(at_path(base, "/search"), config, &ours))
    }

    fn read(&self, body: &Value) -> Option<Page> {
        let results = body.get("results")?.as_array()?;
        let more = match (body.get("page").and_then(Value::as_u64), body.get("pages").and_then(Value::as_u64))
        {
            (Some(page), Some(pages)) => page < pages,
            _ => results.len() >= DOC.per_page as usize,
        };
        Some(Page { hits: hits(results, "url", "title"), more, issues: Vec::new() })
    }

    fn refusal(&self, said: &Said<'_>, body: &Value) -> Option<Fault> {
        let told = message_of(body).map(|told| format!(", \"{}\"", quote(told))).unwrap_or_default();
        match said.status {
            // It says 503 where others say 429.
            429 | 503 => Some(Fault::rate(
                format!(
                    "The key is asked too often (HTTP {}{told}); the public one is shared by everybody: ask for one of \
                     your own ({})",
                    said.status, DOC.home
                ),
                retry_after(said),
                said.now,
            )),
            401 | 403 => Some(Fault::new(
                FaultClass::Key,
                format!(
                    "The key is not accepted (HTTP {}{told}); check it, or leave it out for the public one",
                    said.status
                ),
            )),
            _ => None,
        }
    }
}
