-- For tests: what a next version might add. Columns in tables whose whole rows go through functions that older programs
-- call, an index, a table that they have never heard of, and something that happens when they write.

ALTER TABLE @schema@.threads ADD COLUMN next_note text NOT NULL DEFAULT '';
ALTER TABLE @schema@.log     ADD COLUMN next_note text;
ALTER TABLE @schema@.entries ADD COLUMN next_note text;
ALTER TABLE @schema@.runs    ADD COLUMN next_rank bigint NOT NULL DEFAULT 0;

CREATE INDEX runs_by_next_rank ON @schema@.runs (next_rank, number) WHERE status = 'pending';

-- Every run that came to its end, as often as it did.
CREATE TABLE @schema@.next_endings (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run    uuid NOT NULL,
    status text NOT NULL
);

CREATE FUNCTION @schema@.note_next_ending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO @schema@.next_endings (run, status) VALUES (NEW.id, NEW.status);
    RETURN NULL;
END $$;

CREATE TRIGGER next_endings AFTER UPDATE OF status ON @schema@.runs FOR EACH ROW
    WHEN (OLD.status IN ('pending', 'running') AND NEW.status NOT IN ('pending', 'running'))
    EXECUTE FUNCTION @schema@.note_next_ending();
