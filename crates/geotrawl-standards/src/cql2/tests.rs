use super::*;
use geotrawl_index::{ComparisonOperator, SpatialRelation};
use proptest::prelude::*;
use serde_json::json;

fn compare(property: FilterProperty, comparison: ComparisonOperator, value: &str) -> FilterExpression {
    FilterExpression::Compare { property, comparison, value: value.into() }
}

fn place(relation: SpatialRelation, bbox: [f64; 4]) -> FilterExpression {
    FilterExpression::Place { relation, bbox: bbox.into() }
}

#[test]
fn both_encodings_mean_the_same() {
    let cases = [
        ("title = 'Roads'", json!({ "op": "=", "args": [{ "property": "title" }, "Roads"] })),
        (
            "NOT (kind IN ('wms', 'wfs') AND score >= 50)",
            json!({ "op": "not", "args": [{ "op": "and", "args": [
                { "op": "in", "args": [{ "property": "kind" }, ["wms", "wfs"]] },
                { "op": ">=", "args": [{ "property": "score" }, 50] }] }] }),
        ),
        (
            "CASEI(title) LIKE casei('%roads\\%')",
            json!({ "op": "like", "args": [
                { "op": "casei", "args": [{ "property": "title" }] },
                { "op": "casei", "args": ["%roads\\%"] }] }),
        ),
        (
            "score BETWEEN 10 AND 2e1 OR provider IS NOT NULL",
            json!({ "op": "or", "args": [
                { "op": "between", "args": [{ "property": "score" }, 10, 20] },
                { "op": "not", "args": [{ "op": "isNull", "args": [{ "property": "provider" }] }] }] }),
        ),
        (
            "S_INTERSECTS(geometry, POLYGON((0 0, 10 0, 10 5, 0 0)))",
            json!({ "op": "s_intersects", "args": [{ "property": "geometry" },
                { "type": "Polygon", "coordinates": [[[0, 0], [10, 0], [10, 5], [0, 0]]] }] }),
        ),
        (
            "s_within(geometry, BBOX(170, -10, -170, 10))",
            json!({ "op": "s_within", "args": [{ "property": "geometry" }, { "bbox": [170, -10, -170, 10] }] }),
        ),
        (
            "T_DURING(datetime, INTERVAL('2020-01-01', '..'))",
            json!({ "op": "t_during", "args": [{ "property": "datetime" }, { "interval": ["2020-01-01", ".."] }] }),
        ),
        (
            "created >= TIMESTAMP('2020-01-01T00:00:00Z') and updated < DATE('2021-01-01')",
            json!({ "op": "and", "args": [
                { "op": ">=", "args": [{ "property": "created" }, { "timestamp": "2020-01-01T00:00:00Z" }] },
                { "op": "<", "args": [{ "property": "updated" }, { "date": "2021-01-01" }] }] }),
        ),
        (
            "A_CONTAINS(keywords, ('a', 'b'))",
            json!({ "op": "a_contains", "args": [{ "property": "keywords" }, ["a", "b"]] }),
        ),
    ];
    for (written, object) in cases {
        let from_text = parse_text(written).unwrap();
        assert_eq!(parse_json(&object.to_string()).unwrap(), from_text, "{written}");
    }
}

#[test]
fn conditions_become_what_the_index_answers() {
    use ComparisonOperator::{AtLeast, Equal, Less, NotEqual};
    let is =
        |written: &str, filter: FilterExpression| assert_eq!(parse_text(written), Ok(filter), "{written}");
    is("title <> 'It''s'", compare(FilterProperty::Title, NotEqual, "It's"));
    is("50 <= score", compare(FilterProperty::Score, AtLeast, "50"));
    is("-0.5 > \"score\"", compare(FilterProperty::Score, Less, "-0.5"));
    is("properties.\"title\" = 'a'".replace('"', "").as_str(), compare(FilterProperty::Title, Equal, "a"));
    is("dct:modified < '2020'", compare(FilterProperty::Modified, Less, "2020"));
    is("TRUE", FilterExpression::All(vec![]));
    is("NOT NOT false", FilterExpression::Any(vec![]));
    is("type = 'wms'", compare(FilterProperty::Kind, Equal, "wms"));
    is("title IS NULL", FilterExpression::Not(Box::new(FilterExpression::Known(FilterProperty::Title))));
    is("S_CONTAINS(POINT(1 2), geometry)", place(SpatialRelation::Within, [1.0, 2.0, 1.0, 2.0]));
    is(
        "S_DISJOINT(geometry, GEOMETRYCOLLECTION(POINT Z (1 2 3), LINESTRING(4 5, 6 -7)))",
        FilterExpression::Apart { bbox: [1.0, -7.0, 6.0, 5.0].into() },
    );
    is(
        "T_INTERSECTS(datetime, DATE('2020-01-01'))",
        FilterExpression::Time {
            property: FilterProperty::Time,
            from: Some("2020-01-01T00:00:00Z".into()),
            until: Some("2020-01-01T23:59:59Z".into()),
        },
    );
    is(
        "T_AFTER(datetime, TIMESTAMP('2020-01-01T00:00:00Z'))",
        FilterExpression::All(vec![
            FilterExpression::Known(FilterProperty::Time),
            FilterExpression::Not(Box::new(FilterExpression::Time {
                property: FilterProperty::Time,
                from: None,
                until: Some("2020-01-01T00:00:00Z".into()),
            })),
        ]),
    );
    assert_eq!(
        parse_text("T_BEFORE(TIMESTAMP('2020-01-01T00:00:00Z'), datetime)"),
        parse_text("T_AFTER(datetime, TIMESTAMP('2020-01-01T00:00:00Z'))")
    );
}

/// Compares the temporal relations with their definitions, over all small spans.
#[test]
fn relations_in_time_are_those_of_the_standard() {
    fn holds(filter: &FilterExpression, start: i64, end: i64) -> bool {
        let second = |text: &Option<String>, open| {
            text.as_ref().map_or(open, |text| text.parse::<jiff::Timestamp>().unwrap().as_second())
        };
        match filter {
            FilterExpression::All(all) => all.iter().all(|one| holds(one, start, end)),
            FilterExpression::Any(any) => any.iter().any(|one| holds(one, start, end)),
            FilterExpression::Not(inner) => !holds(inner, start, end),
            FilterExpression::Known(_) => true,
            FilterExpression::Time { from, until, .. } => {
                start <= second(until, i64::MAX) && end >= second(from, i64::MIN)
            }
            other => panic!("{other:?}"),
        }
    }
    type RelationDefinition = fn(i64, i64, i64, i64) -> bool;
    let definitions: [(&str, RelationDefinition); 15] = [
        ("after", |s, _, _, b| s > b),
        ("before", |_, e, a, _| e < a),
        ("contains", |s, e, a, b| s < a && e > b),
        ("disjoint", |s, e, a, b| e < a || s > b),
        ("during", |s, e, a, b| s > a && e < b),
        ("equals", |s, e, a, b| s == a && e == b),
        ("finishedby", |s, e, a, b| s < a && e == b),
        ("finishes", |s, e, a, b| s > a && e == b),
        ("intersects", |s, e, a, b| !(e < a || s > b)),
        ("meets", |_, e, a, _| e == a),
        ("metby", |s, _, _, b| s == b),
        ("overlappedby", |s, e, a, b| s > a && s < b && e > b),
        ("overlaps", |s, e, a, b| s < a && e > a && e < b),
        ("startedby", |s, e, a, b| s == a && e > b),
        ("starts", |s, e, a, b| s == a && e < b),
    ];
    for (name, definition) in definitions {
        for (a, b) in [(3, 6), (4, 4)] {
            let span = spans::SecondsSpan { from: a, until: b };
            let filter = spans::relation_filter(name, FilterProperty::Time, span).unwrap();
            for start in 0..10 {
                for end in start..10 {
                    let expected = definition(start, end, a, b);
                    assert_eq!(holds(&filter, start, end), expected, "{name} {start}-{end} {a}-{b}");
                }
            }
        }
        assert_eq!(spans::inverse_relation(spans::inverse_relation(name)), name);
    }
}

#[test]
fn what_is_not_understood_is_refused_in_words() {
    for wrong in [
        "",
        "title",
        "title =",
        "= 'a'",
        "title = 'a",
        "title = 'a' extra",
        "nothing = 1",
        "title = provider",
        "score > 'many'",
        "score + 1 > 2",
        "created > 'soon'",
        "S_TOUCHES(geometry, POINT(1 2))",
        "S_INTERSECTS(title, POINT(1 2))",
        "S_INTERSECTS(geometry, POINT(200 2))",
        "S_INTERSECTS(geometry, POINT EMPTY)",
        "S_INTERSECTS(geometry, POINT(1))",
        "T_AFTER(title, DATE('2020-01-01'))",
        "T_NEVER(datetime, DATE('2020-01-01'))",
        "T_DURING(datetime, INTERVAL('2021-01-01', '2020-01-01'))",
        "title NOT 'a'",
        "avg(score) = 1",
        "title = 'a' AND",
        "(title = 'a'",
        "title ; drop",
    ] {
        let refused = parse_text(wrong).expect_err(wrong);
        assert!(refused.to_string().ends_with('.'), "{wrong}: {refused}");
    }
    for wrong in
        ["{}", "1", "null", "[]", "{\"op\":1}", "{\"op\":\"and\",\"args\":1}", "{\"op\":\"=\",\"args\":[]}"]
    {
        assert!(parse_json(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn depth_count_and_length_are_bounded() {
    let deep = format!("{}title = 'a'{}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(parse_text(&deep).is_err());
    let many = vec!["title = 'a'"; 600].join(" OR ");
    assert!(parse_text(&many).is_err());
    assert!(parse_text(&"title = 'a' ".repeat(5_000)).is_err());
    assert!(parse_text(&format!("{}title = 'a'", "NOT ".repeat(3_000))).is_ok());
    let mut nested = json!({ "op": "=", "args": [{ "property": "title" }, "a"] });
    for _ in 0..50 {
        nested = json!({ "op": "not", "args": [nested] });
    }
    assert!(parse_value(&nested).is_err());
}

#[test]
fn every_published_name_is_understood() {
    for name in NAMES {
        assert_eq!(find_queryable(name.name), Some(name.is), "{}", name.name);
    }
    for (other, known) in ALSO {
        assert_eq!(find_queryable(other), find_queryable(known), "{other}");
        assert!(find_queryable(other).is_some());
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(written in "\\PC{0,200}") {
        let _ = parse_text(&written);
    }

    #[test]
    fn text_of_its_own_words_is_read_or_refused(words in proptest::collection::vec(
        prop_oneof![
            Just("title"), Just("AND"), Just("OR"), Just("NOT"), Just("("), Just(")"), Just("'a'"), Just("1"), Just("="),
            Just("<>"), Just("IN"), Just("LIKE"), Just("BETWEEN"), Just("IS"), Just("NULL"), Just(","), Just("POINT"),
            Just("POLYGON"), Just("S_INTERSECTS"), Just("T_AFTER"), Just("INTERVAL"), Just("geometry"), Just("\"x\""),
            Just("BBOX"), Just("-"), Just("datetime"), Just("casei"), Just("é"),
        ], 0..60)) {
        let _ = parse_text(&words.join(" "));
    }

    #[test]
    fn any_json_is_read_or_refused(written in r#"[\{\}\[\]":,a-z0-9_ ]{0,120}"#) {
        let _ = parse_json(&written);
    }

    #[test]
    fn quoted_text_comes_back(value in "\\PC{0,40}") {
        prop_assume!(!value.contains('\\'));
        let written = format!("title = '{}'", value.replace('\'', "''"));
        prop_assert_eq!(parse_text(&written), Ok(compare(FilterProperty::Title, ComparisonOperator::Equal, &value)));
    }
}
