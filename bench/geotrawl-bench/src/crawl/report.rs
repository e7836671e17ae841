//! The report: a table for people, JSON for programs.

use super::bars::BarVerdict;
use super::frontier::FrontierReport;
use super::peers::MissingPeer;
use super::rounds::{PeerRow, PeerRun, describe_layout};
use super::serve::SiteInfo;
use crate::statistics::FigureSpread;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Everything that was measured.
pub struct BenchReport {
    pub machine: Value,
    pub pinning: String,
    pub repeats: usize,
    pub sites: Vec<SiteInfo>,
    pub rows: Vec<PeerRow>,
    pub missing: Vec<MissingPeer>,
    pub frontier: Option<FrontierReport>,
    pub bars: Vec<BarVerdict>,
    pub remarks: Vec<String>,
}

impl BenchReport {
    /// Formats the report for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for site in &self.sites {
            let (pages, kilobytes) = (site.pages, site.mean_bytes as f64 / 1e3);
            let hosts = if site.hosts == 1 { "one host".to_owned() } else { format!("{} hosts", site.hosts) };
            let _ = writeln!(text, "site: {pages} pages of {kilobytes:.1} KB on {hosts}");
        }
        let rounds = match self.repeats {
            1 => "one round".to_owned(),
            repeats => format!("median of {repeats} rounds (least to most)"),
        };
        let _ = writeln!(text, "{}; {rounds}\n", self.pinning);
        text.push_str(&aligned(&self.table()));
        for missing in &self.missing {
            let _ = writeln!(text, "not measured: {} ({})", missing.peer, missing.reason);
        }
        if let Some(frontier) = &self.frontier {
            let _ = writeln!(
                text,
                "\nfrontier: {} known URLs, each {:.1} B of memory and {:.0} B on disk; {:.0} links per CPU s, \
                 slowest {:.0} a second; restart {:.2} s; peak {:.0} MB",
                frontier.known,
                frontier.memory_bytes_per_known_url,
                frontier.disk_bytes_per_known_url,
                frontier.links_per_cpu_s,
                frontier.slowest_rate(),
                frontier.restart_s,
                frontier.peak_rss_bytes as f64 / 1e6
            );
        }
        text.push('\n');
        let bars: Vec<Vec<String>> = self.bars.iter().map(bar_cells).collect();
        text.push_str(&aligned(&bars));
        for remark in &self.remarks {
            let _ = writeln!(text, "note: {remark}");
        }
        text
    }

    /// Returns the report as JSON.
    pub fn to_json(&self) -> Value {
        let rows: Vec<Value> = self.rows.iter().map(row_json).collect();
        json!({
            "machine": self.machine,
            "pinning": self.pinning,
            "repeats": self.repeats,
            "sites": self.sites,
            "peers": rows,
            "missing": self.missing,
            "frontier": self.frontier.as_ref().map(|frontier| &frontier.all),
            "bars": self.bars,
            "remarks": self.remarks,
        })
    }

    fn table(&self) -> Vec<Vec<String>> {
        let titles = [
            "",
            "site",
            "pages/s",
            "CPU s / 1,000 pages",
            "peak MB",
            "memory B/URL",
            "disk B/URL",
            "further requests",
        ];
        let mut table = vec![titles.map(str::to_owned).to_vec()];
        table.extend(self.rows.iter().map(|row| row_cells(row, titles.len())));
        table
    }
}

fn row_cells(row: &PeerRow, columns: usize) -> Vec<String> {
    let mut cells = vec![row.title.clone(), describe_layout(row.site).to_owned()];
    if let Some(failure) = &row.failure {
        let first = failure.lines().next().unwrap_or_default();
        cells.push(format!("failed: {}", first.chars().take(60).collect::<String>()));
    } else {
        cells.push(ranged(row.spread(PeerRun::pages_per_second), 0));
        cells.push(ranged(row.spread(PeerRun::cpu_per_1000_pages), 3));
        cells.push(ranged(row.spread(|run| run.usage.peak_rss_bytes as f64 / 1e6), 0));
        cells.push(median(row.spread(PeerRun::memory_per_url)));
        let disk = FigureSpread::from_figures(
            row.runs.iter().filter_map(|run| Some(run.disk_bytes? as f64 / run.pages as f64)),
        );
        cells.push(median(disk));
        cells.push(median(row.spread(|run| run.further_requests as f64)));
    }
    cells.resize(columns, String::new());
    cells
}

fn row_json(row: &PeerRow) -> Value {
    json!({
        "peer": row.peer,
        "title": row.title,
        "site": row.site,
        "failure": row.failure,
        "pages_per_second": row.spread(PeerRun::pages_per_second),
        "cpu_s_per_1000_pages": row.spread(PeerRun::cpu_per_1000_pages),
        "peak_rss_bytes": row.spread(|run| run.usage.peak_rss_bytes as f64),
        "memory_bytes_per_known_url": row.spread(PeerRun::memory_per_url),
        "disk_bytes_per_known_url":
            FigureSpread::from_figures(row.runs.iter().filter_map(|run| Some(run.disk_bytes? as f64 / run.pages as f64))),
        "runs": row.runs,
    })
}

fn bar_cells(bar: &BarVerdict) -> Vec<String> {
    let verdict = match bar.passed {
        Some(true) => "PASS",
        Some(false) => "FAIL",
        None => "not measured",
    };
    let digits = if bar.limit < 100.0 { 3 } else { 0 };
    let limit =
        format!("{} {:.digits$} {}", if bar.at_least { "at least" } else { "at most" }, bar.limit, bar.unit);
    vec![verdict.to_owned(), bar.name.clone(), ranged(bar.figure, digits), limit]
}

fn ranged(spread: Option<FigureSpread>, digits: usize) -> String {
    match spread {
        None => "-".to_owned(),
        Some(FigureSpread { median, least, most }) if (most - least).abs() < f64::EPSILON => {
            format!("{median:.digits$}")
        }
        Some(FigureSpread { median, least, most }) => {
            format!("{median:.digits$} ({least:.digits$} to {most:.digits$})")
        }
    }
}

fn median(spread: Option<FigureSpread>) -> String {
    spread.map_or_else(|| "-".to_owned(), |spread| format!("{:.0}", spread.median))
}

/// Aligns columns to their widest cell, separated by two spaces.
fn aligned(table: &[Vec<String>]) -> String {
    let columns = table.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        table
            .iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in table {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:<width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let text = aligned(&[row(["", "pages/s", "x"]), row(["floor", "7", ""])]);
        assert_eq!(text, "       pages/s  x\nfloor  7\n");
    }

    #[test]
    fn a_range_is_shown_only_where_there_is_one() {
        assert_eq!(ranged(FigureSpread::from_figures([1.5]), 2), "1.50");
        assert_eq!(ranged(FigureSpread::from_figures([1.0, 2.0, 4.0]), 1), "2.0 (1.0 to 4.0)");
        assert_eq!(ranged(None, 1), "-");
    }
}
