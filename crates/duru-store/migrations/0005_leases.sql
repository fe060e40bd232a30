-- Who runs a thread. Nobody else may begin before `lease_until`, by the
-- machine's clock; `lease_ms` is how long the lease was made for, which tells
-- one from before the clock was set back.
ALTER TABLE threads ADD COLUMN owner       TEXT    NOT NULL DEFAULT '';
ALTER TABLE threads ADD COLUMN lease_ms    INTEGER NOT NULL DEFAULT 0;
ALTER TABLE threads ADD COLUMN lease_until INTEGER NOT NULL DEFAULT 0;
