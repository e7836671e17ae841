//! Searches a list of addresses in any format that `seeds import` reads.

use super::super::{Seed, read_seeds};
use super::engine::{EngineHit, EngineProfile, ResultPage};
use super::fault::{EngineErrorClass, SearchEngineError};
use std::path::Path;

pub(super) static DOC: EngineProfile =
    EngineProfile { kind: "list", title: "A list", home: "docs/guide/seeds.md", ..EngineProfile::LOCAL };

/// Most words of a query that are used.
const MOST_WORDS: usize = 30;

/// Returns the addresses of a file whose line contains words of the query; those with the most
/// words come first, then in file order. With `every`, returns all addresses in file order. The
/// file is streamed, so memory is bounded by `most`.
pub(super) fn search_list(
    file: &Path,
    words: &str,
    every: bool,
    most: usize,
) -> Result<ResultPage, SearchEngineError> {
    let cannot = |error: std::io::Error| {
        SearchEngineError::new(
            EngineErrorClass::Local,
            format!("the list {} cannot be read ({error}); check `file`", file.display()),
        )
    };
    let input = std::fs::File::open(file).map_err(cannot)?;
    let wanted: Vec<String> = words.split_whitespace().take(MOST_WORDS).map(str::to_lowercase).collect();
    let mut best: Vec<(usize, EngineHit)> = Vec::new();
    let mut seen = 0_u64;
    let told = read_seeds(input, None, &mut |seed| {
        seen += 1;
        let named = if every { 1 } else { matches(&seed, &wanted) };
        if named > 0 {
            best.push((named, EngineHit { url: seed.url, title: seed.title.unwrap_or_default() }));
            if best.len() >= most.saturating_mul(2).max(64) {
                keep_best(&mut best, most);
            }
        }
        // With `every`, later entries cannot be better, so stop early.
        !(every && best.len() >= most)
    })
    .map_err(cannot)?;
    keep_best(&mut best, most);
    let mut issues: Vec<String> = Vec::new();
    if best.is_empty() && seen > 0 {
        issues.push(format!(
            "none of the {seen} addresses in {} contains a word of the query; `every = true` uses them all",
            file.display()
        ));
    }
    if told.unreadable > 0 {
        let first = told.problems.first().map(String::as_str).unwrap_or_default();
        issues.push(format!("{} lines of {} are unreadable ({first})", told.unreadable, file.display()));
    }
    Ok(ResultPage { hits: best.into_iter().map(|(_, hit)| Some(hit)).collect(), more: false, issues })
}

fn matches(seed: &Seed, wanted: &[String]) -> usize {
    let line = format!("{} {}", seed.url, seed.title.as_deref().unwrap_or_default()).to_lowercase();
    wanted.iter().filter(|word| line.contains(word.as_str())).count()
}

fn keep_best(best: &mut Vec<(usize, EngineHit)>, most: usize) {
    // The sort is stable, so lines with the same number of words stay in file order.
    best.sort_by_key(|(named, _)| std::cmp::Reverse(*named));
    best.truncate(most);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn urls(page: &ResultPage) -> Vec<&str> {
        page.hits.iter().flatten().map(|hit| hit.url.as_str()).collect()
    }

    #[test]
    fn lines_that_name_more_of_the_words_come_first() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(
            b"name;url\nRoads;https://a.example/\nWater levels;https://b.example/\nWater;https://levels.example/\n\
              Water;https://c.example/\nnonsense;not an address\n",
        )
        .unwrap();
        let page = search_list(file.path(), "WATER levels", false, 10).unwrap();
        assert_eq!(urls(&page), ["https://b.example/", "https://levels.example/", "https://c.example/"]);
        assert!(page.issues[0].contains("1 lines"), "{:?}", page.issues);
        assert_eq!(
            urls(&search_list(file.path(), "x", true, 2).unwrap()),
            ["https://a.example/", "https://b.example/"]
        );
        let none = search_list(file.path(), "forest", false, 10).unwrap();
        assert!(none.hits.is_empty() && none.issues[0].contains("every = true"), "{:?}", none.issues);
    }

    #[test]
    fn a_file_that_is_not_there_is_told() {
        let fault = search_list(Path::new("/nonexistent/list.csv"), "x", false, 10).unwrap_err();
        assert_eq!(fault.class, EngineErrorClass::Local);
        assert!(fault.message.contains("check `file`"), "{}", fault.message);
    }
}
