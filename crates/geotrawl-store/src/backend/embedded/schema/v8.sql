-- Version 8: archives that were read, and what was already told of them.

-- What `mine` was asked to do, by the name of its task.
CREATE TABLE mining (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

-- Archives that were read to their end. Another length or version makes it another archive.
CREATE TABLE mined_archive (
  mining   INTEGER NOT NULL,
  name     TEXT NOT NULL,
  length   INTEGER,
  version  TEXT NOT NULL,
  finished INTEGER NOT NULL,
  records  INTEGER NOT NULL,
  bytes    INTEGER NOT NULL,
  shown    INTEGER NOT NULL,
  damaged  INTEGER NOT NULL,
  PRIMARY KEY (mining, name)
) WITHOUT ROWID;

-- Hashes of what was listed without being proven, so that each is listed once, also after a restart.
CREATE TABLE mined_key (
  mining INTEGER NOT NULL,
  key    BLOB NOT NULL,
  PRIMARY KEY (mining, key)
) WITHOUT ROWID;
