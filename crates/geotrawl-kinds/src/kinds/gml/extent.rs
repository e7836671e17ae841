//! Extent of the features of a document: envelopes and positions, in the axis order of their
//! coordinate system.

use crate::formats::bbox::parse_decimal;
use crate::formats::crs::CrsRef;
use crate::formats::xml::XmlReader;

/// Maximum length of the text of one element.
pub const MAX_TEXT: usize = 256 * 1024;

/// `[min, min, max, max]` of the first two axes as written.
type CornerArray = [f64; 4];

/// Collects extents while a document is read.
#[derive(Default)]
pub struct GmlExtents {
    /// Local names of the open elements.
    path: Vec<String>,
    /// Name of the element that ended last.
    closed: Option<String>,
    /// The coordinate system named last, and the number of axes of its positions.
    srs: Option<String>,
    dimension: usize,
    /// Depth of the open `boundedBy`.
    envelope_depth: Option<usize>,
    envelope: Option<CornerArray>,
    /// First axis of a position written as `X` and `Y`.
    x: Option<f64>,
    /// Extent of the collection, with its coordinate system.
    collection: Option<(CornerArray, Option<String>)>,
    /// Extent of features and positions, with the coordinate system of the first.
    pieces: Option<(CornerArray, Option<String>)>,
}

impl GmlExtents {
    /// Remembers the coordinate system that an element names.
    pub fn note_srs(&mut self, reader: &XmlReader<'_>) {
        if let Some(srs) = reader.attr_by_local_name("srsName") {
            self.srs = Some(srs.trim().chars().take(300).collect()).filter(|s: &String| !s.is_empty());
        }
        if let Some(dimension) = reader.attr_by_local_name("srsDimension").and_then(|d| d.trim().parse().ok())
        {
            self.dimension = dimension;
        }
    }

    /// Called at the start of an element; the root has depth 1.
    pub fn start_element(&mut self, reader: &XmlReader<'_>, depth: usize) {
        self.path.truncate(depth.saturating_sub(2));
        self.path.push(String::from_utf8_lossy(reader.local_name()).chars().take(64).collect());
        self.note_srs(reader);
        if reader.local_name() == b"boundedBy" && self.envelope_depth.is_none() {
            self.envelope_depth = Some(depth);
            self.envelope = None;
        }
    }

    /// Returns the name of the element that ended last.
    pub fn last_closed(&self) -> Option<&str> {
        self.closed.as_deref()
    }

    /// Called at the end of an element of this depth.
    pub fn end_element(&mut self, depth: usize, text: &str) {
        self.closed = self.path.get(depth.wrapping_sub(2)).cloned();
        self.path.truncate(depth.saturating_sub(2));
        let numbers = match self.closed.as_deref() {
            Some("pos" | "lowerCorner" | "upperCorner" | "posList") => numbers(text),
            Some("coordinates") => return self.coordinates(text),
            Some("X") => {
                self.x = parse_decimal(text);
                return;
            }
            Some("Y") => {
                if let (Some(x), Some(y)) = (self.x.take(), parse_decimal(text)) {
                    self.position(x, y);
                }
                return;
            }
            Some("boundedBy") if self.envelope_depth == Some(depth) => {
                self.envelope_depth = None;
                if let Some(envelope) = self.envelope.take() {
                    if depth == 2 {
                        self.collection = self.collection.take().or(Some((envelope, self.srs.clone())));
                    } else {
                        self.add_piece(envelope);
                    }
                }
                return;
            }
            _ => return,
        };
        match (self.closed.as_deref(), &numbers[..]) {
            // A corner has as many axes as numbers.
            (Some("posList"), all) => {
                let axes = if self.dimension == 3 && all.len() % 3 == 0 { 3 } else { 2 };
                for position in all.chunks_exact(axes) {
                    self.position(position[0], position[1]);
                }
            }
            (_, &[a, b, ..]) => self.position(a, b),
            _ => {}
        }
    }

    /// Adds positions in the GML 2 notation `x,y x,y`; other separators do not occur in practice.
    fn coordinates(&mut self, text: &str) {
        for tuple in text.split_ascii_whitespace() {
            let mut parts = tuple.split(',').filter_map(parse_decimal);
            if let (Some(a), Some(b)) = (parts.next(), parts.next()) {
                self.position(a, b);
            }
        }
    }

    fn position(&mut self, a: f64, b: f64) {
        if !a.is_finite() || !b.is_finite() {
            return;
        }
        let point = [a, b, a, b];
        if self.envelope_depth.is_some() {
            self.envelope = Some(self.envelope.map_or(point, |e| join(e, point)));
        } else {
            self.add_piece(point);
        }
    }

    fn add_piece(&mut self, piece: CornerArray) {
        match &mut self.pieces {
            None => self.pieces = Some((piece, self.srs.clone())),
            // Positions in different coordinate systems cannot be merged.
            Some((extent, srs)) if *srs == self.srs || self.srs.is_none() => *extent = join(*extent, piece),
            Some(_) => {}
        }
    }

    /// Returns the extent with east before north, its coordinate system, and whether it was
    /// collected from features.
    pub fn into_extent(self) -> (Option<CornerArray>, Option<String>, bool) {
        let pieced = self.collection.is_none();
        let later = self.pieces.as_ref().and_then(|(_, srs)| srs.clone()).or(self.srs);
        let Some((extent, srs)) = self.collection.or(self.pieces) else { return (None, later, false) };
        // Many collections name the coordinate system only in their features.
        let srs = srs.or(later);
        let turned = srs.as_deref().is_some_and(north_first);
        let [a1, b1, a2, b2] = extent;
        (Some(if turned { [b1, a1, b2, a2] } else { extent }), srs, pieced)
    }
}

/// Returns whether latitude comes first: only the newer notations use the authority's axis order.
fn north_first(srs: &str) -> bool {
    let lower = srs.to_ascii_lowercase();
    let strict = lower.starts_with("urn:") || lower.contains("/def/crs/");
    strict && CrsRef::from_text(srs).is_some_and(|crs| crs.north_first())
}

fn join(a: CornerArray, b: CornerArray) -> CornerArray {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_ascii_whitespace().filter_map(|n| n.trim_end_matches(',').parse().ok()).collect()
}
