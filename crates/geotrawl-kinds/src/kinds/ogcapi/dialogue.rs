//! Asking an API: landing page, conformance if it is not said there, collections, processes.

use super::Survey;
use crate::formats::json::Doc;
use crate::kinds::KINDS;
use crate::kinds::members::{links, short_rel};
use crate::kinds::one_answer::{ACCEPT, MAX_BYTES};
use crate::probe::{Answer, Ask, Dialogue, Finding, Found, Step, Verdict, json_answer, read_doc};
use crate::urls;
use url::Url;

/// Pages of collections that are read.
const MAX_PAGES: u32 = 20;

/// What was asked last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Landing { tries: u8 },
    Conformance,
    Collections,
    Processes,
}

struct ApiDialogue {
    landing: Url,
    asked: Asked,
    survey: Survey,
    collections: Option<Url>,
    processes: Option<Url>,
    pages: u32,
    complete: bool,
}

/// Asks the landing page.
pub fn start(landing: Url) -> (Box<dyn Dialogue>, Ask) {
    let ask = get(urls::with_params(&landing, &[("f", "json")]));
    let dialogue = ApiDialogue {
        landing,
        asked: Asked::Landing { tries: 0 },
        survey: Survey::default(),
        collections: None,
        processes: None,
        pages: 0,
        complete: true,
    };
    (Box::new(dialogue), ask)
}

fn get(url: Url) -> Ask {
    Ask::get(url, ACCEPT, MAX_BYTES)
}

impl Dialogue for ApiDialogue {
    fn answer(&mut self, answer: Answer<'_>) -> Step {
        let status = answer.head.status;
        let at = answer.head.url.clone().unwrap_or_else(|| self.landing.clone());
        let read = json_answer(&at, answer);
        match (self.asked, read) {
            (Asked::Landing { tries }, Err(finding)) => self.landing_failed(tries, status, finding),
            (Asked::Landing { .. }, Ok(doc)) => self.landing(&at, &doc),
            (Asked::Conformance, read) => {
                if let Ok(doc) = read {
                    self.survey.add(&doc);
                }
                self.ask_collections()
            }
            (Asked::Collections, read) => {
                let next = read.ok().and_then(|doc| {
                    self.complete &= doc.complete;
                    self.survey.add(&doc);
                    self.next_page(&at, &doc)
                });
                match next {
                    Some(url) => Step::Ask(Box::new(get(url))),
                    None => self.ask_processes(),
                }
            }
            (Asked::Processes, read) => {
                if let Ok(doc) = read {
                    self.survey.add(&doc);
                }
                self.done()
            }
        }
    }
}

impl ApiDialogue {
    /// `f=json` is not everybody's: a refusal is asked again by `Accept` alone, a page in another spelling.
    fn landing_failed(&mut self, tries: u8, status: u16, finding: Box<Finding>) -> Step {
        if matches!(finding.verdict, Verdict::Login | Verdict::Blocked | Verdict::Resource) || tries > 0 {
            return Step::Done(finding);
        }
        self.asked = Asked::Landing { tries: 1 };
        let url = match status {
            400 | 404 | 406 | 415 => self.landing.clone(),
            200..=299 => urls::with_params(&self.landing, &[("f", "application/json")]),
            _ => return Step::Done(finding),
        };
        Step::Ask(Box::new(get(url)))
    }

    fn landing(&mut self, at: &Url, doc: &Doc) -> Step {
        if !self.survey.add(doc) {
            // Something else, STAC for instance: read as what it is.
            return Step::Done(Box::new(read_doc(at, doc)));
        }
        self.landing = super::landing_url(at);
        let mut conformance = None;
        // Templates of addresses stand beside addresses, with the same relation.
        for link in links(&doc.root).filter(|link| !link.href.contains('{')) {
            let slot = match short_rel(link.rel) {
                "conformance" => &mut conformance,
                "data" | "data-collections" | "collections" => &mut self.collections,
                "processes" => &mut self.processes,
                _ => continue,
            };
            let json = link.type_.contains("json");
            if (slot.is_none() || json && !is_json(slot.as_ref()))
                && (json || link.type_.is_empty() || slot.is_none())
            {
                *slot = self::near(at, link.href);
            }
        }
        if self.survey.has_classes() {
            return self.ask_collections();
        }
        self.asked = Asked::Conformance;
        let url = conformance.unwrap_or_else(|| self.below("conformance"));
        Step::Ask(Box::new(get(as_json(url))))
    }

    fn below(&self, name: &str) -> Url {
        let mut url = self.landing.clone();
        url.set_path(&format!("{}/{name}", self.landing.path().trim_end_matches('/')));
        url
    }

    fn ask_collections(&mut self) -> Step {
        if !self.survey.lacks_collections() || self.survey.proven() == [super::Api::Processes] {
            return self.ask_processes();
        }
        self.asked = Asked::Collections;
        let url = self.collections.take().unwrap_or_else(|| self.below("collections"));
        Step::Ask(Box::new(get(as_json(url))))
    }

    fn next_page(&mut self, at: &Url, doc: &Doc) -> Option<Url> {
        self.pages += 1;
        if self.pages >= MAX_PAGES || self.survey.len() >= crate::kinds::members::MAX_DATASETS {
            return None;
        }
        let next = links(&doc.root).find(|link| link.rel == "next")?;
        near(at, next.href).filter(|url| url != at)
    }

    fn ask_processes(&mut self) -> Step {
        let proven = self.survey.proven().contains(&super::Api::Processes);
        if !proven || self.survey.has_processes() || self.asked == Asked::Processes {
            return self.done();
        }
        self.asked = Asked::Processes;
        let url = self.processes.take().unwrap_or_else(|| self.below("processes"));
        Step::Ask(Box::new(get(as_json(url))))
    }

    fn done(&mut self) -> Step {
        let proven = self.survey.proven();
        let rule = if self.survey.has_classes() {
            "conformance classes of the landing page"
        } else {
            "links of the landing page"
        };
        let mut resources: Vec<Found> = proven
            .into_iter()
            .map(|api| Found::new(self.survey.resource(api, &self.landing, self.complete), rule))
            .collect();
        for api in KINDS.iter().filter_map(|kind| kind.linked_api()) {
            if self.survey.has_class(api.class) {
                let resource = self.survey.linked_resource(api, &self.landing, self.complete);
                resources.push(Found::new(resource, rule));
            }
        }
        let verdict = if resources.is_empty() { Verdict::Page } else { Verdict::Resource };
        Step::Done(Box::new(Finding {
            resources,
            verdict,
            document: Some("ogcapi-landing"),
            ..Finding::default()
        }))
    }
}

/// A link that stays on the server that answered: links to `localhost` or to an inner name are common, and
/// the path in them is right.
fn near(at: &Url, href: &str) -> Option<Url> {
    let mut url = at.join(href).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    if url.host_str() != at.host_str() || url.port_or_known_default() != at.port_or_known_default() {
        let path = url.path().to_owned();
        let query = url.query().map(str::to_owned);
        url = at.clone();
        url.set_path(&path);
        url.set_query(query.as_deref());
    }
    url.set_fragment(None);
    Some(url)
}

fn is_json(url: Option<&Url>) -> bool {
    url.is_some_and(|url| url.query().is_some_and(|q| q.contains("json")))
}

/// Asks for JSON where the link does not say what comes.
fn as_json(url: Url) -> Url {
    let says = url.query_pairs().any(|(name, _)| matches!(&*name, "f" | "format" | "httpAccept"));
    if says { url } else { urls::with_params(&url, &[("f", "json")]) }
}
