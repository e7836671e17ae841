//! What finds are about: the words of their descriptions, labelled with the vocabularies in force.

use geotrawl_kinds::model::Resource;
use geotrawl_store::record::Theme;
use geotrawl_themes::{Texts, Themes, Vocabulary};
use std::sync::OnceLock;

/// Titles of datasets that are read: more of them say nothing new.
const MOST_DATASETS: usize = 300;

static OWN: OnceLock<Themes> = OnceLock::new();

/// Adds the operator's vocabularies for the rest of the program; `false` when that was done before.
pub fn register(vocabularies: Vec<Vocabulary>) -> bool {
    OWN.set(Themes::with(vocabularies)).is_ok()
}

/// The vocabularies in force.
pub fn vocabularies() -> &'static Themes {
    OWN.get().unwrap_or_else(|| Themes::builtin())
}

/// Makes ready what the first label would have to wait for. Whoever measures how long others take to answer does this
/// before, on a thread that may be busy.
pub fn warm_up() {
    themes(&Resource { title: Some("Roads and rivers".into()), ..Resource::default() });
}

/// What a resource is about.
pub fn themes(resource: &Resource) -> Vec<Theme> {
    let keywords: Vec<&str> = resource.keywords.iter().map(String::as_str).collect();
    let datasets: Vec<&str> = resource
        .datasets
        .iter()
        .take(MOST_DATASETS)
        .map(|dataset| dataset.title.as_deref().unwrap_or(&dataset.name))
        .collect();
    let texts = Texts {
        title: resource.title.as_deref(),
        abstract_: resource.abstract_.as_deref(),
        keywords: &keywords,
        datasets: &datasets,
        language: resource.languages.first().map(String::as_str),
    };
    let label = |label: geotrawl_themes::Label| Theme {
        scheme: label.scheme,
        term: label.term,
        evidence: label.evidence,
    };
    let mut themes: Vec<Theme> = vocabularies().labels(&texts).into_iter().map(label).collect();
    // Of several classes of land cover, the one that precedes the others comes first.
    if let Some(first) = vocabularies().land_cover(&texts)
        && let Some(start) = themes.iter().position(|theme| theme.scheme == LAND_COVER)
        && let Some(at) =
            themes.iter().position(|theme| theme.scheme == LAND_COVER && theme.term == first.id())
    {
        themes[start..=at].rotate_right(1);
    }
    themes
}

/// The vocabulary whose order of terms is an order of precedence.
const LAND_COVER: &str = "land-cover";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_find_is_labelled_with_its_evidence() {
        let resource = Resource { title: Some("Waldflächen in Bayern".into()), ..Resource::default() };
        let themes = themes(&resource);
        let forest = themes.iter().find(|theme| theme.scheme == "land-cover").expect("a class");
        assert_eq!(forest.term, "forest");
        assert!(forest.evidence.contains("Wald"), "{}", forest.evidence);
        assert!(super::themes(&Resource::default()).is_empty());
    }
}
