//! One run of a collection.

use super::files::RunFiles;
use super::queue::{PendingVisit, VisitQueue};
use super::read::{ParsedAnswer, parse_answer};
use super::visit::{ArchiveAnswer, ArchiveVisit, ArchiveVisitOutcome, visit_url};
use super::{ArchiveError, ArchiveRunner};
use crate::seeds::search::MetaSearchRequest;
use geotrawl_archive::about::TopicProfile;
use geotrawl_archive::digest::sha256;
use geotrawl_archive::likeness::TextSketch;
use geotrawl_archive::warc::{HttpExchange, KnownPayload};
use geotrawl_archive::{css, page};
use geotrawl_kinds::extract::{TextKind, decode_text};
use geotrawl_kinds::probe::ResponseHead;
use geotrawl_model::archived_page::{
    ItemRole, KnownPage, NewPageVersion, PageVersion, VersionKind, WarcLocation,
};
use geotrawl_model::collection::{
    ArchiveRun, ArchiveRunCounts, Collection, RankedResult, ResultPlace, RunState,
};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use url::Url;

/// Maximum number of concurrent visits; the crawl delay of each host applies besides.
const AT_ONCE: usize = 8;
/// How often the stop flag is checked while no visit ends.
const LOOK: Duration = Duration::from_millis(200);
/// Progress is saved after this many visits.
const COUNT_EVERY: u64 = 10;

/// An event of a run, for progress output.
#[derive(Debug, Clone, PartialEq)]
pub enum ArchiveEvent<'a> {
    /// The ranked list has this many results.
    Ranked(usize),
    Visited {
        url: &'a str,
        kind: VersionKind,
    },
    Rejected {
        url: &'a str,
        reason: &'a str,
    },
    Failed {
        url: &'a str,
        reason: &'a str,
    },
}

/// State of a run.
struct ActiveRun<'a> {
    archivist: &'a ArchiveRunner,
    collection: &'a Collection,
    run: ArchiveRun,
    files: RunFiles,
    queue: VisitQueue,
    topic: TopicProfile,
    /// Results by address.
    results: HashMap<String, RankedResult>,
    counts: ArchiveRunCounts,
    /// Search engine queries that failed, and why.
    in_vain: Vec<String>,
    told: &'a mut (dyn FnMut(&ArchiveEvent<'_>) + Send),
}

impl ArchiveRunner {
    /// Runs a collection to its end or until `stop` is set; the next run continues a stopped one.
    pub async fn run_collection(
        &self,
        collection: &Collection,
        stop: &AtomicBool,
        told: &mut (dyn FnMut(&ArchiveEvent<'_>) + Send),
    ) -> Result<ArchiveRun, ArchiveError> {
        let now = (self.clock)();
        let (run, _) = self.store.begin_archive_run(collection.id, now)?;
        let id = run.id;
        let outcome = self.run_steps(collection, run, stop, told).await;
        let now = (self.clock)();
        match &outcome {
            Ok(Some(in_vain)) => {
                // The run succeeded as far as possible, but people must see which engines failed.
                let told = (!in_vain.is_empty())
                    .then(|| format!("failed search engine queries: {}", in_vain.join("; ")));
                self.store.end_archive_run(id, RunState::Finished, told.as_deref(), now)?;
            }
            // Stopped: the run stays open and is continued next time.
            Ok(None) => {}
            Err(error) => {
                self.store.end_archive_run(id, RunState::Failed, Some(&error.to_string()), now)?;
            }
        }
        outcome?;
        let runs = self.store.archive_runs(collection.id, 1)?;
        runs.into_iter().next().ok_or_else(|| ArchiveError::Start("the run no longer exists".into()))
    }

    async fn run_steps(
        &self,
        collection: &Collection,
        run: ArchiveRun,
        stop: &AtomicBool,
        told: &mut (dyn FnMut(&ArchiveEvent<'_>) + Send),
    ) -> Result<Option<Vec<String>>, ArchiveError> {
        let user_agent = self.client.config().user_agent.clone();
        let folder = self.shelf.folder(&collection.acronym);
        let files = RunFiles::open(&*self.store, &folder, collection, &run, &user_agent, (self.clock)())?;
        let counts = run.counts;
        let mut run = ActiveRun {
            archivist: self,
            collection,
            run,
            files,
            queue: VisitQueue::from_spec(&collection.spec),
            topic: self.topic(collection).await,
            results: HashMap::new(),
            counts,
            in_vain: Vec::new(),
            told,
        };
        run.rank_results().await?;
        run.resume_interrupted()?;
        let results: Vec<String> = run.results.keys().cloned().collect();
        let mut ordered: Vec<&RankedResult> = results.iter().filter_map(|url| run.results.get(url)).collect();
        ordered.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.url.cmp(&b.url)));
        let waiting: Vec<String> = ordered
            .iter()
            .filter(|result| result.state == "waiting")
            .map(|result| result.url.clone())
            .collect();
        for url in waiting {
            if let Ok(url) = Url::parse(&url) {
                run.queue.add(url, ItemRole::Result, collection.spec.depth);
            }
        }
        let mut whole = run.visit_pending(stop).await?;
        // Pages of earlier runs that this one has not named may have changed or be gone. Embedded
        // files come second, because visiting the pages queues those that are still used.
        for wanted in [false, true] {
            for (url, role) in self.store.list_known_pages(collection.id)? {
                if whole
                    && (role == ItemRole::Requisite) == wanted
                    && let Ok(url) = Url::parse(&url)
                {
                    run.queue.add(url, role, 0);
                }
            }
            whole = whole && run.visit_pending(stop).await?;
        }
        if !whole {
            return Ok(None);
        }
        run.write_ranked_list()?;
        Ok(Some(run.in_vain))
    }

    /// Builds the topic of the collection from the pages that describe it.
    async fn topic(&self, collection: &Collection) -> TopicProfile {
        let mut texts = Vec::new();
        for url in &collection.spec.about {
            let Ok(url) = Url::parse(url) else { continue };
            let clock = self.clock.clone();
            let visit = visit_url(&self.client, url, collection.spec.max_bytes, move || clock()).await;
            match visit.outcome {
                ArchiveVisitOutcome::Found(answer) => {
                    texts.push(parse_answer(&answer, &self.documents).await.text);
                }
                ArchiveVisitOutcome::Gone(_) => {
                    tracing::warn!(url = %visit.requested, "a page that describes the subject is gone");
                }
                ArchiveVisitOutcome::Failed(why) => {
                    tracing::warn!(url = %visit.requested, "cannot fetch a page that describes the subject: {why}");
                }
            }
        }
        TopicProfile::from_texts(texts.iter().map(String::as_str))
    }
}

impl ActiveRun<'_> {
    /// Queries the engines, unless an interrupted run already did, and adds the pages that a person
    /// named.
    async fn rank_results(&mut self) -> Result<(), ArchiveError> {
        let store = &self.archivist.store;
        let known = store.ranked_results(self.run.id)?;
        if !known.is_empty() {
            self.results = known.into_iter().map(|result| (result.url.clone(), result)).collect();
            return Ok(());
        }
        let spec = &self.collection.spec;
        if !spec.engines.is_empty() {
            let Some(search) = &self.archivist.search else {
                return Err(ArchiveError::Start(
                    "no search engines are configured where the collection is run".into(),
                ));
            };
            let questions = spec.search_queries(&self.collection.acronym);
            let wanted = MetaSearchRequest {
                questions: questions.len().max(1),
                keywords: questions,
                engines: spec.engines.clone(),
                as_is: true,
                top: spec.top,
                most: spec.max_pages as usize,
                ..MetaSearchRequest::default()
            };
            let found = search.search(&wanted).await?;
            for fault in found.error_messages() {
                tracing::warn!(collection = %self.collection.acronym, "a search engine query failed: {fault}");
                if !self.in_vain.contains(&fault) {
                    self.in_vain.push(fault);
                }
            }
            if found.seeds.is_empty()
                && spec.pages.is_empty()
                && store.list_known_pages(self.collection.id)?.is_empty()
            {
                return Err(ArchiveError::Start(found.empty_reason()));
            }
            for seed in &found.seeds {
                let named = seed.engines.iter().map(|placing| ResultPlace {
                    engine: placing.engine.clone(),
                    query: placing.query.clone(),
                    rank: placing.rank,
                });
                self.add_result(&seed.url, &seed.title, seed.weight as f64, named.collect());
            }
        }
        for page in &spec.pages {
            self.add_result(page, "", 0.0, Vec::new());
        }
        let results: Vec<RankedResult> = self.results.values().cloned().collect();
        self.counts.results = results.len() as u64;
        store.save_results(self.run.id, &results)?;
        (self.told)(&ArchiveEvent::Ranked(results.len()));
        Ok(())
    }

    fn add_result(&mut self, url: &str, title: &str, weight: f64, named: Vec<ResultPlace>) {
        let Ok(mut url) = Url::parse(url) else { return };
        url.set_fragment(None);
        let waiting = || RankedResult {
            url: url.to_string(),
            title: title.to_owned(),
            weight,
            named,
            sort: String::new(),
            state: "waiting".into(),
            about: None,
            reason: None,
        };
        self.results.entry(url.to_string()).or_insert_with(waiting);
    }

    /// Continues an interrupted run: skips what it has visited and queues the links of these pages.
    fn resume_interrupted(&mut self) -> Result<(), ArchiveError> {
        let store = &self.archivist.store;
        let visited = store.visited_urls(self.run.id)?;
        for url in &visited {
            self.queue.skip_url(url);
        }
        for url in visited {
            let Some(item) = store.find_known_page(self.collection.id, &url)?.filter(|item| !item.gone)
            else {
                continue;
            };
            let levels = match item.role {
                ItemRole::Result => self.collection.spec.depth,
                ItemRole::Page => self.collection.spec.depth.saturating_sub(1),
                ItemRole::Requisite => 0,
            };
            let stored = self.archivist.shelf.read_record(&self.collection.acronym, &item.payload)?;
            let said = stored.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
            let head = ResponseHead {
                content_type: said.map(|(_, value)| value.clone()),
                ..ResponseHead::default()
            };
            let Ok(at) = Url::parse(&stored.url) else { continue };
            let essence = head.content_type.as_deref().unwrap_or_default();
            if essence.starts_with("text/html") || essence.starts_with("application/xhtml") {
                let page = page::read_page(&at, &decode_text(&head, &stored.payload, TextKind::Html).0);
                self.queue.add_links_of(&self.collection.spec, &at, levels, page.links, page.requisites);
            } else if essence.starts_with("text/css") {
                let named = css::find_addresses(&decode_text(&head, &stored.payload, TextKind::Plain).0, &at);
                let named = named.into_iter().map(|(url, _)| url).collect();
                self.queue.add_links_of(&self.collection.spec, &at, 0, Vec::new(), named);
            }
        }
        Ok(())
    }

    /// Visits everything in the queue; returns `false` if it was stopped.
    async fn visit_pending(&mut self, stop: &AtomicBool) -> Result<bool, ArchiveError> {
        let mut flights: JoinSet<(PendingVisit, ArchiveVisit, Option<ParsedAnswer>)> = JoinSet::new();
        loop {
            if stop.load(Ordering::Acquire) {
                self.count()?;
                return Ok(false);
            }
            // Beyond the byte limit nothing new is fetched, and the run ends normally.
            while flights.len() < AT_ONCE && self.counts.bytes < self.collection.spec.max_run_bytes {
                let Some(errand) = self.queue.next_visit() else { break };
                let (client, documents, clock) = (
                    self.archivist.client.clone(),
                    self.archivist.documents.clone(),
                    self.archivist.clock.clone(),
                );
                let max_bytes = self.collection.spec.max_bytes;
                flights.spawn(async move {
                    let visit = visit_url(&client, errand.url.clone(), max_bytes, move || clock()).await;
                    let reading = match &visit.outcome {
                        ArchiveVisitOutcome::Found(answer) => Some(parse_answer(answer, &documents).await),
                        _ => None,
                    };
                    (errand, visit, reading)
                });
            }
            if flights.is_empty() {
                self.count()?;
                return Ok(true);
            }
            match tokio::time::timeout(LOOK, flights.join_next()).await {
                Err(_) | Ok(None) => {}
                Ok(Some(Ok((errand, visit, reading)))) => self.take(&errand, visit, reading)?,
                Ok(Some(Err(error))) => tracing::error!("a visit was aborted: {error}"),
            }
        }
    }

    fn count(&mut self) -> Result<(), ArchiveError> {
        Ok(self.archivist.store.save_run_counts(self.run.id, &self.counts)?)
    }

    /// Handles the result of a visit.
    fn take(
        &mut self,
        errand: &PendingVisit,
        visit: ArchiveVisit,
        reading: Option<ParsedAnswer>,
    ) -> Result<(), ArchiveError> {
        self.counts.fetched += 1;
        let url = errand.url.to_string();
        match (&visit.outcome, reading) {
            (ArchiveVisitOutcome::Found(answer), Some(reading)) => {
                self.found(errand, &visit, answer, reading)?;
            }
            (ArchiveVisitOutcome::Gone(answer), _) => self.gone(&url, errand.role, &visit, answer)?,
            (ArchiveVisitOutcome::Failed(why), _) => self.failed(&url, why)?,
            (ArchiveVisitOutcome::Found(_), None) => {}
        }
        if self.counts.fetched.is_multiple_of(COUNT_EVERY) {
            self.count()?;
        }
        Ok(())
    }

    fn found(
        &mut self,
        errand: &PendingVisit,
        visit: &ArchiveVisit,
        answer: &ArchiveAnswer,
        reading: ParsedAnswer,
    ) -> Result<(), ArchiveError> {
        let url = errand.url.to_string();
        let spec = &self.collection.spec;
        let about = self.topic.score(&reading.text).filter(|_| errand.role != ItemRole::Requisite);
        let off_topic = errand.role == ItemRole::Result
            && about.is_some_and(|about| about < spec.aboutness)
            // Pages that a person named are on topic, and pages without text cannot be judged.
            && !spec.pages.contains(&url)
            && !reading.text.is_empty();
        let why = reading.refused.or(off_topic.then_some("it is off topic"));
        if let Some(why) = why {
            self.counts.rejected += 1;
            (self.told)(&ArchiveEvent::Rejected { url: &url, reason: why });
            return self.put_result(&url, "rejected", reading.sort, about, Some(why));
        }
        let store = &self.archivist.store;
        // The digest finds the payload at any address of the collection, so each one is stored only
        // once.
        let known = store.find_known_page(self.collection.id, &url)?;
        let digest = sha256(&answer.body);
        let (kind, likeness) = compare(known.as_ref(), &digest, &reading.sketch, spec.likeness);
        let kept = store.find_payload(self.collection.id, &digest)?;
        for hop in &visit.hops {
            self.files.write_exchange(&exchange(hop, &self.request()), None)?;
        }
        let written = kept.as_ref().map(|kept| KnownPayload { url: kept.url.clone(), date: kept.at });
        let record = self.files.write_exchange(&exchange(answer, &self.request()), written.as_ref())?;
        let payload = kept.map_or_else(|| record.clone(), |kept| kept.place);
        self.counts.bytes += answer.body.len() as u64;
        let result = self.results.get(&url).cloned().map(|result| RankedResult {
            state: "kept".into(),
            sort: reading.sort.into(),
            about,
            title: reading.metadata.title.clone().unwrap_or(result.title),
            ..result
        });
        if errand.role != ItemRole::Requisite {
            let mut fields = vec![
                ("role".to_owned(), errand.role.as_str().to_owned()),
                ("kind".to_owned(), kind.as_str().to_owned()),
            ];
            fields.extend(reading.metadata.title.iter().map(|title| ("title".to_owned(), title.clone())));
            fields.extend(result.iter().map(|result| ("weight".to_owned(), result.weight.to_string())));
            fields.extend(likeness.map(|likeness| ("likeness".to_owned(), format!("{likeness:.3}"))));
            fields.extend(about.map(|about| ("aboutness".to_owned(), format!("{about:.3}"))));
            self.files.write_metadata(answer.url.as_str(), answer.at, &fields)?;
        }
        let version = PageVersion {
            number: 0,
            run: self.run.id,
            at: answer.at,
            kind,
            status: answer.status,
            final_url: (answer.url != errand.url).then(|| answer.url.to_string()),
            media_type: reading.media_type,
            digest,
            bytes: answer.body.len() as u64,
            record,
            payload,
            likeness,
            about,
            title: reading.metadata.title.clone().unwrap_or_default(),
            metadata: serde_json::to_value(&reading.metadata).unwrap_or_default(),
        };
        let sketch = reading.sketch.to_bytes();
        self.note(NewPageVersion { url, role: errand.role, version, sketch, result })?;
        self.queue.add_links_of(spec, &answer.url, errand.levels, reading.links, reading.requisites);
        Ok(())
    }

    fn gone(
        &mut self,
        url: &str,
        role: ItemRole,
        visit: &ArchiveVisit,
        answer: &ArchiveAnswer,
    ) -> Result<(), ArchiveError> {
        let reason = format!("the server answered HTTP {}", answer.status);
        let known = self.archivist.store.find_known_page(self.collection.id, url)?;
        let Some(known) = known.filter(|known| !known.gone) else {
            self.counts.failed += 1;
            (self.told)(&ArchiveEvent::Failed { url, reason: &reason });
            return self.put_result(url, "gone", "", None, Some(&reason));
        };
        for hop in visit.hops.iter().chain([answer]) {
            self.files.write_exchange(&exchange(hop, &self.request()), None)?;
        }
        let result = self.results.get(url).cloned();
        let result =
            result.map(|result| RankedResult { state: "gone".into(), reason: Some(reason), ..result });
        let version = PageVersion {
            number: 0,
            run: self.run.id,
            at: answer.at,
            kind: VersionKind::Deleted,
            status: answer.status,
            final_url: None,
            media_type: String::new(),
            digest: String::new(),
            bytes: 0,
            record: WarcLocation::default(),
            payload: WarcLocation::default(),
            likeness: None,
            about: None,
            title: String::new(),
            metadata: serde_json::Value::Null,
        };
        // A search result stays one, even if this run reached the page through a link.
        let role = if known.role == ItemRole::Result { known.role } else { role };
        self.note(NewPageVersion { url: url.to_owned(), role, version, sketch: Vec::new(), result })
    }

    fn failed(&mut self, url: &str, why: &str) -> Result<(), ArchiveError> {
        self.counts.failed += 1;
        (self.told)(&ArchiveEvent::Failed { url, reason: why });
        self.put_result(url, "failed", "", None, Some(why))
    }

    /// Syncs the files, then records the version in the store, so that the store never names
    /// missing data.
    fn note(&mut self, version: NewPageVersion) -> Result<(), ArchiveError> {
        self.files.sync_to_disk()?;
        let kind = version.version.kind;
        match kind {
            VersionKind::New => self.counts.new += 1,
            VersionKind::Modified => self.counts.modified += 1,
            VersionKind::Unchanged => self.counts.unchanged += 1,
            VersionKind::Deleted => self.counts.deleted += 1,
        }
        let url = version.url.clone();
        self.archivist.store.add_versions(self.collection.id, &[version])?;
        (self.told)(&ArchiveEvent::Visited { url: &url, kind });
        Ok(())
    }

    /// Saves the state of a result, if the address is one.
    fn put_result(
        &mut self,
        url: &str,
        state: &str,
        sort: &str,
        about: Option<f64>,
        reason: Option<&str>,
    ) -> Result<(), ArchiveError> {
        let Some(result) = self.results.get_mut(url) else { return Ok(()) };
        state.clone_into(&mut result.state);
        sort.clone_into(&mut result.sort);
        result.about = about;
        result.reason = reason.map(str::to_owned);
        Ok(self.archivist.store.save_results(self.run.id, std::slice::from_ref(result))?)
    }

    fn request(&self) -> Vec<(String, String)> {
        vec![("User-Agent".to_owned(), self.archivist.client.config().user_agent.clone())]
    }

    /// Archives the ranked list together with the results.
    fn write_ranked_list(&mut self) -> Result<(), ArchiveError> {
        let results = self.archivist.store.ranked_results(self.run.id)?;
        let list = serde_json::to_vec(&results).unwrap_or_default();
        let id = geotrawl_archive::didl::object_identifier(&self.collection.acronym, self.run.at);
        self.files.write_resource(
            &format!("urn:x-geotrawl:{id}:results"),
            (self.archivist.clock)(),
            "application/json",
            &list,
        )?;
        self.files.sync_to_disk()?;
        self.count()
    }
}

fn exchange<'a>(answer: &'a ArchiveAnswer, request: &'a [(String, String)]) -> HttpExchange<'a> {
    HttpExchange {
        url: answer.url.as_str(),
        date: answer.at,
        ip: answer.ip.clone(),
        request,
        status: answer.status,
        headers: &answer.headers,
        payload: &answer.body,
        truncated: answer.truncated,
    }
}

/// Compares a page with its previous version. Pages without text are either identical or new.
fn compare(
    known: Option<&KnownPage>,
    digest: &str,
    sketch: &TextSketch,
    threshold: f64,
) -> (VersionKind, Option<f64>) {
    let Some(known) = known else { return (VersionKind::New, None) };
    let before = TextSketch::from_bytes(&known.sketch);
    let comparable = !before.is_empty() && !sketch.is_empty();
    let likeness =
        if known.digest == digest { Some(1.0) } else { comparable.then(|| before.likeness(sketch)) };
    let kind = match likeness {
        _ if known.gone => VersionKind::New,
        _ if known.digest == digest => VersionKind::Unchanged,
        Some(likeness) if likeness >= threshold => VersionKind::Modified,
        _ => VersionKind::New,
    };
    (kind, likeness)
}
