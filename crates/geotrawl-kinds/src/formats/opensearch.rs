//! OpenSearch description documents and their URL templates.

use super::tree::XmlTreeNode;
use super::xml::{XmlReader, tidy_text};
use crate::sniff::XmlRoot;

/// Parsed description document.
#[derive(Debug, Default)]
pub struct OpenSearchDescription {
    pub title: Option<String>,
    pub description: Option<String>,
    pub contact: Option<String>,
    pub attribution: Option<String>,
    pub tags: Vec<String>,
    pub language: Option<String>,
    pub templates: Vec<SearchTemplate>,
}

/// URL template of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchTemplate {
    pub media_type: String,
    pub rel: String,
    pub template: String,
    /// Number of the first result and of the first page.
    pub index_offset: u64,
    pub page_offset: u64,
    /// Whether the search supports places or times.
    pub geospatial: bool,
}

impl OpenSearchDescription {
    /// Reads a description. The reader must have just started the root element.
    pub fn from_xml(reader: &mut XmlReader<'_>) -> Self {
        let root = XmlRoot::from_reader(reader);
        // Prefixes of the extensions for geography, time and Earth observation.
        let mut prefixes = vec!["geo".to_owned(), "time".to_owned(), "eo".to_owned()];
        for (name, value) in &root.attrs {
            let extension = value.contains("opensearch/extensions/") || value.contains("opensearch-eo");
            if let (Some(prefix), true) = (name.strip_prefix("xmlns:"), extension) {
                prefixes.push(prefix.to_owned());
            }
        }
        let tree = XmlTreeNode::read_element(reader);
        let text = |name: &str, cap: usize| tree.child_text(name).and_then(|t| tidy_text(t, cap));
        let templates = tree.children_named("Url").take(100).filter_map(|url| {
            let template = url.attr("template")?.to_owned();
            let offset = |name: &str| url.attr(name).and_then(|v| v.parse().ok()).unwrap_or(1);
            let geospatial = prefixes.iter().any(|prefix| template.contains(&format!("{{{prefix}:")));
            Some(SearchTemplate {
                media_type: url.attr("type").unwrap_or_default().to_ascii_lowercase(),
                rel: url.attr("rel").unwrap_or("results").to_ascii_lowercase(),
                index_offset: offset("indexOffset"),
                page_offset: offset("pageOffset"),
                template,
                geospatial,
            })
        });
        Self {
            title: text("LongName", 1024).or_else(|| text("ShortName", 1024)),
            description: text("Description", 4096),
            contact: text("Contact", 256),
            attribution: text("Attribution", 1024),
            tags: text("Tags", 1024)
                .map(|t| t.split_whitespace().map(str::to_owned).collect())
                .unwrap_or_default(),
            language: text("Language", 35).filter(|l| l != "*"),
            templates: templates.collect(),
        }
    }

    /// Returns whether any template supports places or times.
    pub fn is_geospatial(&self) -> bool {
        self.templates.iter().any(|template| template.geospatial)
    }

    /// Returns the template to harvest by: collections before single products, Atom before other
    /// formats.
    pub fn best_template(&self) -> Option<&SearchTemplate> {
        const TYPES: &[&str] = &[
            "application/atom+xml",
            "application/geo+json",
            "application/vnd.geo+json",
            "application/json",
            "application/rss+xml",
            "application/xml",
            "text/xml",
        ];
        let rank = |template: &&SearchTemplate| {
            let media = TYPES.iter().position(|known| template.media_type.starts_with(known))?;
            let rel = match template.rel.as_str() {
                "collection" => 0,
                "results" | "" => 1,
                _ => return None,
            };
            Some((rel, media))
        };
        let searches =
            self.templates.iter().filter(|template| template.geospatial && rank(template).is_some());
        searches.min_by_key(rank)
    }
}

/// Fills a template for `count` records starting at `index` (counted from 0). Optional parameters
/// are left empty, required ones ask for everything.
pub fn fill_template(template: &str, count: u64, index: u64, offsets: (u64, u64)) -> String {
    let value = |name: &str, optional: bool| -> String {
        let local = name.rsplit(':').next().unwrap_or(name);
        match local {
            "count" => count.to_string(),
            "startIndex" => (index + offsets.0).to_string(),
            "startPage" => (index / count.max(1) + offsets.1).to_string(),
            _ if optional => String::new(),
            "searchTerms" => String::new(),
            "box" => "-180,-90,180,90".to_owned(),
            "start" => "1900-01-01T00:00:00Z".to_owned(),
            "end" => "2100-01-01T00:00:00Z".to_owned(),
            "language" => "*".to_owned(),
            "inputEncoding" | "outputEncoding" => "UTF-8".to_owned(),
            _ => String::new(),
        }
    };
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        let Some(end) = rest[start..].find('}') else { break };
        out.push_str(&rest[..start]);
        let inside = &rest[start + 1..start + end];
        out.push_str(&value(inside.trim_end_matches('?'), inside.ends_with('?')));
        rest = &rest[start + end + 1..];
    }
    out.push_str(rest);
    without_empty_parameters(&out)
}

/// Removes query parameters that have no value left after filling.
fn without_empty_parameters(url: &str) -> String {
    let Some((path, query)) = url.split_once('?') else { return url.to_owned() };
    let given = |pair: &&str| {
        let value = pair.split_once('=').map_or(*pair, |(_, value)| value);
        !value.trim_matches(['/', ',']).is_empty()
    };
    let kept: Vec<&str> = query.split('&').filter(given).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn templates_are_filled() {
        let template = "https://x.org/s?q={searchTerms?}&bbox={geo:box?}&t={time:start?}/{time:end?}&n={count?}&from={startIndex?}&p={startPage?}&mode=a";
        assert_eq!(fill_template(template, 50, 100, (1, 1)), "https://x.org/s?n=50&from=101&p=3&mode=a");
        assert_eq!(
            fill_template("https://x.org/s?b={geo:box}&i={startIndex}", 10, 0, (0, 1)),
            "https://x.org/s?b=-180,-90,180,90&i=0"
        );
        assert_eq!(fill_template("https://x.org/{unclosed", 10, 0, (0, 1)), "https://x.org/{unclosed");
    }

    proptest! {
        #[test]
        fn any_template_is_survived(template in ".{0,200}", index in any::<u32>()) {
            fill_template(&template, 50, u64::from(index), (1, 1));
        }
    }
}
