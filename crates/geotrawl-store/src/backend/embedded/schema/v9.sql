-- When a record changed, for those who harvest by date (OAI-PMH). What was there is dated by when it was last seen.
ALTER TABLE change ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
UPDATE change SET at = coalesce(
  (SELECT max(r.last_seen) FROM resource r WHERE r.public_id = change.id),
  (SELECT max(r.last_seen) FROM resource r),
  0);
-- What is gone is still told to those who follow only a part of the catalogue.
UPDATE change SET kind = coalesce((SELECT r.kind FROM resource r WHERE r.public_id = change.id), ''),
  ip = (SELECT r.ip FROM resource r WHERE r.public_id = change.id) WHERE gone = 1;
CREATE INDEX change_at ON change (at);
