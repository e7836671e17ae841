//! Connectors and vocabularies: built-in ones and those of the operator.

use geotrawl_kinds::connectors::{ConnectorSet, DeclarativeConnector};
use geotrawl_model::{Resource, Theme};
use geotrawl_themes::{ResourceTexts, ThemeVocabulary, Themes};
use std::sync::Arc;

/// Maximum number of dataset titles to use for labels; more of them add nothing.
const MOST_DATASETS: usize = 300;

/// The vocabulary whose term order is an order of precedence.
const LAND_COVER: &str = "land-cover";

/// The connectors and vocabularies in use. Cheap to clone; the default has only the built-in ones.
#[derive(Clone, Default)]
pub struct Registry {
    connectors: ConnectorSet,
    /// The built-in vocabularies with those of the operator; `None` if there are only built-in
    /// ones.
    vocabularies: Option<Arc<Themes>>,
}

impl Registry {
    /// Adds an operator's connectors and vocabularies to the built-in ones.
    pub fn new(connectors: Vec<DeclarativeConnector>, vocabularies: Vec<ThemeVocabulary>) -> Self {
        Self {
            connectors: ConnectorSet::new(connectors),
            vocabularies: (!vocabularies.is_empty())
                .then(|| Arc::new(Themes::with_vocabularies(vocabularies))),
        }
    }

    /// Returns the connectors in use.
    pub fn connectors(&self) -> &ConnectorSet {
        &self.connectors
    }

    /// Returns the vocabularies in use.
    pub fn vocabularies(&self) -> &Themes {
        self.vocabularies.as_deref().unwrap_or_else(|| Themes::builtin())
    }

    /// Returns the vocabularies for sharing; `None` if only the built-in ones are in use.
    pub fn custom_vocabularies(&self) -> Option<Arc<Themes>> {
        self.vocabularies.clone()
    }

    /// Builds lazily created data, so that the first label need not wait for it. Call it on a
    /// background thread when response times matter.
    pub fn warm_up(&self) {
        self.label_themes(&Resource { title: Some("Roads and rivers".into()), ..Resource::default() });
    }

    /// Labels a resource with themes found in its description.
    pub fn label_themes(&self, resource: &Resource) -> Vec<Theme> {
        let keywords: Vec<&str> = resource.keywords.iter().map(String::as_str).collect();
        let datasets: Vec<&str> = resource
            .datasets
            .iter()
            .take(MOST_DATASETS)
            .map(|dataset| dataset.title.as_deref().unwrap_or(&dataset.name))
            .collect();
        let texts = ResourceTexts {
            title: resource.title.as_deref(),
            abstract_: resource.abstract_.as_deref(),
            keywords: &keywords,
            datasets: &datasets,
            language: resource.languages.first().map(String::as_str),
        };
        let label = |label: geotrawl_themes::ThemeLabel| Theme {
            scheme: label.scheme,
            term: label.term,
            evidence: label.evidence,
        };
        let mut themes: Vec<Theme> = self.vocabularies().find_labels(&texts).into_iter().map(label).collect();
        // The land cover class that takes precedence comes first.
        if let Some(first) = self.vocabularies().land_cover_class(&texts)
            && let Some(start) = themes.iter().position(|theme| theme.scheme == LAND_COVER)
            && let Some(at) =
                themes.iter().position(|theme| theme.scheme == LAND_COVER && theme.term == first.id())
        {
            themes[start..=at].rotate_right(1);
        }
        themes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_find_is_labelled_with_its_evidence() {
        let resource = Resource { title: Some("Waldflächen in Bayern".into()), ..Resource::default() };
        let themes = Registry::default().label_themes(&resource);
        let forest = themes.iter().find(|theme| theme.scheme == "land-cover").expect("a class");
        assert_eq!(forest.term, "forest");
        assert!(forest.evidence.contains("Wald"), "{}", forest.evidence);
        assert!(Registry::default().label_themes(&Resource::default()).is_empty());
    }
}
