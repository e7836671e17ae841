//! Query parameters of the standards: unknown and repeated names are refused.

use crate::Problem;
use axum::http::{HeaderMap, Uri, header};
use url::form_urlencoded;

/// Longest query string, in bytes: an encoded filter and some more.
const LONGEST: usize = 64 * 1024;

/// The query parameters of a request, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct QueryParams(Vec<(String, String)>);

impl QueryParams {
    /// Parses the query string, whatever the names of its parameters.
    pub(super) fn from_uri(uri: &Uri) -> Result<Self, Problem> {
        let query = uri.query().unwrap_or_default();
        if query.len() > LONGEST {
            return Err(Problem::bad_request("query", format!("The query is longer than {LONGEST} bytes.")));
        }
        Ok(Self(form_urlencoded::parse(query.as_bytes()).into_owned().collect()))
    }

    /// Refuses unknown and repeated parameters.
    pub(super) fn allow_only(self, known: impl Fn(&str) -> bool) -> Result<Self, Problem> {
        for (at, (name, _)) in self.0.iter().enumerate() {
            let shown: String = name.chars().take(60).collect();
            if !known(name) {
                return Err(Problem::bad_request(&shown, format!("Unknown parameter '{shown}'.")));
            }
            if self.0[..at].iter().any(|(other, _)| other == name) {
                return Err(Problem::bad_request(&shown, format!("'{shown}' is given twice.")));
            }
        }
        Ok(self)
    }

    /// Returns a value that is not blank.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.trim().is_empty())
    }

    /// Returns values separated by commas.
    pub(super) fn get_list(&self, name: &str, most: usize) -> Result<Vec<String>, Problem> {
        let Some(text) = self.get(name) else { return Ok(Vec::new()) };
        let values = text.split(',').map(str::trim).filter(|value| !value.is_empty());
        let values: Vec<String> = values.map(str::to_owned).collect();
        if values.len() > most {
            return Err(Problem::bad_request(name, format!("Use up to {most} values.")));
        }
        Ok(values)
    }

    /// Returns a number within bounds.
    pub(super) fn get_number(
        &self,
        name: &str,
        usual: usize,
        bounds: std::ops::RangeInclusive<usize>,
    ) -> Result<usize, Problem> {
        let Some(text) = self.get(name) else { return Ok(usual) };
        let number = text.trim().parse::<usize>().ok().filter(|number| bounds.contains(number));
        number.ok_or_else(|| {
            let (least, most) = (bounds.start(), bounds.end());
            Problem::bad_request(name, format!("'{name}' must be a number from {least} to {most}."))
        })
    }

    /// Returns a number capped at `most`: clients that ask for too much get a full page.
    pub(super) fn get_count(&self, name: &str, usual: usize, most: usize) -> Result<usize, Problem> {
        self.get_number(name, usual, 1..=1_000_000_000).map(|number| number.min(most))
    }

    /// Returns all pairs.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Builds an address with these parameters, one of them changed.
    pub(super) fn link_with(&self, address: &str, change: Option<(&str, String)>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let changed = change.as_ref().map(|(name, _)| *name);
        query.extend_pairs(self.pairs().filter(|(name, _)| Some(*name) != changed));
        if let Some((name, value)) = &change {
            query.append_pair(name, value);
        }
        let query = query.finish();
        if query.is_empty() { address.to_owned() } else { format!("{address}?{query}") }
    }
}

/// A representation of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct DocumentForm {
    /// Value of the parameter `f`.
    pub(super) word: &'static str,
    /// Media types that select it.
    pub(super) media: &'static [&'static str],
}

/// Returns the requested form, selected by `f` or by `Accept`; the first form is the default.
pub(super) fn negotiate_form(
    params: &QueryParams,
    headers: &HeaderMap,
    forms: &'static [DocumentForm],
) -> Result<&'static str, Problem> {
    if let Some(asked) = params.get("f").or_else(|| params.get("format")) {
        let asked_media = |form: &&DocumentForm| form.word == asked || form.media.contains(&asked);
        let words: Vec<&str> = forms.iter().map(|form| form.word).collect();
        return forms.iter().find(asked_media).map(|form| form.word).ok_or_else(|| {
            Problem::bad_request("f", format!("This document is available as {}.", words.join(", ")))
        });
    }
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let weight = |form: &DocumentForm| {
        let offers = accepted.split(',').take(50).filter_map(|offer| {
            let mut parts = offer.split(';').map(str::trim);
            let media = parts.next()?.to_ascii_lowercase();
            let quality = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok()).unwrap_or(1.0);
            form.media.contains(&media.as_str()).then_some(quality)
        });
        offers.fold(0.0_f32, f32::max)
    };
    // On a tie the first form wins.
    let mut best = forms.first().map_or("", |form| form.word);
    let mut heaviest = 0.0;
    for form in forms {
        let weight = weight(form);
        if weight > heaviest {
            (best, heaviest) = (form.word, weight);
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: &[DocumentForm] = &[
        DocumentForm { word: "json", media: &["application/json"] },
        DocumentForm { word: "html", media: &["text/html"] },
    ];

    fn chosen(query: &str, accept: &'static str) -> Result<&'static str, Problem> {
        let uri: Uri = format!("/?{query}").parse().unwrap();
        let headers = HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]);
        negotiate_form(&QueryParams::from_uri(&uri)?, &headers, FORMS)
    }

    #[test]
    fn the_form_is_chosen_by_parameter_then_by_header() {
        assert_eq!(chosen("", "*/*").unwrap(), "json");
        assert_eq!(chosen("", "text/html,application/xhtml+xml;q=0.9").unwrap(), "html");
        assert_eq!(chosen("", "text/html;q=0.5, application/json").unwrap(), "json");
        assert_eq!(chosen("f=html", "application/json").unwrap(), "html");
        assert_eq!(chosen("f=application/json", "text/html").unwrap(), "json");
        assert_eq!(chosen("f=xml", "text/html").unwrap_err().status, 400);
    }

    #[test]
    fn unknown_and_doubled_parameters_are_refused() {
        let read = |query: &str| {
            let uri: Uri = format!("/?{query}").parse().unwrap();
            QueryParams::from_uri(&uri).unwrap().allow_only(|name| name == "a" || name == "b")
        };
        assert!(read("a=1&b=2").is_ok());
        assert_eq!(read("c=1").unwrap_err().parameter.as_deref(), Some("c"));
        assert_eq!(read("a=1&a=2").unwrap_err().parameter.as_deref(), Some("a"));
        let params = read("a=x%20y&b=2").unwrap();
        assert_eq!(params.link_with("http://h/p", Some(("b", "3".into()))), "http://h/p?a=x+y&b=3");
    }
}
