//! Search parameters shared by search, host locations, density and downloads.

use crate::Problem;
use geotrawl_index::{FACETS, SearchQuery, SearchTarget, SortOrder, SpatialRelation};
use geotrawl_model::{Bbox, Status, UnknownStatusError};
use serde::Deserialize;
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

/// Longest search text, in bytes.
const LONGEST_WORDS: usize = 2_000;
/// Maximum number of values per facet.
const MOST_VALUES: usize = 100;

/// Search filters. Values of one facet are alternatives; all facets must match.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct SearchFilters {
    /// Search text: words, "phrases", `wat*`, `roda~`, AND OR NOT, parentheses, `title:`,
    /// `provider:` and other fields.
    #[param(max_length = 2000)]
    pub q: Option<String>,
    /// Box `west,south,east,north` in degrees; if west > east, it crosses the antimeridian.
    #[param(example = "5,45,11,48")]
    pub bbox: Option<String>,
    /// Relation of the record's box to `bbox`: `overlaps` (default), `contains` or `within`.
    #[param(inline)]
    pub relation: Option<SpatialRelation>,
    /// The record's time must end on or after this date or time.
    pub from: Option<String>,
    /// The record's time must start before this date or time.
    pub to: Option<String>,
    /// Search services (default) or layers.
    #[param(inline)]
    pub by: Option<SearchTarget>,
    /// Sort order: `best` (default), `newest`, `title`, `quality`.
    #[param(inline)]
    pub sort: Option<SearchOrder>,
    /// Statuses (repeat or separate by commas), or `any`; default: usable services.
    pub status: Vec<String>,
    /// Kinds (repeat or separate by commas).
    pub kind: Vec<String>,
    /// Themes (repeat or separate by commas).
    pub theme: Vec<String>,
    /// Countries of the host, ISO codes (repeat or separate by commas).
    pub country: Vec<String>,
    /// Providers (repeat).
    pub provider: Vec<String>,
    /// `76-100`, `51-75`, `26-50`, `0-25`, `unscored` (repeat or separate by commas).
    pub quality: Vec<String>,
    /// Licences (repeat).
    pub licence: Vec<String>,
    /// Coordinate systems (repeat or separate by commas).
    pub crs: Vec<String>,
    /// Languages (repeat or separate by commas).
    pub language: Vec<String>,
}

/// Sort orders of the search; catalogue protocols have more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SearchOrder {
    #[default]
    Best,
    Newest,
    Title,
    Quality,
}

impl From<SearchOrder> for SortOrder {
    fn from(order: SearchOrder) -> Self {
        match order {
            SearchOrder::Best => Self::Best,
            SearchOrder::Newest => Self::Newest,
            SearchOrder::Title => Self::Title,
            SearchOrder::Quality => Self::Quality,
        }
    }
}

impl SearchFilters {
    /// Converts the filters into a query for the index.
    pub fn to_query(&self) -> Result<SearchQuery, Problem> {
        let words = self.q.clone().unwrap_or_default();
        if words.len() > LONGEST_WORDS {
            return Err(Problem::bad_request(
                "q",
                format!("The search text is longer than {LONGEST_WORDS} bytes."),
            ));
        }
        let (status, any_status) = statuses(&self.status)?;
        Ok(SearchQuery {
            words,
            bbox: self.bbox.as_deref().filter(|text| !text.is_empty()).map(parse_bbox).transpose()?,
            relation: self.relation.unwrap_or_default(),
            time: time(self.from.as_deref(), self.to.as_deref())?,
            facets: self.facets()?,
            status,
            any_status,
            by: self.by.unwrap_or_default(),
            sort: self.sort.unwrap_or_default().into(),
            offset: 0,
            limit: 20,
            ..SearchQuery::default()
        })
    }

    fn facets(&self) -> Result<BTreeMap<String, Vec<String>>, Problem> {
        let all = [
            ("kind", split(&self.kind)),
            ("theme", split(&self.theme)),
            ("country", split(&self.country)),
            // Values of these facets may contain commas.
            ("provider", self.provider.clone()),
            ("quality", split(&self.quality)),
            ("licence", self.licence.clone()),
            ("crs", split(&self.crs)),
            ("language", split(&self.language)),
        ];
        let mut facets = BTreeMap::new();
        for (name, mut values) in all {
            debug_assert!(FACETS.contains(&name));
            values.retain(|value| !value.is_empty());
            if values.len() > MOST_VALUES {
                return Err(Problem::bad_request(name, format!("Use up to {MOST_VALUES} values.")));
            }
            if !values.is_empty() {
                facets.insert(name.to_owned(), values);
            }
        }
        Ok(facets)
    }
}

fn split(values: &[String]) -> Vec<String> {
    values.iter().flat_map(|value| value.split(',')).map(|value| value.trim().to_owned()).collect()
}

fn statuses(words: &[String]) -> Result<(Vec<Status>, bool), Problem> {
    let mut wanted = Vec::new();
    for word in split(words).iter().filter(|word| !word.is_empty()) {
        if word == "any" {
            return Ok((Vec::new(), true));
        }
        wanted.push(word.parse().map_err(|_unknown: UnknownStatusError| {
            let known = Status::ALL.map(Status::as_str).join(", ");
            Problem::bad_request("status", format!("'{word}' is not a status; use 'any' or one of {known}."))
        })?);
    }
    Ok((wanted, false))
}

/// Parses `west,south,east,north`.
pub fn parse_bbox(text: &str) -> Result<Bbox, Problem> {
    let fail = |why: &str| Problem::bad_request("bbox", format!("'{text}' is not a box: {why}."));
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse::<f64>().ok().filter(|number| number.is_finite()))
        .collect::<Option<_>>()
        .ok_or_else(|| fail("it needs four numbers, west,south,east,north in degrees"))?;
    let [west, south, east, north] = numbers[..] else {
        return Err(fail("it needs four numbers, west,south,east,north in degrees"));
    };
    if !(-180.0..=180.0).contains(&west) || !(-180.0..=180.0).contains(&east) {
        return Err(fail("west and east must be between -180 and 180"));
    }
    if !(-90.0..=90.0).contains(&south) || !(-90.0..=90.0).contains(&north) || south > north {
        return Err(fail("south and north must be between -90 and 90, south first"));
    }
    Ok([west, south, east, north].into())
}

type TimeSpan = Option<(Option<String>, Option<String>)>;

fn time(from: Option<&str>, to: Option<&str>) -> Result<TimeSpan, Problem> {
    let moment = |name: &str, text: Option<&str>| match text.filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => {
            let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
            match whole.parse::<jiff::Timestamp>() {
                Ok(_) => Ok(Some(text.to_owned())),
                Err(_) => Err(Problem::bad_request(
                    name,
                    format!("'{text}' is not a date (2026-01-31) or time (2026-01-31T12:00:00Z)."),
                )),
            }
        }
    };
    let (from, to) = (moment("from", from)?, moment("to", to)?);
    Ok((from.is_some() || to.is_some()).then_some((from, to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_split_where_they_cannot_hold_commas() {
        let filters = SearchFilters {
            kind: vec!["wms,wfs".into(), "kml".into()],
            provider: vec!["Office, Department".into()],
            ..SearchFilters::default()
        };
        let query = filters.to_query().unwrap();
        assert_eq!(query.facets["kind"], ["wms", "wfs", "kml"]);
        assert_eq!(query.facets["provider"], ["Office, Department"]);
    }

    #[test]
    fn a_wrong_value_is_named_with_its_parameter() {
        for (filters, name) in [
            (SearchFilters { bbox: Some("1,2,3".into()), ..SearchFilters::default() }, "bbox"),
            (SearchFilters { bbox: Some("1,2,3,inf".into()), ..SearchFilters::default() }, "bbox"),
            (SearchFilters { status: vec!["fine".into()], ..SearchFilters::default() }, "status"),
            (SearchFilters { from: Some("yesterday".into()), ..SearchFilters::default() }, "from"),
        ] {
            let problem = filters.to_query().unwrap_err();
            assert_eq!((problem.status, problem.parameter.as_deref()), (400, Some(name)));
        }
        assert!(
            SearchFilters { status: vec!["any".into()], ..SearchFilters::default() }
                .to_query()
                .unwrap()
                .any_status
        );
    }
}
