-- Which of the threads and entries that have had a name. Those from before have
-- number 0, and whatever is made under their names later has another.
ALTER TABLE threads ADD COLUMN incarnation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN incarnation INTEGER NOT NULL DEFAULT 0;

-- How often rows were removed. Of threads from before nobody knows; it may have been.
ALTER TABLE threads ADD COLUMN removals INTEGER NOT NULL DEFAULT 1;

-- What wrote a checkpoint, so that a few of many are found.
ALTER TABLE log ADD COLUMN source INTEGER;
UPDATE log SET source = CASE json_extract(CAST(payload AS TEXT), '$.source')
        WHEN 'input' THEN 1 WHEN 'loop' THEN 2 WHEN 'resume' THEN 3 WHEN 'continue' THEN 4
        WHEN 'deadline' THEN 5 WHEN 'update' THEN 6 WHEN 'fork' THEN 7 END
    -- A damaged row stays what it is; whoever reads it is told.
    WHERE kind = 2 AND json_valid(CAST(payload AS TEXT));

CREATE INDEX log_by_checkpoint ON log (checkpoint) WHERE checkpoint IS NOT NULL;
CREATE INDEX log_by_source ON log (ns, source) WHERE source IS NOT NULL;
-- Where runs begin and end.
CREATE INDEX log_by_run ON log (run) WHERE kind IN (1, 7);
