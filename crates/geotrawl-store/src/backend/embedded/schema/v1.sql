-- Version 1: catalogue and frontier in one file, so that a batch is one transaction.
-- Times are microseconds since the epoch. A URL of a host is kept as its path when it starts with the
-- host's name (scheme, name, port), else whole; a path begins with '/', a whole URL never does.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value ANY
) WITHOUT ROWID;

-- Tasks and their runs ------------------------------------------------------------------------------

CREATE TABLE task (
  id      INTEGER PRIMARY KEY,
  name    TEXT NOT NULL UNIQUE,
  created INTEGER NOT NULL
);

CREATE TABLE run (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  task      INTEGER NOT NULL,
  spec      TEXT NOT NULL,
  state     TEXT NOT NULL,
  started   INTEGER NOT NULL,
  changed   INTEGER NOT NULL,
  pages     INTEGER NOT NULL DEFAULT 0,
  probes    INTEGER NOT NULL DEFAULT 0,
  failures  INTEGER NOT NULL DEFAULT 0,
  skipped   INTEGER NOT NULL DEFAULT 0,
  bytes     INTEGER NOT NULL DEFAULT 0,
  resources INTEGER NOT NULL DEFAULT 0,
  known     INTEGER NOT NULL DEFAULT 0,
  pending   INTEGER NOT NULL DEFAULT 0,
  hosts     INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX run_of_task ON run (task, id);

-- Frontier ------------------------------------------------------------------------------------------

CREATE TABLE host (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

-- best_priority is NULL when nothing is pending, so that the index holds only hosts with work and is
-- touched only when the head of a host changes.
CREATE TABLE host_run (
  run           INTEGER NOT NULL,
  host          INTEGER NOT NULL,
  pending       INTEGER NOT NULL,
  done          INTEGER NOT NULL,
  last_page     INTEGER,
  inbox         INTEGER,
  inbox_length  INTEGER NOT NULL,
  best_priority INTEGER,
  PRIMARY KEY (run, host)
) WITHOUT ROWID;
CREATE INDEX host_with_work ON host_run (run, best_priority, host) WHERE best_priority IS NOT NULL;

-- Pending items of hosts that are crawled, in the order of crawling.
CREATE TABLE queue (
  run      INTEGER NOT NULL,
  host     INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  id       INTEGER NOT NULL,
  path     TEXT NOT NULL,
  intent   TEXT NOT NULL,
  depth    INTEGER NOT NULL,
  parent   INTEGER,
  way      TEXT NOT NULL,
  words    TEXT NOT NULL,
  hops     INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (run, host, priority, id)
) WITHOUT ROWID;

-- Pending items of the other hosts, in the order of discovery, so that strewn links are written in one
-- place. `next` chains those of one host from host_run.inbox; they move to the queue before they are read.
CREATE TABLE inbox (
  id       INTEGER PRIMARY KEY,
  run      INTEGER NOT NULL,
  host     INTEGER NOT NULL,
  next     INTEGER,
  priority INTEGER NOT NULL,
  path     TEXT NOT NULL,
  intent   TEXT NOT NULL,
  depth    INTEGER NOT NULL,
  parent   INTEGER,
  way      TEXT NOT NULL,
  words    TEXT NOT NULL,
  hops     INTEGER NOT NULL
);

-- Finished items. `previous` chains the pages of one host in one run, newest first, from
-- host_run.last_page: a history without an index to maintain.
CREATE TABLE page (
  id          INTEGER PRIMARY KEY,
  run         INTEGER NOT NULL,
  host        INTEGER NOT NULL,
  previous    INTEGER,
  path        TEXT NOT NULL,
  intent      TEXT NOT NULL,
  depth       INTEGER NOT NULL,
  parent      INTEGER,
  way         TEXT NOT NULL,
  words       TEXT NOT NULL,
  hops        INTEGER NOT NULL,
  attempts    INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  class       TEXT NOT NULL,
  reason      TEXT NOT NULL,
  status      INTEGER,
  ip          TEXT,
  bytes       INTEGER NOT NULL,
  millis      INTEGER NOT NULL,
  requests    INTEGER NOT NULL,
  title       TEXT,
  language    TEXT,
  simhash     INTEGER,
  redirect_to TEXT,
  found       INTEGER NOT NULL
);

CREATE TABLE robots (
  host       INTEGER PRIMARY KEY,
  fetched_at TEXT NOT NULL,
  verdict    TEXT NOT NULL
);

-- Known-URL set (see seen/mod.rs) --------------------------------------------------------------------

CREATE TABLE seen_log (
  seq  INTEGER PRIMARY KEY,
  run  INTEGER NOT NULL,
  keys BLOB NOT NULL
);
CREATE INDEX seen_log_of_run ON seen_log (run);

CREATE TABLE seen_segment (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,
  run   INTEGER NOT NULL,
  level INTEGER NOT NULL,
  keys  INTEGER NOT NULL,
  live  INTEGER NOT NULL
);

-- id = segment * 2^24 + number of the block.
CREATE TABLE seen_block (
  id   INTEGER PRIMARY KEY,
  keys BLOB NOT NULL
);

-- Catalogue ------------------------------------------------------------------------------------------

-- One row per kind and identity (URL without scheme, www. and default port). Rows of one kind, domain
-- and fingerprint are doors to one service: the row with the smallest `preference` stands for all.
CREATE TABLE resource (
  id            INTEGER PRIMARY KEY,
  public_id     TEXT NOT NULL UNIQUE,
  kind          TEXT NOT NULL,
  identity      TEXT NOT NULL,
  url           TEXT NOT NULL,
  preference    TEXT NOT NULL,
  domain        TEXT NOT NULL,
  fingerprint   BLOB,
  title         TEXT,
  status        TEXT NOT NULL,
  reason        TEXT NOT NULL,
  host          TEXT NOT NULL,
  ip            TEXT,
  west          REAL,
  south         REAL,
  east          REAL,
  north         REAL,
  dataset_count INTEGER NOT NULL,
  first_seen    INTEGER NOT NULL,
  last_seen     INTEGER NOT NULL,
  last_ok       INTEGER,
  run           INTEGER NOT NULL,
  content_from  TEXT NOT NULL,
  content_hash  BLOB NOT NULL,
  datasets_hash BLOB NOT NULL,
  body          TEXT NOT NULL,
  UNIQUE (kind, identity)
);
CREATE UNIQUE INDEX resource_url ON resource (kind, url);
CREATE INDEX resource_group ON resource (kind, domain, fingerprint, preference) WHERE fingerprint IS NOT NULL;
CREATE INDEX resource_identity ON resource (identity);

-- Every exact URL under which a resource was proven.
CREATE TABLE door (
  url      TEXT NOT NULL,
  kind     TEXT NOT NULL,
  resource INTEGER NOT NULL,
  PRIMARY KEY (url, kind)
) WITHOUT ROWID;
CREATE INDEX door_of_resource ON door (resource);

-- Where URLs led: shown = 1 a redirect (its source is a door), 0 the item that proved a resource with
-- another URL (only joins redirects to it).
CREATE TABLE redirect (
  to_url   TEXT NOT NULL,
  from_url TEXT NOT NULL,
  shown    INTEGER NOT NULL,
  PRIMARY KEY (to_url, from_url)
) WITHOUT ROWID;
CREATE INDEX redirect_from ON redirect (from_url);

-- `crs` points into the list of CRS lists in the resource's body: layers mostly share one.
CREATE TABLE dataset (
  resource INTEGER NOT NULL,
  ordinal  INTEGER NOT NULL,
  name     TEXT NOT NULL,
  title    TEXT,
  west     REAL,
  south    REAL,
  east     REAL,
  north    REAL,
  crs      INTEGER,
  body     TEXT NOT NULL,
  PRIMARY KEY (resource, ordinal)
) WITHOUT ROWID;

CREATE TABLE provenance (
  resource INTEGER NOT NULL,
  run      INTEGER NOT NULL,
  item     INTEGER NOT NULL,
  way      TEXT NOT NULL,
  depth    INTEGER NOT NULL,
  PRIMARY KEY (resource, run, item)
) WITHOUT ROWID;

CREATE TABLE evidence (
  id       INTEGER PRIMARY KEY,
  resource INTEGER NOT NULL,
  run      INTEGER NOT NULL,
  item     INTEGER NOT NULL,
  body     TEXT NOT NULL
);
CREATE INDEX evidence_of_resource ON evidence (resource, run, id);

CREATE TABLE event (
  seq  INTEGER PRIMARY KEY AUTOINCREMENT,
  at   INTEGER NOT NULL,
  run  INTEGER,
  type TEXT NOT NULL,
  body TEXT NOT NULL
);

INSERT INTO meta (key, value) VALUES ('seen_key', randomblob(16)), ('next_item', 1);
