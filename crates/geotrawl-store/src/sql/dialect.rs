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
    pub fn like(self) -> &'static str {
        self.either("LIKE", "ILIKE")
    }

    /// A query for the last number that the table of events gave, also when its event is removed. PostgreSQL's
    /// counter runs ahead of what others can see, so there it is the last that can be seen.
    pub fn last_event(self) -> &'static str {
        self.either(
            "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)",
            "SELECT coalesce(max(seq), 0) FROM event",
        )
    }

    /// A query for the bytes that everything takes on disk.
    pub fn size(self) -> &'static str {
        self.either(
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c \
             WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'm')",
        )
    }
}
