//! How pages reveal services and files: one entry and one function per discovery method.
//!
//! A new JavaScript form, configuration or catalogue takes one function and one table entry.

mod catalogue;
mod config;
mod javascript;
mod script_libraries;
mod script_values;
mod surface;

use crate::service::escape_xml_text;

/// A resource as shown by a discovery method.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShownResource {
    /// URL in the form that the method requires (see [`UrlForm`]).
    pub url: String,
    pub kind: &'static str,
    pub title: String,
    /// A dataset to name along with it.
    pub layer: String,
    pub number: usize,
    /// Path of the document that shows it, on the page's host; for methods that have one.
    pub document: String,
}

impl ShownResource {
    /// Returns the URL escaped for an attribute or text.
    pub(crate) fn escaped(&self) -> String {
        escape_xml_text(&self.url)
    }

    pub(crate) fn label(&self) -> String {
        escape_xml_text(&self.title)
    }
}

/// Which URL of a resource a method shows. Files have only one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UrlForm {
    /// Full GetCapabilities request.
    Capabilities,
    /// Endpoint without request parameters; only if the path reveals what it is.
    Endpoint,
    /// GetMap, GetFeature and the like.
    Operation,
    /// GetMap or GetTile only: images.
    Image,
}

/// A document on the page's host that shows the resource.
pub(crate) struct RevealDocument {
    pub content_type: &'static str,
    pub body: String,
}

/// How a method shows its resource.
pub(crate) enum RevealForm {
    /// Markup in the body of a page.
    Body(fn(&ShownResource, &mut String)),
    /// Markup in the head of a page.
    Head(fn(&ShownResource, &mut String)),
    /// A `Link` header.
    Header,
    /// A `base` element and a relative link.
    Base,
    /// Only the sitemap lists it.
    Sitemap,
    /// A redirect on the page's host; the page links to it.
    Redirect,
    /// A document on the page's host: its path, the markup that leads to it, and its content.
    Document {
        path: fn(usize) -> String,
        link: fn(&ShownResource, &mut String),
        in_head: bool,
        write: fn(&ShownResource) -> RevealDocument,
    },
    /// A record in a catalogue service.
    Record,
}

/// For methods that work with every kind.
const ANY: &[&str] = &[];

/// A discovery method.
pub(crate) struct RevealWay {
    pub tag: &'static str,
    /// Whether a crawler that reads only markup, text and plain documents must find it.
    pub surface: bool,
    /// The cheapest level of code analysis that finds it: 2 = values are folded, 3 = the code is
    /// run; absent for methods that need no code analysis.
    pub level: Option<u8>,
    /// Kinds of services and files that it can show; empty: all.
    pub kinds: &'static [&'static str],
    pub url: UrlForm,
    pub form: RevealForm,
}

impl RevealWay {
    /// Whether it can show a resource of this kind.
    pub(crate) fn suits(&self, kind: &str) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Returns the number of links between the page and the resource: documents and redirects are
    /// fetched first.
    pub(crate) fn extra_depth(&self) -> u32 {
        u32::from(matches!(self.form, RevealForm::Document { .. } | RevealForm::Redirect))
    }
}

/// Returns the methods that a surface crawler must find.
pub(crate) fn surface_ways() -> &'static [RevealWay] {
    surface::WAYS
}

/// Returns the methods that use scripts, which show maps.
pub(crate) fn script_ways() -> impl Iterator<Item = &'static RevealWay> {
    javascript::WAYS.iter().chain(script_libraries::WAYS).chain(script_values::WAYS)
}

/// Returns the methods that require reading configurations or catalogues, and those that do not
/// count.
pub(crate) fn other_deep_ways() -> impl Iterator<Item = &'static RevealWay> {
    config::WAYS.iter().chain(catalogue::WAYS).chain(surface::NOT_COUNTED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn tags_are_unique_and_say_whether_they_are_surface() {
        let mut tags = BTreeSet::new();
        for way in surface_ways() {
            assert!(way.surface, "{}", way.tag);
            assert!(!way.tag.contains(':'), "{}", way.tag);
            assert!(tags.insert(way.tag));
        }
        for way in script_ways().chain(other_deep_ways()) {
            assert!(!way.surface, "{}", way.tag);
            assert!(tags.insert(way.tag), "{}", way.tag);
            let reads_code = way.tag.starts_with("js:") || way.tag.starts_with("config:");
            assert_eq!(way.level.is_some(), reads_code, "{}", way.tag);
        }
    }

    #[test]
    fn scripts_hold_the_address_as_their_level_says() {
        let shown = ShownResource {
            url: "http://maps.a.test/cgi-bin/mapserv?map=/srv/x.map".to_owned(),
            kind: "wms",
            title: "Roads, all".to_owned(),
            layer: "roads".to_owned(),
            number: 7,
            document: "http://www.a.test/static/x-7.js".to_owned(),
        };
        for way in script_ways() {
            let mut text = String::new();
            match &way.form {
                RevealForm::Body(write) => write(&shown, &mut text),
                RevealForm::Document { link, write, .. } => {
                    link(&shown, &mut text);
                    text.push_str(&write(&shown).body);
                }
                _ => panic!("{} is no script", way.tag),
            }
            assert!(text.contains("<script"), "{}: {text}", way.tag);
            let host = text.contains("maps.a.test");
            let whole = text.contains(&shown.url);
            assert_eq!(host, way.level == Some(2), "{}: {text}", way.tag);
            assert!(host || !whole, "{}: {text}", way.tag);
            for name in ["HOST", "PATH'", "PATH`", "LAYER'", "LAYER)"] {
                assert!(!text.contains(name), "{}: {text}", way.tag);
            }
        }
    }
}
