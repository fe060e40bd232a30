//! Reading a question without a model: what it wants, which data that needs,
//! and the places, sums, sizes, deals and references in it.
//!
//! ```
//! use duru_agents::advisor::understand::{Context, DataKind, Intent, understand};
//!
//! let question = understand("강남 아파트 전세 시세 알려줘", &Context::default());
//! assert_eq!(question.intent, Intent::MarketInquiry);
//! assert_eq!(question.required, [DataKind::Market]);
//! assert_eq!(question.regions()[0].to_string(), "서울 강남구");
//! ```

mod amount;
mod area;
mod arrival;
mod change;
mod complex;
mod day;
mod document;
mod facility;
mod intent;
mod lexicon;
mod lexicon_tables;
mod measure;
mod parts;
mod period;
mod person;
mod question;
mod reference;
pub mod region;
mod terms;
mod unread;
mod words;
mod worlds;

pub(in crate::advisor) use amount::written_sum;
pub use amount::{Amount, Bound, Role};
pub use area::Area;
pub(in crate::advisor) use area::{PYEONG, bare as bare_areas};
pub(crate) use day::{Day, days};
pub use document::Version;
pub use facility::Facility;
pub use intent::Intent;
pub(in crate::advisor) use lexicon::normal;
pub use lexicon::{DataKind, Deal, Feature, Group, LoanKind, Property, Subject};
pub use measure::{Measure, Unit};
pub use parts::Part;
pub use period::Period;
pub use person::Person;
pub use question::{Context, Question, understand};
pub(in crate::advisor) use question::{before_contract, place_of};
pub use reference::{Newness, Reference};
pub use terms::Terms;
pub use unread::{UnreadRole, UnreadWord};
pub(in crate::advisor) use words::{AND, after_particle, begins_word, is_taken_back};
