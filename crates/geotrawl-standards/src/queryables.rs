//! Names that questions use for properties of records: a closed table. Nothing that a stranger writes is ever evaluated
//! as a path or becomes a name of ours.

use crate::ask;
use geotrawl_index::{Comparison, Filter, Property, Sort};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queryable {
    Property(Property),
    /// `service` or `dataset`, which follows from the kind.
    Type,
    /// The box.
    Place,
}

/// Names in lower case without their prefix, in the order of the alphabet.
const NAMES: &[(&str, Queryable)] = &[
    ("abstract", Queryable::Property(Property::Abstract)),
    ("accessconstraints", Queryable::Property(Property::Licence)),
    ("accessrights", Queryable::Property(Property::Licence)),
    ("alternatetitle", Queryable::Property(Property::Title)),
    ("any", Queryable::Property(Property::Any)),
    ("anytext", Queryable::Property(Property::Any)),
    ("boundingbox", Queryable::Place),
    ("conditionapplyingtoaccessanduse", Queryable::Property(Property::Licence)),
    ("contributor", Queryable::Property(Property::Provider)),
    ("country", Queryable::Property(Property::Country)),
    ("coverage", Queryable::Place),
    ("created", Queryable::Property(Property::Created)),
    ("creationdate", Queryable::Property(Property::Created)),
    ("creator", Queryable::Property(Property::Provider)),
    ("crs", Queryable::Property(Property::Crs)),
    ("date", Queryable::Property(Property::Modified)),
    ("datestamp", Queryable::Property(Property::Modified)),
    ("description", Queryable::Property(Property::Abstract)),
    ("envelope", Queryable::Place),
    ("format", Queryable::Property(Property::Kind)),
    ("geometry", Queryable::Place),
    ("host", Queryable::Property(Property::Host)),
    ("id", Queryable::Property(Property::Id)),
    ("identifier", Queryable::Property(Property::Id)),
    ("issued", Queryable::Property(Property::Created)),
    ("keyword", Queryable::Property(Property::Keyword)),
    ("keywords", Queryable::Property(Property::Keyword)),
    ("kind", Queryable::Property(Property::Kind)),
    ("language", Queryable::Property(Property::Language)),
    ("licence", Queryable::Property(Property::Licence)),
    ("license", Queryable::Property(Property::Licence)),
    ("linkage", Queryable::Property(Property::Url)),
    ("metadatadate", Queryable::Property(Property::Modified)),
    ("modified", Queryable::Property(Property::Modified)),
    ("onlineresource", Queryable::Property(Property::Url)),
    ("organisationname", Queryable::Property(Property::Provider)),
    ("otherconstraints", Queryable::Property(Property::Licence)),
    ("provider", Queryable::Property(Property::Provider)),
    ("publicationdate", Queryable::Property(Property::Created)),
    ("publisher", Queryable::Property(Property::Provider)),
    ("quality", Queryable::Property(Property::Score)),
    ("references", Queryable::Property(Property::Url)),
    ("resourceidentifier", Queryable::Property(Property::Id)),
    ("resourcelanguage", Queryable::Property(Property::Language)),
    ("revisiondate", Queryable::Property(Property::Modified)),
    ("rights", Queryable::Property(Property::Licence)),
    ("score", Queryable::Property(Property::Score)),
    ("servicetype", Queryable::Property(Property::Kind)),
    ("source", Queryable::Property(Property::Url)),
    ("spatial", Queryable::Place),
    ("status", Queryable::Property(Property::Status)),
    ("subject", Queryable::Property(Property::Keyword)),
    ("tempextent_begin", Queryable::Property(Property::Time)),
    ("tempextent_end", Queryable::Property(Property::Time)),
    ("temporal", Queryable::Property(Property::Time)),
    ("temporalextent", Queryable::Property(Property::Time)),
    ("the_geom", Queryable::Place),
    ("theme", Queryable::Property(Property::Theme)),
    ("time", Queryable::Property(Property::Time)),
    ("title", Queryable::Property(Property::Title)),
    ("topiccategory", Queryable::Property(Property::Theme)),
    ("type", Queryable::Type),
    ("uri", Queryable::Property(Property::Url)),
    ("url", Queryable::Property(Property::Url)),
];

/// What a name stands for, with whatever prefix (`dc:title`, `apiso:Title`) or path it is written.
pub fn named(name: &str) -> Option<Queryable> {
    let local = name.trim().trim_matches('"').rsplit([':', '/', '}']).next()?.to_ascii_lowercase();
    let at = NAMES.binary_search_by(|(known, _)| (*known).cmp(local.as_str())).ok()?;
    Some(NAMES[at].1)
}

/// Records whose type will do.
fn of_type(will_do: impl Fn(&str) -> bool) -> Filter {
    match (will_do("service"), will_do("dataset")) {
        (true, true) => Filter::All(Vec::new()),
        (false, false) => Filter::Any(Vec::new()),
        (false, true) => ask::of_type("dataset"),
        (true, false) => Filter::Not(Box::new(ask::of_type("dataset"))),
    }
}

/// A comparison; the error is for the person who asks.
pub fn compare(name: &str, comparison: Comparison, value: &str) -> Result<Filter, String> {
    match named(name).ok_or_else(|| unknown(name))? {
        Queryable::Property(property) => {
            Ok(Filter::Compare { property, comparison, value: spelled(property, value) })
        }
        Queryable::Type => Ok(of_type(|own| {
            let same = value.trim().eq_ignore_ascii_case(own);
            match comparison {
                Comparison::Equal | Comparison::AtMost | Comparison::AtLeast => same,
                Comparison::NotEqual | Comparison::Less | Comparison::More => !same,
            }
        })),
        Queryable::Place => Err(format!("{name} is a place, and is not compared with a value.")),
    }
}

/// A pattern as [`Filter::Like`] writes it.
pub fn like(name: &str, pattern: String) -> Result<Filter, String> {
    match named(name).ok_or_else(|| unknown(name))? {
        Queryable::Property(property) => Ok(Filter::Like { property, pattern }),
        Queryable::Type => {
            let wanted = pattern.to_lowercase();
            let inside = wanted.trim_matches('%');
            Ok(of_type(|own| if inside.len() == wanted.len() { own == wanted } else { own.contains(inside) }))
        }
        Queryable::Place => Err(format!("{name} is a place, and is not compared with a text.")),
    }
}

/// The value is known, or is not.
pub fn known(name: &str) -> Result<Filter, String> {
    match named(name).ok_or_else(|| unknown(name))? {
        Queryable::Property(property) => Ok(Filter::Known(property)),
        Queryable::Type => Ok(Filter::All(Vec::new())),
        Queryable::Place => Ok(Filter::Any(vec![Filter::Place {
            relation: geotrawl_index::Relation::Within,
            bbox: [-180.0, -90.0, 180.0, 90.0].into(),
        }])),
    }
}

/// A property that is a time.
pub fn time(name: &str) -> Result<Property, String> {
    match named(name).ok_or_else(|| unknown(name))? {
        Queryable::Property(property @ (Property::Time | Property::Created | Property::Modified)) => {
            Ok(property)
        }
        _ => Err(format!("{name} is no time.")),
    }
}

/// Whether a name, if one is given, is a place.
pub fn place(name: Option<&str>) -> Result<(), String> {
    match name.map(str::trim).filter(|name| !name.is_empty()) {
        None => Ok(()),
        Some(name) => match named(name) {
            Some(Queryable::Place) => Ok(()),
            Some(_) => Err(format!("{name} is no place.")),
            None => Err(unknown(name)),
        },
    }
}

/// The order by a property.
pub fn sort(name: &str, down: bool) -> Result<Sort, String> {
    Ok(match (named(name).ok_or_else(|| unknown(name))?, down) {
        (Queryable::Property(Property::Title), false) => Sort::Title,
        (Queryable::Property(Property::Title), true) => Sort::TitleDown,
        (Queryable::Property(Property::Id), false) => Sort::Id,
        (Queryable::Property(Property::Id), true) => Sort::IdDown,
        (Queryable::Property(Property::Created), false) => Sort::Oldest,
        (Queryable::Property(Property::Created), true) => Sort::Newest,
        (Queryable::Property(Property::Modified), false) => Sort::ChangedUp,
        (Queryable::Property(Property::Modified), true) => Sort::Changed,
        (Queryable::Property(Property::Score), false) => Sort::QualityUp,
        (Queryable::Property(Property::Score), true) => Sort::Quality,
        (Queryable::Property(Property::Any), _) => Sort::Best,
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
pub fn unknown(name: &str) -> String {
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
            assert_eq!(named(name), Some(Queryable::Property(Property::Title)), "{name}");
        }
        for name in ["", "dc:", "java.lang.Runtime", "exec(1)", "titel"] {
            assert_eq!(named(name), None, "{name}");
        }
    }

    #[test]
    fn types_follow_from_kinds() {
        let files = compare("dc:type", Comparison::Equal, "Dataset").expect("a filter");
        assert!(matches!(&files, Filter::Any(kinds) if kinds.len() > 15));
        let services = like("type", "%serv%".to_owned()).expect("a filter");
        assert_eq!(services, Filter::Not(Box::new(files)));
        assert_eq!(compare("type", Comparison::Equal, "series"), Ok(Filter::Any(Vec::new())));
    }
}
