//! Reads seeds from tables.

use super::{Seed, SeedListReport, address};
use std::io::{BufRead, BufReader, Cursor, Read};

/// Header names of the address column, most reliable first.
const URL: &[&str] = &["url", "link", "href", "address", "endpoint", "website", "homepage", "uri"];
const KIND: &[&str] = &["kind", "type", "service", "protocol", "format"];
const TITLE: &[&str] = &["title", "name", "label", "titel", "titre"];
const COUNTRY: &[&str] = &["country", "country_code", "iso", "land", "pays"];

/// Reads a table, with or without a header row.
pub fn read_rows(mut input: impl BufRead, take: &mut dyn FnMut(Seed) -> bool, told: &mut SeedListReport) {
    let first = match input.fill_buf() {
        Ok(start) => start.split(|byte| *byte == b'\n').next().unwrap_or_default().to_vec(),
        Err(error) => return told.problem("the table", error),
    };
    let delimiter = [b',', b';', b'\t', b'|']
        .into_iter()
        .max_by_key(|delimiter| first.split(|byte| byte == delimiter).count())
        .unwrap_or(b',');
    let mut input = BufReader::new(input);
    // A byte order mark would become part of the first column's name.
    let mut mark = [0; 3];
    let read = input.read(&mut mark).unwrap_or(0);
    let mark = &mark[..read];
    let start = Cursor::new(mark.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(mark).to_vec());
    let mut rows = ::csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .has_headers(false)
        .from_reader(start.chain(input));
    let mut columns: Option<CsvColumns> = None;
    let mut row = ::csv::ByteRecord::new();
    for number in 1_u64.. {
        match rows.read_byte_record(&mut row) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) if error.is_io_error() => return told.problem("the table", error),
            Err(error) => {
                told.problem(format_args!("row {number}"), error);
                continue;
            }
        }
        let cells: Vec<String> =
            row.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect();
        let Some(columns) = &columns else {
            let found = CsvColumns::of(&cells);
            let is_header = found.named;
            columns = Some(found);
            if is_header {
                continue;
            }
            let Some(columns) = &columns else { continue };
            if !one(columns, &cells, number, take, told) {
                return;
            }
            continue;
        };
        if !one(columns, &cells, number, take, told) {
            return;
        }
    }
}

fn one(
    columns: &CsvColumns,
    cells: &[String],
    number: u64,
    take: &mut dyn FnMut(Seed) -> bool,
    told: &mut SeedListReport,
) -> bool {
    let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).filter(|cell| !cell.is_empty()).cloned();
    let Some(text) = cell(Some(columns.url)) else { return true };
    match address(&text) {
        Ok(url) => take(Seed {
            url: url.into(),
            kind: cell(columns.kind).map(|kind| kind.to_ascii_lowercase()),
            title: cell(columns.title),
            country: cell(columns.country),
        }),
        Err(cause) => {
            told.problem(format_args!("row {number}"), cause);
            true
        }
    }
}

/// Positions of the columns.
struct CsvColumns {
    /// Whether the first row is a header.
    named: bool,
    url: usize,
    kind: Option<usize>,
    title: Option<usize>,
    country: Option<usize>,
}

impl CsvColumns {
    fn of(first: &[String]) -> Self {
        let find = |names: &[&str]| {
            names.iter().find_map(|name| first.iter().position(|cell| cell.eq_ignore_ascii_case(name)))
        };
        if let Some(url) = find(URL) {
            return Self { named: true, url, kind: find(KIND), title: find(TITLE), country: find(COUNTRY) };
        }
        // Without a header, the first cell that is an address determines the column.
        let url = first.iter().position(|cell| cell.contains("://")).unwrap_or(0);
        Self { named: false, url, kind: None, title: None, country: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> (Vec<Seed>, SeedListReport) {
        let (mut seeds, mut told) = (Vec::new(), SeedListReport::default());
        read_rows(
            text.as_bytes(),
            &mut |seed| {
                seeds.push(seed);
                true
            },
            &mut told,
        );
        (seeds, told)
    }

    #[test]
    fn columns_are_found_by_name() {
        let (seeds, told) =
            all("\u{feff}Name;URL;Type\n\"A; b\";https://a.example/csw;CSW\n;;\nC;no address at all;WMS\n");
        assert_eq!(seeds.len(), 1);
        assert_eq!((seeds[0].title.as_deref(), seeds[0].kind.as_deref()), (Some("A; b"), Some("csw")));
        assert_eq!(told.problems.len(), 1);
        assert!(told.problems[0].starts_with("row 4"), "{:?}", told.problems);
    }

    #[test]
    fn without_names_the_first_address_shows_the_column() {
        let (seeds, _) = all("A,https://a.example/\nB,https://b.example/\n");
        assert_eq!(
            seeds.iter().map(|seed| seed.url.as_str()).collect::<Vec<_>>(),
            ["https://a.example/", "https://b.example/"]
        );
    }
}
