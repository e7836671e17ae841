-- Version 5: records over time: what they are about, when they are checked, what the checks said, what changed, who
-- is told, where they went.

-- What a resource is about, as JSON.
CREATE TABLE theme_of (
  resource INTEGER PRIMARY KEY,
  body     TEXT NOT NULL
);

-- Rows for which another answers: they stand for no group.
CREATE TABLE merged (
  resource  INTEGER PRIMARY KEY,
  successor INTEGER NOT NULL,
  at        INTEGER NOT NULL
);
CREATE INDEX merged_into ON merged (successor);

-- Hosts with records to check. `next` is when one may be asked for the next check: the earliest of its records, or
-- `held` when it had its checks of the day. So what is due is found without looking at every record of a large host.
CREATE TABLE watch_host (
  id    INTEGER PRIMARY KEY,
  name  TEXT NOT NULL UNIQUE,
  next  INTEGER,
  held  INTEGER NOT NULL DEFAULT 0,
  day   INTEGER NOT NULL DEFAULT 0,
  taken INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX watch_host_next ON watch_host (next) WHERE next IS NOT NULL;

-- The schedule, and where each record stands. `next` is 0 when a person asked, and the end of the lease while
-- somebody is at it; `due` is what the schedule says. Beside the row of the resource, which is large and would be
-- written whole.
CREATE TABLE watch (
  resource    INTEGER PRIMARY KEY,
  host        INTEGER NOT NULL,
  next        INTEGER NOT NULL,
  due         INTEGER NOT NULL,
  asked       INTEGER,
  leased      INTEGER,
  checks      INTEGER NOT NULL DEFAULT 0,
  checked     INTEGER,
  last_ok     INTEGER,
  score       INTEGER,
  provisional INTEGER NOT NULL DEFAULT 0,
  noted       INTEGER,
  points      TEXT,
  latest      TEXT,
  moved_url   TEXT,
  standing    TEXT
);
CREATE INDEX watch_next ON watch (host, next);

-- `available` is NULL when the check says nothing about it. `evidence` is compressed (see monitoring/evidence.rs) and
-- goes first as a check grows old.
CREATE TABLE check_log (
  number    INTEGER PRIMARY KEY AUTOINCREMENT,
  resource  INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  verdict   TEXT NOT NULL,
  cause     TEXT NOT NULL,
  turned    INTEGER NOT NULL,
  available INTEGER,
  score     INTEGER,
  millis    INTEGER,
  reason    TEXT NOT NULL,
  evidence  BLOB
);
CREATE INDEX check_of_resource ON check_log (resource, number);

-- Sums of a day; `latency` is a small histogram.
CREATE TABLE check_day (
  resource  INTEGER NOT NULL,
  day       INTEGER NOT NULL,
  checks    INTEGER NOT NULL,
  available INTEGER NOT NULL,
  latency   BLOB NOT NULL,
  PRIMARY KEY (resource, day)
) WITHOUT ROWID;

-- Sums of an hour over all records.
CREATE TABLE check_hour (
  hour    INTEGER PRIMARY KEY,
  checks  INTEGER NOT NULL,
  latency BLOB NOT NULL
);

CREATE TABLE outage (
  resource INTEGER NOT NULL,
  began    INTEGER NOT NULL,
  ended    INTEGER,
  cause    TEXT NOT NULL,
  reason   TEXT NOT NULL,
  PRIMARY KEY (resource, began)
) WITHOUT ROWID;

CREATE TABLE metadata_change (
  id       INTEGER PRIMARY KEY,
  resource INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  body     BLOB NOT NULL
);
CREATE INDEX metadata_change_of ON metadata_change (resource, at);

CREATE TABLE notice (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  at          INTEGER NOT NULL,
  kind        TEXT NOT NULL,
  record      TEXT NOT NULL,
  title       TEXT,
  url         TEXT NOT NULL,
  host        TEXT NOT NULL,
  record_kind TEXT NOT NULL,
  reason      TEXT NOT NULL,
  body        TEXT
);
CREATE INDEX notice_of_record ON notice (record, seq);
CREATE INDEX notice_of_host ON notice (host, seq);
CREATE INDEX notice_of_kind ON notice (kind, seq);

CREATE TABLE alert (
  number        INTEGER PRIMARY KEY AUTOINCREMENT,
  user          INTEGER NOT NULL,
  name          TEXT NOT NULL,
  channel       TEXT NOT NULL,
  target        TEXT NOT NULL,
  secret        TEXT,
  kinds         TEXT NOT NULL,
  hosts         TEXT NOT NULL,
  records       TEXT NOT NULL,
  frequency     TEXT NOT NULL,
  active        INTEGER NOT NULL,
  created       INTEGER NOT NULL,
  last_delivery INTEGER,
  last_error    TEXT
);
CREATE INDEX alert_of_user ON alert (user, number);

-- One message on its way; `due` is NULL when it arrived or was given up.
CREATE TABLE delivery (
  number   INTEGER PRIMARY KEY AUTOINCREMENT,
  alert    INTEGER NOT NULL,
  created  INTEGER NOT NULL,
  due      INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  taken    INTEGER NOT NULL DEFAULT 0,
  notices  INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX delivery_due ON delivery (due) WHERE due IS NOT NULL;
CREATE INDEX delivery_of_alert ON delivery (alert, number);

CREATE TABLE delivery_notice (
  delivery INTEGER NOT NULL,
  notice   INTEGER NOT NULL,
  PRIMARY KEY (delivery, notice)
) WITHOUT ROWID;

-- What an alert was told about a host, so that one dead host is one message.
CREATE TABLE alert_group (
  alert  INTEGER NOT NULL,
  host   TEXT NOT NULL,
  kind   TEXT NOT NULL,
  opened INTEGER NOT NULL,
  latest INTEGER NOT NULL,
  PRIMARY KEY (alert, host, kind)
) WITHOUT ROWID;

-- What a service is recognised by, and the numbers by which like ones are looked up.
CREATE TABLE likeness (
  resource INTEGER PRIMARY KEY,
  body     BLOB NOT NULL
);
CREATE TABLE fingerprint_band (
  band     INTEGER NOT NULL,
  resource INTEGER NOT NULL,
  PRIMARY KEY (band, resource)
) WITHOUT ROWID;

CREATE TABLE successor (
  gone       INTEGER NOT NULL,
  other      INTEGER NOT NULL,
  confidence REAL NOT NULL,
  evidence   TEXT NOT NULL,
  state      TEXT NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (gone, other)
) WITHOUT ROWID;
CREATE INDEX successor_other ON successor (other);

-- More that is counted about records, and the records of a host.
ALTER TABLE change ADD COLUMN themes TEXT;
ALTER TABLE change ADD COLUMN score INTEGER;
CREATE INDEX change_of_host ON change (host) WHERE gone = 0;

-- The last change that the schedule has seen.
INSERT INTO meta (key, value) VALUES ('enrolled', 0);
