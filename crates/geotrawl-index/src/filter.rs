//! Conditions on records, as the query languages of catalogues write them: a tree that [`crate::Query`] carries beside
//! its words and place. Every language (OGC Filter, CQL, CQL2) becomes this and nothing else.

use crate::query::SpatialRelation;
use geotrawl_model::Bbox;

/// A condition. An unknown value (a record without a box, a title, a time) meets no condition on it, nor its opposite
/// by [`Filter::Not`] of a comparison: `Not` is the complement among records, as catalogues do.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterExpression {
    /// All of them; of none: everything.
    All(Vec<FilterExpression>),
    /// One of them; of none: nothing.
    Any(Vec<FilterExpression>),
    Not(Box<FilterExpression>),
    /// Words as in [`crate::Query::words`] (a whole question, also of one field), which are compared as text is:
    /// stemmed, folded.
    Words(String),
    /// A pattern over the whole value: `%` any text, `_` one character, `\` takes either literally. Case and accents
    /// are alike.
    Like {
        property: FilterProperty,
        pattern: String,
    },
    Compare {
        property: FilterProperty,
        comparison: ComparisonOperator,
        value: String,
    },
    /// The value is known.
    Known(FilterProperty),
    /// The record's box lies so to this one.
    Place {
        relation: SpatialRelation,
        bbox: Bbox,
    },
    /// They share no place.
    Apart {
        bbox: Bbox,
    },
    /// The record's time (or moment, see [`Property`]) touches this span; RFC 3339 or a date, either may be open.
    Time {
        property: FilterProperty,
        from: Option<String>,
        until: Option<String>,
    },
    /// Records by their ids.
    Ids(Vec<String>),
}

/// What a condition is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FilterProperty {
    Id,
    /// All text.
    Any,
    Title,
    Abstract,
    Keyword,
    /// The kind, by its id.
    Kind,
    Provider,
    Licence,
    Language,
    Crs,
    Theme,
    Status,
    Country,
    Host,
    Url,
    /// Quality, 0 to 100.
    Score,
    /// First seen.
    Created,
    /// Last change that is known (last working, or seen).
    Modified,
    /// The time that the data cover.
    Time,
}

/// How values are compared: numbers as numbers, moments as moments, text without case and accents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
}
