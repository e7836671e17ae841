//! Bounding boxes of WKT and GeoJSON geometries. Records only have boxes, so queries use the box of
//! a geometry.

use super::text::{Cql2Parser, Cql2Token};
use super::{Cql2Error, Expr};
use geotrawl_model::Bbox;
use serde_json::Value;

const SHAPES: [&str; 7] =
    ["point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection"];
/// Maximum nesting of coordinate lists and collections.
const DEEPEST: usize = 12;

/// Whether a lower-case word starts a geometry.
pub(super) fn is_geometry_keyword(word: &str) -> bool {
    SHAPES.contains(&word)
}

/// Grows a box around positions.
#[derive(Debug, Default)]
struct BoundsBuilder(Option<[f64; 4]>);

impl BoundsBuilder {
    fn add(&mut self, x: f64, y: f64) -> Result<(), Cql2Error> {
        if !(-180.0..=180.0).contains(&x) || !(-90.0..=90.0).contains(&y) {
            return Err(Cql2Error::new(format!(
                "The position {x} {y} is out of range; use longitude and latitude in degrees."
            )));
        }
        self.0 = Some(match self.0 {
            None => [x, y, x, y],
            Some([west, south, east, north]) => [west.min(x), south.min(y), east.max(x), north.max(y)],
        });
        Ok(())
    }

    fn done(self) -> Result<Bbox, Cql2Error> {
        self.0.map(Bbox::from).ok_or_else(|| Cql2Error::new("The geometry is empty."))
    }
}

/// Parses the rest of a WKT geometry, after its first word.
pub(super) fn parse_wkt(reader: &mut Cql2Parser) -> Result<Bbox, Cql2Error> {
    let mut around = BoundsBuilder::default();
    let mut position = Vec::with_capacity(4);
    let mut depth = 0_usize;
    loop {
        match reader.next() {
            Some(Cql2Token::Sign("(")) => depth += 1,
            Some(Cql2Token::Number(number)) if depth > 0 && position.len() < 4 => position.push(number),
            Some(Cql2Token::Sign(sign @ (")" | ","))) if depth > 0 => {
                match position[..] {
                    // Empty positions are closing parentheses of nested lists.
                    [] => {}
                    [x, y, ..] => around.add(x, y)?,
                    _ => return Err(Cql2Error::new("Positions need two numbers.")),
                }
                position.clear();
                if sign == ")" {
                    depth -= 1;
                    if depth == 0 {
                        return around.done();
                    }
                }
            }
            Some(Cql2Token::Word(word)) if position.is_empty() => {
                let small = word.to_ascii_lowercase();
                let belongs =
                    matches!(small.as_str(), "z" | "m" | "zm") || (depth > 0 && is_geometry_keyword(&small));
                if !belongs {
                    return Err(Cql2Error::new(format!("Unexpected '{word}' in a geometry.")));
                }
            }
            _ => return Err(Cql2Error::new("The geometry is not valid WKT.")),
        }
    }
}

/// Parses the arguments of `BBOX(w, s, e, n)`, or six numbers with heights.
pub(super) fn bbox_from_values(values: &[Expr]) -> Result<Bbox, Cql2Error> {
    let numbers: Option<Vec<f64>> = values
        .iter()
        .map(|value| match value {
            Expr::Number(number) => Some(*number),
            _ => None,
        })
        .collect();
    crate::shared_params::bbox_from_numbers(&numbers.unwrap_or_default()).map_err(Cql2Error::new)
}

/// Returns the bounding box of a GeoJSON geometry.
pub(super) fn bbox_from_geojson(value: &Value) -> Result<Bbox, Cql2Error> {
    let mut around = BoundsBuilder::default();
    geometry(value, &mut around, 0)?;
    around.done()
}

fn geometry(value: &Value, around: &mut BoundsBuilder, depth: usize) -> Result<(), Cql2Error> {
    if depth > DEEPEST {
        return Err(Cql2Error::new("The geometry is nested too deeply."));
    }
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    if !is_geometry_keyword(&kind.to_ascii_lowercase()) {
        return Err(Cql2Error::new("'type' is not a GeoJSON geometry."));
    }
    if let Some(parts) = value.get("geometries").and_then(Value::as_array) {
        return parts.iter().try_for_each(|part| geometry(part, around, depth + 1));
    }
    let coordinates = value.get("coordinates").and_then(Value::as_array);
    positions(coordinates.ok_or_else(|| Cql2Error::new("The geometry has no coordinates."))?, around, 0)
}

fn positions(list: &[Value], around: &mut BoundsBuilder, depth: usize) -> Result<(), Cql2Error> {
    if depth > DEEPEST {
        return Err(Cql2Error::new("The geometry is nested too deeply."));
    }
    if let Some(x) = list.first().and_then(Value::as_f64) {
        let y = list.get(1).and_then(Value::as_f64);
        return around.add(x, y.ok_or_else(|| Cql2Error::new("Positions need two numbers."))?);
    }
    list.iter().try_for_each(|inner| match inner {
        Value::Array(inner) => positions(inner, around, depth + 1),
        _ => Err(Cql2Error::new("Coordinates must be lists of numbers.")),
    })
}
