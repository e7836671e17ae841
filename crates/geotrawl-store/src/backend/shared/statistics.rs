//! Statistics of the whole catalogue, computed from the small rows of its changes without reading
//! datasets or pages. They are recomputed only after changes, and at most every few seconds.

use super::database_error::DatabaseResult;
use crate::sql::{self, Conn, read_row};
use geotrawl_model::statistics::{CatalogueStatistics, DepthTotals, Totals};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum age of cached statistics while the catalogue is growing.
const FRESH: Duration = Duration::from_secs(2);
/// Maximum number of distinct names; the rest counts as `other`.
const MOST_NAMES: usize = 200;

/// Cache of the latest statistics.
#[derive(Default)]
pub(crate) struct StatisticsCache(Mutex<Option<(CatalogueVersion, Instant, CatalogueStatistics)>>);

/// What the statistics depend on: the last change and the number of fetched pages.
pub(crate) type CatalogueVersion = (i64, i64);

impl StatisticsCache {
    /// Returns the cached statistics if they are still valid.
    pub fn get(&self, now: CatalogueVersion) -> Option<CatalogueStatistics> {
        let counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counted
            .as_ref()
            .filter(|(then, at, _)| *then == now || at.elapsed() < FRESH)
            .map(|(_, _, all)| all.clone())
    }

    /// Caches the statistics.
    pub fn put(&self, now: CatalogueVersion, all: &CatalogueStatistics) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Instant::now(), all.clone()));
    }
}

/// Returns the current version of the catalogue.
pub(crate) fn catalogue_version(conn: Conn<'_>) -> DatabaseResult<CatalogueVersion> {
    Ok((super::changes::last_sequence_number(conn)?, pages(conn)?))
}

fn pages(conn: Conn<'_>) -> DatabaseResult<i64> {
    Ok(conn.query_row("SELECT coalesce(sum(pages), 0) FROM run", [], read_row)?)
}

/// Counts records, datasets and hosts.
pub(crate) fn count_totals(conn: Conn<'_>) -> DatabaseResult<Totals> {
    let mut select = conn.prepare_cached(
        "SELECT count(*), coalesce(sum(datasets), 0), count(DISTINCT host) FROM change WHERE gone = 0",
    )?;
    Ok(select.query_row([], |row| {
        let count = |at| row.get::<u64>(at);
        Ok(Totals { records: count(0)?, datasets: count(1)?, hosts: count(2)? })
    })?)
}

/// Computes all statistics.
pub(crate) fn compute_statistics(conn: Conn<'_>) -> DatabaseResult<CatalogueStatistics> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let Totals { records, datasets, hosts } = count_totals(tx)?;
    let mut all = CatalogueStatistics {
        records,
        datasets,
        hosts,
        pages: pages(tx)?.max(0) as u64,
        kinds: count_by(tx, "kind")?,
        statuses: count_by(tx, "status")?,
        software: count_by(tx, "software")?.into_iter().fold(BTreeMap::new(), |mut names, (name, n)| {
            *names.entry(product(&name)).or_default() += n;
            names
        }),
        ..CatalogueStatistics::default()
    };
    keep_most(&mut all.software);
    for (list, n) in count_by(tx, "languages")? {
        for language in serde_json::from_str::<Vec<String>>(&list)? {
            *all.languages.entry(language).or_default() += n;
        }
    }
    keep_most(&mut all.languages);
    for (list, n) in count_by(tx, "themes")? {
        for theme in serde_json::from_str::<Vec<String>>(&list)? {
            *all.themes.entry(theme).or_default() += n;
        }
    }
    keep_most(&mut all.themes);
    all.by_host = count_by_host(tx)?;
    let mut statuses =
        tx.prepare_cached("SELECT status, kind, count(*) FROM change WHERE gone = 0 GROUP BY status, kind")?;
    let mut rows = statuses.query([])?;
    while let Some(row) = rows.next()? {
        let kinds: &mut BTreeMap<String, u64> = all.status_kinds.entry(row.get(0)?).or_default();
        kinds.insert(row.get(1)?, row.get(2)?);
    }
    let mut addresses = tx.prepare_cached(
        "SELECT ip, kind, count(*) FROM change WHERE gone = 0 AND ip IS NOT NULL GROUP BY ip, kind",
    )?;
    let mut rows = addresses.query([])?;
    while let Some(row) = rows.next()? {
        let kinds: &mut BTreeMap<String, u64> = all.addresses.entry(row.get(0)?).or_default();
        kinds.insert(row.get(1)?, row.get(2)?);
    }
    all.levels = count_levels(tx)?;
    all.growth = count_growth(tx)?;
    Ok(all)
}

fn count_by(conn: Conn<'_>, column: &str) -> DatabaseResult<BTreeMap<String, u64>> {
    let sql = format!(
        "SELECT {column}, count(*) FROM change WHERE gone = 0 AND {column} IS NOT NULL GROUP BY {column}"
    );
    let mut select = conn.prepare_cached(&sql)?;
    let counts = select.query_map([], read_row)?.collect::<sql::Result<_>>()?;
    Ok(counts)
}

fn count_by_host(conn: Conn<'_>) -> DatabaseResult<BTreeMap<String, u64>> {
    let mut select = conn.prepare_cached(
        "SELECT host, count(*) FROM change WHERE gone = 0 GROUP BY host ORDER BY 2 DESC, 1 LIMIT ?1",
    )?;
    let counts = select.query_map([MOST_NAMES as i64], read_row)?.collect::<sql::Result<_>>()?;
    Ok(counts)
}

/// Returns the product name without version: `MapServer 8.0.1` and `MapServer/7.6` both become
/// `MapServer`.
fn product(software: &str) -> String {
    let name =
        software.split(|c: char| c == '/' || c == '(' || c.is_ascii_digit()).next().unwrap_or_default();
    let name = name.trim().trim_end_matches([' ', '-', 'v']);
    let name = if name.is_empty() { software.trim() } else { name };
    name.chars().take(60).collect()
}

/// Merges rare names into `other`, because servers choose these names freely.
fn keep_most(names: &mut BTreeMap<String, u64>) {
    if names.len() <= MOST_NAMES {
        return;
    }
    let mut ranked: Vec<(String, u64)> = std::mem::take(names).into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let rest: u64 = ranked.iter().skip(MOST_NAMES).map(|(_, n)| n).sum();
    ranked.truncate(MOST_NAMES);
    names.extend(ranked);
    *names.entry("other".into()).or_default() += rest;
}

fn count_levels(conn: Conn<'_>) -> DatabaseResult<Vec<DepthTotals>> {
    let mut all: BTreeMap<u32, DepthTotals> = BTreeMap::new();
    let mut pages = conn.prepare_cached("SELECT depth, pages FROM level")?;
    let mut rows = pages.query([])?;
    while let Some(row) = rows.next()? {
        let depth = row.get(0)?;
        all.entry(depth).or_insert(DepthTotals { depth, ..DepthTotals::default() }).pages = row.get(1)?;
    }
    let mut found =
        conn.prepare_cached("SELECT depth, count(*) FROM change WHERE gone = 0 GROUP BY depth")?;
    let mut rows = found.query([])?;
    while let Some(row) = rows.next()? {
        let depth = row.get(0)?;
        all.entry(depth).or_insert(DepthTotals { depth, ..DepthTotals::default() }).found = row.get(1)?;
    }
    Ok(all.into_values().collect())
}

fn count_growth(conn: Conn<'_>) -> DatabaseResult<Vec<(String, u64)>> {
    let mut select =
        conn.prepare_cached("SELECT day, count(*) FROM change WHERE gone = 0 GROUP BY day ORDER BY day")?;
    let mut rows = select.query([])?;
    let (mut growth, mut known) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let day: i64 = row.get(0)?;
        known += row.get::<u64>(1)?;
        let moment = super::moment::from_micros(day.saturating_mul(86_400_000_000));
        let date: String = moment.to_string().chars().take(10).collect();
        growth.push((date, known));
    }
    Ok(growth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_product_count_together() {
        for (given, name) in [
            ("MapServer 8.0.1", "MapServer"),
            ("GeoServer", "GeoServer"),
            ("deegree/3.4", "deegree"),
            ("52n", "52n"),
        ] {
            assert_eq!(product(given), name);
        }
    }

    #[test]
    fn rare_names_count_as_other() {
        let mut names: BTreeMap<String, u64> = (0..300).map(|n| (format!("s{n}"), 300 - n)).collect();
        let sum: u64 = names.values().sum();
        keep_most(&mut names);
        assert_eq!(names.len(), MOST_NAMES + 1);
        assert_eq!(names.values().sum::<u64>(), sum);
    }
}
