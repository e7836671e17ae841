//! Public search methods of the index.

use crate::answer::{FEW, MatchRequirements};
use crate::bits::BitSet;
use crate::boxes::{FixedPointBox, QueryBox};
use crate::collect::{CollectedHits, ScoredHit, SearchCriteria, collect_hits};
use crate::compile::{CompiledQuery, QueryCompiler, lowercase_words};
use crate::engine::IndexSnapshot;
use crate::highlight::HighlightTerms;
use crate::ingest::{StoredLayer, StoredService};
use crate::page_cache::ResultOrderCache;
use crate::parse::{QueryNode, parse_query};
use crate::query::{
    FACETS, Hit, HostPlace, LayerHit, RankingSignal, SearchQuery, SearchResults, SearchTarget, SortOrder,
};
use crate::rank::RecordFactors;
use crate::rows::{IndexRow, RowTable};
use crate::tables::SearchIndex;
use crate::{CatalogueIndex, IndexError, moments};
use geotrawl_model::Status;
use geotrawl_text::Language;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tantivy::query::{BooleanQuery, EnableScoring, Occur, TermQuery};
use tantivy::schema::{IndexRecordOption, Value as _};
use tantivy::{DocAddress, DocSet as _, Searcher, TantivyDocument, Term};

/// Maximum number of values returned per facet.
const MOST_VALUES: usize = 50;
/// Maximum depth of pages by layers. Pages by services reach the end, for harvesters.
const DEEPEST: usize = 20_000;

/// Words of a query, compiled for one of the two indexes.
pub struct CompiledWords {
    pub asked: CompiledQuery,
    pub marks: HighlightTerms,
    /// Number of plain words at the top level.
    pub counted: usize,
}

impl CatalogueIndex {
    /// Runs a query and returns a page of hits.
    pub fn search(&self, query: &SearchQuery) -> Result<SearchResults, IndexError> {
        let node = parse_query(&query.words).map_err(IndexError::Query)?;
        let snapshot = self.engine.snapshot();
        let failing = self.engine.error_while("searching");
        let passing = self.passing(&snapshot, query)?;
        let mut wanted = wanted(query, &snapshot.rows, node.is_some())?;
        wanted.passing = passing.as_deref();
        (wanted.skip, wanted.keep) = page(query, &snapshot.rows);
        wanted.count_facets = query.count_facets;
        let half = select_index(&snapshot, query.by);
        let answer =
            self.search_with_relaxation(&snapshot, node.as_ref(), query, &wanted).map_err(&failing)?;
        let (found, leniency) = (&answer.found, answer.leniency);
        let node = answer.spelled.as_ref().map(|(_, node)| node).or(node.as_ref());

        let mut hits =
            SearchResults { total: found.total, complete: answer.complete, ..SearchResults::default() };
        let page = found.best.get(query.offset.min(found.best.len())..).unwrap_or_default();
        let mut layers = answer.layers;
        if query.by == SearchTarget::Services
            && page.iter().any(|candidate| !layers.of.contains_key(&candidate.slot))
        {
            layers = self.layers_of_services(&snapshot, node, query, leniency, page).map_err(&failing)?;
        }
        for candidate in page {
            let Some(row) = snapshot.rows.get(candidate.slot) else { continue };
            let marks = &answer.words.marks;
            let mut hit = match query.by {
                SearchTarget::Services => {
                    let mut hit =
                        self.service_hit(&half.searcher, row, candidate, marks).map_err(&failing)?;
                    let (best, matching) = layers.of.remove(&candidate.slot).unwrap_or_default();
                    hit.layers_matching = matching;
                    for layer in &best {
                        let shown = self.shown_layer(&snapshot.layers, row, layer, &layers.marks);
                        hit.layers.push(shown.map_err(&failing)?);
                    }
                    hit
                }
                SearchTarget::Layers => self.layer_hit(half, row, candidate, marks).map_err(&failing)?,
            };
            if let CompiledQuery::Plan(plan) = &answer.words.asked
                && (leniency.minimum.is_some() || leniency.any_kind)
            {
                let segment = candidate.at.segment_ord as usize;
                hit.missing = plan.missing_words(half, segment, candidate.at.doc_id).map_err(&failing)?;
            }
            hits.hits.push(hit);
        }
        if query.explain {
            self.explain(&snapshot, node, query, leniency, page, &mut hits.hits).map_err(&failing)?;
        }
        if query.count_facets {
            hits.facets = facets(found, &snapshot.rows);
        }
        // If the query was relaxed, one of its words may be misspelled.
        if let Some((spelling, _)) = answer.spelled {
            (hits.did_you_mean, hits.corrected) = (Some(spelling), true);
        } else if hits.total < FEW || leniency.minimum.is_some() {
            let other = self.correct_spelling(&snapshot, node, query).map_err(&failing)?;
            hits.did_you_mean = other.map(|other| other.words);
        }
        Ok(hits)
    }

    /// Returns the meanings of plain words in order, each with its words and their synonyms in the
    /// languages of the index. A meaning may span several words.
    pub fn expand_synonyms(&self, words: &str) -> Vec<Vec<String>> {
        let words = lowercase_words(words);
        let languages = self.engine.snapshot().rows.languages;
        let held = |language: Option<Language>| {
            language.is_none_or(|language| language == Language::ENGLISH || languages & language.bit() != 0)
        };
        let mut meanings = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let (taken, alternatives) = self.synonyms.longest_known_phrase(&words[at..]);
            let mut meaning = vec![words[at..at + taken].join(" ")];
            let alternatives = alternatives.iter().filter(|alternative| held(alternative.language));
            meaning.extend(alternatives.map(|alternative| alternative.words.join(" ")));
            meanings.push(meaning);
            at += taken;
        }
        meanings
    }

    /// Returns the layers of a service that match the words and the box of a query, best first,
    /// with their total number. Without words and box, returns all layers in their original order.
    /// `offset` and `limit` apply to the layers.
    pub fn matching_layers(&self, id: &str, query: &SearchQuery) -> Result<(Vec<LayerHit>, u64), IndexError> {
        let node = parse_query(&query.words).map_err(IndexError::Query)?;
        let snapshot = self.engine.snapshot();
        let failing = self.engine.error_while("searching layers");
        let Some((slot, row)) =
            snapshot.rows.find_slot(id).and_then(|slot| Some((slot, snapshot.rows.get(slot)?)))
        else {
            return Ok((Vec::new(), 0));
        };
        let layers = SearchQuery {
            by: SearchTarget::Layers,
            sort: SortOrder::Best,
            filter: None,
            any_status: true,
            facets: BTreeMap::new(),
            ..query.clone()
        };
        let mut wanted = wanted(&layers, &snapshot.rows, node.is_some())?;
        let only = [slot];
        wanted.only = Some(&only);
        wanted.keep = query.offset.saturating_add(query.limit).min(DEEPEST);
        let words = self
            .compile_words(&snapshot, node.as_ref(), &layers, MatchRequirements::default())
            .map_err(&failing)?;
        let asked = self.restrict_to_slots(&only, words.asked);
        let found = collect_hits(&snapshot.layers, &asked, &wanted).map_err(&failing)?;
        let page = found.best.get(query.offset.min(found.best.len())..).unwrap_or_default();
        let hits: Result<Vec<LayerHit>, IndexError> = page
            .iter()
            .map(|candidate| {
                self.shown_layer(&snapshot.layers, row, candidate, &words.marks).map_err(&failing)
            })
            .collect();
        Ok((hits?, found.total))
    }

    /// Returns the ids of the records of all hits, best first and without duplicates, for
    /// downloads.
    pub fn find_ids(&self, query: &SearchQuery) -> Result<Vec<String>, IndexError> {
        let node = parse_query(&query.words).map_err(IndexError::Query)?;
        let snapshot = self.engine.snapshot();
        let passing = self.passing(&snapshot, query)?;
        let mut wanted = wanted(query, &snapshot.rows, node.is_some())?;
        wanted.passing = passing.as_deref();
        wanted.keep = usize::MAX / 4;
        let answer = self.search_with_relaxation(&snapshot, node.as_ref(), query, &wanted);
        let found = answer.map_err(self.engine.error_while("searching"))?.found;
        let mut seen = std::collections::HashSet::new();
        let new = found.best.iter().filter(|candidate| seen.insert(candidate.slot));
        Ok(new.filter_map(|candidate| Some(snapshot.rows.get(candidate.slot)?.id.to_string())).collect())
    }

    /// Returns the number of hits and the record ids of one page, at any depth, for the pages of a
    /// catalogue. When searching by layers, each record occurs once per page.
    pub fn find_page(&self, query: &SearchQuery) -> Result<(u64, Vec<String>), IndexError> {
        let node = parse_query(&query.words).map_err(IndexError::Query)?;
        let snapshot = self.engine.snapshot();
        let rows = &snapshot.rows;
        let id = |slot: u64| Some(rows.get(slot)?.id.to_string());
        // A client that requests a second page usually requests all of them.
        let walk = (query.by == SearchTarget::Services && query.offset > 0)
            .then(|| ResultOrderCache::cache_key(query));
        let piece = |order: &[u32]| {
            let page = order.iter().skip(query.offset).take(query.limit);
            (order.len() as u64, page.filter_map(|slot| id(u64::from(*slot))).collect())
        };
        if let Some(order) = walk.as_ref().and_then(|walk| snapshot.walks.get(walk)) {
            return Ok(piece(&order));
        }
        let passing = self.passing(&snapshot, query)?;
        let mut wanted = wanted(query, rows, node.is_some())?;
        wanted.passing = passing.as_deref();
        // To cache the order for further pages, all hits must be kept.
        (wanted.skip, wanted.keep) =
            if walk.is_some() { (0, rows.count().max(1)) } else { page(query, rows) };
        let answer = self.search_with_relaxation(&snapshot, node.as_ref(), query, &wanted);
        let found = answer.map_err(self.engine.error_while("searching"))?.found;
        if let Some(walk) = walk {
            let order: Arc<[u32]> = found.best.iter().map(|candidate| candidate.slot as u32).collect();
            snapshot.walks.insert(walk, Arc::clone(&order));
            return Ok(piece(&order));
        }
        let mut seen = std::collections::HashSet::new();
        let page = found.best.get(query.offset.min(found.best.len())..).unwrap_or_default();
        let new = page.iter().filter(|candidate| seen.insert(candidate.slot));
        Ok((found.total, new.filter_map(|candidate| id(candidate.slot)).collect()))
    }

    /// Returns the records that match the query's filter, or `None` if it has no filter.
    fn passing(
        &self,
        snapshot: &IndexSnapshot,
        query: &SearchQuery,
    ) -> Result<Option<Arc<BitSet>>, IndexError> {
        query.filter.as_ref().map(|filter| self.records_matching_filter(snapshot, filter)).transpose()
    }

    /// Compiles the words of a query without relaxing them.
    pub(crate) fn compile_query(
        &self,
        snapshot: &IndexSnapshot,
        node: Option<&QueryNode>,
        query: &SearchQuery,
    ) -> tantivy::Result<CompiledQuery> {
        Ok(self.compile_words(snapshot, node, query, MatchRequirements::default())?.asked)
    }

    /// Returns the hosts of all hits with known locations, for the map; those with the most hits
    /// first.
    pub fn host_places(&self, query: &SearchQuery, limit: usize) -> Result<Vec<HostPlace>, IndexError> {
        Ok(self.host_places_with_unlocated_count(query, limit)?.0)
    }

    /// Like [`CatalogueIndex::host_places`], but also returns the number of hits on hosts without a
    /// known location.
    pub fn host_places_with_unlocated_count(
        &self,
        query: &SearchQuery,
        limit: usize,
    ) -> Result<(Vec<HostPlace>, u64), IndexError> {
        let node = parse_query(&query.words).map_err(IndexError::Query)?;
        let snapshot = self.engine.snapshot();
        let passing = self.passing(&snapshot, query)?;
        let mut wanted = wanted(query, &snapshot.rows, node.is_some())?;
        wanted.passing = passing.as_deref();
        wanted.scored = false;
        wanted.keep_records = true;
        let answer = self.search_with_relaxation(&snapshot, node.as_ref(), query, &wanted);
        let found = answer.map_err(self.engine.error_while("searching places"))?.found;
        let mut hosts: HashMap<&str, HostPlace> = HashMap::new();
        let mut without = 0;
        for (slot, hits) in found.records {
            let Some(row) = snapshot.rows.get(slot) else { continue };
            let Some((lat, lon)) = row.place else {
                without += hits;
                continue;
            };
            let host = hosts.entry(&row.host).or_insert_with(|| HostPlace {
                host: row.host.to_string(),
                lat,
                lon,
                country: row.country.as_deref().map(str::to_owned),
                ..HostPlace::default()
            });
            host.count += hits;
            for kind in row.values(0) {
                *host.kinds.entry(snapshot.rows.values[0].name(*kind).to_owned()).or_default() += hits;
            }
        }
        let mut hosts: Vec<HostPlace> = hosts.into_values().collect();
        hosts.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.host.cmp(&b.host)));
        hosts.truncate(limit);
        Ok((hosts, without))
    }

    pub(crate) fn compile_words(
        &self,
        snapshot: &IndexSnapshot,
        node: Option<&QueryNode>,
        query: &SearchQuery,
        leniency: MatchRequirements,
    ) -> tantivy::Result<CompiledWords> {
        let languages: Vec<Language> =
            Language::all().filter(|language| snapshot.rows.languages & language.bit() != 0).collect();
        let mut compiler = QueryCompiler {
            half: select_index(snapshot, query.by),
            fields: self.engine.fields,
            by: query.by,
            languages: &languages,
            synonyms: &self.synonyms,
            without: &query.without,
            minimum: leniency.minimum,
            any_kind: leniency.any_kind,
            marks: HighlightTerms::default(),
            counted: 0,
        };
        let asked = compiler.compile(node)?;
        Ok(CompiledWords { asked, counted: compiler.counted, marks: compiler.marks })
    }

    /// Restricts an engine query to the layers of these records. Plans are restricted when they are
    /// collected.
    pub(crate) fn restrict_to_slots(&self, slots: &[u64], asked: CompiledQuery) -> CompiledQuery {
        let CompiledQuery::Query(words) = asked else { return asked };
        let ours = slots.iter().map(|slot| {
            let term = Term::from_field_u64(self.engine.fields.slot, *slot);
            Box::new(tantivy::query::BoostQuery::new(
                Box::new(TermQuery::new(term, IndexRecordOption::Basic)),
                0.0,
            )) as Box<dyn tantivy::query::Query>
        });
        let ours = BooleanQuery::union(ours.collect());
        CompiledQuery::Query(Box::new(BooleanQuery::new(vec![
            (Occur::Must, Box::new(ours)),
            (Occur::Must, words),
        ])))
    }

    pub(crate) fn load_stored<T: serde::de::DeserializeOwned + Default>(
        &self,
        searcher: &Searcher,
        at: DocAddress,
    ) -> tantivy::Result<T> {
        let document: TantivyDocument = searcher.doc(at)?;
        let bytes = document.get_first(self.engine.fields.document).and_then(|value| value.as_bytes());
        Ok(bytes.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default())
    }

    fn service_hit(
        &self,
        searcher: &Searcher,
        row: &IndexRow,
        candidate: &ScoredHit,
        marks: &HighlightTerms,
    ) -> tantivy::Result<Hit> {
        let stored: StoredService<serde::de::IgnoredAny> = self.load_stored(searcher, candidate.at)?;
        let language = language(row);
        let (mut snippet, hit) = marks.mark_snippet(&stored.text, language);
        if !hit && !stored.keywords.is_empty() {
            let (keywords, hit) = marks.mark_snippet(&stored.keywords.join(", "), language);
            if hit || snippet.is_empty() {
                snippet = keywords;
            }
        }
        Ok(Hit {
            id: row.id.to_string(),
            score: candidate.score,
            title: marks.mark_text(&stored.title, language),
            snippet,
            ..Hit::default()
        })
    }

    fn layer_hit(
        &self,
        half: &SearchIndex,
        row: &IndexRow,
        candidate: &ScoredHit,
        marks: &HighlightTerms,
    ) -> tantivy::Result<Hit> {
        let stored: StoredLayer = self.load_stored(&half.searcher, candidate.at)?;
        let language = language(row);
        let layer = Self::layer(half, row, candidate, &stored, marks);
        Ok(Hit {
            id: row.id.to_string(),
            score: candidate.score,
            title: layer.title.clone(),
            snippet: marks.mark_snippet(&stored.text, language).0,
            layers: vec![layer],
            layers_matching: 1,
            ..Hit::default()
        })
    }

    fn shown_layer(
        &self,
        half: &SearchIndex,
        row: &IndexRow,
        candidate: &ScoredHit,
        marks: &HighlightTerms,
    ) -> tantivy::Result<LayerHit> {
        let stored: StoredLayer = self.load_stored(&half.searcher, candidate.at)?;
        Ok(Self::layer(half, row, candidate, &stored, marks))
    }

    fn layer(
        half: &SearchIndex,
        row: &IndexRow,
        candidate: &ScoredHit,
        stored: &StoredLayer,
        marks: &HighlightTerms,
    ) -> LayerHit {
        let title = if stored.title.is_empty() { &stored.name } else { &stored.title };
        let title = marks.mark_text(title, language(row));
        let table = &half.tables[candidate.at.segment_ord as usize];
        let bbox = table.spots.get(candidate.at.doc_id as usize).and_then(|spot| spot.to_box());
        LayerHit { name: stored.name.clone(), title, bbox: bbox.map(FixedPointBox::to_bbox) }
    }

    /// Explains the rank of each hit: the factor of each signal, and for signals within the text
    /// score how much it would drop without them.
    fn explain(
        &self,
        snapshot: &IndexSnapshot,
        node: Option<&QueryNode>,
        query: &SearchQuery,
        leniency: MatchRequirements,
        page: &[ScoredHit],
        hits: &mut [Hit],
    ) -> tantivy::Result<()> {
        for (candidate, hit) in page.iter().zip(hits.iter_mut()) {
            let Some(facts) = snapshot.rows.facts(candidate.slot) else { continue };
            let standing = RecordFactors::from_facts(facts.fact, snapshot.rows.latest, &query.without);
            hit.explanation = BTreeMap::from([
                (RankingSignal::Text, candidate.text),
                (RankingSignal::Overlap, candidate.overlap),
                (RankingSignal::Quality, standing.quality),
                (RankingSignal::Liveness, standing.liveness),
                (RankingSignal::Freshness, standing.freshness),
            ]);
        }
        if node.is_none() || query.without.contains(&RankingSignal::Text) {
            return Ok(());
        }
        let half = select_index(snapshot, query.by);
        let texts = |without: Vec<RankingSignal>| -> tantivy::Result<Vec<f32>> {
            let words =
                self.compile_words(snapshot, node, &SearchQuery { without, ..query.clone() }, leniency)?;
            page.iter().map(|candidate| text_of(half, &words.asked, candidate.at, leniency.minimum)).collect()
        };
        let own = texts(query.without.clone())?;
        if query.by == SearchTarget::Services && !query.without.contains(&RankingSignal::Layers) {
            for ((candidate, hit), own) in page.iter().zip(hits.iter_mut()).zip(&own) {
                hit.explanation.insert(RankingSignal::Layers, (candidate.text - own).max(0.0));
            }
        }
        for signal in [
            RankingSignal::Synonyms,
            RankingSignal::PageWords,
            RankingSignal::Stemming,
            RankingSignal::Countries,
        ] {
            if query.without.contains(&signal) {
                continue;
            }
            let without = texts(query.without.iter().copied().chain([signal]).collect())?;
            for ((hit, own), without) in hits.iter_mut().zip(&own).zip(without) {
                hit.explanation.insert(signal, own - without);
            }
        }
        Ok(())
    }
}

/// Returns the text factor of one document, or 0 if it does not match.
fn text_of(
    half: &SearchIndex,
    asked: &CompiledQuery,
    at: DocAddress,
    minimum: Option<usize>,
) -> tantivy::Result<f32> {
    match asked {
        CompiledQuery::Plan(plan) => {
            let scored = plan.score_documents(half, at.segment_ord as usize, &[at.doc_id])?;
            let matching = scored.first().filter(|scored| plan.is_sufficient(**scored, minimum));
            Ok(matching.map_or(0.0, |scored| plan.text_factor(*scored)))
        }
        CompiledQuery::Query(query) => {
            let weight = query.weight(EnableScoring::enabled_from_searcher(&half.searcher))?;
            let mut scorer = weight.scorer(half.searcher.segment_reader(at.segment_ord), 1.0)?;
            let reached = if scorer.doc() < at.doc_id { scorer.seek(at.doc_id) } else { scorer.doc() };
            Ok(if reached == at.doc_id { crate::rank::text_factor(scorer.score()) } else { 0.0 })
        }
    }
}

fn language(row: &IndexRow) -> Language {
    Language::from_number(row.language).unwrap_or(Language::ENGLISH)
}

pub fn select_index(snapshot: &IndexSnapshot, by: SearchTarget) -> &SearchIndex {
    match by {
        SearchTarget::Services => &snapshot.services,
        SearchTarget::Layers => &snapshot.layers,
    }
}

/// Returns how many hits are skipped, and how many are kept including those.
fn page(query: &SearchQuery, rows: &RowTable) -> (usize, usize) {
    let deepest = match query.by {
        SearchTarget::Services => rows.count().max(DEEPEST),
        SearchTarget::Layers => DEEPEST,
    };
    let keep = query.offset.saturating_add(query.limit).min(deepest);
    (query.offset.min(keep), keep)
}

/// Collects the criteria of a query besides its words.
fn wanted<'a>(
    query: &'a SearchQuery,
    rows: &'a RowTable,
    words: bool,
) -> Result<SearchCriteria<'a>, IndexError> {
    let area = match &query.bbox {
        Some(bbox) => Some((
            FixedPointBox::from_bbox(bbox).map(QueryBox::from_box).ok_or_else(|| {
                IndexError::Query(
                    "The box must be west, south, east, north in degrees, with south below north.".to_owned(),
                )
            })?,
            query.relation,
        )),
        None => None,
    };
    let mut filters: [Option<Vec<bool>>; FACETS.len()] = Default::default();
    for (facet, values) in query.facets.iter().filter(|(_, values)| !values.is_empty()) {
        let Some(number) = FACETS.iter().position(|known| known == facet) else {
            return Err(IndexError::Query(format!(
                "Unknown facet “{facet}”; the facets are {}.",
                FACETS.join(", ")
            )));
        };
        filters[number] = Some(filter(rows, number, values.iter().map(String::as_str)));
    }
    let status = FACETS.iter().position(|facet| *facet == "status").unwrap_or_default();
    if query.any_status {
        filters[status] = None;
    } else if !query.status.is_empty() {
        filters[status] = Some(filter(rows, status, query.status.iter().map(|status| status.as_str())));
    } else if filters[status].is_none() {
        let usable =
            [Status::Alive, Status::Degraded, Status::Restricted, Status::Blocked, Status::Unchecked];
        filters[status] = Some(filter(rows, status, usable.iter().map(|status| status.as_str())));
    }
    Ok(SearchCriteria {
        rows,
        by: query.by,
        sort: query.sort,
        area,
        time: time(query)?,
        filters,
        without: &query.without,
        scored: words && query.sort == SortOrder::Best && !query.without.contains(&RankingSignal::Text),
        count_facets: false,
        keep_records: false,
        keep: 0,
        skip: 0,
        passing: None,
        only: None,
        minimum: None,
        keep_each: None,
    })
}

fn filter<'a>(rows: &RowTable, facet: usize, values: impl Iterator<Item = &'a str>) -> Vec<bool> {
    let known = &rows.values[facet];
    let mut wanted = vec![false; known.len()];
    for number in values.flat_map(|value| known.find_numbers(value)) {
        wanted[number as usize] = true;
    }
    wanted
}

fn time(query: &SearchQuery) -> Result<Option<(i64, i64)>, IndexError> {
    let Some((from, to)) = &query.time else { return Ok(None) };
    let read = |text: &Option<String>| match text.as_deref().map(str::trim) {
        None | Some("" | "..") => Ok(None),
        Some(text) => moments::parse_time_range(text).map(Some).ok_or_else(|| {
            IndexError::Query(format!(
                "“{text}” is not a date; write it as 2024-05-31 or 2024-05-31T12:00:00Z."
            ))
        }),
    };
    let (from, to) = (read(from)?, read(to)?);
    if from.is_none() && to.is_none() {
        return Ok(None);
    }
    Ok(Some((from.map_or(i64::MIN, |(first, _)| first), to.map_or(i64::MAX, |(_, last)| last))))
}

fn facets(found: &CollectedHits, rows: &RowTable) -> BTreeMap<String, Vec<(String, u64)>> {
    let facets = FACETS.iter().zip(&found.facets).enumerate().map(|(number, (facet, counts))| {
        let mut numbers: Vec<(u32, u64)> =
            (0..).zip(counts.iter().copied()).filter(|(_, count)| *count > 0).collect();
        let names = &rows.values[number];
        let order =
            |a: &(u32, u64), b: &(u32, u64)| b.1.cmp(&a.1).then_with(|| names.name(a.0).cmp(names.name(b.0)));
        if numbers.len() > MOST_VALUES {
            numbers.select_nth_unstable_by(MOST_VALUES, order);
            numbers.truncate(MOST_VALUES);
        }
        numbers.sort_unstable_by(order);
        let values = numbers.into_iter().map(|(value, count)| (names.name(value).to_owned(), count));
        ((*facet).to_owned(), values.collect())
    });
    facets.collect()
}

// Snapshots are shared between threads.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<CatalogueIndex>();
    shared::<Arc<IndexSnapshot>>();
};
