//! What everything costs: one table, each line with its source. Times are seconds, sizes bytes.

/// A cost, or a number that costs depend on.
pub struct Line {
    /// What it is.
    pub name: &'static str,
    /// In which unit `value` is shown.
    pub unit: &'static str,
    /// Shown value times this is the stored one.
    pub scale: f64,
    /// Measured how, or assumed why.
    pub source: &'static str,
    /// Where it stands.
    pub field: fn(&mut Costs) -> &mut f64,
}

/// All of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Costs {
    pub latency: f64,
    pub delay: f64,
    pub page_bytes: f64,
    pub worker_hosts: f64,
    pub worker_cores: f64,
    pub page_cpu: f64,
    pub batch_age: f64,
    pub batch_pages: f64,
    pub round_trip: f64,
    pub commit_fixed: f64,
    pub commit_page: f64,
    pub keys_asked: f64,
    pub commit_key: f64,
    pub driver_share: f64,
    pub look: f64,
    pub lend: f64,
    pub read_pending: f64,
    pub items_a_read: f64,
    pub renew: f64,
    pub renew_every: f64,
    pub commit_trips: f64,
    pub tail_trips: f64,
    pub statement: f64,
    pub flush: f64,
    pub redirects: f64,
    pub redirect_statements: f64,
    pub finds: f64,
    pub find_trips: f64,
    pub cold_reads: f64,
    pub seen_row: f64,
    pub wal_page: f64,
    pub dirty_pages: f64,
    pub checkpoint: f64,
}

const MILLI: f64 = 1e-3;
const MICRO: f64 = 1e-6;

/// Measured on a throw-away PostgreSQL 15 (2 cores, NVMe, shared_buffers 2 GB, 3 million known links, 20,000 hosts): the
/// statements of the frontier, by the server's clock. To be replaced by `shared_frontier_bench` when it has been run.
const STATEMENTS: &str = "measured: the statement alone, by the server's clock";
const ASSUMED: &str = "assumed";

macro_rules! lines {
    ($($field:ident, $value:expr, $unit:expr, $scale:expr, $name:expr, $source:expr;)*) => {
        impl Default for Costs {
            fn default() -> Self {
                Self { $($field: $value * $scale),* }
            }
        }

        /// The table.
        pub const TABLE: &[Line] = &[$(Line {
            name: $name, unit: $unit, scale: $scale, source: $source, field: |costs| &mut costs.$field,
        }),*];
    };
}

lines! {
    latency, 100.0, "ms", MILLI, "answer of a host", "the bar of the issue; the web's median is two to five times that";
    delay, 1000.0, "ms", MILLI, "pause after an answer", "default of fetch.politeness.delay; at least twice the answer";
    page_bytes, 39.0, "kB", 1e3, "a page", "the bench's page (docs/performance.md)";
    worker_hosts, 512.0, "", 1.0, "hosts that a worker holds", "default of fetch.concurrency: no more are borrowed than requests may be under way";
    worker_cores, 2.0, "", 1.0, "cores of a worker", ASSUMED;
    page_cpu, 0.149, "ms", MILLI, "CPU of a worker for a page", "measured: 0.149 s for 1,000 pages (docs/performance.md)";
    batch_age, 250.0, "ms", MILLI, "age at which a batch is committed", "OLDEST of the writer";
    batch_pages, 500.0, "", 1.0, "most pages of a batch", "MOST_LINKS of the writer at 60 links a page";
    round_trip, 0.2, "ms", MILLI, "round trip to the database", "assumed: another machine of the same data centre";
    commit_fixed, 180.0, "µs", MICRO, "a commit, whatever is in it", STATEMENTS;
    commit_page, 16.0, "µs", MICRO, "a page of a commit: loan, queue, page, host", STATEMENTS;
    keys_asked, 33.0, "", 1.0, "links of a page that the database is asked for", "of 60: 27 of navigation are answered by the worker's memory, as in the bench";
    commit_key, 2.4, "µs", MICRO, "a link asked for", STATEMENTS;
    driver_share, 1.5, "times", 1.0, "with protocol, planning, TLS and vacuum", "assumed until the frontier's bench says";
    look, 26.0, "ms", MILLI, "looking for hosts with work in all 256 shards", STATEMENTS;
    lend, 17.0, "µs", MICRO, "lending a host, and taking it back", "as renewing it";
    read_pending, 24.0, "µs", MICRO, "reading the next items of a host", STATEMENTS;
    items_a_read, 16.0, "", 1.0, "items that such a read gives", "READ_MORE of the worker's queue";
    renew, 17.0, "µs", MICRO, "renewing the loan of a host", STATEMENTS;
    renew_every, 20.0, "s", 1.0, "how often", "a loan lasts 2 minutes and is renewed six times";
    commit_trips, 7.0, "", 1.0, "round trips of a commit before its end", "counted in the code: hosts, BEGIN, loans, queue, known links, rows, redirects";
    tail_trips, 4.0, "", 1.0, "round trips while the row of the run is locked", "counted in the code: two tables of depths, the run, COMMIT";
    statement, 15.0, "µs", MICRO, "a small statement", STATEMENTS;
    flush, 0.5, "ms", MILLI, "flushing the log at the end of a commit", "assumed: here 0.08 ms by pg_test_fsync, with a replica or a network disk more";
    redirects, 0.05, "", 1.0, "pages that redirect", ASSUMED;
    redirect_statements, 2.0, "", 1.0, "statements for a redirect, sent together with others", "counted in the code: the target, and the link to it";
    finds, 0.001, "", 1.0, "finds a page", "assumed: a service or file in 1,000 pages";
    find_trips, 25.0, "", 1.0, "statements for a find, under the catalogue's lock", "assumed: a record with its evidence, provenance, events";
    cold_reads, 22.0, "", 1.0, "index and table pages of known links that a page touches anywhere", "a third of the links lead to other hosts: 11, each in index and table";
    seen_row, 125.0, "bytes", 1.0, "a known link on disk, with its index", "measured: pg_total_relation_size";
    wal_page, 1145.0, "bytes", 1.0, "log for a page", "measured: pg_wal_lsn_diff";
    dirty_pages, 3.0, "", 1.0, "pages of tables that a page of the web makes dirty", "a new link: leaf and table of known links, queue";
    checkpoint, 900.0, "s", 1.0, "from one checkpoint to the next", "compose.yaml";
}

impl Costs {
    /// From the beginning of one request to a host to the beginning of the next.
    pub fn cycle(&self) -> f64 {
        self.latency + self.delay.max(2.0 * self.latency)
    }

    /// Processor time of the database for the pages of a batch.
    pub fn commit_cpu(&self, pages: f64) -> f64 {
        let redirects = self.redirects * self.redirect_statements * self.statement;
        let page = self.commit_page + self.keys_asked * self.commit_key + redirects;
        self.driver_share * (self.commit_fixed + pages * page)
    }

    /// Processor time of the database to look for hosts and lend so many.
    pub fn lease_cpu(&self, hosts: f64) -> f64 {
        self.driver_share * (self.look + hosts * self.lend)
    }

    /// How long a batch has the last part of its commit to itself: the catalogue, then the row of its run.
    pub fn tail(&self, pages: f64) -> f64 {
        let trip = self.round_trip + self.statement;
        self.tail_trips * trip + self.flush + pages * trip * self.finds * self.find_trips
    }

    /// How long a worker waits for the database when nobody else asks it.
    pub fn commit_time(&self, pages: f64) -> f64 {
        self.commit_trips * self.round_trip + self.commit_cpu(pages) + self.tail(pages)
    }
}

/// A database.
#[derive(Debug, Clone)]
pub struct Database {
    pub name: &'static str,
    pub cores: f64,
    /// Memory for pages of tables, of all servers together.
    pub cache: f64,
    /// Random reads a second, and bytes written a second.
    pub reads: f64,
    pub writes: f64,
    /// What a statement that goes to several servers costs more, as a share of its own cost.
    pub spreading: f64,
    /// What the end of a commit takes longer, in flushes and round trips: two phases.
    pub phases: f64,
}

impl Database {
    /// How long the serial end of a commit takes there.
    pub fn tail(&self, costs: &Costs, pages: f64) -> f64 {
        costs.tail(pages) + self.phases * (costs.flush + costs.round_trip)
    }
}

/// One server that many have, the largest that one buys, and servers side by side.
pub const DATABASES: &[Database] = &[
    Database {
        name: "one server",
        cores: 16.0,
        cache: 96e9,
        reads: 2e5,
        writes: 1e9,
        spreading: 0.0,
        phases: 0.0,
    },
    Database {
        name: "partitioned",
        cores: 64.0,
        cache: 384e9,
        reads: 8e5,
        writes: 4e9,
        spreading: 0.0,
        phases: 0.0,
    },
    Database {
        name: "Citus, 4 nodes",
        cores: 64.0,
        cache: 384e9,
        reads: 8e5,
        writes: 4e9,
        spreading: 0.5,
        phases: 2.0,
    },
    Database {
        name: "Citus, 16 nodes",
        cores: 256.0,
        cache: 1536e9,
        reads: 3.2e6,
        writes: 16e9,
        spreading: 0.5,
        phases: 2.0,
    },
];
