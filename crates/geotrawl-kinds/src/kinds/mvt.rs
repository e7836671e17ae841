//! Mapbox vector tiles.

use super::members::ResourceDraft;
use super::{
    DescriptionFormat, DescriptionRequest, Kind, KindProfile, MapRenderer, MetadataDepth, QgisConnection,
};
use crate::files::{FileExamination, FileView};
use crate::probe::{Finding, Found, ResponseClass};
use crate::urls;
use geotrawl_model::Dataset;
use std::io::Read;

/// A vector tile.
pub struct MvtKind;

/// Kind id.
pub const ID: &str = "mvt";
/// Maximum decompressed size: by convention, tiles have at most half a megabyte.
const MAX_TILE: u64 = 8 << 20;
const MAX_LAYERS: usize = 200;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "Mapbox vector tiles",
    what: "Vector tiles, as a template or as a single tile. Each layer of a tile is a dataset.",
    specification: "https://github.com/mapbox/vector-tile-spec",
    evidence: "A tile, compressed or not, that consists entirely of layers with a name, a version and features.",
    false_positives: "OpenStreetMap .pbf files and all other protocol buffers.",
    description: DescriptionFormat::Types(&[
        "application/vnd.mapbox-vector-tile",
        "application/x-protobuf",
        "application/octet-stream",
    ]),
    is_text: false,
    request: DescriptionRequest::File,
    read_from: Some("xyz"),
    fixed_crs: true,
    metadata: MetadataDepth::Untitled,
    has_extent: false,
    drawer: Some(MapRenderer::Tiles),
    qgis_connection: Some(QgisConnection::VectorTile),
    ..KindProfile::TILES
};

impl Kind for MvtKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, file: &FileView<'_>) -> Option<FileExamination> {
        let layers = if file.file.is_complete() { tile_layers(file.file.head()) } else { None }?;
        let mut draft = ResourceDraft::new(ID, urls::endpoint_url(file.url));
        draft.resource.formats = vec!["application/vnd.mapbox-vector-tile".into()];
        for name in layers {
            draft.add_dataset(Dataset { name, ..Dataset::default() });
        }
        let found = Found::new(draft.finish(), "layers of a vector tile");
        let finding =
            Finding { resources: vec![found], verdict: ResponseClass::Resource, ..Finding::default() };
        Some(FileExamination { wants: Vec::new(), finding })
    }
}

/// Returns the names of the layers of a vector tile, or `None` if the bytes are not a tile.
///
/// Parsed by hand: only a few fields are needed, and the checks are stricter than those of a
/// generated parser.
pub fn tile_layers(bytes: &[u8]) -> Option<Vec<String>> {
    let mut unpacked = Vec::new();
    let tile = if bytes.starts_with(&[0x1F, 0x8B]) {
        flate2::read::GzDecoder::new(bytes).take(MAX_TILE).read_to_end(&mut unpacked).ok()?;
        unpacked.as_slice()
    } else {
        bytes
    };
    let mut names = Vec::new();
    let mut rest = tile;
    while !rest.is_empty() {
        let (field, value) = next_field(&mut rest)?;
        let (3, Some(layer)) = (field, value) else { return None };
        names.push(layer_name(layer)?);
        if names.len() > MAX_LAYERS {
            return None;
        }
    }
    (!names.is_empty()).then_some(names)
}

/// Returns the name of a layer with all required fields.
fn layer_name(mut layer: &[u8]) -> Option<String> {
    let mut name = None;
    let mut version = false;
    while !layer.is_empty() {
        match next_field(&mut layer)? {
            (1, Some(text)) => name = Some(std::str::from_utf8(text).ok()?.to_owned()),
            (2..=4, Some(_)) | (5, None) => {}
            (15, None) => version = true,
            _ => return None,
        }
    }
    name.filter(|name| version && !name.is_empty() && name.len() <= 200)
}

/// Returns the number of the next field, and its bytes unless it is a number.
fn next_field<'b>(rest: &mut &'b [u8]) -> Option<(u64, Option<&'b [u8]>)> {
    let key = varint(rest)?;
    let value = match key & 7 {
        0 => {
            varint(rest)?;
            None
        }
        2 => {
            let length = usize::try_from(varint(rest)?).ok()?;
            let (value, after) = rest.split_at_checked(length)?;
            *rest = after;
            Some(value)
        }
        _ => return None,
    };
    Some((key >> 3, value))
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tile(name: &str) -> Vec<u8> {
        let mut layer = vec![0x0A, name.len() as u8];
        layer.extend(name.bytes());
        layer.extend([0x28, 0x80, 0x20, 0x78, 2]);
        let mut tile = vec![0x1A, layer.len() as u8];
        tile.extend(layer);
        tile
    }

    #[test]
    fn layers_are_named() {
        let two = [tile("roads"), tile("water")].concat();
        assert_eq!(tile_layers(&two), Some(vec!["roads".to_owned(), "water".to_owned()]));
        assert_eq!(tile_layers(&two[..two.len() - 1]), None);
        assert_eq!(tile_layers(b"\x00\x00\x00\x0d\x0a\x09OSMHeader"), None);
        assert_eq!(tile_layers(b""), None);
    }

    proptest! {
        #[test]
        fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = tile_layers(&bytes);
        }
    }
}
