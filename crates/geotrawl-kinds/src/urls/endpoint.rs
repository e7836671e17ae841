//! Service endpoints: URLs without the parameters of a single request.

use super::canonical::{is_noise, strip_user_and_fragment, write_origin, write_path, write_query};
use super::query::{QueryPair, is_listed, percent_decode, query_pairs, with_lowercase};
use url::Url;

/// Parameters of the OGC protocols and the verb of OAI-PMH: part of a request, not of the endpoint.
/// Sorted.
#[rustfmt::skip]
const REQUEST_PARAMETERS: &[&str] = &[
    "acceptformats", "acceptlanguages", "acceptversions", "angle", "bbox", "bgcolor", "buffer", "count",
    "coverage", "coverageid", "cql_filter", "crs", "datainputs", "dpi", "elementname", "elementset",
    "elementsetname", "elevation", "env", "exceptions", "f", "feature_count", "featureid",
    "featureofinterest", "featureversion", "filter", "format", "format_options", "gridbasecrs", "gridcs",
    "gridoffsets", "gridorigin", "gridtype", "height", "i", "identifier", "identifiers", "info_format",
    "interpolation", "j", "layer", "layers", "legend_options", "lineage", "lockaction", "map_resolution",
    "maxfeatures", "maxrecords", "mediatype", "namespaces", "observedproperty", "offering", "outputformat",
    "outputschema", "postencoding", "procedure", "proceduredescriptionformat", "propertyname",
    "propertyptrsexpiry", "query_layers", "rangesubset", "rawdataoutput", "releaseaction", "request",
    "resolve", "resolvedepth", "resourceid", "responsedocument", "responseformat", "responsehandler",
    "responsemode", "resulttype", "resx", "resy", "resz", "rule", "scale", "scalefactor", "scalesize",
    "sections", "service", "sld", "sld_body", "sldid", "sortby", "spatialfilter", "srs", "srsname",
    "startindex", "startposition", "storedquery_id", "storeexecuteresponse", "style", "styles", "subset",
    "temporalfilter", "tilecol", "tiled", "tilematrix", "tilematrixset", "tilerow", "tilesorigin", "time",
    "timesequence", "transparent", "typename", "typenames", "updatesequence", "validtime", "verb",
    "version", "viewparams", "width", "wmode", "wmtver", "x", "y",
];

/// Prefixes of such parameters.
const REQUEST_PREFIXES: &[&str] = &["language", "dim_", "constraint", "scaleaxes", "scaleextent", "utm_"];

/// Arguments of OAI-PMH. They are ordinary words, so they are removed only beside a `verb`. Sorted.
const OAI_ARGUMENTS: &[&str] = &["from", "metadataprefix", "resumptiontoken", "set", "until"];

/// Cache and session parameters, regardless of their value. Sorted.
const ENDPOINT_NOISE: &[&str] = &["_", "_dc", "cachebust", "nocache", "random", "rnd", "sid", "ts"];

/// Keys and tokens of other users: never reused, never stored. Sorted.
#[rustfmt::skip]
const CREDENTIALS: &[&str] = &[
    "access_token", "accesstoken", "api-key", "api_key", "apikey", "auth", "authkey", "gw-auth", "key",
    "passwd", "password", "pwd", "secret", "ticket", "token",
];

/// Returns the endpoint of a service: removes all known request, operation, noise and credential
/// parameters and keeps the others as written (`map=`, `dataset=`, `ServiceName=`, unknown ones).
pub fn endpoint_url(url: &Url) -> Url {
    let mut url = url.clone();
    strip_user_and_fragment(&mut url);
    let mut text = String::with_capacity(url.as_str().len());
    write_origin(&url, &mut text);
    write_path(url.path(), &mut text);
    if let Some(query) = url.query() {
        let oai = query_pairs(query).any(|p| p.key.eq_ignore_ascii_case("verb"));
        write_query(query_pairs(query).filter(|p| !belongs_to_request(p, oai)), &mut text);
    }
    match Url::parse(&text) {
        Ok(stripped) => stripped,
        Err(_unparsable) => url,
    }
}

fn belongs_to_request(pair: &QueryPair<'_>, oai: bool) -> bool {
    let known = |key: &str| {
        is_listed(REQUEST_PARAMETERS, key)
            || is_listed(ENDPOINT_NOISE, key)
            || is_listed(CREDENTIALS, key)
            || REQUEST_PREFIXES.iter().any(|p| key.starts_with(p))
            || (oai && is_listed(OAI_ARGUMENTS, key))
    };
    // Names are compared decoded: `service%3DWMS` is a common mistake, `%53ERVICE=WMS` is rare.
    let key_known = if pair.key.contains('%') {
        with_lowercase(&percent_decode(pair.key), known)
    } else {
        with_lowercase(pair.key, known)
    };
    key_known || is_noise(pair)
}

/// Appends parameters to a URL. Encodes blanks as `%20` because some servers do not decode `+`.
pub fn with_params(url: &Url, params: &[(&str, &str)]) -> Url {
    let mut query = url.query().unwrap_or_default().trim_end_matches('&').to_owned();
    for (key, value) in params {
        if !query.is_empty() {
            query.push('&');
        }
        encode(key, &mut query);
        query.push('=');
        encode(value, &mut query);
    }
    let mut url = url.clone();
    url.set_query((!query.is_empty()).then_some(query.as_str()));
    url
}

/// Percent-encodes characters with a meaning in a query; `/`, `:` and `,` have none and stay
/// readable.
fn encode(text: &str, out: &mut String) {
    use std::fmt::Write as _;
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/:,()*".contains(&byte) {
            out.push(byte as char);
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// Returns the layers named in a request (`LAYERS`, `TYPENAME`, `COVERAGE`, ...), decoded, at most
/// 100.
pub fn named_layers(url: &Url) -> Vec<String> {
    const NAMING: &[&str] = &[
        "coverage",
        "coverageid",
        "featuretype",
        "layer",
        "layers",
        "query_layers",
        "typename",
        "typenames",
    ];
    let mut found: Vec<String> = Vec::new();
    let naming = query_pairs(url.query().unwrap_or_default())
        .filter(|p| with_lowercase(p.key, |k| is_listed(NAMING, k)));
    for pair in naming {
        for name in percent_decode(pair.value).split(',') {
            let name = name.trim();
            if !name.is_empty() && found.len() < 100 && !found.iter().any(|f| f == name) {
                found.push(name.to_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [REQUEST_PARAMETERS, OAI_ARGUMENTS, ENDPOINT_NOISE, CREDENTIALS] {
            let mut sorted = table.to_vec();
            sorted.sort_unstable();
            assert_eq!(table, sorted);
        }
    }

    #[test]
    fn request_parameters_go_and_vendor_parameters_stay() {
        for (from, to) in [
            (
                "https://x.org/cgi-bin/mapserv?MAP=%2Fdata%2Fa.map&SERVICE=WMS&Request=GetMap&LAYERS=a&x=1",
                "https://x.org/cgi-bin/mapserv?MAP=%2Fdata%2Fa.map",
            ),
            (
                "https://x.org/geoserver/ows?service=wfs&version=2.0.0&request=GetCapabilities",
                "https://x.org/geoserver/ows",
            ),
            ("https://x.org/wms?", "https://x.org/wms"),
            ("https://x.org/wms?&&", "https://x.org/wms"),
            (
                "https://x.org/wms?dim_run=1&language=ger&dataset=d&foo=a/b",
                "https://x.org/wms?dataset=d&foo=a/b",
            ),
            ("https://u:p@x.org/wms?token=abc&TOKEN=d&key=e#f", "https://x.org/wms"),
            ("https://x.org/oai?verb=Identify&set=a", "https://x.org/oai"),
            ("https://x.org/wms?set=a", "https://x.org/wms?set=a"),
            ("https://x.org//a//wms;jsessionid=1?ServiceName=Roads", "https://x.org/a/wms?ServiceName=Roads"),
            ("https://x.org/wms?%53ERVICE=WMS&id=7", "https://x.org/wms?id=7"),
        ] {
            let once = endpoint_url(&Url::parse(from).unwrap());
            assert_eq!(once.as_str(), to, "{from}");
            assert_eq!(endpoint_url(&once), once);
        }
    }

    #[test]
    fn parameters_are_appended_without_plus_signs() {
        let url = Url::parse("https://x.org/wms?map=/a.map&").unwrap();
        let asked = with_params(&url, &[("SERVICE", "WMS"), ("LAYERS", "a b&c,d")]);
        assert_eq!(asked.as_str(), "https://x.org/wms?map=/a.map&SERVICE=WMS&LAYERS=a%20b%26c,d");
        assert_eq!(with_params(&Url::parse("https://x.org/wms").unwrap(), &[]).as_str(), "https://x.org/wms");
    }

    #[test]
    fn layers_are_read_from_requests() {
        let url = Url::parse("https://x.org/wms?LAYERS=a,b%20c,a&typeNames=ns:d").unwrap();
        assert_eq!(named_layers(&url), ["a", "b c", "ns:d"]);
    }
}
