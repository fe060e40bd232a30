//! The guard, the PostgreSQL store and ingest, from outside.
