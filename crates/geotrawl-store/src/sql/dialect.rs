//! Where the two engines speak differently: one function each, and nothing of the kind elsewhere.

use super::Conn;

impl Conn<'_> {
    fn either(self, lite: &'static str, postgres: &'static str) -> &'static str {
        match self {
            Conn::Lite(_) => lite,
            Conn::Pg(_) => postgres,
        }
    }

    /// Comparison with a pattern that does not tell capital letters from small ones (of ASCII, in both engines: our
    /// texts have the collation "C" in PostgreSQL).
    pub fn like_operator(self) -> &'static str {
        self.either("LIKE", "ILIKE")
    }

    /// A query for the last number that the table of events gave, also when its event is removed. PostgreSQL's
    /// counter runs ahead of what others can see, so there it is the last that can be seen.
    pub fn last_event_query(self) -> &'static str {
        self.either(
            "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)",
            "SELECT coalesce(max(seq), 0) FROM event",
        )
    }

    /// A query for the bytes that everything takes on disk.
    pub fn size_query(self) -> &'static str {
        self.either(
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c \
             WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'm')",
        )
    }

    /// The same for the table of changes.
    pub fn last_change_query(self) -> &'static str {
        self.either(
            "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'change'), 0)",
            "SELECT coalesce(max(seq), 0) FROM change",
        )
    }

    /// A statement that moves the change of the record with row `?1` to the end, at the time `?2`.
    pub fn move_change_statement(self) -> &'static str {
        self.either(
            "INSERT OR REPLACE INTO change (id, gone, kind, status, host, ip, software, languages, datasets, depth, \
             day, themes, score, at) SELECT c.id, c.gone, c.kind, c.status, c.host, c.ip, c.software, c.languages, \
             c.datasets, c.depth, c.day, c.themes, c.score, ?2 FROM change c JOIN resource r ON r.public_id = c.id \
             WHERE r.id = ?1",
            "UPDATE change SET seq = nextval('change_seq_seq'), at = ?2 \
             WHERE id = (SELECT public_id FROM resource WHERE id = ?1)",
        )
    }

    /// A query for a number that no task has had.
    pub fn next_task_query(self) -> &'static str {
        self.either("SELECT coalesce(max(id), 0) + 1 FROM task", "SELECT nextval('task_id_seq')")
    }

    /// A column that is part of a key and may be long: PostgreSQL's keys may not, so there its hash is the key.
    pub fn hashed_column(self, column: &str) -> String {
        match self {
            Conn::Lite(_) => column.to_owned(),
            Conn::Pg(_) => format!("md5({column})"),
        }
    }

    /// A hint for SQLite's planner; PostgreSQL's takes none.
    pub fn index_hint(self, hint: &'static str) -> &'static str {
        self.either(hint, "")
    }

    /// The function that says where in a text (first argument) another begins, from 1 on; 0 when nowhere.
    pub fn position_function(self) -> &'static str {
        self.either("instr", "strpos")
    }

    /// Order by bytes, for a column that has another in SQLite.
    pub fn binary_collation(self) -> &'static str {
        self.either(" COLLATE BINARY", "")
    }

    /// Conditions that lead an index near the place (`?1`, `?2`) in the order of kind and URL of `resource r`.
    pub fn records_condition(self) -> &'static str {
        self.either("", "(r.kind, left(r.url, 600)) >= (?1, left(?2, 600)) AND")
    }

    /// The order of kind and URL of `resource r`; indexes of PostgreSQL hold only the beginning of URLs.
    pub fn records_order(self) -> &'static str {
        self.either("r.kind, r.url", "r.kind, left(r.url, 600), r.url")
    }

    /// The row of a table of the frontier with this id: in PostgreSQL ids end in the shard, which is part of every key.
    pub fn id_condition(self, table: &str, id: &str) -> String {
        match self {
            Conn::Lite(_) => format!("{table}.id = {id}"),
            Conn::Pg(_) => format!("{table}.shard = ({id} & 255)::int4 AND {table}.id = {id}"),
        }
    }

    /// The row of the host of a row of the frontier.
    pub fn host_condition(self, host: &str, row: &str) -> String {
        match self {
            Conn::Lite(_) => format!("{host}.id = {row}.host"),
            Conn::Pg(_) => format!("{host}.shard = {row}.shard AND {host}.id = {row}.host"),
        }
    }
}
