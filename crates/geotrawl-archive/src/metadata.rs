//! Metadata that a page or document contains, and metadata learnt by fetching it (the paper's two
//! metadata sets).

use crate::page::ParsedPage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Maximum number of fields per item.
const MOST_FIELDS: usize = 600;
/// Maximum length of a value, in characters.
const LONGEST_VALUE: usize = 10_000;
/// Maximum depth of structured data that is read.
const DEPTH: usize = 6;
/// HTTP headers that describe the item rather than the transfer.
const HEADERS: [&str; 9] = [
    "content-type",
    "content-language",
    "content-location",
    "content-disposition",
    "last-modified",
    "etag",
    "link",
    "server",
    "date",
];

/// Source of a metadata field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetadataOrigin {
    /// HTTP response headers.
    Http,
    /// Elements of the page: title, language, canonical URL.
    Html,
    /// `meta` elements.
    Meta,
    /// `meta` elements of Dublin Core.
    DublinCore,
    /// `meta` elements of OpenGraph.
    OpenGraph,
    /// Structured data (schema.org and others).
    JsonLd,
    /// Document information of a PDF.
    Pdf,
    /// Learnt by fetching: URL, time, weight.
    Crawl,
}

impl MetadataOrigin {
    /// Returns the identifier used in stored metadata.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Html => "html",
            Self::Meta => "meta",
            Self::DublinCore => "dublin-core",
            Self::OpenGraph => "open-graph",
            Self::JsonLd => "json-ld",
            Self::Pdf => "pdf",
            Self::Crawl => "crawl",
        }
    }
}

/// One metadata field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetadataField {
    pub from: MetadataOrigin,
    pub name: String,
    pub value: String,
}

/// Metadata of an item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Publication or modification date, as stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// DOIs mentioned, without duplicates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dois: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<MetadataField>,
}

impl Metadata {
    /// Adds a field. Ignores fields beyond the limit and truncates long values.
    pub fn add_field(&mut self, from: MetadataOrigin, name: &str, value: &str) {
        let value = value.trim();
        if value.is_empty() || self.fields.len() >= MOST_FIELDS {
            return;
        }
        let value: String =
            value.chars().filter(|c| !c.is_control() || *c == '\n').take(LONGEST_VALUE).collect();
        let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
        if !self.fields.iter().any(|field| field.from == from && field.name == name && field.value == value) {
            self.fields.push(MetadataField { from, name, value });
        }
    }

    /// Adds fields from HTTP response headers.
    pub fn add_headers<'a>(&mut self, headers: impl Iterator<Item = (&'a str, &'a str)>) {
        for (name, value) in headers {
            if HEADERS.iter().any(|known| name.eq_ignore_ascii_case(known)) {
                self.add_field(MetadataOrigin::Http, &name.to_ascii_lowercase(), value);
            }
        }
    }

    /// Adds fields from a page.
    pub fn add_page(&mut self, page: &ParsedPage) {
        for (name, value) in [("title", &page.title), ("language", &page.language)] {
            if let Some(value) = value {
                self.add_field(MetadataOrigin::Html, name, value);
            }
        }
        for (rel, url) in &page.relations {
            if rel
                .split_ascii_whitespace()
                .any(|word| matches!(word, "canonical" | "author" | "license" | "describedby" | "cite-as"))
            {
                self.add_field(MetadataOrigin::Html, rel, url.as_str());
            }
        }
        for (name, value) in &page.metas {
            let from = if name.starts_with("dc.")
                || name.starts_with("dcterms.")
                || name.starts_with("dc:")
                || name.starts_with("dcterms:")
            {
                MetadataOrigin::DublinCore
            } else if ["og:", "article:", "book:", "profile:"].iter().any(|start| name.starts_with(start)) {
                MetadataOrigin::OpenGraph
            } else {
                MetadataOrigin::Meta
            };
            self.add_field(from, name, value);
        }
        for script in &page.ld_json {
            // Scripts that are not JSON are ignored. serde_json limits the depth itself.
            if let Ok(value) = serde_json::from_str::<Value>(script) {
                self.add_structured("", &value, DEPTH);
            }
        }
        self.add_dois(&page.text);
        self.derive_members();
    }

    fn add_structured(&mut self, path: &str, value: &Value, depth: usize) {
        match value {
            Value::Object(members) if depth > 0 => {
                for (name, value) in members {
                    let inner = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    self.add_structured(&inner, value, depth - 1);
                }
            }
            Value::Array(values) if depth > 0 => {
                for value in values.iter().take(100) {
                    self.add_structured(path, value, depth - 1);
                }
            }
            Value::String(text) => self.add_field(MetadataOrigin::JsonLd, path, text),
            Value::Number(number) => self.add_field(MetadataOrigin::JsonLd, path, &number.to_string()),
            Value::Bool(said) => self.add_field(MetadataOrigin::JsonLd, path, &said.to_string()),
            _ => {}
        }
    }

    /// Adds the DOIs in a text.
    pub fn add_dois(&mut self, text: &str) {
        for doi in find_dois(text) {
            if self.dois.len() < 500 && !self.dois.contains(&doi) {
                self.dois.push(doi);
            }
        }
    }

    /// Derives the common members from the fields, preferring the most carefully curated sources.
    pub fn derive_members(&mut self) {
        let find = |wanted: &[(MetadataOrigin, &str)]| {
            wanted.iter().find_map(|(from, name)| {
                let is = |field: &&MetadataField| field.from == *from && field.name == *name;
                self.fields.iter().find(is).map(|field| field.value.clone())
            })
        };
        use MetadataOrigin::{DublinCore, Html, Http, JsonLd, Meta, OpenGraph, Pdf};
        let title = find(&[
            (DublinCore, "dc.title"),
            (DublinCore, "dcterms.title"),
            (Meta, "citation_title"),
            (Html, "title"),
            (OpenGraph, "og:title"),
            (JsonLd, "name"),
            (JsonLd, "headline"),
            (Pdf, "title"),
        ]);
        let description = find(&[
            (DublinCore, "dc.description"),
            (DublinCore, "dcterms.abstract"),
            (Meta, "description"),
            (OpenGraph, "og:description"),
            (JsonLd, "description"),
            (Pdf, "subject"),
        ]);
        let creator = find(&[
            (DublinCore, "dc.creator"),
            (DublinCore, "dcterms.creator"),
            (Meta, "citation_author"),
            (Meta, "author"),
            (JsonLd, "author.name"),
            (JsonLd, "creator.name"),
            (Pdf, "author"),
        ]);
        let language = find(&[
            (Html, "language"),
            (DublinCore, "dc.language"),
            (Http, "content-language"),
            (JsonLd, "inLanguage"),
        ]);
        let date = find(&[
            (DublinCore, "dcterms.modified"),
            (DublinCore, "dc.date"),
            (DublinCore, "dcterms.issued"),
            (OpenGraph, "article:modified_time"),
            (OpenGraph, "article:published_time"),
            (JsonLd, "dateModified"),
            (JsonLd, "datePublished"),
            (Meta, "citation_publication_date"),
            (Http, "last-modified"),
            (Pdf, "created"),
        ]);
        let words: Vec<String> = self
            .fields
            .iter()
            .filter(|field| {
                matches!(
                    (field.from, field.name.as_str()),
                    (Meta | JsonLd | Pdf, "keywords") | (DublinCore, "dc.subject" | "dcterms.subject")
                )
            })
            .flat_map(|field| {
                field.value.split([',', ';']).map(|word| word.trim().to_owned()).collect::<Vec<_>>()
            })
            .filter(|word| !word.is_empty())
            .collect();
        self.title = title;
        self.description = description;
        self.creator = creator;
        self.language = language;
        self.date = date;
        self.keywords = Vec::new();
        for word in words {
            if self.keywords.len() < 100 && !self.keywords.contains(&word) {
                self.keywords.push(word);
            }
        }
        let named: Vec<String> = self
            .fields
            .iter()
            .filter(|field| {
                matches!(
                    field.name.as_str(),
                    "citation_doi" | "dc.identifier" | "doi" | "sameAs" | "@id" | "identifier"
                )
            })
            .map(|field| field.value.clone())
            .collect();
        for value in named {
            self.add_dois(&value);
        }
    }
}

/// Returns the DOIs in a text, in order and in lower case.
pub fn find_dois(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("10.")).map(|at| from + at) {
        from = at + 3;
        // Must not be preceded by a letter, a digit or a dot.
        if text
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_some_and(|c| c.is_alphanumeric() || c == '.')
        {
            continue;
        }
        let rest = text.get(at..text.floor_char_boundary((at + 256).min(text.len()))).unwrap_or_default();
        let Some((prefix, behind)) = rest.split_once('/') else { continue };
        let registrant = prefix.get(3..).unwrap_or_default();
        let digits = registrant
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        if !digits || registrant.len() < 4 {
            continue;
        }
        let end = behind
            .find(|c: char| {
                c.is_whitespace()
                    || c.is_control()
                    || matches!(c, '"' | '<' | '>' | '{' | '}' | '|' | '\\' | '^' | '`')
            })
            .unwrap_or(behind.len());
        let mut suffix = behind.get(..end).unwrap_or_default();
        // Strip trailing punctuation, and closing brackets that were opened before the DOI.
        loop {
            let shorter = suffix.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*']);
            let unopened = |open: char, close: char| {
                shorter.ends_with(close) && shorter.matches(close).count() > shorter.matches(open).count()
            };
            let shorter = if unopened('(', ')') || unopened('[', ']') {
                shorter.get(..shorter.len() - 1).unwrap_or_default()
            } else {
                shorter
            };
            if shorter.len() == suffix.len() {
                break;
            }
            suffix = shorter;
        }
        if !suffix.is_empty() {
            let doi = format!("{prefix}/{suffix}").to_lowercase();
            if !found.contains(&doi) {
                found.push(doi);
            }
            if found.len() >= 1_000 {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page;
    use url::Url;

    #[test]
    fn everything_that_is_said_is_taken_and_the_best_chosen() {
        let page = page::read_page(
            &Url::parse("http://a.example/").unwrap(),
            "<html lang=en><title>ISCCP</title><meta name=DC.title content='Cloud Climatology'>\
             <meta name=keywords content='clouds, satellites'><meta name='orgcode' content='940'>\
             <meta property='og:description' content='From OG'><meta property='article:modified_time' content='2026-01-02'>\
             <script type='application/ld+json'>{\"@type\":\"Dataset\",\"author\":{\"name\":\"W. Rossow\"},\"keywords\":[\"clouds\",\"rain\"]}</script>\
             <p>Cite as doi:10.1175/BAMS-85-2-167, see (https://doi.org/10.1000/x(1)y).</p>",
        );
        let mut metadata = Metadata::default();
        metadata.add_headers([("Content-Type", "text/html"), ("Set-Cookie", "secret=1")].into_iter());
        metadata.add_page(&page);
        assert_eq!(metadata.title.as_deref(), Some("Cloud Climatology"));
        assert_eq!(metadata.description.as_deref(), Some("From OG"));
        assert_eq!(metadata.creator.as_deref(), Some("W. Rossow"));
        assert_eq!(metadata.date.as_deref(), Some("2026-01-02"));
        assert_eq!(metadata.keywords, ["clouds", "satellites", "rain"]);
        assert_eq!(metadata.dois, ["10.1175/bams-85-2-167", "10.1000/x(1)y"]);
        let has =
            |from, name: &str| metadata.fields.iter().any(|field| field.from == from && field.name == name);
        assert!(
            has(MetadataOrigin::Meta, "orgcode")
                && has(MetadataOrigin::Http, "content-type")
                && has(MetadataOrigin::JsonLd, "@type")
        );
        assert!(!metadata.fields.iter().any(|field| field.value.contains("secret")));
    }

    #[test]
    fn identifiers_are_told_from_numbers() {
        assert_eq!(find_dois("version 10.2/3, 110.1234/x, 10.1234/"), Vec::<String>::new());
        assert_eq!(find_dois("10.5194/gmd-1-2-2008."), ["10.5194/gmd-1-2-2008"]);
        assert_eq!(find_dois("see [10.5194/a.b] and 10.5194/A.B"), ["10.5194/a.b"]);
    }

    proptest::proptest! {
        #[test]
        fn strange_texts_are_searched(text in "(10\\.|[0-9]{4}/|[ -~é]{0,6}){0,60}") {
            let _ = find_dois(&text);
        }
    }
}
