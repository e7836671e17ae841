//! The list of copied tables, one entry per table, for both engines.
//!
//! A test compares this list with the real tables and columns of each engine.

/// What an id column refers to. In PostgreSQL, ids of hosts and items end in the shard of their
/// host; in a file they are plain numbers. While being copied they have PostgreSQL's form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IdTarget {
    /// The host of the row.
    Host,
    /// An item on the same host as the row.
    Own,
    /// A page of any host, which may have been deleted.
    Page,
}

/// A copied table.
#[derive(Debug)]
pub(crate) struct TableSpec {
    pub name: &'static str,
    /// Columns that both engines have; key columns come first.
    columns: &'static str,
    /// Number of key columns.
    pub key: usize,
    /// Columns that hold ids of hosts or items.
    pub ids: &'static [(&'static str, IdTarget)],
    /// Whether the engine assigns the numbers in the first column.
    pub counted: bool,
}

impl TableSpec {
    const fn new(name: &'static str, key: usize, columns: &'static str) -> Self {
        Self { name, columns, key, ids: &[], counted: false }
    }

    /// Creates a table whose first column is numbered by the engine.
    const fn counted(name: &'static str, columns: &'static str) -> Self {
        Self { name, columns, key: 1, ids: &[], counted: true }
    }

    const fn with(self, ids: &'static [(&'static str, IdTarget)]) -> Self {
        Self { ids, ..self }
    }

    /// Returns the columns in order.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.columns.split_ascii_whitespace()
    }

    /// Returns the positions of the id columns.
    pub fn id_positions(&self) -> Vec<(usize, IdTarget)> {
        let kind = |name| self.ids.iter().find(|(column, _)| *column == name).map(|(_, id)| *id);
        self.columns().enumerate().filter_map(|(at, name)| Some((at, kind(name)?))).collect()
    }

    /// Returns the column with the host of the row.
    pub fn host_column(&self) -> Option<&'static str> {
        self.ids.iter().find(|(_, id)| *id == IdTarget::Host).map(|(column, _)| *column)
    }

    /// Returns the column that refers to a page of any host.
    pub fn page_column(&self) -> Option<&'static str> {
        self.ids.iter().find(|(_, id)| *id == IdTarget::Page).map(|(column, _)| *column)
    }

    /// Returns whether the table is sharded in PostgreSQL.
    pub fn is_sharded(&self) -> bool {
        matches!(self.name, "host" | "host_run" | "queue" | "page")
    }
}

/// All copied tables, in copying order.
pub(crate) const TABLES: &[TableSpec] = &[
    // Settings of the engine itself are not copied; see [`OWN_SETTINGS`].
    TableSpec::new("meta", 1, "key value"),
    TableSpec::counted("task", "id name created owner spec state error public queued ended next_run removed"),
    TableSpec::counted(
        "run",
        "id task spec state started changed pages probes failures skipped bytes resources known pending hosts taken",
    ),
    TableSpec::new("live", 1, "run body step sampled points"),
    TableSpec::new("sample", 2, "run at pages probes failures resources pending bytes"),
    TableSpec::new("level", 1, "depth pages"),
    TableSpec::new("run_width", 2, "run width opened seeds ended why given_up"),
    TableSpec::new("run_level", 3, "run width depth pages finds"),
    TableSpec::new("run_term", 2, "run term gained seen"),
    TableSpec::new("run_seed", 2, "run place body"),
    TableSpec::new("model", 1, "ordering at body"),
    // The frontier.
    TableSpec::new("host", 1, "id name").with(&[("id", IdTarget::Host)]),
    TableSpec::new("robots", 1, "host fetched_at verdict").with(&[("host", IdTarget::Host)]),
    TableSpec::new("host_run", 2, "run host pending done last_page best_priority")
        .with(&[("host", IdTarget::Host), ("last_page", IdTarget::Own)]),
    TableSpec::new(
        "queue",
        4,
        "run host priority id path intent depth parent way words hops attempts width origin distance",
    )
    .with(&[("host", IdTarget::Host), ("id", IdTarget::Own), ("parent", IdTarget::Page)]),
    TableSpec::new(
        "page",
        1,
        "id run host previous path intent depth parent way words hops attempts at class reason status ip bytes millis \
         requests title language simhash redirect_to found width origin distance",
    )
    .with(&[("id", IdTarget::Own), ("host", IdTarget::Host), ("previous", IdTarget::Own), ("parent", IdTarget::Page)]),
    // The catalogue.
    TableSpec::counted(
        "resource",
        "id public_id kind identity url preference domain fingerprint title status reason host ip west south east north \
         dataset_count first_seen last_seen last_ok run content_from content_hash datasets_hash body cluster",
    ),
    TableSpec::new("door", 2, "url kind resource"),
    TableSpec::new("redirect", 2, "to_url from_url shown"),
    TableSpec::new("dataset", 2, "resource ordinal name title west south east north crs body"),
    TableSpec::new("provenance", 3, "resource run item way depth").with(&[("item", IdTarget::Page)]),
    TableSpec::counted("evidence", "id resource run item body").with(&[("item", IdTarget::Page)]),
    TableSpec::counted("event", "seq at run type body task"),
    TableSpec::counted(
        "change",
        "seq id gone kind status host ip software languages datasets depth day themes score at",
    ),
    TableSpec::counted("catalogue", "id url connector run started pending partial complete total"),
    TableSpec::counted("record", "seq catalogue key run gone body"),
    TableSpec::counted("seed_list", "id name source imported"),
    TableSpec::counted("seed", "id list url kind title country"),
    // People.
    TableSpec::counted(
        "user_account",
        "id name name_key email role disabled max_running password_hash issuer subject created last_login",
    ),
    TableSpec::new("user_session", 1, "key user created expires csrf"),
    TableSpec::counted("user_token", "id key user name scopes created expires last_used"),
    TableSpec::counted("audit", "seq at user who action subject address detail"),
    TableSpec::new("setting", 1, "key value"),
    TableSpec::counted("report", "id at record user text closed"),
    // Records over time.
    TableSpec::new("theme_of", 1, "resource body"),
    TableSpec::new("merged", 1, "resource successor at"),
    TableSpec::counted("watch_host", "id name next held day taken"),
    TableSpec::new(
        "watch",
        1,
        "resource host next due asked leased checks checked last_ok score provisional noted points latest moved_url \
         standing",
    ),
    TableSpec::counted(
        "check_log",
        "number resource at verdict cause turned available score millis reason evidence",
    ),
    TableSpec::new("check_day", 2, "resource day checks available latency"),
    TableSpec::new("check_hour", 1, "hour checks latency"),
    TableSpec::new("outage", 2, "resource began ended cause reason"),
    TableSpec::counted("metadata_change", "id resource at body"),
    TableSpec::counted("notice", "seq at kind record title url host record_kind reason body"),
    TableSpec::counted(
        "alert",
        "number user name channel target secret kinds hosts records frequency active created last_delivery last_error",
    ),
    TableSpec::counted("delivery", "number alert created due attempts taken notices"),
    TableSpec::new("delivery_notice", 2, "delivery notice"),
    TableSpec::new("alert_group", 3, "alert host kind opened latest"),
    TableSpec::new("likeness", 1, "resource body"),
    TableSpec::new("fingerprint_band", 2, "band resource"),
    TableSpec::new("successor", 2, "gone other confidence evidence state at"),
    // Search engines, archives that were read.
    TableSpec::new("search_answer", 2, "engine request at body"),
    TableSpec::new("search_use", 2, "engine hour asked"),
    TableSpec::new("search_engine", 1, "name next rests strikes class message failed"),
    TableSpec::counted("mining", "id name"),
    TableSpec::new("mined_archive", 2, "mining name length version finished records bytes shown damaged"),
    TableSpec::new("mined_key", 2, "mining key"),
    // Collections.
    TableSpec::counted("collection", "id acronym owner spec public created queued next_run"),
    TableSpec::counted("archive_run", "id collection at state ended error counts"),
    TableSpec::new("archive_result", 2, "run url weight state body"),
    TableSpec::counted("archive_item", "id collection url role weight"),
    TableSpec::new("archive_version", 2, "item number run at kind changes digest sketch body"),
    TableSpec::new("archive_choice", 2, "item at version who note"),
    TableSpec::new("archive_payload", 2, "collection digest url at file offset length"),
    TableSpec::new("archive_file", 2, "collection file ends"),
    TableSpec::counted("archive_note", "id collection at who url text"),
    TableSpec::new("archive_object", 2, "collection run stamp as_of"),
];

/// Rows of `meta` that belong to one engine: versions, the hashing secret, number counters.
pub(crate) const OWN_SETTINGS: &[&str] = &["schema", "least_program", "seen_key", "next_item", "copying"];
