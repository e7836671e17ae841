//! The older CQL, as constraints of CSW are written: `AnyText LIKE '%water%' AND BBOX(ows:BoundingBox, 5, 50, 6, 51)`.
//!
//! Written by hand: the one parser that is published for Rust reads the newer CQL2, whose names, geometries and times
//! are written otherwise. Descends by operators with a bound on its depth.

use crate::{fes, place, queryables};
use geotrawl_index::{ComparisonOperator, FilterExpression, SpatialRelation};

/// Longest text, in bytes.
pub const LONGEST: usize = 64 << 10;
/// Deepest nesting.
const DEEPEST: usize = 60;
/// Most tokens.
const MOST_TOKENS: usize = 20_000;

#[derive(Debug, Clone, PartialEq)]
enum CqlToken<'a> {
    /// A name, a keyword, a number or a time: whatever is written without quotes.
    Word(&'a str),
    Quoted(String),
    Sign(&'a str),
}

/// Reads a constraint; the error is for the person who asks.
pub fn parse_constraint(text: &str) -> Result<FilterExpression, String> {
    if text.len() > LONGEST {
        return Err(format!("The constraint has more than {LONGEST} characters."));
    }
    let tokens = tokens(text)?;
    let mut parser = CqlParser { tokens: &tokens, at: 0 };
    let filter = parser.any(0)?;
    match parser.peek() {
        None => Ok(filter),
        Some(token) => Err(format!("{} is not expected here.", show(token))),
    }
}

fn tokens(text: &str) -> Result<Vec<CqlToken<'_>>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        if tokens.len() >= MOST_TOKENS {
            return Err("The constraint is too long.".to_owned());
        }
        let taken = match c {
            '\'' | '"' => {
                let (value, taken) = quoted(rest, c)?;
                tokens.push(if c == '"' {
                    CqlToken::Word(&rest[1..taken - 1])
                } else {
                    CqlToken::Quoted(value)
                });
                taken
            }
            '(' | ')' | ',' | '=' => {
                tokens.push(CqlToken::Sign(&rest[..1]));
                1
            }
            '<' | '>' | '!' => {
                let two = rest.get(..2).filter(|two| matches!(*two, "<=" | ">=" | "<>" | "!="));
                let sign = two.unwrap_or(&rest[..1]);
                tokens.push(CqlToken::Sign(sign));
                sign.len()
            }
            _ => {
                let end = rest
                    .find(|c: char| {
                        c.is_whitespace() || matches!(c, '(' | ')' | ',' | '=' | '<' | '>' | '!' | '\'' | '"')
                    })
                    .unwrap_or(rest.len());
                tokens.push(CqlToken::Word(&rest[..end]));
                end
            }
        };
        rest = rest[taken..].trim_start();
    }
    Ok(tokens)
}

/// What stands between quotes, doubled ones being meant themselves, and how many bytes that takes.
fn quoted(text: &str, quote: char) -> Result<(String, usize), String> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c != quote {
            value.push(c);
        } else if chars.peek().is_some_and(|(_, next)| *next == quote) {
            value.push(quote);
            chars.next();
        } else {
            return Ok((value, at + 1));
        }
    }
    Err("A quotation mark is not closed.".to_owned())
}

fn show(token: &CqlToken) -> String {
    match token {
        CqlToken::Word(word) | CqlToken::Sign(word) => {
            format!("“{}”", word.chars().take(60).collect::<String>())
        }
        CqlToken::Quoted(text) => format!("“'{}'”", text.chars().take(60).collect::<String>()),
    }
}

struct CqlParser<'a> {
    tokens: &'a [CqlToken<'a>],
    at: usize,
}

impl<'a> CqlParser<'a> {
    fn peek(&self) -> Option<&'a CqlToken<'a>> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Result<&'a CqlToken<'a>, String> {
        let token = self.peek().ok_or_else(|| "The constraint ends too early.".to_owned())?;
        self.at += 1;
        Ok(token)
    }

    /// Takes a keyword, if it is the next.
    fn takes(&mut self, keyword: &str) -> bool {
        let is = matches!(self.peek(), Some(CqlToken::Word(word)) if word.eq_ignore_ascii_case(keyword));
        self.at += usize::from(is);
        is
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Some(CqlToken::Sign(next)) if *next == sign);
        self.at += usize::from(is);
        is
    }

    fn expects(&mut self, sign: &str) -> Result<(), String> {
        if self.takes_sign(sign) {
            return Ok(());
        }
        let instead = self.peek().map_or_else(|| "the end".to_owned(), show);
        Err(format!("“{sign}” is expected, and {instead} is there."))
    }

    fn any(&mut self, depth: usize) -> Result<FilterExpression, String> {
        let mut any = vec![self.all(depth)?];
        while self.takes("OR") {
            any.push(self.all(depth)?);
        }
        Ok(if any.len() == 1 { any.remove(0) } else { FilterExpression::Any(any) })
    }

    fn all(&mut self, depth: usize) -> Result<FilterExpression, String> {
        let mut all = vec![self.one(depth)?];
        while self.takes("AND") {
            all.push(self.one(depth)?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { FilterExpression::All(all) })
    }

    fn one(&mut self, depth: usize) -> Result<FilterExpression, String> {
        if depth > DEEPEST {
            return Err(format!("The constraint is nested deeper than {DEEPEST} levels."));
        }
        if self.takes("NOT") {
            return Ok(FilterExpression::Not(Box::new(self.one(depth + 1)?)));
        }
        if self.takes_sign("(") {
            let inside = self.any(depth + 1)?;
            self.expects(")")?;
            return Ok(inside);
        }
        let name = match self.next()? {
            CqlToken::Word(word) => *word,
            other => return Err(format!("A property is expected, and {} is there.", show(other))),
        };
        if self.takes_sign("(") {
            return self.function(name);
        }
        self.predicate(name)
    }

    fn predicate(&mut self, name: &str) -> Result<FilterExpression, String> {
        let not = self.takes("NOT");
        let filter = if self.takes("LIKE") || self.takes("ILIKE") {
            queryables::like_filter(name, self.literal()?)?
        } else if self.takes("BETWEEN") {
            let low = self.literal()?;
            if !self.takes("AND") {
                return Err("BETWEEN takes two values with AND between them.".to_owned());
            }
            let high = self.literal()?;
            FilterExpression::All(vec![
                queryables::comparison_filter(name, ComparisonOperator::AtLeast, &low)?,
                queryables::comparison_filter(name, ComparisonOperator::AtMost, &high)?,
            ])
        } else if self.takes("IN") {
            self.expects("(")?;
            let mut any = Vec::new();
            loop {
                any.push(queryables::comparison_filter(name, ComparisonOperator::Equal, &self.literal()?)?);
                if !self.takes_sign(",") {
                    break;
                }
            }
            self.expects(")")?;
            FilterExpression::Any(any)
        } else {
            if not {
                return Err("NOT is followed by LIKE, BETWEEN or IN here.".to_owned());
            }
            return self.comparison(name);
        };
        Ok(if not { FilterExpression::Not(Box::new(filter)) } else { filter })
    }

    fn comparison(&mut self, name: &str) -> Result<FilterExpression, String> {
        if self.takes("IS") {
            let not = self.takes("NOT");
            if !self.takes("NULL") {
                return Err("IS is followed by NULL or NOT NULL.".to_owned());
            }
            let known = queryables::known_filter(name)?;
            return Ok(if not { known } else { FilterExpression::Not(Box::new(known)) });
        }
        for time in ["AFTER", "BEFORE", "DURING", "TEQUALS", "ANYINTERACTS"] {
            if self.takes(time) {
                let property = queryables::time_property(name)?;
                let value = self.literal()?;
                let open = |text: &str| (!matches!(text, "" | "..")).then(|| text.to_owned());
                let (from, until) = value.split_once('/').unwrap_or((&value, &value));
                return Ok(fes::temporal_filter(property, time, open(from), open(until)));
            }
        }
        let comparison = match self.next()? {
            CqlToken::Sign("=") => ComparisonOperator::Equal,
            CqlToken::Sign("<>" | "!=") => ComparisonOperator::NotEqual,
            CqlToken::Sign("<") => ComparisonOperator::Less,
            CqlToken::Sign("<=") => ComparisonOperator::AtMost,
            CqlToken::Sign(">") => ComparisonOperator::More,
            CqlToken::Sign(">=") => ComparisonOperator::AtLeast,
            other => {
                return Err(format!("A comparison is expected after {name}, and {} is there.", show(other)));
            }
        };
        queryables::comparison_filter(name, comparison, &self.literal()?)
    }

    fn literal(&mut self) -> Result<String, String> {
        match self.next()? {
            CqlToken::Word(word) => Ok((*word).to_owned()),
            CqlToken::Quoted(text) => Ok(text.clone()),
            other @ CqlToken::Sign(_) => Err(format!("A value is expected, and {} is there.", show(other))),
        }
    }

    /// After the opening parenthesis.
    fn function(&mut self, name: &str) -> Result<FilterExpression, String> {
        let upper = name.to_ascii_uppercase();
        let relation = match upper.as_str() {
            "BBOX" | "INTERSECTS" | "OVERLAPS" | "CROSSES" | "TOUCHES" => SpatialRelation::Overlaps,
            "WITHIN" => SpatialRelation::Within,
            "CONTAINS" => SpatialRelation::Contains,
            "DISJOINT" => SpatialRelation::Overlaps,
            _ => return Err(format!("The function {} is not understood here.", show(&CqlToken::Word(name)))),
        };
        let property = self.literal()?;
        queryables::require_place(Some(&property))?;
        self.expects(",")?;
        // The rest up to the closing parenthesis, written out again: numbers, or a geometry with its own parentheses.
        let mut text = String::new();
        let mut open = 0;
        loop {
            match self.next()? {
                CqlToken::Sign(")") if open == 0 => break,
                CqlToken::Sign(sign) => {
                    match *sign {
                        "(" => open += 1,
                        ")" => open -= 1,
                        _ => {}
                    }
                    text.push_str(sign);
                }
                CqlToken::Word(word) => text.extend([word, " "]),
                CqlToken::Quoted(value) => text.extend([value.as_str(), " "]),
            }
        }
        let bbox = if upper == "BBOX" { place::parse_bbox(&text) } else { place::bbox_of_wkt(&text) };
        let bbox = bbox.ok_or_else(|| format!("The place of {upper} is not understood."))?;
        Ok(if upper == "DISJOINT" {
            FilterExpression::Apart { bbox }
        } else {
            FilterExpression::Place { relation, bbox }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_index::FilterProperty;
    use geotrawl_model::Bbox;
    use proptest::prelude::*;

    fn like(property: FilterProperty, pattern: &str) -> FilterExpression {
        FilterExpression::Like { property, pattern: pattern.to_owned() }
    }

    #[test]
    fn constraints_are_read() {
        let bbox = Bbox { west: 5.0, south: 50.0, east: 6.0, north: 51.0 };
        let place = FilterExpression::Place { relation: SpatialRelation::Overlaps, bbox };
        assert_eq!(
            parse_constraint("AnyText LIKE '%wa''ter%' AND BBOX(ows:BoundingBox, 5, 50, 6, 51)"),
            Ok(FilterExpression::All(vec![like(FilterProperty::Any, "%wa'ter%"), place.clone()]))
        );
        assert_eq!(
            parse_constraint("BBOX(ows:BoundingBox,50,5,51,6,'urn:ogc:def:crs:EPSG::4326')"),
            Ok(place.clone())
        );
        assert_eq!(
            parse_constraint("intersects(geometry, POLYGON((5 50, 6 50, 6 51, 5 51, 5 50)))"),
            Ok(place)
        );
        assert_eq!(
            parse_constraint("not dc:title like 'a%' or (dc:subject = 'x' and quality >= 50)"),
            Ok(FilterExpression::Any(vec![
                FilterExpression::Not(Box::new(like(FilterProperty::Title, "a%"))),
                FilterExpression::All(vec![
                    FilterExpression::Compare {
                        property: FilterProperty::Keyword,
                        comparison: ComparisonOperator::Equal,
                        value: "x".to_owned()
                    },
                    FilterExpression::Compare {
                        property: FilterProperty::Score,
                        comparison: ComparisonOperator::AtLeast,
                        value: "50".to_owned()
                    },
                ]),
            ]))
        );
        assert!(
            matches!(parse_constraint("kind IN ('wms', 'wfs')"), Ok(FilterExpression::Any(two)) if two.len() == 2)
        );
        assert!(matches!(
            parse_constraint("modified BETWEEN 2020-01-01 AND 2021-01-01T00:00:00Z"),
            Ok(FilterExpression::All(_))
        ));
        assert!(matches!(parse_constraint("abstract IS NULL"), Ok(FilterExpression::Not(_))));
        assert_eq!(
            parse_constraint("abstract is not null"),
            Ok(FilterExpression::Known(FilterProperty::Abstract))
        );
        assert!(matches!(
            parse_constraint("apiso:modified AFTER 2020-01-01"),
            Ok(FilterExpression::Compare { .. })
        ));
        assert!(matches!(
            parse_constraint("temporal DURING 2020/2021"),
            Ok(FilterExpression::Time { from: Some(_), until: Some(_), .. })
        ));
        assert!(matches!(parse_constraint("title NOT LIKE 'x'"), Ok(FilterExpression::Not(_))));
        assert!(matches!(parse_constraint("\"dc:title\" = 'x'"), Ok(FilterExpression::Compare { .. })));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for wrong in [
            "",
            "title",
            "title =",
            "title LIKE",
            "title = 'x",
            "(title = 'x'",
            "title = 'x')",
            "nothing = 1",
            "title = 'x' AND",
            "BBOX(title, 1, 2, 3, 4)",
            "BBOX(ows:BoundingBox, 1, 2, 3)",
            "SLEEP(1, 2)",
            "title IS 'x'",
            "title = 'x'; DROP TABLE records",
            "'; --",
        ] {
            assert!(parse_constraint(wrong).is_err(), "{wrong}");
        }
        assert!(parse_constraint(&"(".repeat(60_000)).is_err());
        assert!(parse_constraint(&"NOT ".repeat(10_000)).is_err());
        assert!(parse_constraint(&"x".repeat(LONGEST + 1)).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>(), near in "[a-zA-Z '\"()=<>!,%/0-9]{0,80}") {
            let _ = (parse_constraint(&text), parse_constraint(&near));
        }
        #[test]
        fn any_tokens_are_read_or_refused(parts in prop::collection::vec(prop::sample::select(vec![
            "title", "=", "'x'", "AND", "OR", "NOT", "(", ")", "LIKE", "BETWEEN", "IN", ",", "IS", "NULL", "BBOX", "1",
            "DURING", "2020/..", "WITHIN", "geometry", "POINT", "<=",
        ]), 0..16)) {
            let _ = parse_constraint(&parts.join(" "));
        }
    }
}
