//! URLs that look like a service that needs a probe specific to its kind.

use crate::kinds::{KINDS, Kind};
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;
use url::Url;

/// URL markers of all kinds in one automaton, with their kinds. Most links contain none and cost
/// one pass.
static MARKS: LazyLock<Option<(AhoCorasick, Vec<&'static dyn Kind>)>> = LazyLock::new(|| {
    let marks: Vec<(&str, &'static dyn Kind)> =
        KINDS.iter().flat_map(|kind| kind.url_marks().iter().map(move |mark| (*mark, *kind))).collect();
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(marks.iter().map(|(mark, _)| mark))
        .ok()
        .filter(|_| !marks.is_empty())?;
    Some((automaton, marks.into_iter().map(|(_, kind)| kind).collect()))
});

/// Returns the kinds that a URL may belong to, each with the URL to probe, in the order of
/// [`KINDS`].
pub fn probe_hints(url: &Url) -> Vec<(&'static str, Url)> {
    let Some((automaton, owners)) = MARKS.as_ref() else { return Vec::new() };
    let mut marked: Vec<&'static dyn Kind> = Vec::new();
    for found in automaton.find_overlapping_iter(url.as_str()) {
        let Some(kind) = owners.get(found.pattern().as_usize()) else { continue };
        if !marked.iter().any(|other| other.profile().id == kind.profile().id) {
            marked.push(*kind);
        }
    }
    marked.sort_by_key(|kind| kind.profile().id);
    marked.into_iter().filter_map(|kind| kind.probe_url(url).map(|at| (kind.profile().id, at))).collect()
}
