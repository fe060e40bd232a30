//! Real deals: a client for the wire format of the ministry's public service
//! of apartment sales (국토교통부 아파트 매매 실거래가). It is off unless the
//! environment gives it a key.

mod codes_tables;
mod error;
mod http;
mod key;
mod tool;
mod trades;
mod xml;

pub use codes_tables::lawd_code;
pub use error::Error;
pub use tool::RealDeals;
pub use trades::{Limits, TRADES_SOURCE, Trades};
