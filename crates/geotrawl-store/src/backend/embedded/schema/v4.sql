-- Version 4: people, sessions, tokens, the audit log, settings, notes about records.
-- Numbers of people are never given twice, so what outlives a person never falls to another.

CREATE TABLE user_account (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  name          TEXT NOT NULL,
  name_key      TEXT NOT NULL UNIQUE,
  email         TEXT,
  role          TEXT NOT NULL,
  disabled      INTEGER NOT NULL DEFAULT 0,
  max_running   INTEGER,
  password_hash TEXT,
  issuer        TEXT,
  subject       TEXT,
  created       INTEGER NOT NULL,
  last_login    INTEGER
);
CREATE UNIQUE INDEX user_identity ON user_account (issuer, subject) WHERE issuer IS NOT NULL;

-- Keys of sessions and tokens are SHA-256 of their secrets.
CREATE TABLE user_session (
  key     BLOB PRIMARY KEY,
  user    INTEGER NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  csrf    TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX session_of_user ON user_session (user, created);
CREATE INDEX session_by_end ON user_session (expires);

CREATE TABLE user_token (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  key       BLOB NOT NULL UNIQUE,
  user      INTEGER NOT NULL,
  name      TEXT NOT NULL,
  scopes    TEXT NOT NULL,
  created   INTEGER NOT NULL,
  expires   INTEGER,
  last_used INTEGER
);
CREATE INDEX token_of_user ON user_token (user);

CREATE TABLE audit (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  at      INTEGER NOT NULL,
  user    INTEGER,
  who     TEXT NOT NULL,
  action  TEXT NOT NULL,
  subject TEXT NOT NULL,
  address TEXT,
  detail  TEXT NOT NULL
);

CREATE TABLE setting (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE report (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  at     INTEGER NOT NULL,
  record TEXT NOT NULL,
  user   INTEGER,
  text   TEXT NOT NULL,
  closed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX report_open ON report (id) WHERE closed = 0;
