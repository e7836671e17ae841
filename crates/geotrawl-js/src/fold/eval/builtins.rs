//! Built-in functions of the language, the page and common helper libraries.

use super::text::{cap_text, concat_values};
use super::{EvalEnv, ExpressionEvaluator, FoldValue, MOST_ELEMENTS, one_of};
use crate::fold::modules;
use crate::fold::table::CallNode;
use crate::model::HOLE;
use oxc_ast::ast::{Argument, Expression};
use std::rc::Rc;

impl<'a> ExpressionEvaluator<'a> {
    /// Evaluates a method of a known value; returns `None` if the method is unknown.
    pub(super) fn eval_method(
        &mut self,
        receiver: &FoldValue<'a>,
        name: &str,
        node: CallNode<'a>,
        env: &EvalEnv<'a>,
    ) -> Option<FoldValue<'a>> {
        if let FoldValue::OneOf(values) = receiver {
            let values = values.clone();
            let mut out = Vec::new();
            for value in values.iter() {
                out.push(self.eval_method(value, name, node, env)?);
            }
            return Some(one_of(out));
        }
        if let FoldValue::With(with) = receiver
            && matches!(with.base, FoldValue::List(_) | FoldValue::Text(_) | FoldValue::Response(_))
        {
            let base = with.base.clone();
            return self.eval_method(&base, name, node, env);
        }
        match (receiver, name) {
            (FoldValue::Text(text), _) => {
                let args = self.eval_arguments(node.arguments(), env);
                self.text_method(&text.clone(), name, &args)
            }
            (FoldValue::List(list), _) => {
                let list = list.clone();
                self.list_method(&list, name, node, env)
            }
            (FoldValue::Number(_) | FoldValue::Bool(_), "toString" | "toFixed") => {
                Some(Self::to_text(receiver))
            }
            (FoldValue::Response(url), "json" | "text" | "clone") => {
                let url = url.clone();
                Some(self.eval_document(&url).unwrap_or(FoldValue::Response(url)))
            }
            (FoldValue::Func(func, closure), "call") => {
                let args =
                    self.eval_arguments(node.arguments(), env).split_off(node.arguments().len().min(1));
                Some(self.invoke_function(*func, args, &closure.clone()))
            }
            (FoldValue::Func(..), "bind") => Some(receiver.clone()),
            (FoldValue::Element(element), _) => {
                let first = self.eval_arguments(node.arguments(), env).into_iter().next();
                let named = first.as_ref().and_then(FoldValue::known_text).cloned();
                Some(match (name, named) {
                    ("getAttribute" | "attr" | "prop", Some(attribute)) => {
                        self.eval_attribute(*element, &attribute)
                    }
                    ("data", Some(attribute)) => self.eval_attribute(*element, &format!("data-{attribute}")),
                    ("val", None) => self.eval_member(&FoldValue::Element(*element), "value"),
                    ("text" | "html", None) => self.eval_member(&FoldValue::Element(*element), "textContent"),
                    ("get" | "first", _) => receiver.clone(),
                    _ => return None,
                })
            }
            (FoldValue::Path(path), "extend") if path.len() > 1 => Some(FoldValue::Path(path.clone())),
            (_, "then" | "done" | "success" | "finally" | "pipe") => {
                let receiver = receiver.clone();
                Some(self.then(&receiver, node, env))
            }
            (_, "catch" | "fail" | "toPromise" | "asPromise") => Some(receiver.clone()),
            (_, "n")
                if matches!(receiver, FoldValue::Unknown | FoldValue::Func(..) | FoldValue::With(_))
                    && node.arguments().len() == 1 =>
            {
                // webpack's `n(module)` returns a getter of the module's default export.
                let value = self.eval_arguments(node.arguments(), env).into_iter().next()?;
                matches!(value, FoldValue::Packed(_)).then_some(value)
            }
            _ => None,
        }
    }

    fn then(&mut self, receiver: &FoldValue<'a>, node: CallNode<'a>, env: &EvalEnv<'a>) -> FoldValue<'a> {
        let Some(callback) = node.arguments().first().and_then(Argument::as_expression) else {
            return receiver.clone();
        };
        // `.then(n.bind(n, 123))`
        if let Expression::CallExpression(bind) = callback
            && let Expression::StaticMemberExpression(member) = &bind.callee
            && member.property.name == "bind"
            && let Some(id) = bind.arguments.get(1).and_then(Argument::as_expression)
        {
            let id = match self.eval(id, env) {
                FoldValue::Number(number) => super::number_text(number),
                FoldValue::Text(id) => id.to_string(),
                _ => return FoldValue::Unknown,
            };
            return self
                .t
                .packed
                .get(id.as_str())
                .map_or(FoldValue::Unknown, |func| FoldValue::Packed(*func));
        }
        match self.eval(callback, env) {
            FoldValue::Func(func, closure) => self.invoke_function(func, vec![receiver.clone()], &closure),
            _ => FoldValue::Unknown,
        }
    }

    fn text_method(&mut self, text: &Rc<str>, name: &str, args: &[FoldValue<'a>]) -> Option<FoldValue<'a>> {
        let number = |at: usize| match args.get(at) {
            Some(FoldValue::Number(number)) => Some(*number as i64),
            _ => None,
        };
        self.steps += text.len() as u64 / 64;
        Some(match name {
            "toString" | "valueOf" | "trim" | "normalize" | "trimEnd" | "trimStart" => {
                if name.starts_with("trim") {
                    FoldValue::from_text(text.trim())
                } else {
                    FoldValue::Text(text.clone())
                }
            }
            "toLowerCase" | "toLocaleLowerCase" => FoldValue::from_text(&text.to_lowercase()),
            "toUpperCase" | "toLocaleUpperCase" => FoldValue::from_text(&text.to_uppercase()),
            "concat" => {
                let mut parts = vec![FoldValue::Text(text.clone())];
                parts.extend_from_slice(args);
                self.join_values(&parts)
            }
            "replace" | "replaceAll" => replace(text, args, name == "replaceAll"),
            "slice" | "substring" | "substr" => match (number(0), number(1), args.len()) {
                (Some(from), to, len) if len < 2 || to.is_some() => {
                    FoldValue::from_text(&cut(text, name, from, to))
                }
                _ => FoldValue::Text(String::from(HOLE).into()),
            },
            "split" => match args.first() {
                Some(FoldValue::Text(by)) if !by.is_empty() => {
                    FoldValue::List(text.split(&**by).take(MOST_ELEMENTS).map(FoldValue::from_text).collect())
                }
                _ => FoldValue::List([FoldValue::Text(text.clone())].into()),
            },
            "format" | "supplant" | "formatUnicorn" => FoldValue::Text(text.clone()),
            "repeat" => match number(0) {
                Some(times) if (0..64).contains(&times) => {
                    FoldValue::from_text(&cap_text(text.repeat(times as usize)))
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn list_method(
        &mut self,
        list: &Rc<[FoldValue<'a>]>,
        name: &str,
        node: CallNode<'a>,
        env: &EvalEnv<'a>,
    ) -> Option<FoldValue<'a>> {
        Some(match name {
            "join" => {
                let by = self.eval_arguments(node.arguments(), env).into_iter().next();
                let by = by.unwrap_or_else(|| FoldValue::from_text(","));
                let mut parts = Vec::with_capacity(list.len() * 2);
                for (index, value) in list.iter().enumerate() {
                    if index > 0 {
                        parts.push(by.clone());
                    }
                    parts.push(value.clone());
                }
                self.join_values(&parts)
            }
            "concat" => {
                let mut out = list.to_vec();
                for value in self.eval_arguments(node.arguments(), env) {
                    match value {
                        FoldValue::List(more) => out.extend(more.iter().cloned()),
                        value => out.push(value),
                    }
                }
                out.truncate(MOST_ELEMENTS);
                FoldValue::List(out.into())
            }
            "map" | "flatMap" => {
                let callback = node.arguments().first().and_then(Argument::as_expression)?;
                let FoldValue::Func(func, closure) = self.eval(callback, env) else { return None };
                let mut out = Vec::new();
                for (index, value) in list.iter().enumerate().take(256) {
                    let made = self.invoke_function(
                        func,
                        vec![value.clone(), FoldValue::Number(index as f64)],
                        &closure,
                    );
                    match made {
                        FoldValue::List(more) if name == "flatMap" => out.extend(more.iter().cloned()),
                        made => out.push(made),
                    }
                }
                FoldValue::List(out.into())
            }
            "filter" | "reverse" | "sort" | "flat" | "values" | "toSorted" => FoldValue::List(list.clone()),
            "slice" => FoldValue::List(list.clone()),
            "find" | "pop" | "shift" | "at" => one_of(list.iter().cloned()),
            "then" => {
                let list = FoldValue::List(list.clone());
                self.then(&list, node, env)
            }
            _ => return None,
        })
    }

    /// Evaluates a call of a function from outside these scripts.
    pub(super) fn eval_named_call(
        &mut self,
        path: &Rc<[Rc<str>]>,
        node: CallNode<'a>,
        env: &EvalEnv<'a>,
    ) -> FoldValue<'a> {
        let names: Vec<&str> = path.iter().map(|part| &**part).collect();
        let made = FoldValue::Made(path.clone(), node, env.clone());
        let Some(last) = names.last().copied() else { return FoldValue::Unknown };
        let pure = matches!(
            last,
            "encodeURIComponent"
                | "encodeURI"
                | "escape"
                | "decodeURIComponent"
                | "decodeURI"
                | "unescape"
                | "atob"
                | "String"
                | "Number"
                | "fetch"
                | "getJSON"
                | "json"
                | "get"
                | "ajax"
                | "request"
                | "axios"
                | "assign"
                | "extend"
                | "merge"
                | "applyDefaults"
                | "apply"
                | "defaults"
                | "mixin"
                | "freeze"
                | "seal"
                | "structuredClone"
                | "clone"
                | "cloneDeep"
                | "keys"
                | "values"
                | "entries"
                | "from"
                | "all"
                | "resolve"
                | "parse"
                | "URL"
                | "URLSearchParams"
                | "getElementById"
                | "querySelector"
                | "$"
                | "jQuery"
                | "require"
                | "Class"
                | "isArray"
                | "raw"
                | "esriRequest"
                | "markRaw"
                | "reactive"
                | "ref"
                | "$fetch"
                | "apiFetch"
                | "create"
                | "toRaw"
                | "Object"
        );
        if !pure {
            return made;
        }
        let args = self.eval_arguments(node.arguments(), env);
        let first = args.first().cloned().unwrap_or(FoldValue::Undefined);
        match names.as_slice() {
            ["encodeURIComponent" | "escape"] => {
                first.map_alternatives(|value| text_of(value, encode_component))
            }
            ["encodeURI"] => first.map_alternatives(|value| text_of(value, |text| text.replace(' ', "%20"))),
            ["decodeURIComponent" | "decodeURI" | "unescape"] => {
                first.map_alternatives(|value| text_of(value, decode))
            }
            ["atob"] => first.map_alternatives(|value| {
                match value.known_text().and_then(|text| modules::decode_base64(text)) {
                    Some(text) => FoldValue::from_text(&text),
                    None => FoldValue::Unknown,
                }
            }),
            ["String"] => Self::to_text(&first),
            ["Number"] => match &first {
                FoldValue::Text(text) => text.trim().parse().map_or(FoldValue::Unknown, FoldValue::Number),
                _ => first,
            },
            ["URL"] => self.url(&first, args.get(1)),
            ["URLSearchParams"] => self.query(&first),
            ["JSON", "parse"] => match &first {
                FoldValue::Text(text) => modules::parse_json(text).unwrap_or(FoldValue::Unknown),
                FoldValue::Element(_) | FoldValue::Fields(_) => first,
                _ => FoldValue::Unknown,
            },
            ["Object", "keys"] => {
                let entries = self.object_entries(&first);
                FoldValue::List(entries.into_iter().map(|(name, _)| FoldValue::Text(name)).collect())
            }
            ["Object", "values"] => {
                let entries = self.object_entries(&first);
                FoldValue::List(entries.into_iter().map(|(_, value)| value).collect())
            }
            ["Object", "entries"] => {
                let entries = self.object_entries(&first);
                FoldValue::List(
                    entries
                        .into_iter()
                        .map(|(name, value)| FoldValue::List([FoldValue::Text(name), value].into()))
                        .collect(),
                )
            }
            ["Object", "freeze" | "seal" | "create"]
            | ["structuredClone"]
            | ["Array", "from"]
            | ["Promise", "resolve" | "all"]
            | [.., "clone" | "cloneDeep" | "markRaw" | "reactive" | "toRaw"] => first,
            [.., "Class"] => match &first {
                FoldValue::Path(path) => FoldValue::Path(path.clone()),
                _ => made,
            },
            [.., "assign" | "extend" | "merge" | "applyDefaults" | "apply" | "defaults" | "mixin"] => {
                self.merge(&args, last == "applyDefaults" || last == "defaults").unwrap_or(made)
            }
            ["document", "getElementById"] => self.element(&first, true),
            ["document", "querySelector"] | ["$" | "jQuery"] => self.element(&first, false),
            ["require"] => match &first {
                FoldValue::Text(source) => self.import_url(source),
                _ => FoldValue::Unknown,
            },
            ["fetch" | "$fetch" | "apiFetch" | "axios" | "esriRequest"]
            | ["axios", "get" | "request"]
            | ["esri", .., "request"]
            | [.., "request", "esriRequest"] => self.response(&first),
            [.., "getJSON" | "json"] | ["$" | "jQuery", "get" | "ajax"] => match self.response(&first) {
                FoldValue::Response(url) => self.eval_document(&url).unwrap_or(made),
                _ => made,
            },
            _ => made,
        }
    }

    fn response(&mut self, first: &FoldValue<'a>) -> FoldValue<'a> {
        let url = match first {
            FoldValue::Text(url) => FoldValue::Text(url.clone()),
            FoldValue::OneOf(_) => first.clone(),
            first => self.eval_member(first, "url"),
        };
        url.map_alternatives(|url| match url.known_text() {
            Some(url) => FoldValue::Response(url.clone()),
            None => FoldValue::Unknown,
        })
    }

    fn url(&mut self, first: &FoldValue<'a>, base: Option<&FoldValue<'a>>) -> FoldValue<'a> {
        let page = self.app.base.clone();
        let base = match base {
            Some(FoldValue::Text(base)) => base.to_string(),
            Some(_) => return first.clone(),
            None => page,
        };
        first.map_alternatives(|value| match value {
            FoldValue::Text(text) => {
                modules::join_url(&base, text).map_or_else(|| value.clone(), |url| FoldValue::from_text(&url))
            }
            _ => FoldValue::Unknown,
        })
    }

    /// `new URLSearchParams({...})`: returns the text of the query.
    fn query(&mut self, first: &FoldValue<'a>) -> FoldValue<'a> {
        if let FoldValue::Text(_) = first {
            return first.clone();
        }
        let entries = self.object_entries(first);
        let mut parts = Vec::new();
        for (index, (name, value)) in entries.into_iter().enumerate() {
            parts.push(FoldValue::from_text(&format!("{}{name}=", if index > 0 { "&" } else { "" })));
            parts.push(value);
        }
        if parts.is_empty() { FoldValue::Unknown } else { concat_values(&parts) }
    }

    fn merge(&mut self, args: &[FoldValue<'a>], first_wins: bool) -> Option<FoldValue<'a>> {
        let mut fields: Vec<(Rc<str>, FoldValue<'a>)> = Vec::new();
        let mut order: Vec<&FoldValue<'a>> = args.iter().collect();
        if first_wins {
            order.reverse();
        }
        let mut any = false;
        for value in order {
            let entries = self.object_entries(value);
            any |= matches!(value, FoldValue::Literal(..) | FoldValue::Fields(_) | FoldValue::With(_));
            fields.extend(entries);
        }
        fields.truncate(2 * MOST_ELEMENTS);
        any.then(|| FoldValue::Fields(Rc::new(fields)))
    }

    fn element(&self, selector: &FoldValue<'a>, by_id: bool) -> FoldValue<'a> {
        let Some(selector) = selector.known_text() else { return FoldValue::Unknown };
        let id = if by_id { Some(&**selector) } else { selector.strip_prefix('#') };
        let found = self.app.elements.iter().position(|element| {
            if let Some(id) = id {
                element.attributes.iter().any(|(name, value)| name == "id" && value == id)
            } else {
                let bare = selector.trim_start_matches('[').trim_end_matches(']');
                element.tag == **selector
                    || selector.starts_with('[') && element.attributes.iter().any(|(name, _)| name == bare)
            }
        });
        found.map_or(FoldValue::Unknown, |at| FoldValue::Element(at as u32))
    }

    /// Returns the parsed contents of a fetched document.
    pub(super) fn eval_document(&mut self, url: &str) -> Option<FoldValue<'a>> {
        let url = modules::join_url(&self.app.base, url)?;
        if let Some(known) = self.documents.get(url.as_str()) {
            return Some(known.clone());
        }
        let found = self.app.documents.iter().find(|document| document.url == url)?;
        let value = modules::parse_json(&found.body).unwrap_or(FoldValue::Unknown);
        self.documents.insert(url.into(), value.clone());
        Some(value)
    }
}

fn text_of<'a>(value: &FoldValue<'a>, change: impl Fn(&str) -> String) -> FoldValue<'a> {
    match ExpressionEvaluator::to_text(value) {
        FoldValue::Text(text) => FoldValue::from_text(&cap_text(change(&text))),
        _ => FoldValue::Unknown,
    }
}

/// Encodes like `encodeURIComponent`; unknown parts are kept.
fn encode_component(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() || "-_.!~*'()".contains(letter) || letter == HOLE {
            out.push(letter);
        } else {
            let mut bytes = [0; 4];
            for byte in letter.encode_utf8(&mut bytes).bytes() {
                out.push('%');
                out.push(char::from(
                    b"0123456789ABCDEF".get(usize::from(byte >> 4)).copied().unwrap_or(b'0'),
                ));
                out.push(char::from(
                    b"0123456789ABCDEF".get(usize::from(byte & 15)).copied().unwrap_or(b'0'),
                ));
            }
        }
    }
    out
}

/// Decodes like `decodeURIComponent`.
fn decode(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let rest = bytes.peek_hex_byte();
            if let Some(value) = rest {
                out.push(value);
                bytes.next();
                bytes.next();
                continue;
            }
        }
        out.push(byte);
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Reads the next two hexadecimal digits without consuming them.
trait PeekHexByte {
    fn peek_hex_byte(&self) -> Option<u8>;
}

impl PeekHexByte for std::str::Bytes<'_> {
    fn peek_hex_byte(&self) -> Option<u8> {
        let mut ahead = self.clone();
        let high = char::from(ahead.next()?).to_digit(16)?;
        let low = char::from(ahead.next()?).to_digit(16)?;
        u8::try_from(high * 16 + low).ok()
    }
}

/// `text.replace(what, with)` for plain texts and for regular expressions that match a plain text.
fn replace<'a>(text: &Rc<str>, args: &[FoldValue<'a>], all: bool) -> FoldValue<'a> {
    let with = match args.get(1) {
        Some(FoldValue::Text(with)) => with.to_string(),
        Some(FoldValue::Number(number)) => super::number_text(*number),
        Some(FoldValue::OneOf(several)) => {
            let out: Vec<_> = several
                .iter()
                .map(|one| {
                    replace(text, &[args.first().cloned().unwrap_or(FoldValue::Unknown), one.clone()], all)
                })
                .collect();
            return one_of(out);
        }
        _ => String::from(HOLE),
    };
    let replaced = match args.first() {
        Some(FoldValue::Text(what)) if all => text.replace(&**what, &with),
        Some(FoldValue::Text(what)) => text.replacen(&**what, &with, 1),
        Some(FoldValue::Regex(regex)) => {
            let pattern = regex.regex.pattern.text.as_str();
            let global = regex.regex.flags.contains(oxc_ast::ast::RegExpFlags::G);
            match plain_pattern(pattern) {
                Some((plain, start, end)) => {
                    if start {
                        text.strip_prefix(plain.as_str())
                            .map_or_else(|| text.to_string(), |rest| format!("{with}{rest}"))
                    } else if end {
                        text.strip_suffix(plain.as_str())
                            .map_or_else(|| text.to_string(), |rest| format!("{rest}{with}"))
                    } else if global {
                        text.replace(&plain, &with)
                    } else {
                        text.replacen(&plain, &with, 1)
                    }
                }
                // The effect of the pattern is unknown; the unchanged text is the best estimate.
                None => text.to_string(),
            }
        }
        _ => text.to_string(),
    };
    FoldValue::from_text(&cap_text(replaced))
}

/// Returns the text that a pattern without alternatives matches, and whether it is anchored at the
/// start or the end.
fn plain_pattern(pattern: &str) -> Option<(String, bool, bool)> {
    let (pattern, start) = match pattern.strip_prefix('^') {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let end = pattern.ends_with('$') && !pattern.ends_with("\\$");
    let pattern = if end { pattern.get(..pattern.len() - 1)? } else { pattern };
    let mut out = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                let next = letters.next()?;
                if next.is_ascii_alphanumeric() {
                    return None;
                }
                out.push(next);
            }
            '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '|' => return None,
            '{' if letters.as_str().starts_with(|c: char| c.is_ascii_digit()) => return None,
            letter => out.push(letter),
        }
    }
    (!out.is_empty()).then_some((out, start, end))
}

fn cut(text: &str, name: &str, from: i64, to: Option<i64>) -> String {
    let letters: Vec<char> = text.chars().collect();
    let len = letters.len() as i64;
    let place = |at: i64| if at < 0 && name != "substring" { (len + at).max(0) } else { at.clamp(0, len) };
    let start = place(from);
    let end = match to {
        None => len,
        Some(count) if name == "substr" => (start + count.max(0)).min(len),
        Some(to) => place(to),
    };
    letters.get(start as usize..end.max(start) as usize).unwrap_or_default().iter().collect()
}
