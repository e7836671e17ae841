-- Version 10: collections of archived pages. Their bytes are in WARC files beside the store.

CREATE TABLE collection (
  id       INTEGER PRIMARY KEY,
  acronym  TEXT NOT NULL UNIQUE COLLATE NOCASE,
  owner    INTEGER,
  spec     TEXT NOT NULL,
  public   INTEGER NOT NULL,
  created  INTEGER NOT NULL,
  queued   INTEGER NOT NULL DEFAULT 0,
  next_run INTEGER
);

CREATE TABLE archive_run (
  id         INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  state      TEXT NOT NULL,
  ended      INTEGER,
  error      TEXT,
  counts     TEXT NOT NULL,
  UNIQUE (collection, at)
);

-- The ranked list of a run, with what became of every result.
CREATE TABLE archive_result (
  run    INTEGER NOT NULL,
  url    TEXT NOT NULL,
  weight REAL NOT NULL,
  state  TEXT NOT NULL,
  body   TEXT NOT NULL,
  PRIMARY KEY (run, url)
) WITHOUT ROWID;

CREATE TABLE archive_item (
  id         INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  url        TEXT NOT NULL,
  role       TEXT NOT NULL,
  weight     REAL NOT NULL,
  UNIQUE (collection, url)
);

-- Visits. `changes`: whether it made something else current (all but unchanged ones).
CREATE TABLE archive_version (
  item    INTEGER NOT NULL,
  number  INTEGER NOT NULL,
  run     INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  kind    TEXT NOT NULL,
  changes INTEGER NOT NULL,
  digest  TEXT NOT NULL,
  sketch  BLOB NOT NULL,
  body    TEXT NOT NULL,
  PRIMARY KEY (item, number)
) WITHOUT ROWID;
CREATE INDEX archive_version_run ON archive_version (run);

-- Which version a person made current.
CREATE TABLE archive_choice (
  item    INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  version INTEGER NOT NULL,
  who     TEXT NOT NULL,
  note    TEXT NOT NULL,
  PRIMARY KEY (item, at)
) WITHOUT ROWID;

-- Where the bytes of a digest are: each is kept once.
CREATE TABLE archive_payload (
  collection INTEGER NOT NULL,
  digest     TEXT NOT NULL,
  url        TEXT NOT NULL,
  at         INTEGER NOT NULL,
  file       TEXT NOT NULL,
  offset     INTEGER NOT NULL,
  length     INTEGER NOT NULL,
  PRIMARY KEY (collection, digest)
) WITHOUT ROWID;

-- Where what versions name of a file ends.
CREATE TABLE archive_file (
  collection INTEGER NOT NULL,
  file       TEXT NOT NULL,
  ends       INTEGER NOT NULL,
  PRIMARY KEY (collection, file)
) WITHOUT ROWID;

CREATE TABLE archive_note (
  id         INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  who        TEXT NOT NULL,
  url        TEXT,
  text       TEXT NOT NULL
);
CREATE INDEX archive_note_collection ON archive_note (collection);

-- Complex objects, for those who harvest.
CREATE TABLE archive_object (
  collection INTEGER NOT NULL,
  run        INTEGER NOT NULL,
  stamp      INTEGER NOT NULL,
  as_of      INTEGER NOT NULL,
  PRIMARY KEY (collection, run)
) WITHOUT ROWID;
CREATE INDEX archive_object_stamp ON archive_object (stamp);
