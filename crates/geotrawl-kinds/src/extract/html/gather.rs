//! Elements of a map application from which its scripts may read settings.

use super::super::words::truncate_chars;
use super::tokens::{HtmlToken, HtmlTokenizer, SCRIPT, TEXTAREA};
use crate::urls;
use geotrawl_js::PageElement;
use std::borrow::Cow;

/// Maximum number of elements to keep.
const MOST_ELEMENTS: usize = 2_000;
/// Maximum length of a value.
const MOST_VALUE: usize = 8_192;
/// Maximum length of the data in an element.
const MOST_DATA: usize = 512 << 10;

/// Returns elements with an id, a name or `data-` attributes, custom elements (`<arcgis-map>`), and
/// scripts that contain data.
pub(in crate::extract) fn elements_of(source: &str) -> Vec<PageElement> {
    let mut tokens = HtmlTokenizer::new(source);
    let mut elements: Vec<PageElement> = Vec::new();
    // Element that the next raw text belongs to.
    let mut open = None;
    while let Some(token) = tokens.next() {
        match token {
            HtmlToken::Start { name, .. } => {
                open = None;
                let attributes = tokens.attributes();
                let tag = name.unpack();
                let telling = |name: &str| {
                    let lower = name.to_ascii_lowercase();
                    lower == "id" || lower == "name" || lower.starts_with("data-")
                };
                let data = matches!(tag.as_str(), "script" | "textarea");
                let own = tag.contains('-') || tag.is_empty();
                let wanted = data
                    || (own && !attributes.is_empty())
                    || attributes.iter().any(|a| telling(a.full_name));
                if !wanted || elements.len() >= MOST_ELEMENTS {
                    continue;
                }
                let value = |text: &str| {
                    let mut plain = urls::unescape_entities(text).unwrap_or(Cow::Borrowed(text)).into_owned();
                    truncate_chars(&mut plain, MOST_VALUE);
                    plain
                };
                let attributes =
                    attributes.iter().take(40).map(|a| (a.full_name.to_ascii_lowercase(), value(a.value)));
                open = data.then_some(elements.len());
                elements.push(PageElement { tag, attributes: attributes.collect(), text: String::new() });
            }
            HtmlToken::Raw { name: SCRIPT | TEXTAREA, range } => {
                let text = source.get(range).unwrap_or_default();
                let Some(element) = open.take().and_then(|at| elements.get_mut(at)) else { continue };
                let is_data = element.tag == "textarea"
                    || element.attributes.iter().any(|(name, value)| {
                        name == "type" && value.contains("json") || value == "importmap"
                    });
                if is_data && text.len() <= MOST_DATA {
                    text.clone_into(&mut element.text);
                }
            }
            _ => {}
        }
    }
    // Executable scripts are already part of the application.
    elements.retain(|element| element.tag != "script" || !element.text.is_empty());
    elements
}
