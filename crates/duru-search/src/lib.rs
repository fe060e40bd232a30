//! Documents: ingest, hybrid index and retrieval, Korean and English text.
