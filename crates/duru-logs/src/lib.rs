//! The embedded log store: a write-ahead log sealed into Parquet, asked with DataFusion.
