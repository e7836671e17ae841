//! Judges whether an answer is what was requested, and whether it has any content.

use super::trouble::{describe_bytes, detect_trouble};
use super::{JudgedAnswer, ObservedAnswer, image, short};
use crate::check::plan::ExpectedAnswer;
use crate::check::xml_walk::{ElementEvent, walk_xml};
use geotrawl_kinds::formats::dap::DapText;
use geotrawl_kinds::formats::json::{JsonDocument, looks_like_json};
use geotrawl_kinds::kinds::vector_tile_layers;
use geotrawl_kinds::sniff::{SniffedType, sniff_type};
use geotrawl_model::Outcome;

/// Judges an answer against the expected one.
pub fn judge_content(expect: &ExpectedAnswer, answer: &ObservedAnswer<'_>) -> JudgedAnswer {
    let empty_tile = *expect == ExpectedAnswer::Tile
        && (answer.status == 204 || answer.status == 200 && answer.bytes.is_empty());
    if empty_tile {
        return JudgedAnswer::new(Outcome::Blank, "An empty tile");
    }
    if let Some(judged) = detect_trouble(answer) {
        return unasked(expect, answer, &judged).unwrap_or(judged);
    }
    match expect {
        ExpectedAnswer::Picture => picture(answer, true),
        ExpectedAnswer::Tile => tile(answer),
        ExpectedAnswer::Xml(roots) => xml(answer, roots),
        ExpectedAnswer::TileMap => xml(answer, &["TileMap"]),
        ExpectedAnswer::Features => features(answer),
        ExpectedAnswer::Records => records(answer),
        ExpectedAnswer::Headers => headers(answer),
        ExpectedAnswer::Results => results(answer),
        ExpectedAnswer::List(pointers) => list(answer, pointers),
        ExpectedAnswer::Object(members) => object(answer, members),
        ExpectedAnswer::TileSets { .. } => object(answer, &["tilesets", "links"]),
        ExpectedAnswer::Structure => structure(answer),
        ExpectedAnswer::Value(variable) => value(answer, variable),
        ExpectedAnswer::Packed => packed(answer),
        ExpectedAnswer::Piece { total } => piece(answer, *total),
    }
}

/// Treats missing parameters as a request that was not sent: some servers offer functions as
/// collections, and their parameters cannot be guessed, so the rejection says nothing about the
/// service.
fn unasked(
    expect: &ExpectedAnswer,
    answer: &ObservedAnswer<'_>,
    judged: &JudgedAnswer,
) -> Option<JudgedAnswer> {
    let refused = matches!(judged.outcome, Outcome::Exception | Outcome::ClientError)
        && matches!(answer.status, 400 | 422)
        && matches!(expect, ExpectedAnswer::List(_));
    let wants = judged.seen.to_ascii_lowercase().contains("missing required parameter");
    (refused && wants).then(|| JudgedAnswer::new(Outcome::Refused, judged.seen.clone()))
}

fn instead(answer: &ObservedAnswer<'_>, of: &str) -> JudgedAnswer {
    let sniffed = sniff_type(answer.bytes, answer.content_type);
    JudgedAnswer::new(
        Outcome::WrongContent,
        format!("{} instead of {of}", describe_bytes(&sniffed, answer.bytes)),
    )
}

fn picture(answer: &ObservedAnswer<'_>, format_matters: bool) -> JudgedAnswer {
    match image::decode_picture(answer.bytes) {
        None => instead(answer, "a picture"),
        Some(Err(why)) => {
            let format = image::picture_format(answer.bytes).unwrap_or_default();
            JudgedAnswer::new(
                Outcome::Malformed,
                format!("A broken picture ({format}): {}", short(&why, 120)),
            )
        }
        Some(Ok(picture)) => {
            let asked = asked_format(answer).filter(|_| format_matters);
            if let Some(asked) = asked.filter(|asked| *asked != picture.format) {
                return JudgedAnswer::new(
                    Outcome::WrongContent,
                    format!("A picture in {}, requested was {asked}", picture.format),
                );
            }
            let (outcome, what) = if picture.blank {
                (Outcome::Blank, "of one colour")
            } else {
                (Outcome::Valid, "with content")
            };
            JudgedAnswer::new(
                outcome,
                format!("{} of {} by {} pixels {what}", picture.format, picture.width, picture.height),
            )
        }
    }
}

/// Returns the format named in the request.
fn asked_format(answer: &ObservedAnswer<'_>) -> Option<&'static str> {
    let (_, value) = answer
        .asked
        .query_pairs()
        .find(|(name, value)| name.eq_ignore_ascii_case("format") || name == "f" && value == "png")?;
    let value = value.to_ascii_lowercase();
    let known = [("png", "PNG"), ("jpeg", "JPEG"), ("jpg", "JPEG"), ("gif", "GIF"), ("webp", "WebP")];
    known.iter().find(|(part, _)| value.contains(part)).map(|(_, format)| *format)
}

fn tile(answer: &ObservedAnswer<'_>) -> JudgedAnswer {
    if let Some(layers) = vector_tile_layers(answer.bytes) {
        return JudgedAnswer::new(
            Outcome::Valid,
            format!("A vector tile with {}", count(layers.len() as u64, "layer")),
        );
    }
    if image::picture_format(answer.bytes).is_some() {
        picture(answer, false)
    } else {
        instead(answer, "a tile")
    }
}

fn xml(answer: &ObservedAnswer<'_>, roots: &[&str]) -> JudgedAnswer {
    match sniff_type(answer.bytes, answer.content_type) {
        SniffedType::Xml(root) if roots.contains(&root.local.as_str()) => match cut(answer, &root.local) {
            Some(judged) => judged,
            None => {
                JudgedAnswer::new(Outcome::Valid, format!("{} of {} bytes", root.local, answer.bytes.len()))
            }
        },
        _ => instead(answer, roots.first().copied().unwrap_or("XML")),
    }
}

/// Reports a document that breaks off, unless we stopped reading it.
fn cut(answer: &ObservedAnswer<'_>, root: &str) -> Option<JudgedAnswer> {
    let end = &answer.bytes[answer.bytes.len().saturating_sub(512)..];
    let end = String::from_utf8_lossy(end);
    let closed = end.rfind("</").is_some_and(|at| end[at..].contains(root)) || end.trim_end().ends_with("/>");
    // In encodings that do not extend ASCII, the end cannot be searched for.
    let readable = answer.bytes.iter().take(64).all(|byte| *byte != 0);
    (!closed && readable && !answer.truncated)
        .then(|| JudgedAnswer::new(Outcome::Malformed, format!("{root} that breaks off")))
}

fn features(answer: &ObservedAnswer<'_>) -> JudgedAnswer {
    if is_json(answer) {
        return list(answer, &["/features"]);
    }
    let SniffedType::Xml(root) = sniff_type(answer.bytes, answer.content_type) else {
        return instead(answer, "features");
    };
    if root.local != "FeatureCollection" {
        return instead(answer, "features");
    }
    let stated = ["numberReturned", "numberOfFeatures"]
        .iter()
        .find_map(|name| root.attr(name).and_then(|text| text.parse::<u64>().ok()));
    let (mut member, mut members) = (false, 0_u64);
    walk_xml(answer.bytes, |met| {
        if let ElementEvent::Begin { name, .. } = met {
            if member {
                members += 1;
                member = false;
            }
            member |= matches!(name, "member" | "featureMember" | "featureMembers");
        }
        members < 1
    });
    match (stated, members) {
        (_, 1..) => cut(answer, "FeatureCollection")
            .unwrap_or_else(|| JudgedAnswer::new(Outcome::Valid, "One feature")),
        (Some(1..), 0) => cut(answer, "FeatureCollection").unwrap_or_else(|| {
            JudgedAnswer::new(Outcome::Malformed, "A collection that reports features but contains none")
        }),
        _ => cut(answer, "FeatureCollection")
            .unwrap_or_else(|| JudgedAnswer::new(Outcome::Blank, "A collection without features")),
    }
}

fn records(answer: &ObservedAnswer<'_>) -> JudgedAnswer {
    let judged = xml(answer, &["GetRecordsResponse"]);
    if judged.outcome != Outcome::Valid {
        return judged;
    }
    let mut matched = None;
    walk_xml(answer.bytes, |met| {
        if let ElementEvent::Begin { name: "SearchResults", reader } = met {
            matched = reader
                .attr_by_local_name("numberOfRecordsMatched")
                .and_then(|text| text.trim().parse::<u64>().ok());
            return false;
        }
        true
    });
    match matched {
        Some(0) => JudgedAnswer::new(Outcome::Blank, "A catalogue without records"),
        Some(n) => JudgedAnswer::new(Outcome::Valid, format!("{} in total", count(n, "record"))),
        None => JudgedAnswer::new(
            Outcome::Malformed,
            "A GetRecordsResponse without the number of matching records",
        ),
    }
}

fn headers(answer: &ObservedAnswer<'_>) -> JudgedAnswer {
    let judged = xml(answer, &["OAI-PMH"]);
    if judged.outcome != Outcome::Valid {
        return judged;
    }
    let (mut error, mut code, mut headers) = (None, String::new(), 0_u64);
    walk_xml(answer.bytes, |met| {
        match met {
            ElementEvent::Begin { name: "error", reader } => {
                code =
                    reader.attr_by_local_name("code").map(std::borrow::Cow::into_owned).unwrap_or_default();
            }
            ElementEvent::Leaf { name: "error", text } => error = Some(short(text, 160)),
            ElementEvent::Begin { name: "header", .. } => headers += 1,
            _ => {}
        }
        true
    });
    match (error, headers) {
        (Some(_), 0) if code == "noRecordsMatch" => {
            JudgedAnswer::new(Outcome::Blank, "A repository without records")
        }
        (Some(text), _) => JudgedAnswer::new(Outcome::Exception, format!("An error report: {code}: {text}")),
        (None, 0) => JudgedAnswer::new(Outcome::Blank, "A repository without records"),
        (None, n) => JudgedAnswer::new(Outcome::Valid, format!("Headers of {}", count(n, "record"))),
    }
}

fn results(answer: &ObservedAnswer<'_>) -> JudgedAnswer {
    if is_json(answer) {
        return list(answer, &["/features", "/results", "/entries", "/items", "/feed/entry"]);
    }
    let judged = xml(answer, &["feed", "rss", "RDF"]);
    if judged.outcome != Outcome::Valid {
        return judged;
    }
    let mut entries = 0_u64;
    walk_xml(answer.bytes, |met| {
        entries += u64::from(matches!(met, ElementEvent::Begin { name: "entry" | "item", .. }));
        entries == 0
    });
    if entries > 0 {
        JudgedAnswer::new(Outcome::Valid, "A result")
    } else {
        JudgedAnswer::new(Outcome::Blank, "No results")
    }
}

fn is_json(answer: &ObservedAnswer<'_>) -> bool {
    looks_like_json(answer.bytes) || sniff_type(answer.bytes, answer.content_type) == SniffedType::Json
}

/// Parses the JSON document of an answer.
fn document(answer: &ObservedAnswer<'_>) -> Result<JsonDocument, JudgedAnswer> {
    if !is_json(answer) {
        return Err(instead(answer, "JSON"));
    }
    let doc = JsonDocument::from_reader(&mut &*answer.bytes);
    match doc {
        Some(doc) if doc.complete || answer.truncated => Ok(doc),
        _ => Err(JudgedAnswer::new(Outcome::Malformed, "Invalid or incomplete JSON")),
    }
}

fn list(answer: &ObservedAnswer<'_>, pointers: &[&str]) -> JudgedAnswer {
    let doc = match document(answer) {
        Ok(doc) => doc,
        Err(judged) => return judged,
    };
    let found = pointers.iter().find_map(|pointer| Some((pointer, doc.root.pointer(pointer)?.as_array()?)));
    match found {
        None => JudgedAnswer::new(Outcome::WrongContent, "A JSON document of another type"),
        Some((_, entries)) if entries.is_empty() && !answer.truncated => {
            JudgedAnswer::new(Outcome::Blank, "An empty list")
        }
        Some((pointer, entries)) => {
            let entries = doc.array_len(pointer).unwrap_or(entries.len() as u64);
            JudgedAnswer::new(Outcome::Valid, format!("A list of {}", count(entries, "entry")))
        }
    }
}

fn object(answer: &ObservedAnswer<'_>, members: &[&str]) -> JudgedAnswer {
    match document(answer) {
        Err(judged) => judged,
        Ok(doc) => match members.iter().find(|member| doc.has_member(member)) {
            Some(member) => JudgedAnswer::new(Outcome::Valid, format!("A JSON description with {member}")),
            None => JudgedAnswer::new(Outcome::WrongContent, "A JSON document of another type"),
        },
    }
}

fn structure(answer: &ObservedAnswer<'_>) -> JudgedAnswer {
    match DapText::detect(&String::from_utf8_lossy(answer.bytes)) {
        Some(DapText::Dds) => JudgedAnswer::new(Outcome::Valid, "The structure of a dataset"),
        _ => instead(answer, "the structure of a dataset"),
    }
}

fn packed(answer: &ObservedAnswer<'_>) -> JudgedAnswer {
    const MARK: &[u8] = b"\nData:";
    let at = answer.bytes.windows(MARK.len()).position(|window| window == MARK);
    let begins = answer.bytes.trim_ascii_start().starts_with(b"Dataset");
    match at {
        Some(at) if begins => {
            let behind = answer.bytes[at + MARK.len()..].trim_ascii_start();
            // A number has at least four bytes.
            if behind.len() >= 4 {
                JudgedAnswer::new(Outcome::Valid, format!("Values in {} bytes", behind.len()))
            } else {
                JudgedAnswer::new(Outcome::Blank, "A structure without values")
            }
        }
        None if begins => {
            JudgedAnswer::new(Outcome::Malformed, "A structure that breaks off before its values")
        }
        _ => instead(answer, "values"),
    }
}

fn value(answer: &ObservedAnswer<'_>, variable: &str) -> JudgedAnswer {
    let text = String::from_utf8_lossy(answer.bytes);
    let Some(at) = text.rfind(variable).filter(|_| sniff_type(answer.bytes, None) == SniffedType::Text)
    else {
        return instead(answer, "a value");
    };
    // After the name: the index in brackets, then the value.
    let rest = text[at + variable.len()..].trim_start_matches(['[', ']', '0', '.', ' ']);
    let given = rest.chars().any(|c| c.is_ascii_alphanumeric()) || text[at + variable.len()..].contains(',');
    if given {
        JudgedAnswer::new(Outcome::Valid, format!("A value of {}", short(variable, 80)))
    } else {
        JudgedAnswer::new(Outcome::Blank, format!("{} without a value", short(variable, 80)))
    }
}

fn piece(answer: &ObservedAnswer<'_>, total: Option<u64>) -> JudgedAnswer {
    if answer.bytes.is_empty() {
        return JudgedAnswer::new(Outcome::Blank, "An empty file");
    }
    if let (Some(before), Some(now)) = (total, answer.total)
        && before != now
    {
        return JudgedAnswer::new(
            Outcome::WrongContent,
            format!("A file of {now} bytes, which had {before} a moment ago"),
        );
    }
    let size = answer.total.map(|size| format!(" of {size}")).unwrap_or_default();
    let read = answer.bytes.len();
    if answer.status == 206 {
        JudgedAnswer::new(Outcome::Valid, format!("The requested {read} bytes{size}"))
    } else {
        JudgedAnswer::new(Outcome::Valid, format!("The start of the file{size}: the range was ignored"))
    }
}

fn count(n: u64, what: &str) -> String {
    match (n, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (n, Some(stem)) => format!("{n} {stem}ies"),
        (n, None) => format!("{n} {what}s"),
    }
}
