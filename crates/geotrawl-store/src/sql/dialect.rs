//! SQL fragments that differ between SQLite and PostgreSQL. All dialect differences live here.

use super::Conn;

impl Conn<'_> {
    fn either(self, lite: &'static str, postgres: &'static str) -> &'static str {
        match self {
            Conn::Lite(_) => lite,
            Conn::Pg(_) => postgres,
        }
    }

    /// Returns the operator that matches a pattern ignoring ASCII case. Both engines agree on ASCII
    /// only: our PostgreSQL text columns use the collation "C".
    pub fn like_operator(self) -> &'static str {
        self.either("LIKE", "ILIKE")
    }

    /// Returns a query for the highest event number assigned so far, including numbers of deleted
    /// events. In PostgreSQL it returns the highest visible number instead, because the sequence
    /// runs ahead of commits.
    pub fn last_event_query(self) -> &'static str {
        self.either(
            "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)",
            "SELECT coalesce(max(seq), 0) FROM event",
        )
    }

    /// Returns a query for the size of the whole store on disk, in bytes.
    pub fn size_query(self) -> &'static str {
        self.either(
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c \
             WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'm')",
        )
    }

    /// Returns the same query as [`Self::last_event_query`] for the table of changes.
    pub fn last_change_query(self) -> &'static str {
        self.either(
            "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'change'), 0)",
            "SELECT coalesce(max(seq), 0) FROM change",
        )
    }

    /// Returns a statement that moves the change of the record in row `?1` to the end, at time
    /// `?2`.
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

    /// Returns a query for an unused task number.
    pub fn next_task_id_query(self) -> &'static str {
        self.either("SELECT coalesce(max(id), 0) + 1 FROM task", "SELECT nextval('task_id_seq')")
    }

    /// Returns the key expression for a text column that may be long. PostgreSQL limits the size of
    /// index entries, so the key there is a hash of the column.
    pub fn index_key_expression(self, column: &str) -> String {
        match self {
            Conn::Lite(_) => column.to_owned(),
            Conn::Pg(_) => format!("md5({column})"),
        }
    }

    /// Returns an index hint for SQLite's planner. PostgreSQL has no such hints.
    pub fn index_hint(self, hint: &'static str) -> &'static str {
        self.either(hint, "")
    }

    /// Returns the name of the function that finds a substring (second argument) in a text (first
    /// argument). Positions start at 1; 0 means not found.
    pub fn position_function(self) -> &'static str {
        self.either("instr", "strpos")
    }

    /// Returns the clause that orders by bytes, for a column with another collation in SQLite.
    pub fn binary_collation(self) -> &'static str {
        self.either(" COLLATE BINARY", "")
    }

    /// Returns a condition that lets an index scan over `resource r` start near kind `?1` and URL
    /// `?2`.
    pub fn page_start_condition(self) -> &'static str {
        self.either("", "(r.kind, left(r.url, 600)) >= (?1, left(?2, 600)) AND")
    }

    /// Returns the order of `resource r` by kind and URL. PostgreSQL's index holds only a prefix of
    /// the URL.
    pub fn records_order(self) -> &'static str {
        self.either("r.kind, r.url", "r.kind, left(r.url, 600), r.url")
    }

    /// Returns the condition that selects a frontier row by id. In PostgreSQL the low bits of an id
    /// are its shard, which is part of every key.
    pub fn id_condition(self, table: &str, id: &str) -> String {
        match self {
            Conn::Lite(_) => format!("{table}.id = {id}"),
            Conn::Pg(_) => format!("{table}.shard = ({id} & 255)::int4 AND {table}.id = {id}"),
        }
    }

    /// Returns the join condition between a host and a frontier row of that host.
    pub fn host_condition(self, host: &str, row: &str) -> String {
        match self {
            Conn::Lite(_) => format!("{host}.id = {row}.host"),
            Conn::Pg(_) => format!("{host}.shard = {row}.shard AND {host}.id = {row}.host"),
        }
    }
}
