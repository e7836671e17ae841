//! Extracts links and text from markup, as archive tools do. Sufficient for the pages that we
//! generate.

/// A link of a page.
pub(super) struct MarkupLink {
    /// `A@/href`.
    pub path: String,
    pub url: String,
    pub text: String,
}

/// Links and text of a page.
#[derive(Default)]
pub(super) struct MarkupSummary {
    pub title: String,
    pub base: Option<String>,
    pub links: Vec<MarkupLink>,
    pub text: String,
}

/// Attributes that contain addresses, by element.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("a", "href"),
    ("area", "href"),
    ("embed", "src"),
    ("form", "action"),
    ("frame", "src"),
    ("iframe", "src"),
    ("img", "src"),
    ("link", "href"),
    ("object", "data"),
    ("script", "src"),
];

/// Parses a page.
pub(super) fn parse_markup(html: &str) -> MarkupSummary {
    let mut read = MarkupSummary::default();
    let mut rest = html;
    let mut open_link: Option<usize> = None;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        read.text.push_str(text);
        if let Some(link) = open_link.and_then(|at| read.links.get_mut(at)) {
            link.text.push_str(text.trim());
        }
        let Some(end) = tag.find('>') else { break };
        let inside = tag.get(1..end).unwrap_or_default();
        rest = tag.get(end + 1..).unwrap_or_default();
        let name: String =
            inside.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        if name == "script" || name == "style" || name == "title" {
            let close = format!("</{name}");
            let length = rest.find(&close).unwrap_or(rest.len());
            if name == "title" {
                rest.get(..length).unwrap_or_default().clone_into(&mut read.title);
            }
            rest = rest.get(length..).unwrap_or_default();
        }
        if inside.starts_with("/a") || name == "li" || name == "p" {
            open_link = None;
            read.text.push('\n');
        }
        if name == "base" {
            read.base = attribute(inside, "href");
        }
        for (_, wanted) in ATTRIBUTES.iter().filter(|(element, _)| *element == name) {
            if let Some(url) = attribute(inside, wanted) {
                let path = format!("{}@/{wanted}", name.to_ascii_uppercase());
                read.links.push(MarkupLink { path, url, text: String::new() });
                if name == "a" {
                    open_link = Some(read.links.len() - 1);
                }
            }
        }
    }
    read.text.push_str(rest);
    read
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let at = tag.find(&format!(" {name}="))? + name.len() + 2;
    let value = tag.get(at..)?;
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let found = match quote {
        Some(quote) => value.get(1..)?.split(quote).next()?,
        None => value.split([' ', '>']).next()?,
    };
    Some(found.to_owned())
}

/// Decodes a body with the charset declared in its header, byte order mark or first bytes.
pub(super) fn decode_body(body: &[u8], content_type: &str) -> String {
    let start = String::from_utf8_lossy(body.get(..body.len().min(1_024)).unwrap_or_default());
    let label = [content_type, &start].iter().find_map(|text| text.split("charset=").nth(1)).map(|rest| {
        rest.trim_start_matches('"').split(['"', ';', ' ']).next().unwrap_or_default().to_owned()
    });
    let encoding = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    encoding.unwrap_or(encoding_rs::UTF_8).decode(body).0.into_owned()
}
