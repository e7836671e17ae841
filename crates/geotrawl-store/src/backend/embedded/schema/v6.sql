-- Version 6: where a run looks and why.

-- Where a link stands in its run: its group of seeds, what the ordering keeps of the page that shows it, and links
-- since a page that showed something.
ALTER TABLE queue ADD COLUMN width INTEGER NOT NULL DEFAULT 1;
ALTER TABLE queue ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
ALTER TABLE queue ADD COLUMN distance INTEGER NOT NULL DEFAULT 0;
ALTER TABLE inbox ADD COLUMN width INTEGER NOT NULL DEFAULT 1;
ALTER TABLE inbox ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
ALTER TABLE inbox ADD COLUMN distance INTEGER NOT NULL DEFAULT 0;
ALTER TABLE page ADD COLUMN width INTEGER NOT NULL DEFAULT 1;
ALTER TABLE page ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
ALTER TABLE page ADD COLUMN distance INTEGER NOT NULL DEFAULT 0;

-- Milliseconds that a run has taken.
ALTER TABLE run ADD COLUMN taken INTEGER NOT NULL DEFAULT 0;

-- Groups of seeds that were opened.
CREATE TABLE run_width (
  run      INTEGER NOT NULL,
  width    INTEGER NOT NULL,
  opened   INTEGER NOT NULL,
  seeds    INTEGER NOT NULL,
  ended    INTEGER,
  why      TEXT,
  given_up INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, width)
) WITHOUT ROWID;

-- Pages and finds by group of seeds and depth.
CREATE TABLE run_level (
  run   INTEGER NOT NULL,
  width INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  finds INTEGER NOT NULL,
  PRIMARY KEY (run, width, depth)
) WITHOUT ROWID;

-- Words of pages that led to something new.
CREATE TABLE run_term (
  run    INTEGER NOT NULL,
  term   TEXT NOT NULL,
  gained INTEGER NOT NULL,
  seen   INTEGER NOT NULL,
  PRIMARY KEY (run, term)
) WITHOUT ROWID;

-- Seeds as they were ranked, best first; `body` is JSON.
CREATE TABLE run_seed (
  run   INTEGER NOT NULL,
  place INTEGER NOT NULL,
  body  TEXT NOT NULL,
  PRIMARY KEY (run, place)
) WITHOUT ROWID;

-- What orderings have learned.
CREATE TABLE model (
  ordering TEXT PRIMARY KEY,
  at       INTEGER NOT NULL,
  body     BLOB NOT NULL
);
