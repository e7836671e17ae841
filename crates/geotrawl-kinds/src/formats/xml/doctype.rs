//! Document type declarations: checks their grammar and reads what matters without validation
//! (general entities, and namespaces given as default attributes, as MapServer does).
//!
//! Nothing outside the document is read. Parameter entities defined inside are checked once, where
//! they are first used, so that an entity bomb costs no more than its own length.

use super::chars::{find_bad_char, is_name, is_space, name_run, space_run};
use super::entities::{EntityReference, EntityTable, GeneralEntity, parse_reference};
use std::collections::HashMap;

/// Returns the end of the declaration at the start of `s` (which begins with `<!DOCTYPE`), or
/// `None` if the window ends first. Skips quotes, comments, processing instructions and the
/// internal subset.
pub fn find_doctype_end(s: &[u8]) -> Option<usize> {
    let mut i = 9;
    let mut inside = false;
    loop {
        i += s.get(i..)?.iter().position(|b| matches!(b, b'"' | b'\'' | b'<' | b'>' | b'[' | b']'))?;
        match s[i] {
            quote @ (b'"' | b'\'') => i += 1 + memchr::memchr(quote, &s[i + 1..])?,
            b'<' if s.len() - i < 4 => return None,
            b'<' if s[i..].starts_with(b"<!--") => i += 4 + memchr::memmem::find(&s[i + 4..], b"-->")? + 2,
            b'<' if s[i..].starts_with(b"<?") => i += 2 + memchr::memmem::find(&s[i + 2..], b"?>")? + 1,
            b'[' => inside = true,
            b']' => inside = false,
            b'>' if !inside => return Some(i + 1),
            _ => {}
        }
        i += 1;
    }
}

/// Violation inside a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoctypeViolation {
    /// Offset in the declaration.
    pub at: usize,
    pub message: &'static str,
    /// Whether only the rules of namespaces are violated.
    pub namespace: bool,
}

/// Parses the declaration `s` (from `<!DOCTYPE` to `>`) and returns the first violation.
pub fn parse_doctype(s: &[u8], standalone: bool, entities: &mut EntityTable) -> Option<DoctypeViolation> {
    let mut subset = InternalSubset { entities, parameters: HashMap::new(), standalone, colon: false };
    let mut cursor = DoctypeCursor { s, i: 9 };
    match subset.doctype(&mut cursor) {
        Err(message) => Some(DoctypeViolation { at: cursor.i.min(s.len()), message, namespace: false }),
        Ok(()) if subset.colon => Some(DoctypeViolation {
            at: 0,
            message: "a colon in the name of an entity or notation",
            namespace: true,
        }),
        Ok(()) => None,
    }
}

type DoctypeResult<T = ()> = Result<T, &'static str>;

/// Parameter entity with its expansion state.
enum ParameterEntity {
    Internal { text: Vec<u8>, state: ExpansionState },
    External,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExpansionState {
    Not,
    Now,
    Done,
}

/// Maximum nesting depth of parameter entities.
const NESTING: usize = 16;
/// Maximum number of parameter entities to keep.
const PARAMETERS: usize = 1000;

struct InternalSubset<'e> {
    entities: &'e mut EntityTable,
    parameters: HashMap<Vec<u8>, ParameterEntity>,
    standalone: bool,
    /// Whether the name of an entity or notation contains a colon.
    colon: bool,
}

struct DoctypeCursor<'s> {
    s: &'s [u8],
    i: usize,
}

impl<'s> DoctypeCursor<'s> {
    fn rest(&self) -> &'s [u8] {
        &self.s[self.i.min(self.s.len())..]
    }

    fn peek(&self) -> Option<u8> {
        self.s.get(self.i).copied()
    }

    /// Skips white space and returns whether there was any.
    fn spaces(&mut self) -> bool {
        let n = space_run(self.rest());
        self.i += n;
        n > 0
    }

    fn need_space(&mut self) -> DoctypeResult {
        if self.spaces() { Ok(()) } else { Err("no white space where a declaration needs it") }
    }

    fn eat(&mut self, what: &[u8]) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.i += what.len();
        }
        found
    }

    fn need(&mut self, what: &[u8], otherwise: &'static str) -> DoctypeResult {
        if self.eat(what) { Ok(()) } else { Err(otherwise) }
    }

    fn name(&mut self) -> DoctypeResult<&'s [u8]> {
        let (n, high) = name_run(self.rest());
        let name = &self.rest()[..n];
        if !is_name(name, high) {
            return Err("a name is missing in a declaration");
        }
        self.i += n;
        Ok(name)
    }

    /// Reads a name or any other run of name characters.
    fn token(&mut self) -> DoctypeResult<&'s [u8]> {
        let (n, high) = name_run(self.rest());
        let token = &self.rest()[..n];
        let proper = n > 0 && (!high || is_name(&[b"a", token].concat(), true));
        if !proper {
            return Err("a name is missing in a declaration");
        }
        self.i += n;
        Ok(token)
    }

    fn quoted(&mut self) -> DoctypeResult<&'s [u8]> {
        let Some(quote @ (b'"' | b'\'')) = self.peek() else {
            return Err("quotes are missing in a declaration");
        };
        let rest = &self.rest()[1..];
        let Some(n) = memchr::memchr(quote, rest) else {
            return Err("quotes are not closed in a declaration");
        };
        self.i += n + 2;
        let inside = &rest[..n];
        if find_bad_char(inside).is_some() {
            return Err("a character that XML does not allow");
        }
        Ok(inside)
    }

    /// Reads a keyword that is not the start of a longer word.
    fn keyword(&mut self, word: &[u8]) -> bool {
        let rest = self.rest();
        let whole = rest.starts_with(word) && name_run(rest).0 == word.len();
        if whole {
            self.i += word.len();
        }
        whole
    }
}

impl InternalSubset<'_> {
    fn doctype(&mut self, c: &mut DoctypeCursor<'_>) -> DoctypeResult {
        if !c.s.starts_with(b"<!DOCTYPE") {
            return Err("DOCTYPE is not in upper case");
        }
        c.need_space()?;
        c.name()?;
        if c.spaces() && matches!(c.peek(), Some(b'S' | b'P')) {
            external_id(c, false)?;
            self.entities.elsewhere = true;
            c.spaces();
        }
        if c.eat(b"[") {
            let closing = memchr::memrchr(b']', c.s).ok_or("an internal subset that is not closed")?;
            let inside = c.s.get(c.i..closing).ok_or("an internal subset that is not closed")?;
            let mut subset = DoctypeCursor { s: inside, i: 0 };
            let result = self.declarations(&mut subset, 0);
            c.i += subset.i.min(inside.len());
            result?;
            c.i = closing + 1;
            c.spaces();
        }
        c.need(b">", "unexpected content in a document type declaration")?;
        Ok(())
    }

    fn declarations(&mut self, c: &mut DoctypeCursor<'_>, depth: usize) -> DoctypeResult {
        loop {
            c.spaces();
            let rest = c.rest();
            let Some(&first) = rest.first() else { return Ok(()) };
            if first == b'%' {
                self.parameter_reference(c, depth)?;
            } else if c.eat(b"<!ELEMENT") {
                element(c)?;
            } else if c.eat(b"<!ATTLIST") {
                self.attributes(c)?;
            } else if c.eat(b"<!ENTITY") {
                self.entity(c)?;
            } else if c.eat(b"<!NOTATION") {
                self.colon |= notation(c)?.contains(&b':');
            } else if c.eat(b"<!--") {
                comment(c)?;
            } else if c.eat(b"<?") {
                instruction(c)?;
            } else {
                return Err("something other than a declaration in the internal subset");
            }
        }
    }

    /// Checks `%name;` between declarations, where its text must consist of declarations too.
    fn parameter_reference(&mut self, c: &mut DoctypeCursor<'_>, depth: usize) -> DoctypeResult {
        c.i += 1;
        let name = c.name()?;
        c.need(b";", "a reference to a parameter entity that is not closed")?;
        self.entities.elsewhere = true;
        let text = match self.parameters.get_mut(name) {
            None if self.standalone => return Err("a parameter entity that is not declared"),
            None | Some(ParameterEntity::External) => return Ok(()),
            Some(ParameterEntity::Internal { state: ExpansionState::Now, .. }) => {
                return Err("an entity that uses itself");
            }
            Some(ParameterEntity::Internal { state: ExpansionState::Done, .. }) => return Ok(()),
            Some(ParameterEntity::Internal { text, state }) => {
                *state = ExpansionState::Now;
                text.clone()
            }
        };
        if depth >= NESTING {
            return Err("entities nested too deep");
        }
        self.declarations(&mut DoctypeCursor { s: &text, i: 0 }, depth + 1)?;
        if let Some(ParameterEntity::Internal { state, .. }) = self.parameters.get_mut(name) {
            *state = ExpansionState::Done;
        }
        Ok(())
    }

    fn entity(&mut self, c: &mut DoctypeCursor<'_>) -> DoctypeResult {
        c.need_space()?;
        let parameter = c.eat(b"%");
        if parameter {
            c.need_space()?;
        }
        let name = c.name()?;
        self.colon |= name.contains(&b':');
        c.need_space()?;
        if matches!(c.peek(), Some(b'"' | b'\'')) {
            let text = entity_value(c.quoted()?)?;
            close(c)?;
            if !parameter {
                self.entities.declare_entity(name, GeneralEntity::Internal(text));
            } else if self.parameters.len() < PARAMETERS {
                let declared =
                    ParameterEntity::Internal { text: text.into_bytes(), state: ExpansionState::Not };
                self.parameters.entry(name.to_vec()).or_insert(declared);
            }
            return Ok(());
        }
        external_id(c, false)?;
        let spaces = c.spaces();
        if c.keyword(b"NDATA") {
            if parameter || !spaces {
                return Err("NDATA in the wrong place");
            }
            c.need_space()?;
            c.name()?;
            close(c)?;
            self.entities.declare_entity(name, GeneralEntity::Unparsed);
            return Ok(());
        }
        close(c)?;
        if !parameter {
            self.entities.declare_entity(name, GeneralEntity::External);
        } else if self.parameters.len() < PARAMETERS {
            self.parameters.entry(name.to_vec()).or_insert(ParameterEntity::External);
        }
        Ok(())
    }

    fn attributes(&mut self, c: &mut DoctypeCursor<'_>) -> DoctypeResult {
        c.need_space()?;
        let element = c.name()?;
        loop {
            let spaces = c.spaces();
            if c.eat(b">") {
                return Ok(());
            }
            if !spaces {
                return Err("no white space where a declaration needs it");
            }
            let name = c.name()?;
            c.need_space()?;
            attribute_type(c)?;
            c.need_space()?;
            if c.keyword_after_hash(b"REQUIRED") || c.keyword_after_hash(b"IMPLIED") {
                continue;
            }
            if c.keyword_after_hash(b"FIXED") {
                c.need_space()?;
            }
            let value = c.quoted()?;
            self.entities.check_value(value)?;
            self.entities.declare_default_attribute(element, name, value);
        }
    }
}

impl DoctypeCursor<'_> {
    fn keyword_after_hash(&mut self, word: &[u8]) -> bool {
        let rest = self.rest();
        let whole = rest.first() == Some(&b'#')
            && rest[1..].starts_with(word)
            && name_run(&rest[1..]).0 == word.len();
        if whole {
            self.i += word.len() + 1;
        }
        whole
    }
}

fn close(c: &mut DoctypeCursor<'_>) -> DoctypeResult {
    c.spaces();
    c.need(b">", "unexpected content in a declaration")
}

/// Parses `SYSTEM "..."` or `PUBLIC "..." "..."`. A notation may omit the last part.
fn external_id(c: &mut DoctypeCursor<'_>, notation: bool) -> DoctypeResult {
    if c.keyword(b"SYSTEM") {
        c.need_space()?;
        c.quoted()?;
        return Ok(());
    }
    if !c.keyword(b"PUBLIC") {
        return Err("neither SYSTEM nor PUBLIC nor a value in a declaration");
    }
    c.need_space()?;
    let public = c.quoted()?;
    let proper = |b: &u8| b.is_ascii_alphanumeric() || b" \r\n-'()+,./:=?;!*#@$_%".contains(b);
    if !public.iter().all(proper) {
        return Err("a public identifier with an invalid character");
    }
    let spaces = c.spaces();
    if notation && !matches!(c.peek(), Some(b'"' | b'\'')) {
        return Ok(());
    }
    if !spaces {
        return Err("no white space where a declaration needs it");
    }
    c.quoted()?;
    Ok(())
}

fn notation<'s>(c: &mut DoctypeCursor<'s>) -> DoctypeResult<&'s [u8]> {
    c.need_space()?;
    let name = c.name()?;
    c.need_space()?;
    external_id(c, true)?;
    close(c)?;
    Ok(name)
}

fn comment(c: &mut DoctypeCursor<'_>) -> DoctypeResult {
    let n = memchr::memmem::find(c.rest(), b"--").ok_or("a comment that is not closed")?;
    if find_bad_char(&c.rest()[..n]).is_some() {
        return Err("a character that XML does not allow");
    }
    c.i += n + 2;
    c.need(b">", "two hyphens in a comment")
}

fn instruction(c: &mut DoctypeCursor<'_>) -> DoctypeResult {
    let n = memchr::memmem::find(c.rest(), b"?>").ok_or("a processing instruction that is not closed")?;
    let inside = &c.rest()[..n];
    let (run, high) = name_run(inside);
    let target = &inside[..run];
    let proper = is_name(target, high)
        && !target.eq_ignore_ascii_case(b"xml")
        && inside.get(run).is_none_or(|b| is_space(*b))
        && find_bad_char(inside).is_none();
    if !proper {
        return Err("a processing instruction without a valid target");
    }
    c.i += n + 2;
    Ok(())
}

/// Returns the text of an entity: character references are resolved, other references are kept.
fn entity_value(literal: &[u8]) -> DoctypeResult<String> {
    let mut text = Vec::with_capacity(literal.len());
    let mut i = 0;
    while let Some(&b) = literal.get(i) {
        match b {
            // In the internal subset, parameter entities are allowed only between declarations.
            b'%' => return Err("a parameter entity inside a declaration"),
            b'&' => {
                let (found, len) = parse_reference(&literal[i..]);
                match found {
                    EntityReference::Char(ch) => {
                        text.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                    EntityReference::Name(_) => text.extend_from_slice(&literal[i..i + len]),
                    EntityReference::Broken => return Err("an & that does not start a reference"),
                }
                i += len;
                continue;
            }
            _ => text.push(b),
        }
        i += 1;
    }
    String::from_utf8(text).map_err(|_bytes| "bytes that are invalid in the encoding")
}

fn attribute_type(c: &mut DoctypeCursor<'_>) -> DoctypeResult {
    const TYPES: [&[u8]; 8] =
        [b"CDATA", b"ID", b"IDREF", b"IDREFS", b"ENTITY", b"ENTITIES", b"NMTOKEN", b"NMTOKENS"];
    if TYPES.iter().any(|word| c.keyword(word)) {
        return Ok(());
    }
    let notation = c.keyword(b"NOTATION");
    if notation {
        c.need_space()?;
    }
    c.need(b"(", "an unknown attribute type")?;
    loop {
        c.spaces();
        if notation {
            c.name()?
        } else {
            c.token()?
        };
        c.spaces();
        if c.eat(b")") {
            return Ok(());
        }
        c.need(b"|", "unexpected content in an enumeration")?;
    }
}

fn element(c: &mut DoctypeCursor<'_>) -> DoctypeResult {
    c.need_space()?;
    c.name()?;
    c.need_space()?;
    if !c.keyword(b"EMPTY") && !c.keyword(b"ANY") {
        content_model(c)?;
    }
    close(c)
}

/// Parses `(#PCDATA | a | b)*` or nested groups of names. Not recursive, because hostile ones are
/// deep.
fn content_model(c: &mut DoctypeCursor<'_>) -> DoctypeResult {
    const WRONG: &str = "an invalid content model";
    c.need(b"(", WRONG)?;
    c.spaces();
    if c.eat(b"#PCDATA") {
        let mut names = false;
        loop {
            c.spaces();
            if c.eat(b")") {
                break;
            }
            c.need(b"|", WRONG)?;
            c.spaces();
            c.name()?;
            names = true;
        }
        let starred = c.eat(b"*");
        return if names && !starred { Err(WRONG) } else { Ok(()) };
    }
    // Separator of each open group, once known.
    let mut groups: Vec<Option<u8>> = vec![None];
    let mut expects_part = true;
    while let Some(group) = groups.last_mut() {
        c.spaces();
        if expects_part {
            if c.eat(b"(") {
                groups.push(None);
                continue;
            }
            c.name()?;
            let _ = c.eat(b"?") || c.eat(b"*") || c.eat(b"+");
            expects_part = false;
            continue;
        }
        match c.peek() {
            Some(b')') => {
                c.i += 1;
                groups.pop();
                let _ = c.eat(b"?") || c.eat(b"*") || c.eat(b"+");
            }
            Some(separator @ (b'|' | b',')) => {
                if *group.get_or_insert(separator) != separator {
                    return Err(WRONG);
                }
                c.i += 1;
                expects_part = true;
            }
            _ => return Err(WRONG),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &str) -> Option<&'static str> {
        let end = find_doctype_end(text.as_bytes()).expect("an end");
        parse_doctype(&text.as_bytes()[..end], false, &mut EntityTable::default()).map(|fault| fault.message)
    }

    #[test]
    fn proper_declarations_are_accepted() {
        for good in [
            "<!DOCTYPE a>",
            "<!DOCTYPE a SYSTEM \"x>y.dtd\" >",
            "<!DOCTYPE a PUBLIC '-//X//Y' 'x.dtd' [ ]>",
            "<!DOCTYPE a [<!ELEMENT a EMPTY><!ELEMENT b (#PCDATA)><!ELEMENT c (#PCDATA|a|b)*>]>",
            "<!DOCTYPE a [<!ELEMENT a ((b,c?)|(d|e)+)* > <!-- ' ] > --> <?pi ] > ' ?>]>",
            "<!DOCTYPE a [<!ATTLIST a b CDATA #REQUIRED c (x|y) 'x' d NOTATION (n) #IMPLIED e ID #FIXED \"]>\">]>",
            "<!DOCTYPE a [<!ENTITY e 'v &amp; &#65;'><!ENTITY f SYSTEM 'u' NDATA n><!NOTATION n PUBLIC 'p'>]>",
            "<!DOCTYPE a [<!ENTITY % p '<!ELEMENT a ANY>'> %p; %p;]>",
        ] {
            assert_eq!(find_doctype_end(good.as_bytes()), Some(good.len()), "{good}");
            assert_eq!(verdict(good), None, "{good}");
        }
    }

    #[test]
    fn improper_ones_are_named() {
        for bad in [
            "<!doctype a>",
            "<!DOCTYPE>",
            "<!DOCTYPE a PUBLIC 'p'>",
            "<!DOCTYPE a [<!ELEMENT a>]>",
            "<!DOCTYPE a [<!ELEMENT a (b|c,d)>]>",
            "<!DOCTYPE a [<!ELEMENT a (#PCDATA|b)>]>",
            "<!DOCTYPE a [<!ELEMENT a ()>]>",
            "<!DOCTYPE a [<!ATTLIST a b CDATA>]>",
            "<!DOCTYPE a [<!ATTLIST a b CDATA '<'>]>",
            "<!DOCTYPE a [<!ENTITY e v>]>",
            "<!DOCTYPE a [<!ENTITY e '%p;'>]>",
            "<!DOCTYPE a [<!ENTITY e '& '>]>",
            "<!DOCTYPE a [text]>",
            "<!DOCTYPE a [<!-- -- -->]>",
            "<!DOCTYPE a [<?xml version='1.0'?>]>",
            "<!DOCTYPE a [<![INCLUDE[]]>]>",
            "<!DOCTYPE a [<!ENTITY % p '&#37;p;'> %p;]>",
            "<!DOCTYPE a [<!ENTITY % p 'x'> %p;]>",
            "<!DOCTYPE a [] b>",
        ] {
            assert!(verdict(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn a_bomb_of_parameter_entities_costs_its_own_length() {
        let mut text = String::from("<!DOCTYPE a [<!ENTITY % p0 ''>");
        for i in 1..500 {
            let uses = format!("&#37;p{};", i - 1).repeat(10);
            text.extend(["<!ENTITY % p", &i.to_string(), " '", &uses, "'>"]);
        }
        text.push_str("%p10;%p499;]>");
        assert_eq!(verdict(&text), Some("entities nested too deep"));
    }

    #[test]
    fn a_deep_content_model_does_not_exhaust_the_stack() {
        let deep = "(".repeat(200_000);
        assert!(verdict(&format!("<!DOCTYPE a [<!ELEMENT a {deep}b>]>")).is_some());
    }
}
