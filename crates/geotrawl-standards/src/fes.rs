//! OGC Filter Encoding 1.1 and 2.0. Both are parsed by local element names: clients mix the
//! namespaces of the two versions, and no element has two meanings.

use crate::place;
use crate::queryables;
use crate::tree::XmlElement;
use geotrawl_index::{ComparisonOperator, FilterExpression, FilterProperty, SpatialRelation};
use geotrawl_model::Bbox;

/// Parses a `Filter` element; the error message is for the client.
pub fn parse_filter(filter: &XmlElement) -> Result<FilterExpression, String> {
    if filter.name != "Filter" {
        return Err(format!("Expected a Filter element, found {}.", filter.name));
    }
    let mut ids = Vec::new();
    let mut conditions = Vec::new();
    for child in &filter.children {
        match id(child) {
            Some(id) => ids.push(id),
            None => conditions.push(condition(child)?),
        }
    }
    if !ids.is_empty() {
        conditions.push(FilterExpression::Ids(ids));
    }
    match conditions.len() {
        0 => Err("The filter is empty.".to_owned()),
        1 => Ok(conditions.remove(0)),
        _ => Ok(FilterExpression::All(conditions)),
    }
}

fn id(node: &XmlElement) -> Option<String> {
    match node.name.as_str() {
        "FeatureId" | "ResourceId" | "GmlObjectId" => {
            ["rid", "fid", "id"].iter().find_map(|name| node.attribute(name)).map(str::to_owned)
        }
        _ => None,
    }
}

fn condition(node: &XmlElement) -> Result<FilterExpression, String> {
    if let Some(id) = id(node) {
        return Ok(FilterExpression::Ids(vec![id]));
    }
    let compared = |comparison| {
        let (name, value) = (property(node)?, literal(node)?);
        queryables::comparison_filter(name, comparison, value)
    };
    match node.name.as_str() {
        "And" => Ok(FilterExpression::All(node.children.iter().map(condition).collect::<Result<_, _>>()?)),
        "Or" => Ok(FilterExpression::Any(node.children.iter().map(condition).collect::<Result<_, _>>()?)),
        "Not" => {
            let [inside] = &node.children[..] else {
                return Err("Not requires exactly one condition.".to_owned());
            };
            Ok(FilterExpression::Not(Box::new(condition(inside)?)))
        }
        "PropertyIsEqualTo" => compared(ComparisonOperator::Equal),
        "PropertyIsNotEqualTo" => compared(ComparisonOperator::NotEqual),
        "PropertyIsLessThan" => compared(ComparisonOperator::Less),
        "PropertyIsLessThanOrEqualTo" => compared(ComparisonOperator::AtMost),
        "PropertyIsGreaterThan" => compared(ComparisonOperator::More),
        "PropertyIsGreaterThanOrEqualTo" => compared(ComparisonOperator::AtLeast),
        "PropertyIsBetween" => {
            let name = property(node)?;
            let end = |side: &str| {
                let boundary = node.child(side).ok_or_else(|| format!("PropertyIsBetween has no {side}."))?;
                Ok::<_, String>(boundary.child("Literal").unwrap_or(boundary).trimmed_text())
            };
            Ok(FilterExpression::All(vec![
                queryables::comparison_filter(name, ComparisonOperator::AtLeast, end("LowerBoundary")?)?,
                queryables::comparison_filter(name, ComparisonOperator::AtMost, end("UpperBoundary")?)?,
            ]))
        }
        "PropertyIsLike" => {
            let sign = |names: &[&str], usual: char| {
                let given = names.iter().find_map(|name| node.attribute(name));
                // An empty attribute means that the pattern has no such wildcard.
                given.map_or(Some(usual), |given| given.chars().next())
            };
            let pattern = like_pattern(
                literal_as_written(node)?,
                sign(&["wildCard"], '%'),
                sign(&["singleChar"], '_'),
                sign(&["escapeChar", "escape"], '\\'),
            );
            queryables::like_filter(property(node)?, pattern)
        }
        "PropertyIsNull" | "PropertyIsNil" => {
            Ok(FilterExpression::Not(Box::new(queryables::known_filter(property(node)?)?)))
        }
        "BBOX" | "Intersects" | "Overlaps" | "Crosses" | "Touches" => {
            spatial(node, SpatialRelation::Overlaps)
        }
        "Within" => spatial(node, SpatialRelation::Within),
        "Contains" => spatial(node, SpatialRelation::Contains),
        "Equals" => Ok(FilterExpression::All(vec![
            spatial(node, SpatialRelation::Within)?,
            spatial(node, SpatialRelation::Contains)?,
        ])),
        "Disjoint" => {
            queryables::require_place(property(node).ok())?;
            Ok(FilterExpression::Apart { bbox: geometry(node)? })
        }
        "After" | "Before" | "During" | "TEquals" | "AnyInteracts" | "Begins" | "BegunBy" | "Ends"
        | "EndedBy" | "TContains" | "TOverlaps" | "OverlappedBy" | "Meets" | "MetBy" => temporal(node),
        other => Err(format!("{other} is not supported.")),
    }
}

fn property(node: &XmlElement) -> Result<&str, String> {
    let found = node.child("PropertyName").or_else(|| node.child("ValueReference"));
    found.map(XmlElement::trimmed_text).ok_or_else(|| format!("{} names no property.", node.name))
}

fn literal_as_written(node: &XmlElement) -> Result<&str, String> {
    let found = node.child("Literal").ok_or_else(|| format!("{} has no Literal.", node.name))?;
    Ok(&found.text)
}

fn literal(node: &XmlElement) -> Result<&str, String> {
    literal_as_written(node).map(str::trim)
}

/// Converts a pattern with the client's wildcards into the syntax of [`Filter::Like`].
pub fn like_pattern(text: &str, any: Option<char>, one: Option<char>, escape: Option<char>) -> String {
    let mut pattern = String::with_capacity(text.len());
    let mut literally = false;
    for c in text.trim_matches(['\n', '\r', '\t', ' ']).chars() {
        if !literally {
            if Some(c) == escape {
                literally = true;
                continue;
            }
            if Some(c) == any {
                pattern.push('%');
                continue;
            }
            if Some(c) == one {
                pattern.push('_');
                continue;
            }
        }
        literally = false;
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

fn spatial(node: &XmlElement, relation: SpatialRelation) -> Result<FilterExpression, String> {
    queryables::require_place(property(node).ok())?;
    Ok(FilterExpression::Place { relation, bbox: geometry(node)? })
}

const GEOMETRIES: [&str; 15] = [
    "Envelope",
    "Box",
    "Point",
    "LineString",
    "Polygon",
    "MultiPoint",
    "MultiLineString",
    "MultiPolygon",
    "MultiCurve",
    "MultiSurface",
    "Curve",
    "Surface",
    "LinearRing",
    "MultiGeometry",
    "EnvelopeWithTimePeriod",
];

/// Returns the bounding box of the geometry of a spatial condition.
fn geometry(node: &XmlElement) -> Result<Bbox, String> {
    let Some(geometry) = node.children.iter().find(|child| GEOMETRIES.contains(&child.name.as_str())) else {
        return Err(format!("{} has no supported geometry.", node.name));
    };
    // Some clients set srsName only on an inner geometry.
    let crs = geometry
        .attribute("srsName")
        .or_else(|| geometry.find_descendant(&GEOMETRIES).and_then(|inside| inside.attribute("srsName")));
    let axes = place::axis_order(crs).ok_or_else(|| {
        format!("The reference system {} is not supported; use EPSG:4326.", crs.unwrap_or_default())
    })?;
    let mut numbers = Vec::new();
    collect_numbers(geometry, &mut numbers)?;
    let found = match (&geometry.name[..], &numbers[..]) {
        ("Envelope" | "Box" | "EnvelopeWithTimePeriod", [x0, y0, x1, y1]) => {
            place::bbox_from_corners((*x0, *y0), (*x1, *y1), axes)
        }
        _ => place::bbox_around(&numbers, axes),
    };
    found.ok_or_else(|| format!("The coordinates of {} are not a valid box in degrees.", geometry.name))
}

/// Collects all positions, two numbers each.
fn collect_numbers(node: &XmlElement, numbers: &mut Vec<f64>) -> Result<(), String> {
    let wrong = || format!("The coordinates of {} are not numbers, or there are too many.", node.name);
    match node.name.as_str() {
        "lowerCorner" | "upperCorner" | "pos" | "posList" | "coordinates" => {
            let read = place::parse_numbers(node.trimmed_text()).ok_or_else(wrong)?;
            let each = match node.name.as_str() {
                "posList" => node.attribute("srsDimension").and_then(|n| n.parse().ok()).unwrap_or(2),
                // Positions are separated by spaces, their numbers by commas.
                "coordinates" => {
                    node.trimmed_text().split_whitespace().next().map_or(2, |first| first.split(',').count())
                }
                _ => read.len(),
            };
            // A client may declare a dimension of 0 or 1, for which there is no second number to
            // read.
            let each = usize::max(each, 2);
            if numbers.len() + read.len() > place::MOST_NUMBERS {
                return Err(wrong());
            }
            for position in read.chunks_exact(each) {
                numbers.extend(&position[..2]);
            }
        }
        "coord" => {
            for axis in ["X", "Y"] {
                let number =
                    node.child(axis).and_then(|axis| axis.trimmed_text().parse().ok()).ok_or_else(wrong)?;
                numbers.push(number);
            }
        }
        _ => {
            for child in &node.children {
                collect_numbers(child, numbers)?;
            }
        }
    }
    Ok(())
}

fn temporal(node: &XmlElement) -> Result<FilterExpression, String> {
    let property = queryables::time_property(property(node)?)?;
    let text = |name: &str| {
        let found = node
            .find_descendant(&[name])
            .map(|found| found.find_descendant(&["timePosition"]).unwrap_or(found).trimmed_text());
        found.filter(|text| !text.is_empty() && *text != "..").map(str::to_owned)
    };
    let at = text("timePosition")
        .or_else(|| node.child("Literal").map(|literal| literal.trimmed_text().to_owned()));
    let (begin, end) = match (
        text("beginPosition").or_else(|| text("begin")),
        text("endPosition").or_else(|| text("end")),
    ) {
        (None, None) => {
            let at = at.filter(|at| !at.is_empty()).ok_or_else(|| format!("{} has no time.", node.name))?;
            match at.split_once('/') {
                Some((from, until)) => (open(from), open(until)),
                None => (Some(at.clone()), Some(at)),
            }
        }
        ends => ends,
    };
    Ok(temporal_filter(property, &node.name, begin, end))
}

fn open(text: &str) -> Option<String> {
    Some(text.trim()).filter(|text| !text.is_empty() && *text != "..").map(str::to_owned)
}

/// Builds a temporal filter from the name of the operator.
pub fn temporal_filter(
    property: FilterProperty,
    name: &str,
    begin: Option<String>,
    end: Option<String>,
) -> FilterExpression {
    match (name.to_ascii_lowercase().as_str(), begin, end) {
        ("after", _, Some(value)) => {
            FilterExpression::Compare { property, comparison: ComparisonOperator::More, value }
        }
        ("before", Some(value), _) => {
            FilterExpression::Compare { property, comparison: ComparisonOperator::Less, value }
        }
        (_, from, until) => FilterExpression::Time { property, from, until },
    }
}

#[cfg(test)]
mod tests;
