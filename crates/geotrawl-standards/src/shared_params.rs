//! Parameters shared by several standards.

use geotrawl_index::{ComparisonOperator, FilterExpression, FilterProperty, moments};
use geotrawl_kinds::kinds::{self, KINDS, KindProfile};
use geotrawl_model::Bbox;

/// Maximum number of records per page.
pub const MOST_RECORDS: usize = 100;
/// Maximum number of ids per request.
pub const MOST_IDS: usize = 200;
/// Deepest offset of a result page.
pub const DEEPEST: usize = 10_000_000;

/// Builds a box from four numbers, or six with heights.
pub fn bbox_from_numbers(numbers: &[f64]) -> Result<Bbox, String> {
    let [west, south, east, north] = match *numbers {
        [w, s, e, n] => [w, s, e, n],
        [w, s, _, e, n, _] => [w, s, e, n],
        _ => {
            return Err(
                "A box needs four numbers (west,south,east,north in degrees), or six with heights.".into()
            );
        }
    };
    if !(-180.0..=180.0).contains(&west) || !(-180.0..=180.0).contains(&east) {
        return Err("West and east of a box must be between -180 and 180.".into());
    }
    if !(-90.0..=90.0).contains(&south) || !(-90.0..=90.0).contains(&north) || south > north {
        return Err("South and north of a box must be between -90 and 90, south first.".into());
    }
    Ok(Bbox { west, south, east, north })
}

/// Parses a box from numbers separated by commas.
pub fn parse_bbox(text: &str) -> Result<Bbox, String> {
    let numbers =
        text.split(',').take(7).map(|part| part.trim().parse::<f64>().ok().filter(|n| n.is_finite()));
    let numbers: Option<Vec<f64>> = numbers.collect();
    bbox_from_numbers(&numbers.unwrap_or_default())
}

/// Start and end of a time span; `None` is open.
pub type DatetimeSpan = (Option<String>, Option<String>);

/// Parses `datetime` of OGC API and STAC: a date or time, or an interval with ends that may be `..`
/// or empty.
pub fn parse_datetime(text: &str) -> Result<DatetimeSpan, String> {
    let wrong =
        || format!("'{text}' is not a time (2026-01-31T12:00:00Z), date or interval (2026-01-31/..).");
    let end = |text: &str| match text {
        "" | ".." => Ok(None),
        text if text.len() <= 40 && !text.contains('/') && moments::parse_time_range(text).is_some() => {
            Ok(Some(text.to_owned()))
        }
        _ => Err(wrong()),
    };
    let (from, until) = match text.trim().split_once('/') {
        None => {
            let one = end(text.trim())?.ok_or_else(wrong)?;
            (Some(one.clone()), Some(one))
        }
        Some((from, until)) => (end(from)?, end(until)?),
    };
    let second = |text: &Option<String>| text.as_deref().and_then(moments::parse_time_range);
    if let (Some((first, _)), Some((_, last))) = (second(&from), second(&until))
        && first > last
    {
        return Err("The interval ends before it starts.".into());
    }
    Ok((from, until))
}

/// Returns the resource type of a kind as catalogues name it: `dataset` for downloads, else
/// `service`.
pub fn resource_type(kind: &str) -> &'static str {
    kinds::kind_profile(kind).map_or("service", KindProfile::resource_type)
}

/// Builds a filter for a type: `service`, `dataset`, or the id of a kind.
pub fn type_filter(word: &str) -> FilterExpression {
    let word = word.to_ascii_lowercase();
    let is = |kind: &str| FilterExpression::Compare {
        property: FilterProperty::Kind,
        comparison: ComparisonOperator::Equal,
        value: kind.to_owned(),
    };
    if !matches!(word.as_str(), "service" | "dataset") {
        return is(&word);
    }
    let ids = KINDS.iter().map(|kind| kind.profile().id);
    FilterExpression::Any(ids.filter(|id| resource_type(id) == word).map(is).collect())
}

/// Combines a filter with another one that must match as well.
pub fn combine_filters(one: Option<FilterExpression>, other: FilterExpression) -> Option<FilterExpression> {
    Some(match one {
        None => other,
        Some(FilterExpression::All(mut all)) => {
            all.push(other);
            FilterExpression::All(all)
        }
        Some(one) => FilterExpression::All(vec![one, other]),
    })
}

/// Converts the search text of OGC API and STAC, where terms separated by commas are alternatives.
pub fn join_alternatives(text: &str) -> String {
    let terms: Vec<&str> = text.split(',').map(str::trim).filter(|term| !term.is_empty()).collect();
    match terms[..] {
        [] => String::new(),
        [one] => one.to_owned(),
        _ => terms.iter().map(|term| format!("({term})")).collect::<Vec<_>>().join(" OR "),
    }
}

/// Parses a sort key such as `+title`, `-updated` or `title`; returns the name and whether the
/// order is descending.
pub fn parse_sort_key(text: &str) -> (&str, bool) {
    match text.trim() {
        text if text.starts_with('-') => (&text[1..], true),
        text => (text.trim_start_matches('+').trim(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csw::{CswVersion, ElementSelection, ElementSet};
    use crate::described::DescribedRecord;
    use crate::records::CatalogueInfo;
    use crate::xml::XmlWriter;
    use crate::{dc, queryables, records};
    use geotrawl_model::{Record, Resource};

    #[test]
    fn boxes_and_intervals_are_read() {
        assert_eq!(parse_bbox("170,-10,-170,10").map(<[f64; 4]>::from), Ok([170.0, -10.0, -170.0, 10.0]));
        assert_eq!(parse_bbox("1,2,0,3,4,9").map(<[f64; 4]>::from), Ok([1.0, 2.0, 3.0, 4.0]));
        for wrong in ["", "1,2,3", "1,2,3,nan", "1,5,3,4", "1,2,3,4,5,6,7", "200,0,201,1"] {
            assert!(parse_bbox(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_datetime("2020-01-01/.."), Ok((Some("2020-01-01".into()), None)));
        assert_eq!(parse_datetime("/2020"), Ok((None, Some("2020".into()))));
        assert_eq!(parse_datetime("2020"), Ok((Some("2020".into()), Some("2020".into()))));
        for wrong in ["", "..", "soon", "2021/2020", "2020/2021/2022"] {
            assert!(parse_datetime(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_kind_has_a_type() {
        let FilterExpression::Any(services) = type_filter("service") else { panic!("alternatives") };
        let FilterExpression::Any(data) = type_filter("dataset") else { panic!("alternatives") };
        assert_eq!(services.len() + data.len(), KINDS.len());
        assert_eq!((resource_type("wms"), resource_type("geojson")), ("service", "dataset"));
        assert_eq!((resource_type("3dtiles"), resource_type("schemaorg-dataset")), ("dataset", "dataset"));
    }

    #[test]
    fn every_standard_gives_a_record_the_same_type() {
        let Ok(FilterExpression::Any(data)) =
            queryables::comparison_filter("type", ComparisonOperator::Equal, "dataset")
        else {
            panic!("alternatives")
        };
        assert_eq!(FilterExpression::Any(data), type_filter("dataset"));
        let place = CatalogueInfo { base: "https://x.org".into(), title: String::new() };
        for kind in KINDS {
            let id = kind.profile().id;
            let resource =
                Resource { kind: id.to_owned(), url: "https://x.org/a".into(), ..Resource::default() };
            let record = Record { id: "a".into(), resource, ..Record::default() };
            let mut xml = XmlWriter::fragment();
            dc::write_dublin_core(
                &mut xml,
                &record,
                CswVersion::V2,
                &ElementSelection::Set(ElementSet::Full),
                "",
            );
            let dublin_core = format!("<dc:type>{}</dc:type>", resource_type(id));
            assert!(xml.finish().contains(&dublin_core), "{id} is no {dublin_core}");
            let item = records::item::build_feature(&place, &DescribedRecord { record, layers: Vec::new() });
            assert_eq!(item["properties"]["type"], resource_type(id), "{id}");
        }
    }
}
