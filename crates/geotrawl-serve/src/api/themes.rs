//! The vocabularies of theme labels.

use super::extract::Json;
use crate::App;
use axum::extract::State;
use geotrawl_themes::{ThemeVocabulary, Themes};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(themes))
}

/// All vocabularies.
#[derive(Debug, Serialize, ToSchema)]
struct Schemes {
    schemes: Vec<Scheme>,
}

/// A vocabulary.
#[derive(Debug, Serialize, ToSchema)]
struct Scheme {
    /// Id used in labels, e.g. `inspire`.
    id: String,
    /// Name in English if available, else in another language.
    title: String,
    /// Names by language.
    titles: BTreeMap<String, String>,
    /// Source of the vocabulary.
    source: Option<String>,
    terms: Vec<TermView>,
}

/// A term of a vocabulary.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Term)]
struct TermView {
    /// Id used in labels, e.g. `hy`.
    id: String,
    /// Names by language.
    label: BTreeMap<String, String>,
    /// Id of the broader term.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    /// URI of the term.
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
}

impl Scheme {
    fn of(vocabulary: &ThemeVocabulary) -> Self {
        let titles = &vocabulary.title;
        let title = titles.get("en").or_else(|| titles.values().next()).unwrap_or(&vocabulary.id);
        let terms = vocabulary.terms.iter().map(|term| {
            let mut label = term.labels.clone();
            // Show a term without a name by its id.
            if label.is_empty() {
                label.insert("en".to_owned(), term.id.clone());
            }
            TermView { id: term.id.clone(), label, parent: term.parent.clone(), uri: term.source.clone() }
        });
        Self {
            id: vocabulary.id.clone(),
            title: title.clone(),
            titles: titles.clone(),
            source: vocabulary.source.clone(),
            terms: terms.collect(),
        }
    }
}

/// Vocabularies with their terms and names by language
#[utoipa::path(
    get, path = "/themes", tag = "meta", responses((status = 200, body = Schemes)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn themes(State(app): State<App>) -> Json<Schemes> {
    let themes = app.vocabularies.as_deref().unwrap_or_else(|| Themes::builtin());
    Json(Schemes { schemes: themes.vocabularies().iter().map(Scheme::of).collect() })
}
