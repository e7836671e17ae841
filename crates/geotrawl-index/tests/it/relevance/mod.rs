//! Relevance: judged queries over a collection with hard distractors (the same words elsewhere,
//! stale, blocked, poor and dead copies, layers of the whole world, other languages), and the
//! contribution of each signal.
//!
//! `records.tsv` holds the collection, `queries.tsv` the queries with graded records: 3 is the
//! record that was searched for, 2 equally useful, 1 better than nothing; all others are 0.
//! [`corpus`] tests the same with real documents.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod corpus;

use crate::catalogue::{IndexFixture, RecordBuilder, index_records, service_record};
use geotrawl_index::{RankingSignal, SearchQuery};
use geotrawl_model::{Bbox, Status};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;

const RECORDS: &str = include_str!("records.tsv");
const QUERIES: &str = include_str!("queries.tsv");
/// Minimum mean NDCG@10.
const BAR: f64 = 0.9;

const SIGNALS: [RankingSignal; 10] = [
    RankingSignal::Text,
    RankingSignal::Overlap,
    RankingSignal::Quality,
    RankingSignal::Liveness,
    RankingSignal::Freshness,
    RankingSignal::Synonyms,
    RankingSignal::PageWords,
    RankingSignal::Stemming,
    RankingSignal::Countries,
    RankingSignal::Layers,
];

fn bbox(text: &str) -> Option<[f64; 4]> {
    let numbers: Vec<f64> = text.split(',').filter_map(|number| number.parse().ok()).collect();
    numbers.try_into().ok()
}

fn record(line: &str) -> RecordBuilder {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, kind, language, title, keywords, provider, area, status, score, age, layers, page, text] =
        fields[..]
    else {
        panic!("not thirteen fields: {line}")
    };
    let now: jiff::Timestamp = "2026-06-01T00:00:00Z".parse().unwrap();
    let seen = now - jiff::SignedDuration::from_hours(24 * age.parse::<i64>().unwrap());
    let status: Status = serde_json::from_value(status.into()).unwrap();
    let mut made =
        service_record(id, kind, title).with_status(status).with_abstract(text).with_record(|record| {
            // URLs carry no information here; only visible text does.
            record.resource.url = format!("https://host.example.org/{}", id.len());
            "host.example.org".clone_into(&mut record.host.name);
            (record.first_seen, record.last_seen) = (seen, seen);
            record.score = score.parse().ok();
            record.resource.bbox = bbox(area).map(Bbox::from);
        });
    if !language.is_empty() {
        made = made.with_language(language);
    }
    if !provider.is_empty() {
        made = made.with_provider(provider);
    }
    if !keywords.is_empty() {
        made = made.with_keywords(&keywords.split('|').collect::<Vec<_>>());
    }
    for (name, title) in layers.split(';').filter_map(|layer| layer.split_once('=')) {
        made = made.with_layer(name, title, bbox(area));
    }
    if page.is_empty() { made } else { made.with_page(page, "") }
}

struct JudgedQuery {
    query: SearchQuery,
    grades: HashMap<String, u32>,
}

/// Parses queries with their grades.
fn judged(table: &str) -> Vec<JudgedQuery> {
    let lines = table.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let grades = fields[2].split(' ').filter_map(|grade| grade.split_once('='));
        JudgedQuery {
            query: SearchQuery {
                words: fields[0].to_owned(),
                bbox: bbox(fields[1]).map(Bbox::from),
                limit: 10,
                ..SearchQuery::default()
            },
            grades: grades.map(|(id, grade)| (id.to_owned(), grade.parse().unwrap())).collect(),
        }
    });
    lines.collect()
}

/// Returns the discounted cumulative gain of a list of grades.
fn gain(grades: impl Iterator<Item = u32>) -> f64 {
    let each = grades.take(10).enumerate();
    each.map(|(place, grade)| (f64::from(2_u32.pow(grade)) - 1.0) / (place as f64 + 2.0).log2()).sum()
}

fn ndcg(index: &IndexFixture, judged: &JudgedQuery, without: &[RankingSignal]) -> f64 {
    let hits = index.search(&SearchQuery { without: without.to_vec(), ..judged.query.clone() });
    let got = gain(hits.hits.iter().map(|hit| judged.grades.get(&hit.id).copied().unwrap_or(0)));
    let mut best: Vec<u32> = judged.grades.values().copied().collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    got / gain(best.into_iter())
}

/// Lists the queries with poor answers, and what was found.
fn poor(index: &IndexFixture, judged: &[JudgedQuery]) -> String {
    let mut text = String::new();
    for judged in judged {
        let value = ndcg(index, judged, &[]);
        if value < 0.8 {
            let hits = index.search(&judged.query);
            let found: Vec<&str> = hits.hits.iter().map(|hit| hit.id.as_str()).take(6).collect();
            let mut wanted: Vec<_> = judged.grades.iter().collect();
            wanted.sort_unstable_by_key(|(id, grade)| (Reverse(**grade), *id));
            let words = &judged.query.words;
            writeln!(text, "  {value:.2} {words:?} {found:?}, wanted {wanted:?}").unwrap();
        }
    }
    text
}

#[test]
fn judged_questions_find_what_people_want_and_signals_help() {
    let index = index_records(RECORDS.lines().skip(1).map(record));
    let judged = judged(QUERIES);
    assert!(judged.len() >= 60, "{} questions", judged.len());
    let known: Vec<&str> = RECORDS.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    for id in judged.iter().flat_map(|judged| judged.grades.keys()) {
        assert!(known.contains(&id.as_str()), "{id} is judged and does not exist");
    }
    let mean = |without: &[RankingSignal]| {
        judged.iter().map(|judged| ndcg(&index, judged, without)).sum::<f64>() / judged.len() as f64
    };
    let whole = mean(&[]);
    println!("{} records, {} questions: NDCG@10 {whole:.4}", known.len(), judged.len());
    print!("{}", poor(&index, &judged));
    let mut useless = Vec::new();
    for signal in SIGNALS {
        let without = mean(&[signal]);
        println!("  without {:<10} {without:.4} ({:+.4})", format!("{signal:?}"), without - whole);
        if without >= whole {
            useless.push(signal);
        }
    }
    assert!(whole >= BAR, "NDCG@10 is {whole:.4}, at least {BAR} is wanted");
    assert!(useless.is_empty(), "these signals do not help: {useless:?}");
}
