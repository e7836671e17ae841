-- Version 2: what catalogues say, apart from what probing finds; lists of seeds.

-- One row per catalogue and protocol. `started` and `pending` (pages known and not read) are of the harvest
-- under way or the last one; `complete` is when the last one began that reached its end.
CREATE TABLE catalogue (
  id        INTEGER PRIMARY KEY,
  url       TEXT NOT NULL,
  connector TEXT NOT NULL,
  run       INTEGER NOT NULL,
  started   INTEGER NOT NULL,
  pending   INTEGER NOT NULL,
  partial   INTEGER NOT NULL,
  complete  INTEGER,
  total     INTEGER,
  UNIQUE (url, connector)
);

-- Appended in the order of harvesting; `key` is the beginning of a hash of the record's identifier, which
-- keeps the index small and its order out of the way of the bodies.
CREATE TABLE record (
  seq       INTEGER PRIMARY KEY,
  catalogue INTEGER NOT NULL,
  key       BLOB NOT NULL,
  run       INTEGER NOT NULL,
  gone      INTEGER NOT NULL,
  body      TEXT NOT NULL
);
CREATE UNIQUE INDEX record_key ON record (catalogue, key);

CREATE TABLE seed_list (
  id       INTEGER PRIMARY KEY,
  name     TEXT NOT NULL UNIQUE,
  source   TEXT NOT NULL,
  imported INTEGER NOT NULL
);

CREATE TABLE seed (
  id      INTEGER PRIMARY KEY,
  list    INTEGER NOT NULL,
  url     TEXT NOT NULL,
  kind    TEXT NOT NULL,
  title   TEXT,
  country TEXT,
  UNIQUE (list, url, kind)
);

-- Faces of one service (WMS, WFS, REST ...) share their cluster. Rows of version 1 get theirs when they are
-- seen again.
ALTER TABLE resource ADD COLUMN cluster TEXT;
CREATE INDEX resource_cluster ON resource (cluster) WHERE cluster IS NOT NULL;
