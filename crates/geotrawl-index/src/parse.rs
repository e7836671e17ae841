//! Parser of the query language.
//!
//! It is written by hand because the engine's grammar (tantivy-query-grammar) recurses for every
//! parenthesis without a limit, so that a few thousand of them crash the process. That grammar also
//! lacks `wat*` and `roda~` after a bare word, and its errors give a position but no cause. This
//! parser checks its limits first, and its depth is bounded.
//!
//! Precedence, highest first: `field:`, `+` `-` `NOT`, `AND`, `OR`, adjacent words. So
//! `roads OR rivers utrecht` means what most people intend: either of the first two, and utrecht.

/// Maximum length of a query in bytes.
pub const LONGEST: usize = 4_096;
/// Maximum number of words and phrases.
pub const MOST_WORDS: usize = 48;
/// Maximum nesting depth of parentheses.
pub const DEEPEST: usize = 24;

/// Fields that a query can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldName {
    Title,
    Abstract,
    Keyword,
    Name,
    Provider,
    Url,
    Host,
    Kind,
    Theme,
    Country,
    Layer,
}

impl FieldName {
    fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "title" => Self::Title,
            "abstract" => Self::Abstract,
            "keyword" | "keywords" => Self::Keyword,
            "name" => Self::Name,
            "provider" => Self::Provider,
            "url" => Self::Url,
            "host" => Self::Host,
            "kind" => Self::Kind,
            "theme" => Self::Theme,
            "country" => Self::Country,
            "layer" => Self::Layer,
            _ => return None,
        })
    }
}

/// How a word matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordForm {
    Plain,
    /// `wat*`
    Prefix,
    /// `roda~`, `roda~1`
    Fuzzy(u8),
}

/// Node of a parsed query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryNode {
    Word {
        field: Option<FieldName>,
        text: String,
        form: WordForm,
    },
    Phrase {
        field: Option<FieldName>,
        text: String,
    },
    /// Adjacent words: matches all, or as many as possible.
    Together(Vec<QueryNode>),
    All(Vec<QueryNode>),
    Any(Vec<QueryNode>),
    Must(Box<QueryNode>),
    Not(Box<QueryNode>),
}

#[derive(Debug, Clone, PartialEq)]
enum QueryToken<'a> {
    Open,
    Close,
    And,
    Or,
    Not,
    Plus,
    Minus,
    Field(FieldName),
    Word(&'a str),
    Quoted(&'a str),
}

/// Parses a query; returns `None` if it has no words. The error message is for the user who wrote
/// it.
pub fn parse_query(text: &str) -> Result<Option<QueryNode>, String> {
    if text.len() > LONGEST {
        return Err(format!(
            "The search has {} characters; at most {LONGEST} are allowed.",
            text.chars().count()
        ));
    }
    let tokens = tokens(text)?;
    let leaves =
        tokens.iter().filter(|token| matches!(token, QueryToken::Word(_) | QueryToken::Quoted(_))).count();
    if leaves > MOST_WORDS {
        return Err(format!("The search has {leaves} words; at most {MOST_WORDS} are allowed."));
    }
    let mut parser = QueryParser { tokens: &tokens, at: 0 };
    let node = parser.together(None, 0)?;
    if parser.at < tokens.len() {
        return Err("A closing parenthesis has no opening one.".to_owned());
    }
    Ok(node)
}

fn tokens(text: &str) -> Result<Vec<QueryToken<'_>>, String> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let after = at + c.len_utf8();
        let next_is_word = text[after..].chars().next().is_some_and(|c| !c.is_whitespace() && c != ')');
        match c {
            _ if c.is_whitespace() => at = after,
            '(' => (tokens.push(QueryToken::Open), at = after).1,
            ')' => (tokens.push(QueryToken::Close), at = after).1,
            '+' if next_is_word => (tokens.push(QueryToken::Plus), at = after).1,
            '-' | '!' if next_is_word => (tokens.push(QueryToken::Minus), at = after).1,
            '"' | '“' | '”' | '„' => {
                let inside = &text[after..];
                let Some(length) = inside.find(['"', '“', '”']) else {
                    return Err("A quotation mark is not closed; add one after the phrase.".to_owned());
                };
                tokens.push(QueryToken::Quoted(&inside[..length]));
                at = after + length + inside[length..].chars().next().map_or(0, char::len_utf8);
            }
            _ => {
                let rest = &text[at..];
                let end = rest
                    .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '“' | '”' | '„'))
                    .unwrap_or(rest.len());
                let word = &rest[..end];
                if let Some((name, value)) = word.split_once(':')
                    && let Some(field) = FieldName::named(name)
                {
                    tokens.push(QueryToken::Field(field));
                    if !value.is_empty() {
                        tokens.push(QueryToken::Word(value));
                    }
                } else {
                    tokens.push(match word {
                        "AND" | "&&" => QueryToken::And,
                        "OR" | "||" | "|" => QueryToken::Or,
                        "NOT" => QueryToken::Not,
                        _ => QueryToken::Word(word),
                    });
                }
                at += end;
            }
        }
    }
    Ok(tokens)
}

struct QueryParser<'a> {
    tokens: &'a [QueryToken<'a>],
    at: usize,
}

impl QueryParser<'_> {
    fn together(&mut self, field: Option<FieldName>, depth: usize) -> Result<Option<QueryNode>, String> {
        let mut nodes = Vec::new();
        while self.at < self.tokens.len() && self.tokens[self.at] != QueryToken::Close {
            nodes.extend(self.any(field, depth)?);
        }
        Ok(match nodes.len() {
            0 => None,
            1 if !matches!(nodes[0], QueryNode::Not(_)) => nodes.pop(),
            _ => Some(QueryNode::Together(nodes)),
        })
    }

    fn any(&mut self, field: Option<FieldName>, depth: usize) -> Result<Option<QueryNode>, String> {
        let mut nodes: Vec<QueryNode> = self.all(field, depth)?.into_iter().collect();
        while self.tokens.get(self.at) == Some(&QueryToken::Or) {
            self.at += 1;
            nodes.extend(self.all(field, depth)?);
        }
        Ok(if nodes.len() > 1 { Some(QueryNode::Any(nodes)) } else { nodes.pop() })
    }

    fn all(&mut self, field: Option<FieldName>, depth: usize) -> Result<Option<QueryNode>, String> {
        let mut nodes: Vec<QueryNode> = self.one(field, depth)?.into_iter().collect();
        while self.tokens.get(self.at) == Some(&QueryToken::And) {
            self.at += 1;
            nodes.extend(self.one(field, depth)?);
        }
        Ok(if nodes.len() > 1 { Some(QueryNode::All(nodes)) } else { nodes.pop() })
    }

    /// Parses a word, a phrase or parentheses, with preceding signs. Skips operators without an
    /// operand, because they occur while someone is still typing.
    fn one(&mut self, mut field: Option<FieldName>, depth: usize) -> Result<Option<QueryNode>, String> {
        let (mut not, mut must) = (false, false);
        loop {
            let Some(token) = self.tokens.get(self.at) else { return Ok(None) };
            let node = match token {
                QueryToken::Not | QueryToken::Minus => {
                    not = !not;
                    self.at += 1;
                    continue;
                }
                QueryToken::Plus => {
                    must = true;
                    self.at += 1;
                    continue;
                }
                QueryToken::Field(name) => {
                    field = Some(*name);
                    self.at += 1;
                    continue;
                }
                QueryToken::And | QueryToken::Or => {
                    self.at += 1;
                    return Ok(None);
                }
                QueryToken::Close => return Ok(None),
                QueryToken::Open => {
                    if depth >= DEEPEST {
                        return Err(format!("The parentheses are nested deeper than {DEEPEST} levels."));
                    }
                    self.at += 1;
                    let inside = self.together(field, depth + 1)?;
                    if self.tokens.get(self.at) != Some(&QueryToken::Close) {
                        return Err("A parenthesis is not closed.".to_owned());
                    }
                    self.at += 1;
                    inside
                }
                QueryToken::Quoted(text) => {
                    self.at += 1;
                    (!text.trim().is_empty()).then(|| QueryNode::Phrase { field, text: (*text).to_owned() })
                }
                QueryToken::Word(text) => {
                    self.at += 1;
                    word(text, field)?
                }
            };
            return Ok(node.map(|node| match (not, must) {
                (true, _) => QueryNode::Not(Box::new(node)),
                (false, true) => QueryNode::Must(Box::new(node)),
                (false, false) => node,
            }));
        }
    }
}

fn word(text: &str, field: Option<FieldName>) -> Result<Option<QueryNode>, String> {
    let (text, form) = match text.split_once('~') {
        Some((head, "" | "2")) if !head.is_empty() => (head, WordForm::Fuzzy(2)),
        Some((head, "1")) if !head.is_empty() => (head, WordForm::Fuzzy(1)),
        _ => match text.strip_suffix('*') {
            Some(head) => (head.trim_end_matches('*'), WordForm::Prefix),
            None => (text, WordForm::Plain),
        },
    };
    if text.is_empty() && form == WordForm::Prefix {
        // A lone `*` matches everything.
        return Ok(None);
    }
    if text.starts_with('*') || text.starts_with('?') {
        return Err(format!("“{text}” begins with a wildcard; put at least two letters before the *."));
    }
    if form == WordForm::Prefix && text.chars().filter(|c| c.is_alphanumeric()).count() < 2 {
        return Err(format!("“{text}*” is too short; put at least two letters before the *."));
    }
    if !text.chars().any(char::is_alphanumeric) {
        return Ok(None);
    }
    Ok(Some(QueryNode::Word { field, text: text.to_owned(), form }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(text: &str) -> QueryNode {
        QueryNode::Word { field: None, text: text.into(), form: WordForm::Plain }
    }

    fn understood(text: &str) -> QueryNode {
        parse_query(text).expect("understood").expect("something")
    }

    #[test]
    fn operators_bind() {
        assert_eq!(
            understood("roads OR rivers utrecht"),
            QueryNode::Together(vec![
                QueryNode::Any(vec![plain("roads"), plain("rivers")]),
                plain("utrecht")
            ])
        );
        assert_eq!(
            understood("a AND b OR c"),
            QueryNode::Any(vec![QueryNode::All(vec![plain("a"), plain("b")]), plain("c")])
        );
        assert_eq!(
            understood("+a -b NOT (c d)"),
            QueryNode::Together(vec![
                QueryNode::Must(Box::new(plain("a"))),
                QueryNode::Not(Box::new(plain("b"))),
                QueryNode::Not(Box::new(QueryNode::Together(vec![plain("c"), plain("d")])))
            ])
        );
        assert_eq!(understood("NOT a"), QueryNode::Together(vec![QueryNode::Not(Box::new(plain("a")))]));
    }

    #[test]
    fn forms_and_fields() {
        let word = |field, text: &str, form| QueryNode::Word { field, text: text.into(), form };
        assert_eq!(understood("wat*"), word(None, "wat", WordForm::Prefix));
        assert_eq!(understood("roda~"), word(None, "roda", WordForm::Fuzzy(2)));
        assert_eq!(understood("title:roads"), word(Some(FieldName::Title), "roads", WordForm::Plain));
        assert_eq!(
            understood("title:\"land use\""),
            QueryNode::Phrase { field: Some(FieldName::Title), text: "land use".into() }
        );
        assert_eq!(
            understood("kind:(wms OR wfs)"),
            QueryNode::Any(vec![
                word(Some(FieldName::Kind), "wms", WordForm::Plain),
                word(Some(FieldName::Kind), "wfs", WordForm::Plain)
            ])
        );
        // Not a known field, so it is a word.
        assert_eq!(understood("EPSG:4326"), plain("EPSG:4326"));
        assert_eq!(understood("http://example.org/wms"), plain("http://example.org/wms"));
    }

    #[test]
    fn what_cannot_be_is_said() {
        for (text, cause) in [
            ("\"open", "quotation mark"),
            ("(open", "not closed"),
            ("open)", "no opening"),
            ("*ing", "wildcard"),
            ("a*", "too short"),
        ] {
            let said = parse_query(text).expect_err(text);
            assert!(said.contains(cause), "{text}: {said}");
        }
        assert!(parse_query(&"(".repeat(3_000)).expect_err("deep").contains("deeper"));
        assert!(parse_query(&"(".repeat(10_000)).expect_err("long").contains("at most"));
        assert!(parse_query(&"a ".repeat(1_000)).expect_err("many").contains("words"));
        assert!(parse_query(&"x".repeat(1 << 20)).expect_err("long").contains("at most"));
        for nothing in ["", "  ", "()", "AND OR", "-", "\"\"", "*", "NOT", "title:"] {
            assert_eq!(parse_query(nothing), Ok(None), "{nothing}");
        }
    }

    proptest! {
        #[test]
        fn anything_is_answered(text in r#"[ a-zé()"+\-~*:!|&“”\n]{0,200}"#) {
            let _ = parse_query(&text);
        }

        #[test]
        fn any_unicode_is_answered(text in ".{0,120}") {
            let _ = parse_query(&text);
        }

        #[test]
        fn any_nesting_is_answered(depth in 0_usize..3_000, sign in "[-+]?|NOT ") {
            let _ = parse_query(&format!("{}{sign}a{}", "(".repeat(depth), ")".repeat(depth)));
        }
    }
}
