//! Probes an API: landing page, conformance declaration if needed, collections, processes.

use super::ApiSurvey;
use crate::formats::json::JsonDocument;
use crate::kinds::KINDS;
use crate::kinds::members::{document_links, short_rel};
use crate::kinds::single_response::{ACCEPT, MAX_BYTES};
use crate::probe::{
    Finding, Found, ProbeRequest, ProbeResponse, ProbeStep, ResponseClass, ServiceProbe, read_json_doc,
    read_json_response,
};
use crate::urls;
use url::Url;

/// Maximum number of pages of collections.
const MAX_PAGES: u32 = 20;

/// The last request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ApiRequest {
    Landing { tries: u8 },
    Conformance,
    Collections,
    Processes,
}

struct ApiProbe {
    landing: Url,
    asked: ApiRequest,
    survey: ApiSurvey,
    collections: Option<Url>,
    processes: Option<Url>,
    pages: u32,
    complete: bool,
}

/// Starts a probe with the landing page.
pub fn start(landing: Url) -> (Box<dyn ServiceProbe>, ProbeRequest) {
    let ask = get(urls::with_params(&landing, &[("f", "json")]));
    let dialogue = ApiProbe {
        landing,
        asked: ApiRequest::Landing { tries: 0 },
        survey: ApiSurvey::default(),
        collections: None,
        processes: None,
        pages: 0,
        complete: true,
    };
    (Box::new(dialogue), ask)
}

fn get(url: Url) -> ProbeRequest {
    ProbeRequest::get(url, ACCEPT, MAX_BYTES)
}

impl ServiceProbe for ApiProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let status = answer.head.status;
        let at = answer.head.url.clone().unwrap_or_else(|| self.landing.clone());
        let read = read_json_response(&at, answer);
        match (self.asked, read) {
            (ApiRequest::Landing { tries }, Err(finding)) => self.landing_failed(tries, status, finding),
            (ApiRequest::Landing { .. }, Ok(doc)) => self.landing(&at, &doc),
            (ApiRequest::Conformance, read) => {
                if let Ok(doc) = read {
                    self.survey.add_document(&doc);
                }
                self.ask_collections()
            }
            (ApiRequest::Collections, read) => {
                let next = read.ok().and_then(|doc| {
                    self.complete &= doc.complete;
                    self.survey.add_document(&doc);
                    self.next_page(&at, &doc)
                });
                match next {
                    Some(url) => ProbeStep::Ask(Box::new(get(url))),
                    None => self.ask_processes(),
                }
            }
            (ApiRequest::Processes, read) => {
                if let Ok(doc) = read {
                    self.survey.add_document(&doc);
                }
                self.done()
            }
        }
    }
}

impl ApiProbe {
    /// Retries the landing page, since not every server supports `f=json`: after an error with
    /// `Accept` alone, after a web page with another spelling of the parameter.
    fn landing_failed(&mut self, tries: u8, status: u16, finding: Box<Finding>) -> ProbeStep {
        if matches!(finding.verdict, ResponseClass::Login | ResponseClass::Blocked | ResponseClass::Resource)
            || tries > 0
        {
            return ProbeStep::Done(finding);
        }
        self.asked = ApiRequest::Landing { tries: 1 };
        let url = match status {
            400 | 404 | 406 | 415 => self.landing.clone(),
            200..=299 => urls::with_params(&self.landing, &[("f", "application/json")]),
            _ => return ProbeStep::Done(finding),
        };
        ProbeStep::Ask(Box::new(get(url)))
    }

    fn landing(&mut self, at: &Url, doc: &JsonDocument) -> ProbeStep {
        if !self.survey.add_document(doc) {
            // Something else, such as STAC: read it as what it is.
            return ProbeStep::Done(Box::new(read_json_doc(at, doc)));
        }
        self.landing = super::landing_url(at);
        let mut conformance = None;
        // URL templates may have the same relation as URLs.
        for link in document_links(&doc.root).filter(|link| !link.href.contains('{')) {
            let slot = match short_rel(link.rel) {
                "conformance" => &mut conformance,
                "data" | "data-collections" | "collections" => &mut self.collections,
                "processes" => &mut self.processes,
                _ => continue,
            };
            // Take the first link of a relation, but prefer one to JSON.
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
        self.asked = ApiRequest::Conformance;
        let url = conformance.unwrap_or_else(|| self.below("conformance"));
        ProbeStep::Ask(Box::new(get(as_json(url))))
    }

    fn below(&self, name: &str) -> Url {
        let mut url = self.landing.clone();
        url.set_path(&format!("{}/{name}", self.landing.path().trim_end_matches('/')));
        url
    }

    fn ask_collections(&mut self) -> ProbeStep {
        if !self.survey.lacks_collections()
            || self.survey.proven_interfaces() == [super::OgcInterface::Processes]
        {
            return self.ask_processes();
        }
        self.asked = ApiRequest::Collections;
        let url = self.collections.take().unwrap_or_else(|| self.below("collections"));
        ProbeStep::Ask(Box::new(get(as_json(url))))
    }

    fn next_page(&mut self, at: &Url, doc: &JsonDocument) -> Option<Url> {
        self.pages += 1;
        if self.pages >= MAX_PAGES || self.survey.len() >= crate::kinds::members::MAX_DATASETS {
            return None;
        }
        let next = document_links(&doc.root).find(|link| link.rel == "next")?;
        near(at, next.href).filter(|url| url != at)
    }

    fn ask_processes(&mut self) -> ProbeStep {
        let proven = self.survey.proven_interfaces().contains(&super::OgcInterface::Processes);
        if !proven || self.survey.has_processes() || self.asked == ApiRequest::Processes {
            return self.done();
        }
        self.asked = ApiRequest::Processes;
        let url = self.processes.take().unwrap_or_else(|| self.below("processes"));
        ProbeStep::Ask(Box::new(get(as_json(url))))
    }

    fn done(&mut self) -> ProbeStep {
        let proven = self.survey.proven_interfaces();
        let rule = if self.survey.has_classes() {
            "conformance classes of the landing page"
        } else {
            "links of the landing page"
        };
        let mut resources: Vec<Found> = proven
            .into_iter()
            .map(|api| Found::new(self.survey.build_resource(api, &self.landing, self.complete), rule))
            .collect();
        for api in KINDS.iter().filter_map(|kind| kind.linked_api()) {
            if self.survey.has_class(api.class) {
                let resource = self.survey.build_linked_resource(api, &self.landing, self.complete);
                resources.push(Found::new(resource, rule));
            }
        }
        let verdict = if resources.is_empty() { ResponseClass::Page } else { ResponseClass::Resource };
        ProbeStep::Done(Box::new(Finding {
            resources,
            verdict,
            document: Some("ogcapi-landing"),
            ..Finding::default()
        }))
    }
}

/// Resolves a link and keeps it on the server that responded: links to `localhost` or to internal
/// host names are common, and their paths are correct.
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

/// Requests JSON if the link does not state its format.
fn as_json(url: Url) -> Url {
    let says = url.query_pairs().any(|(name, _)| matches!(&*name, "f" | "format" | "httpAccept"));
    if says { url } else { urls::with_params(&url, &[("f", "json")]) }
}
