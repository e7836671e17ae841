//! `search`, `index` and `stats`: queries over the catalogue.

use crate::cli::{GlobalArgs, SearchArgs, find_similar};
use crate::config::Config;
use crate::exit::{ExitStatus, UsageError};
use crate::output::{self, format_count, sanitize_line};
use anyhow::Result;
use geotrawl_index::{
    CatalogueIndex, Hit, IndexError, IndexOptions, LayerHit, PlaceMatch, SearchQuery, SearchResults,
    SearchTarget,
};
use geotrawl_model::store::{ChangeStore, Store};
use geotrawl_model::{Record, Status};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Maximum number of rows per table.
const ROWS: usize = 20;

/// Returns the directory of a catalogue's index.
pub fn index_dir(data: &Path) -> std::path::PathBuf {
    data.join("index")
}

/// Opens the index of the catalogue and updates it.
pub fn open_index(global: &GlobalArgs, store: &dyn ChangeStore) -> Result<CatalogueIndex> {
    let options = IndexOptions { synonyms: Config::load(global)?.serve.synonyms, ..IndexOptions::default() };
    let index = CatalogueIndex::open(&index_dir(&crate::stores::derived_dir(global)), &options)?;
    // A server running on this catalogue holds the write lock and keeps the index up to date
    // itself.
    if index.progress().seq < store.last_change()?
        && let Err(error) = index.apply_changes(store)
    {
        output::print_message(&format!(
            "geotrawl: the results may be out of date: cannot update the index: {error}"
        ));
    }
    Ok(index)
}

/// Searches the catalogue and prints the results.
pub fn run(global: &GlobalArgs, args: &SearchArgs) -> Result<ExitStatus> {
    let store = crate::stores::open_to_read(global)?;
    store.set_geoip(super::places(&Config::load(global)?.serve)?);
    let index = open_index(global, &*store)?;
    let (status, any_status) = statuses(&args.status)?;
    let mut facets = BTreeMap::new();
    for (name, values) in [("kind", &args.kinds), ("theme", &args.themes)] {
        if !values.is_empty() {
            facets.insert(name.to_owned(), values.clone());
        }
    }
    let query = SearchQuery {
        words: args.words.join(" "),
        bbox: args.bbox,
        relation: args.relation.to_relation(),
        facets,
        status,
        any_status,
        by: if args.layers { SearchTarget::Layers } else { SearchTarget::Services },
        limit: args.limit,
        offset: args.offset,
        explain: args.explain,
        ..SearchQuery::default()
    };
    let found = index.search(&query).map_err(|error| match error {
        IndexError::Query(message) => anyhow::Error::from(UsageError(message)),
        other => other.into(),
    })?;
    for hit in &found.hits {
        // The index may still contain records that were removed.
        let Some(record) = store.find_record(&hit.id)? else { continue };
        if global.json { print_json(hit, &record)? } else { print_text(hit, &record, args.explain) }
    }
    if found.total == 0 {
        ensure_known_themes(global, &*store, &args.themes)?;
    }
    if !global.quiet && !global.json {
        print_remarks(args, &found);
    }
    Ok(ExitStatus::Done)
}

/// Returns an error if a theme is in no vocabulary and on no record.
fn ensure_known_themes(global: &GlobalArgs, store: &dyn Store, themes: &[String]) -> Result<()> {
    if themes.is_empty() {
        return Ok(());
    }
    let registry = Config::load(global)?.registry()?;
    let terms = || registry.vocabularies().vocabularies().iter().flat_map(|one| &one.terms);
    // Records may carry terms of a vocabulary that is not loaded now.
    let used = store.statistics()?.themes;
    for theme in themes {
        if terms().any(|term| term.id == *theme) || used.contains_key(theme) {
            continue;
        }
        let hint = match find_similar(theme, terms().map(|term| term.id.as_str())) {
            Some(similar) => format!("did you mean '{similar}'?"),
            None => "run `geotrawl themes --list` to see the vocabularies".to_owned(),
        };
        return Err(UsageError(format!("unknown theme '{theme}'; {hint}")).into());
    }
    Ok(())
}

/// Prints the number of results and how to get better ones.
fn print_remarks(args: &SearchArgs, found: &SearchResults) {
    let shown = found.hits.len() as u64;
    let complete = found.complete.map(|all| format!(", {all} match all words")).unwrap_or_default();
    output::print_message(&format!(
        "{shown} of {}{complete}.",
        format_count(found.total, "result", "results")
    ));
    match &found.did_you_mean {
        Some(other) if found.corrected => {
            output::print_message(&format!("No exact matches. Showing results for: {other}"));
        }
        Some(other) => output::print_message(&format!("Did you mean: {other}")),
        None => {}
    }
    if let Some(place) = suggest_place(args) {
        output::print_message(&place);
    }
    if found.total == 0
        && let Some(advice) = advise(args)
    {
        output::print_message(&advice);
    }
}

/// Offers to search in the area that the words name.
fn suggest_place(args: &SearchArgs) -> Option<String> {
    let words = args.words.join(" ");
    // Words with operators are meant as they are.
    if args.bbox.is_some() || words.contains(['"', ':', '*', '~', '(']) {
        return None;
    }
    let mentions = geotrawl_serve::assets::gazetteer().find_mentions(&words, 1);
    let PlaceMatch { place, rest } = mentions.first()?;
    let rest = if rest.is_empty() { String::new() } else { format!("{rest} ") };
    let name = &place.name;
    Some(format!("To search only in {name}: geotrawl search {rest}--bbox '{name}'"))
}

/// Says which conditions to drop after a search without results.
fn advise(args: &SearchArgs) -> Option<String> {
    let mut advice = Vec::new();
    if args.words.len() > 1 {
        advice.push("use fewer words");
    }
    for (given, text) in [
        (args.bbox.is_some(), "leave out --bbox"),
        (!args.kinds.is_empty(), "leave out --kind"),
        (!args.themes.is_empty(), "leave out --theme"),
        (args.layers, "leave out --layers"),
        (args.offset > 0, "leave out --offset"),
    ] {
        if given {
            advice.push(text);
        }
    }
    if args.status != ["any"] {
        advice.push("add --status any to include services that do not work");
    }
    (!advice.is_empty()).then(|| format!("To find more: {}.", advice.join("; ")))
}

/// Returns a layer in the format of this command's JSON output: the API calls its title
/// `title_html`.
fn layer_json(layer: &LayerHit) -> Value {
    let mut shown = json!({ "name": layer.name, "title": layer.title });
    if let Some(bbox) = layer.bbox {
        shown["bbox"] = json!(bbox);
    }
    shown
}

fn print_json(hit: &Hit, record: &Record) -> Result<()> {
    let mut value = serde_json::to_value(record)?;
    if let Some(members) = value.as_object_mut() {
        let mut why = serde_json::to_value(hit)?;
        why["layers"] = hit.layers.iter().map(layer_json).collect();
        members.insert("hit".into(), why);
    }
    output::print_json(&value);
    Ok(())
}

fn print_text(hit: &Hit, record: &Record, explain: bool) {
    let title = record.resource.title.as_deref().unwrap_or("(no title)");
    let (kind, url) = (&record.resource.kind, &record.resource.url);
    output::print_line(&format!("{kind}  {}  {}", sanitize_line(title, 80), sanitize_line(url, 200)));
    let score = record.score.map_or("no score yet".to_owned(), |score| format!("score {score}"));
    let mut about = vec![record.status.as_str().to_owned(), score];
    if record.resource.dataset_count > 0 {
        about.push(format_count(record.resource.dataset_count, "layer", "layers"));
    }
    output::print_line(&format!("      {}, id {}", about.join(", "), record.id));
    for layer in &hit.layers {
        output::print_line(&format!("      layer {}", format_layer(layer, record)));
    }
    if !hit.missing.is_empty() {
        output::print_line(&format!("      missing: {}", sanitize_line(&hit.missing.join(", "), 100)));
    }
    if explain {
        let signals: Vec<String> = hit
            .explanation
            .iter()
            .map(|(signal, value)| format!("{signal:?} {value:.2}").to_lowercase())
            .collect();
        output::print_line(&format!("      rank {:.2}: {}", hit.score, signals.join(", ")));
    }
}

/// Formats a layer with its title. The title of the hit is HTML, so the one of the record is used.
fn format_layer(layer: &LayerHit, record: &Record) -> String {
    let name = sanitize_line(&layer.name, 100);
    let titled = record.resource.datasets.iter().find(|dataset| dataset.name == layer.name);
    match titled.and_then(|dataset| dataset.title.as_deref()) {
        Some(title) if title != layer.name => format!("{} ({name})", sanitize_line(title, 80)),
        _ => name,
    }
}

fn statuses(words: &[String]) -> Result<(Vec<Status>, bool)> {
    let mut wanted = Vec::new();
    for word in words {
        if word == "any" {
            return Ok((Vec::new(), true));
        }
        let status = serde_json::from_value(json!(word)).map_err(|_unknown| {
            UsageError(format!(
                "unknown status '{word}'; use alive, degraded, dead, restricted, blocked, inconclusive, \
                 unchecked, or any for all"
            ))
        })?;
        wanted.push(status);
    }
    Ok((wanted, false))
}

/// Deletes the index and builds it again.
pub fn rebuild_index(global: &GlobalArgs) -> Result<ExitStatus> {
    let store = crate::stores::open_to_read(global)?;
    let config = Config::load(global)?;
    store.set_geoip(super::places(&config.serve)?);
    let options = IndexOptions { synonyms: config.serve.synonyms, ..IndexOptions::default() };
    let followed =
        CatalogueIndex::open(&index_dir(&crate::stores::derived_dir(global)), &options)?.rebuild(&*store)?;
    if !global.quiet {
        output::print_message(&format!("Indexed {}.", format_count(followed.records, "record", "records")));
    }
    Ok(ExitStatus::Done)
}

/// Prints statistics about the catalogue.
pub fn print_statistics(global: &GlobalArgs) -> Result<ExitStatus> {
    let store = crate::stores::open_to_read(global)?;
    store.set_geoip(super::places(&Config::load(global)?.serve)?);
    let numbers = store.statistics()?;
    if global.json {
        output::print_json(&serde_json::to_value(&numbers)?);
        return Ok(ExitStatus::Done);
    }
    output::print_line(&format!(
        "{} with {} on {}, from {} read",
        format_count(numbers.records, "record", "records"),
        format_count(numbers.datasets, "layer", "layers"),
        format_count(numbers.hosts, "host", "hosts"),
        format_count(numbers.pages, "page", "pages")
    ));
    let countries: BTreeMap<String, u64> =
        numbers.countries.into_iter().map(|(country, kinds)| (country, kinds.values().sum())).collect();
    for (title, counts) in [
        ("Kind", &numbers.kinds),
        ("Status", &numbers.statuses),
        ("Country", &countries),
        ("Host", &numbers.by_host),
        ("Software", &numbers.software),
        ("Theme", &numbers.themes),
    ] {
        table(title, counts);
    }
    if !numbers.levels.is_empty() {
        output::print_line(&format!("\n{:<40} {:>10} {:>10}", "Level", "pages", "records"));
        for level in &numbers.levels {
            output::print_line(&format!("{:<40} {:>10} {:>10}", level.depth, level.pages, level.found));
        }
    }
    Ok(ExitStatus::Done)
}

/// Prints the largest counts, one per line.
fn table(title: &str, counts: &BTreeMap<String, u64>) {
    if counts.is_empty() {
        return;
    }
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), *name));
    output::print_line(&format!("\n{title:<40} {:>10}", "records"));
    for (name, n) in sorted.iter().take(ROWS) {
        output::print_line(&format!("{:<40} {n:>10}", sanitize_line(name, 40)));
    }
    let rest: u64 = sorted.iter().skip(ROWS).map(|(_, n)| **n).sum();
    if rest > 0 {
        let more = format_count((sorted.len() - ROWS) as u64, "other", "others");
        output::print_line(&format!("{more:<40} {rest:>10}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;
    use geotrawl_model::{Dataset, Resource};

    fn search(words: &[&str]) -> SearchArgs {
        match Cli::parse_from(["geotrawl", "search"].iter().chain(words)).command {
            Command::Search(args) => args,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_place_among_the_words_is_offered_as_an_area() {
        let said = suggest_place(&search(&["flood", "Austria"])).unwrap();
        assert_eq!(said, "To search only in Austria: geotrawl search flood --bbox 'Austria'");
        assert_eq!(suggest_place(&search(&["flood", "Austria", "--bbox", "Italy"])), None);
        assert_eq!(suggest_place(&search(&["title:Austria"])), None);
        assert_eq!(suggest_place(&search(&["flood"])), None);
    }

    #[test]
    fn nothing_found_names_the_conditions_to_drop() {
        let said = advise(&search(&["flood", "zones", "--kind", "wms"])).unwrap();
        assert_eq!(
            said,
            "To find more: use fewer words; leave out --kind; add --status any to include services that do not work."
        );
        assert_eq!(advise(&search(&["flood", "--status", "any"])), None);
    }

    #[test]
    fn a_layer_is_shown_with_its_title() {
        let dataset =
            Dataset { name: "ns1:r".into(), title: Some("Rivers & lakes".into()), ..Dataset::default() };
        let resource = Resource { datasets: vec![dataset], ..Resource::default() };
        let record = Record { resource, ..Record::default() };
        let layer = |name: &str| LayerHit {
            name: name.into(),
            title: "<mark>Rivers</mark> &amp; lakes".into(),
            bbox: None,
        };
        assert_eq!(format_layer(&layer("ns1:r"), &record), "Rivers & lakes (ns1:r)");
        assert_eq!(format_layer(&layer("ns1:other"), &record), "ns1:other");
    }
}
