//! Excel workbook with services and layers. Rows are written to disk as they arrive.

use crate::{ExportError, RecordSource, csv};
use geotrawl_model::Record;
use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};
use std::io::{self, Write};

/// Maximum number of data rows per sheet: Excel's limit minus the header row.
const MOST_ROWS: u32 = 1_048_575;
/// Maximum length of a cell, in UTF-16 units as Excel counts.
const LONGEST: usize = 32_767;
/// Columns that are written as numbers.
const NUMBERS: &[&str] = &["dataset_count", "west", "south", "east", "north", "depth", "score"];
const LAYER_COLUMNS: &[&str] = &[
    "service", "kind", "url", "name", "title", "abstract", "keywords", "west", "south", "east", "north",
    "time",
];

impl From<XlsxError> for ExportError {
    fn from(error: XlsxError) -> Self {
        Self::Workbook(error.to_string())
    }
}

pub(crate) fn write_xlsx(give: &mut RecordSource<'_>, out: &mut dyn Write) -> Result<u64, ExportError> {
    let mut workbook = Workbook::new();
    let mut services = SheetTable::new("Services", csv::COLUMNS);
    let mut layers = SheetTable::new("Layers", LAYER_COLUMNS);
    // Create both sheets even if they stay empty, in this order; further sheets are added when one
    // is full.
    services.current_sheet(&mut workbook)?;
    layers.current_sheet(&mut workbook)?;
    let mut written = 0;
    give(&mut |record| {
        services.add_row(&mut workbook, &csv::record_row(record))?;
        for layer in &record.resource.datasets {
            layers.add_row(&mut workbook, &layer_row(record, layer))?;
        }
        written += 1;
        Ok(())
    })?;
    let mut file = tempfile::tempfile()?;
    workbook.save_to_writer(file.try_clone()?)?;
    io::Seek::rewind(&mut file)?;
    io::copy(&mut file, out)?;
    Ok(written)
}

fn layer_row(record: &Record, layer: &geotrawl_model::Dataset) -> [String; 12] {
    let side = |pick: fn(&geotrawl_model::Bbox) -> f64| {
        layer.bbox.as_ref().map(|bbox| pick(bbox).to_string()).unwrap_or_default()
    };
    [
        record.id.clone(),
        record.resource.kind.clone(),
        record.resource.url.clone(),
        layer.name.clone(),
        layer.title.clone().unwrap_or_default(),
        layer.abstract_.clone().unwrap_or_default(),
        layer.keywords.join("; "),
        side(|b| b.west),
        side(|b| b.south),
        side(|b| b.east),
        side(|b| b.north),
        layer.time.join(" "),
    ]
}

/// A table that continues on another sheet when one is full.
struct SheetTable {
    name: &'static str,
    columns: &'static [&'static str],
    /// Index of the current sheet in the workbook.
    sheet: Option<usize>,
    rows: u32,
    sheets: u32,
}

impl SheetTable {
    fn new(name: &'static str, columns: &'static [&'static str]) -> Self {
        Self { name, columns, sheet: None, rows: 0, sheets: 0 }
    }

    fn current_sheet<'w>(&mut self, workbook: &'w mut Workbook) -> Result<&'w mut Worksheet, ExportError> {
        if self.sheet.is_none() || self.rows == MOST_ROWS {
            self.sheets += 1;
            let sheet = workbook.add_worksheet_with_constant_memory()?;
            let name = if self.sheets == 1 {
                self.name.to_owned()
            } else {
                format!("{} {}", self.name, self.sheets)
            };
            sheet.set_name(name)?;
            sheet.set_freeze_panes(1, 0)?;
            let bold = Format::new().set_bold();
            for (column, name) in (0_u16..).zip(self.columns) {
                sheet.write_string_with_format(0, column, *name, &bold)?;
            }
            self.rows = 0;
            self.sheet = Some(workbook.worksheets().len() - 1);
        }
        Ok(workbook.worksheet_from_index(self.sheet.unwrap_or_default())?)
    }

    fn add_row(&mut self, workbook: &mut Workbook, fields: &[String]) -> Result<(), ExportError> {
        let columns = self.columns;
        let row = self.rows + 1;
        let sheet = self.current_sheet(workbook)?;
        // A new sheet starts at the top.
        let row = if row > MOST_ROWS { 1 } else { row };
        for ((column, name), field) in (0_u16..).zip(columns).zip(fields) {
            if field.is_empty() {
                continue;
            }
            match field.parse::<f64>() {
                Ok(number) if NUMBERS.contains(name) && number.is_finite() => {
                    sheet.write_number(row, column, number)?;
                }
                // Always write text as a string, so that nothing is executed as a formula.
                _ => {
                    sheet.write_string(row, column, cell_text(field))?;
                }
            }
        }
        self.rows = row;
        Ok(())
    }
}

/// Returns text as a cell can hold it.
fn cell_text(text: &str) -> String {
    let mut units = 0;
    text.chars()
        .filter(|c| {
            matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
        })
        .take_while(|c| {
            units += c.len_utf16();
            units <= LONGEST
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_what_excel_can_hold() {
        assert_eq!(cell_text("a\u{1}b\u{fffe}"), "ab");
        assert_eq!(cell_text(&"😀".repeat(20_000)).encode_utf16().count(), LONGEST - 1);
    }

    #[test]
    fn a_workbook_is_made() {
        let mut record = Record { id: "=1+1".into(), ..Record::default() };
        record.resource.title = Some("\u{2}@x".into());
        let mut out = Vec::new();
        assert_eq!(write_xlsx(&mut |take| take(&record), &mut out).unwrap(), 1);
        let archive = zip::ZipArchive::new(io::Cursor::new(out)).unwrap();
        assert!(archive.file_names().any(|name| name.unwrap() == "xl/worksheets/sheet2.xml"));
    }
}
