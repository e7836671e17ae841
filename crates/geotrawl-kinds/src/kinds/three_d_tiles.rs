//! 3D Tiles: tilesets with three-dimensional content.

use super::members::{MAX_TARGETS, ResourceDraft, parse_float, title_member};
use super::{
    DescriptionRequest, DocumentClaim, DocumentReading, HostingForm, Kind, KindProfile, MetadataDepth,
};
use crate::formats::json::JsonDocument;
use crate::urls;
use geotrawl_model::{Bbox, Dataset};
use serde_json::Value;
use url::Url;

/// A tileset.
pub struct ThreeDTilesKind;

const ID: &str = "3dtiles";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "3D Tiles",
    what: "A tree of three-dimensional tiles: cities, terrain, point clouds. The tileset is one dataset.",
    specification: "https://docs.ogc.org/cs/22-025r4/22-025r4.html",
    evidence: "A JSON object with asset.version, geometricError and root.boundingVolume.",
    false_positives: "glTF, which also has an asset with a version, but no root and no geometric error.",
    form: HostingForm::FileSet,
    request: DescriptionRequest::Page,
    metadata: MetadataDepth::Terse,
    terria_type: Some("3d-tiles"),
    ..KindProfile::TILES
};

impl Kind for ThreeDTilesKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let version = doc.root.pointer("/asset/version")?.as_str()?;
        let tree = doc.root.pointer("/root/boundingVolume").is_some_and(Value::is_object);
        (doc.has_member("geometricError") && tree)
            .then(|| DocumentClaim { version: Some(version.chars().take(16).collect()), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = ResourceDraft::new(ID, urls::endpoint_url(at));
        draft.resource.versions.extend(claim.version);
        let asset = doc.get("asset").unwrap_or(&Value::Null);
        draft.resource.title =
            title_member(asset, "title").or_else(|| title_member(asset, "name")).or_else(|| {
                doc.root
                    .pointer("/properties/name")
                    .and_then(Value::as_str)
                    .map(|t| t.chars().take(200).collect())
            });
        draft.resource.licence = super::members::stated_licence(title_member(asset, "copyright"));
        draft.resource.software = title_member(asset, "generator");
        let root = doc.get("root").unwrap_or(&Value::Null);
        let bbox = place(&mut draft, root);
        draft.resource.formats = content_formats(root);
        let dataset = Dataset {
            name: at
                .path_segments()
                .and_then(|mut s| s.rfind(|s| !s.is_empty()))
                .unwrap_or_default()
                .to_owned(),
            title: draft.resource.title.clone(),
            bbox,
            ..Dataset::default()
        };
        draft.add_dataset(dataset);
        draft.note_syntax_issues(doc);
        DocumentReading {
            resources: vec![draft.finish()],
            document: Some("3dtiles-tileset"),
            ..DocumentReading::default()
        }
    }
}

/// Returns the extensions of the contents of the first tiles.
fn content_formats(root: &Value) -> Vec<geotrawl_model::SharedText> {
    let mut formats: Vec<geotrawl_model::SharedText> = Vec::new();
    let mut stack = vec![root];
    let mut seen = 0;
    while let Some(tile) = stack.pop() {
        seen += 1;
        if seen > MAX_TARGETS {
            break;
        }
        let content = tile.get("content").unwrap_or(&Value::Null);
        let uri =
            content.get("uri").or_else(|| content.get("url")).and_then(Value::as_str).unwrap_or_default();
        let path = uri.split(['?', '#']).next().unwrap_or_default();
        if let Some((_, extension)) = path.rsplit_once('.')
            && extension.len() <= 5
            && !extension.contains('/')
            && !formats.iter().any(|f| **f == *extension)
            && formats.len() < 10
        {
            formats.push(extension.into());
        }
        stack.extend(tile.get("children").and_then(Value::as_array).into_iter().flatten());
    }
    formats
}

/// Returns the box of the root tile: a region in radians, or a box or sphere around a point on the
/// Earth.
fn place(draft: &mut ResourceDraft, root: &Value) -> Option<Bbox> {
    let volume = root.get("boundingVolume")?;
    let numbers = |name: &str| -> Option<Vec<f64>> {
        volume.get(name)?.as_array()?.iter().take(12).map(parse_float).collect()
    };
    if let Some(region) = numbers("region").filter(|r| r.len() == 6) {
        let [w, s, e, n] = [region[0], region[1], region[2], region[3]].map(|v| round(v.to_degrees()));
        return draft.place_box([w, s, e, n]);
    }
    let (centre, reach) = if let Some(b) = numbers("box").filter(|b| b.len() == 12) {
        let axis = |i: usize| b[i].hypot(b[i + 1]).hypot(b[i + 2]);
        ([b[0], b[1], b[2]], axis(3).hypot(axis(6)).hypot(axis(9)))
    } else {
        let s = numbers("sphere").filter(|s| s.len() == 4)?;
        ([s[0], s[1], s[2]], s[3])
    };
    let [x, y, z] = moved(centre, root.get("transform"))?;
    ball(x, y, z, reach.abs())
}

/// Applies the transform of a tile, a column-major matrix.
fn moved([x, y, z]: [f64; 3], transform: Option<&Value>) -> Option<[f64; 3]> {
    let Some(list) = transform.and_then(Value::as_array) else { return Some([x, y, z]) };
    let m: Vec<f64> = list.iter().take(16).map(parse_float).collect::<Option<_>>()?;
    if m.len() != 16 {
        return None;
    }
    let row = |i: usize| m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i];
    Some([row(0), row(1), row(2)])
}

/// Returns the box around a sphere in Earth-centred coordinates, on a spherical Earth: accurate to
/// a fraction of a degree, and returned only if the sphere is near the surface. Computed here to
/// avoid a dependency on a geocentric transformation for this alone.
fn ball(x: f64, y: f64, z: f64, reach: f64) -> Option<Bbox> {
    const SEMI_MAJOR: f64 = 6_378_137.0;
    const ECCENTRICITY: f64 = 0.006_694_379_990_14;
    let distance = x.hypot(y).hypot(z);
    if !(6_000_000.0..7_000_000.0).contains(&distance) || reach > 1_000_000.0 {
        return None;
    }
    let longitude = y.atan2(x).to_degrees();
    // Geodetic latitude of a point near the surface.
    let latitude = z.atan2(x.hypot(y) * (1.0 - ECCENTRICITY)).to_degrees();
    let angle = (reach / SEMI_MAJOR).to_degrees();
    let (south, north) = ((latitude - angle).max(-90.0), (latitude + angle).min(90.0));
    let widest = south.abs().max(north.abs()).to_radians().cos();
    if widest < 0.01 {
        return Some(Bbox { west: -180.0, south: round(south), east: 180.0, north: round(north) });
    }
    let across = angle / widest;
    let wrap = |lon: f64| {
        round(if lon > 180.0 {
            lon - 360.0
        } else if lon < -180.0 {
            lon + 360.0
        } else {
            lon
        })
    };
    Some(Bbox {
        west: wrap(longitude - across),
        south: round(south),
        east: wrap(longitude + across),
        north: round(north),
    })
}

fn round(degrees: f64) -> f64 {
    (degrees * 1e7).round() / 1e7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_on_the_earth_has_a_box() {
        // Bern: 7.44 E, 46.95 N.
        let bbox = ball(4_325_800.0, 564_900.0, 4_638_400.0, 1000.0).unwrap();
        assert!((bbox.west - 7.427).abs() < 0.02 && (bbox.north - 46.96).abs() < 0.02, "{bbox:?}");
        assert_eq!(ball(0.0, 0.0, 0.0, 10.0), None);
        assert_eq!(ball(f64::NAN, 0.0, 0.0, 10.0), None);
    }
}
