//! Property names in queries: a closed table, so that no client input is evaluated as a path or
//! becomes an internal name.

use crate::shared_params;
use geotrawl_index::{ComparisonOperator, FilterExpression, FilterProperty, SortOrder};

/// Meaning of a property name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CswQueryable {
    Property(FilterProperty),
    /// `service` or `dataset`, derived from the kind.
    Type,
    /// The bounding box.
    Place,
}

/// Names in lower case without their prefix, sorted alphabetically.
const NAMES: &[(&str, CswQueryable)] = &[
    ("abstract", CswQueryable::Property(FilterProperty::Abstract)),
    ("accessconstraints", CswQueryable::Property(FilterProperty::Licence)),
    ("accessrights", CswQueryable::Property(FilterProperty::Licence)),
    ("alternatetitle", CswQueryable::Property(FilterProperty::Title)),
    ("any", CswQueryable::Property(FilterProperty::Any)),
    ("anytext", CswQueryable::Property(FilterProperty::Any)),
    ("boundingbox", CswQueryable::Place),
    ("conditionapplyingtoaccessanduse", CswQueryable::Property(FilterProperty::Licence)),
    ("contributor", CswQueryable::Property(FilterProperty::Provider)),
    ("country", CswQueryable::Property(FilterProperty::Country)),
    ("coverage", CswQueryable::Place),
    ("created", CswQueryable::Property(FilterProperty::Created)),
    ("creationdate", CswQueryable::Property(FilterProperty::Created)),
    ("creator", CswQueryable::Property(FilterProperty::Provider)),
    ("crs", CswQueryable::Property(FilterProperty::Crs)),
    ("date", CswQueryable::Property(FilterProperty::Modified)),
    ("datestamp", CswQueryable::Property(FilterProperty::Modified)),
    ("description", CswQueryable::Property(FilterProperty::Abstract)),
    ("envelope", CswQueryable::Place),
    ("format", CswQueryable::Property(FilterProperty::Kind)),
    ("geometry", CswQueryable::Place),
    ("host", CswQueryable::Property(FilterProperty::Host)),
    ("id", CswQueryable::Property(FilterProperty::Id)),
    ("identifier", CswQueryable::Property(FilterProperty::Id)),
    ("issued", CswQueryable::Property(FilterProperty::Created)),
    ("keyword", CswQueryable::Property(FilterProperty::Keyword)),
    ("keywords", CswQueryable::Property(FilterProperty::Keyword)),
    ("kind", CswQueryable::Property(FilterProperty::Kind)),
    ("language", CswQueryable::Property(FilterProperty::Language)),
    ("licence", CswQueryable::Property(FilterProperty::Licence)),
    ("license", CswQueryable::Property(FilterProperty::Licence)),
    ("linkage", CswQueryable::Property(FilterProperty::Url)),
    ("metadatadate", CswQueryable::Property(FilterProperty::Modified)),
    ("modified", CswQueryable::Property(FilterProperty::Modified)),
    ("onlineresource", CswQueryable::Property(FilterProperty::Url)),
    ("organisationname", CswQueryable::Property(FilterProperty::Provider)),
    ("otherconstraints", CswQueryable::Property(FilterProperty::Licence)),
    ("provider", CswQueryable::Property(FilterProperty::Provider)),
    ("publicationdate", CswQueryable::Property(FilterProperty::Created)),
    ("publisher", CswQueryable::Property(FilterProperty::Provider)),
    ("quality", CswQueryable::Property(FilterProperty::Score)),
    ("references", CswQueryable::Property(FilterProperty::Url)),
    ("resourceidentifier", CswQueryable::Property(FilterProperty::Id)),
    ("resourcelanguage", CswQueryable::Property(FilterProperty::Language)),
    ("revisiondate", CswQueryable::Property(FilterProperty::Modified)),
    ("rights", CswQueryable::Property(FilterProperty::Licence)),
    ("score", CswQueryable::Property(FilterProperty::Score)),
    ("servicetype", CswQueryable::Property(FilterProperty::Kind)),
    ("source", CswQueryable::Property(FilterProperty::Url)),
    ("spatial", CswQueryable::Place),
    ("status", CswQueryable::Property(FilterProperty::Status)),
    ("subject", CswQueryable::Property(FilterProperty::Keyword)),
    ("tempextent_begin", CswQueryable::Property(FilterProperty::Time)),
    ("tempextent_end", CswQueryable::Property(FilterProperty::Time)),
    ("temporal", CswQueryable::Property(FilterProperty::Time)),
    ("temporalextent", CswQueryable::Property(FilterProperty::Time)),
    ("the_geom", CswQueryable::Place),
    ("theme", CswQueryable::Property(FilterProperty::Theme)),
    ("time", CswQueryable::Property(FilterProperty::Time)),
    ("title", CswQueryable::Property(FilterProperty::Title)),
    ("topiccategory", CswQueryable::Property(FilterProperty::Theme)),
    ("type", CswQueryable::Type),
    ("uri", CswQueryable::Property(FilterProperty::Url)),
    ("url", CswQueryable::Property(FilterProperty::Url)),
];

/// Looks up a name, with any prefix (`dc:title`, `apiso:Title`) or path.
pub fn find_queryable(name: &str) -> Option<CswQueryable> {
    let local = name.trim().trim_matches('"').rsplit([':', '/', '}']).next()?.to_ascii_lowercase();
    let at = NAMES.binary_search_by(|(known, _)| (*known).cmp(local.as_str())).ok()?;
    Some(NAMES[at].1)
}

/// Builds a filter for the resource types that match.
fn of_type(will_do: impl Fn(&str) -> bool) -> FilterExpression {
    match (will_do("service"), will_do("dataset")) {
        (true, true) => FilterExpression::All(Vec::new()),
        (false, false) => FilterExpression::Any(Vec::new()),
        (false, true) => shared_params::type_filter("dataset"),
        (true, false) => FilterExpression::Not(Box::new(shared_params::type_filter("dataset"))),
    }
}

/// Builds a comparison; the error message is for the client.
pub fn comparison_filter(
    name: &str,
    comparison: ComparisonOperator,
    value: &str,
) -> Result<FilterExpression, String> {
    match find_queryable(name).ok_or_else(|| unknown_property(name))? {
        CswQueryable::Property(property) => {
            Ok(FilterExpression::Compare { property, comparison, value: spelled(property, value) })
        }
        CswQueryable::Type => Ok(of_type(|own| {
            let same = value.trim().eq_ignore_ascii_case(own);
            match comparison {
                ComparisonOperator::Equal | ComparisonOperator::AtMost | ComparisonOperator::AtLeast => same,
                ComparisonOperator::NotEqual | ComparisonOperator::Less | ComparisonOperator::More => !same,
            }
        })),
        CswQueryable::Place => Err(format!("{name} is a geometry and cannot be compared with a value.")),
    }
}

/// Builds a pattern filter; the pattern uses the syntax of [`Filter::Like`].
pub fn like_filter(name: &str, pattern: String) -> Result<FilterExpression, String> {
    match find_queryable(name).ok_or_else(|| unknown_property(name))? {
        CswQueryable::Property(property) => Ok(FilterExpression::Like { property, pattern }),
        CswQueryable::Type => {
            let wanted = pattern.to_lowercase();
            let inside = wanted.trim_matches('%');
            Ok(of_type(|own| if inside.len() == wanted.len() { own == wanted } else { own.contains(inside) }))
        }
        CswQueryable::Place => Err(format!("{name} is a geometry and cannot be compared with a text.")),
    }
}

/// Builds a filter that requires a value.
pub fn known_filter(name: &str) -> Result<FilterExpression, String> {
    match find_queryable(name).ok_or_else(|| unknown_property(name))? {
        CswQueryable::Property(property) => Ok(FilterExpression::Known(property)),
        CswQueryable::Type => Ok(FilterExpression::All(Vec::new())),
        CswQueryable::Place => Ok(FilterExpression::Any(vec![FilterExpression::Place {
            relation: geotrawl_index::SpatialRelation::Within,
            bbox: [-180.0, -90.0, 180.0, 90.0].into(),
        }])),
    }
}

/// Returns the time property with this name.
pub fn time_property(name: &str) -> Result<FilterProperty, String> {
    match find_queryable(name).ok_or_else(|| unknown_property(name))? {
        CswQueryable::Property(
            property @ (FilterProperty::Time | FilterProperty::Created | FilterProperty::Modified),
        ) => Ok(property),
        _ => Err(format!("{name} is not a time.")),
    }
}

/// Checks that a name, if given, is a geometry.
pub fn require_place(name: Option<&str>) -> Result<(), String> {
    match name.map(str::trim).filter(|name| !name.is_empty()) {
        None => Ok(()),
        Some(name) => match find_queryable(name) {
            Some(CswQueryable::Place) => Ok(()),
            Some(_) => Err(format!("{name} is not a geometry.")),
            None => Err(unknown_property(name)),
        },
    }
}

/// Returns the sort order for a property.
pub fn parse_sort(name: &str, down: bool) -> Result<SortOrder, String> {
    Ok(match (find_queryable(name).ok_or_else(|| unknown_property(name))?, down) {
        (CswQueryable::Property(FilterProperty::Title), false) => SortOrder::Title,
        (CswQueryable::Property(FilterProperty::Title), true) => SortOrder::TitleDown,
        (CswQueryable::Property(FilterProperty::Id), false) => SortOrder::Id,
        (CswQueryable::Property(FilterProperty::Id), true) => SortOrder::IdDown,
        (CswQueryable::Property(FilterProperty::Created), false) => SortOrder::Oldest,
        (CswQueryable::Property(FilterProperty::Created), true) => SortOrder::Newest,
        (CswQueryable::Property(FilterProperty::Modified), false) => SortOrder::ChangedUp,
        (CswQueryable::Property(FilterProperty::Modified), true) => SortOrder::Changed,
        (CswQueryable::Property(FilterProperty::Score), false) => SortOrder::QualityUp,
        (CswQueryable::Property(FilterProperty::Score), true) => SortOrder::Quality,
        (CswQueryable::Property(FilterProperty::Any), _) => SortOrder::Best,
        _ => {
            return Err(format!(
                "Records cannot be sorted by {name}; use title, identifier, created, modified or quality."
            ));
        }
    })
}

/// Converts a value to the spelling that records use.
fn spelled(property: FilterProperty, value: &str) -> String {
    let value = value.trim();
    match property {
        FilterProperty::Crs => {
            let code = value.rsplit([':', '/', '#']).next().unwrap_or_default();
            let epsg = value.to_ascii_uppercase().contains("EPSG");
            if epsg && !code.is_empty() && code.bytes().all(|b| b.is_ascii_digit()) {
                return format!("EPSG:{code}");
            }
            value.to_owned()
        }
        // Other catalogues call kinds `OGC:WMS` or `view`.
        FilterProperty::Kind => {
            let lower = value.to_ascii_lowercase();
            lower.strip_prefix("ogc:").unwrap_or(&lower).to_owned()
        }
        _ => value.to_owned(),
    }
}

/// Returns the error message for an unknown name.
pub fn unknown_property(name: &str) -> String {
    let short: String = name.chars().take(80).collect();
    format!("Unknown property “{short}”.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn names_have_any_prefix() {
        for name in ["dc:title", "apiso:Title", "Title", "csw:Record/dc:title", "{urn:x}title", "\"title\""] {
            assert_eq!(find_queryable(name), Some(CswQueryable::Property(FilterProperty::Title)), "{name}");
        }
        for name in ["", "dc:", "java.lang.Runtime", "exec(1)", "titel"] {
            assert_eq!(find_queryable(name), None, "{name}");
        }
    }

    #[test]
    fn types_follow_from_kinds() {
        let files = comparison_filter("dc:type", ComparisonOperator::Equal, "Dataset").expect("a filter");
        assert!(matches!(&files, FilterExpression::Any(kinds) if kinds.len() > 15));
        let services = like_filter("type", "%serv%".to_owned()).expect("a filter");
        assert_eq!(services, FilterExpression::Not(Box::new(files)));
        assert_eq!(
            comparison_filter("type", ComparisonOperator::Equal, "series"),
            Ok(FilterExpression::Any(Vec::new()))
        );
    }
}
