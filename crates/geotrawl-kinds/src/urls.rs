//! Stand-in until the URL module is merged: this file goes then.

use url::Url;

const REQUEST: [&str; 12] = [
    "service",
    "request",
    "version",
    "acceptversions",
    "layers",
    "styles",
    "srs",
    "crs",
    "bbox",
    "format",
    "width",
    "height",
];

/// The endpoint of a service: request parameters stripped, vendor ones kept.
pub fn endpoint(url: &Url) -> Url {
    let kept: Vec<&str> = url
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|p| !p.is_empty())
        .filter(|p| !REQUEST.contains(&p.split('=').next().unwrap_or_default().to_ascii_lowercase().as_str()))
        .collect();
    let mut endpoint = url.clone();
    endpoint.set_fragment(None);
    endpoint.set_query((!kept.is_empty()).then(|| kept.join("&")).as_deref());
    endpoint
}

/// Appends parameters.
pub fn with_params(url: &Url, params: &[(&str, &str)]) -> Url {
    let mut query = url.query().unwrap_or_default().to_owned();
    for (name, value) in params {
        if !query.is_empty() {
            query.push('&');
        }
        query.push_str(name);
        query.push('=');
        query.push_str(value);
    }
    let mut asked = url.clone();
    asked.set_query(Some(&query));
    asked
}
