//! Which services and files the requests of a page show: one sighting for each, however often it was asked.
//!
//! A request says more than code: it was really made. So the service is told apart from the request here
//! (its endpoint, its layers), and the many tiles of one map become one template.

mod tiles;

use super::result::PageRequest;
use geotrawl_js::model::says;
use geotrawl_js::{AnalysisLevel, ScriptPosition, Sighting};
use geotrawl_kinds::{kinds, urls};
use std::collections::HashMap;
use url::{Position, Url};

/// Sightings of one page, and layers of one sighting.
const MOST: usize = 200;
const LAYERS: usize = 100;
/// Plain JSON that was loaded: some of it is data, most of it is not.
const DOCUMENTS: usize = 20;

/// What one request shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct RequestSighting {
    /// The same for all requests to one service.
    key: String,
    url: String,
    says: String,
    layers: Vec<String>,
    rule: String,
    reason: String,
}

/// The services and files that these requests show, in the order in which they were first asked for.
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
        // Scripts load data too, across origins; those say so in their address.
        return (seen.resource_type == "Script").then(|| ogc(&url, seen).or_else(|| arcgis(&url))).flatten();
    }
    ogc(&url, seen)
        .or_else(|| posted_xml(&url, seen))
        .or_else(|| arcgis(&url))
        .or_else(|| tiles::find_tiles(&url, &seen.resource_type, counted))
        .or_else(|| ogc_api(&url))
        .or_else(|| file(&url, seen))
}

/// A request with parameters of the OGC, in the address or in a posted form.
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
        reason: format!("the page asked it for {}", parameter(&asked, "request").unwrap_or_default()),
    })
}

/// A request that was posted as XML: WFS, CSW, WPS, SOS.
fn posted_xml(url: &Url, seen: &PageRequest) -> Option<RequestSighting> {
    let body = seen.post_data.as_deref().filter(|data| data.trim_start().starts_with('<'))?;
    let root = body.split('<').find_map(|tag| {
        let name = tag.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next()?;
        let local = name.rsplit(':').next()?;
        kinds::by_operation(&local.to_ascii_lowercase()).map(|kind| (local, kind))
    });
    let (request, kind) = root?;
    let mut layers = Vec::new();
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
        reason: format!("the page posted it a {request}"),
    })
}

/// A service of ArcGIS: whatever it is asked, its address is the part up to its type.
fn arcgis(url: &Url) -> Option<RequestSighting> {
    let mut end = url[..Position::BeforePath].len();
    let mut segments = url.path().split('/').skip(1);
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
        reason: "the page asked this service of ArcGIS".to_owned(),
    })
}

/// Collections of an OGC API.
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
        reason: format!("the page asked for {action} of a collection"),
    })
}

/// A data file, a style, a description of tiles, or JSON that may be one of these.
fn file(url: &Url, seen: &PageRequest) -> Option<RequestSighting> {
    let path = url.path().to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let data = matches!(seen.resource_type.as_str(), "Fetch" | "XHR" | "Other" | "Preflight");
    if !data {
        return None;
    }
    let (kind, rule, what) = if name == "tileset.json" {
        ("3dtiles", "render:3dtiles", "a tree of three-dimensional tiles")
    } else if name == "style.json" || (path.contains("/styles/") && extension == "json" && !is_sprite(name)) {
        ("maplibre-style", "render:style", "a style of a map")
    } else if matches!(name, "tiles.json" | "tilejson.json") || extension == "tilejson" {
        ("tilejson", "render:tilejson", "a description of tiles")
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
            Some(_) => format!("the page read pieces of {what}"),
            None => format!("the page loaded {what}"),
        },
    })
}

/// Icons of a style come with a list of where each one is.
fn is_sprite(name: &str) -> bool {
    name.contains("sprite") || name.contains("manifest") || name.starts_with("package")
}

/// The value of a parameter whose name is read without case, decoded.
fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.into_owned())
}

/// Letters and digits of what strangers wrote, for the name of a rule.
fn plain_word(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).take(30).collect::<String>().to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
