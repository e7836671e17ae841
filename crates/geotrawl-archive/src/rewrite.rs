//! Rewrites archived pages for display: addresses lead to archived copies, and nothing is executed.
//!
//! Scripts, event handlers and anything that navigates away are removed. This is not the security
//! boundary: callers must show such pages in a sandbox ([`POLICY`]), because no HTML parser agrees
//! with every browser on every page.

use crate::css;
use crate::page::{self, AddressRole, addresses, decode_references, resolve_address};
use geotrawl_text::escape::escape_html;
use lol_html::html_content::{ContentType, Doctype, Element, TextChunk};
use lol_html::{DocumentContentHandlers, HtmlRewriter, element, text};
use std::cell::RefCell;
use url::Url;

/// Content security policy for archived pages: they may load archived files and nothing else.
/// `sandbox` gives the page its own origin, so that it cannot act on behalf of the user.
pub const POLICY: &str = "sandbox; default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
    font-src 'self' data:; media-src 'self' data:; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; \
    form-action 'none'";

/// The same policy for exported files.
const FILE_POLICY: &str = "default-src 'none'; img-src file: data: 'self'; style-src file: 'self' 'unsafe-inline'; \
    font-src file: data: 'self'; media-src file: data: 'self'; frame-src file: 'self'; base-uri 'none'; form-action 'none'";

/// A page that cannot be rewritten.
#[derive(Debug, thiserror::Error)]
#[error("cannot rewrite the page: {0}")]
pub struct RewriteError(String);

/// Returns the new target of an address, or `None` if it is not archived.
pub type AddressMapper<'t> = dyn Fn(&Url, AddressRole) -> Option<String> + 't;

/// Rewrites a page from `url` with addresses mapped by `to`. Links without a mapping keep their
/// original target.
pub fn rewrite_html(url: &Url, source: &str, to: &AddressMapper<'_>) -> Result<String, RewriteError> {
    let base = RefCell::new(url.clone());
    let style = RefCell::new(String::new());
    let has_doctype = RefCell::new(false);
    let mut out = Vec::with_capacity(source.len() + source.len() / 8);
    let settings = page::parser_settings()
        .append_element_content_handler(element!("*", |element| {
            rewrite_element(element, &base, to);
            Ok(())
        }))
        .append_element_content_handler(text!("style", |chunk| {
            let mut style = style.borrow_mut();
            style.push_str(chunk.as_str());
            if chunk.last_in_text_node() {
                let rewritten = rewrite_css(&std::mem::take(&mut *style), &base.borrow(), to);
                // Safe as HTML: the text was inside a style element, so it contains no end tag.
                chunk.replace(&rewritten, ContentType::Html);
            } else {
                chunk.remove();
            }
            Ok(())
        }))
        .append_document_content_handler(
            DocumentContentHandlers::default()
                .doctype(|doctype: &mut Doctype<'_>| {
                    // Written again at the very start, before charset and policy.
                    *has_doctype.borrow_mut() = true;
                    doctype.remove();
                    Ok(())
                })
                .text(|chunk: &mut TextChunk<'_>| {
                    if chunk.text_type() == lol_html::html_content::TextType::ScriptData {
                        chunk.remove();
                    }
                    Ok(())
                }),
        );
    let fault = |error: lol_html::errors::RewritingError| RewriteError(error.to_string());
    {
        let mut rewriter = HtmlRewriter::new(settings, |piece: &[u8]| out.extend_from_slice(piece));
        for piece in source.as_bytes().chunks(64 << 10) {
            rewriter.write(piece).map_err(fault)?;
        }
        rewriter.end().map_err(fault)?;
    }
    let doctype = if has_doctype.take() { "<!DOCTYPE html>" } else { "" };
    let body = String::from_utf8_lossy(&out);
    Ok(format!(
        "{doctype}<meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"{FILE_POLICY}\">{body}"
    ))
}

/// Rewrites a style sheet from `url`.
pub fn rewrite_style_sheet(url: &Url, source: &str, to: &AddressMapper<'_>) -> String {
    rewrite_css(source, url, to)
}

fn rewrite_css(source: &str, base: &Url, to: &AddressMapper<'_>) -> String {
    css::rewrite_addresses(source, base, &|url, import| {
        to(url, if import { AddressRole::StyleSheet } else { AddressRole::Requisite })
    })
}

fn rewrite_element(element: &mut Element<'_, '_>, base: &RefCell<Url>, to: &AddressMapper<'_>) {
    let tag = element.tag_name();
    let attributes: Vec<(String, String)> =
        element.attributes().iter().map(|attribute| (attribute.name(), attribute.value())).collect();
    let value = |name: &str| {
        attributes.iter().find(|(known, _)| known == name).map(|(_, value)| decode_references(value))
    };
    match tag.as_str() {
        "script" | "noscript" | "template" | "applet" => return element.remove(),
        "base" => {
            let mut base = base.borrow_mut();
            let joined = value("href").and_then(|href| base.join(href.trim()).ok());
            if let Some(other) = joined.filter(|url| matches!(url.scheme(), "http" | "https")) {
                *base = other;
            }
            return element.remove();
        }
        "meta" if value("http-equiv").is_some() || value("charset").is_some() => return element.remove(),
        _ => {}
    }
    let rel = addresses::link_relations(&attributes);
    if tag == "link"
        && rel.split_ascii_whitespace().any(|word| {
            matches!(
                word,
                "preload"
                    | "modulepreload"
                    | "prefetch"
                    | "preconnect"
                    | "dns-prefetch"
                    | "manifest"
                    | "import"
            )
        })
    {
        return element.remove();
    }
    for (name, value) in &attributes {
        let meant = decode_references(value);
        let role = addresses::role_of(&tag, name, &rel);
        if name.starts_with("on")
            || matches!(
                name.as_str(),
                "integrity"
                    | "crossorigin"
                    | "nonce"
                    | "srcdoc"
                    | "ping"
                    | "target"
                    | "download"
                    | "autofocus"
            )
            || is_program(&meant)
            || role.is_none() && matches!(name.as_str(), "href" | "xlink:href" | "src" | "action" | "data")
        {
            element.remove_attribute(name);
            continue;
        }
        let Some(role) = role else { continue };
        let base = base.borrow();
        match change_attribute(role, &meant, &base, to) {
            AttributeChange::Keep => {}
            AttributeChange::Drop => element.remove_attribute(name),
            AttributeChange::This(text) => {
                // The name comes from the element itself, so it is valid.
                let _ = element.set_attribute(name, &escape_html(&text));
            }
        }
    }
}

enum AttributeChange {
    Keep,
    Drop,
    This(String),
}

fn change_attribute(role: AddressRole, meant: &str, base: &Url, to: &AddressMapper<'_>) -> AttributeChange {
    let known = |raw: &str, role: AddressRole| {
        resolve_address(base, raw).and_then(|url| with_fragment(raw, to(&url, role)))
    };
    let is_data = meant.trim_start().get(..11).is_some_and(|start| start.eq_ignore_ascii_case("data:image/"));
    match role {
        AddressRole::Style => AttributeChange::This(rewrite_css(meant, base, to)),
        AddressRole::Form | AddressRole::Script => AttributeChange::Drop,
        AddressRole::SrcSet => {
            let mut out = String::new();
            let mut from = 0;
            for at in addresses::srcset_candidates(meant) {
                let raw = meant.get(at.clone()).unwrap_or_default();
                // Drop the whole attribute, because a browser might pick the missing candidate.
                let Some(url) = known(raw, AddressRole::Requisite) else { return AttributeChange::Drop };
                out.push_str(meant.get(from..at.start).unwrap_or_default());
                // Spaces and commas would end the candidate.
                out.push_str(&url.replace(' ', "%20").replace(',', "%2C"));
                from = at.end;
            }
            out.push_str(meant.get(from..).unwrap_or_default());
            AttributeChange::This(out)
        }
        AddressRole::Requisite if is_data => AttributeChange::Keep,
        AddressRole::Requisite | AddressRole::StyleSheet | AddressRole::Frame => {
            known(meant, role).map_or(AttributeChange::Drop, AttributeChange::This)
        }
        AddressRole::Link | AddressRole::Relation if meant.trim_start().starts_with('#') => {
            AttributeChange::Keep
        }
        AddressRole::Link | AddressRole::Relation => match known(meant, role) {
            Some(url) => AttributeChange::This(url),
            None => match base.join(meant.trim()) {
                Ok(url) if matches!(url.scheme(), "http" | "https" | "mailto") => {
                    AttributeChange::This(url.into())
                }
                _ => AttributeChange::Drop,
            },
        },
    }
}

/// Restores the fragment of an address.
fn with_fragment(raw: &str, url: Option<String>) -> Option<String> {
    let url = url?;
    match raw.trim().split_once('#') {
        Some((_, fragment)) if !url.contains('#') && !fragment.is_empty() => {
            Some(format!("{url}#{fragment}"))
        }
        _ => Some(url),
    }
}

/// Returns whether a browser would execute the value.
fn is_program(value: &str) -> bool {
    let start: String = value
        .chars()
        .filter(|c| !c.is_control() && !c.is_whitespace())
        .take(11)
        .collect::<String>()
        .to_ascii_lowercase();
    start.starts_with("javascript:") || start.starts_with("vbscript:") || start.starts_with("data:text/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> String {
        let url = Url::parse("http://a.example/dir/page.html").unwrap();
        let out = rewrite_html(&url, source, &|url, _| {
            (url.host_str() == Some("a.example"))
                .then(|| format!("/r/{}", url.path().trim_start_matches('/')))
        })
        .unwrap();
        let (_, body) = out.split_once("form-action 'none'\">").unwrap();
        body.to_owned()
    }

    #[test]
    fn addresses_lead_to_what_is_archived() {
        assert_eq!(
            shown("<a href='x?a=1&amp;b#f'>x</a><a href=//other.example/y>y</a><a href=#z>z</a>"),
            "<a href=\"/r/dir/x#f\">x</a><a href=\"http://other.example/y\">y</a><a href=#z>z</a>"
        );
        assert_eq!(
            shown("<img src=/i.png srcset='/i.png 1x, /j.png 2x'><img src=http://other.example/t.gif>"),
            "<img src=\"/r/i.png\" srcset=\"/r/i.png 1x, /r/j.png 2x\"><img>"
        );
        assert_eq!(
            shown("<style>a{b:url(c.png)}</style><p style='background:url(&quot;d.png&quot;)'>"),
            "<style>a{b:url(\"/r/dir/c.png\")}</style><p style=\"background:url(&quot;/r/dir/d.png&quot;)\">"
        );
        assert_eq!(shown("<base href=/q/><img src=i.png>"), "<img src=\"/r/q/i.png\">");
    }

    #[test]
    fn nothing_runs() {
        let page = shown(
            "<script>evil()</script><script src=x.js></script><body onload=evil()><a href=' java\nscript:evil()'>a</a>\
             <iframe srcdoc='<script>evil()</script>' src='javascript:evil()'></iframe><form action=/login><input name=p>\
             </form><svg><a xlink:href='javascript:evil()'>s</a></svg><meta http-equiv=refresh content='0;url=//o.example'>\
             <noscript><img src=x onerror=evil()></noscript><object data='data:text/html,evil()'></object>",
        );
        assert!(!page.contains("evil"), "{page}");
        assert!(!page.contains("refresh") && !page.contains("/login"), "{page}");
    }

    #[test]
    fn a_page_keeps_its_mode_and_says_its_encoding() {
        let url = Url::parse("http://a.example/").unwrap();
        let out =
            rewrite_html(&url, "<!DOCTYPE HTML PUBLIC 'x'><meta charset=latin1><p>é", &|_, _| None).unwrap();
        assert!(out.starts_with("<!DOCTYPE html><meta charset=\"utf-8\">"), "{out}");
        assert!(out.ends_with("<p>é"), "{out}");
        assert!(!rewrite_html(&url, "<p>", &|_, _| None).unwrap().contains("DOCTYPE"));
    }

    proptest::proptest! {
        #[test]
        fn strange_pages_become_pages(source in "(<[a-z/!]{0,8}( (on|href|src|style)[a-z]{0,3}=['\"]?[a-z.:&;()]{0,9}['\"]?)?>?|[ -~é]{0,12}){0,40}") {
            let page = shown(&source);
            proptest::prop_assert!(!page.contains("<script"));
        }
    }
}
