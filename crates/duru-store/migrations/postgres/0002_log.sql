-- The logs of all threads. The columns are in the order that leaves no gaps.
CREATE TABLE @schema@.log (
    thread     bigint   NOT NULL,
    seq        bigint   NOT NULL,
    at_ms      bigint   NOT NULL,
    checksum   bigint   NOT NULL,
    events     integer  NOT NULL,
    format     integer  NOT NULL,
    kind       smallint NOT NULL,
    run        uuid     NOT NULL,
    checkpoint uuid,
    ns         text     COLLATE "C" NOT NULL,
    payload    bytea    NOT NULL,
    PRIMARY KEY (thread, seq)
);

-- Whole states after some of the checkpoints.
CREATE TABLE @schema@.snapshots (
    thread   bigint  NOT NULL,
    seq      bigint  NOT NULL,
    checksum bigint  NOT NULL,
    format   integer NOT NULL,
    ns       text    COLLATE "C" NOT NULL,
    payload  bytea   NOT NULL,
    PRIMARY KEY (thread, ns, seq)
);

-- LZ4 packs payloads of more than 2 KB in a third of the time of PostgreSQL's
-- own method; a server that was built without it uses that.
DO $$
BEGIN
    EXECUTE 'ALTER TABLE @schema@.log ALTER payload SET COMPRESSION lz4';
    EXECUTE 'ALTER TABLE @schema@.snapshots ALTER payload SET COMPRESSION lz4';
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value OR syntax_error THEN
    NULL;
END $$;
