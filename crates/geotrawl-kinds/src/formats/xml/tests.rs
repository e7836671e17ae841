//! Tests of the reader on well-formed and ill-formed documents.

use super::{Violation, XmlEvent, XmlReader};

/// Returns the events as text, and the first violation.
fn read(text: &str) -> (String, Option<Violation>) {
    let mut input = text.as_bytes();
    let mut reader = XmlReader::new(&mut input, None);
    let mut out = String::new();
    loop {
        match reader.next() {
            XmlEvent::Start => {
                out.push('<');
                out.push_str(&String::from_utf8_lossy(reader.name()));
                for (name, value) in reader.attrs() {
                    out.extend([" ", &String::from_utf8_lossy(name), "=", &value]);
                }
                out.push('>');
            }
            XmlEvent::End => out.push_str("</>"),
            XmlEvent::Text => reader.append_text(&mut out, 10_000),
            XmlEvent::Comment => out.push('#'),
            XmlEvent::Eof => return (out, reader.violation().cloned()),
        }
    }
}

#[test]
fn well_formed_documents_are_read_and_accepted() {
    for (text, expected) in [
        ("<a/>", "<a></>"),
        (
            "<?xml version='1.0'?>\n<!-- c -->\n<a b='1' c=\"'\">x &amp; y<d/>z</a>\n",
            "#<a b=1 c='>x & y<d></>z</>",
        ),
        ("<a><![CDATA[<b>&amp;]]></a>", "<a><b>&amp;</>"),
        ("<a>&#228;&#x20AC;&lt;</a >", "<a>ä€<</>"),
        ("<!DOCTYPE a [<!ENTITY e 'v'>]><a b='&e;'>&e;</a>", "<a b=v>v</>"),
        ("<!DOCTYPE a [<!ENTITY e '<b>x</b>'>]><a>&e;</a>", "<a>&e;</>"),
        ("<a><?p any thing?><b/></a>", "<a><b></></>"),
        ("<n:a xmlns:n='urn:n' n:b='1'/>", "<n:a xmlns:n=urn:n n:b=1></>"),
    ] {
        assert_eq!(read(text), (expected.to_owned(), None), "{text}");
    }
}

#[test]
fn ill_formed_documents_give_what_can_be_read() {
    for (text, expected, message) in [
        ("<a>x & y</a>", "<a>x & y</>", "an & that does not start a reference"),
        ("<a href='x?a=1&b=2'/>", "<a href=x?a=1&b=2></>", "an & that does not start a reference"),
        ("<a>1 < 2<b/></a>", "<a>1 < 2<b></></>", "a < that does not start a tag"),
        ("<a><b><c></b><d/></a>", "<a><b><c></></><d></></>", "an end tag that does not match its start tag"),
        ("<a></b><c/></a>", "<a><c></></>", "an end tag that does not match its start tag"),
        ("<a><b>x", "<a><b>x</></>", "the document ends before its elements do"),
        ("<a><b", "<a></>", "the document ends inside markup"),
        ("<a b=1 c>x</a>", "<a b=1>x</>", "an attribute value without quotes"),
        ("<a b='1'c='2'/>", "<a b=1 c=2></>", "no white space before an attribute"),
        ("<a b='1' b='2'/>", "<a b=1 b=2></>", "two attributes with the same name"),
        ("<a b='<'/>", "<a b=<></>", "a < in an attribute value"),
        ("<a/><b/>", "<a></><b></>", "a second root element"),
        ("<a/>x", "<a></>", "text outside the root element"),
        ("\n<?xml version='1.0'?><a/>", "<a></>", "white space before the XML declaration"),
        ("<a>&nbsp;&Eacute;</a>", "<a>\u{a0}É</>", "an entity that is not declared"),
        ("<a>x\u{1}y</a>", "<a>x\u{1}y</>", "a character that XML does not allow"),
        ("<a>]]></a>", "<a>]]></>", "]]> in text"),
        ("<a><!-- a -- b --></a>", "<a>#</>", "two hyphens in a comment"),
        ("<a><?xml version='1.0'?></a>", "<a></>", "an XML declaration that is not at the start"),
        ("<a", "", "the document ends inside markup"),
        ("<a <b/></a>", "<a><b></></>", "a tag that is not closed before the next one"),
        (
            "<!DOCTYPE a [<!ENTITY e '<b>'>]><a>&e;</a>",
            "<a>&e;</>",
            "the document ends before its elements do",
        ),
        ("<!DOCTYPE a [<!ENTITY e '<'>]><a b='&e;'/>", "<a b=&e;></>", "a < in an attribute value"),
        ("", "", "no root element"),
    ] {
        let (read, violation) = read(text);
        assert_eq!(read, expected, "{text}");
        assert_eq!(violation.map(|v| v.message), Some(message), "{text}");
    }
}

#[test]
fn wrong_namespaces_are_told_apart_from_wrong_syntax() {
    for text in [
        "<a x:b=''/>",
        "<x:a/>",
        "<a:b:c xmlns:a='u'/>",
        "<a xmlns:x='u' xmlns:y='u' x:p='' y:p=''/>",
        "<a xmlns:x=''/>",
    ] {
        assert!(read(text).1.is_some_and(|v| v.namespace), "{text}");
    }
    let both = read("<x:a>&</x:a>").1.expect("a violation");
    assert!(!both.namespace, "syntax says more");
    let defaults = "<!DOCTYPE x:a [<!ATTLIST x:a xmlns:x CDATA #FIXED 'urn:x'>]><x:a/>";
    assert_eq!(read(defaults).1, None);
}

#[test]
fn places_are_lines_and_columns() {
    let place = |text: &str| read(text).1.map(|v| (v.line, v.column));
    assert_eq!(place("<a>\n  <b>&</b>\n</a>"), Some((2, 6)));
    assert_eq!(place("<a>&</a>"), Some((1, 4)));
    let far = format!("<a>{}\n&</a>", "line\n".repeat(100_000));
    assert_eq!(place(&far), Some((100_002, 1)));
}
