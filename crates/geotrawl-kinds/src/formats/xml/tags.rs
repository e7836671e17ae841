//! Start tags: parses names and attributes tolerantly and records the first violation.

use super::chars::{is_name, is_space, name_run, space_run, value_needs_care};
use memchr::memchr;

/// Position of an attribute, relative to the `<` of its tag.
#[derive(Debug, Clone, Copy)]
pub struct AttrSpan {
    name: (u32, u32),
    value: (u32, u32),
    /// Whether the value contains references or characters that are not allowed.
    pub care: bool,
}

impl AttrSpan {
    /// Returns the qualified name.
    #[inline]
    pub fn name<'t>(&self, tag: &'t [u8]) -> &'t [u8] {
        &tag[self.name.0 as usize..self.name.1 as usize]
    }

    /// Returns the value as written, without resolving references.
    #[inline]
    pub fn value<'t>(&self, tag: &'t [u8]) -> &'t [u8] {
        &tag[self.value.0 as usize..self.value.1 as usize]
    }

    /// Returns the offset of the name in the tag.
    pub fn name_at(&self) -> usize {
        self.name.0 as usize
    }

    /// Returns the offset of the value in the tag.
    pub fn value_at(&self) -> usize {
        self.value.0 as usize
    }
}

/// Violation: its offset in the tag and a description.
pub type TagFault = (usize, &'static str);

/// Result of scanning a tag.
pub enum TagScan {
    /// The window ends before the tag does.
    Incomplete,
    /// The tag is `len` bytes long and its name ends at `name_end`.
    Whole { len: usize, name_end: usize, empty: bool, fault: Option<TagFault> },
}

/// Scans the start tag at the start of `s`, which begins with `<` and a name character.
pub fn scan_start_tag(s: &[u8], attrs: &mut Vec<AttrSpan>) -> TagScan {
    attrs.clear();
    let mut fault: Option<TagFault> = None;
    let (run, high) = name_run(&s[1..]);
    let name_end = 1 + run;
    if high && !is_name(&s[1..name_end], true) {
        fault = Some((1, "an element name with an invalid character"));
    }
    let mut i = name_end;
    loop {
        let spaces = space_run(&s[i..]);
        i += spaces;
        let Some(&b) = s.get(i) else { return TagScan::Incomplete };
        match b {
            b'>' => return TagScan::Whole { len: i + 1, name_end, empty: false, fault },
            b'/' => match s.get(i + 1) {
                None => return TagScan::Incomplete,
                Some(b'>') => return TagScan::Whole { len: i + 2, name_end, empty: true, fault },
                Some(_) => {
                    fault.get_or_insert((i, "a stray slash in a tag"));
                    i += 1;
                }
            },
            b'<' => {
                // The tag was never closed, and the next one starts here.
                fault.get_or_insert((i, "a tag that is not closed before the next one"));
                return TagScan::Whole { len: i, name_end, empty: false, fault };
            }
            _ => {
                if spaces == 0 {
                    fault.get_or_insert((i, "no white space before an attribute"));
                }
                match scan_attribute(s, i, &mut fault) {
                    Some((attr, next)) => {
                        if let Some(attr) = attr {
                            attrs.push(attr);
                        }
                        i = next;
                    }
                    None => return TagScan::Incomplete,
                }
            }
        }
    }
}

/// Scans the attribute at `at`. Returns the attribute, unless it is invalid, and the position after
/// it, or `None` if the window ends first.
fn scan_attribute(s: &[u8], at: usize, fault: &mut Option<TagFault>) -> Option<(Option<AttrSpan>, usize)> {
    let (run, high) = name_run(&s[at..]);
    if run == 0 {
        fault.get_or_insert((at, "a character that cannot begin an attribute name"));
        return Some((None, at + 1));
    }
    let name_end = at + run;
    if !is_name(&s[at..name_end], high) {
        fault.get_or_insert((at, "an attribute name with an invalid character"));
    }
    let mut i = name_end;
    i += space_run(&s[i..]);
    if *s.get(i)? != b'=' {
        fault.get_or_insert((i, "an attribute without a value"));
        return Some((None, i));
    }
    i += 1;
    i += space_run(&s[i..]);
    let quote = *s.get(i)?;
    let name = (at as u32, name_end as u32);
    if quote == b'"' || quote == b'\'' {
        let from = i + 1;
        let len = memchr(quote, &s[from..])?;
        let value = &s[from..from + len];
        let attr =
            AttrSpan { name, value: (from as u32, (from + len) as u32), care: value_needs_care(value) };
        return Some((Some(attr), from + len + 1));
    }
    fault.get_or_insert((i, "an attribute value without quotes"));
    let len = s[i..].iter().position(|&b| is_space(b) || b == b'>' || b == b'<')?;
    let attr = AttrSpan { name, value: (i as u32, (i + len) as u32), care: true };
    Some((Some(attr), i + len))
}

/// Returns the offset of an attribute whose name occurs twice. Sorts long lists, since a hostile
/// tag may have a hundred thousand attributes.
pub fn find_duplicate(tag: &[u8], attrs: &[AttrSpan]) -> Option<usize> {
    if attrs.len() <= 16 {
        for (i, a) in attrs.iter().enumerate() {
            if attrs[..i].iter().any(|b| b.name(tag) == a.name(tag)) {
                return Some(a.name_at());
            }
        }
        return None;
    }
    let mut sorted: Vec<&AttrSpan> = attrs.iter().collect();
    sorted.sort_unstable_by(|a, b| a.name(tag).cmp(b.name(tag)).then(a.name_at().cmp(&b.name_at())));
    sorted.windows(2).filter(|w| w[0].name(tag) == w[1].name(tag)).map(|w| w[1].name_at()).min()
}
