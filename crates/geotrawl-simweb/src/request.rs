//! Requests as the simulated web sees them.

/// A parsed request head.
#[derive(Debug, Clone, Default)]
pub(crate) struct SiteRequest<'a> {
    pub method: &'a str,
    /// Host name in lower case, without port.
    pub host: &'a str,
    /// Path and query as sent.
    pub target: &'a str,
    pub range: Option<&'a str>,
    pub accepts_gzip: bool,
    /// `Authorization`, as sent.
    pub authorization: Option<&'a str>,
    /// `Cookie`, as sent.
    pub cookie: Option<&'a str>,
    /// The first bytes of the body.
    pub body: &'a [u8],
}

impl<'a> SiteRequest<'a> {
    pub(crate) fn path(&self) -> &'a str {
        self.target.split(['?', '#']).next().unwrap_or(self.target)
    }

    pub(crate) fn query(&self) -> QueryParameters<'a> {
        QueryParameters::parse(self.target.split_once('?').map_or("", |(_, query)| query))
    }
}

/// Query parameters, looked up without regard to case, as OGC requires.
#[derive(Debug, Clone, Default)]
pub(crate) struct QueryParameters<'a>(Vec<(&'a str, String)>);

impl<'a> QueryParameters<'a> {
    pub(crate) fn parse(query: &'a str) -> Self {
        Self(
            query
                .split('&')
                .filter(|pair| !pair.is_empty())
                .map(|pair| {
                    let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
                    (key, percent_decode(value))
                })
                .collect(),
        )
    }

    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }
}

/// Decodes `%XX`; invalid escapes stay as they are.
pub(crate) fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let escaped = (bytes[i] == b'%')
            .then(|| text.get(i + 1..i + 3))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let Some(byte) = escaped {
            out.push(byte);
            i += 3;
        } else {
            out.push(bytes[i]);
            i += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn any_query_can_be_read(query in ".{0,60}") {
            let parsed = QueryParameters::parse(&query);
            let _ = parsed.get("service");
            let _ = percent_decode(&query);
        }
    }

    #[test]
    fn parameters_are_found_in_any_case_and_decoded() {
        let query = QueryParameters::parse("MAP=%2Fsrv%2Fa.map&&Service=WMS&flag&x=%zz");
        assert_eq!(query.get("map"), Some("/srv/a.map"));
        assert_eq!(query.get("SERVICE"), Some("WMS"));
        assert_eq!(query.get("flag"), Some(""));
        assert_eq!(query.get("x"), Some("%zz"));
        assert_eq!(query.get("y"), None);
    }
}
