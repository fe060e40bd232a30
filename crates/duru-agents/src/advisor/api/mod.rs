//! Public services. Real deals: a client for the wire format of the ministry's
//! services of sales and leases of apartments, row houses and officetels
//! (국토교통부 실거래가). What lies around a place: one for that of Kakao's Local
//! service. Each is off unless the environment gives it a key.

mod codes_tables;
mod endpoint;
mod error;
mod http;
mod infrastructure;
mod key;
mod places;
mod tool;
mod trades;
mod xml;

pub use codes_tables::lawd_code;
pub use endpoint::{Contract, Endpoint, Homes};
pub use error::Error;
pub use infrastructure::RealInfrastructure;
pub use places::Places;
pub use tool::RealDeals;
pub use trades::{Limits, Trades};
