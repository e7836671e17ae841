//! Parses the file of a declarative connector key by key, so that every error names its key.

use super::{
    ConnectorFileError, DeclarativeConnector, FieldPath, LastPageRule, LinkMapping, PagingMethod, PagingRule,
    RecordMapping, RequestTemplate, ResponseFormat,
};
use crate::connectors::{CONNECTORS, ConnectorDoc};
use crate::formats::selectors::Selector;
use toml::{Table, Value};

/// Placeholders of a template.
const HOLES: &[&str] = &["{at}", "{page}", "{offset}", "{size}", "{cursor}", "{since}"];
/// Allowed content types of a body.
const CONTENT_TYPES: &[&str] =
    &["application/json", "application/x-www-form-urlencoded", "application/xml", "text/xml"];

pub(super) fn parse_connector(text: &str) -> Result<DeclarativeConnector, ConnectorFileError> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line =
            error.span().map(|span| 1 + text.get(..span.start).unwrap_or_default().matches('\n').count());
        let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        ConnectorFileError { file: None, key: String::new(), cause: format!("{place}{}", error.message()) }
    })?;
    let root = KeyTable { table: &table, path: String::new() };
    root.only(&["id", "name", "what", "specification", "at", "format", "request", "paging", "records"])?;
    let id = root.required("id")?;
    if id.is_empty()
        || id.len() > 40
        || !id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    {
        return Err(root.problem("id", "must be of lower-case letters, digits and hyphens, at most 40"));
    }
    if CONNECTORS.iter().any(|connector| connector.doc().id == id) {
        return Err(root.problem("id", format!("{id:?} is the id of a connector that is built in")));
    }
    let format = match root.required("format")?.as_str() {
        "json" => ResponseFormat::Json,
        "xml" => ResponseFormat::Xml,
        "html" => ResponseFormat::Html,
        other => return Err(root.problem("format", format!("{other:?} is not one of json, xml, html"))),
    };
    let at = root.list("at")?;
    if at.is_empty() {
        return Err(root.problem("at", "must contain at least one URL"));
    }
    if let Some(bad) = at.iter().find(|at| !at.starts_with("http://") && !at.starts_with("https://")) {
        return Err(root.problem("at", format!("{bad:?} is not an http or https URL")));
    }
    let request = root.table("request")?;
    let paging = root.table_or_empty("paging")?;
    let records = root.table("records")?;
    let paging = read_paging(&paging, format)?;
    let request = read_request(&request, &paging)?;
    let incremental =
        [Some(&request.url), request.body.as_ref()].into_iter().flatten().any(|t| t.contains("{since}"));
    // Connectors live as long as the program, as the built-in ones do.
    let name = root.text("name")?.unwrap_or_else(|| id.clone());
    let what = root.text("what")?.unwrap_or_else(|| format!("Described in a file: {name}"));
    let specification = root.text("specification")?.unwrap_or_default();
    let doc = ConnectorDoc {
        id: id.leak(),
        name: name.leak(),
        what: what.leak(),
        specification: specification.leak(),
        kinds: &[],
        incremental,
    };
    let doc = Box::leak(Box::new(doc));
    Ok(DeclarativeConnector { doc, at, format, request, paging, records: read_records(&records, format)? })
}

fn read_request(keys: &KeyTable<'_>, paging: &PagingRule) -> Result<RequestTemplate, ConnectorFileError> {
    keys.only(&["url", "method", "body", "content_type"])?;
    let url = keys.required("url")?;
    check_holes(keys, "url", &url)?;
    if !url.starts_with("{at}") && !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(keys.problem("url", "must begin with {at}, http:// or https://"));
    }
    let body = keys.text("body")?;
    if let Some(body) = &body {
        check_holes(keys, "body", body)?;
    }
    match keys.text("method")?.as_deref() {
        None => {}
        Some("GET") if body.is_some() => {
            return Err(keys.problem("body", "is not allowed for a GET request: set method to POST"));
        }
        Some("POST") if body.is_none() => return Err(keys.problem("body", "is missing for a POST request")),
        Some("GET" | "POST") => {}
        Some(other) => return Err(keys.problem("method", format!("{other:?} is neither GET nor POST"))),
    }
    let content_type = keys.text("content_type")?;
    let wanted = content_type.as_deref().unwrap_or("application/json");
    let Some(content_type) = CONTENT_TYPES.iter().find(|known| **known == wanted) else {
        return Err(keys.problem("content_type", format!("must be one of {}", CONTENT_TYPES.join(", "))));
    };
    let hole = match paging.by {
        PagingMethod::Page => Some("{page}"),
        PagingMethod::Offset => Some("{offset}"),
        PagingMethod::Cursor(_) => Some("{cursor}"),
        PagingMethod::None | PagingMethod::Next(_) => None,
    };
    if let Some(hole) = hole
        && !url.contains(hole)
        && !body.as_ref().is_some_and(|body| body.contains(hole))
    {
        return Err(
            keys.problem("url", format!("must contain {hole}, otherwise every page would be the first"))
        );
    }
    let (_, query) = url.split_once('?').unwrap_or_default();
    let since = query.split('&').find_map(|pair| pair.strip_suffix("={since}")).map(str::to_owned);
    let again = matches!(paging.by, PagingMethod::Page | PagingMethod::Offset | PagingMethod::Cursor(_));
    if again
        && since.is_none()
        && (url.contains("{since}") || body.as_ref().is_some_and(|b| b.contains("{since}")))
    {
        return Err(keys.problem("url", "{since} must be the whole value of a query parameter: from={since}"));
    }
    Ok(RequestTemplate { url, body, content_type, since })
}

/// Rejects unknown placeholders in a template; a brace that starts none is plain text.
fn check_holes(keys: &KeyTable<'_>, key: &str, template: &str) -> Result<(), ConnectorFileError> {
    for (at, _) in template.match_indices('{') {
        let rest = template.get(at..).unwrap_or_default();
        let word = rest.get(1..).and_then(|r| r.split_once('}')).map(|(word, _)| word).unwrap_or_default();
        let is_word = !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
        if is_word && !HOLES.iter().any(|hole| rest.starts_with(hole)) {
            return Err(keys.problem(key, format!("{{{word}}} is not one of {}", HOLES.join(" "))));
        }
    }
    Ok(())
}

fn read_paging(keys: &KeyTable<'_>, format: ResponseFormat) -> Result<PagingRule, ConnectorFileError> {
    keys.only(&["by", "first", "size", "cursor", "next", "total", "last", "max_pages"])?;
    let said = keys.text("by")?.unwrap_or_else(|| "none".to_owned());
    let by = match said.as_str() {
        "none" => PagingMethod::None,
        "page" => PagingMethod::Page,
        "offset" => PagingMethod::Offset,
        "cursor" => PagingMethod::Cursor(keys.required_place("cursor", format)?),
        "next" => PagingMethod::Next(keys.required_place("next", format)?),
        other => {
            return Err(
                keys.problem("by", format!("{other:?} is not one of none, page, offset, cursor, next"))
            );
        }
    };
    for (key, wanted) in [("cursor", "cursor"), ("next", "next")] {
        if keys.table.contains_key(key) && said != wanted {
            return Err(keys.problem(key, format!("is allowed only with by = {wanted:?}")));
        }
    }
    let total = keys.place("total", format)?;
    let last = match keys.text("last")?.as_deref() {
        Some("empty") => LastPageRule::Empty,
        Some("short") => LastPageRule::Short,
        Some("total") if total.is_none() => {
            return Err(keys.problem("last", "\"total\" needs the key paging.total"));
        }
        Some("total") => LastPageRule::Total,
        None if total.is_some() && matches!(by, PagingMethod::Page | PagingMethod::Offset) => {
            LastPageRule::Total
        }
        None => LastPageRule::Empty,
        Some(other) => {
            return Err(keys.problem("last", format!("{other:?} is not one of empty, short, total")));
        }
    };
    let first = keys.number("first")?.unwrap_or(u64::from(matches!(by, PagingMethod::Page)));
    let size = keys.number("size")?.unwrap_or(100);
    if size == 0 || size > 100_000 {
        return Err(keys.problem("size", "must be between 1 and 100000"));
    }
    let max_pages = keys.number("max_pages")?.unwrap_or(100_000).clamp(1, 1_000_000);
    Ok(PagingRule { by, first, size, total, last, max_pages })
}

fn read_records(keys: &KeyTable<'_>, format: ResponseFormat) -> Result<RecordMapping, ConnectorFileError> {
    keys.only(&[
        "each", "id", "title", "abstract", "keywords", "type", "bbox", "time", "crs", "provider", "licence",
        "language", "modified", "links",
    ])?;
    let place = |key: &str| keys.place(key, format);
    let bbox = match keys.table.get("bbox") {
        None => Vec::new(),
        Some(Value::Array(_)) => {
            let list = keys.list("bbox")?;
            if list.len() != 4 {
                return Err(
                    keys.problem("bbox", "must be one path, or the paths of west, south, east and north")
                );
            }
            list.iter().map(|text| keys.place_of("bbox", text, format)).collect::<Result<_, _>>()?
        }
        Some(_) => keys.place("bbox", format)?.into_iter().collect(),
    };
    let mut links = Vec::new();
    for table in keys.tables("links")? {
        table.only(&["each", "url", "template", "protocol", "format", "name"])?;
        let template = table.text("template")?;
        if template.as_ref().is_some_and(|t| !t.contains("{}") || !t.starts_with("http")) {
            return Err(table.problem("template", "must be an http or https URL that contains {}"));
        }
        links.push(LinkMapping {
            each: table.place("each", format)?,
            url: table.required_place("url", format)?,
            template,
            protocol: table.place("protocol", format)?,
            format: table.place("format", format)?,
            name: table.place("name", format)?,
        });
    }
    Ok(RecordMapping {
        each: keys.required_place("each", format)?,
        id: keys.required_place("id", format)?,
        title: place("title")?,
        abstract_: place("abstract")?,
        keywords: place("keywords")?,
        type_: place("type")?,
        bbox,
        time: place("time")?,
        crs: place("crs")?,
        provider: place("provider")?,
        licence: place("licence")?,
        language: place("language")?,
        modified: place("modified")?,
        links,
    })
}

/// A table of the file, with its key path.
struct KeyTable<'t> {
    table: &'t Table,
    path: String,
}

impl<'t> KeyTable<'t> {
    fn full(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    fn problem(&self, key: &str, cause: impl Into<String>) -> ConnectorFileError {
        ConnectorFileError { file: None, key: self.full(key), cause: cause.into() }
    }

    /// Rejects unknown keys, which are probably misspelled.
    fn only(&self, known: &[&str]) -> Result<(), ConnectorFileError> {
        match self.table.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => {
                Err(self.problem(key, format!("is unknown here; known keys are {}", known.join(", "))))
            }
            None => Ok(()),
        }
    }

    fn text(&self, key: &str) -> Result<Option<String>, ConnectorFileError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(self.problem(key, format!("must be a string, not {}", other.type_str()))),
        }
    }

    fn required(&self, key: &str) -> Result<String, ConnectorFileError> {
        self.text(key)?.ok_or_else(|| self.problem(key, "is missing"))
    }

    fn number(&self, key: &str) -> Result<Option<u64>, ConnectorFileError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::Integer(number)) => match u64::try_from(*number) {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(self.problem(key, "must not be negative")),
            },
            Some(other) => Err(self.problem(key, format!("must be an integer, not {}", other.type_str()))),
        }
    }

    /// Returns a list of strings; a single string is a list of one.
    fn list(&self, key: &str) -> Result<Vec<String>, ConnectorFileError> {
        match self.table.get(key) {
            None => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(vec![text.clone()]),
            Some(Value::Array(list)) => {
                let text = |v: &Value| v.as_str().map(str::to_owned);
                list.iter()
                    .map(text)
                    .collect::<Option<_>>()
                    .ok_or_else(|| self.problem(key, "must contain only strings"))
            }
            Some(other) => {
                Err(self
                    .problem(key, format!("must be a string or a list of strings, not {}", other.type_str())))
            }
        }
    }

    fn table(&self, key: &str) -> Result<KeyTable<'t>, ConnectorFileError> {
        match self.table.get(key) {
            Some(Value::Table(table)) => Ok(KeyTable { table, path: self.full(key) }),
            Some(other) => Err(self.problem(key, format!("must be a table, not {}", other.type_str()))),
            None => Err(self.problem(key, "is missing")),
        }
    }

    fn table_or_empty(&self, key: &str) -> Result<KeyTable<'t>, ConnectorFileError> {
        static EMPTY: std::sync::LazyLock<Table> = std::sync::LazyLock::new(Table::new);
        if self.table.contains_key(key) {
            self.table(key)
        } else {
            Ok(KeyTable { table: &EMPTY, path: self.full(key) })
        }
    }

    /// Returns a list of tables (`[[records.links]]`).
    fn tables(&self, key: &str) -> Result<Vec<KeyTable<'t>>, ConnectorFileError> {
        let list = match self.table.get(key) {
            None => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(_) => return Err(self.problem(key, "must be a list of tables: write [[records.links]]")),
        };
        let tables = list.iter().enumerate().map(|(at, value)| match value {
            Value::Table(table) => Ok(KeyTable { table, path: format!("{}[{at}]", self.full(key)) }),
            other => Err(self.problem(key, format!("must contain tables, not {}", other.type_str()))),
        });
        tables.collect()
    }

    fn place(&self, key: &str, format: ResponseFormat) -> Result<Option<FieldPath>, ConnectorFileError> {
        self.text(key)?.map(|text| self.place_of(key, &text, format)).transpose()
    }

    fn required_place(&self, key: &str, format: ResponseFormat) -> Result<FieldPath, ConnectorFileError> {
        self.place(key, format)?.ok_or_else(|| self.problem(key, "is missing"))
    }

    fn place_of(
        &self,
        key: &str,
        text: &str,
        format: ResponseFormat,
    ) -> Result<FieldPath, ConnectorFileError> {
        if let Some(constant) = text.strip_prefix('=') {
            return Ok(FieldPath::Constant(constant.to_owned()));
        }
        if text.trim().is_empty() {
            return Err(self.problem(key, "is empty; use \".\" for the record itself"));
        }
        let place = match format {
            ResponseFormat::Json => FieldPath::parse_json_path(text),
            ResponseFormat::Xml => Selector::parse_path(text).map(FieldPath::Tree),
            ResponseFormat::Html => Selector::parse_css(text).map(FieldPath::Tree),
        };
        place.map_err(|cause| self.problem(key, cause))
    }
}
