//! The older CQL of CSW constraints: `AnyText LIKE '%water%' AND BBOX(ows:BoundingBox, 5, 50, 6,
//! 51)`.
//!
//! Written by hand: the only published Rust parser reads the newer CQL2, which writes names,
//! geometries and times differently. A recursive descent parser with limited depth.

use crate::{fes, place, queryables};
use geotrawl_index::{ComparisonOperator, FilterExpression, SpatialRelation};

/// Longest text, in bytes.
pub const LONGEST: usize = 64 << 10;
/// Maximum nesting depth.
const DEEPEST: usize = 60;
/// Maximum number of tokens.
const MOST_TOKENS: usize = 20_000;

#[derive(Debug, Clone, PartialEq)]
enum CqlToken<'a> {
    /// A name, a keyword, a number or a time: anything without quotes.
    Word(&'a str),
    Quoted(String),
    Sign(&'a str),
}

/// Parses a constraint; the error message is for the client.
pub fn parse_constraint(text: &str) -> Result<FilterExpression, String> {
    if text.len() > LONGEST {
        return Err(format!("The constraint has more than {LONGEST} characters."));
    }
    let tokens = tokens(text)?;
    let mut parser = CqlParser { tokens: &tokens, at: 0 };
    let filter = parser.parse_or(0)?;
    match parser.peek() {
        None => Ok(filter),
        Some(token) => Err(format!("Unexpected {}.", display_token(token))),
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

/// Returns the text between quotes, with doubled quotes unescaped, and its length in bytes
/// including the quotes.
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
    Err("A quote is not closed.".to_owned())
}

fn display_token(token: &CqlToken) -> String {
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
        let token = self.peek().ok_or_else(|| "The constraint is incomplete.".to_owned())?;
        self.at += 1;
        Ok(token)
    }

    /// Consumes a keyword if it is next.
    fn take_keyword(&mut self, keyword: &str) -> bool {
        let is = matches!(self.peek(), Some(CqlToken::Word(word)) if word.eq_ignore_ascii_case(keyword));
        self.at += usize::from(is);
        is
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Some(CqlToken::Sign(next)) if *next == sign);
        self.at += usize::from(is);
        is
    }

    fn expect_sign(&mut self, sign: &str) -> Result<(), String> {
        if self.take_sign(sign) {
            return Ok(());
        }
        let instead = self.peek().map_or_else(|| "the end".to_owned(), display_token);
        Err(format!("Expected “{sign}”, found {instead}."))
    }

    fn parse_or(&mut self, depth: usize) -> Result<FilterExpression, String> {
        let mut any = vec![self.parse_and(depth)?];
        while self.take_keyword("OR") {
            any.push(self.parse_and(depth)?);
        }
        Ok(if any.len() == 1 { any.remove(0) } else { FilterExpression::Any(any) })
    }

    fn parse_and(&mut self, depth: usize) -> Result<FilterExpression, String> {
        let mut all = vec![self.parse_condition(depth)?];
        while self.take_keyword("AND") {
            all.push(self.parse_condition(depth)?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { FilterExpression::All(all) })
    }

    fn parse_condition(&mut self, depth: usize) -> Result<FilterExpression, String> {
        if depth > DEEPEST {
            return Err(format!("The constraint is nested deeper than {DEEPEST} levels."));
        }
        if self.take_keyword("NOT") {
            return Ok(FilterExpression::Not(Box::new(self.parse_condition(depth + 1)?)));
        }
        if self.take_sign("(") {
            let inside = self.parse_or(depth + 1)?;
            self.expect_sign(")")?;
            return Ok(inside);
        }
        let name = match self.next()? {
            CqlToken::Word(word) => *word,
            other => return Err(format!("Expected a property, found {}.", display_token(other))),
        };
        if self.take_sign("(") {
            return self.function(name);
        }
        self.predicate(name)
    }

    fn predicate(&mut self, name: &str) -> Result<FilterExpression, String> {
        let not = self.take_keyword("NOT");
        let filter = if self.take_keyword("LIKE") || self.take_keyword("ILIKE") {
            queryables::like_filter(name, self.literal()?)?
        } else if self.take_keyword("BETWEEN") {
            let low = self.literal()?;
            if !self.take_keyword("AND") {
                return Err("BETWEEN requires two values separated by AND.".to_owned());
            }
            let high = self.literal()?;
            FilterExpression::All(vec![
                queryables::comparison_filter(name, ComparisonOperator::AtLeast, &low)?,
                queryables::comparison_filter(name, ComparisonOperator::AtMost, &high)?,
            ])
        } else if self.take_keyword("IN") {
            self.expect_sign("(")?;
            let mut any = Vec::new();
            loop {
                any.push(queryables::comparison_filter(name, ComparisonOperator::Equal, &self.literal()?)?);
                if !self.take_sign(",") {
                    break;
                }
            }
            self.expect_sign(")")?;
            FilterExpression::Any(any)
        } else {
            if not {
                return Err("Expected LIKE, BETWEEN or IN after NOT.".to_owned());
            }
            return self.comparison(name);
        };
        Ok(if not { FilterExpression::Not(Box::new(filter)) } else { filter })
    }

    fn comparison(&mut self, name: &str) -> Result<FilterExpression, String> {
        if self.take_keyword("IS") {
            let not = self.take_keyword("NOT");
            if !self.take_keyword("NULL") {
                return Err("Expected NULL or NOT NULL after IS.".to_owned());
            }
            let known = queryables::known_filter(name)?;
            return Ok(if not { known } else { FilterExpression::Not(Box::new(known)) });
        }
        for time in ["AFTER", "BEFORE", "DURING", "TEQUALS", "ANYINTERACTS"] {
            if self.take_keyword(time) {
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
                return Err(format!("Expected a comparison after {name}, found {}.", display_token(other)));
            }
        };
        queryables::comparison_filter(name, comparison, &self.literal()?)
    }

    fn literal(&mut self) -> Result<String, String> {
        match self.next()? {
            CqlToken::Word(word) => Ok((*word).to_owned()),
            CqlToken::Quoted(text) => Ok(text.clone()),
            other @ CqlToken::Sign(_) => Err(format!("Expected a value, found {}.", display_token(other))),
        }
    }

    /// Parses the arguments of a function, after the opening parenthesis.
    fn function(&mut self, name: &str) -> Result<FilterExpression, String> {
        let upper = name.to_ascii_uppercase();
        let relation = match upper.as_str() {
            "BBOX" | "INTERSECTS" | "OVERLAPS" | "CROSSES" | "TOUCHES" => SpatialRelation::Overlaps,
            "WITHIN" => SpatialRelation::Within,
            "CONTAINS" => SpatialRelation::Contains,
            "DISJOINT" => SpatialRelation::Overlaps,
            _ => {
                return Err(format!(
                    "The function {} is not supported.",
                    display_token(&CqlToken::Word(name))
                ));
            }
        };
        let property = self.literal()?;
        queryables::require_place(Some(&property))?;
        self.expect_sign(",")?;
        // Write out the rest up to the closing parenthesis: numbers, or a geometry with its own
        // parentheses.
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
        let bbox = bbox.ok_or_else(|| format!("The geometry of {upper} is not valid."))?;
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
