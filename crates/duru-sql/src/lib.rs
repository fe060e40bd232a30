//! Safe SQL over logs.
//!
//! [`Catalog`] says which tables may be asked; [`guard::Guard`] turns a query
//! that somebody wrote into one that may run, or refuses it with a reason; a
//! [`LogStore`] runs only what the guard has passed.

mod answer;
mod bucket;
mod catalog;
pub mod domain;
mod fault;
pub mod generate;
pub mod guard;
pub mod ingest;
mod keys;
mod log;
pub mod postgres;
pub mod same_rows;
mod store;
pub mod tables;
mod zone;

pub use answer::{Answer, Cap, Column, moment};
pub use bucket::BucketTrouble;
pub use catalog::{Catalog, CatalogError, ForeignKey, Kind, Table, TableColumn};
pub use keys::json_keys;
pub use log::{Level, LogType, Record};
pub use store::{
    Asking, Batch, ColumnKnowledge, Error, Fault, Knowledge, Limits, LogStore, Receipt, TableKnowledge,
    TableSource,
};
pub use zone::{MachineZone, zone_label};
