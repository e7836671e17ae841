//! Renders pages: head, navigation, blocks of text, links, and the resources they reveal.

use crate::charset::{CharsetDeclaration, PageCharset};
use crate::prose::ProsePools;
use crate::reply::SiteReply;
use crate::reveal::{RevealForm, ShownResource};
use crate::rng::mix_seeds;
use crate::service::escape_xml_text;
use crate::world::{PlannedHost, PlannedPage, WorldPlan};
use std::fmt::Write as _;

/// Writes a page in its charset.
struct PageWriter {
    out: Vec<u8>,
    charset: PageCharset,
}

impl PageWriter {
    /// Writes text with any characters.
    fn text(&mut self, text: &str) {
        if text.is_ascii() || self.charset == PageCharset::Utf8 {
            self.out.extend_from_slice(text.as_bytes());
        } else {
            self.out.extend_from_slice(&self.charset.encode(text));
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }
}

const STYLE: &[u8] = b"<link rel=\"stylesheet\" href=\"/assets/css/main.css\">\n<link rel=\"icon\" href=\"/assets/favicon.ico\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>.u-mt-2{margin-top:.5rem}.u-mb-4{margin-bottom:1rem}.grid{display:grid;gap:1rem}.grid--2{grid-template-columns:1fr 1fr}.c-teaser__title{font-size:1.25rem;line-height:1.3}.list__item{padding:.25rem 0}.table{width:100%;border-collapse:collapse}</style>\n";

const SCRIPT: &[u8] = b"<script>(function(w,d){var q=w._q=w._q||[];q.push(['setPage',d.title]);q.push(['enable']);d.documentElement.className+=' js';for(var i=0,l=d.querySelectorAll('a[data-toggle]');i<l.length;i++){l[i].addEventListener('click',function(e){e.preventDefault();this.classList.toggle('is-open')})}})(window,document);</script>\n";

/// Renders the complete response for a page.
pub(crate) fn render_page(world: &WorldPlan, prose: &ProsePools, id: usize) -> SiteReply {
    let page = &world.pages[id];
    let host = &world.hosts[page.host];
    // UTF-16 pages are written as UTF-8 and converted at the end.
    let charset = if host.charset.is_ascii_compatible() { host.charset } else { PageCharset::Utf8 };
    let mut pen = PageWriter { out: Vec::with_capacity(usize::from(page.blocks) * 800 + 12_000), charset };
    let reveals: Vec<(&RevealForm, &ShownResource)> = world
        .page_reveals
        .get(&id)
        .map(|all| all.iter().map(|&r| (&world.reveals[r].way.form, &world.reveals[r].shown)).collect())
        .unwrap_or_default();
    let absolute = reveals.iter().any(|(form, _)| matches!(form, RevealForm::Base));
    head(&mut pen, host, page, &reveals);
    body(&mut pen, world, prose, id, &reveals, absolute);
    let mut reply = finish(pen, host);
    for (form, shown) in &reveals {
        if matches!(form, RevealForm::Header) {
            reply.headers.push((
                "Link".into(),
                format!("<{}>; rel=\"alternate\"; type=\"application/xml\"", shown.url),
            ));
        }
    }
    reply
}

/// Adds the byte order mark, converts to UTF-16 and declares the charset, as configured for the
/// host.
fn finish(pen: PageWriter, host: &PlannedHost) -> SiteReply {
    let mut bytes = if host.charset.is_ascii_compatible() {
        pen.out
    } else {
        host.charset.encode(&String::from_utf8_lossy(&pen.out))
    };
    if host.declared == CharsetDeclaration::Bom {
        bytes = [host.charset.bom(), &bytes].concat();
    }
    let content_type = match host.declared {
        CharsetDeclaration::Header => format!("text/html; charset={}", host.charset.label()),
        CharsetDeclaration::Wrongly => "text/html; charset=UTF-8".to_owned(),
        _ => "text/html".to_owned(),
    };
    SiteReply::new(200, content_type, bytes)
}

fn head(
    pen: &mut PageWriter,
    host: &PlannedHost,
    page: &PlannedPage,
    reveals: &[(&RevealForm, &ShownResource)],
) {
    pen.text(&format!("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n", host.lexicon().code));
    let label = host.charset.label();
    match host.declared {
        CharsetDeclaration::Meta => pen.text(&format!("<meta charset=\"{label}\">\n")),
        CharsetDeclaration::HttpEquiv => {
            pen.text(&format!("<meta http-equiv=\"Content-Type\" content=\"text/html; charset={label}\">\n"));
        }
        _ => {}
    }
    for (form, shown) in reveals {
        if matches!(form, RevealForm::Base) {
            let (directory, _) = split_url(&shown.url);
            pen.text(&format!("<base href=\"{}\">\n", escape_xml_text(directory)));
        }
    }
    pen.text(&format!(
        "<title>{} - {}</title>\n",
        escape_xml_text(&page.title),
        escape_xml_text(&host.title)
    ));
    if page.nofollow {
        pen.text("<meta name=\"robots\" content=\"noindex, nofollow\">\n");
    }
    pen.bytes(STYLE);
    for (form, shown) in reveals {
        let mut out = String::new();
        match form {
            RevealForm::Head(write) => write(shown, &mut out),
            RevealForm::Document { link, in_head: true, .. } => link(shown, &mut out),
            _ => {}
        }
        pen.text(&out);
    }
    pen.text("</head>\n<body>\n");
}

/// Splits a URL into its directory (with trailing slash) and the rest.
fn split_url(url: &str) -> (&str, &str) {
    let path_end = url.find('?').unwrap_or(url.len());
    let cut = url[..path_end].rfind('/').map_or(0, |slash| slash + 1);
    url.split_at(cut)
}

fn body(
    pen: &mut PageWriter,
    world: &WorldPlan,
    prose: &ProsePools,
    id: usize,
    reveals: &[(&RevealForm, &ShownResource)],
    absolute: bool,
) {
    let page = &world.pages[id];
    let host = &world.hosts[page.host];
    let links = world.links.links_of(id);
    let blocks = u64::from(page.blocks);
    let mut draw = page.seed;
    let mut next_draw = || {
        draw = mix_seeds(draw, 1);
        draw
    };
    pen.text("<header class=\"site-header\"><nav class=\"nav\"><ul>\n");
    let navigation = links.len().min(8);
    for &link in &links[..navigation] {
        item(pen, world, id, link as usize, absolute, 0);
    }
    pen.text("</ul></nav></header>\n<main id=\"content\">\n<h1>");
    pen.text(&escape_xml_text(&page.title));
    pen.text("</h1>\n");
    let early = blocks.min(2);
    for _ in 0..early {
        pen.bytes(prose.block(host.language, host.charset, next_draw()));
    }
    if !reveals.is_empty() {
        show(pen, host, reveals);
    }
    for number in early..blocks {
        pen.bytes(prose.block(host.language, host.charset, next_draw()));
        // Links inside the running text, as long as there are links left.
        if let Some(&link) = links.get(navigation + number as usize).filter(|_| number % 2 == 0) {
            item(pen, world, id, link as usize, absolute, next_draw());
        }
    }
    pen.text("</main>\n<aside><ul>\n");
    for (index, &link) in links[navigation..].iter().enumerate() {
        item(pen, world, id, link as usize, absolute, mix_seeds(page.seed, index as u64));
    }
    for url in world.extra_links.get(&id).into_iter().flatten() {
        let url = escape_xml_text(url);
        pen.text(&format!("<li><a href=\"{url}\">{url}</a></li>\n"));
    }
    for &trap in &host.traps {
        let trap = &world.traps[trap];
        if trap.pages.contains(&id) {
            let entry = escape_xml_text(&host.url(trap.form.entry));
            pen.text(&format!("<li><a href=\"{entry}\">{}</a></li>\n", trap.form.kind));
        }
    }
    pen.text("</ul></aside>\n<footer>");
    pen.text(&format!(
        "<a href=\"mailto:info@{0}\">info@{0}</a> <a href=\"tel:+4900000{1}\">Tel.</a> <a href=\"javascript:window.print()\">print</a> <a href=\"#content\">top</a>",
        host.name,
        page.seed % 1000
    ));
    if page.seed.is_multiple_of(37) {
        pen.text(&format!(" <a href=\"https://secure.{}/login\">Login</a>", host.name));
    }
    pen.text("</footer>\n");
    pen.bytes(SCRIPT);
    pen.text("</body>\n</html>\n");
}

fn show(pen: &mut PageWriter, host: &PlannedHost, reveals: &[(&RevealForm, &ShownResource)]) {
    let mut out = String::new();
    let _ = writeln!(out, "<section class=\"services\"><h2>{}</h2>", host.lexicon().services);
    for (form, shown) in reveals {
        match form {
            RevealForm::Body(write) => write(shown, &mut out),
            RevealForm::Base => {
                let (_, rest) = split_url(&shown.url);
                let _ = writeln!(out, "<p><a href=\"{}\">{}</a></p>", escape_xml_text(rest), shown.label());
            }
            RevealForm::Redirect => {
                let _ = writeln!(out, "<p><a href=\"{}\">{}</a></p>", shown.document, shown.label());
            }
            RevealForm::Document { link, in_head: false, .. } => link(shown, &mut out),
            RevealForm::Record
            | RevealForm::Sitemap
            | RevealForm::Header
            | RevealForm::Head(_)
            | RevealForm::Document { .. } => {}
        }
    }
    let _ = writeln!(out, "<p>{}</p></section>", host.lexicon().downloads);
    pen.text(&out);
}

/// Writes a link to another page: absolute, rooted or relative; sometimes with a fragment or a
/// tracking parameter.
fn item(pen: &mut PageWriter, world: &WorldPlan, from: usize, to: usize, absolute: bool, draw: u64) {
    let target = &world.pages[to];
    let own = &world.pages[from];
    pen.text("<li><a href=\"");
    if absolute || target.host != own.host || draw % 8 == 1 {
        pen.text("http://");
        pen.text(&world.hosts[target.host].name);
        pen.text(&target.target);
    } else {
        pen.text(relative(&own.target, &target.target).filter(|_| draw % 4 == 2).unwrap_or(&target.target));
    }
    match draw % 40 {
        3..6 => pen.text("#abschnitt"),
        6 if !target.target.contains('?') => pen.text("?utm_source=newsletter&amp;utm_medium=email"),
        _ => {}
    }
    pen.text("\">");
    pen.text(&target.title);
    pen.text("</a></li>\n");
}

/// Returns the last segment of `to` if both are in one directory and it works as a relative link.
fn relative<'a>(from: &str, to: &'a str) -> Option<&'a str> {
    if from.contains('?') || to.contains('?') {
        return None;
    }
    let directory = &to[..=to.rfind('/')?];
    let name = &to[directory.len()..];
    (from.starts_with(directory) && !from[directory.len()..].contains('/') && !name.is_empty())
        .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_links_stay_in_their_directory() {
        assert_eq!(relative("/a/x.html", "/a/y.html"), Some("y.html"));
        assert_eq!(relative("/a/b/x.html", "/a/y.html"), None);
        assert_eq!(relative("/a/x.html", "/a/"), None);
        assert_eq!(relative("/index.php?id=1", "/a.html"), None);
    }

    #[test]
    fn urls_split_at_their_directory() {
        assert_eq!(split_url("http://h.example/a/b?x=/y"), ("http://h.example/a/", "b?x=/y"));
    }
}
