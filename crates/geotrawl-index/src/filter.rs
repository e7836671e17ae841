//! Filter expressions, as in the query languages of catalogues: a tree that a
//! [`crate::SearchQuery`] carries besides its words and place. All languages (OGC Filter, CQL,
//! CQL2) are translated to this tree.

use crate::query::SpatialRelation;
use geotrawl_model::Bbox;

/// A condition on records. A record without a value (box, title, time) does not match a condition
/// on that value. `Not` is the complement among all records, as in other catalogues, so it does
/// match such records.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterExpression {
    /// Matches if all match; matches everything if empty.
    All(Vec<FilterExpression>),
    /// Matches if at least one matches; matches nothing if empty.
    Any(Vec<FilterExpression>),
    Not(Box<FilterExpression>),
    /// Full-text query with the syntax of [`crate::SearchQuery::words`], stemmed and folded.
    Words(String),
    /// Pattern over the whole value: `%` matches any text, `_` one character, `\` escapes either.
    /// Ignores case and accents.
    Like {
        property: FilterProperty,
        pattern: String,
    },
    Compare {
        property: FilterProperty,
        comparison: ComparisonOperator,
        value: String,
    },
    /// The record has a value.
    Known(FilterProperty),
    /// The record's box has this relation to the given box.
    Place {
        relation: SpatialRelation,
        bbox: Bbox,
    },
    /// The record has a box, and it is disjoint from the given one.
    Apart {
        bbox: Bbox,
    },
    /// The record's time (or moment, see [`FilterProperty`]) intersects this span of RFC 3339
    /// moments or dates; either end may be open.
    Time {
        property: FilterProperty,
        from: Option<String>,
        until: Option<String>,
    },
    /// Records with these ids.
    Ids(Vec<String>),
}

/// Property that a condition applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FilterProperty {
    Id,
    /// All text.
    Any,
    Title,
    Abstract,
    Keyword,
    /// Id of the kind.
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
    /// Quality score, 0 to 100.
    Score,
    /// Time when the record was first seen.
    Created,
    /// Time when the record was last known to work, else last seen.
    Modified,
    /// Temporal extent of the data.
    Time,
}

/// Comparison operator. Numbers and times compare by value, text without case and accents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
}
