//! Names that questions use for properties of records: a closed table. Nothing that a stranger writes is ever evaluated
//! as a path or becomes a name of ours.

use crate::ask;
use geotrawl_index::{Comparison, Filter, Property, Sort};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CswQueryable {
    Property(Property),
    /// `service` or `dataset`, which follows from the kind.
    Type,
    /// The box.
    Place,
}

/// Names in lower case without their prefix, in the order of the alphabet.
const NAMES: &[(&str, CswQueryable)] = &[
    ("abstract", CswQueryable::Property(Property::Abstract)),
    ("accessconstraints", CswQueryable::Property(Property::Licence)),
    ("accessrights", CswQueryable::Property(Property::Licence)),
    ("alternatetitle", CswQueryable::Property(Property::Title)),
    ("any", CswQueryable::Property(Property::Any)),
    ("anytext", CswQueryable::Property(Property::Any)),
    ("boundingbox", CswQueryable::Place),
    ("conditionapplyingtoaccessanduse", CswQueryable::Property(Property::Licence)),
    ("contributor", CswQueryable::Property(Property::Provider)),
    ("country", CswQueryable::Property(Property::Country)),
    ("coverage", CswQueryable::Place),
    ("created", CswQueryable::Property(Property::Created)),
    ("creationdate", CswQueryable::Property(Property::Created)),
    ("creator", CswQueryable::Property(Property::Provider)),
    ("crs", CswQueryable::Property(Property::Crs)),
    ("date", CswQueryable::Property(Property::Modified)),
    ("datestamp", CswQueryable::Property(Property::Modified)),
    ("description", CswQueryable::Property(Property::Abstract)),
    ("envelope", CswQueryable::Place),
    ("format", CswQueryable::Property(Property::Kind)),
    ("geometry", CswQueryable::Place),
    ("host", CswQueryable::Property(Property::Host)),
    ("id", CswQueryable::Property(Property::Id)),
    ("identifier", CswQueryable::Property(Property::Id)),
    ("issued", CswQueryable::Property(Property::Created)),
    ("keyword", CswQueryable::Property(Property::Keyword)),
    ("keywords", CswQueryable::Property(Property::Keyword)),
    ("kind", CswQueryable::Property(Property::Kind)),
    ("language", CswQueryable::Property(Property::Language)),
    ("licence", CswQueryable::Property(Property::Licence)),
    ("license", CswQueryable::Property(Property::Licence)),
    ("linkage", CswQueryable::Property(Property::Url)),
    ("metadatadate", CswQueryable::Property(Property::Modified)),
    ("modified", CswQueryable::Property(Property::Modified)),
    ("onlineresource", CswQueryable::Property(Property::Url)),
    ("organisationname", CswQueryable::Property(Property::Provider)),
    ("otherconstraints", CswQueryable::Property(Property::Licence)),
    ("provider", CswQueryable::Property(Property::Provider)),
    ("publicationdate", CswQueryable::Property(Property::Created)),
    ("publisher", CswQueryable::Property(Property::Provider)),
    ("quality", CswQueryable::Property(Property::Score)),
    ("references", CswQueryable::Property(Property::Url)),
    ("resourceidentifier", CswQueryable::Property(Property::Id)),
    ("resourcelanguage", CswQueryable::Property(Property::Language)),
    ("revisiondate", CswQueryable::Property(Property::Modified)),
    ("rights", CswQueryable::Property(Property::Licence)),
    ("score", CswQueryable::Property(Property::Score)),
    ("servicetype", CswQueryable::Property(Property::Kind)),
    ("source", CswQueryable::Property(Property::Url)),
    ("spatial", CswQueryable::Place),
    ("status", CswQueryable::Property(Property::Status)),
    ("subject", CswQueryable::Property(Property::Keyword)),
    ("tempextent_begin", CswQueryable::Property(Property::Time)),
    ("tempextent_end", CswQueryable::Property(Property::Time)),
    ("temporal", CswQueryable::Property(Property::Time)),
    ("temporalextent", CswQueryable::Property(Property::Time)),
    ("the_geom", CswQueryable::Place),
    ("theme", CswQueryable::Property(Property::Theme)),
    ("time", CswQueryable::Property(Property::Time)),
    ("title", CswQueryable::Property(Property::Title)),
    ("topiccategory", CswQueryable::Property(Property::Theme)),
    ("type", CswQueryable::Type),
    ("uri", CswQueryable::Property(Property::Url)),
    ("url", CswQueryable::Property(Property::Url)),
];

/// What a name stands for, with whatever prefix (`dc:title`, `apiso:Title`) or path it is written.
pub fn find_queryable(name: &str) -> Option<CswQueryable> {
    let local = name.trim().trim_matches('"').rsplit([':', '/', '}']).next()?.to_ascii_lowercase();
    let at = NAMES.binary_search_by(|(known, _)| (*known).cmp(local.as_str())).ok()?;
    Some(NAMES[at].1)
}

/// Records whose type will do.
fn of_type(will_do: impl Fn(&str) -> bool) -> Filter {
    match (will_do("service"), will_do("dataset")) {
        (true, true) => Filter::All(Vec::new()),
        (false, false) => Filter::Any(Vec::new()),
        (false, true) => ask::type_filter("dataset"),
        (true, false) => Filter::Not(Box::new(ask::type_filter("dataset"))),
    }
}

/// A comparison; the error is for the person who asks.
pub fn comparison_filter(name: &str, comparison: Comparison, value: &str) -> Result<Filter, String> {
    match find_queryable(name).ok_or_else(|| unknown_property(name))? {
        CswQueryable::Property(property) => {
            Ok(Filter::Compare { property, comparison, value: spelled(property, value) })
        }
        CswQueryable::Type => Ok(of_type(|own| {
            let same = value.trim().eq_ignore_ascii_case(own);
            match comparison {
                Comparison::Equal | Comparison::AtMost | Comparison::AtLeast => same,
                Comparison::NotEqual | Comparison::Less | Comparison::More => !same,
            }
        })),
        CswQueryable::Place => Err(format!("{name} is a place, and is not compared with a value.")),
    }
}

/// A pattern as [`Filter::Like`] writes it.
pub fn like_filter(name: &str, pattern: String) -> Result<Filter, String> {
    match find_queryable(name).ok_or_else(|| unknown_property(name))? {
        CswQueryable::Property(property) => Ok(Filter::Like { property, pattern }),
        CswQueryable::Type => {
            let wanted = pattern.to_lowercase();
            let inside = wanted.trim_matches('%');
            Ok(of_type(|own| if inside.len() == wanted.len() { own == wanted } else { own.contains(inside) }))
        }
        CswQueryable::Place => Err(format!("{name} is a place, and is not compared with a text.")),
    }
}

/// The value is known, or is not.
pub fn known_filter(name: &str) -> Result<Filter, String> {
    match find_queryable(name).ok_or_else(|| unknown_property(name))? {
        CswQueryable::Property(property) => Ok(Filter::Known(property)),
        CswQueryable::Type => Ok(Filter::All(Vec::new())),
        CswQueryable::Place => Ok(Filter::Any(vec![Filter::Place {
            relation: geotrawl_index::Relation::Within,
            bbox: [-180.0, -90.0, 180.0, 90.0].into(),
        }])),
    }
}

/// A property that is a time.
pub fn time_property(name: &str) -> Result<Property, String> {
    match find_queryable(name).ok_or_else(|| unknown_property(name))? {
        CswQueryable::Property(property @ (Property::Time | Property::Created | Property::Modified)) => {
            Ok(property)
        }
        _ => Err(format!("{name} is no time.")),
    }
}

/// Whether a name, if one is given, is a place.
pub fn require_place(name: Option<&str>) -> Result<(), String> {
    match name.map(str::trim).filter(|name| !name.is_empty()) {
        None => Ok(()),
        Some(name) => match find_queryable(name) {
            Some(CswQueryable::Place) => Ok(()),
            Some(_) => Err(format!("{name} is no place.")),
            None => Err(unknown_property(name)),
        },
    }
}

/// The order by a property.
pub fn parse_sort(name: &str, down: bool) -> Result<Sort, String> {
    Ok(match (find_queryable(name).ok_or_else(|| unknown_property(name))?, down) {
        (CswQueryable::Property(Property::Title), false) => Sort::Title,
        (CswQueryable::Property(Property::Title), true) => Sort::TitleDown,
        (CswQueryable::Property(Property::Id), false) => Sort::Id,
        (CswQueryable::Property(Property::Id), true) => Sort::IdDown,
        (CswQueryable::Property(Property::Created), false) => Sort::Oldest,
        (CswQueryable::Property(Property::Created), true) => Sort::Newest,
        (CswQueryable::Property(Property::Modified), false) => Sort::ChangedUp,
        (CswQueryable::Property(Property::Modified), true) => Sort::Changed,
        (CswQueryable::Property(Property::Score), false) => Sort::QualityUp,
        (CswQueryable::Property(Property::Score), true) => Sort::Quality,
        (CswQueryable::Property(Property::Any), _) => Sort::Best,
        _ => {
            return Err(format!(
                "Records are not sorted by {name}; by title, identifier, created, modified or quality."
            ));
        }
    })
}

/// Values in the spelling that records have.
fn spelled(property: Property, value: &str) -> String {
    let value = value.trim();
    match property {
        Property::Crs => {
            let code = value.rsplit([':', '/', '#']).next().unwrap_or_default();
            let epsg = value.to_ascii_uppercase().contains("EPSG");
            if epsg && !code.is_empty() && code.bytes().all(|b| b.is_ascii_digit()) {
                return format!("EPSG:{code}");
            }
            value.to_owned()
        }
        // `OGC:WMS` and `view` are how others name kinds.
        Property::Kind => {
            let lower = value.to_ascii_lowercase();
            lower.strip_prefix("ogc:").unwrap_or(&lower).to_owned()
        }
        _ => value.to_owned(),
    }
}

/// Said of a name that is not in the table.
pub fn unknown_property(name: &str) -> String {
    let short: String = name.chars().take(80).collect();
    format!("There is no property “{short}” to ask for.")
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
            assert_eq!(find_queryable(name), Some(CswQueryable::Property(Property::Title)), "{name}");
        }
        for name in ["", "dc:", "java.lang.Runtime", "exec(1)", "titel"] {
            assert_eq!(find_queryable(name), None, "{name}");
        }
    }

    #[test]
    fn types_follow_from_kinds() {
        let files = comparison_filter("dc:type", Comparison::Equal, "Dataset").expect("a filter");
        assert!(matches!(&files, Filter::Any(kinds) if kinds.len() > 15));
        let services = like_filter("type", "%serv%".to_owned()).expect("a filter");
        assert_eq!(services, Filter::Not(Box::new(files)));
        assert_eq!(comparison_filter("type", Comparison::Equal, "series"), Ok(Filter::Any(Vec::new())));
    }
}
