//! Renders the ranked list of results as an HTML page, like the paper's appendix: position, URL,
//! weight, and the engines with their ranks.

use geotrawl_text::escape::escape_html;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// An engine that returned a result, and its rank there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedBy {
    pub engine: String,
    /// Search query.
    #[serde(default)]
    pub query: String,
    /// Rank, starting at 1.
    pub rank: u32,
}

/// A result in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ListedResult {
    pub url: String,
    pub title: String,
    /// Sum of `B - rank + 1` over the engines.
    pub weight: f64,
    pub named: Vec<NamedBy>,
    /// `html`, `document`, or empty until it is known.
    pub sort: String,
    /// State of the result in its run.
    pub state: String,
    /// Relevance score.
    pub about: Option<f64>,
}

/// Renders the list. If `more` is set, results are still being added and the page reloads itself.
pub fn render_page(title: &str, at: &str, results: &[ListedResult], more: bool) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    if more {
        out.push_str("<meta http-equiv=\"refresh\" content=\"5\">");
    }
    let _ = write!(out, "<title>{}</title>", escape_html(title));
    out.push_str(
        "<style>body{font:1rem/1.5 system-ui,sans-serif;margin:2rem;max-width:75rem}table{border-collapse:collapse;\
         width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}\
         td.n{text-align:right}small{color:#555}</style></head><body>",
    );
    let _ = write!(out, "<h1>{}</h1><p>{}", escape_html(title), escape_html(at));
    if more {
        out.push_str(" (run in progress)");
    }
    out.push_str("</p>");
    for (sort, heading) in [("html", "HTML pages"), ("document", "Other documents"), ("", "Not fetched yet")]
    {
        let of_sort = || results.iter().enumerate().filter(|(_, result)| result.sort == sort);
        if of_sort().next().is_none() {
            continue;
        }
        let _ = write!(
            out,
            "<h2>{heading}</h2><table><thead><tr><th>#</th><th>Result</th><th>Weight</th><th>Engines</th><th>About</th>\
             <th>State</th></tr></thead><tbody>"
        );
        for (place, result) in of_sort() {
            let named: Vec<String> =
                result.named.iter().map(|by| format!("{}[{}]", escape_html(&by.engine), by.rank)).collect();
            let about = result.about.map(|about| format!("{about:.2}")).unwrap_or_default();
            // Only http and https URLs become links.
            let link = if result.url.starts_with("http://") || result.url.starts_with("https://") {
                format!("<a href=\"{0}\" rel=\"noreferrer\">{0}</a>", escape_html(&result.url))
            } else {
                escape_html(&result.url)
            };
            let _ = write!(
                out,
                "<tr><td class=\"n\">{}</td><td>{link}<br><small>{}</small></td><td class=\"n\">{}</td><td>{}</td>\
                 <td class=\"n\">{about}</td><td>{}</td></tr>",
                place + 1,
                escape_html(&result.title),
                result.weight,
                named.join(", "),
                escape_html(&result.state)
            );
        }
        out.push_str("</tbody></table>");
    }
    out.push_str("</body></html>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_tells_weights_and_engines_and_keeps_strangers_text_text() {
        let result = ListedResult {
            url: "http://a.example/\"><script>".into(),
            title: "<b>x".into(),
            weight: 23.0,
            named: vec![NamedBy { engine: "one".into(), query: "q".into(), rank: 2 }],
            sort: "html".into(),
            state: "kept".into(),
            about: Some(0.25),
        };
        let page = render_page("ISCCP & more", "2026", &[result], true);
        assert!(page.contains(">23<") && page.contains("one[2]") && page.contains("0.25"));
        assert!(!page.contains("<script>") && !page.contains("<b>"));
        assert!(page.contains("ISCCP &amp; more"));
    }
}
