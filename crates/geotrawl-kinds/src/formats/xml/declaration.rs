//! The XML declaration, `<?xml version="1.0" encoding="..." standalone="..."?>`.

use super::chars::space_run;

/// Parsed XML declaration.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct XmlDeclaration {
    /// `standalone="yes"`.
    pub standalone: bool,
    /// What is wrong with the declaration.
    pub fault: Option<&'static str>,
}

/// Parses the declaration `s`, from `<?xml` to `?>`.
pub fn parse_declaration(s: &[u8]) -> XmlDeclaration {
    let mut declaration = XmlDeclaration::default();
    declaration.fault = read_into(s, &mut declaration.standalone).err();
    declaration
}

fn read_into(s: &[u8], standalone: &mut bool) -> Result<(), &'static str> {
    let mut rest = s
        .strip_prefix(b"<?xml")
        .and_then(|s| s.strip_suffix(b"?>"))
        .ok_or("an XML declaration that is not closed")?;
    let version = pseudo(&mut rest, b"version")?.ok_or("an XML declaration without a version")?;
    let minor = version.strip_prefix(b"1.").ok_or("an unknown XML version")?;
    if minor.is_empty() || !minor.iter().all(u8::is_ascii_digit) {
        return Err("an unknown XML version");
    }
    if let Some(encoding) = pseudo(&mut rest, b"encoding")? {
        let proper = encoding.first().is_some_and(u8::is_ascii_alphabetic)
            && encoding.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
        if !proper {
            return Err("an invalid encoding name");
        }
    }
    match pseudo(&mut rest, b"standalone")? {
        Some(b"yes") => *standalone = true,
        Some(b"no") | None => {}
        Some(_) => return Err("a standalone declaration that is neither yes nor no"),
    }
    if rest.len() == space_run(rest) { Ok(()) } else { Err("unexpected content in the XML declaration") }
}

/// Parses `name="..."` if it comes next and returns its value.
fn pseudo<'s>(rest: &mut &'s [u8], name: &[u8]) -> Result<Option<&'s [u8]>, &'static str> {
    let spaces = space_run(rest);
    let Some(after) = rest[spaces..].strip_prefix(name) else { return Ok(None) };
    if spaces == 0 {
        return Err("no white space in the XML declaration");
    }
    let after = &after[space_run(after)..];
    let after = after.strip_prefix(b"=").ok_or("unexpected content in the XML declaration")?;
    let after = &after[space_run(after)..];
    let (&quote, value) = after.split_first().ok_or("an XML declaration that is not closed")?;
    if quote != b'"' && quote != b'\'' {
        return Err("no quotes in the XML declaration");
    }
    let end = memchr::memchr(quote, value).ok_or("an XML declaration that is not closed")?;
    *rest = &value[end + 1..];
    Ok(Some(&value[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proper_declarations_are_accepted_and_others_named() {
        for good in [
            "<?xml version=\"1.0\"?>",
            "<?xml version='1.0' encoding='UTF-8'?>",
            "<?xml  version = \"1.0\" encoding=\"ISO-8859-1\" standalone='no' ?>",
            "<?xml version='1.1'?>",
        ] {
            assert_eq!(parse_declaration(good.as_bytes()).fault, None, "{good}");
        }
        assert!(parse_declaration(b"<?xml version='1.0' standalone='yes'?>").standalone);
        for bad in [
            "<?xml ?>",
            "<?xml encoding='UTF-8'?>",
            "<?xml version='2.0'?>",
            "<?xml version=1.0?>",
            "<?xml version='1.0'encoding='UTF-8'?>",
            "<?xml encoding='UTF-8' version='1.0'?>",
            "<?xml version='1.0' encoding=''?>",
            "<?xml version='1.0' encoding='a b'?>",
            "<?xml version='1.0' standalone='maybe'?>",
            "<?xml version='1.0' foo='bar'?>",
            "<?xml version='1.0'>",
        ] {
            assert!(parse_declaration(bad.as_bytes()).fault.is_some(), "{bad}");
        }
    }
}
