//! SQLite files: reads the schema and determines which other pages are needed.

use super::examine::{FileExamination, FileRequest, FileView};
use crate::formats::sqlite::{MAGIC, SqliteFile, TableSchema};
use geotrawl_model::Issue;

/// Files up to this size are fetched with one more request; page by page it would take three or
/// four.
const SMALL: u64 = 384 * 1024;
/// Pages up to this far apart are fetched in one range.
const GAP: u64 = 64 * 1024;
/// Maximum length of a range of pages.
const MAX_SPAN: u64 = 512 * 1024;

/// Examines an SQLite file with `read`, which gets its tables. Returns `None` for other files and
/// if `read` does. Pages that `read` found missing become requests.
pub fn examine_sqlite(
    view: &FileView<'_>,
    read: impl FnOnce(&SqliteFile<'_>, &[TableSchema]) -> Option<FileExamination>,
) -> Option<FileExamination> {
    if !view.file.head().starts_with(MAGIC) {
        return None;
    }
    let database = SqliteFile::open(view.file)?;
    let tables = database.read_tables();
    let mut examined = read(&database, &tables)?;
    examined.wants = wants(view, &database);
    if !examined.wants.is_empty() || !database.missing_ranges().is_empty() {
        examined.add_issue(Issue::new("read-partly", "not all pages that describe the file could be read"));
    }
    Some(examined)
}

/// Returns requests for the missing pages, merging pages that are close together, in order of first
/// use.
fn wants(view: &FileView<'_>, database: &SqliteFile<'_>) -> Vec<FileRequest> {
    let lacking = database.missing_ranges();
    let Some(&(first, mut last)) = lacking.first() else { return Vec::new() };
    let (file, ranges_fail) = (view.file, view.ranges_fail);
    if let Some(total) = file.total().filter(|total| *total <= SMALL) {
        let rest = file.missing_range(0, total.saturating_sub(1));
        let whole = ranges_fail.then_some(FileRequest::Whole(SMALL));
        return whole.or(rest.map(|(from, to)| FileRequest::Span(from, to))).into_iter().collect();
    }
    let mut spans = Vec::new();
    let mut start = first;
    for (from, to) in lacking.into_iter().skip(1) {
        if from > last + GAP || to - start > MAX_SPAN {
            spans.push((start, last));
            start = from;
        }
        last = to;
    }
    spans.push((start, last));
    spans
        .into_iter()
        .filter_map(|(from, to)| {
            // Adjacent pages are usually needed next, so read some of them along.
            let to = to.max(from + GAP / 2).min(file.total().map_or(u64::MAX, |t| t.saturating_sub(1)));
            file.missing_range(from, to).map(|(from, to)| FileRequest::Span(from, to))
        })
        .collect()
}
