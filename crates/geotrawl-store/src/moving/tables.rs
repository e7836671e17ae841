//! What there is to copy: one line per table, for both engines.
//!
//! A test compares this list with the tables and columns that each engine really has.

/// What an id points to. In PostgreSQL ids of hosts and items end in the shard of their host, in a file they are plain
/// numbers; on their way they are as in PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Id {
    /// The host of the row.
    Host,
    /// An item of the row's own host.
    Own,
    /// A page of any host, which may be gone.
    Page,
}

/// A table that is copied.
#[derive(Debug)]
pub(crate) struct Table {
    pub name: &'static str,
    /// Columns that both engines have, those of the key first.
    columns: &'static str,
    /// How many of them are the key.
    pub key: usize,
    /// Columns with ids of hosts and items.
    pub ids: &'static [(&'static str, Id)],
    /// The engine gives numbers for the first column.
    pub counted: bool,
}

impl Table {
    const fn new(name: &'static str, key: usize, columns: &'static str) -> Self {
        Self { name, columns, key, ids: &[], counted: false }
    }

    /// One whose first column is a number that the engine gives.
    const fn counted(name: &'static str, columns: &'static str) -> Self {
        Self { name, columns, key: 1, ids: &[], counted: true }
    }

    const fn with(self, ids: &'static [(&'static str, Id)]) -> Self {
        Self { ids, ..self }
    }

    /// Its columns, in order.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.columns.split_ascii_whitespace()
    }

    /// Places of the columns with ids.
    pub fn id_places(&self) -> Vec<(usize, Id)> {
        let kind = |name| self.ids.iter().find(|(column, _)| *column == name).map(|(_, id)| *id);
        self.columns().enumerate().filter_map(|(at, name)| Some((at, kind(name)?))).collect()
    }

    /// The column with the host of the row.
    pub fn host(&self) -> Option<&'static str> {
        self.ids.iter().find(|(_, id)| *id == Id::Host).map(|(column, _)| *column)
    }

    /// The column with a page of any host.
    pub fn page(&self) -> Option<&'static str> {
        self.ids.iter().find(|(_, id)| *id == Id::Page).map(|(column, _)| *column)
    }

    /// Whether it is spread over shards in PostgreSQL.
    pub fn is_sharded(&self) -> bool {
        matches!(self.name, "host" | "host_run" | "queue" | "page")
    }
}

/// All tables, in the order of copying.
pub(crate) const TABLES: &[Table] = &[
    // Settings of the engine itself are not copied (see [`OWN_SETTINGS`]).
    Table::new("meta", 1, "key value"),
    Table::counted("task", "id name created owner spec state error public queued ended next_run removed"),
    Table::counted(
        "run",
        "id task spec state started changed pages probes failures skipped bytes resources known pending hosts taken",
    ),
    Table::new("live", 1, "run body step sampled points"),
    Table::new("sample", 2, "run at pages probes failures resources pending bytes"),
    Table::new("level", 1, "depth pages"),
    Table::new("run_width", 2, "run width opened seeds ended why given_up"),
    Table::new("run_level", 3, "run width depth pages finds"),
    Table::new("run_term", 2, "run term gained seen"),
    Table::new("run_seed", 2, "run place body"),
    Table::new("model", 1, "ordering at body"),
    // The frontier.
    Table::new("host", 1, "id name").with(&[("id", Id::Host)]),
    Table::new("robots", 1, "host fetched_at verdict").with(&[("host", Id::Host)]),
    Table::new("host_run", 2, "run host pending done last_page best_priority")
        .with(&[("host", Id::Host), ("last_page", Id::Own)]),
    Table::new(
        "queue",
        4,
        "run host priority id path intent depth parent way words hops attempts width origin distance",
    )
    .with(&[("host", Id::Host), ("id", Id::Own), ("parent", Id::Page)]),
    Table::new(
        "page",
        1,
        "id run host previous path intent depth parent way words hops attempts at class reason status ip bytes millis \
         requests title language simhash redirect_to found width origin distance",
    )
    .with(&[("id", Id::Own), ("host", Id::Host), ("previous", Id::Own), ("parent", Id::Page)]),
    // The catalogue.
    Table::counted(
        "resource",
        "id public_id kind identity url preference domain fingerprint title status reason host ip west south east north \
         dataset_count first_seen last_seen last_ok run content_from content_hash datasets_hash body cluster",
    ),
    Table::new("door", 2, "url kind resource"),
    Table::new("redirect", 2, "to_url from_url shown"),
    Table::new("dataset", 2, "resource ordinal name title west south east north crs body"),
    Table::new("provenance", 3, "resource run item way depth").with(&[("item", Id::Page)]),
    Table::counted("evidence", "id resource run item body").with(&[("item", Id::Page)]),
    Table::counted("event", "seq at run type body task"),
    Table::counted(
        "change",
        "seq id gone kind status host ip software languages datasets depth day themes score at",
    ),
    Table::counted("catalogue", "id url connector run started pending partial complete total"),
    Table::counted("record", "seq catalogue key run gone body"),
    Table::counted("seed_list", "id name source imported"),
    Table::counted("seed", "id list url kind title country"),
    // People.
    Table::counted(
        "user_account",
        "id name name_key email role disabled max_running password_hash issuer subject created last_login",
    ),
    Table::new("user_session", 1, "key user created expires csrf"),
    Table::counted("user_token", "id key user name scopes created expires last_used"),
    Table::counted("audit", "seq at user who action subject address detail"),
    Table::new("setting", 1, "key value"),
    Table::counted("report", "id at record user text closed"),
    // Records over time.
    Table::new("theme_of", 1, "resource body"),
    Table::new("merged", 1, "resource successor at"),
    Table::counted("watch_host", "id name next held day taken"),
    Table::new(
        "watch",
        1,
        "resource host next due asked leased checks checked last_ok score provisional noted points latest moved_url \
         standing",
    ),
    Table::counted(
        "check_log",
        "number resource at verdict cause turned available score millis reason evidence",
    ),
    Table::new("check_day", 2, "resource day checks available latency"),
    Table::new("check_hour", 1, "hour checks latency"),
    Table::new("outage", 2, "resource began ended cause reason"),
    Table::counted("metadata_change", "id resource at body"),
    Table::counted("notice", "seq at kind record title url host record_kind reason body"),
    Table::counted(
        "alert",
        "number user name channel target secret kinds hosts records frequency active created last_delivery last_error",
    ),
    Table::counted("delivery", "number alert created due attempts taken notices"),
    Table::new("delivery_notice", 2, "delivery notice"),
    Table::new("alert_group", 3, "alert host kind opened latest"),
    Table::new("likeness", 1, "resource body"),
    Table::new("fingerprint_band", 2, "band resource"),
    Table::new("successor", 2, "gone other confidence evidence state at"),
    // Search engines, archives that were read.
    Table::new("search_answer", 2, "engine request at body"),
    Table::new("search_use", 2, "engine hour asked"),
    Table::new("search_engine", 1, "name next rests strikes class message failed"),
    Table::counted("mining", "id name"),
    Table::new("mined_archive", 2, "mining name length version finished records bytes shown damaged"),
    Table::new("mined_key", 2, "mining key"),
    // Collections.
    Table::counted("collection", "id acronym owner spec public created queued next_run"),
    Table::counted("archive_run", "id collection at state ended error counts"),
    Table::new("archive_result", 2, "run url weight state body"),
    Table::counted("archive_item", "id collection url role weight"),
    Table::new("archive_version", 2, "item number run at kind changes digest sketch body"),
    Table::new("archive_choice", 2, "item at version who note"),
    Table::new("archive_payload", 2, "collection digest url at file offset length"),
    Table::new("archive_file", 2, "collection file ends"),
    Table::counted("archive_note", "id collection at who url text"),
    Table::new("archive_object", 2, "collection run stamp as_of"),
];

/// Rows of `meta` that are the engine's own: versions, the secret of known links, numbers given.
pub(crate) const OWN_SETTINGS: &[&str] = &["schema", "least_program", "seen_key", "next_item", "copying"];
