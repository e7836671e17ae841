//! The same records in SQLite: FTS5 for words, an R-tree for boxes, a table for facets.
//!
//! Set up in favour of SQLite: contentless tables, one pass for the matches from which facets are
//! counted, its own stemmer, and two query plans, each measured. Facets with several values
//! (themes, CRS) are stored once per service and joined. It ranks by BM25 alone and returns neither
//! texts nor the matching layers of services, so it does less work.

use anyhow::Result;
use geotrawl_index::SearchTarget;
use geotrawl_model::change::RecordDocument;
use geotrawl_model::{Bbox, Status};
use geotrawl_testkit::documents::GeneratedCatalogue as Generated;
use rusqlite::{Connection, params};
use std::path::Path;

/// How the box is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlitePlan {
    /// Words first, then each match in the R-tree.
    Tree,
    /// Words first, then the box in columns of the match.
    Columns,
}

impl SqlitePlan {
    pub const ALL: [Self; 2] = [Self::Tree, Self::Columns];

    pub fn name(self) -> &'static str {
        match self {
            Self::Tree => "R-tree",
            Self::Columns => "box columns, no R-tree",
        }
    }
}

pub struct SqliteIndex {
    connection: Connection,
}

const SCHEMA: &str = "
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -600000; PRAGMA temp_store = MEMORY;
    CREATE VIRTUAL TABLE words USING fts5(title, name, keywords, text, service, content='', columnsize=1,
        tokenize='porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE places USING rtree(id, west, east, south, north);
    CREATE TABLE rows (id INTEGER PRIMARY KEY, west REAL, east REAL, south REAL, north REAL, kind TEXT, country TEXT,
        provider TEXT, status TEXT, quality INTEGER, licence TEXT, language TEXT, service INTEGER);
    CREATE TABLE themes (service INTEGER, value TEXT, PRIMARY KEY (service, value)) WITHOUT ROWID;
    CREATE TABLE crs (service INTEGER, value TEXT, PRIMARY KEY (service, value)) WITHOUT ROWID;";

impl SqliteIndex {
    /// Fills a file with services or layers.
    pub fn build(file: &Path, catalogue: &Generated, by: SearchTarget) -> Result<Self> {
        let connection = Connection::open(file)?;
        connection.execute_batch(SCHEMA)?;
        connection.execute_batch("BEGIN")?;
        {
            let mut words = connection.prepare(
                "INSERT INTO words (rowid, title, name, keywords, text, service) VALUES (?, ?, ?, ?, ?, ?)",
            )?;
            let mut places = connection.prepare("INSERT INTO places VALUES (?, ?, ?, ?, ?)")?;
            let mut rows =
                connection.prepare("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
            let mut themes = connection.prepare("INSERT OR IGNORE INTO themes VALUES (?, ?)")?;
            let mut crs = connection.prepare("INSERT OR IGNORE INTO crs VALUES (?, ?)")?;
            let mut id = 0_i64;
            for number in 0..catalogue.services {
                let RecordDocument { record, pages } = catalogue.document(number);
                let resource = &record.resource;
                for theme in &record.themes {
                    themes.execute(params![number as i64, theme.term])?;
                }
                for code in &resource.crs {
                    crs.execute(params![number as i64, &**code])?;
                }
                let mut add =
                    |title: &str, name: &str, keywords: &str, text: &str, service: &str, b: Bbox| {
                        id += 1;
                        words.execute(params![id, title, name, keywords, text, service])?;
                        places.execute(params![id, b.west, b.east, b.south, b.north])?;
                        rows.execute(params![
                            id,
                            b.west,
                            b.east,
                            b.south,
                            b.north,
                            resource.kind,
                            record.host.country,
                            resource.provider,
                            record.status.as_str(),
                            record.score.map(|score| score / 30),
                            resource.licence,
                            resource.languages[0],
                            number as i64
                        ])?;
                        Ok::<(), rusqlite::Error>(())
                    };
                let title = resource.title.as_deref().unwrap_or_default();
                let whole = resource.bbox.unwrap_or(Bbox { west: 0.0, south: 0.0, east: 0.0, north: 0.0 });
                if by == SearchTarget::Services {
                    // All words of a service in the index: of its layers, and of pages that link to
                    // it.
                    let mut layers = String::new();
                    for layer in &resource.datasets {
                        layers.extend([layer.title.as_deref().unwrap_or_default(), " ", &layer.name]);
                        layers.extend(layer.keywords.iter().flat_map(|word| [" ", word]));
                        layers.push(' ');
                    }
                    layers.extend(pages.iter().flat_map(|page| [page.title.as_str(), " ", &page.words, " "]));
                    let text = resource.abstract_.as_deref().unwrap_or_default();
                    let provider = resource.provider.as_deref().unwrap_or_default();
                    add(title, provider, &resource.keywords.join(" "), text, &layers, whole)?;
                    continue;
                }
                for layer in &resource.datasets {
                    add(
                        layer.title.as_deref().unwrap_or_default(),
                        &layer.name,
                        &layer.keywords.join(" "),
                        layer.abstract_.as_deref().unwrap_or_default(),
                        title,
                        layer.bbox.unwrap_or(whole),
                    )?;
                }
            }
        }
        connection.execute_batch("COMMIT; INSERT INTO words(words) VALUES ('optimize'); ANALYZE;")?;
        Ok(Self { connection })
    }

    /// Returns the number of hits after reading the best twenty and the facets. `words` is an FTS5
    /// query.
    pub fn search(&self, plan: SqlitePlan, words: &str, b: &Bbox) -> Result<u64> {
        let dead = Status::Dead.as_str();
        let join = match plan {
            SqlitePlan::Tree => {
                "JOIN places b ON b.id = words.rowid AND b.west <= ?3 AND b.east >= ?2 AND b.south <= ?5 AND \
                 b.north >= ?4 JOIN rows r ON r.id = words.rowid"
            }
            SqlitePlan::Columns => {
                "JOIN rows r ON r.id = words.rowid AND r.west <= ?3 AND r.east >= ?2 AND r.south <= ?5 AND \
                 r.north >= ?4"
            }
        };
        let fill = format!(
            "CREATE TEMP TABLE hits AS SELECT words.rowid AS id, bm25(words, 4, 3, 3, 1, 1) AS rank, r.kind, \
             r.country, r.provider, r.status, r.quality, r.licence, r.language, r.service FROM words {join} \
             WHERE words MATCH ?1 AND r.status <> '{dead}'"
        );
        self.connection.execute_batch("DROP TABLE IF EXISTS temp.hits")?;
        // Parameters are not allowed in CREATE TABLE AS; the values are numbers and quoted words of
        // our own.
        let fill = fill
            .replace("?1", &format!("'{}'", words.replace('\'', "''")))
            .replace("?2", &b.west.to_string())
            .replace("?3", &b.east.to_string())
            .replace("?4", &b.south.to_string())
            .replace("?5", &b.north.to_string());
        self.connection.execute_batch(&fill)?;
        let total: i64 = self.connection.query_row("SELECT count(*) FROM hits", [], |row| row.get(0))?;
        let mut best = self.connection.prepare_cached("SELECT id FROM hits ORDER BY rank LIMIT 20")?;
        let _: Vec<i64> = best.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        for facet in ["kind", "country", "provider", "status", "quality", "licence", "language"] {
            let count =
                format!("SELECT {facet}, count(*) AS n FROM hits GROUP BY 1 ORDER BY n DESC LIMIT 50");
            let mut count = self.connection.prepare(&count)?;
            let mut rows = count.query([])?;
            while rows.next()?.is_some() {}
        }
        for facet in ["themes", "crs"] {
            let mut count = self.connection.prepare(&format!(
                "SELECT f.value, sum(h.n) AS n FROM (SELECT service, count(*) AS n FROM hits GROUP BY 1) h JOIN {facet} f \
                 ON f.service = h.service GROUP BY 1 ORDER BY 2 DESC LIMIT 50"
            ))?;
            let mut rows = count.query([])?;
            while rows.next()?.is_some() {}
        }
        Ok(total as u64)
    }
}
