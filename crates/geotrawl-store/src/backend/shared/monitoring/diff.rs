//! Describes what changed in a description: field by field, datasets by name.

use geotrawl_model::monitoring::FieldChange;
use geotrawl_model::{Bbox, Dataset, Resource};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Maximum number of changes listed. An extra entry then counts the rest.
const MOST_CHANGES: usize = 60;
/// Maximum number of list entries named.
const MOST_NAMED: usize = 20;
/// Maximum number of characters shown of a value.
const MOST_CHARACTERS: usize = 400;
/// Maximum number of datasets compared; of the rest only the count is.
const MOST_DATASETS: usize = 200_000;

/// Returns the visible changes from one description to the next.
pub(super) fn diff_resources(was: &Resource, now: &Resource) -> Vec<FieldChange> {
    let mut all = FieldChanges::default();
    all.text("title", was.title.as_deref(), now.title.as_deref());
    all.text("abstract", was.abstract_.as_deref(), now.abstract_.as_deref());
    all.list("keywords", &was.keywords, &now.keywords);
    all.text("provider", was.provider.as_deref(), now.provider.as_deref());
    let (old, new) = (&was.contact, &now.contact);
    all.text("contact.person", old.person.as_deref(), new.person.as_deref());
    all.text("contact.organisation", old.organisation.as_deref(), new.organisation.as_deref());
    all.text("contact.email", old.email.as_deref(), new.email.as_deref());
    all.text("contact.phone", old.phone.as_deref(), new.phone.as_deref());
    all.text("contact.url", old.url.as_deref(), new.url.as_deref());
    all.text("licence", was.licence.as_deref(), now.licence.as_deref());
    all.text("bbox", was.bbox.map(corners).as_deref(), now.bbox.map(corners).as_deref());
    all.list("versions", &was.versions, &now.versions);
    all.list("crs", &was.crs, &now.crs);
    all.list("languages", &was.languages, &now.languages);
    all.list("formats", &was.formats, &now.formats);
    all.text("software", was.software.as_deref(), now.software.as_deref());
    if was.dataset_count != now.dataset_count {
        let (old, new) = (was.dataset_count.to_string(), now.dataset_count.to_string());
        all.text("dataset_count", Some(&old), Some(&new));
    }
    diff_datasets(&mut all, &was.datasets, &now.datasets);
    all.finish()
}

#[derive(Default)]
struct FieldChanges {
    told: Vec<FieldChange>,
    more: usize,
}

impl FieldChanges {
    fn add(&mut self, path: String, was: Option<String>, now: Option<String>) {
        if self.told.len() < MOST_CHANGES {
            self.told.push(FieldChange { path, was, now });
        } else {
            self.more += 1;
        }
    }

    fn text(&mut self, path: &str, was: Option<&str>, now: Option<&str>) {
        if was != now {
            self.add(path.to_owned(), was.map(shorten), now.map(shorten));
        }
    }

    /// Adds the entries removed from a list and those added; their order does not matter.
    fn list<T: AsRef<str>>(&mut self, path: &str, was: &[T], now: &[T]) {
        let (gone, come) = (missing_from(was, now), missing_from(now, was));
        if !gone.is_empty() || !come.is_empty() {
            self.add(path.to_owned(), join_names(&gone), join_names(&come));
        }
    }

    fn finish(mut self) -> Vec<FieldChange> {
        if self.more > 0 {
            let now = Some(format!("{} more changes", self.more));
            self.told.push(FieldChange { path: "...".into(), was: None, now });
        }
        self.told
    }
}

fn diff_datasets(all: &mut FieldChanges, was: &[Dataset], now: &[Dataset]) {
    let old: HashMap<&str, &Dataset> =
        was.iter().take(MOST_DATASETS).map(|one| (one.name.as_str(), one)).collect();
    let new: BTreeMap<&str, &Dataset> =
        now.iter().take(MOST_DATASETS).map(|one| (one.name.as_str(), one)).collect();
    let mut gone: Vec<&str> = old.keys().filter(|name| !new.contains_key(*name)).copied().collect();
    gone.sort_unstable();
    let come: Vec<&str> = new.keys().filter(|name| !old.contains_key(*name)).copied().collect();
    if !gone.is_empty() || !come.is_empty() {
        all.add("datasets".into(), join_names(&gone), join_names(&come));
    }
    for (name, after) in &new {
        let Some(before) = old.get(name).filter(|before| *before != after) else { continue };
        let path = |field: &str| format!("datasets[{}].{field}", shorten(name));
        all.text(&path("title"), before.title.as_deref(), after.title.as_deref());
        all.text(&path("abstract"), before.abstract_.as_deref(), after.abstract_.as_deref());
        all.list(&path("keywords"), &before.keywords, &after.keywords);
        all.text(&path("bbox"), before.bbox.map(corners).as_deref(), after.bbox.map(corners).as_deref());
        all.list(&path("crs"), &before.crs, &after.crs);
        all.list(&path("time"), &before.time, &after.time);
        all.list(&path("formats"), &before.formats, &after.formats);
    }
}

/// Returns the entries of the first list that the second lacks.
fn missing_from<'a, T: AsRef<str>>(of: &'a [T], from: &[T]) -> Vec<&'a str> {
    let there: std::collections::HashSet<&str> = from.iter().map(AsRef::as_ref).collect();
    of.iter().map(AsRef::as_ref).filter(|one| !there.contains(one)).collect()
}

/// Joins the first names of a list, and counts the rest.
fn join_names(names: &[&str]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let mut text = names.iter().take(MOST_NAMED).map(|name| shorten(name)).collect::<Vec<_>>().join(", ");
    if names.len() > MOST_NAMED {
        let _infallible = write!(text, " and {} more", names.len() - MOST_NAMED);
    }
    Some(text)
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Formats a box with four decimals, about ten metres; smaller differences do not count.
fn corners(bbox: Bbox) -> String {
    <[f64; 4]>::from(bbox).map(|degrees| format!("{}", (degrees * 1e4).round() / 1e4)).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(name: &str, title: &str) -> Dataset {
        Dataset { name: name.into(), title: Some(title.into()), ..Dataset::default() }
    }

    fn change(path: &str, was: Option<&str>, now: Option<&str>) -> FieldChange {
        FieldChange { path: path.into(), was: was.map(Into::into), now: now.map(Into::into) }
    }

    #[test]
    fn fields_and_datasets_are_told_by_name() {
        let was = Resource {
            title: Some("Rivers".into()),
            keywords: vec!["water".into(), "river".into()],
            bbox: Some(Bbox::from([0.0, 0.0, 1.0, 1.0])),
            datasets: vec![layer("a", "A"), layer("b", "B")],
            dataset_count: 2,
            ..Resource::default()
        };
        let mut now = Resource {
            title: Some("Rivers and lakes".into()),
            keywords: vec!["river".into(), "lake".into()],
            bbox: Some(Bbox::from([0.0, 0.000_000_1, 1.0, 1.0])),
            licence: Some("CC BY".into()),
            datasets: vec![layer("c", "C"), layer("b", "New B")],
            ..was.clone()
        };
        assert_eq!(
            diff_resources(&was, &now),
            [
                change("title", Some("Rivers"), Some("Rivers and lakes")),
                change("keywords", Some("water"), Some("lake")),
                change("licence", None, Some("CC BY")),
                change("datasets", Some("a"), Some("c")),
                change("datasets[b].title", Some("B"), Some("New B")),
            ]
        );
        now.clone_from(&was);
        now.keywords.reverse();
        now.datasets.reverse();
        assert_eq!(diff_resources(&was, &now), [], "a different order was reported as a change");
    }

    #[test]
    fn long_lists_are_cut_with_counts() {
        let was = Resource {
            datasets: (0..500).map(|n| layer(&format!("l{n:03}"), "x")).collect(),
            ..Resource::default()
        };
        let renamed = Resource {
            datasets: (0..500).map(|n| layer(&format!("l{n:03}"), "y")).collect(),
            ..Resource::default()
        };
        let all = diff_resources(&was, &renamed);
        assert_eq!(all.len(), MOST_CHANGES + 1);
        assert_eq!(all.last().and_then(|one| one.now.as_deref()), Some("440 more changes"));
        let gone =
            diff_resources(&was, &Resource { abstract_: Some("é".repeat(5000)), ..Resource::default() });
        assert!(gone[1].was.as_deref().unwrap().ends_with("l019 and 480 more"));
        assert_eq!(gone[0].now.as_deref().unwrap().chars().count(), MOST_CHARACTERS + 3);
    }
}
