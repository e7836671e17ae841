//! `themes`: assigns themes to texts and records.

use crate::cli::{GlobalArgs, ThemesArgs};
use crate::config::Config;
use crate::exit::{ExitStatus, UsageError};
use crate::output::{self, format_count, sanitize_line};
use anyhow::Result;
use geotrawl_crawl::registry::Registry;
use geotrawl_model::{RecordFilter, Resource, Theme};
use geotrawl_themes::ThemeVocabulary;
use serde_json::json;

/// Number of records labelled per transaction.
const BATCH: usize = 500;

/// Labels texts, lists vocabularies, or relabels the catalogue.
pub fn run(global: &GlobalArgs, args: &ThemesArgs) -> Result<ExitStatus> {
    let registry = Config::load(global)?.registry()?;
    if let Some(scheme) = &args.list {
        return list(global, &registry, scheme);
    }
    if args.texts.is_empty() {
        return label_catalogue(global, &registry);
    }
    for text in &args.texts {
        let themes = registry.label_themes(&Resource { title: Some(text.clone()), ..Resource::default() });
        if global.json {
            output::print_json(&json!({"input": text, "themes": themes}));
            continue;
        }
        output::print_line(&sanitize_line(text, 120));
        for Theme { scheme, term, evidence } in &themes {
            output::print_line(&format!("  {scheme:<12} {term:<28} {}", sanitize_line(evidence, 120)));
        }
        if themes.is_empty() {
            output::print_line("  no matching theme");
        }
    }
    Ok(ExitStatus::Done)
}

fn list(global: &GlobalArgs, registry: &Registry, scheme: &str) -> Result<ExitStatus> {
    let all = registry.vocabularies().vocabularies();
    if scheme.is_empty() {
        for vocabulary in all {
            if global.json {
                output::print_json(
                    &json!({"scheme": vocabulary.id, "title": title(vocabulary), "terms": vocabulary.terms.len()}),
                );
            } else {
                let terms = format_count(vocabulary.terms.len() as u64, "term", "terms");
                output::print_line(&format!("{:<12} {:>10}  {}", vocabulary.id, terms, title(vocabulary)));
            }
        }
        return Ok(ExitStatus::Done);
    }
    let Some(vocabulary) = all.iter().find(|vocabulary| vocabulary.id == scheme) else {
        let known: Vec<&str> = all.iter().map(|vocabulary| vocabulary.id.as_str()).collect();
        return Err(
            UsageError(format!("unknown vocabulary '{scheme}'; use one of {}", known.join(", "))).into()
        );
    };
    for term in &vocabulary.terms {
        if global.json {
            output::print_json(
                &json!({"scheme": vocabulary.id, "term": term.id, "label": term.label("en"), "uri": term.source}),
            );
        } else {
            output::print_line(&format!("{:<28} {}", term.id, term.label("en")));
        }
    }
    Ok(ExitStatus::Done)
}

/// Returns the title of a vocabulary in English, or else in any language.
fn title(vocabulary: &ThemeVocabulary) -> &str {
    let title = vocabulary.title.get("en").or_else(|| vocabulary.title.values().next());
    title.map_or(&vocabulary.id, String::as_str)
}

/// Labels every record with the current vocabularies.
fn label_catalogue(global: &GlobalArgs, registry: &Registry) -> Result<ExitStatus> {
    let store = crate::stores::open(global)?;
    let (mut labelled, mut records) = (0_u64, 0_u64);
    let mut batch: Vec<(String, Vec<Theme>)> = Vec::new();
    let mut fault = None;
    store.visit_records(&RecordFilter::default(), &mut |record| {
        let themes = registry.label_themes(&record.resource);
        records += 1;
        labelled += u64::from(!themes.is_empty());
        if themes != record.themes {
            batch.push((record.id, themes));
        }
        if batch.len() >= BATCH {
            fault = store.set_themes(&std::mem::take(&mut batch), jiff::Timestamp::now()).err();
        }
        fault.is_none()
    })?;
    if let Some(error) = fault {
        return Err(error.into());
    }
    store.set_themes(&batch, jiff::Timestamp::now())?;
    if global.json {
        output::print_json(&json!({"records": records, "labelled": labelled}));
    } else {
        output::print_line(&format!(
            "{labelled} of {} have at least one theme.",
            format_count(records, "record", "records")
        ));
    }
    Ok(ExitStatus::Done)
}
