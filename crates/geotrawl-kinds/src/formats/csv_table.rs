//! The first rows of a CSV table: delimiter, header and values.
//!
//! The `csv` crate handles quoting; this module detects the delimiter.

/// Number of rows to read.
pub const MAX_ROWS: usize = 50;
/// Number of columns to read.
const MAX_COLUMNS: usize = 300;
/// Delimiters, most likely first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Header and first rows of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvTable {
    pub delimiter: u8,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Whether the text ended before [`MAX_ROWS`] rows.
    pub short: bool,
}

impl CsvTable {
    /// Parses the beginning of a text. Returns `None` if it is not a table.
    ///
    /// Set `whole` if the text ends where the file ends. Otherwise the last line may be cut and is
    /// ignored.
    pub fn parse(bytes: &[u8], whole: bool) -> Option<Self> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let bytes = if whole { bytes } else { bytes.get(..memchr::memrchr(b'\n', bytes)?)? };
        let tables = DELIMITERS.iter().filter_map(|delimiter| Self::by(*delimiter, bytes));
        // The right delimiter splits the header into the most columns.
        tables.max_by_key(|table| table.header.len())
    }

    fn by(delimiter: u8, bytes: &[u8]) -> Option<Self> {
        let first_line = bytes.get(..memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len()))?;
        memchr::memchr(delimiter, first_line)?;
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(bytes);
        let mut record = csv::ByteRecord::new();
        let text = |record: &csv::ByteRecord| -> Vec<String> {
            record.iter().take(MAX_COLUMNS).map(|f| String::from_utf8_lossy(f).trim().to_owned()).collect()
        };
        if !reader.read_byte_record(&mut record).ok()? || record.len() < 2 {
            return None;
        }
        let columns = record.len();
        let header = text(&record);
        let (mut rows, mut uneven, mut short) = (Vec::new(), 0, true);
        while reader.read_byte_record(&mut record).ok()? {
            if record.len() == columns {
                rows.push(text(&record));
            } else {
                uneven += 1;
            }
            if rows.len() + uneven >= MAX_ROWS {
                short = false;
                break;
            }
        }
        // Prose with commas has rows of uneven length.
        (!rows.is_empty() && uneven * 10 <= rows.len() + uneven).then_some(Self {
            delimiter,
            header,
            rows,
            short,
        })
    }

    /// Returns the values of a column.
    pub fn column_values(&self, at: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(move |row| row.get(at)).map(String::as_str)
    }

    /// Parses a number. A decimal comma is accepted unless the comma is the delimiter.
    pub fn parse_number(&self, text: &str) -> Option<f64> {
        let text = text.trim();
        let value = match text.parse() {
            Ok(value) => Some(value),
            Err(_) if self.delimiter != b',' && text.len() < 40 => text.replacen(',', ".", 1).parse().ok(),
            Err(_) => None,
        };
        value.filter(|v: &f64| v.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_delimiter_is_found() {
        let table = CsvTable::parse(b"a;b;c\r\n1,5;2;\"x;y\"\r\n3;4;5\r\n", true).unwrap();
        assert_eq!((table.delimiter, table.rows.len()), (b';', 2));
        assert_eq!(table.rows[0][2], "x;y");
        assert_eq!(table.parse_number("1,5"), Some(1.5));
        assert_eq!(
            CsvTable::parse(b"Dear all,\nthis is a letter.\nIt has, here and there, a comma.\n", true),
            None
        );
        assert_eq!(
            CsvTable::parse(b"a,b\n1,2\n3,", false).unwrap().rows.len(),
            1,
            "the cut line is left out"
        );
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), whole in any::<bool>()) {
            let _ = CsvTable::parse(&bytes, whole);
        }
    }
}
