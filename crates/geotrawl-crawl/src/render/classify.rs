//! Derives services and files from the requests of a page, with one sighting per service.
//!
//! An actual request is stronger evidence than code. The service (endpoint, layers) is separated
//! from the request, and the many tile requests of a map are reduced to one template.

mod tiles;

use super::result::PageRequest;
use geotrawl_js::model::says;
use geotrawl_js::{AnalysisLevel, ScriptPosition, Sighting};
use geotrawl_kinds::{kinds, urls};
use std::collections::HashMap;
use url::{Position, Url};

/// Most sightings per page, and most layers per sighting.
const MOST: usize = 200;
const LAYERS: usize = 100;
/// Most plain JSON documents per page: some are data, most are not.
const DOCUMENTS: usize = 20;

/// What one request reveals.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct RequestSighting {
    /// Identical for all requests to one service.
    key: String,
    url: String,
    says: String,
    layers: Vec<String>,
    rule: String,
    reason: String,
}

/// Returns the services and files that the requests reveal, in the order of the first request.
pub fn classify_requests(requests: &[PageRequest]) -> Vec<Sighting> {
    let mut sightings: Vec<Sighting> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut documents = 0;
    let counted = tiles::count_templates(requests);
    for seen in requests {
        let Some(find) = find(seen, &counted) else { continue };
        let at = if let Some(at) = known.get(&find.key) {
            *at
        } else {
            documents += usize::from(find.says.is_empty());
            if sightings.len() >= MOST || (find.says.is_empty() && documents > DOCUMENTS) {
                continue;
            }
            known.insert(find.key.clone(), sightings.len());
            sightings.push(sighting(&find, seen));
            sightings.len() - 1
        };
        let Some(sighting) = sightings.get_mut(at) else { continue };
        for layer in find.layers {
            if sighting.layers.len() < LAYERS && !sighting.layers.contains(&layer) {
                sighting.layers.push(layer);
            }
        }
    }
    sightings
}

fn sighting(find: &RequestSighting, seen: &PageRequest) -> Sighting {
    let by = seen.initiator.as_ref();
    Sighting {
        url: find.url.clone(),
        says: find.says.clone(),
        layers: Vec::new(),
        title: String::new(),
        level: AnalysisLevel::Render,
        rule: find.rule.clone(),
        reason: find.reason.clone(),
        place: ScriptPosition::default(),
        line: by.map_or(0, |by| by.line),
        column: by.map_or(0, |by| by.column),
        original: by.map(|by| by.url.clone()),
    }
}

fn find(seen: &PageRequest, counted: &HashMap<String, usize>) -> Option<RequestSighting> {
    let mut url = Url::parse(&seen.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    if let Some(inner) = urls::unwrap_proxy(&url) {
        url = inner;
    }
    if matches!(seen.resource_type.as_str(), "Script" | "Stylesheet" | "Font" | "Media" | "Document") {
        // Scripts also load data across origins (JSONP); their URLs show it.
        return (seen.resource_type == "Script").then(|| ogc(&url, seen).or_else(|| arcgis(&url))).flatten();
    }
    ogc(&url, seen)
        .or_else(|| posted_xml(&url, seen))
        .or_else(|| arcgis(&url))
        .or_else(|| tiles::find_tiles(&url, &seen.resource_type, counted))
        .or_else(|| ogc_api(&url))
        .or_else(|| file(&url, seen))
}

/// Recognises OGC request parameters in the URL or in a posted form.
fn ogc(url: &Url, seen: &PageRequest) -> Option<RequestSighting> {
    let mut asked = url.clone();
    if let Some(form) =
        seen.post_data.as_deref().filter(|data| !data.trim_start().starts_with(['<', '{', '[']))
    {
        let query = match url.query() {
            Some(query) => format!("{query}&{form}"),
            None => form.to_owned(),
        };
        asked.set_query(Some(&query));
    }
    let request = parameter(&asked, "request")?.to_ascii_lowercase();
    let hint = urls::service_hint(&asked).filter(|hint| hint.strength == urls::HintStrength::Strong)?;
    let kind = *hint.kinds.first()?;
    let endpoint = urls::endpoint_url(url);
    Some(RequestSighting {
        key: format!("{kind} {endpoint}"),
        url: endpoint.into(),
        says: kind.to_owned(),
        layers: urls::named_layers(&asked),
        rule: format!("render:{}", plain_word(&request)),
        reason: format!("the page sent it a {} request", parameter(&asked, "request").unwrap_or_default()),
    })
}

/// Recognises a request posted as XML: WFS, CSW, WPS, SOS.
fn posted_xml(url: &Url, seen: &PageRequest) -> Option<RequestSighting> {
    let body = seen.post_data.as_deref().filter(|data| data.trim_start().starts_with('<'))?;
    let root = body.split('<').find_map(|tag| {
        let name = tag.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next()?;
        let local = name.rsplit(':').next()?;
        kinds::by_operation(&local.to_ascii_lowercase()).map(|kind| (local, kind))
    });
    let (request, kind) = root?;
    let mut layers = Vec::new();
    // WFS 2 renamed `typeName` to `typeNames`.
    for name in ["typeName=", "typeNames="] {
        for rest in body.split(name).skip(1) {
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
            let value = rest.get(1..).and_then(|rest| rest.split(quote).next()).unwrap_or_default();
            layers.extend(value.split([',', ' ']).filter(|layer| !layer.is_empty()).map(str::to_owned));
        }
    }
    layers.truncate(LAYERS);
    let endpoint = urls::endpoint_url(url);
    Some(RequestSighting {
        key: format!("{kind} {endpoint}"),
        url: endpoint.into(),
        says: kind.to_owned(),
        layers,
        rule: format!("render:{}", request.to_ascii_lowercase()),
        reason: format!("the page posted a {request} request to it"),
    })
}

/// Recognises an ArcGIS service, whose address is the URL up to the service type.
fn arcgis(url: &Url) -> Option<RequestSighting> {
    let mut end = url[..Position::BeforePath].len();
    let mut segments = url.path().split('/').skip(1);
    // Folders may precede the service name, so search the first segment that is a service type.
    let kind = loop {
        let segment = segments.next()?;
        end += 1 + segment.len();
        if let Some(profile) = kinds::by_arcgis_type(segment) {
            break profile.id;
        }
    };
    let service = url.as_str().get(..end)?;
    let next: Vec<&str> = segments.take(2).collect();
    let number =
        |text: &str| !text.is_empty() && text.len() < 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut layers: Vec<String> =
        next.first().filter(|id| number(id)).map(|id| (*id).to_owned()).into_iter().collect();
    let action =
        next.iter().find(|word| !number(word)).map_or_else(|| "info".to_owned(), |word| plain_word(word));
    if action == "export"
        && let Some(shown) = parameter(url, "layers")
    {
        let ids = shown.rsplit(':').next().unwrap_or_default().split(',').map(str::trim);
        layers.extend(ids.filter(|id| number(id)).map(str::to_owned));
    }
    Some(RequestSighting {
        key: format!("{kind} {}", service.to_ascii_lowercase()),
        url: service.to_owned(),
        says: kind.to_owned(),
        layers,
        rule: format!("render:arcgis-{action}"),
        reason: "the page sent a request to this ArcGIS service".to_owned(),
    })
}

/// Recognises requests for collections of an OGC API.
fn ogc_api(url: &Url) -> Option<RequestSighting> {
    let (before, after) = url.path().split_once("/collections/")?;
    let mut rest = after.split('/');
    let (collection, action) = (rest.next()?, rest.next()?);
    let kind = match action {
        "items" => "ogcapi-features",
        "tiles" => "ogcapi-tiles",
        "map" => "ogcapi-maps",
        "coverage" => "ogcapi-coverages",
        "position" | "area" | "cube" | "trajectory" | "radius" | "locations" => "ogcapi-edr",
        _ => return None,
    };
    let service = format!("{}{before}", &url[..Position::BeforePath]);
    Some(RequestSighting {
        key: format!("{kind} {service}"),
        url: service,
        says: kind.to_owned(),
        layers: vec![collection.to_owned()],
        rule: format!("render:{kind}"),
        reason: format!("the page requested {action} of a collection"),
    })
}

/// Recognises a data file, a style, a description of tiles, or JSON that may be one of these.
fn file(url: &Url, seen: &PageRequest) -> Option<RequestSighting> {
    let path = url.path().to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let data = matches!(seen.resource_type.as_str(), "Fetch" | "XHR" | "Other" | "Preflight");
    if !data {
        return None;
    }
    let (kind, rule, what) = if name == "tileset.json" {
        ("3dtiles", "render:3dtiles", "a 3D tileset")
    } else if name == "style.json" || (path.contains("/styles/") && extension == "json" && !is_sprite(name)) {
        ("maplibre-style", "render:style", "a map style")
    } else if matches!(name, "tiles.json" | "tilejson.json") || extension == "tilejson" {
        ("tilejson", "render:tilejson", "a TileJSON document")
    } else if let Some(hint) = urls::file_hint(url) {
        (hint.kind, "render:file", "a data file")
    } else if extension == "czml" {
        (says::FILE, "render:file", "a data file")
    } else if extension == "json"
        && !is_sprite(name)
        && !path.contains("/fonts/")
        && !path.contains("/cesium/")
    {
        ("", "render:json", "a document")
    } else {
        return None;
    };
    let mut address = url.clone();
    address.set_fragment(None);
    Some(RequestSighting {
        key: address.as_str().to_owned(),
        url: address.into(),
        says: kind.to_owned(),
        layers: Vec::new(),
        rule: rule.to_owned(),
        reason: match &seen.range {
            Some(_) => format!("the page read parts of {what}"),
            None => format!("the page loaded {what}"),
        },
    })
}

/// Whether a JSON file is the index of an icon sprite, or a manifest.
fn is_sprite(name: &str) -> bool {
    name.contains("sprite") || name.contains("manifest") || name.starts_with("package")
}

/// Returns the decoded value of a parameter, ignoring the case of its name.
fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.into_owned())
}

/// Reduces untrusted text to letters and digits for the name of a rule.
fn plain_word(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).take(30).collect::<String>().to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
