//! Discovery on the surface: markup, text, headers, sitemaps, feeds, plain documents.

use super::{ANY, RevealDocument, RevealForm, RevealWay, ShownResource, UrlForm};
use std::fmt::Write as _;

const fn body(tag: &'static str, url: UrlForm, write: fn(&ShownResource, &mut String)) -> RevealWay {
    RevealWay { tag, surface: true, level: None, kinds: ANY, url, form: RevealForm::Body(write) }
}

const fn head(tag: &'static str, url: UrlForm, write: fn(&ShownResource, &mut String)) -> RevealWay {
    RevealWay { tag, surface: true, level: None, kinds: ANY, url, form: RevealForm::Head(write) }
}

pub(super) static WAYS: &[RevealWay] = &[
    body("href-capabilities", UrlForm::Capabilities, href),
    body("href-endpoint", UrlForm::Endpoint, href),
    body("href-operation", UrlForm::Operation, href),
    body("href-double-escaped", UrlForm::Capabilities, href_double_escaped),
    body("href-unescaped", UrlForm::Capabilities, href_unescaped),
    body("text", UrlForm::Capabilities, text),
    body("text-endpoint", UrlForm::Endpoint, text),
    body("text-code", UrlForm::Capabilities, code),
    body("attribute-title", UrlForm::Capabilities, attribute_title),
    body("attribute-value", UrlForm::Capabilities, attribute_value),
    body("data-attribute", UrlForm::Capabilities, data_attribute),
    body("iframe", UrlForm::Capabilities, iframe),
    body("form", UrlForm::Endpoint, form),
    body("area", UrlForm::Capabilities, area),
    body("object", UrlForm::Capabilities, object),
    body("embed", UrlForm::Capabilities, embed),
    body("img", UrlForm::Image, img),
    body("onclick", UrlForm::Capabilities, onclick),
    head("link", UrlForm::Capabilities, link),
    RevealWay {
        tag: "link-header",
        surface: true,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Header,
    },
    RevealWay {
        tag: "base-href",
        surface: true,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Base,
    },
    RevealWay {
        tag: "sitemap",
        surface: true,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Sitemap,
    },
    RevealWay {
        tag: "redirect",
        surface: true,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Redirect,
    },
    RevealWay {
        tag: "frame",
        surface: true,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Document {
            path: |n| format!("/karte-{n}.html"),
            link: to_document,
            in_head: false,
            write: frameset,
        },
    },
    RevealWay {
        tag: "meta-refresh",
        surface: true,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Document {
            path: |n| format!("/weiter-{n}.html"),
            link: to_document,
            in_head: false,
            write: refresh,
        },
    },
    RevealWay {
        tag: "rss",
        surface: true,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Document {
            path: |n| format!("/feeds/daten-{n}.rss"),
            link: to_rss,
            in_head: true,
            write: rss,
        },
    },
    RevealWay {
        tag: "atom",
        surface: true,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Document {
            path: |n| format!("/feeds/atom-{n}.xml"),
            link: to_atom,
            in_head: true,
            write: atom,
        },
    },
    RevealWay {
        tag: "xml",
        surface: true,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Document {
            path: |n| format!("/metadata/{n}.xml"),
            link: to_document,
            in_head: false,
            write: metadata,
        },
    },
];

/// Methods on the surface that a crawler is not expected to find.
pub(super) static NOT_COUNTED: &[RevealWay] = &[RevealWay {
    tag: "comment",
    surface: false,
    level: None,
    kinds: ANY,
    url: UrlForm::Capabilities,
    form: RevealForm::Body(comment),
}];

fn href(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<p><a class=\"service-link\" href=\"{}\">{}</a></p>", s.escaped(), s.label());
}

fn href_double_escaped(s: &ShownResource, out: &mut String) {
    let twice = s.escaped().replace("&amp;", "&amp;amp;");
    let _ = writeln!(out, "<li><a href=\"{twice}\">{}</a></li>", s.label());
}

fn href_unescaped(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<li><a href='{}'>{}</a></li>", s.url, s.label());
}

fn text(s: &ShownResource, out: &mut String) {
    let url = s.escaped();
    let _ = match s.number % 4 {
        0 => writeln!(out, "<p>{}: {url}</p>", s.label()),
        1 => writeln!(out, "<p>{} ({url}).</p>", s.label()),
        2 => writeln!(out, "<table><tr><th>URL</th><td>{url}</td></tr></table>"),
        _ => writeln!(out, "<p><b>GetCapabilities</b><br>{url}<br>{}</p>", s.label()),
    };
}

fn code(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<pre><code>ogrinfo \"{}\"</code></pre>", s.escaped());
}

fn attribute_title(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<span class=\"tip\" title=\"{}: {}\">{0}</span>", s.label(), s.escaped());
}

fn attribute_value(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<label>{} <input type=\"text\" readonly size=\"80\" value=\"{}\"></label>",
        s.label(),
        s.escaped()
    );
}

fn data_attribute(s: &ShownResource, out: &mut String) {
    let name = ["data-url", "data-clipboard-text", "data-wms-url", "data-src"][s.number % 4];
    let _ = writeln!(
        out,
        "<button type=\"button\" class=\"copy\" {name}=\"{}\">{}</button>",
        s.escaped(),
        s.label()
    );
}

fn iframe(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<iframe width=\"600\" height=\"400\" src=\"{}\"></iframe>", s.escaped());
}

fn form(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<form method=\"get\" action=\"{}\"><input type=\"hidden\" name=\"SERVICE\" value=\"{}\"><input type=\"hidden\" name=\"REQUEST\" value=\"GetCapabilities\"><button>{}</button></form>",
        s.escaped(),
        s.kind.to_ascii_uppercase(),
        s.label()
    );
}

fn area(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<img src=\"/assets/img/uebersicht.gif\" usemap=\"#m{0}\" alt=\"\"><map name=\"m{0}\"><area shape=\"rect\" coords=\"0,0,80,80\" alt=\"{1}\" href=\"{2}\"></map>",
        s.number,
        s.label(),
        s.escaped()
    );
}

fn object(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<object type=\"application/xml\" data=\"{}\"></object>", s.escaped());
}

fn embed(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<embed src=\"{}\" width=\"400\" height=\"300\">", s.escaped());
}

fn img(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<img class=\"map\" alt=\"{}\" src=\"{}\">", s.label(), s.escaped());
}

fn onclick(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<a href=\"#\" onclick=\"window.open('{}', 'dienst'); return false;\">{}</a>",
        s.escaped(),
        s.label()
    );
}

fn link(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<link rel=\"alternate\" type=\"application/xml\" title=\"{}\" href=\"{}\">",
        s.label(),
        s.escaped()
    );
}

fn comment(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<!-- {} {} -->", s.title.replace("--", "-"), s.url);
}

fn to_document(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<p><a href=\"{}\">{}</a></p>", s.document, s.label());
}

fn to_rss(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"{}\" href=\"{}\">",
        s.label(),
        s.document
    );
}

fn to_atom(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"{}\" href=\"{}\">",
        s.label(),
        s.document
    );
}

fn frameset(s: &ShownResource) -> RevealDocument {
    RevealDocument {
        content_type: "text/html; charset=utf-8",
        body: format!(
            "<html><head><title>{}</title></head><frameset cols=\"200,*\"><frame src=\"/\" name=\"nav\"><frame src=\"{}\" name=\"main\"></frameset></html>\n",
            s.label(),
            s.escaped()
        ),
    }
}

fn refresh(s: &ShownResource) -> RevealDocument {
    RevealDocument {
        content_type: "text/html; charset=utf-8",
        body: format!(
            "<!DOCTYPE html><html><head><title>{0}</title><meta http-equiv=\"refresh\" content=\"3; URL={1}\"></head><body><p>{0}</p></body></html>\n",
            s.label(),
            s.escaped()
        ),
    }
}

fn rss(s: &ShownResource) -> RevealDocument {
    RevealDocument {
        content_type: "application/rss+xml",
        body: format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel><title>Open data</title><link>/</link><description>New data</description>\n<item><title>{}</title><link>{}</link><guid isPermaLink=\"false\">{}</guid></item>\n</channel></rss>\n",
            s.label(),
            s.escaped(),
            s.number
        ),
    }
}

fn atom(s: &ShownResource) -> RevealDocument {
    RevealDocument {
        content_type: "application/atom+xml; charset=utf-8",
        body: format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Data</title><id>urn:feed:{0}</id><updated>2026-01-01T00:00:00Z</updated>\n<entry><title>{1}</title><id>urn:entry:{0}</id><updated>2026-01-01T00:00:00Z</updated><link rel=\"enclosure\" href=\"{2}\"/></entry>\n</feed>\n",
            s.number,
            s.label(),
            s.escaped()
        ),
    }
}

/// Renders a minimal ISO 19139 record.
fn metadata(s: &ShownResource) -> RevealDocument {
    RevealDocument {
        content_type: "application/xml",
        body: format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gmd:MD_Metadata xmlns:gmd=\"http://www.isotc211.org/2005/gmd\" xmlns:gco=\"http://www.isotc211.org/2005/gco\">\n  <gmd:identificationInfo><gmd:MD_DataIdentification><gmd:citation><gmd:CI_Citation><gmd:title><gco:CharacterString>{}</gco:CharacterString></gmd:title></gmd:CI_Citation></gmd:citation></gmd:MD_DataIdentification></gmd:identificationInfo>\n  <gmd:distributionInfo><gmd:MD_Distribution><gmd:transferOptions><gmd:MD_DigitalTransferOptions><gmd:onLine><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>{}</gmd:URL></gmd:linkage><gmd:protocol><gco:CharacterString>OGC:{}</gco:CharacterString></gmd:protocol></gmd:CI_OnlineResource></gmd:onLine></gmd:MD_DigitalTransferOptions></gmd:transferOptions></gmd:MD_Distribution></gmd:distributionInfo>\n</gmd:MD_Metadata>\n",
            s.label(),
            s.escaped(),
            s.kind.to_ascii_uppercase()
        ),
    }
}
