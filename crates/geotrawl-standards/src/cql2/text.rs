//! Parses CQL2 text into [`Expr`].

use super::{Cql2Error, DEEPEST, Expr, ParseBudget, shapes};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cql2Token {
    /// A bare word: a name or a keyword.
    Word(String),
    /// A name in double quotes; never a keyword.
    Name(String),
    Text(String),
    Number(f64),
    Sign(&'static str),
}

const SIGNS: [&str; 10] = ["<>", "<=", ">=", "=", "<", ">", "(", ")", ",", "*"];

fn tokens(text: &str) -> Result<Vec<Cql2Token>, Cql2Error> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let used = match first {
            '\'' => {
                let (value, used) = quoted(rest, '\'')?;
                tokens.push(Cql2Token::Text(value));
                used
            }
            '"' => {
                let (value, used) = quoted(rest, '"')?;
                tokens.push(Cql2Token::Name(value));
                used
            }
            '0'..='9' | '.' | '-' | '+' => {
                let used = number_length(rest);
                let number = rest[..used].parse::<f64>().ok().filter(|number| number.is_finite());
                let number = number.ok_or_else(|| {
                    Cql2Error::new(format!(
                        "'{}' is not a number; arithmetic is not supported.",
                        shorten(&rest[..used.max(1)])
                    ))
                })?;
                tokens.push(Cql2Token::Number(number));
                used
            }
            c if c.is_alphabetic() || c == '_' || c == ':' => {
                let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.');
                let used = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                tokens.push(Cql2Token::Word(rest[..used].to_owned()));
                used
            }
            other => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                let sign = sign.ok_or_else(|| {
                    Cql2Error::new(format!("Unexpected character '{}'.", other.escape_default()))
                })?;
                tokens.push(Cql2Token::Sign(sign));
                sign.len()
            }
        };
        rest = rest[used..].trim_start();
    }
    Ok(tokens)
}

/// Returns the text between quotes and its length in bytes; a doubled quote or one after `\` stands
/// for itself.
fn quoted(text: &str, quote: char) -> Result<(String, usize), Cql2Error> {
    let mut value = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = characters.next() {
        if c == quote {
            if characters.next_if(|(_, next)| *next == quote).is_some() {
                value.push(quote);
                continue;
            }
            return Ok((value, at + c.len_utf8()));
        }
        if c == '\\' && characters.next_if(|(_, next)| *next == quote).is_some() {
            value.push(quote);
            continue;
        }
        value.push(c);
    }
    Err(Cql2Error::new(format!("A text that starts with {quote} is not closed.")))
}

/// Returns the length of the number at the start.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        let after_exponent = matches!(bytes[at - 1], b'e' | b'E');
        match byte {
            b'0'..=b'9' | b'.' | b'e' | b'E' => at += 1,
            b'-' | b'+' if after_exponent => at += 1,
            _ => break,
        }
    }
    at
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

pub(super) struct Cql2Parser {
    tokens: Vec<Cql2Token>,
    at: usize,
    budget: ParseBudget,
}

/// Parses a complete filter.
pub(super) fn parse_expression(text: &str) -> Result<Expr, Cql2Error> {
    let mut reader = Cql2Parser { tokens: tokens(text)?, at: 0, budget: ParseBudget::default() };
    if reader.tokens.is_empty() {
        return Err(Cql2Error::new("The filter is empty."));
    }
    let whole = reader.parse_or(0)?;
    match reader.next() {
        None => Ok(whole),
        Some(token) => Err(Cql2Error::new(format!(
            "Unexpected {} after the end of the condition.",
            describe_token(&token)
        ))),
    }
}

fn describe_token(token: &Cql2Token) -> String {
    match token {
        Cql2Token::Word(word) | Cql2Token::Name(word) => format!("'{}'", shorten(word)),
        Cql2Token::Text(text) => format!("the text '{}'", shorten(text)),
        Cql2Token::Number(number) => format!("the number {number}"),
        Cql2Token::Sign(sign) => format!("'{sign}'"),
    }
}

impl Cql2Parser {
    pub(super) fn next(&mut self) -> Option<Cql2Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn peek(&self) -> Option<&Cql2Token> {
        self.tokens.get(self.at)
    }

    fn is_word(&self, keyword: &str) -> bool {
        matches!(self.peek(), Some(Cql2Token::Word(word)) if word.eq_ignore_ascii_case(keyword))
    }

    fn take_word(&mut self, keyword: &str) -> bool {
        let is = self.is_word(keyword);
        self.at += usize::from(is);
        is
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Some(Cql2Token::Sign(there)) if *there == sign);
        self.at += usize::from(is);
        is
    }

    fn need_word(&mut self, keyword: &str) -> Result<(), Cql2Error> {
        if self.take_word(keyword) { Ok(()) } else { Err(self.missing(keyword)) }
    }

    pub(super) fn expect_sign(&mut self, sign: &str) -> Result<(), Cql2Error> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.missing(sign)) }
    }

    fn missing(&self, what: &str) -> Cql2Error {
        let there = self.peek().map_or_else(|| "the end".to_owned(), describe_token);
        Cql2Error::new(format!("Expected '{what}' before {there}."))
    }

    fn parse_or(&mut self, depth: usize) -> Result<Expr, Cql2Error> {
        if depth > DEEPEST {
            return Err(Cql2Error::new(format!("The filter is nested deeper than {DEEPEST} levels.")));
        }
        let mut all = vec![self.parse_and(depth)?];
        while self.take_word("or") {
            all.push(self.parse_and(depth)?);
        }
        Ok(joined("or", all))
    }

    fn parse_and(&mut self, depth: usize) -> Result<Expr, Cql2Error> {
        let mut all = vec![self.factor(depth)?];
        while self.take_word("and") {
            all.push(self.factor(depth)?);
        }
        Ok(joined("and", all))
    }

    fn factor(&mut self, depth: usize) -> Result<Expr, Cql2Error> {
        self.budget.spend()?;
        let mut negated = false;
        while self.take_word("not") {
            negated = !negated;
        }
        let inner = if self.take_sign("(") {
            let inner = self.parse_or(depth + 1)?;
            self.expect_sign(")")?;
            inner
        } else {
            self.predicate(depth)?
        };
        Ok(if negated { Expr::Call("not".into(), vec![inner]) } else { inner })
    }

    fn predicate(&mut self, depth: usize) -> Result<Expr, Cql2Error> {
        let left = self.value(depth)?;
        for sign in ["=", "<>", "<=", ">=", "<", ">"] {
            if self.take_sign(sign) {
                let right = self.value(depth)?;
                return Ok(Expr::Call(sign.into(), vec![left, right]));
            }
        }
        if self.take_word("is") {
            let negated = self.take_word("not");
            self.need_word("null")?;
            return Ok(maybe_not(negated, Expr::Call("isnull".into(), vec![left])));
        }
        let negated = self.take_word("not");
        let found = if self.take_word("like") {
            let pattern = self.value(depth)?;
            Expr::Call("like".into(), vec![left, pattern])
        } else if self.take_word("between") {
            let low = self.value(depth)?;
            self.need_word("and")?;
            let high = self.value(depth)?;
            Expr::Call("between".into(), vec![left, low, high])
        } else if self.take_word("in") {
            self.expect_sign("(")?;
            let values = self.values(depth)?;
            Expr::Call("in".into(), vec![left, Expr::List(values)])
        } else if negated {
            return Err(self.missing("LIKE, BETWEEN or IN"));
        } else {
            return match left {
                // A function or TRUE is a complete condition.
                Expr::Call(..) | Expr::Truth(_) => Ok(left),
                _ => Err(self.missing("a comparison")),
            };
        };
        Ok(maybe_not(negated, found))
    }

    /// Parses values up to the closing parenthesis.
    fn values(&mut self, depth: usize) -> Result<Vec<Expr>, Cql2Error> {
        let mut values = Vec::new();
        if self.take_sign(")") {
            return Ok(values);
        }
        loop {
            values.push(self.value(depth)?);
            if self.take_sign(")") {
                return Ok(values);
            }
            self.expect_sign(",")?;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Expr, Cql2Error> {
        self.budget.spend()?;
        if depth > DEEPEST {
            return Err(Cql2Error::new(format!("The filter is nested deeper than {DEEPEST} levels.")));
        }
        match self.next() {
            Some(Cql2Token::Text(text)) => Ok(Expr::Text(text)),
            Some(Cql2Token::Number(number)) => Ok(Expr::Number(number)),
            Some(Cql2Token::Name(name)) => Ok(Expr::Property(name)),
            // An array, as in A_CONTAINS(keywords, ('a', 'b')).
            Some(Cql2Token::Sign("(")) => Ok(Expr::List(self.values(depth + 1)?)),
            Some(Cql2Token::Word(word)) => self.word(word, depth),
            Some(token) => {
                Err(Cql2Error::new(format!("Expected a value before {}.", describe_token(&token))))
            }
            None => Err(Cql2Error::new("Expected a value at the end.")),
        }
    }

    fn word(&mut self, word: String, depth: usize) -> Result<Expr, Cql2Error> {
        let small = word.to_ascii_lowercase();
        match small.as_str() {
            "true" => return Ok(Expr::Truth(true)),
            "false" => return Ok(Expr::Truth(false)),
            "and" | "or" | "not" | "like" | "between" | "in" | "is" | "null" => {
                return Err(Cql2Error::new(format!("Expected a value before '{word}'.")));
            }
            _ => {}
        }
        if shapes::is_geometry_keyword(&small) {
            return shapes::parse_wkt(self).map(Expr::Shape);
        }
        if !self.take_sign("(") {
            return Ok(Expr::Property(word));
        }
        if small == "bbox" {
            return shapes::bbox_from_values(&self.values(depth + 1)?).map(Expr::Shape);
        }
        let arguments = self.values(depth + 1)?;
        super::json::build_call(&small, arguments)
    }
}

fn joined(operator: &str, mut all: Vec<Expr>) -> Expr {
    if all.len() == 1 { all.remove(0) } else { Expr::Call(operator.into(), all) }
}

fn maybe_not(negated: bool, expr: Expr) -> Expr {
    if negated { Expr::Call("not".into(), vec![expr]) } else { expr }
}
