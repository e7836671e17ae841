//! Tables of an SQLite file of which only some pages are available.
//!
//! Implemented here because SQLite needs the whole file, while the few rows that describe a
//! GeoPackage or a tile set are on a handful of pages. Only tables with row ids are supported;
//! views, indexes and write-ahead logs are not.

use super::cursor::ByteCursor;
use crate::files::{SparseFile, SparseReadError};

/// Maximum number of pages to visit per table.
const MAX_PAGES: usize = 2000;
/// Maximum depth of a tree. Four levels hold billions of rows.
const MAX_DEPTH: usize = 8;
/// Maximum number of columns to keep per row.
const MAX_COLUMNS: usize = 64;
/// Maximum size of all rows of a file. Rows of a hostile file may share their bytes.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Maximum size of a row that is assembled from overflow pages.
const MAX_PAYLOAD: usize = 256 * 1024;

/// First 16 bytes of a file.
pub const MAGIC: &[u8] = b"SQLite format 3\0";

/// Value of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum SqliteValue {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    /// Blob, of which only the length is kept.
    Blob(usize),
}

impl SqliteValue {
    /// Returns the text if the value is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number, also if it is written as text.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(i) => Some(*i as f64),
            Self::Real(r) => Some(*r),
            Self::Text(text) => text.trim().parse().ok(),
            Self::Null | Self::Blob(_) => None,
        }
    }
}

/// Row with its id and its values.
#[derive(Debug, Clone, PartialEq)]
pub struct SqliteRow {
    pub id: i64,
    pub values: Vec<SqliteValue>,
}

/// Table or view, as described by the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSchema {
    pub name: String,
    /// First page of the tree; 0 for a view.
    pub root: u32,
    /// Column names in the order of the values.
    pub columns: Vec<String>,
    /// Column that aliases the row id. The row itself stores NULL there.
    row_id: Option<usize>,
}

impl TableSchema {
    /// Returns whether the column is the row id, so that rows can be looked up by it.
    pub fn is_row_id(&self, column: &str) -> bool {
        self.row_id.and_then(|at| self.columns.get(at)).is_some_and(|c| c.eq_ignore_ascii_case(column))
    }
}

/// SQLite file of which only some pages are available.
#[derive(Debug)]
pub struct SqliteFile<'a> {
    file: &'a SparseFile,
    page_size: u64,
    usable: usize,
    wide_text: Option<bool>,
    /// Application id from the header.
    pub application_id: u32,
    /// User version from the header.
    pub user_version: u32,
    /// Number of row bytes that may still be read.
    bytes_left: std::cell::Cell<usize>,
    /// Pages that were needed but are not available.
    lacking: std::cell::RefCell<Vec<u32>>,
}

impl<'a> SqliteFile<'a> {
    /// Opens a file. Returns `None` if it is not an SQLite file.
    pub fn open(file: &'a SparseFile) -> Option<Self> {
        let head = file.head();
        if !head.starts_with(MAGIC) {
            return None;
        }
        let mut cursor = ByteCursor::big_endian(head);
        let page_size = match cursor.seek(16).read_u16()? {
            1 => 65_536,
            size if size.is_power_of_two() && size >= 512 => u64::from(size),
            _ => return None,
        };
        let reserved = u64::from(*head.get(20)?);
        let usable = page_size.checked_sub(reserved).filter(|u| *u >= 480)? as usize;
        let encoding = cursor.seek(56).read_u32()?;
        let user_version = cursor.seek(60).read_u32()?;
        let application_id = cursor.seek(68).read_u32()?;
        // UTF-16 in either byte order. Everything else is UTF-8.
        let wide_text = match encoding {
            2 => Some(false),
            3 => Some(true),
            _ => None,
        };
        let lacking = std::cell::RefCell::default();
        let bytes_left = std::cell::Cell::new(MAX_BYTES);
        Some(Self { file, page_size, usable, wide_text, application_id, user_version, bytes_left, lacking })
    }

    /// Reads the tables and views from the schema.
    pub fn read_tables(&self) -> Vec<TableSchema> {
        let mut tables = Vec::new();
        for row in self.rows_of(1, 10_000) {
            let [kind, SqliteValue::Text(name), _, root, sql] = row.values.get(..5).unwrap_or_default()
            else {
                continue;
            };
            let (kind, sql) = (kind.as_text().unwrap_or_default(), sql.as_text().unwrap_or_default());
            if matches!(kind, "table" | "view") {
                let root = root.as_number().map_or(0, |n| n as u32);
                let (columns, row_id) = columns_of(sql);
                tables.push(TableSchema { name: name.clone(), root, columns, row_id });
            }
        }
        tables
    }

    /// Reads the rows of a table that are available.
    pub fn read_rows(&self, table: &TableSchema, max: usize) -> Vec<SqliteRow> {
        let mut rows = if table.root == 0 { Vec::new() } else { self.rows_of(table.root, max) };
        for row in &mut rows {
            set_row_id(table, row);
        }
        rows
    }

    /// Returns the first and last byte of every page that was needed but is not available.
    pub fn missing_ranges(&self) -> Vec<(u64, u64)> {
        let mut pages = self.lacking.borrow().clone();
        pages.sort_unstable();
        pages.dedup();
        pages.into_iter().map(|page| self.span(page)).collect()
    }

    /// Clears the missing pages, for parts that turned out not to be needed.
    pub fn clear_missing_ranges(&self) {
        self.lacking.borrow_mut().clear();
    }

    /// Looks up a row by its id, reading one page per level of the tree.
    pub fn find_row(&self, table: &TableSchema, id: i64) -> Option<SqliteRow> {
        let mut number = table.root;
        for _ in 0..MAX_DEPTH {
            let page = self.page(number)?;
            let start = if number == 1 { 100 } else { 0 };
            let mut cursor = ByteCursor::big_endian(page);
            let kind = cursor.seek(start).read_u8()?;
            let count = usize::from(cursor.seek(start + 3).read_u16()?).min(self.usable / 2);
            let cells_at = start + if kind == 5 { 12 } else { 8 };
            let mut cells = (0..count).filter_map(|i| {
                ByteCursor::big_endian(page).seek(cells_at + 2 * i).read_u16().map(usize::from)
            });
            match kind {
                5 => {
                    let below = cells.find_map(|at| {
                        let mut cell = ByteCursor::big_endian(page);
                        let child = cell.seek(at).read_u32()?;
                        (id <= varint(&mut cell)?).then_some(child)
                    });
                    number = below.or_else(|| cursor.seek(start + 8).read_u32())?;
                }
                13 => {
                    let mut row = cells.filter_map(|at| self.cell(page, at)).find(|row| row.id == id)?;
                    set_row_id(table, &mut row);
                    return Some(row);
                }
                _ => return None,
            }
        }
        None
    }

    fn span(&self, page: u32) -> (u64, u64) {
        let at = u64::from(page.saturating_sub(1)) * self.page_size;
        (at, at + self.page_size - 1)
    }

    fn page(&self, page: u32) -> Option<&'a [u8]> {
        if page == 0 {
            return None;
        }
        let (first, _) = self.span(page);
        match self.file.read_range(first, self.page_size) {
            Ok(bytes) => Some(bytes),
            Err(SparseReadError::Bytes(..)) => {
                self.lacking.borrow_mut().push(page);
                None
            }
            Err(SparseReadError::Damage) => None,
        }
    }

    /// Walks the tree of a table from left to right.
    fn rows_of(&self, root: u32, max: usize) -> Vec<SqliteRow> {
        let mut rows = Vec::new();
        let mut visited = 0;
        let mut pending = vec![(root, 0_usize)];
        while let Some((number, depth)) = pending.pop() {
            visited += 1;
            if visited > MAX_PAGES || depth > MAX_DEPTH || rows.len() >= max {
                break;
            }
            let Some(page) = self.page(number) else { continue };
            let start = if number == 1 { 100 } else { 0 };
            let mut cursor = ByteCursor::big_endian(page);
            cursor.seek(start);
            let Some(kind) = cursor.read_u8() else { continue };
            let count = usize::from(cursor.seek(start + 3).read_u16().unwrap_or(0));
            let cells_at = start + if kind == 5 { 12 } else { 8 };
            let cells = (0..count.min(self.usable / 2)).filter_map(|i| {
                ByteCursor::big_endian(page).seek(cells_at + 2 * i).read_u16().map(usize::from)
            });
            match kind {
                5 => {
                    let mut children: Vec<u32> =
                        cells.filter_map(|at| ByteCursor::big_endian(page).seek(at).read_u32()).collect();
                    children.extend(cursor.seek(start + 8).read_u32());
                    children.truncate(MAX_PAGES);
                    // The stack is popped from the end, so push the leftmost child last.
                    pending.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
                }
                13 => {
                    let room = max - rows.len();
                    rows.extend(cells.filter_map(|at| self.cell(page, at)).take(room));
                }
                _ => {}
            }
        }
        rows
    }

    fn cell(&self, page: &[u8], at: usize) -> Option<SqliteRow> {
        let mut cursor = ByteCursor::big_endian(page);
        cursor.seek(at);
        let length = usize::try_from(varint(&mut cursor)?).ok()?;
        let id = varint(&mut cursor)?;
        let payload = self.payload(cursor, length)?;
        Some(SqliteRow { id, values: self.record(&payload)? })
    }

    /// Returns the bytes of a row, including its overflow pages as far as they are available.
    fn payload(&self, mut cursor: ByteCursor<'_>, length: usize) -> Option<Vec<u8>> {
        let left = self.bytes_left.get().checked_sub(length.clamp(16, MAX_PAYLOAD))?;
        self.bytes_left.set(left);
        let on_page = self.usable - 35;
        if length <= on_page {
            return cursor.take(length).map(<[u8]>::to_vec);
        }
        // How much of a long row stays on its page is defined by the file format ("max local", "min
        // local").
        let min = (self.usable - 12) * 32 / 255 - 23;
        let fill = min + (length - min) % (self.usable - 4);
        let local = if fill <= on_page { fill } else { min };
        let mut bytes = cursor.take(local)?.to_vec();
        let mut next = cursor.read_u32()?;
        while next != 0 && bytes.len() < length.min(MAX_PAYLOAD) {
            let Some(page) = self.page(next) else { break };
            next = ByteCursor::big_endian(page).read_u32()?;
            let part = page.get(4..self.usable)?;
            bytes.extend_from_slice(&part[..part.len().min(length - bytes.len())]);
        }
        Some(bytes)
    }

    fn record(&self, payload: &[u8]) -> Option<Vec<SqliteValue>> {
        let mut header = ByteCursor::big_endian(payload);
        let header_len = usize::try_from(varint(&mut header)?).ok()?;
        let mut body = ByteCursor::big_endian(payload);
        body.seek(header_len);
        let mut values = Vec::new();
        while header.position() < header_len && values.len() < MAX_COLUMNS {
            let serial = varint(&mut header)?;
            // Treat columns on missing pages as NULL.
            values.push(self.value(serial, &mut body).unwrap_or(SqliteValue::Null));
        }
        Some(values)
    }

    fn value(&self, serial: i64, body: &mut ByteCursor<'_>) -> Option<SqliteValue> {
        Some(match serial {
            0 => SqliteValue::Null,
            1..=6 => {
                let width = [1, 2, 3, 4, 6, 8][serial as usize - 1];
                let shift = 64 - 8 * width as u32;
                SqliteValue::Integer((body.read_uint(width)? << shift).cast_signed() >> shift)
            }
            7 => SqliteValue::Real(body.read_f64()?),
            8 => SqliteValue::Integer(0),
            9 => SqliteValue::Integer(1),
            n if n >= 12 => {
                let length = usize::try_from((n - 12) / 2).ok()?;
                // Truncate values that continue on a missing page.
                let bytes = body.take(length.min(body.remaining().len()))?;
                if n % 2 == 0 { SqliteValue::Blob(length) } else { SqliteValue::Text(self.text(bytes)) }
            }
            _ => SqliteValue::Null,
        })
    }

    fn text(&self, bytes: &[u8]) -> String {
        match self.wide_text {
            None => String::from_utf8_lossy(bytes).into_owned(),
            Some(big) => {
                let unit = |pair: &[u8]| ByteCursor::with_byte_order(pair, big).read_u16().unwrap_or(0);
                let units: Vec<u16> = bytes.chunks_exact(2).map(unit).collect();
                String::from_utf16_lossy(&units)
            }
        }
    }
}

/// Fills the column that aliases the row id.
fn set_row_id(table: &TableSchema, row: &mut SqliteRow) {
    if let Some(at) = table.row_id
        && let Some(value) = row.values.get_mut(at).filter(|v| **v == SqliteValue::Null)
    {
        *value = SqliteValue::Integer(row.id);
    }
}

/// Reads an SQLite varint of one to nine bytes.
fn varint(cursor: &mut ByteCursor<'_>) -> Option<i64> {
    let mut value: u64 = 0;
    for _ in 0..8 {
        let byte = cursor.read_u8()?;
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some(value.cast_signed());
        }
    }
    Some((value << 8 | u64::from(cursor.read_u8()?)).cast_signed())
}

/// Returns the column names of a `CREATE TABLE` statement and the index of the row id column.
fn columns_of(sql: &str) -> (Vec<String>, Option<usize>) {
    let sql = &without_comments(sql);
    let mut columns = Vec::new();
    let mut row_id = None;
    let Some(open) = sql.find('(') else { return (columns, row_id) };
    for part in split_definitions(sql.get(open + 1..).unwrap_or_default()) {
        let part = part.trim();
        let (name, rest) = identifier(part);
        let upper = rest.to_ascii_uppercase();
        let quoted = part.starts_with(['"', '`', '[', '\'']);
        let keyword = name.to_ascii_uppercase();
        if name.is_empty()
            || (!quoted
                && matches!(keyword.as_str(), "CONSTRAINT" | "PRIMARY" | "UNIQUE" | "CHECK" | "FOREIGN"))
        {
            continue;
        }
        if upper.trim_start().starts_with("INTEGER") && upper.contains("PRIMARY KEY") {
            row_id = Some(columns.len());
        }
        columns.push(name);
        if columns.len() >= MAX_COLUMNS {
            break;
        }
    }
    (columns, row_id)
}

/// Removes `-- ...` and `/* ... */` comments outside quotes.
fn without_comments(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '-' if rest.starts_with("--") => Some(rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => Some(rest.find("*/").map_or(rest.len(), |end| end + 2)),
            _ => None,
        };
        let taken = match (skipped, c) {
            (Some(skipped), _) => {
                out.push(' ');
                skipped
            }
            (None, '"' | '\'' | '`') => {
                let inner = rest.get(1..).unwrap_or_default();
                let end = inner.find(c).map_or(rest.len(), |end| end + 2);
                out.push_str(rest.get(..end).unwrap_or(rest));
                end
            }
            (None, _) => {
                out.push(c);
                c.len_utf8()
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    out
}

/// Splits at commas outside brackets and quotes, up to the closing bracket.
fn split_definitions(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut quote) = (0_usize, 0, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), _) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '[') => quote = Some(']'),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default());
                return parts;
            }
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// Returns the leading identifier of a definition, unquoted, and the rest.
fn identifier(text: &str) -> (String, &str) {
    let close = match text.chars().next() {
        Some(q @ ('"' | '`' | '\'')) => q,
        Some('[') => ']',
        _ => {
            let end = text.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(text.len());
            return (text[..end].to_owned(), text.get(end..).unwrap_or_default());
        }
    };
    let inner = text.get(1..).unwrap_or_default();
    match inner.find(close) {
        Some(end) => (inner[..end].to_owned(), inner.get(end + 1..).unwrap_or_default()),
        None => (inner.to_owned(), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn column_names_come_from_the_definition() {
        let (columns, row_id) = columns_of(
            "CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY,\n \"data type\" TEXT DEFAULT 'a,b', \
             `min_x` DOUBLE CHECK (min_x > (1,2)), [srs_id] INTEGER, CONSTRAINT fk FOREIGN KEY (srs_id) REFERENCES x(y))",
        );
        assert_eq!(columns, ["table_name", "data type", "min_x", "srs_id"]);
        assert_eq!(row_id, None);
        let (columns, _) = columns_of("CREATE TABLE t (a TEXT, -- it's \"a\", (b\n b /* , c */ TEXT)");
        assert_eq!(columns, ["a", "b"]);
        let (_, row_id) = columns_of("CREATE TABLE s (a TEXT, id INTEGER NOT NULL PRIMARY KEY)");
        assert_eq!(row_id, Some(1));
    }

    #[test]
    fn numbers_of_every_length_are_read() {
        let read = |bytes: &[u8]| varint(&mut ByteCursor::big_endian(bytes));
        assert_eq!(read(&[0x05]), Some(5));
        assert_eq!(read(&[0x81, 0x00]), Some(128));
        assert_eq!(read(&[0xff; 9]), Some(-1));
        assert_eq!(read(&[0x81]), None);
    }

    proptest! {
        #[test]
        fn no_bytes_panic_or_loop(page in prop::collection::vec(any::<u8>(), 0..2048), kind in prop::sample::select(vec![5_u8, 13, 2])) {
            let mut bytes = MAGIC.to_vec();
            bytes.extend([2, 0, 1, 1, 0]);
            bytes.resize(100, 0);
            bytes.push(kind);
            bytes.extend(&page);
            let file = SparseFile::from_bytes(bytes);
            if let Some(database) = SqliteFile::open(&file) {
                for table in database.read_tables() {
                    let _ = database.read_rows(&table, 1000);
                }
                let _ = database.missing_ranges();
            }
        }
    }
}
