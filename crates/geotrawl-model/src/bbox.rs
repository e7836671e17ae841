//! Bounding boxes.

use serde::{Deserialize, Serialize};

/// A WGS84 box `[west, south, east, north]` in degrees. If `west > east` it crosses the
/// antimeridian.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 4]", into = "[f64; 4]")]
pub struct Bbox {
    pub west: f64,
    pub south: f64,
    pub east: f64,
    pub north: f64,
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Bbox {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ArrayItems, Schema};
        use utoipa::openapi::{ArrayBuilder, ObjectBuilder, Type};
        let number: Schema = ObjectBuilder::new().schema_type(Type::Number).into();
        ArrayBuilder::new()
            .items(ArrayItems::False)
            .prefix_items([(); 4].map(|()| number.clone()))
            .min_items(Some(4))
            .max_items(Some(4))
            .description(Some("West, south, east, north in degrees; west > east crosses the antimeridian."))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Bbox {}

impl From<[f64; 4]> for Bbox {
    fn from([west, south, east, north]: [f64; 4]) -> Self {
        Self { west, south, east, north }
    }
}

impl From<Bbox> for [f64; 4] {
    fn from(b: Bbox) -> Self {
        [b.west, b.south, b.east, b.north]
    }
}
