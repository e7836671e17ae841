//! CQL2 (OGC 21-065r2), text and JSON, converted into [`Filter`].
//!
//! Written by hand: the `cql2` crate brings `geo`, `jsonschema`, `sqlparser` and a parser generator
//! (some 300 packages) for evaluation and SQL, which are not needed here, and its parser recurses
//! as deep as its input does. Both encodings become one small [`Expr`], which [`lower`] converts
//! into conditions.
//!
//! Only what the index can answer is supported: boxes instead of geometries, text compared without
//! case and accents, a property on one side of a comparison and a value on the other. Everything
//! else is refused with a message.

mod json;
mod lower;
mod shapes;
mod spans;
mod text;

#[cfg(test)]
mod tests;

use geotrawl_index::{FilterExpression, FilterProperty};
use geotrawl_model::Bbox;

/// Longest filter, in bytes.
pub const LONGEST: usize = 16 * 1024;
/// Maximum nesting depth.
const DEEPEST: usize = 40;
/// Maximum number of conditions and values per filter.
const MOST: usize = 1_000;

/// Why a filter was refused; the message is for the client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Cql2Error(String);

impl Cql2Error {
    fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// Parses CQL2 text.
pub fn parse_text(text: &str) -> Result<FilterExpression, Cql2Error> {
    short_enough(text.len())?;
    lower::lower_filter(&text::parse_expression(text)?)
}

/// Parses CQL2 JSON.
pub fn parse_json(text: &str) -> Result<FilterExpression, Cql2Error> {
    short_enough(text.len())?;
    let value = serde_json::from_str(text)
        .map_err(|error| Cql2Error::new(format!("The filter is not valid JSON: {error}.")))?;
    parse_value(&value)
}

/// Parses CQL2 JSON that has already been parsed as JSON, such as a member of a body.
pub fn parse_value(value: &serde_json::Value) -> Result<FilterExpression, Cql2Error> {
    lower::lower_filter(&json::parse_expression(value)?)
}

/// Returns the bounding box of a GeoJSON geometry.
pub fn geometry_box(value: &serde_json::Value) -> Result<Bbox, Cql2Error> {
    shapes::bbox_from_geojson(value)
}

fn short_enough(bytes: usize) -> Result<(), Cql2Error> {
    if bytes > LONGEST {
        return Err(Cql2Error::new(format!("The filter is longer than {LONGEST} bytes.")));
    }
    Ok(())
}

/// The common form of both encodings.
#[derive(Debug, Clone, PartialEq)]
enum Expr {
    /// An operator or function by its JSON name in lower case.
    Call(String, Vec<Expr>),
    Property(String),
    Text(String),
    Number(f64),
    Truth(bool),
    /// A date or time.
    Moment(String),
    /// An interval; `None` is an open end.
    Interval(Option<String>, Option<String>),
    Shape(Bbox),
    List(Vec<Expr>),
}

/// Counts parsed parts, so that no input costs more work than [`MOST`] parts.
#[derive(Debug, Default)]
struct ParseBudget(usize);

impl ParseBudget {
    fn spend(&mut self) -> Result<(), Cql2Error> {
        self.0 += 1;
        if self.0 > MOST {
            return Err(Cql2Error::new(format!("The filter has more than {MOST} parts.")));
        }
        Ok(())
    }
}

/// Meaning of a property in a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cql2Queryable {
    /// A property of a record.
    Value(FilterProperty),
    /// `service`, `dataset`, or the id of a kind.
    Type,
    /// The bounding box of a record.
    Place,
}

/// A property that filters may use.
#[derive(Debug, Clone, Copy)]
pub struct QueryableName {
    pub name: &'static str,
    pub is: Cql2Queryable,
    /// JSON Schema type and format.
    pub schema: (&'static str, Option<&'static str>),
    pub title: &'static str,
}

const fn name(
    name: &'static str,
    is: Cql2Queryable,
    schema: (&'static str, Option<&'static str>),
    title: &'static str,
) -> QueryableName {
    QueryableName { name, is, schema, title }
}

const STRING: (&str, Option<&str>) = ("string", None);
const MOMENT: (&str, Option<&str>) = ("string", Some("date-time"));
const SHAPE: (&str, Option<&str>) = ("", Some("geometry-any"));

/// Properties that filters may use, as published.
pub const NAMES: &[QueryableName] = &[
    name("id", Cql2Queryable::Value(FilterProperty::Id), STRING, "Identifier"),
    name("type", Cql2Queryable::Type, STRING, "service, dataset, or the id of a kind"),
    name("kind", Cql2Queryable::Value(FilterProperty::Kind), STRING, "Kind, such as wms"),
    name("title", Cql2Queryable::Value(FilterProperty::Title), STRING, "Title"),
    name("description", Cql2Queryable::Value(FilterProperty::Abstract), STRING, "Description"),
    name("keywords", Cql2Queryable::Value(FilterProperty::Keyword), STRING, "Keyword"),
    name("anytext", Cql2Queryable::Value(FilterProperty::Any), STRING, "All text"),
    name("provider", Cql2Queryable::Value(FilterProperty::Provider), STRING, "Provider"),
    name("license", Cql2Queryable::Value(FilterProperty::Licence), STRING, "Licence"),
    name("language", Cql2Queryable::Value(FilterProperty::Language), STRING, "Language"),
    name("crs", Cql2Queryable::Value(FilterProperty::Crs), STRING, "Coordinate system"),
    name("theme", Cql2Queryable::Value(FilterProperty::Theme), STRING, "Theme"),
    name("status", Cql2Queryable::Value(FilterProperty::Status), STRING, "Status"),
    name("country", Cql2Queryable::Value(FilterProperty::Country), STRING, "Country of the host"),
    name("host", Cql2Queryable::Value(FilterProperty::Host), STRING, "Host"),
    name("url", Cql2Queryable::Value(FilterProperty::Url), STRING, "Endpoint"),
    name("score", Cql2Queryable::Value(FilterProperty::Score), ("number", None), "Quality, 0 to 100"),
    name("created", Cql2Queryable::Value(FilterProperty::Created), MOMENT, "First seen"),
    name("updated", Cql2Queryable::Value(FilterProperty::Modified), MOMENT, "Last known change"),
    name("datetime", Cql2Queryable::Value(FilterProperty::Time), MOMENT, "Time covered by the data"),
    name("geometry", Cql2Queryable::Place, SHAPE, "Bounding box"),
];

/// Other names that clients use.
const ALSO: &[(&str, &str)] = &[
    ("identifier", "id"),
    ("abstract", "description"),
    ("keyword", "keywords"),
    ("subject", "keywords"),
    ("licence", "license"),
    ("languages", "language"),
    ("themes", "theme"),
    ("modified", "updated"),
    ("time", "datetime"),
    ("bbox", "geometry"),
    ("geom", "geometry"),
    ("boundingbox", "geometry"),
    ("organization", "provider"),
    ("quality", "score"),
];

/// Looks up a property; ignores a leading `properties.` and namespace prefixes.
pub fn find_queryable(property: &str) -> Option<Cql2Queryable> {
    let bare = property.strip_prefix("properties.").unwrap_or(property);
    let bare = bare.rsplit(':').next().unwrap_or(bare).to_ascii_lowercase();
    let known = ALSO.iter().find(|(other, _)| *other == bare).map_or(bare.as_str(), |(_, known)| known);
    NAMES.iter().find(|name| name.name == known).map(|name| name.is)
}

/// Returns the bounding box of a WKT geometry.
pub fn wkt_box(wkt: &str) -> Result<Bbox, Cql2Error> {
    match parse_text(&format!("S_INTERSECTS(geometry, {wkt})"))? {
        FilterExpression::Place { bbox, .. } => Ok(bbox),
        _ => Err(Cql2Error::new("The geometry is not valid WKT.")),
    }
}
