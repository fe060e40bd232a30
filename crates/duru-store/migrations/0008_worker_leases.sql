-- One lease for everything that a worker holds. What a run's own lease says is
-- only until when its worker is to have heard of it.
CREATE TABLE worker_leases (
    owner       TEXT    PRIMARY KEY,
    lease_ms    INTEGER NOT NULL,
    lease_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What is under way goes on; nobody has to be told.
INSERT INTO worker_leases (owner, lease_ms, lease_until)
    SELECT owner, max(lease_ms), max(lease_until) FROM runs
    WHERE status IN ('pending', 'running') AND status = 'running' AND owner <> '' GROUP BY owner;
