use super::*;
use proptest::prelude::*;

fn filter(inside: &str) -> Result<FilterExpression, String> {
    let text = format!(
        "<ogc:Filter xmlns:ogc=\"http://www.opengis.net/ogc\" xmlns:gml=\"http://www.opengis.net/gml\">{inside}</ogc:Filter>"
    );
    parse_filter(&XmlElement::parse(text.as_bytes()).expect("well-formed"))
}

fn place(west: f64, south: f64, east: f64, north: f64, relation: SpatialRelation) -> FilterExpression {
    FilterExpression::Place { relation, bbox: Bbox { west, south, east, north } }
}

#[test]
fn what_metasearch_asks_is_understood() {
    let asked = filter(
        "<ogc:And><ogc:PropertyIsLike wildCard=\"%\" singleChar=\"_\" escapeChar=\"\\\"><ogc:PropertyName>csw:AnyText</ogc:PropertyName><ogc:Literal>%water%</ogc:Literal></ogc:PropertyIsLike>\
         <ogc:BBOX><ogc:PropertyName>ows:BoundingBox</ogc:PropertyName><gml:Envelope srsName=\"urn:ogc:def:crs:EPSG::4326\"><gml:lowerCorner>50 5</gml:lowerCorner><gml:upperCorner>51 6</gml:upperCorner></gml:Envelope></ogc:BBOX></ogc:And>",
    );
    let wanted = FilterExpression::All(vec![
        FilterExpression::Like { property: FilterProperty::Any, pattern: "%water%".to_owned() },
        place(5.0, 50.0, 6.0, 51.0, SpatialRelation::Overlaps),
    ]);
    assert_eq!(asked, Ok(wanted));
}

#[test]
fn signs_of_patterns_are_the_senders() {
    let like = |attributes: &str, literal: &str| {
        filter(&format!(
            "<PropertyIsLike {attributes}><PropertyName>title</PropertyName><Literal>{literal}</Literal></PropertyIsLike>"
        ))
    };
    let title = |pattern: &str| {
        Ok(FilterExpression::Like { property: FilterProperty::Title, pattern: pattern.to_owned() })
    };
    assert_eq!(like("wildCard='*' singleChar='?' escapeChar='!'", "a*b?c!*d%_"), title("a%b_c*d\\%\\_"));
    assert_eq!(like("wildCard='*' singleChar='.' escape='\\'", "\\.x*"), title(".x%"));
    assert_eq!(like("", "%x_"), title("%x_"));
}

#[test]
fn comparisons_and_ids_are_understood() {
    let one = |name: &str| {
        filter(&format!(
            "<{name}><PropertyName>apiso:Modified</PropertyName><Literal>2026-01-01</Literal></{name}>"
        ))
    };
    let compare = |comparison| {
        Ok(FilterExpression::Compare {
            property: FilterProperty::Modified,
            comparison,
            value: "2026-01-01".to_owned(),
        })
    };
    assert_eq!(one("PropertyIsEqualTo"), compare(ComparisonOperator::Equal));
    assert_eq!(one("PropertyIsGreaterThanOrEqualTo"), compare(ComparisonOperator::AtLeast));
    assert_eq!(one("PropertyIsNotEqualTo"), compare(ComparisonOperator::NotEqual));
    let between = filter(
        "<PropertyIsBetween><ValueReference>quality</ValueReference><LowerBoundary><Literal>10</Literal></LowerBoundary><UpperBoundary><Literal>20</Literal></UpperBoundary></PropertyIsBetween>",
    );
    assert!(matches!(between, Ok(FilterExpression::All(both)) if both.len() == 2));
    let null = filter("<PropertyIsNull><PropertyName>dct:abstract</PropertyName></PropertyIsNull>");
    assert_eq!(null, Ok(FilterExpression::Not(Box::new(FilterExpression::Known(FilterProperty::Abstract)))));
    let ids = filter("<FeatureId fid='a'/><FeatureId fid='b'/>");
    assert_eq!(ids, Ok(FilterExpression::Ids(vec!["a".to_owned(), "b".to_owned()])));
    let not = filter("<Not><ResourceId rid='a'/></Not>");
    assert_eq!(not, Ok(FilterExpression::Not(Box::new(FilterExpression::Ids(vec!["a".to_owned()])))));
}

#[test]
fn geometries_of_both_gml_are_boxes() {
    let within = |geometry: &str| {
        filter(&format!("<Within><PropertyName>ows:BoundingBox</PropertyName>{geometry}</Within>"))
    };
    let wanted = Ok(place(5.0, 50.0, 6.0, 51.0, SpatialRelation::Within));
    for geometry in [
        "<gml:Envelope><gml:lowerCorner>5 50</gml:lowerCorner><gml:upperCorner>6 51</gml:upperCorner></gml:Envelope>",
        "<gml:Box srsName='EPSG:4326'><gml:coordinates>5,50 6,51</gml:coordinates></gml:Box>",
        "<gml:Box><gml:coord><gml:X>5</gml:X><gml:Y>50</gml:Y></gml:coord><gml:coord><gml:X>6</gml:X><gml:Y>51</gml:Y></gml:coord></gml:Box>",
        "<gml:Polygon srsName='urn:ogc:def:crs:EPSG::4326'><gml:exterior><gml:LinearRing><gml:posList>50 5 51 5 51 6 50 6 50 5</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>",
        "<gml:Polygon><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates>5,50,0 6,51,0 5,51,0 5,50,0</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs></gml:Polygon>",
    ] {
        assert_eq!(within(geometry), wanted, "{geometry}");
    }
    let point = filter("<Contains><gml:Point><gml:pos>5 50</gml:pos></gml:Point></Contains>");
    assert_eq!(point, Ok(place(5.0, 50.0, 5.0, 50.0, SpatialRelation::Contains)));
    for wrong in [
        "",
        "<gml:Envelope/>",
        "<gml:Envelope srsName='EPSG:25832'><gml:lowerCorner>5 50</gml:lowerCorner><gml:upperCorner>6 51</gml:upperCorner></gml:Envelope>",
        "<gml:Point><gml:pos>five fifty</gml:pos></gml:Point>",
        "<gml:Arc/>",
    ] {
        assert!(within(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn times_are_understood() {
    let during = filter(
        "<During><ValueReference>apiso:TempExtent_begin</ValueReference><gml:TimePeriod><gml:beginPosition>2020-01-01</gml:beginPosition><gml:endPosition>2021-01-01</gml:endPosition></gml:TimePeriod></During>",
    );
    let span = |from: &str, until: &str| FilterExpression::Time {
        property: FilterProperty::Time,
        from: Some(from.to_owned()),
        until: Some(until.to_owned()),
    };
    assert_eq!(during, Ok(span("2020-01-01", "2021-01-01")));
    let after = filter(
        "<After><ValueReference>dct:modified</ValueReference><gml:TimeInstant><gml:timePosition>2020</gml:timePosition></gml:TimeInstant></After>",
    );
    let more = FilterExpression::Compare {
        property: FilterProperty::Modified,
        comparison: ComparisonOperator::More,
        value: "2020".to_owned(),
    };
    assert_eq!(after, Ok(more));
    assert!(
        filter("<During><ValueReference>title</ValueReference><Literal>2020</Literal></During>").is_err()
    );
}

#[test]
fn what_is_not_understood_is_said() {
    for (inside, word) in [
        ("", "empty"),
        ("<DWithin/>", "DWithin"),
        ("<PropertyIsEqualTo><Literal>1</Literal></PropertyIsEqualTo>", "names no property"),
        (
            "<PropertyIsEqualTo><PropertyName>exec(java.lang.Runtime)</PropertyName><Literal>1</Literal></PropertyIsEqualTo>",
            "Unknown property",
        ),
        ("<PropertyIsEqualTo><PropertyName>title</PropertyName></PropertyIsEqualTo>", "Literal"),
        ("<Not/>", "one condition"),
    ] {
        let error = filter(inside).expect_err(inside);
        assert!(error.contains(word), "{error}");
    }
}

proptest! {
    #[test]
    fn any_tree_is_read_or_refused(parts in prop::collection::vec(prop::sample::select(vec![
        "<And>", "</And>", "<Or>", "</Or>", "<Not>", "</Not>", "<BBOX>", "</BBOX>", "<PropertyName>title</PropertyName>",
        "<Literal>a</Literal>", "<PropertyIsLike wildCard=''>", "</PropertyIsLike>", "<Envelope>", "</Envelope>",
        "<lowerCorner>1 2</lowerCorner>", "<upperCorner>3</upperCorner>", "<posList srsDimension='0'>1 2 3</posList>",
        "<During>", "</During>", "<TimePeriod/>", "<coordinates>1,2 3</coordinates>",
    ]), 0..12)) {
        let text = format!("<Filter>{}</Filter>", parts.concat());
        if let Ok(node) = XmlElement::parse(text.as_bytes()) {
            let _ = parse_filter(&node);
        }
    }
}
