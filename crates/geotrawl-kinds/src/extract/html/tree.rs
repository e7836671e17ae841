//! Parses a page into a tree, for selectors.

use super::tokens::{HtmlToken, HtmlTokenizer};
use crate::formats::selectors::{ElementTree, TreeBuilder};
use crate::urls;
use std::borrow::Cow;

/// Elements without an end tag.
const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

/// For each start tag, the elements that it closes implicitly and the elements that limit this.
const CLOSES: &[(&str, &[&str], &[&str])] = &[
    ("li", &["li"], &["ul", "ol", "menu"]),
    ("tr", &["tr", "td", "th"], &["table", "tbody", "thead", "tfoot"]),
    ("td", &["td", "th"], &["tr", "table"]),
    ("th", &["td", "th"], &["tr", "table"]),
    ("tbody", &["tr", "td", "th", "thead", "tbody"], &["table"]),
    ("p", &["p"], &["div", "td", "li", "section", "article", "body"]),
    ("dt", &["dt", "dd"], &["dl"]),
    ("dd", &["dt", "dd"], &["dl"]),
    ("option", &["option"], &["select"]),
];

/// Parses a page into a tree, closing elements that the page left open.
pub(crate) fn parse_tree(source: &str) -> ElementTree {
    let mut tokens = HtmlTokenizer::new(source);
    let mut builder = TreeBuilder::default();
    while let Some(token) = tokens.next() {
        match token {
            HtmlToken::Text(range) => builder.push_text(&unescaped(source.get(range).unwrap_or_default())),
            HtmlToken::Start { name, self_closing } => {
                let name = name.unpack();
                if let Some((_, ends, holders)) = CLOSES.iter().find(|(begun, _, _)| *begun == name) {
                    builder.close_up_to(ends, holders);
                }
                let attributes = tokens
                    .attributes()
                    .iter()
                    .map(|a| (a.full_name.to_ascii_lowercase(), unescaped(a.value).into_owned()));
                builder.start_element(&name, attributes.collect());
                if self_closing || VOID.contains(&name.as_str()) {
                    builder.end_innermost();
                }
            }
            HtmlToken::End { name } => builder.end_element(&name.unpack()),
            HtmlToken::Comment(_) | HtmlToken::Raw { .. } => {}
        }
    }
    builder.finish()
}

fn unescaped(text: &str) -> Cow<'_, str> {
    urls::unescape_entities(text).unwrap_or(Cow::Borrowed(text))
}
