//! Self-contained HTML pages.

use geotrawl_text::escape::escape_html;
use std::fmt::Write as _;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
color:light-dark(#1b2422,#e6ecea);background:light-dark(#fff,#131a19)}:root{color-scheme:light dark}\
a{color:light-dark(#00629b,#7cc4f0)}dt{font-weight:600}dd{margin:0 0 .5rem}li{margin:.4rem 0}\
small{color:light-dark(#55635f,#9fb0ab)}";

/// Builds an HTML page.
#[derive(Debug)]
pub struct HtmlPage {
    title: String,
    head: String,
    body: String,
}

impl HtmlPage {
    /// Creates an empty page.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            head: String::new(),
            body: format!("<h1>{}</h1>", escape_html(title)),
        }
    }

    /// Adds a link to another representation of the same document.
    pub fn add_alternate(&mut self, media: &str, href: &str) {
        let _ = write!(
            self.head,
            "<link rel=\"alternate\" type=\"{}\" href=\"{}\">",
            escape_html(media),
            escape_html(href)
        );
    }

    /// Adds a paragraph.
    pub fn add_text(&mut self, text: &str) {
        let _ = write!(self.body, "<p>{}</p>", escape_html(text));
    }

    /// Adds a list of links, each with a description.
    pub fn add_links<'a>(&mut self, links: impl IntoIterator<Item = (&'a str, &'a str, String)>) {
        self.body.push_str("<ul>");
        for (href, title, about) in links {
            let _ = write!(self.body, "<li><a href=\"{}\">{}</a>", escape_html(href), escape_html(title));
            if !about.is_empty() {
                let _ = write!(self.body, "<br><small>{}</small>", escape_html(&about));
            }
            self.body.push_str("</li>");
        }
        self.body.push_str("</ul>");
    }

    /// Adds a table of names and values, leaving out empty values.
    pub fn add_facts<'a>(&mut self, facts: impl IntoIterator<Item = (&'a str, String)>) {
        self.body.push_str("<dl>");
        for (name, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
            let _ = write!(self.body, "<dt>{}</dt><dd>{}</dd>", escape_html(name), escape_html(&value));
        }
        self.body.push_str("</dl>");
    }

    /// Adds a search form that submits to `action`.
    pub fn add_search_form(&mut self, action: &str, parameter: &str, value: &str) {
        let _ = write!(
            self.body,
            "<form action=\"{}\"><input type=\"search\" name=\"{}\" value=\"{}\" aria-label=\"Search\"> \
             <button>Search</button></form>",
            escape_html(action),
            escape_html(parameter),
            escape_html(value)
        );
    }

    /// Returns the complete page.
    pub fn finish(self) -> String {
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width\"><title>{}</title>{}<style>{STYLE}</style></head><body>{}</body></html>\n",
            escape_html(&self.title),
            self.head,
            self.body
        )
    }
}
