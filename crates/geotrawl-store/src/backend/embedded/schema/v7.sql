-- Version 7: search engines: answers kept, and what was asked of each quota.

-- What an engine answered, by the request without its key; `body` is what the asker made of it.
CREATE TABLE search_answer (
  engine  TEXT NOT NULL,
  request TEXT NOT NULL,
  at      INTEGER NOT NULL,
  body    TEXT NOT NULL,
  PRIMARY KEY (engine, request)
) WITHOUT ROWID;
CREATE INDEX search_answer_at ON search_answer (at);

-- Requests by hour since the epoch: sums over the last hours hold in whatever days and months a provider counts.
CREATE TABLE search_use (
  engine TEXT NOT NULL,
  hour   INTEGER NOT NULL,
  asked  INTEGER NOT NULL,
  PRIMARY KEY (engine, hour)
) WITHOUT ROWID;

-- When an engine may be asked next, and how the last attempt failed. `strikes` counts failures in a row.
CREATE TABLE search_engine (
  name    TEXT PRIMARY KEY,
  next    INTEGER NOT NULL DEFAULT 0,
  rests   INTEGER NOT NULL DEFAULT 0,
  strikes INTEGER NOT NULL DEFAULT 0,
  class   TEXT,
  message TEXT,
  failed  INTEGER
) WITHOUT ROWID;
