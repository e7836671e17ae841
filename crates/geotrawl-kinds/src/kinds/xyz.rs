//! Tiles with a URL template: `.../{z}/{x}/{y}.png`.

use super::members::ResourceDraft;
use super::{
    DescriptionFormat, DocumentClaim, DocumentReading, Kind, KindProfile, MapRenderer, MetadataDepth,
    QgisConnection, QgisLayer, mvt,
};
use crate::formats::json::JsonDocument;
use crate::probe::{
    CrawlTarget, Finding, Found, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody, ResponseClass,
    ServiceProbe,
};
use crate::sniff::{SniffedType, sniff_type};
use crate::urls;
use geotrawl_model::{Dataset, DiscoveryMethod, Intent};
use std::io::Read;
use url::Url;

/// A tile URL template.
pub struct XyzKind;

/// Kind id.
pub const ID: &str = "xyz";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "XYZ tiles",
    what: "Map tiles with URLs by zoom level, column and row, without any description. The template is one dataset.",
    specification: "https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames",
    evidence: "A template with placeholders for zoom, column and row, one tile of which is an image.",
    false_positives: "Other URL templates; servers that return a page for every URL.",
    description: DescriptionFormat::Types(&[
        "image/png",
        "image/jpeg",
        "image/webp",
        "image/gif",
        "application/vnd.mapbox-vector-tile",
        "application/x-protobuf",
    ]),
    is_text: false,
    protocol: Some("OSGeo:XYZ"),
    metadata: MetadataDepth::Untitled,
    has_extent: false,
    drawer: Some(MapRenderer::Tiles),
    terria_type: Some("url-template-imagery"),
    qgis_connection: Some(QgisConnection::Xyz),
    qgis_layer: Some(QgisLayer::Xyz),
    ..KindProfile::TILES
};

/// Spellings of template placeholders, with their meaning.
const PLACES: &[(&str, TilePlaceholder)] = &[
    ("{z}", TilePlaceholder::Zoom),
    ("{x}", TilePlaceholder::Column),
    ("{y}", TilePlaceholder::Row),
    ("{-y}", TilePlaceholder::Row),
    ("{TileMatrix}", TilePlaceholder::Zoom),
    ("{TileCol}", TilePlaceholder::Column),
    ("{TileRow}", TilePlaceholder::Row),
    ("{q}", TilePlaceholder::Key),
    ("{quadkey}", TilePlaceholder::Key),
    ("{level}", TilePlaceholder::Zoom),
    ("{col}", TilePlaceholder::Column),
    ("{row}", TilePlaceholder::Row),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TilePlaceholder {
    Zoom,
    Column,
    Row,
    Key,
}

/// Returns the template in a URL; braces may be percent-encoded or written `${z}`.
pub fn tile_template(address: &str) -> Option<String> {
    if address.len() > 2000 || !(address.contains('{') || address.contains("%7B") || address.contains("%7b"))
    {
        return None;
    }
    let mut text = address.replace("%7B", "{").replace("%7b", "{").replace("%7D", "}").replace("%7d", "}");
    text = text.replace("${", "{");
    for (subdomains, first) in [
        ("{s}", "a"),
        ("{a-c}", "a"),
        ("{a-d}", "a"),
        ("{1-4}", "1"),
        ("{0-3}", "0"),
        ("{r}", ""),
        ("{ratio}", ""),
    ] {
        text = text.replace(subdomains, first);
    }
    let lower = text.to_ascii_lowercase();
    let has = |place: TilePlaceholder| {
        PLACES.iter().any(|(mark, of)| *of == place && lower.contains(&mark.to_ascii_lowercase()))
    };
    let known = has(TilePlaceholder::Key)
        || has(TilePlaceholder::Zoom) && has(TilePlaceholder::Column) && has(TilePlaceholder::Row);
    // Any other placeholder could not be filled.
    (known && filled(&text, 0, 0, 0).is_some()).then_some(text)
}

/// Derives the template from the URL of a tile: zoom, column and row are the last three path
/// segments. Dates look the same but are distinguished by size: at zoom levels from 5 on, hardly
/// any land has low column or row numbers.
fn template_of_tile(url: &Url) -> Option<String> {
    let path = url.path();
    let (rest, last) = path.rsplit_once('/')?;
    let (rest, column) = rest.rsplit_once('/')?;
    let (rest, zoom) = rest.rsplit_once('/')?;
    let end = last.find(|c: char| !c.is_ascii_digit())?;
    let (row, tail) = last.split_at(end);
    let is_tile =
        [".png", ".jpg", ".jpeg", ".webp", ".pbf", ".mvt", "@2x.png", ".vector.pbf"].contains(&tail);
    let number = |text: &str| {
        text.parse::<u32>().ok().filter(|_| text.len() <= 8 && (text.len() == 1 || !text.starts_with('0')))
    };
    let (zoom, column, row) = (number(zoom)?, number(column)?, number(row)?);
    if !is_tile || !(5..=22).contains(&zoom) {
        return None;
    }
    let size = 1_u32 << zoom;
    let inside = (size / 64..size).contains(&column) && (size / 64..size).contains(&row);
    inside.then(|| {
        let mut origin = url.clone();
        origin.set_path("");
        origin.set_fragment(None);
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        origin.set_query(None);
        format!("{}{rest}/{{z}}/{{x}}/{{y}}{tail}{query}", origin.as_str().trim_end_matches('/'))
    })
}

/// Returns the URL of a tile of a template, or `None` if a placeholder cannot be filled.
fn filled(template: &str, z: u32, x: u32, y: u32) -> Option<String> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, tail)) = rest.split_once('{') {
        let (name, after) = tail.split_once('}')?;
        let mark = format!("{{{name}}}");
        let (_, place) = PLACES.iter().find(|(known, _)| known.eq_ignore_ascii_case(&mark))?;
        out.push_str(before);
        match place {
            TilePlaceholder::Zoom => out.push_str(&z.to_string()),
            TilePlaceholder::Column => out.push_str(&x.to_string()),
            TilePlaceholder::Row => out.push_str(&y.to_string()),
            TilePlaceholder::Key => out.push('0'),
        }
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// Creates a target for a template found in a document.
pub fn tile_target(address: &str, base: &Url, way: DiscoveryMethod, words: &str) -> Option<CrawlTarget> {
    let template = tile_template(address)?;
    let url = base.join(&template).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let intent = Intent::Ask { kind: ID.to_owned() };
    Some(CrawlTarget { words: words.chars().take(200).collect(), ..CrawlTarget::new(url, intent, way) })
}

impl Kind for XyzKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, _doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        None
    }

    fn read_json(&self, _doc: &JsonDocument, _claim: DocumentClaim, _at: &Url) -> DocumentReading {
        DocumentReading::default()
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &[
            "{z}",
            "%7bz%7d",
            "{quadkey}",
            "%7bquadkey%7d",
            "{q}",
            "%7bq%7d",
            "{tilematrix}",
            "%7btilematrix%7d",
            "{level}",
            "%7blevel%7d",
            ".png",
            ".jpg",
            ".jpeg",
            ".webp",
            ".pbf",
            ".mvt",
        ]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let template = tile_template(url.as_str()).or_else(|| template_of_tile(url))?;
        Url::parse(&template).ok()
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let template = tile_template(at.as_str())?;
        let dialogue = SingleTileProbe { template, tries: 0 };
        let ask = dialogue.ask()?;
        Some((Box::new(dialogue), ask))
    }
}

/// Tiles that nearly every set of the world or of a country contains: the whole world, then a
/// deeper one on land.
const TILES: &[(u32, u32, u32)] = &[(0, 0, 0), (4, 8, 5)];
const TILE_BYTES: u64 = 1 << 20;

struct SingleTileProbe {
    template: String,
    tries: usize,
}

impl SingleTileProbe {
    fn ask(&self) -> Option<ProbeRequest> {
        let (z, x, y) = TILES.get(self.tries).copied()?;
        let url = Url::parse(&filled(&self.template, z, x, y)?).ok()?;
        Some(ProbeRequest::get(url, "image/*, application/vnd.mapbox-vector-tile, */*;q=0.5", TILE_BYTES))
    }
}

impl ServiceProbe for SingleTileProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let head = answer.head;
        let bytes = match answer.body {
            ResponseBody::Whole(bytes) => bytes[..bytes.len().min(TILE_BYTES as usize)].to_vec(),
            ResponseBody::Stream(stream) => {
                let mut bytes = Vec::new();
                // A truncated tile is still recognised by its beginning.
                let _ = stream.take(TILE_BYTES).read_to_end(&mut bytes);
                bytes
            }
        };
        if head.status < 300 {
            let picture = sniff_type(&bytes, None) == SniffedType::Image;
            if picture {
                return ProbeStep::Done(Box::new(found(ID, &self.template, format_of(&bytes), Vec::new())));
            }
            if let Some(layers) = mvt::tile_layers(&bytes) {
                return ProbeStep::Done(Box::new(found(
                    mvt::ID,
                    &self.template,
                    "application/vnd.mapbox-vector-tile",
                    layers,
                )));
            }
        }
        self.tries += 1;
        let absent = matches!(head.status, 204 | 404) || head.status < 300 && bytes.is_empty();
        if let Some(ask) = self.ask().filter(|_| absent) {
            return ProbeStep::Ask(Box::new(ask));
        }
        let verdict = if matches!(head.status, 401 | 403 | 407) {
            ResponseClass::Login
        } else {
            ResponseClass::Nothing
        };
        ProbeStep::Done(Box::new(Finding { verdict, ..Finding::default() }))
    }
}

fn format_of(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, ..] => "image/png",
        [0xFF, ..] => "image/jpeg",
        [b'G', ..] => "image/gif",
        _ => "image/webp",
    }
}

/// Builds the finding for a tile that proves a template.
fn found(kind: &str, template: &str, format: &str, layers: Vec<String>) -> Finding {
    let without_key =
        Url::parse(template).map(|url| urls::endpoint_url(&url).to_string()).unwrap_or_default();
    let url = self::tile_template(&without_key).unwrap_or(without_key);
    let mut draft = ResourceDraft::new(kind, url.clone());
    draft.resource.formats = vec![format.into()];
    draft.resource.crs = vec!["EPSG:3857".into()];
    if layers.is_empty() {
        draft.add_dataset(Dataset { name: url, ..Dataset::default() });
    }
    for name in layers {
        draft.add_dataset(Dataset { name, ..Dataset::default() });
    }
    let resource = draft.finish();
    let found = Found::new(resource, format!("a tile of the template is {format}"));
    Finding { resources: vec![found], verdict: ResponseClass::Resource, ..Finding::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_known_and_filled_in() {
        for (address, tile) in [
            ("https://a.org/{z}/{x}/{y}.png", "https://a.org/4/8/5.png"),
            ("https://a.org/%7Bz%7D/%7Bx%7D/%7By%7D@2x.png?v=1", "https://a.org/4/8/5@2x.png?v=1"),
            ("https://{s}.a.org/${z}/${x}/${-y}{r}.jpg", "https://a.a.org/4/8/5.jpg"),
            ("https://a.org/wmts/{TileMatrix}/{TileRow}/{TileCol}.png", "https://a.org/wmts/4/5/8.png"),
        ] {
            let template = tile_template(address).unwrap();
            assert_eq!(filled(&template, 4, 8, 5).as_deref(), Some(tile));
        }
        let tile = |url: &str| template_of_tile(&Url::parse(url).unwrap());
        assert_eq!(
            tile("https://a.org/t/12/2047/1362.png?v=2").as_deref(),
            Some("https://a.org/t/{z}/{x}/{y}.png?v=2")
        );
        for other in [
            "https://a.org/2020/05/12.jpg",
            "https://a.org/12/25/2019.png",
            "https://a.org/12/2047/1362.html",
            "https://a.org/1/1/1.png",
            "https://a.org/20/05/12.jpg",
        ] {
            assert_eq!(tile(other), None, "{other}");
        }
        for other in [
            "https://a.org/{z}/{x}.png",
            "https://a.org/{id}",
            "https://a.org/{z}/{x}/{y}/{Time}.png",
            "https://a.org/{z",
        ] {
            assert_eq!(tile_template(other), None, "{other}");
        }
    }
}
