//! CQL2 (OGC 21-065r2), as text and as JSON, into [`Filter`].
//!
//! Written by hand: the `cql2` crate brings `geo`, `jsonschema`, `sqlparser` and a parser generator (some 300 packages)
//! for evaluation and SQL that are not needed here, and its parser recurses as deep as its input does. Both encodings
//! become one small [`Expr`], which one place ([`lower`]) turns into conditions.
//!
//! What the index can answer decides what is understood: boxes stand for geometries, text is compared without case and
//! accents, one side of a comparison is a property and the other a value. Everything else is refused in words.

mod json;
mod lower;
mod shapes;
mod spans;
mod text;

#[cfg(test)]
mod tests;

use geotrawl_index::{Filter, Property};
use geotrawl_model::Bbox;

/// Longest filter, in bytes.
pub const LONGEST: usize = 16 * 1024;
/// How deep conditions are nested.
const DEEPEST: usize = 40;
/// Conditions and values of one filter.
const MOST: usize = 1_000;

/// Why a filter is refused, for the person who wrote it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(String);

impl Refused {
    fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// Reads CQL2 text.
pub fn text(text: &str) -> Result<Filter, Refused> {
    short_enough(text.len())?;
    lower::filter(&text::parse(text)?)
}

/// Reads CQL2 JSON.
pub fn json(text: &str) -> Result<Filter, Refused> {
    short_enough(text.len())?;
    let value =
        serde_json::from_str(text).map_err(|error| Refused::new(format!("It is no JSON: {error}.")))?;
    of_value(&value)
}

/// Reads CQL2 JSON that was read as JSON already, as the member of a body.
pub fn of_value(value: &serde_json::Value) -> Result<Filter, Refused> {
    lower::filter(&json::expression(value)?)
}

/// The box of a GeoJSON geometry.
pub fn geometry_box(value: &serde_json::Value) -> Result<Bbox, Refused> {
    shapes::of_geojson(value)
}

fn short_enough(bytes: usize) -> Result<(), Refused> {
    if bytes > LONGEST {
        return Err(Refused::new(format!("The filter is longer than {LONGEST} bytes.")));
    }
    Ok(())
}

/// What both encodings say.
#[derive(Debug, Clone, PartialEq)]
enum Expr {
    /// An operator or function by its name in JSON, in small letters.
    Call(String, Vec<Expr>),
    Property(String),
    Text(String),
    Number(f64),
    Truth(bool),
    /// A date or moment.
    Moment(String),
    /// Either end may be open.
    Interval(Option<String>, Option<String>),
    Shape(Bbox),
    List(Vec<Expr>),
}

/// Counts what is read, so that no input is worth more work than [`MOST`].
#[derive(Debug, Default)]
struct Budget(usize);

impl Budget {
    fn spend(&mut self) -> Result<(), Refused> {
        self.0 += 1;
        if self.0 > MOST {
            return Err(Refused::new(format!("The filter has more than {MOST} parts.")));
        }
        Ok(())
    }
}

/// What a property of a filter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queryable {
    /// A value of a record.
    Value(Property),
    /// `service`, `dataset`, or the id of a kind.
    Type,
    /// The box of a record.
    Place,
}

/// A name that filters may use.
#[derive(Debug, Clone, Copy)]
pub struct Name {
    pub name: &'static str,
    pub is: Queryable,
    /// Type and format in JSON Schema.
    pub schema: (&'static str, Option<&'static str>),
    pub title: &'static str,
}

const fn name(
    name: &'static str,
    is: Queryable,
    schema: (&'static str, Option<&'static str>),
    title: &'static str,
) -> Name {
    Name { name, is, schema, title }
}

const STRING: (&str, Option<&str>) = ("string", None);
const MOMENT: (&str, Option<&str>) = ("string", Some("date-time"));
const SHAPE: (&str, Option<&str>) = ("", Some("geometry-any"));

/// Names that filters may use, as they are published.
pub const NAMES: &[Name] = &[
    name("id", Queryable::Value(Property::Id), STRING, "Identifier"),
    name("type", Queryable::Type, STRING, "service, dataset, or the id of a kind"),
    name("kind", Queryable::Value(Property::Kind), STRING, "Kind, such as wms"),
    name("title", Queryable::Value(Property::Title), STRING, "Title"),
    name("description", Queryable::Value(Property::Abstract), STRING, "Description"),
    name("keywords", Queryable::Value(Property::Keyword), STRING, "Keyword"),
    name("anytext", Queryable::Value(Property::Any), STRING, "All text"),
    name("provider", Queryable::Value(Property::Provider), STRING, "Who offers it"),
    name("license", Queryable::Value(Property::Licence), STRING, "Licence"),
    name("language", Queryable::Value(Property::Language), STRING, "Language"),
    name("crs", Queryable::Value(Property::Crs), STRING, "Coordinate system"),
    name("theme", Queryable::Value(Property::Theme), STRING, "Theme"),
    name("status", Queryable::Value(Property::Status), STRING, "Whether it works"),
    name("country", Queryable::Value(Property::Country), STRING, "Country of the host"),
    name("host", Queryable::Value(Property::Host), STRING, "Host"),
    name("url", Queryable::Value(Property::Url), STRING, "Endpoint"),
    name("score", Queryable::Value(Property::Score), ("number", None), "Quality, 0 to 100"),
    name("created", Queryable::Value(Property::Created), MOMENT, "First seen"),
    name("updated", Queryable::Value(Property::Modified), MOMENT, "Last change that is known"),
    name("datetime", Queryable::Value(Property::Time), MOMENT, "Time that the data cover"),
    name("geometry", Queryable::Place, SHAPE, "Box"),
];

/// Other spellings that clients use.
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

/// What a property of a filter is; `properties.` in front and prefixes of namespaces do not count.
pub fn queryable(property: &str) -> Option<Queryable> {
    let bare = property.strip_prefix("properties.").unwrap_or(property);
    let bare = bare.rsplit(':').next().unwrap_or(bare).to_ascii_lowercase();
    let known = ALSO.iter().find(|(other, _)| *other == bare).map_or(bare.as_str(), |(_, known)| known);
    NAMES.iter().find(|name| name.name == known).map(|name| name.is)
}

/// The box of a geometry in WKT.
pub fn wkt_box(wkt: &str) -> Result<Bbox, Refused> {
    match text(&format!("S_INTERSECTS(geometry, {wkt})"))? {
        Filter::Place { bbox, .. } => Ok(bbox),
        _ => Err(Refused::new("A geometry is not written as WKT.")),
    }
}
