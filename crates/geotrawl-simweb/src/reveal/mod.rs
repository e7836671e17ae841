//! The ways in which pages reveal services and files: one entry a way, one function an entry.
//!
//! A new JavaScript form, configuration or catalogue is one function and one line in a table.

mod catalogue;
mod config;
mod javascript;
mod script_libraries;
mod script_values;
mod surface;

use crate::service::escape_xml_text;

/// What a way shows.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShownResource {
    /// The URL in the form the way wants (see [`UrlForm`]).
    pub url: String,
    pub kind: &'static str,
    pub title: String,
    /// A dataset to name beside it.
    pub layer: String,
    pub number: usize,
    /// Where the document that shows it stands, for ways that have one: path on the page's host.
    pub document: String,
}

impl ShownResource {
    /// The URL escaped for an attribute or text.
    pub(crate) fn escaped(&self) -> String {
        escape_xml_text(&self.url)
    }

    pub(crate) fn label(&self) -> String {
        escape_xml_text(&self.title)
    }
}

/// Which URL of a resource a way shows. Files have only one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UrlForm {
    /// Full GetCapabilities request.
    Capabilities,
    /// Endpoint without request parameters; only where the path tells what it is.
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

/// Where and how a way shows its resource.
pub(crate) enum RevealForm {
    /// Markup in the body of a page.
    Body(fn(&ShownResource, &mut String)),
    /// Markup in the head of a page.
    Head(fn(&ShownResource, &mut String)),
    /// A `Link` header.
    Header,
    /// The page gets a `base` and a relative link.
    Base,
    /// Only the sitemap lists it.
    Sitemap,
    /// A redirect on the page's host; the page links to it.
    Redirect,
    /// A document on the page's host: its path, the markup that leads to it, and itself.
    Document {
        path: fn(usize) -> String,
        link: fn(&ShownResource, &mut String),
        in_head: bool,
        write: fn(&ShownResource) -> RevealDocument,
    },
    /// A record in a catalogue service.
    Record,
}

/// For ways that suit every kind.
const ANY: &[&str] = &[];

/// One way.
pub(crate) struct RevealWay {
    pub tag: &'static str,
    /// Whether a reader of markup, text and plain documents must find it.
    pub surface: bool,
    /// The cheapest way of reading code that finds it: 2 values are folded, 3 the code is run; none for ways that
    /// need no code to be read.
    pub level: Option<u8>,
    /// Kinds of services and files that it can show; all when empty.
    pub kinds: &'static [&'static str],
    pub url: UrlForm,
    pub form: RevealForm,
}

impl RevealWay {
    /// Whether it can show a resource of this kind.
    pub(crate) fn suits(&self, kind: &str) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// How many links beyond the page the resource lies: documents and redirects are fetched first.
    pub(crate) fn extra_depth(&self) -> u32 {
        u32::from(matches!(self.form, RevealForm::Document { .. } | RevealForm::Redirect))
    }
}

/// Ways that a crawler of the surface must see.
pub(crate) fn surface_ways() -> &'static [RevealWay] {
    surface::WAYS
}

/// Ways through scripts, which show maps.
pub(crate) fn script_ways() -> impl Iterator<Item = &'static RevealWay> {
    javascript::WAYS.iter().chain(script_libraries::WAYS).chain(script_values::WAYS)
}

/// Ways that need configurations or catalogues to be read, or that do not count.
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
