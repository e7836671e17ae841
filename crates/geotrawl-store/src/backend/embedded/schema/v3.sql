-- Version 3: tasks as people see them, what goes on in them, and what changed in the catalogue.

-- A task of the command line has neither spec nor state: both are read from its latest run. A removed task
-- keeps its row, because the provenance of records names it.
ALTER TABLE task ADD COLUMN owner INTEGER;
ALTER TABLE task ADD COLUMN spec TEXT;
ALTER TABLE task ADD COLUMN state TEXT;
ALTER TABLE task ADD COLUMN error TEXT;
ALTER TABLE task ADD COLUMN public INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN queued INTEGER;
ALTER TABLE task ADD COLUMN ended INTEGER;
ALTER TABLE task ADD COLUMN next_run INTEGER;
ALTER TABLE task ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX task_of_owner ON task (owner, state);
CREATE INDEX task_in_state ON task (state) WHERE state IS NOT NULL;
CREATE INDEX task_due ON task (next_run) WHERE next_run IS NOT NULL;

-- What goes on in a run: one row, overwritten. `step` is the distance of the points of its history.
CREATE TABLE live (
  run     INTEGER PRIMARY KEY,
  body    TEXT NOT NULL,
  step    INTEGER NOT NULL,
  sampled INTEGER NOT NULL,
  points  INTEGER NOT NULL
);

CREATE TABLE sample (
  run       INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  pages     INTEGER NOT NULL,
  probes    INTEGER NOT NULL,
  failures  INTEGER NOT NULL,
  resources INTEGER NOT NULL,
  pending   INTEGER NOT NULL,
  bytes     INTEGER NOT NULL,
  PRIMARY KEY (run, at)
) WITHOUT ROWID;

-- Events of one task are read in order, old ones are removed (see events.rs).
ALTER TABLE event ADD COLUMN task INTEGER;
UPDATE event SET task = (SELECT r.task FROM run r WHERE r.id = event.run);
CREATE INDEX event_of_task ON event (task, seq);
DELETE FROM event WHERE seq <= (SELECT max(seq) FROM event) - 200000;

-- Pages read at each depth, of all runs.
CREATE TABLE level (
  depth INTEGER PRIMARY KEY,
  pages INTEGER NOT NULL
);
INSERT INTO level (depth, pages)
  SELECT depth, count(*) FROM page WHERE intent IN ('page', 'sitemap')
  AND class NOT IN ('robots', 'trap', 'scope', 'limit', 'filtered', 'skipped') GROUP BY depth;

-- One row per record, at its latest change, with what is counted about it, so that numbers about the whole
-- catalogue need none of its datasets.
CREATE TABLE change (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  id        TEXT NOT NULL UNIQUE,
  gone      INTEGER NOT NULL,
  kind      TEXT NOT NULL DEFAULT '',
  status    TEXT NOT NULL DEFAULT '',
  host      TEXT NOT NULL DEFAULT '',
  ip        TEXT,
  software  TEXT,
  languages TEXT,
  datasets  INTEGER NOT NULL DEFAULT 0,
  depth     INTEGER NOT NULL DEFAULT 0,
  day       INTEGER NOT NULL DEFAULT 0
);
INSERT INTO change (id, gone, kind, status, host, ip, software, languages, datasets, depth, day)
  SELECT r.public_id, 0, r.kind, r.status, r.host, r.ip,
    json_extract(r.body, '$.resource.software'), json_extract(r.body, '$.resource.languages'),
    max(r.dataset_count, (SELECT count(*) FROM catalogue c JOIN record h ON h.catalogue = c.id AND h.gone = 0
      WHERE c.url = r.url)),
    coalesce((SELECT p.depth FROM provenance p WHERE p.resource = r.id ORDER BY p.run, p.item LIMIT 1), 0),
    r.first_seen / 86400000000
  FROM resource r
  WHERE r.fingerprint IS NULL OR NOT EXISTS (SELECT 1 FROM resource b WHERE b.kind = r.kind
    AND b.domain = r.domain AND b.fingerprint = r.fingerprint AND b.preference < r.preference)
  ORDER BY r.id;
