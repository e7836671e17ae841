//! Filters of catalogues, compared with a reference implementation over the records themselves.

use crate::catalogue::{IndexFixture, RecordBuilder, hit_ids, index_records, service_record, word_query};
use geotrawl_index::{
    ComparisonOperator, FilterExpression, FilterProperty, SearchQuery, SearchTarget, SortOrder,
    SpatialRelation,
};
use geotrawl_model::{Bbox, Dataset, Record, Status};
use proptest::prelude::*;
use std::sync::OnceLock;

const WORDS: [&str; 6] = ["water", "freshwater", "forest", "roads", "noise", "soil"];

/// Returns records that differ in every property; some lack most values.
fn records() -> Vec<RecordBuilder> {
    let many = (0..60_usize).map(|n| {
        let title = format!("{} {}", WORDS[n % 6], WORDS[(n / 6) % 6]);
        let make = service_record(&format!("r{n:02}"), ["wms", "wfs", "kml"][n % 3], &title);
        let make =
            if n % 4 == 0 { make } else { make.with_abstract(&format!("About {} maps", WORDS[(n / 2) % 6])) };
        let make = if n % 5 == 0 { make } else { make.with_keywords(&[WORDS[(n / 3) % 6], "Open Data"]) };
        let make =
            if n % 7 == 0 { make } else { make.with_provider(["Stadt Köln", "Town", "State"][n % 3]) };
        let make = if n % 3 == 0 { make } else { make.with_score((n * 7 % 101) as u8) };
        let make = if n % 6 == 0 {
            make
        } else {
            let (west, south) = ((n * 6) as f64 - 180.0, (n % 9) as f64 * 15.0 - 70.0);
            make.with_bbox([west, south, west + 12.0, south + 10.0])
        };
        make.with_record(|record| {
            record.first_seen =
                format!("2026-{:02}-{:02}T00:00:00Z", n % 12 + 1, n % 28 + 1).parse().unwrap();
            if n % 2 == 0 {
                let time = vec![format!("20{:02}-01-01/20{:02}-12-31", n % 20, n % 20 + 1)];
                record.resource.datasets.push(Dataset { name: "l".into(), time, ..Dataset::default() });
            }
        })
    });
    many.collect()
}

fn fixture() -> &'static (IndexFixture, Vec<Record>) {
    static MADE: OnceLock<(IndexFixture, Vec<Record>)> = OnceLock::new();
    MADE.get_or_init(|| {
        (index_records(records()), records().into_iter().map(|RecordBuilder(made)| made.record).collect())
    })
}

fn asked(filter: FilterExpression) -> SearchQuery {
    SearchQuery { filter: Some(filter), sort: SortOrder::Id, limit: 100, ..SearchQuery::default() }
}

fn text(record: &Record) -> String {
    let resource = &record.resource;
    let layers: Vec<&str> = resource.datasets.iter().map(|dataset| dataset.name.as_str()).collect();
    let parts = [
        resource.title.clone().unwrap_or_default(),
        resource.abstract_.clone().unwrap_or_default(),
        resource.keywords.join(" "),
        resource.provider.clone().unwrap_or_default(),
        layers.join(" "),
        resource.url.clone(),
    ];
    parts.join(" ").to_lowercase()
}

fn values(record: &Record, property: FilterProperty) -> Vec<String> {
    let resource = &record.resource;
    let found = match property {
        FilterProperty::Id => vec![record.id.clone()],
        FilterProperty::Title => resource.title.clone().into_iter().collect(),
        FilterProperty::Keyword => resource.keywords.clone(),
        FilterProperty::Kind => vec![resource.kind.clone()],
        FilterProperty::Provider => resource.provider.clone().into_iter().collect(),
        FilterProperty::Host => vec![record.host.name.clone()],
        FilterProperty::Url => vec![resource.url.clone()],
        _ => Vec::new(),
    };
    found.into_iter().map(|value| value.to_lowercase().replace('ö', "o")).collect()
}

/// Matches the patterns `%word%` and `word%` only.
fn like(pattern: &str, value: &str) -> bool {
    let inside = pattern.trim_matches('%');
    match (pattern.starts_with('%'), pattern.ends_with('%')) {
        (true, true) => value.contains(inside),
        (false, true) => value.starts_with(inside),
        (true, false) => value.ends_with(inside),
        (false, false) => value == inside,
    }
}

fn holds(comparison: ComparisonOperator, order: std::cmp::Ordering) -> bool {
    match comparison {
        ComparisonOperator::Equal => order.is_eq(),
        ComparisonOperator::NotEqual => order.is_ne(),
        ComparisonOperator::Less => order.is_lt(),
        ComparisonOperator::AtMost => order.is_le(),
        ComparisonOperator::More => order.is_gt(),
        ComparisonOperator::AtLeast => order.is_ge(),
    }
}

/// Reference implementation of filters.
fn meets(record: &Record, filter: &FilterExpression) -> bool {
    match filter {
        FilterExpression::All(all) => all.iter().all(|filter| meets(record, filter)),
        FilterExpression::Any(any) => any.iter().any(|filter| meets(record, filter)),
        FilterExpression::Not(filter) => !meets(record, filter),
        FilterExpression::Like { property: FilterProperty::Any, pattern } => {
            text(record).split(|c: char| !c.is_alphanumeric()).any(|word| like(pattern, word))
        }
        FilterExpression::Like { property: FilterProperty::Abstract, pattern } => {
            let text = record.resource.abstract_.as_deref().map(str::to_lowercase);
            text.is_some_and(|text| text.split(' ').any(|word| like(pattern, word)))
        }
        FilterExpression::Like { property, pattern } => {
            values(record, *property).iter().any(|value| like(pattern, value))
        }
        FilterExpression::Compare { property: FilterProperty::Score, comparison, value } => {
            let wanted: u8 = value.parse().unwrap();
            record.score.is_some_and(|score| holds(*comparison, score.cmp(&wanted)))
        }
        FilterExpression::Compare { property: FilterProperty::Created, comparison, value } => {
            let day = record.first_seen.to_string()[..10].to_owned();
            holds(*comparison, day.cmp(value))
        }
        FilterExpression::Compare { property, comparison: ComparisonOperator::NotEqual, value } => {
            let values = values(record, *property);
            !values.is_empty() && values.iter().all(|own| *own != value.to_lowercase())
        }
        FilterExpression::Compare { property, comparison, value } => {
            let value = value.to_lowercase();
            values(record, *property).iter().any(|own| holds(*comparison, own.as_str().cmp(&value)))
        }
        FilterExpression::Known(FilterProperty::Abstract) => record.resource.abstract_.is_some(),
        FilterExpression::Known(FilterProperty::Score) => record.score.is_some(),
        FilterExpression::Known(FilterProperty::Time) => !record.resource.datasets.is_empty(),
        FilterExpression::Known(property) => !values(record, *property).is_empty(),
        FilterExpression::Place { bbox, .. } => record.resource.bbox.is_some_and(|own| touch(&own, bbox)),
        FilterExpression::Apart { bbox } => record.resource.bbox.is_some_and(|own| !touch(&own, bbox)),
        FilterExpression::Time { from, until, .. } => {
            let years: Option<(String, String)> = record
                .resource
                .datasets
                .first()
                .map(|dataset| (dataset.time[0][..4].to_owned(), dataset.time[0][11..15].to_owned()));
            years.is_some_and(|(first, last)| {
                until.as_ref().is_none_or(|until| first <= *until)
                    && from.as_ref().is_none_or(|from| last >= *from)
            })
        }
        FilterExpression::Ids(ids) => ids.contains(&record.id),
        FilterExpression::Words(_) => unreachable!("not generated"),
    }
}

fn touch(a: &Bbox, b: &Bbox) -> bool {
    // The generated boxes do not cross the antimeridian; boxes that end on it touch those that
    // begin there.
    let turned = [-360.0, 0.0, 360.0];
    let longitude = turned.iter().any(|turn| a.west <= b.east + turn && b.west + turn <= a.east);
    longitude && a.south <= b.north && b.south <= a.north
}

fn leaf() -> impl Strategy<Value = FilterExpression> {
    use ComparisonOperator::{AtLeast, AtMost, Equal, Less, More, NotEqual};
    let comparison = prop::sample::select(vec![AtLeast, AtMost, Equal, Less, More, NotEqual]);
    let pattern = prop::sample::select(vec!["%water%", "water", "for%", "%ds", "%", "nothing", "%e%"]);
    let texts = vec![
        FilterProperty::Any,
        FilterProperty::Abstract,
        FilterProperty::Title,
        FilterProperty::Keyword,
        FilterProperty::Kind,
        FilterProperty::Provider,
        FilterProperty::Id,
        FilterProperty::Host,
        FilterProperty::Url,
    ];
    let known = [&texts[1..], &[FilterProperty::Score, FilterProperty::Time]].concat();
    let compared = vec![
        (FilterProperty::Title, "forest roads"),
        (FilterProperty::Keyword, "Open Data"),
        (FilterProperty::Keyword, "noise"),
        (FilterProperty::Kind, "WMS"),
        (FilterProperty::Provider, "town"),
        (FilterProperty::Id, "r07"),
        (FilterProperty::Host, "r30.example.org"),
        (FilterProperty::Url, "https://r12.example.org/geo/wms"),
        (FilterProperty::Score, "50"),
        (FilterProperty::Created, "2026-05-05"),
    ];
    let bbox = (-180_i32..170, -80_i32..70, 1_i32..80, 1_i32..60).prop_map(|(west, south, wide, high)| {
        let (west, south) = (f64::from(west), f64::from(south));
        Bbox::from([west, south, (west + f64::from(wide)).min(180.0), (south + f64::from(high)).min(90.0)])
    });
    let year = prop::option::of((0_u8..24).prop_map(|year| format!("20{year:02}")));
    prop_oneof![
        (prop::sample::select(texts), pattern)
            .prop_map(|(property, pattern)| FilterExpression::Like { property, pattern: pattern.to_owned() }),
        (prop::sample::select(compared), comparison).prop_map(|((property, value), comparison)| {
            FilterExpression::Compare { property, comparison, value: value.to_owned() }
        }),
        prop::sample::select(known).prop_map(FilterExpression::Known),
        bbox.clone().prop_map(|bbox| FilterExpression::Place { relation: SpatialRelation::Overlaps, bbox }),
        bbox.prop_map(|bbox| FilterExpression::Apart { bbox }),
        (year.clone(), year).prop_map(|(from, until)| FilterExpression::Time {
            property: FilterProperty::Time,
            from,
            until
        }),
        prop::collection::vec("r[0-6][0-9]", 0..5).prop_map(FilterExpression::Ids),
    ]
}

fn tree() -> impl Strategy<Value = FilterExpression> {
    leaf().prop_recursive(4, 24, 4, |inside| {
        prop_oneof![
            prop::collection::vec(inside.clone(), 0..4).prop_map(FilterExpression::All),
            prop::collection::vec(inside.clone(), 0..4).prop_map(FilterExpression::Any),
            inside.prop_map(|filter| FilterExpression::Not(Box::new(filter))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn filters_are_what_the_definition_says(filter in tree()) {
        let (index, records) = fixture();
        let wanted: Vec<&str> =
            records.iter().filter(|record| meets(record, &filter)).map(|record| record.id.as_str()).collect();
        let query = asked(filter);
        let (total, found) = index.index.find_page(&query).unwrap();
        prop_assert_eq!(&found, &wanted);
        prop_assert_eq!(total as usize, wanted.len());
        let hits = index.search(&query);
        prop_assert_eq!(hit_ids(&hits), wanted);
    }
}

#[test]
fn words_and_conditions_hold_together() {
    let (index, _) = fixture();
    let kind = FilterExpression::Compare {
        property: FilterProperty::Kind,
        comparison: ComparisonOperator::Equal,
        value: "wms".to_owned(),
    };
    let both =
        FilterExpression::All(vec![FilterExpression::Words("title:noise -roads".to_owned()), kind.clone()]);
    let (total, found) = index.index.find_page(&asked(both)).unwrap();
    assert!(total > 0 && found.iter().all(|id| id[1..].parse::<usize>().unwrap() % 3 == 0), "{found:?}");
    // Combine words of the query with filters, by services and by layers.
    for by in [SearchTarget::Services, SearchTarget::Layers] {
        let all = index.search(&SearchQuery { by, limit: 100, ..word_query("water") }).total;
        let query = SearchQuery { filter: Some(kind.clone()), by, limit: 100, ..word_query("water") };
        let hits = index.search(&query);
        assert!(hits.total > 0 && hits.total < all);
        assert!(hits.hits.iter().all(|hit| hit.id[1..].parse::<usize>().unwrap() % 3 == 0));
    }
}

#[test]
fn accents_and_case_are_alike() {
    let (index, _) = fixture();
    let total = |filter| index.index.find_page(&asked(filter)).unwrap().0;
    let like = |pattern: &str| FilterExpression::Like {
        property: FilterProperty::Provider,
        pattern: pattern.to_owned(),
    };
    assert!(total(like("stadt k_ln")) > 0);
    assert_eq!(total(like("stadt k_ln")), total(like("STADT KÖLN")));
    let any =
        |pattern: &str| FilterExpression::Like { property: FilterProperty::Any, pattern: pattern.to_owned() };
    assert_eq!(total(any("%KÖLN%")), total(like("%koln")));
}

#[test]
fn changed_records_are_met_anew() {
    let index = index_records([
        service_record("a", "wms", "Noise").with_status(Status::Alive),
        service_record("b", "wfs", "Noise"),
    ]);
    let filter = FilterExpression::Like { property: FilterProperty::Any, pattern: "%quiet%".to_owned() };
    assert_eq!(index.index.find_page(&asked(filter.clone())).unwrap().0, 0);
    let RecordBuilder(document) = service_record("a", "wms", "Quiet").with_keywords(&["silence"]);
    index.catalogue.put_document("a", Some(document));
    index.catalogue.put_document("b", None);
    index.index.apply_changes(&index.catalogue).unwrap();
    assert_eq!(index.index.find_page(&asked(filter)).unwrap().1, ["a"]);
    let gone = FilterExpression::Like { property: FilterProperty::Any, pattern: "%noise%".to_owned() };
    assert_eq!(index.index.find_page(&asked(gone.clone())).unwrap().0, 0);
    assert_eq!(index.index.find_page(&asked(FilterExpression::Not(Box::new(gone)))).unwrap().1, ["a"]);
}

#[test]
fn pages_are_whole_in_every_order() {
    let (index, records) = fixture();
    let orders = [
        SortOrder::Best,
        SortOrder::Newest,
        SortOrder::Oldest,
        SortOrder::Title,
        SortOrder::TitleDown,
        SortOrder::Quality,
        SortOrder::QualityUp,
        SortOrder::Changed,
        SortOrder::ChangedUp,
        SortOrder::Id,
        SortOrder::IdDown,
    ];
    for sort in orders {
        let query = SearchQuery { sort, limit: 100, ..SearchQuery::default() };
        let whole = index.index.find_page(&query).unwrap().1;
        assert_eq!(whole.len(), records.len());
        let mut pages = Vec::new();
        for offset in (0..70).step_by(7) {
            pages
                .extend(index.index.find_page(&SearchQuery { offset, limit: 7, ..query.clone() }).unwrap().1);
        }
        assert_eq!(pages, whole, "{sort:?}");
    }
    let first = |sort| {
        index.index.find_page(&SearchQuery { sort, limit: 1, ..SearchQuery::default() }).unwrap().1.remove(0)
    };
    assert_eq!((first(SortOrder::Id), first(SortOrder::IdDown)), ("r00".to_owned(), "r59".to_owned()));
    let title = |id: &str| records.iter().find(|record| record.id == id).unwrap().resource.title.clone();
    assert_eq!(title(&first(SortOrder::Title)).as_deref(), Some("forest forest"));
    assert_eq!(title(&first(SortOrder::TitleDown)).as_deref(), Some("water water"));
}

#[test]
fn too_much_is_refused_in_words() {
    let (index, _) = fixture();
    let refused = |filter| index.index.find_page(&asked(filter)).unwrap_err().to_string();
    let like = || FilterExpression::Like { property: FilterProperty::Any, pattern: "%a%".to_owned() };
    assert!(refused(FilterExpression::All(vec![like(); 100])).contains("texts"));
    assert!(
        refused(FilterExpression::Any(vec![FilterExpression::Ids(Vec::new()); 5_000])).contains("conditions")
    );
    let mut deep = like();
    for _ in 0..200 {
        deep = FilterExpression::Not(Box::new(deep));
    }
    assert!(refused(deep).contains("deeper"));
    let compare = |property, value: &str| FilterExpression::Compare {
        property,
        comparison: ComparisonOperator::Less,
        value: value.to_owned(),
    };
    assert!(refused(compare(FilterProperty::Score, "many")).contains("not a number"));
    assert!(refused(compare(FilterProperty::Modified, "yesterday")).contains("not a date"));
    assert!(refused(compare(FilterProperty::Any, "x")).contains("no order"));
    let upside_down = Bbox::from([0.0, 10.0, 1.0, 5.0]);
    assert!(refused(FilterExpression::Apart { bbox: upside_down }).contains("box"));
}
